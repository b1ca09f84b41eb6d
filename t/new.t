#!/usr/bin/perl
# `hardpoint new`: for each kind, in C and in C++, a folder that builds without
# a warning, passes its own test and every rule of `hardpoint plugins check`.
# The projects are built two at a time, against this build tree.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $hardpoint = "$build/hardpoint";
my $dir = tempdir(CLEANUP => 1);
my @kinds = qw(sim broadcaster predictor cues haptics input agent);

# The outer make's job server and flags are not for those that run here.
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
$ENV{PKG_CONFIG_PATH} = "$build/abi";

# Exit status and all that was said.
sub new {
    my (@arguments) = @_;
    my $said = `cd $dir && $hardpoint new @arguments 2>&1`;
    return ($? & 127 ? "signal $?" : $? >> 8, $said);
}

sub slurp {
    my ($path) = @_;
    open my $h, '<', $path or return '';
    local $/;
    return scalar <$h> // '';
}

# ---- what is refused ----

my @refused = (
    ['haptic buzz', 64, qr/"haptic" is no kind.*did you mean "haptics"\?/],
    ['zzz buzz', 64, qr/"zzz" is no kind, expected sim, broadcaster/],
    ['haptics', 64, qr/expected a KIND and a NAME/],
    ['haptics Buzz', 64, qr/"Buzz" cannot be a plugin's name, expected small/],
    ['haptics 9lives', 64, qr/cannot be a plugin's name/],
    ['haptics ../up', 64, qr/cannot be a plugin's name/],
    ['haptics ' . 'a' x 32, 64, qr/at most 31 of them/],
    ['haptics test', 64, qr/"test" is that of the project's own test/],
    ['haptics buzz bee', 64, qr/found "bee" too/],
    ['haptics buzz --lang rust', 64, qr/found --lang rust, expected c or c\+\+/],
    ['haptics buzz --lng c', 64, qr/did you mean --lang\?/],
    ["haptics buzz --dir $dir/none", 1, qr/none\/buzz: the folder cannot be made/],
);
for my $row (@refused) {
    my ($arguments, $want, $sentence) = @$row;
    my ($status, $said) = new($arguments);
    is($status, $want, "new $arguments is refused");
    like($said, $sentence, '... and told why');
}
is_deeply([glob "$dir/*"], [], 'a refusal leaves nothing behind');

# ---- what is made ----

my $longest = 'a' x 31;
my ($status, $said) = new("agent $longest");
is($status, 0, 'a name may have 31 letters');
($status, $said) = new("agent $longest");
is($status, 1, 'a folder that is there is not touched');
like($said, qr/is there already, expected no such file/, '... and told');

my @projects;
for my $lang ('c', 'c++') {
    mkdir "$dir/$lang" or die "$lang: $!\n";
    for my $kind (@kinds) {
        my ($made, $told) = new("$kind my_$kind --lang $lang --dir $lang");
        is($made, 0, "a $kind in $lang is made") or diag($told);
        push @projects, [$lang, $kind, "$dir/$lang/my_$kind"];
    }
}
my $left = `grep -rl '\@[a-z]*\@' $dir/c $dir/c++`;
is($left, '', 'nothing is left to be filled in');

# ---- what it does ----

# Two at a time; each leaves its output and its status in its folder.
$ENV{CFLAGS} = $ENV{CXXFLAGS} = '-O0 -Wall -Wextra -Werror';
open my $pipe, '|-', 'xargs', '-P2', '-I{}', 'sh', '-c', "cd {} && make check "
    . "HARDPOINT=$hardpoint >make.log 2>&1; echo \$? >make.status"
    or die "xargs: $!\n";
print $pipe "$_->[2]\n" for @projects;
close $pipe;

for my $project (@projects) {
    my ($lang, $kind, $folder) = @$project;
    my $file = "$folder/${kind}_my_$kind.so";
    my $log = slurp("$folder/make.log");
    is(slurp("$folder/make.status"), "0\n", "make check passes: $kind in $lang")
        or diag($log);
    unlike($log, qr/^not ok|warning:/m, '... without a warning');
    like($log, qr/^ok 1 - loads\b/m, '... and asks hardpoint too');
    my @symbols = map { (split)[-1] } `nm -D --defined-only $file`;
    is_deeply(\@symbols, ['hp_plugin_v1'], '... exports one symbol');
    is(`$build/t/load_plugin -o $file 2>&1`, "opens: $file\n" x 2, '... loads');
}

my $out = `make -s -C $dir/c/my_agent install DESTDIR=$dir/root 2>&1`;
is($?, 0, 'make install works') or diag($out);
is(() = glob("$dir/root$build/plugins/.libs/agent_my_agent.so"), 1,
    '... into the folder of plugins');
`make -s -C $dir/c/my_agent clean`;
is_deeply([sort map { s{.*/}{}r } grep { !/make\./ } glob "$dir/c/my_agent/*"],
    [qw(Makefile README.md my_agent.c test.c test_host.h)],
    'make clean leaves what was made');
my $without = `PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere make -C $dir/c/my_agent 2>&1`;
like($without, qr/pkg-config does not find hardpoint-plugin: install/,
    'without hardpoint-plugin.pc make says what to do');

done_testing();
