#!/usr/bin/perl
# `hardpoint run` from outside: its exit statuses, its summary, its signals.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use IO::Socket::INET;
use JSON::PP;
use Test::More;

my $solo = "$src/conf/solo.ini";

# ---- exit statuses ----

my ($status, $out, $err) = run_host('run', '--help');
is($status, 0, 'help is no mistake');
like($out, qr/^usage: hardpoint run \[FILE\].*--for SECONDS/s, '... and is given');
is($err, '', '... on standard output alone');

my $port = free_port();
my @mistakes = (
    [['--nosuch'], 64, qr/unknown option --nosuch, expected a known one/],
    [['--for'], 64, qr/found nothing after --for, expected a value/],
    (map { [['--for', $_], 64, qr/--for: found "\Q$_\E", expected seconds/] }
        '0', '-1', 'nan', 'inf', '1e9', '5x', ''),
    [['a.ini', 'b.ini'], 64, qr/found "b\.ini" too, expected no more/],
    [["$dir/none.ini"], 66, qr/none\.ini: error: cannot be read: No such file/],
    [[$dir], 66, qr/cannot be read: Is a directory/],
    [[$solo, '-s', 'host.tick_rate_hz=0'], 78,
        qr/tick_rate_hz=0: error: \[host\] tick_rate_hz: found "0", expected a rate/],
    [[$solo, '-s', 'host.tick_rate_hzz=60'], 78, qr/did you mean "tick_rate_hz"/],
    [[$solo, '-s', 'plugins.sim=nosuch'], 78, qr/sim_nosuch\.so/],
    [[$solo, '-s', 'no_equals_sign'], 78, qr/no_equals_sign/],
    [[$solo, '-s', 'net.address=::1', '-s', "net.port=$port"], 78,
        qr/found "::1", expected an IPv4 address/],
    [[$solo, '-s', "net.port=$port", '-s', 'plugins.haptics=trace', '-s',
        'haptics.trace.file=/no/such/folder'], 70,
        qr/haptics\.trace \(client\): does not start: .*No such file/],
    [[$solo, '-s', "net.port=$port", '-s', "haptics.effects=$dir/none.ini"], 78,
        qr/none\.ini/],
);
for my $m (@mistakes) {
    ($status, $out, $err) = run_host('run', @{$m->[0]});
    (my $line = "@{$m->[0]}") =~ s/\Q$src\E\/|\Q$dir\E\///g;
    is($status, $m->[1], "run $line: status");
    like($err, $m->[2], '... and why');
    is($out, '', '... and no summary');
}

($status, $out, $err) = run_host('run', $solo, '--for', 0.1, '-s',
    "net.port=$port", '-s', 'net.address=0.0.0.0');
is($status, 0, 'solo with an address of every interface');
like($err, qr/listens on 127\.0\.0\.1:/, '... stays on this machine');

# ---- N12: a configuration error starts nothing ----

# The port is held, the files would be written: who had started would show it.
my $held = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
    or die "no UDP port: $!\n";
my $good = join "\n", '[host]', 'role = solo', '[net]', 'port = '
    . $held->sockport, '[plugins]', 'haptics = trace', '[haptics.trace]',
    "file = $dir/felt", '[haptics]', "effects = $src/conf/effects.ini",
    '[metrics]', "json = $dir/metrics", '';
write_file("$dir/n12.ini", $good);
is((run_host('run', "$dir/n12.ini", '--for', 1))[0], 69,
    'with a good file the port is found in use');
