#!/usr/bin/perl
# `hardpoint haptics conform`: each of our backends keeps every rule, seen from
# the far side of its device; and a backend that is wrong in one way is caught by
# the rule of that name.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($build $dir $src run_host);
use Test::More;

my $cc = $ENV{CC} || 'cc';
$ENV{HARDPOINT_LIBEXEC} = $build;
my $sanitized = do {
    open my $h, '<', "$build/config.h" or die "config.h: $!\n";
    grep /^#define HP_SANITIZED/, <$h>;
};

# ---- ours ----

for my $name (qw(null trace sdl2 evdev audio osc)) {
    my $is_built = -e "$build/plugins/.libs/haptics_$name.so";
    SKIP: {
        skip "haptics_$name is not built", 2 if !$is_built;
        skip 'its far side is not built', 2
            if $name =~ /^(sdl2|evdev)$/ && !-e "$build/hardpoint-conform-$name";
        skip 'a sanitizer and umockdev both want to be first', 2
            if $name eq 'evdev' && $sanitized;
        # SDL keeps something of each virtual pad; t/haptics_sdl2.t looks for
        # leaks of ours.
        local $ENV{ASAN_OPTIONS} = join ':', $ENV{ASAN_OPTIONS} // (), 'detect_leaks=0'
            if $name eq 'sdl2';
        my ($status, $out, $err) = run_host('haptics', 'conform', $name);
        is($status, 0, "$name keeps every rule") or diag($out, $err);
        my @skipped = $out =~ /# SKIP/g;
        is(scalar @skipped, $name eq 'null' ? 7 : 0, '... and all are tried')
            or diag($out);
    }
}

# ---- wrong ones ----

sub compile {
    my ($file, @flags) = @_;
    return system("$cc -w -O1 -shared -fPIC -fvisibility=hidden @flags "
            . "-I$src/abi -o $file $src/t/conform/faulty.c") == 0;
}

SKIP: {
    skip 'the compiler of a sanitized build makes other plugins', 1 if $sanitized;
    mkdir "$dir/plugins";
    ok(compile("$dir/far.so", '-DFAR_SIDE'), 'a far side is built');
    for my $rule ('', qw(devices sink guarded alone more newest deadline renewed
        silence hostile stride render work stop leaves)) {
        my $flag = $rule ? '-DBREAKS_' . uc $rule : '';
        ok(compile("$dir/plugins/haptics_faulty.so", $flag), "breaks \"$rule\"");
        my ($status, $out, $err) = run_host('haptics', 'conform', 'faulty',
            '--far-side', "$dir/far.so", '-s', "host.plugin_path=$dir/plugins",
            $rule ? ('--only', $rule) : ());
        if (!$rule) {
            is($status, 0, '... a right one keeps them all') or diag($out, $err);
            next;
        }
        is($status, 1, '... and is refused') or diag($out, $err);
        like($out, qr/^not ok \d+ - $rule:/m, '... by that rule') or diag($out);
        like($out, qr/^# \S/m, '... and is told what was found');
    }
}

my ($status, $out, $err) = run_host('haptics', 'conform');
is($status, 64, 'without a name it says how');
like($err, qr/^usage: hardpoint haptics conform NAME/, '... on standard error');
($status, $out, $err) = run_host('haptics', 'conform', 'nosuch');
isnt($status, 0, 'a backend that is not there is no success');
like($err, qr/nosuch/, '... and is named');
($status, $out, $err) = run_host('haptics', 'conform', 'null', '--far-side', "$dir/no.so");
is($status, 64, 'nor is a far side that is not there');
like($err, qr/expected a shared object that defines hp_far_side/, '... told so');
done_testing();
