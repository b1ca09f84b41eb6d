#!/usr/bin/perl
# A dogfight of 32 aircraft is recorded and replayed: equal; and a constant that
# was changed on purpose is found and named. `t/dogfight.t 120` flies two minutes.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use JSON::PP;
use Test::More;

my $seconds = @ARGV ? $ARGV[0] : 12;
my $file = "$dir/dogfight.record";
my $flown = `'$build/t/dogfight' '$file' 32 $seconds`;
is($?, 0, 'a dogfight is recorded');
my ($ticks, $bytes, $hits) = $flown =~ /^(\d+) ticks (\d+) bytes (\d+) hits/ or diag($flown);
diag(sprintf '%d ticks, %d hits, %.2f MB a minute', $ticks, $hits, $bytes * 60 / $seconds / 1e6);
is($ticks, 60 * $seconds, '... of every tick');
ok($bytes * 60 / $seconds < 3e6, '... in less than 3 MB a minute');

sub replay_json {
    my ($status, $out, $err) = run_host('replay', '--json', @_, $file);
    diag($err) if $status > 1;
    return ($status, $status > 1 ? {} : decode_json($out), $err);
}

my ($status, $json, $err) = replay_json();
is($status, 0, 'its replay is equal');
is($json->{ticks}, $ticks, '... in every tick');
diag(sprintf 'replayed %.0f times as fast', $json->{flown_s} / $json->{took_s});

# ---- parameters ----

($status, $json) = replay_json('-s', 'sim.flight.wind_east_mps=0.001');
my $d = $json->{difference};
is($status, 1, 'a breath of wind');
is_deeply([@$d{qw(what tick slot field unit)}], ['field', 0, 0, 'position_m', 'm'],
    '... moves the first aircraft in the first tick');
isnt($d->{recorded}, $d->{replayed}, '... and both places are told');

($status, $json) = replay_json('-s', 'sim.flight.ammunition=100');
$d = $json->{difference};
is($status, 1, 'fewer rounds');
is_deeply([@$d{qw(what tick slot client value_tick)}], ['own_state', 0, 0, 0, 0],
    '... are in the own state of the first client');

# ---- a sim that was built with another constant ----

# Builds the one file again in which the constant is defined, and links it with
# the other objects of the sim.
my $number = 0;
sub replay_changed {
    my ($name, $value) = @_;
    my $folder = "$dir/changed" . $number++;
    mkdir $folder;
    my ($source) = grep { read_file($_) =~ /^#define $name\s/m } glob "$src/plugins/sim/*.c";
    defined $source or return fail("no file of the sim defines $name");
    my ($module) = $source =~ /(\w+)\.c$/;
    write_file("$folder/$module.c", read_file($source) =~ s/^#define $name\s+\K[\d.]+/$value/mr);
    my $flags = '-std=gnu11 -O1 -fPIC -fvisibility=hidden -ffp-contract=off -fno-tree-slp-vectorize '
        . "-fno-math-errno -I'$src/abi' -I'$src/plugins' -I'$src/plugins/sim'";
    my $objects = join ' ', grep { !/-$module\.o$/ }
        glob "$build/plugins/sim/.libs/flight_la-*.o";
    system("cd '$folder' && \${CC:-gcc} $flags -c $module.c -o changed.o && \${CC:-gcc} -shared "
        . "-Wl,--version-script='$src/abi/plugin.map' -o sim_flight.so changed.o $objects "
        . "'$build/.libs/libmotion.a' '$build/.libs/libini.a' -linih -lm") == 0
        or return fail("$name in $module.c: does not build");
    return replay_json('--plugin-path', $folder);
}

# A hit shows in the record; a missile that turns otherwise not before it hits.
($status, $json, $err) = replay_changed('HYDRAULIC_SHARE', '2.2');
$d = $json->{difference};
is($status, 1, 'hits that take more of the hydraulics');
is_deeply([@$d{qw(what field unit)}], ['field', 'hydraulics', '1'], '... are found in that field');
is($d->{tick}, $d->{hash_tick}, '... when the first one hits');
cmp_ok($d->{recorded}, '>', $d->{replayed}, '... where there is less of it');
like($err, qr/warning: sim flight was build \w+, is build \w+ \(\S+changed0\/sim_flight\.so\)/,
    '... and the other build is told');

($status, $json) = replay_changed('FIN_PRESSURE_PA', '50000.0');
$d = $json->{difference};
is($status, 1, 'missiles that turn less');
cmp_ok($d->{hash_tick}, '<', $d->{tick}, '... are known by the hash first');
isnt($d->{what}, 'hash', '... and later by whom they hit');

done_testing();
