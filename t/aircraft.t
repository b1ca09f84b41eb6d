#!/usr/bin/perl
# hardpoint aircraft from outside: shipped aircraft check clean, and each bad
# file of t/data/bad-aircraft is told as the comments at its head expect.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $src = $ENV{HP_SRC} or die "HP_SRC is not set\n";
my $aircraft = "$ENV{HP_BUILD}/hardpoint-aircraft";

sub aircraft {
    my (@arguments) = @_;
    my $pid = open my $out, '-|';
    if (!$pid) {
        open STDERR, '>&', \*STDOUT or die;
        exec $aircraft, @arguments or die;
    }
    local $/;
    my $text = <$out>;
    close $out;
    return ($? >> 8, $text // '');
}

my @shipped = glob "$src/conf/aircraft/*.ini";
cmp_ok(scalar @shipped, '>=', 4, 'aircraft are shipped');
for my $path (@shipped) {
    my ($status, $text) = aircraft('check', $path);
    like($text, qr/^\Q$path\E: 0 errors, 0 warnings$/m, "$path checks clean");
    unlike($text, qr/warning: |error: /, "... without a word");
    is($status, 0, '... and its status says so');
}

my @bad = glob "$src/t/data/bad-aircraft/*.ini";
cmp_ok(scalar @bad, '>=', 60, 'there are bad ones');
for my $path (@bad) {
    my ($level, @wanted) = (5);
    open my $file, '<', $path or die "$path: $!\n";
    while (<$file>) {
        $level = $1 if /^; level: (\d)$/;
        push @wanted, "$path:$1" if /^; expect: (.*)$/;
        last if !/^;/;
    }
    close $file;
    my ($status, $text) = aircraft('check', '--level', $level, $path);
    my @lines = split /\n/, $text;
    my $sum = pop @lines;
    is(scalar @lines, scalar @wanted, "$path: all it should tell and no more")
        or diag $text;
    for my $i (0 .. $#wanted) {
        is(substr($lines[$i] // '', 0, length $wanted[$i]), $wanted[$i], '... as expected');
    }
    my $errors = grep { /: error: / } @wanted;
    my $warnings = @wanted - $errors;
    like($sum, qr/: $errors errors?, $warnings warnings?$/, '... and counted');
    is($status, $errors > 0 ? 1 : 0, '... by its status too');
}

my ($status, $text) = aircraft('check', "$src/conf/aircraft/none.ini");
is($status, 66, 'a missing file is no input');
like($text, qr/none\.ini.*No such file/, '... and told');
($status, $text) = aircraft('check');
is($status, 64, 'no file at all is bad usage');
($status, $text) = aircraft('check', '--level', '9', 'f16');
is($status, 64, 'so is a level that is not there');
like($text, qr/found "9", expected 1 to \d/, '... which is told');
for my $name (qw(f16 trainer)) {
    ($status, $text) = aircraft('report', $name);
    is($status, 0, "$name has a card");
    like($text, qr/$_/, "... with its $_") for qw(ceiling climb Turns roll alpha phugoid spiral);
    ($status, $text) = aircraft('report', '--json', $name);
    my $card = decode_json($text);
    is($card->{name}, $name, '... and one for programs');
    cmp_ok($card->{envelope}[0]{climb_mps}, '>', 2, '... where it climbs');
    cmp_ok(scalar @{$card->{layers}[1]{modes}}, '>=', 8, '... and has modes');
}
my $dir = tempdir(CLEANUP => 1);
($status) = aircraft('report', '--svg', "$dir/f16.svg", 'f16');
is($status, 0, 'a card is drawn');
open my $drawn, '<', "$dir/f16.svg" or die;
my $svg = do { local $/; <$drawn> };
like($svg, qr/^<\?xml.*<svg .*<\/svg>$/s, '... in SVG');
like($svg, qr/>\Q$_\E</, "... with $_")
    for 'speed, m/s', 'height, m', 'turn rate, deg/s', 'stall, 1 g', 'held, full', 'alpha, deg';
unlike($svg, qr/nan|inf\b/, '... all of it numbers');
($status, $text) = aircraft('report', '--svg', "$dir/none/x.svg", 'f16');
is($status, 73, 'a picture that cannot be written is told');

($status, $text) = aircraft('report', 'sphere');
like($text, qr/no level flight/, 'a ball has none');
($status, $text) = aircraft('report', "$src/t/data/bad-aircraft/heading-unknown.ini");
is($status, 1, 'a bad file has no card');

($status, $text) = aircraft('check', 'f16', $bad[0]);
is($status, 1, 'one bad file of two is an error');
like($text, qr/^f16: 0 errors/m, '... and each has its sum');

done_testing();
