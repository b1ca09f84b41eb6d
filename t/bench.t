#!/usr/bin/perl
# `hardpoint bench` from outside. How long anything takes is the machine's
# affair: what is held here are shapes, counts, and the order of two figures
# that were taken side by side.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $samples = 60;
my @short = ('--samples', $samples, '--warm-up', 30, '--rate', 128);
my @server_stages = qw(tick_late_us tick_busy_us sim_tick_delay_ms round_dt_us);
my @client_stages = qw(enet_rtt_ms ping_event_us ping_tick_us
    input_to_snapshot_us event_to_haptic_us command_to_haptic_us);
my @setup = qw(tick_rate_hz service phase enet_version kernel cpu cores governor
    timer_slack_ns scheduler foreign_cores runs);
my @distribution = qw(n min mean p50 p95 p99 p999 max);

# A build folder outside the tree does not find the demo's effects by itself.
my @felt = ('-s', "haptics.effects=$src/conf/effects.ini");

sub bench {
    return run_host('bench', @short, @felt, '-s', 'net.port=' . free_port(), @_);
}

sub report {
    return decode_json(read_file("$dir/$_[0].json") || '{}');
}

sub is_keys {
    my ($object, $keys, $name) = @_;
    return is_deeply([sort keys %{$object // {}}], [sort @$keys], $name);
}

# ---- mistakes cost no run ----

my @mistakes = (
    [['--nosuch'], qr/unknown option --nosuch, expected a known one/],
    [['--sample', '--rates'], qr/--samples: found "--rates"/],
    [['--sampels', 5], qr/--sampels.*did you mean --samples\?/],
    [['--samples'], qr/found nothing after --samples, expected a value/],
    (map { [['--samples', $_], qr/--samples: found "\Q$_\E", expected a number from 10/] }
        '9', '-1', '60x', '', '1e3'),
    [['--warm-up', '-1'], qr/--warm-up: found "-1"/],
    [['--runs', 0], qr/--runs: found "0", expected a number from 1 to 25/],
    [['--service', 'both'], qr/--service: found "both", expected tick or event/],
    [['--phase', 'on'], qr/--phase: found "on", expected lock or off/],
    [['--rate', '1' x 200], qr/--rate: found "1+", expected something shorter/],
    [[map { ('--phase', 'off') } 1 .. 70], qr/--phase: .*expected fewer settings/],
    [['nohost'], qr/target: found "nohost", expected HOST:PORT/],
    [[':4776'], qr/target: found ":4776", expected HOST:PORT/],
    [['127.0.0.1:1', 'more'], qr/found "more" too, expected no more/],
);
for my $m (@mistakes) {
    my ($status, $out, $err) = run_host('bench', @{$m->[0]});
    my $line = substr "@{$m->[0]}", 0, 40;
    is($status, 64, "bench $line: status");
    like($err, $m->[1], '... and why');
    is($out, '', '... and no report');
}
my ($status, $out, $err) = run_host('bench', '--help');
is($status, 0, 'help is no mistake');
like($out, qr/^usage: hardpoint bench .*--samples N/s, '... and is given');

for my $place ("$dir/none/x.json", $dir) {
    ($status, $out, $err) = run_host('bench', '--json', $place);
    is($status, 69, 'a report that cannot be written ends it');
    like($err, qr/--json: cannot write \Q$place\E: .*; name a file/, '... says why');
    is($out, '', '... before anything is measured');
}
($status, $out, $err) = run_host('bench', '--rate', 0);
is($status, 78, 'a rate of 0 is a mistake in the configuration');
($status, $out, $err) = run_host('bench', '127.0.0.1:' . free_port(), '-s',
    'plugins.sim=nosuch');
isnt($status, 0, 'bench of nobody fails');

# ---- one binary, two ways to serve a socket, A B A B ----

my %told;
for my $run (1, 2) {
    for my $way (['tick', 'off'], ['event', 'lock']) {
        my ($service, $phase) = @$way;
        my $name = "$service-$phase-$run";
        ($status, $out, $err) = bench('--service', $service, '--phase', $phase,
            '--json', "$dir/$name.json");
        is($status, 0, "$name: a run") or diag($err);
        $told{$name} = report($name);
        like($out, qr/^machine: (quiet|NOT quiet|how busy)/m,
            '... says whether the machine was quiet');
    }
}

sub least {
    my ($way, $stage) = @_;
    my ($first, $second) =
        sort { $a <=> $b } map { $told{"$way-$_"}{stages}{$stage}{p50} } 1, 2;
    return $first;
}

for my $name (sort keys %told) {
    my $r = $told{$name};
    is_keys($r, [qw(schema date setup floor stages rtt_placeholders inputs_missed
        predictions_wrong verdict)], "$name: what a report has");
    is($r->{schema}, 1, '... its version');
    like($r->{date}, qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, '... its date');
    is_keys($r->{setup}, \@setup, '... what made the figures');
    is_keys($r->{floor}, [qw(timer_late_us udp_echo_us)], "... the machine's floor");
    is_keys($r->{stages}, [@server_stages, @client_stages], '... every stage');
    is("$r->{setup}{service}-$r->{setup}{phase}", $name =~ s/-\d$//r, '... how');
    cmp_ok($r->{setup}{tick_rate_hz}, '==', 128, '... at what rate');
    like($r->{verdict}, $name =~ /^tick/ ? qr/^tick-paced at another rate/
        : qr/^event-driven/, '... a verdict of its kind');
    for my $group (qw(floor stages)) {
        for my $stage (sort keys %{$r->{$group}}) {
            my $d = $r->{$group}{$stage};
            is_keys($d, \@distribution, "... $stage is a distribution");
            ok($d->{n} > 0 && $d->{min} <= $d->{p50} && $d->{p50} <= $d->{p95}
                && $d->{p95} <= $d->{p99} && $d->{p99} <= $d->{max},
                '... in order');
        }
    }
    # One for each tick of the time that was measured, dropped ones included;
    # a busy machine ends it late.
    for my $stage (qw(tick_late_us)) {
        my $n = $r->{stages}{$stage}{n};
        ok($n >= $samples - 5 && $n <= 2 * $samples, "... $n x $stage");
    }
    # ENet's estimate: from its first acknowledgement on, warm-up included.
    cmp_ok($r->{stages}{enet_rtt_ms}{n}, '>', $samples, '... and of the start');
    cmp_ok($r->{floor}{timer_late_us}{n}, '==', $samples, '... a floor of as many');
}

cmp_ok(least('tick-off', 'input_to_snapshot_us'), '>=',
    5 * least('event-lock', 'input_to_snapshot_us'),
    'a socket served once a tick costs five times as much at least');
cmp_ok(least('event-lock', 'ping_tick_us'), '>',
    least('event-lock', 'ping_event_us'),
    'what waits for the tick waits longer than what does not');
cmp_ok(least('tick-off', 'command_to_haptic_us'), '<',
    least('tick-off', 'input_to_snapshot_us'),
    'a command is felt before the server has answered');

# ---- compare takes what bench gives ----

($status, $out, $err) = run_host('compare', "$dir/tick-off-1.json",
    "$dir/event-lock-1.json");
is($status, 0, 'compare');
like($out, qr/^\| service \| tick \| event \| \|$/m, '... says how they differ');
like($out, qr/^\| input_to_snapshot_us p50 \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/m,
    '... and by how much');
unlike($out, qr/warning/, '... runs of one machine give no warning');

# ---- several runs give the middle one ----

($status, $out, $err) = bench('--rate', 500, '--runs', 3, '--json', "$dir/three.json");
is($status, 0, 'three runs');
my @runs = sort { $a <=> $b } $out =~ /^run \d: input to snapshot p50 (\d+) us$/mg;
is(scalar @runs, 3, '... each told of');
is(sprintf('%.0f', report('three')->{stages}{input_to_snapshot_us}{p50}), $runs[1],
    '... the report is of the middle one');
is(report('three')->{setup}{runs}, 3, '... and says of how many');

# ---- a client of a server that is another process ----

my $port = free_port();
my $server = start_host('run', "$src/conf/server.ini", '-s', "net.port=$port",
    '-s', 'net.address=127.0.0.1', '-s', 'net.service=tick',
    '-s', 'host.tick_rate_hz=100');
wait_until(sub {
    $server->has_ended
        || read_file('/proc/net/udp') =~ sprintf ':%04X ', $port;
});
($status, $out, $err) = run_host('bench', @short, @felt, "127.0.0.1:$port", '--json',
    "$dir/client.json");
is($status, 0, 'a bench of another process') or diag($err, $server->err);
my $client = report('client');
is_keys($client->{stages}, \@client_stages, '... has what a client can see');
is($client->{setup}{service}, 'tick', '... served as that server does');
cmp_ok($client->{setup}{tick_rate_hz}, '==', 100, '... at its rate');
like($out, qr/^tick_busy_us +not measured$/m, "... and not its server's stages");
is($server->end('TERM'), 0, '... which then ends well');

# ---- baselines ----

sub with_path {
    local $ENV{PATH} = shift;
    my (undef, $text) = run_host('bench', '--samples', 10, '--warm-up', 0,
        '--rate', 500, '-s', 'net.port=' . free_port(), '--baselines');
    return $text;
}

mkdir "$dir/empty";
$out = with_path("$dir/empty");
for (['ping', 'iputils-ping'], ['sockperf', 'sockperf']) {
    like($out, qr/^baseline: $_->[0] is not installed \(Debian package $_->[1]\): left out$/m,
        "$_->[0] is not there: left out");
}

mkdir "$dir/tools";
write_file("$dir/tools/ping", "#!/bin/sh\nfor i in 1 2 3; do\n"
    . "echo \"64 bytes from 127.0.0.1: icmp_seq=\$i ttl=64 time=0.040 ms\"\ndone\n");
write_file("$dir/tools/sockperf", <<'END');
#!/bin/sh
[ "$1" = server ] && exec sleep 5
echo 'sockperf: Summary: Round trip is 16.5 usec'
echo 'sockperf: ---> <MAX> observation =  843.8'
echo 'sockperf: ---> percentile 99.000 =   24.7'
echo 'sockperf: ---> percentile 50.000 =   16.2'
END
chmod 0755, "$dir/tools/ping", "$dir/tools/sockperf";
$out = with_path("$dir/tools:$ENV{PATH}");
like($out, qr/^baseline: ping, .*: mean 40\.\d, p50 (39|40)\.\d, p99 (39|40)\.\d/m,
    'each time of ping counts');
like($out, qr/^baseline: sockperf, .*: mean 16\.5, p50 16\.2, p99 24\.7, max 843\.8 us$/m,
    'sockperf sums up itself');
write_file("$dir/tools/ping", "#!/bin/sh\necho 'ping: not permitted' >&2\n");
$out = with_path("$dir/tools:$ENV{PATH}");
like($out, qr/^baseline: ping: gave no figures; it said: ping: not permitted$/m,
    'a tool that fails is quoted');

done_testing();
