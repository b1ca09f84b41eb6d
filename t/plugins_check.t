#!/usr/bin/perl
# `hardpoint plugins check`: each plugin of t/broken breaks the one rule that its
# name begins with, and is caught by it and by no other; all of ours keep all.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $cc = $ENV{CC} || 'cc';
my $dir = tempdir(CLEANUP => 1);
my $hardpoint = "$build/hardpoint";

my $sanitized = do {
    open my $h, '<', "$build/config.h" or die "config.h: $!\n";
    grep /^#define HP_SANITIZED/, <$h>;
};

sub check {
    my (@arguments) = @_;
    my $said = `$hardpoint plugins check @arguments 2>&1`;
    return ($? & 127 ? "signal $?" : $? >> 8, $said);
}

# ---- ours ----

# In place of a sound card.
open my $card, '>', "$dir/asound.conf" or die "asound.conf: $!\n";
print $card "pcm.nowhere { type null }\n";
close $card;
$ENV{ALSA_CONFIG_PATH} = "$dir/asound.conf";

my @ours = sort glob "$build/plugins/.libs/*.so";
cmp_ok(scalar @ours, '>', 8, 'there are plugins of ours');
for my $file (@ours) {
    my ($name) = $file =~ m{([^/]+)\.so$};
    my @more = $name eq 'input_script'
        ? ('-s', "file=$src/conf/traces/straight.csv")
        : $name eq 'cues_lua'
        ? ('-s', "file=$src/conf/cues/shudder.lua") : ();
    push @more, '-s', 'device=nowhere' if $name eq 'haptics_audio';
    my ($status, $said) = check($file, @more);
    is($status, 0, "$name keeps every rule") or diag($said);
    next if $name eq 'haptics_evdev' && !-d '/dev/input';
    unlike($said, qr/^ok .* starts.*# SKIP/m, '... and was started');
}

# ---- the broken ones ----

# Those of a sim and a broadcaster are a change of what `new` makes.
for my $kind (qw(sim broadcaster)) {
    mkdir "$dir/$kind" or die "$kind: $!\n";
    system("$hardpoint new $kind broken --dir $dir/$kind >$dir/log") == 0
        or BAIL_OUT("cannot make a $kind");
}

sub compile {
    my ($name) = @_;
    return system("$cc -w -O1 -shared -fPIC -fvisibility=hidden -I$src/abi "
            . "-I$dir/sim/broken -I$src/t/broken -o $dir/$name.so "
            . "$src/t/broken/$name.c -lm -lpthread") == 0
        if !in_broadcaster($name);
    return system("$cc -w -O1 -shared -fPIC -fvisibility=hidden -I$src/abi "
            . "-I$dir/broadcaster/broken -o $dir/$name.so "
            . "$src/t/broken/$name.c -lm -lpthread") == 0;
}

sub in_broadcaster {
    my ($name) = @_;
    open my $h, '<', "$src/t/broken/$name.c" or die "$name.c: $!\n";
    return scalar grep m{<hardpoint/broadcaster\.h>}, <$h>;
}

my @names = map { m{([^/]+)\.c$} } sort glob "$src/t/broken/*.c";
cmp_ok(scalar @names, '>=', 12, 'there are at least twelve broken plugins');
# Some wait for something that never comes, so four are tried at a time.
compile($_) or BAIL_OUT("cannot compile $_.c") for @names;
open my $pipe, '|-', 'xargs', '-P4', '-I{}', 'sh', '-c',
    "$hardpoint plugins check $dir/{}.so >$dir/{}.out 2>&1; echo \$? >$dir/{}.rc"
    or die "xargs: $!\n";
print $pipe "$_\n" for @names;
close $pipe;

sub slurp {
    my ($path) = @_;
    open my $h, '<', $path or return '';
    local $/;
    return scalar <$h> // '';
}

for my $name (@names) {
    my $rule = $name =~ s/^(tidy|leaves|hostile)_.*/$1/r =~ s/_/-/gr;
    SKIP: {
        skip "$name: a sanitizer owns the heap", 3
            if $sanitized && $name =~ /^(allocation|leaves_memory)$/;
        my $said = slurp("$dir/$name.out");
        is(slurp("$dir/$name.rc"), "1\n", "$name is caught") or diag($said);
        my @broken = $said =~ /^not ok \d+ - ([\w-]+):/mg;
        is_deeply(\@broken, [$rule], "... by the rule $rule, and by no other")
            or diag($said);
        like($said, qr/^not ok .*\n# .*\S.*\n(# .*\n)*# again: hardpoint plugins check .* --only $rule --seed 1\n/m,
            '... with a reason, and how to see it again') or diag($said);
    }
}

# ---- what can be asked ----

my ($status, $said) = check("$dir/order.so", '--only order --seed 3');
is($status, 1, 'one rule alone, with another seed');
like($said, qr/^1\.\.1\nnot ok 1 - order: .*\n/, '... is one line');
like($said, qr/--seed 3$/m, '... that replays');
is((check("$dir/order.so", '--only order --seed 3'))[1], $said, '... the same');
($status, $said) = check("$dir/order.so", '--only life --why');
like($said, qr/^ok 1 - life: .*\n# why: destroy comes without start/m,
    '--why explains a rule');
($status, $said) = check("$src/t/broken/order.c");
is($status, 1, 'a file that is no plugin breaks the first rule');
like($said, qr/^not ok 1 - loads: .*\n# .*is not an ELF file/m, '... and told');
like($said, qr/^ok 2 - exports: .* # SKIP for want of loads/m, '... no other is tried');
for my $bad ('', "$dir/order.so --only nothing", "$dir/order.so --seed x",
    "$dir/order.so --sed 1", "$dir/order.so -s file", "$dir/order.so more") {
    is((check($bad))[0], 64, "\"plugins check $bad\" is not how it is used");
}
is((check("$dir/none.so"))[0], 66, 'a file that is not there is no input');

done_testing();