unlink "$dir/felt", "$dir/metrics";
my $lines = 1 + ($good =~ tr/\n//);
my @wrong = (
    (map { ["[host]\ntick_rate_hz = $_\n",
        qr/:${\($lines + 1)}:\d+: error: \[host\] tick_rate_hz: .*from 1 to 1000 Hz/] }
        '0', '-1', '1e9', 'NaN', '60abc', '', '2147483648', '0/0', '60/0', '1/2'),
    ["[host]\nsnapshot_every = 0\n", qr/snapshot_every: found "0".*from 1 to 1000/],
    ["[net]\nclients_max = 0\n", qr/clients_max: found "0".*from 1 to 4087/],
    ["[host]\nentities_max = 99999999999999999999\n", qr/entities_max: .*from 1 to/],
    ["[net]\nport = 0\n", qr/port: /],
    ["[log]\nlevel = info\nlevel = debug\n", qr/level: .*twice|doubled|again/],
    ["[log]\nlevel = " . 'x' x (1 << 20) . "\n", qr/:${\($lines + 1)}:200: error: found a line of/],
    ["[input.idle]\nthrottle = nan\n", qr/throttle: found "nan"/],
);
for my $case (@wrong) {
    my ($text, $told) = @$case;
    write_file("$dir/n12.ini", $good . $text);
    ($status, $out, $err) = run_host('run', "$dir/n12.ini", '--for', 1);
    my $name = substr $text =~ s/\n/ /gr, 0, 40;
    is($status, 78, "$name: refused as configuration, before the port");
    like($err, $told, '... with the place and what is expected');
}
ok(!-e "$dir/felt" && !-e "$dir/metrics", '... and no file was written');
(my $zero = $good) =~ s/^port = \K.*/70000/m;
write_file("$dir/n12.ini", $zero);
($status, $out, $err) = run_host('run', "$dir/n12.ini");
is($status, 78, 'a port beyond the last');
like($err, qr/n12\.ini:4:\d+: error: \[net\] port: found "70000".*from 1 to 65535/,
    '... is refused');

close $held;

# ---- the summary ----

# Ticks run + dropped = elapsed x rate, within one, by what a side's line says.
sub summary_is_consistent {
    my ($text, $side, $rate, $name) = @_;
    my ($run, $elapsed, $asked, $dropped) = $text =~
        /^$side: (\d+) ticks in ([\d.]+) s = [\d.]+ Hz of ([\d.]+) asked; \d+ late, (\d+) dropped/m
        or return fail("$name: the $side is in the summary");
    my $periods = $elapsed * $rate;
    ok(abs($asked - $rate) < 0.001, "$name: the $side was asked for the rate");
    # Elapsed is from the first deadline to the end of the last tick.
    ok(abs($run + $dropped - 1 - $periods) <= 1.001 + 0.001 * $rate,
        "$name: ... and ran or dropped every tick of it")
        or diag("$run + $dropped of $periods");
}

my %rates = (20 => 20, 60 => 60, 128 => 128, 1000 => 1000,
    '60000/1001' => 60000 / 1001);
my %real;
for my $rate (sort keys %rates) {
    $real{$rate} = start_host('run', $solo, '--for', 1, '-s',
        "host.tick_rate_hz=$rate", '-s', 'net.port=' . free_port());
}
for my $rate (sort keys %rates) {
    ($status, $out) = run_host('run', $solo, '--for', 1, '--virtual', '-s',
        "host.tick_rate_hz=$rate", '-s', 'net.port=' . free_port());
    is($status, 0, "$rate Hz on a virtual clock");
    summary_is_consistent($out, $_, $rates{$rate}, "$rate Hz virtual")
        for 'server', 'client';
    like($out, qr/; 0 late, 0 dropped/, '... with nothing dropped');
    unlike($out, qr/floor/, '... and no floor: no machine was measured');
}
for my $rate (sort keys %rates) {
    is($real{$rate}->wait, 0, "$rate Hz on the real clock");
    summary_is_consistent($real{$rate}->out, $_, $rates{$rate}, "$rate Hz real")
        for 'server', 'client';
    like($real{$rate}->out, qr/^ +$_ +\d/m, "... with: $_")
        for 'floor: a bare timer is late by', 'sim\.flight \(server\)',
        'input sampled to snapshot decoded';
}
($status, $out) = run_host('run', $solo, '--for', 1, '--virtual', '--quiet',
    '-s', 'net.port=' . free_port());
is($status, 0, 'a quiet run');
is($out, '', '... says nothing at its end');

# ---- the log as JSON ----

($status, $out, $err) = run_host('run', $solo, '--for', 1, '--virtual',
    '-s', 'log.format=json', '-s', 'log.level=debug', '-s',
    'client.name=a "quoted\\" name', '-s', 'net.port=' . free_port());
is($status, 0, 'a run that logs JSON');
like($out, qr/^server: \d+ ticks/, '... sums up in words');
my @told = map { eval { decode_json($_) } // {bad => $_} } split /\n/, $err;
is_deeply([grep { $_->{bad} } @told], [], '... and each line is an object');
is_deeply([grep { ($_->{t_s} // '') !~ /^\d+(\.\d+)?(e-\d+)?$/
    || ($_->{level} // '') !~ /^(error|warning|info|debug)$/ } @told], [],
    '... with its time and level');
ok((grep { ($_->{text} // '') =~ /"a "quoted\\" name" .*joins as client 0/ } @told),
    '... and its text, quotes and all') or diag($err);

# "none" leaves out what can be left out; a predictor cannot.
($status, $out) = run_host('run', $solo, '--for', 1, '--virtual', '-s',
    'net.port=' . free_port(), '-s', 'plugins.predictor=none', '-s',
    'plugins.cues=none', '-s', 'plugins.haptics=none');
is($status, 0, 'a client that predicts nothing');
like($out, qr/^ +predictor\.none \(client\) +\d/m, '... has the plugin "none"');
unlike($out, qr/cues\./, '... and no cues');
like($out, qr/^client: 60 snapshots, 0 missing/m, '... and sees it all');

# ---- signals ----

my $log = qr/joins as client 0/;
for my $signal ('TERM', 'INT') {
    my $host = start_host('run', $solo, '-s', 'net.port=' . free_port());
    ok($host->says($log), "a host to send $signal");
    is($host->end($signal), 0, '... drains');
    like($host->out, qr/^server: \d+ ticks/, '... and sums up');
    like($host->err, qr/"pilot" \(client 0\) has left/, '... the client left');
}
my $sea = start_host('run', "$src/conf/client.ini", '-s',
    'net.port=' . free_port());
# Its handlers stand once it has a socket.
ok(wait_until(sub { grep { /^socket:/ } map { readlink($_) // '' }
    glob "/proc/$sea->{pid}/fd/*" }), 'a client that finds nobody');
is($sea->end("TERM"), 0, '... is told to stop waiting, and does');

my $slow = start_host('run', $solo, '-s', 'net.port=' . free_port());
ok($slow->says($log), 'a host that cannot drain');
$slow->signal('STOP');
$slow->signal('TERM');
select undef, undef, undef, 0.05;
$slow->signal('CONT');
ok(wait_until(sub { $slow->signal('TERM'); $slow->has_ended }),
    '... hurries when told again');
# 66 is ThreadSanitizer's word for the threads that a hurried end leaves.
like($slow->wait, qr/^(0|143|66)$/, '... with the status of a drain or of TERM');

done_testing();
