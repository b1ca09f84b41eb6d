#!/usr/bin/perl
# The swarm against a running server, on the real clock: a few clients for a
# second or two each.
use strict;
use warnings;
use FindBin qw($Bin);
use lib "$Bin/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $metrics = "$dir/metrics.json";

# A server of so many places, once it writes its metrics; and its port.
sub start_server {
    my ($places) = @_;
    my $port = free_port();
    unlink $metrics;
    my $server = start_host('run', '--quiet', '--for', 60,
        '-s', 'host.role=server', '-s', "net.port=$port",
        '-s', "net.clients_max=$places", '-s', "metrics.json=$metrics");
    wait_until(sub { -e $metrics }) or die "no metrics\n";
    return ($server, $port);
}

# Exit status, standard output, standard error.
sub swarm {
    my ($port, @flags) = @_;
    return run_host('swarm', "127.0.0.1:$port", map { split } @flags);
}

my ($server, $port) = start_server(8);
my ($status, $out, $err) = swarm($port, qw(--clients 8 --duration 2 --ramp 0.3),
    '--json', "$dir/swarm.json", '--server-metrics', $metrics,
    qw(--rate 60 --assert-no-refused --assert-min-tick-hz 5),
    qw(--assert-max-tick-ms 1000 --assert-max-payload-bytes-per-s 1e6));
is($status, 0, 'eight clients fly and every assertion holds') or diag $out, $err;
is($err, '', 'nothing is said on standard error of a pipe');
like($out, qr/8 clients asked for: 8 connected, 0 refused, 0 unanswered; 0 dropped/, 'the table counts them');
my $r = decode_json(read_file("$dir/swarm.json"));
is_deeply($r->{clients}, { asked => 8, connected => 8, refused => 0, unanswered => 0, dropped => 0 },
    'so does the report');
for my $name (qw(observed_tick_hz downstream_payload_bytes_per_s downstream_wire_bytes_per_s
        upstream_payload_bytes_per_s)) {
    my $s = $r->{$name};
    ok($s->{min} > 0 && $s->{min} <= $s->{mean} && $s->{mean} <= $s->{max}, "$name is a spread");
}
cmp_ok($r->{downstream_wire_bytes_per_s}{mean}, '>', $r->{downstream_payload_bytes_per_s}{mean},
    'the wire carries more than the payload');
cmp_ok(abs($r->{observed_tick_hz}{mean} - 60), '<', 10, 'the tick rate is about that of the server');
is($r->{join_ms}{n}, 8, 'eight joins were timed');
cmp_ok($r->{rtt_us}{n}, '>', 0, 'round trips were timed');
cmp_ok($r->{predictions_checked}, '>', 0, 'predictions were checked');
cmp_ok($r->{corrections}, '<=', $r->{predictions_checked} / 20, 'and few had to be corrected');
ok(exists $r->{snapshot_gaps}{max}, 'gaps are counted');
cmp_ok($r->{harness}{loop_ms}{n}, '>', 0, 'the swarm times itself');
cmp_ok($r->{harness}{cpu_cores}, '>', 0, 'and counts its own CPU time');
is($r->{setup}{tick_rate_hz}, 60, 'the rate is the word of the server');
cmp_ok($r->{server}{tick_ms}{n}, '>', 0, 'the metrics of the server are embedded');

($status, $out, $err) = swarm($port, qw(--clients 4 --duration 0.5 --ramp 0 --light --pattern idle),
    '--json', "$dir/light.json", '--server-metrics', $metrics,
    qw(--rate 50 --assert-min-tick-hz 1000 --assert-max-payload-bytes-per-s 1 --assert-max-tick-ms 0.000001));
is($status, 1, 'assertions that do not hold end with status 1');
like($err, qr/a client saw [\d.]+ ticks a second, at least 1000.00/, 'the tick rate is told');
like($err, qr/a client was sent \d+ bytes a second, at most 1 /, 'the bytes are told');
like($err, qr/the server's tick took [\d.]+ ms \(p99\)/, 'the tick time is told');
like($err, qr/the server ticks at 60.000 Hz, --rate says 50/, 'the rate is told');
$r = decode_json(read_file("$dir/light.json"));
is($r->{clients}{connected}, 4, 'light clients fly');
cmp_ok($r->{snapshots}, '>', 4 * 10, 'and are told of the world');
is($r->{predictions_checked}, 0, 'but predict nothing');
is($r->{clients}{dropped}, 0, 'and none is dropped');
is($server->end('TERM'), 0, 'the server ends in order');

($server, $port) = start_server(3);
($status, $out, $err) = swarm($port, qw(--clients 2 --duration 1 --ramp 0), "--link delay=20,loss=5,seed=3",
    '--json', "$dir/link.json");
is($status, 0, 'a bad link is flown over');
$r = decode_json(read_file("$dir/link.json"));
is($r->{setup}{link}, 'delay=20,loss=5,seed=3', '... and stands in the report');
cmp_ok($r->{rtt_us}{min}, '>', 40000, '... there and back');

($status, $out, $err) = swarm($port, qw(--clients 5 --duration 0.3 --ramp 0 --light --assert-no-refused),
    '--json', "$dir/full.json");
is($status, 1, 'a swarm too large for the server fails the assertion');
like($err, qr/of 5 clients 2 were refused, 0 unanswered and 0 dropped: the server is full: 3 of 3/,
    'which says how many and why');
$r = decode_json(read_file("$dir/full.json"));
is_deeply($r->{clients}, { asked => 5, connected => 3, refused => 2, unanswered => 0, dropped => 0 },
    'refused clients are counted');
is($server->end('TERM'), 0, 'this server too');

($status, $out, $err) = run_host(qw(bench-enet --clients 5 --duration 0.5 --snapshot-bytes 900 --json), "$dir/bare.json");
is($status, 0, 'bare ENet can be measured') or diag $err;
$r = decode_json(read_file("$dir/bare.json"));
is($r->{clients}, 5, '... with so many clients');
is($r->{snapshots_out}, 5 * $r->{ticks}, '... each of whom is told of each tick');
cmp_ok($r->{snapshots_in}, '>', $r->{snapshots_out} / 2, '... and hears it');
cmp_ok($r->{inputs_in}, '>', 0, '... and answers');
is($r->{tick_ms}{n}, $r->{ticks}, '... every tick is timed');
is((run_host(qw(bench-enet --snapshot-bytes 1151)))[0], 64, 'a snapshot is one datagram');
is((run_host(qw(bench-enet --help)))[0], 0, 'and it explains itself');

for my $case (
    ['--clients 0',          qr/--clients: found "0", expected a number from 1 to/],
    ['--duration soon',      qr/--duration: found "soon"/],
    ['--rate 2000',          qr/--rate: found "2000", expected a rate/],
    ['--assert-max-tick-ms 5', qr/--assert-max-tick-ms: found "no --server-metrics"/],
    ['--pattern',            qr/found nothing after --pattern/],
    ['--link delay=x',       qr/--link: found "delay=x", expected/],
    ['--patern weave',       qr/did you mean --pattern\?/],
) {
    my ($flags, $says) = @$case;
    ($status, $out, $err) = swarm(1, $flags);
    is($status, 64, "$flags is a usage error");
    like($err, $says, '... and is told');
}
($status, $out, $err) = swarm(1, '--pattern loop');
is($status, 78, 'an unknown pattern is an error of configuration');
($status, $out, $err) = swarm($port, '--help');
is($status, 0, '--help is an answer');
like($out, qr/--assert-no-refused/, '... with every flag');
done_testing();
