#!/usr/bin/perl
# Recording a world and replaying it, from outside: what is equal, what is named
# when it is not, and what becomes of files that are cut, damaged or no recording.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $solo = "$src/conf/solo.ini";
my $file = "$dir/solo.record";

# A solo game on the virtual clock.
sub record_solo {
    my ($to, $seconds, @more) = @_;
    return run_host('run', $solo, '--virtual', '--for', $seconds, '--record',
        $to, '-s', 'net.port=' . free_port(), @more);
}

sub bytes_of { my ($name) = @_; open my $h, '<:raw', $name or die "$name: $!\n";
    local $/; return scalar <$h> }
sub write_bytes { my ($name, $bytes) = @_; open my $h, '>:raw', $name or die "$name: $!\n";
    print $h $bytes; close $h or die "$name: $!\n"; return $name }

# ---- equal ----

my ($status, $out, $err) = record_solo($file, 5);
is($status, 0, 'a recorded game ends well');
like($out, qr/^record: \d+ ticks in \d+ bytes of \Q$file\E; 0 ticks lost/m,
    '... and its summary tells of the recording');
my ($all) = $out =~ /^record: (\d+) ticks/m;
like($out, qr/^server: $all ticks/m, '... of every tick');
ok(-s $file > 1000, '... which is there');

($status, $out, $err) = run_host('replay', $file);
is($status, 0, 'its replay is equal');
like($out, qr/^equal: $all ticks \([45]\.\d+ s\) in [\d.]+ s, [\d.]+ times as fast; 1 joins, 1 leaves$/m,
    '... says of how many ticks and how fast');
is($err, '', '... without a warning');

($status, $out) = run_host('replay', '--json', $file);
my $json = decode_json($out);
is($status, 0, 'as JSON');
ok($json->{equal} && $json->{ticks} == $all && $json->{schema} == 1 && $json->{end} eq '',
    '... the same is said');

($status, $out) = run_host('replay', '--until', 99, $file);
like($out, qr/^equal: 100 ticks .*; the rest was not asked for$/m, '--until ends early');

# ---- a difference is named ----

($status, $out, $err) = run_host('replay', '-s', 'sim.flight.wind_north_mps=3', $file);
is($status, 1, 'another wind is found');
like($out, qr/^differs: tick 0, entity 0 \(generation 0, client 0\), field position_m\[0\]: recorded [-\d.e]+ m, replayed [-\d.e]+ m$/m,
    '... at the first tick, with entity, field, both values and unit');

($status, $out) = run_host('replay', '--json', '-s', 'sim.flight.ammunition=500', $file);
$json = decode_json($out);
is($status, 1, 'other ammunition is found');
is_deeply([@{$json->{difference}}{qw(what tick slot client)}], ['own_state', 0, 0, 0],
    '... in the own state, as no field shows it');

($status, $out) = run_host('replay', '--from', 10, '-s', 'sim.flight.wind_north_mps=3', $file);
like($out, qr/^differs: tick 10, entity 0 .*field position_m.*\(at tick 60, the next whole view\)/m,
    '--from compares from there on, and the values are of the next whole view');

record_solo("$dir/views", 1, '--record-views');
($status, $out) = run_host('replay', '--from', 10, '-s', 'sim.flight.wind_north_mps=3', "$dir/views");
like($out, qr/^differs: tick 10, entity 0 .*field position_m\[0\]: recorded [-\d.e]+ m, replayed [-\d.e]+ m$/m,
    'with --record-views they are of the very tick');

# ---- --dump ----

($status, $out, $err) = run_host('replay', '--dump', $file);
is($status, 0, '--dump');
like($out, qr/^sim flight \S+ build \S+$/m, '... tells the sim');
like($out, qr/^parameter seed = 1$/m, '... its parameters');
like($out, qr/^join client 0 options "aircraft=f16" result 0$/m, '... joins');
like($out, qr/^  client 0 .*throttle -?\d+/m, '... inputs');
like($out, qr/^leave client 0\n(?:tick .*\n)?end: the host stopped, 0 ticks lost$/m, '... and the end');
$out = `HARDPOINT_PLUGIN_PATH=/nowhere '$build/hardpoint' replay --dump '$file' | wc -l`;
ok($out > $all, '... and needs no plugin');

# ---- files that are not whole ----

my $whole = bytes_of($file);
my @mistakes = (
    [["$dir/none"], 66, qr/none: error: cannot be read: No such file/],
    [[$dir], 66, qr/cannot be read: Is a directory/],
    [[$solo], 66, qr/solo\.ini: error: is no recording, expected a file that/],
    [[write_bytes("$dir/empty", '')], 66, qr/is no recording/],
    [[write_bytes("$dir/head", substr $whole, 0, 100)], 66, qr/has no whole header/],
    [[], 64, qr/found no FILE/],
    [[$file, $file], 64, qr/expected no more/],
    [['--from', '-1', $file], 64, qr/--from: found "-1", expected the number of a tick/],
    [['--nosuch', $file], 64, qr/unknown option --nosuch/],
    [['-s', 'sim.flight.sed=2', $file], 78, qr/did you mean "seed"/],
    [['-s', 'sim.flight.planet=cube', $file], 78, qr/planet: found "cube"/],
    [['-s', 'host.tick_rate_hz=30', $file], 78, qr/host/],
);
for my $m (@mistakes) {
    ($status, $out, $err) = run_host('replay', @{$m->[0]});
    (my $line = "@{$m->[0]}") =~ s/\Q$src\E\/|\Q$dir\E\///g;
    is($status, $m->[1], "replay $line: status");
    like($err, $m->[2], '... and why');
    is($out, '', '... and no answer');
}

