#!/usr/bin/perl
# One word of [plugins] changes the haptics backend, and nothing else does.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $solo = "$src/conf/solo.ini";
my $felt = "$dir/felt.jsonl";

sub fly {
    my ($backends, @more) = @_;
    unlink $felt;
    return run_host('run', $solo, '--virtual', '--for', 20, '-s',
        'net.port=' . free_port(), '-s', "plugins.haptics=$backends", '-s',
        "haptics.trace.file=$felt", '-s',
        "input.script.file=$src/conf/traces/gun_run.csv", @more);
}

# What each motor was told to do, and why.
sub levels_of {
    my ($effect) = @_;
    return grep { ($_->{effects} // '') =~ /\b$effect\b/ && $_->{level} > 0 }
        map { decode_json($_) } split /\n/, read_file($felt);
}

# ---- nothing else changes ----

my (undef, $with_null) = run_host('show', $solo, '-s', 'plugins.haptics=null');
my (undef, $with_trace) = run_host('show', $solo, '-s', 'plugins.haptics=trace');
isnt($with_null, $with_trace, 'another word is another configuration');
like($with_null, qr/^haptics = null +; -s/m, '... here');
s/^haptics = \K(null|trace) +/X /m for $with_null, $with_trace;
# Sections of plugins that are in use stand before the others.
is_deeply([sort split /\n/, $with_null], [sort split /\n/, $with_trace],
    '... and nowhere else');

# ---- what is felt ----

my ($status, $out_trace, $err) = fly('trace');
is($status, 0, 'a gun run is flown with the trace') or diag($err);
cmp_ok(scalar levels_of('gun_burst'), '>', 10, '... and the gun is felt');
unlike($err, qr/warning|error/, '... without a complaint');
my ($status_null, $out_null) = fly('null');
is($status_null, 0, 'and flown with null');
ok(!-e $felt, '... which writes nothing');
for my $line (qr/^server: .*/m, qr/^client: \d+ ticks.*/m, qr/^client: \d+ snap.*/m,
    qr/^prediction: .*/m) {
    my ($one, $two) = ($out_trace =~ /($line)/, $out_null =~ /($line)/);
    is($one, $two, 'the same flight: ' . ($one // '?'));
}
my ($started) = $out_trace =~ /^haptics: (\d+) effects started/m;
like($out_null, qr/^haptics: $started effects started/m, 'the same effects');

# ---- alternatives, and all of them ----

($status, undef, $err) = fly('nosuch | trace');
is($status, 0, 'an alternative takes the place of one that is not there');
like($err, qr/haptics: nosuch is passed over: .*haptics_nosuch\.so/,
    '... and that is told');
ok(scalar levels_of('gun_burst'), '... and it is felt');
($status, undef, $err) = fly('null | trace');
is($status, 0, 'the first that starts is used');
ok(!-e $felt, '... and the other is not started');

# A trace that cannot start is refused as late as can be.
($status, undef, $err) = fly('trace | null', '-s',
    'haptics.trace.file=/no/such/folder/felt');
is($status, 0, 'an alternative takes the place of one that does not start');
like($err, qr/warning haptics\.trace \(client\): does not start: cannot write \S+: No such file or directory; .*the next of the list is tried/,
    '... and that is told, with the reason');
($status, undef, $err) = fly('nosuch | nosuch2');
is($status, 78, 'without any that can be loaded nothing starts');
like($err, qr/nosuch is passed over.*nosuch2 is passed over.*no alternative/s,
    '... and each refusal is told');

my ($out_both);
($status, $out_both) = fly('null, trace');
is($status, 0, 'both at once');
ok(scalar levels_of('gun_burst'), '... are driven');
like($out_both, qr/^ +haptics\.$_ \(client\) +[\d.]+/m, "... $_ too")
    for 'null', 'trace';
like($out_both, qr/renders to 2 devices$/m, '... as two devices');

done_testing();
