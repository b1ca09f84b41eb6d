#!/usr/bin/perl
# [metrics] json: what monitoring reads, whole at any moment.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $json = "$dir/metrics.json";
my @distribution = sort qw(n min mean p50 p95 p99 p999 max);

# Each of `@names` in `$object` is a distribution with something in it.
sub are_distributions {
    my ($object, @names) = @_;
    for my $name (@names) {
        is_deeply([sort keys %{$object->{$name} // {}}], \@distribution,
            "... $name is a distribution");
        my $d = $object->{$name};
        ok($d->{n} > 0 && $d->{min} <= $d->{p50} && $d->{p50} <= $d->{p99}
            && $d->{p99} <= $d->{max}, '... in order');
    }
}

# ---- what is in it: exact, on a virtual clock ----

my ($status, $out, $err) = run_host('run', "$src/conf/solo.ini", '--virtual',
    '--for', 3, '-s', 'net.port=' . free_port(), '-s', "metrics.json=$json");
is($status, 0, 'a run of three seconds');
my $told = decode_json(read_file($json));
is($told->{schema}, 1, 'its metrics have a version');
is($told->{tick_hz}, 60, '... the achieved rate');
my ($run, $late, $dropped) =
    $out =~ /^server: (\d+) ticks.*; (\d+) late, (\d+) dropped/m;
is_deeply($told->{ticks}, {total => $run, late => $late, dropped => $dropped},
    '... the ticks that the summary tells of');
are_distributions($told, 'tick_ms');
are_distributions($told->{phase_ms}, qw(step view encode flush));
are_distributions($told->{plugin_us}, 'sim.flight (server)',
    'broadcaster.full (server)', 'predictor.replay (client)');
is($told->{peers}, 0, '... nobody after the end');
for my $channel (qw(control bulk snapshots inputs wire)) {
    is_deeply([sort keys %{$told->{bytes}{$channel} // {}}], ['in', 'out'],
        "... bytes of $channel, each way");
}
cmp_ok($told->{bytes}{snapshots}{out}, '>', 1000, '... as many as were sent');
cmp_ok($told->{haptics}{commands}, '>=', $told->{haptics}{started},
    '... haptics count');
is_deeply([glob "$dir/metrics.json?*"], [], '... and nothing lies beside it');

# ---- whole at any moment ----

unlink $json;
my $host = start_host('run', "$src/conf/server.ini", '-s', 'net.port='
        . free_port(), '-s', 'net.address=127.0.0.1', '-s', "metrics.json=$json");
ok(wait_until(sub { -e $json }), 'a server writes them');
my ($reads, $bad, $rewritten, $before) = (0, 0, 0, '');
wait_until(sub {
    my $text = read_file($json);
    my $read = eval { decode_json($text) };
    $reads++;
    $bad++ if !$read || !exists $read->{bytes};
    $rewritten++ if $text ne $before;
    $before = $text;
    return $rewritten == 3;
});
is($rewritten, 3, '... again and again');
cmp_ok($reads, '>', 20, '... while they are read all the time');
is($bad, 0, '... and are never there in part');

unlink $json;
mkdir $json;
ok($host->says(qr/warning metrics: cannot write \Q$json\E: Is a directory/),
    'what cannot be written is told');
is($host->end('TERM'), 0, '... and ends nothing');
is_deeply([glob "$dir/metrics.json?*"], [], '... nor is anything left over');

done_testing();