# Cut at many places: what is whole is replayed, and what is not is told.
my ($equal, $told, $cuts, $ticks) = (0, 0, 0, -1);
for (my $cut = 3000; $cut < length $whole; $cut += 997) {
    ($status, $out, $err) = run_host('replay', write_bytes("$dir/cut", substr $whole, 0, $cut));
    $cuts++;
    $equal++ if $status == 0 && $out =~ /^equal: (\d+) ticks/m && $1 >= $ticks && ($ticks = $1) < $all;
    $told++ if $err =~ /warning: is torn after tick/;
}
is($equal, $cuts, "$cuts cut files are equal as far as they go");
is($told, $cuts, '... and each is told to be torn');

# One bit flipped, anywhere: never a wrong answer.
my ($found, $flips, %seen) = (0, 0);
for (my $at = 0; $at < length $whole; $at += 1999) {
    my $bad = $whole;
    vec($bad, 8 * $at + $at % 8, 1) ^= 1;
    ($status, $out, $err) = run_host('replay', write_bytes("$dir/flip", $bad));
    $flips++;
    $seen{$status}++;
    $found++ if $status == 66 && $err =~ /error: (is damaged from byte|is no recording|has no whole header)/
        || $status == 0 && $err =~ /warning: is torn/;
}
is($found, $flips, "$flips files with a flipped bit are found out") or diag(explain(\%seen));

# ---- the sim ----

{
    local $ENV{HARDPOINT_PLUGIN_PATH} = "$dir";
    mkdir "$dir/empty_folder";
    my $program = "$dir/hardpoint";
    ($status, $out, $err) = (0, '', '');
    system "cp '$build/hardpoint' '$program'";
    $err = `'$program' replay '$file' 2>&1`;
    is($? >> 8, 78, 'a sim that is not there');
    like($err, qr/solo\.record: error: its sim "flight" \(version \S+\): .*sim_flight\.so/,
        '... is named');
}

# ---- where a recording goes ----

record_solo($file, 1);
is(bytes_of("$file.old"), $whole, 'a recording that is there is kept as .old');
($status, $out, $err) = run_host('replay', $file);
like($out, qr/^equal: (?:59|6[01]) ticks/m, '... and the new one is good');

($status, $out, $err) = record_solo('/dev/full', 1);
is($status, 69, 'a full disk at the start');
like($err, qr/record: \/dev\/full: cannot be written: No space left on device; see \[host\] record/, '... is told');
($status, $out, $err) = record_solo("$dir/no/such", 1);
is($status, 69, 'a folder that is not there');
like($err, qr/record: \S+no\/such: cannot be written: No such file/, '... is told');
($status, $out, $err) = record_solo($dir, 1);
is($status, 69, 'a folder');
like($err, qr/Is a directory/, '... is told');
system "mkfifo '$dir/pipe'";
($status, $out, $err) = record_solo("$dir/pipe", 1);
is($status, 69, 'a pipe that nobody reads');
like($err, qr/nothing reads this pipe; start its reader first/, '... is told');
my $reader = fork // die "fork: $!\n";
if ($reader == 0) {
    exec 'sh', '-c', "cat '$dir/pipe' >'$dir/piped'";
}
wait_until(sub { record_solo("$dir/pipe", 1); -s "$dir/piped" });
waitpid $reader, 0;
($status, $out) = run_host('replay', "$dir/piped");
like($out, qr/^equal: (?:59|6[01]) ticks/m, 'one with a reader gets all of it');

# A file that may not grow: the host goes on, and says that it has no recording.
$err = `ulimit -f 20; exec '$build/hardpoint' run '$solo' --virtual --for 10 --record '$dir/small' -s net.port=${\free_port()} 2>&1`;
is($? >> 8, 1, 'a disk that fills up');
like($err, qr/^server: (?:599|60\d) ticks in/m, '... does not end the game');
like($err, qr/small: cannot be written: File too large; it ends before tick \d+, and the host goes on/,
    '... is told');
($status, $out, $err) = run_host('replay', "$dir/small");
is($status, 0, '... and what was written replays');
like($err, qr/is torn after tick \d+: its host was killed, or its disk was full/, '... with a warning');

my ($role_status, undef, $role_err) = run_host('run', "$src/conf/client.ini", '--for', 1,
    '--record', "$dir/client");
is($role_status, 78, 'a client is not recorded');
like($role_err, qr/role = client, expected a server or solo: a client has no world/, '... and says why');

# ---- a host that is killed ----

my $host = start_host('run', $solo, '--record', "$dir/killed", '-s', 'net.port=' . free_port());
ok(wait_until(sub { -s "$dir/killed" && -s "$dir/killed" > 12000 }), 'a host on the real clock records');
$host->end('KILL');
($status, $out, $err) = run_host('replay', "$dir/killed");
is($status, 0, '... and is killed: what it wrote is equal');
like($err, qr/warning: is torn after tick \d+/, '... and torn');

# HUP leaves a recording alone, and may not move it.
write_file("$dir/hup.ini", read_file($solo) =~ s/^(effects|file) = (?=effects|traces)/$1 = $src\/conf\//mgr);
$host = start_host('run', "$dir/hup.ini", '-s', "host.record=$dir/hup", '-s', 'net.port=' . free_port());
$host->says(qr/joins as client/);
$host->signal('HUP');
ok($host->says(qr/reload: /), 'a reload while it records');
is($host->end('TERM'), 0, '... and an end in order');
($status, $out, $err) = run_host('replay', "$dir/hup");
is($status, 0, '... is equal');

done_testing();
