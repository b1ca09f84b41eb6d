#!/usr/bin/perl
# hardpoint fly from outside: the shipped scenarios fly, and bad ones are told.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC} or die "HP_SRC is not set\n";
my $fly = "$ENV{HP_BUILD}/hardpoint-fly";
my $dir = tempdir(CLEANUP => 1);

sub fly {
    my (@arguments) = @_;
    my $pid = open my $out, '-|';
    if (!$pid) {
        open STDERR, '>&', \*STDOUT or die;
        exec $fly, @arguments or die;
    }
    local $/;
    my $text = <$out>;
    close $out;
    return ($? >> 8, $text // '');
}

sub scenario {
    my ($text) = @_;
    open my $file, '>', "$dir/s.ini" or die;
    print $file $text;
    close $file or die;
    return "$dir/s.ini";
}

my @shipped = glob "$src/conf/scenarios/*.ini";
cmp_ok(scalar @shipped, '>=', 10, 'scenarios are shipped');
for my $path (@shipped) {
    my ($status, $text) = fly($path, '--for', '2');
    is($status, 0, "$path flies") or diag $text;
}

my $f16 = "$src/conf/scenarios/nesc_11.ini";
my ($status, $text) = fly($f16, '--csv', "$dir/out.csv", '--every', '0.5', '--for', '10', '--rate', '120');
is($status, 0, 'a table is written');
open my $file, '<', "$dir/out.csv" or die;
my @lines = <$file>;
is(scalar @lines, 22, 'a row each half second, and a header');
like($lines[0], qr/^t_s,alt_ft,lon_deg,lat_deg,vn_ftps,ve_ftps,vd_ftps,psi_deg,theta_deg,phi_deg,p_i_degps,/, 'the columns of the check-cases');
like($lines[-1], qr/^10,10013\.000\d*,-75\.66/, 'it flew level towards north-east');

($status, $text) = fly("$src/conf/scenarios/nesc_15.ini", '--csv', '-', '--every', '30');
my @round = map { [split /,/] } (split /\n/, $text)[3 .. 7];
is(scalar(grep { abs($_->[3] - 89.9488) > 1e-4 || abs($_->[1] - 9995) > 1 } @round), 0, 'a pole is circled')
    or diag $text;
is(scalar(grep { $_->[2] < 0 } @round), 2, 'across the date line') or diag $text;

my $plain = "[scenario]\nduration = 1 s\n[vehicle]\ntype = sphere\n[start]\naltitude = 1 km\n";
($status, $text) = fly(scenario($plain), '--csv', '-');
is($status, 0, 'a flat scenario in our units flies');
like($text, qr/^t_s,alt_m,.*^1,995\.0972/ms, 'and falls half a g in a second');

my $rough = $plain;
$rough =~ s/\[start\]/[wind]\nturbulence = severe\ngust = 20 m\/s\n[start]/;
($status, my $shaken) = fly(scenario($rough), '--csv', '-');
isnt($shaken, $text, 'rough air moves it');
is((fly(scenario($rough), '--csv', '-'))[1], $shaken, 'the same way each time');
my $other = $rough;
$other =~ s/gust = /seed = 2\ngust = /;
isnt((fly(scenario($other), '--csv', '-'))[1], $shaken, 'another with another seed');

for my $case (
    ['', qr/s\.ini:1:1: error: no vehicle: add \[vehicle\]/, 'no vehicle'],
    ["[vehicel]\n", qr/s\.ini:1:1: error: \[vehicel\]: there is no such section, did you mean \[vehicle\]/, 'an unknown section'],
    ["[start]\naltitud = 3\n", qr/s\.ini:2:1: error: \[start\] has no key "altitud"; did you mean "altitude"/, 'an unknown key'],
    ["[start]\naltitude = 3 miles\n", qr/s\.ini:2:12: error: altitude: found "miles" after the number in "3 miles", expected m, km or ft/, 'an unknown unit'],
    ["[start]\nrates = 1 2 deg/s\n", qr/s\.ini:2:9: error: rates: found "1 2 deg\/s", expected 3 numbers and a unit/, 'too few numbers'],
    ["[start]\naltitude = 90 km\n", qr/altitude: found 90 km, expected -5000 to 86000 m/, 'a number out of range'],
    ["[start]\naltitude = nan\n", qr/altitude: found "nan", expected 1 number/, 'not a number'],
    ["[vehicle]\ntype = f15\n", qr/s\.ini:2:8: error: type: found "f15", expected f16\|sphere/, 'an unknown word'],
    ["[vehicle]\ntype = brick\ntype = f16\n", qr/s\.ini:3:1: error: type: given twice, first in line 2/, 'a doubled key'],
    ["$plain\[controls]\ntrim = level\n", qr/trim: only the f16/, 'a trimmed sphere'],
    ["$plain\[wind\]\nvelocity_ned = 1 2 3 4 m/s\n", qr/found "4" after the numbers/, 'too many numbers'],
) {
    my ($said, $pattern, $name) = @$case;
    ($status, $text) = fly(scenario($said));
    is($status, 78, "$name is refused");
    like($text, $pattern, "$name is told");
}

my $piloted = "[vehicle]\ntype = f16_piloted\n[start]\naltitude = 1500 m\nvelocity_ned = 180 0 0 m/s\n[controls]\nby = trace\ntrace = t.csv\n";
sub trace {
    my ($text) = @_;
    open my $csv, '>', "$dir/t.csv" or die;
    print $csv $text;
    close $csv or die;
    return fly(scenario($piloted), '--for', '3');
}
($status, $text) = trace("time_s,roll,throttle\n0,0,0.3\n# to the right\n1,0.1,0.3\n");
is($status, 0, 'a stick is followed');
like($text, qr/^3,1[45]\d\d\.\d+,/m, 'from the height of the start');
cmp_ok((split /,/, (split /\n/, $text)[1])[9], '>', 40, 'into a bank to the right');
for my $case (
    ["time_s,rol\n", qr/t\.csv:1:8: error: found a column "rol"/],
    ["time_s,roll\n0,2\n", qr/t\.csv:2:3: error: roll: found "2", expected -1 to 1/],
    ["time_s,buttons\n0,gun+hok\n", qr/t\.csv:2:3: error: found a button "hok"/],
    ["time_s,roll\n1,0\n1,0\n", qr/t\.csv:3:1: error: found time 1 after 1/],
    ["time_s,roll\n1\n", qr/t\.csv:2:1: error: found 1 cells, expected 2/],
    ["time_s,roll\n1,0,0\n", qr/t\.csv:2:5: error: found more cells/],
    ["roll\n0\n", qr/t\.csv:2:1: error: found no column time_s/],
    ["", qr/t\.csv:0:1: error: found no column time_s/],
) {
    my ($said, $pattern) = @$case;
    ($status, $text) = trace($said);
    is($status, 1, 'a bad trace is refused');
    like($text, $pattern, 'and told');
}

my $slow = $plain;
$slow =~ s/sphere/f16/;
($status, $text) = fly(scenario("${slow}velocity_ned = 30 0 0 m/s\n[controls]\ntrim = level\n"));
is($status, 1, 'a trim that does not exist is refused');
like($text, qr/no trim at 1000 m and 30\.0 m\/s/, 'and told');
($status, $text) = fly("$dir/none.ini");
is($status, 66, 'a scenario that is not there is no input');
like($text, qr/cannot read the scenario .*none\.ini: No such file/, 'and told');
($status, $text) = fly($f16, '--rate', '60 fps');
is($status, 64, 'a flag with a wrong number is misuse');
like($text, qr/--rate: found "60 fps"/, 'and told');

done_testing();
