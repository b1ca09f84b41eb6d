#!/usr/bin/perl
# The plugins of doc/plugin.md, cut out of that page and built as it says, in a
# folder of their own, against an installed copy: in C and in C++.
use strict;
use warnings;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);
my $prefix = "$dir/installed";
my $hardpoint = "$prefix/bin/hardpoint";

# The outer make's job server and flags are not for those that run here.
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
$ENV{PKG_CONFIG_PATH} = "$prefix/lib/pkgconfig";
delete $ENV{HARDPOINT_PLUGIN_PATH};

sub run {
    my ($what, $command) = @_;
    my $said = `cd $dir/mine && $command 2>&1`;
    is($?, 0, $what) or diag($said);
    return $said;
}

sub slurp {
    my ($path) = @_;
    open my $h, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$h>;
}

sub spew {
    my ($path, $text) = @_;
    open my $h, '>', $path or die "$path: $!\n";
    print $h $text;
    close $h or die "$path: $!\n";
}

# A port that the kernel just had free.
sub free_port {
    my $socket = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
        or die "no UDP socket: $!\n";
    return $socket->sockport;
}

mkdir "$dir/mine" or die "mine: $!\n";
# The .pc file holds the configured prefix; ours must point at the copy.
run('hardpoint is installed', "make -s -C $build install prefix=$prefix "
        . "exec_prefix=$prefix libdir=$prefix/lib sysconfdir=$prefix/etc");
my $pc = "$prefix/lib/pkgconfig/hardpoint-plugin.pc";
{
    my $text = slurp($pc);
    $text =~ s/^(prefix|exec_prefix)=.*/$1=$prefix/mg;
    $text =~ s/^libdir=.*/libdir=$prefix\/lib/m;
    spew($pc, $text);
}

# ```LANGUAGE file=NAME ... ```
my %files;
{
    my $text = slurp("$src/doc/plugin.md");
    $files{$1} = $2 while $text =~ /^```\w+ file=(\S+)\n(.*?)^```$/msg;
}
is_deeply([sort keys %files],
    [qw(Makefile haptics_lamp.c haptics_meter.cc)],
    'doc/plugin.md holds the files of both plugins');
spew("$dir/mine/$_", $files{$_}) for keys %files;

run('both are built as the page says, without a warning',
    "make -s CFLAGS='-O1 -g -Wall -Wextra -Werror' "
        . "CXXFLAGS='-O1 -g -Wall -Wextra -Werror'");
for my $name (qw(lamp meter)) {
    my $said = run("$name is inspected",
        "$hardpoint plugins inspect haptics_$name.so");
    like($said, qr/kind +haptics\n +name +$name\n/, '... and known by its name');
    my @symbols = map { (split)[-1] }
        `nm -D --defined-only $dir/mine/haptics_$name.so`;
    is_deeply(\@symbols, ['hp_plugin_v1'], '... exports one symbol');
    is(run('... opens', "$build/t/load_plugin -o ./haptics_$name.so"),
        "opens: ./haptics_$name.so\n" x 2, '... and is whole');
}
run('both are installed beside the others', 'make -s install');
my $list = run('... and listed',
    "$hardpoint plugins list --path $prefix/lib/hardpoint");
like($list, qr/^haptics +$_ /m, "... $_ among them") for qw(lamp meter);

SKIP: {
    my $usage = `$hardpoint 2>&1`;
    # The program knows the configured folder, not the one of this copy.
    $ENV{HARDPOINT_PLUGIN_PATH} = "$prefix/lib/hardpoint";
    skip '`hardpoint run` is not built', 5 unless $usage =~ /^ +run /m;
    spew("$dir/mine/lamp.out", '');
    spew("$dir/mine/burst.csv", "time_s,roll,pitch,yaw,throttle,buttons\n"
            . "0,0,0,0,0.5,0\n0.2,0,0,0,0.5,gun\n0.6,0,0,0,0.5,0\n");
    my $solo = "$prefix/etc/hardpoint/solo.ini";
    my $with = join ' ', map { "-s $_" } 'net.port=' . free_port(),
        "input.script.file=$dir/mine/burst.csv",
        "haptics.lamp.file=$dir/mine/lamp.out",
        "haptics.meter.file=$dir/mine/meter.out";
    run('the lamp runs', "$hardpoint run $solo --for 1 $with -s plugins.haptics=lamp");
    like(slurp("$dir/mine/lamp.out"), qr/^[1-9]\d*\n(.*\n)*0\n\z/m,
        '... lights up at the gun, and is dark in the end');
    run('the meter runs', "$hardpoint run $solo --for 1 $with -s plugins.haptics=meter");
    like(slurp("$dir/mine/meter.out"), qr/^\|#+\n(.*\n)*\|\n/m,
        '... draws it, and ends at nothing');
    my $said = `$hardpoint run $solo --for 1 $with -s plugins.haptics=lmp 2>&1`;
    like($said, qr/did you mean "lamp"\?/, 'a misspelt name is refused and mended');
}
done_testing();
