#!/usr/bin/perl
# What a fight makes a pilot feel, from the button to the motor: the mission among
# ten of the sim's pilots.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $felt = "$dir/felt.jsonl";
my ($status, $out) = run_host('run', "$src/conf/missions/fight.ini", '--virtual',
    '--for', 120, '-s', 'net.port=' . free_port(), '-s', 'plugins.haptics=trace',
    '-s', "haptics.trace.file=$felt");
is($status, 0, 'a fight');

my %first;
for (map { decode_json($_) } split /\n/, read_file($felt)) {
    for my $effect (split /[ ,]+/, $_->{effects} // '') {
        $first{$effect} //= $_->{t_ns} / 1e9 if $_->{level} > 0;
    }
}
ok(defined $first{$_}, "$_ is felt")
    for qw(gun_burst missile_launch bomb_release afterburner gear_command
    stall_buffet missile_warning hit_taken engine_failure hydraulic_failure);
ok($first{missile_launch} < $first{bomb_release},
    'the missile leaves first, then the selected bomb');
cmp_ok($first{missile_warning}, '<', $first{engine_failure},
    'the warning comes before what it warns of');
cmp_ok($first{hit_taken}, '<=', $first{engine_failure}, 'a hit takes the engine');

# Damage, load and what was let go are in the own state: a client flies as its
# server does, and a hit is the only surprise.
my ($compared, $wrong, $metres) =
    $out =~ /^prediction: (\d+) compared, (\d+) wrong, largest correction ([\d.]+) m/m;
cmp_ok($compared, '>', 7000, 'each tick is predicted');
cmp_ok($wrong, '<', 100, '... and few are corrected');
cmp_ok($metres, '<', 0.01, '... by nothing that shows');
done_testing();
