#!/usr/bin/perl
# The three missions of conf/missions: each of the sixteen cues has its cause in
# one of them, in the sim's events and the own record, and is felt.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($dir $src free_port read_file run_host);
use JSON::PP;
use Test::More;

my %felt_in = (
    fight => [qw(afterburner engine_failure gear_command gun_burst hit_taken
        hydraulic_failure missile_launch missile_warning)],
    strike => [qw(bomb_release compressor_stall g_loc gpws stall_buffet
        transonic_buffet)],
    recovery => [qw(carrier_trap gear_touchdown)],
);

my %all;
for my $mission (sort keys %felt_in) {
    my $ini = "$src/conf/missions/$mission.ini";
    my ($status, $out, $err) = run_host('check', $ini);
    is($status, 0, "$mission: the file is good") or diag($err);
    ($status, $out, $err) = run_host('run', $ini, '--virtual', '--for',
        $mission eq 'fight' ? 120 : 60, '-s', 'net.port=' . free_port(), '-s',
        'plugins.haptics=trace', '-s', "haptics.trace.file=$dir/felt.jsonl");
    is($status, 0, '... it is flown') or diag($err);
    unlike($err, qr/warning|error/, '... without a complaint');
    my %felt;
    for my $line (split /\n/, read_file("$dir/felt.jsonl")) {
        my $record = decode_json($line);
        next if !$record->{effects} || $record->{level} == 0;
        $felt{$_}++ for split /,/, $record->{effects};
    }
    is_deeply([grep { !$felt{$_} } @{$felt_in{$mission}}], [],
        '... and everything it is for is felt') or diag(join ' ', sort keys %felt);
    $all{$_} = 1 for keys %felt;
}

my ($status, $out) = run_host('haptics', 'check', '--plugin', 'trace', '-s',
    "haptics.effects=$src/conf/effects.ini", '-s', "haptics.trace.file=$dir/x");
my %effects = map { $_ => 1 } read_file("$src/conf/effects.ini") =~ /^\[effect\.(\w+)\]/mg;
is(scalar keys %effects, 16, 'effects.ini has sixteen effects');
is_deeply([grep { !$all{$_} } sort keys %effects], [], '... and each is felt in a mission');
done_testing();
