#!/usr/bin/perl
# Aircraft as files, from the server's INI to a client's model: which may be
# flown, who refuses what, and that a client whose file differs is told so.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use Test::More;

sub folder {
    my ($name, $change) = @_;
    mkdir "$dir/$name";
    mkdir "$dir/$name/aircraft";
    my $text = read_file("$src/conf/aircraft/trainer.ini");
    $text =~ s/^name = trainer/name = glider/m;
    $text =~ s/^empty_kg = 1060/empty_kg = 1061/m if $change;
    write_file("$dir/$name/aircraft/glider.ini", $text);
    return "$dir/$name";
}

sub server {
    my ($data, @aircraft) = @_;
    my $port = free_port();
    local $ENV{HARDPOINT_DATA_PATH} = $data;
    my $host = start_host('run', "$src/conf/server.ini", '-s', "net.port=$port",
        '-s', 'net.address=127.0.0.1', map { ('-s', "sim.flight.aircraft=$_") } @aircraft);
    $host->says(qr/server: listens on/) or diag($host->err);
    return ($host, $port);
}

sub client {
    my ($data, $port, $join) = @_;
    local $ENV{HARDPOINT_DATA_PATH} = $data;
    return start_host('run', "$src/conf/client.ini", '--for', 3, '-s', "net.port=$port",
        '-s', "client.join=$join");
}

my $same = folder('same');
my $other = folder('other', 1);
my ($host, $port) = server($same, 'f16', 'glider');

my $good = client($same, $port, 'aircraft=glider');
is($good->wait, 0, 'a client with the same file flies it') or diag($good->err);
ok($host->says(qr/client \d+ flies glider in slot/), '... and the server says so');
my $differs = client($other, $port, 'aircraft=glider');
my $lacks = client("$dir/none", $port, 'aircraft=glider');
my $unknown = client($same, $port, 'aircraft=f15');
isnt($differs->wait, 0, 'a client with another file does not join');
like($differs->err, qr{the server's aircraft "glider" is a file, and \Q$other\E/aircraft/glider\.ini differs from it: get the server's file},
    '... and is told which file');
isnt($lacks->wait, 0, 'a client without it does not join');
like($lacks->err, qr/aircraft "glider" is a file, and no such file is here/, '... and is told that it has none');
isnt($unknown->wait, 0, 'an aircraft that the world lacks is refused');
like($unknown->err . $unknown->out, qr/join option aircraft "f15": no such aircraft here; expected f16 or glider/,
    '... with those that there are');
$host->end('TERM');

# In solo the INI's own file serves both sides; its path begins at the INI.
my $mine = read_file("$same/aircraft/glider.ini");
mkdir "$dir/hangar";
write_file("$dir/hangar/mine.ini", $mine);
my $solo = read_file("$src/conf/solo.ini");
$solo =~ s/^input = script.*/input = idle/m;
$solo =~ s/^effects = .*/effects = $src\/conf\/effects.ini/m;
$solo =~ s/^file = traces/file = $src\/conf\/traces/m;
$solo =~ s/^join = .*/join = aircraft=glider/m;
my $net = free_port();
write_file("$dir/solo.ini", "$solo\n[net]\nport = $net\n\n[sim.flight]\naircraft = hangar/mine.ini\n");
my ($status, $out, $err) = run_host('run', "$dir/solo.ini", '--for', 1);
is($status, 0, 'a solo game flies a file beside its INI') or diag($err);
like($err, qr/flies glider in slot 0/, '... and it is that one');

$mine =~ s/^empty_kg = 1060/empty_kg = 1o60/m;
write_file("$dir/hangar/mine.ini", $mine);
($status, $out, $err) = run_host('run', "$dir/solo.ini", '--for', 1);
is($status, 70, 'a bad file stops the start');
like($err, qr{hangar/mine\.ini:\d+:\d+: error: \[mass\] empty_kg: found "1o60", expected a number},
    '... with its line and what is wrong');

($status, $out, $err) = run_host('run', "$src/conf/solo.ini", '--for', 1, '-s', "net.port=$net",
    '-s', 'sim.flight.aircraft=trianer');
is($status, 70, 'an unknown name stops the start');
like($err, qr/found no aircraft "trianer".*did you mean "trainer"/, '... with a suggestion');

($status, $out, $err) = run_host('run', "$src/conf/solo.ini", '--for', 1, '-s', "net.port=$net",
    '-s', 'sim.flight.aircraft=f16, trainer');
is($status, 70, 'two names in one value stop the start');
like($err, qr/found "f16, trainer", expected one name: give each type a line of its own/, '... and say how to give two');

done_testing;
