#!/usr/bin/perl
# In the guest: the host's own binaries on pads that the kernel believes in. The
# verdict is what the pads were asked for; times are told, not judged, but for
# generous ends, since an emulated machine is slow.
use strict;
use warnings;
use Test::More;
use Time::HiRes qw(clock_gettime sleep CLOCK_MONOTONIC);

my ($build, $pads) = @ARGV;
my $dir = '/run/guest';
my $patience_s = 20;
mkdir $dir;
$ENV{HARDPOINT_LIBEXEC} = $build;
$ENV{HARDPOINT_PLUGIN_PATH} = "$build/plugins/.libs";
my $number = 0;
my @started;

sub read_file {
    open my $h, '<', $_[0] or return '';
    local $/;
    return scalar(<$h>) // '';
}

sub start {
    my (@command) = @_;
    my $log = "$dir/log." . $number++;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', $log;
        open STDERR, '>', "$log.err";
        exec @command;
        exit 99;
    }
    push @started, $pid;
    return {pid => $pid, log => $log};
}

sub lines { return split /\n/, read_file($_[0]{log}) }

# What came after the first so many lines.
sub lines_after {
    my ($p, $count) = @_;
    my @lines = lines($p);
    return splice @lines, $count;
}

sub wait_until {
    my ($check) = @_;
    my $end = clock_gettime(CLOCK_MONOTONIC) + $patience_s;
    while (clock_gettime(CLOCK_MONOTONIC) < $end) {
        my $answer = $check->();
        return $answer if $answer;
        sleep 0.005;
    }
    return '';
}

sub ended {
    my ($p, $how) = @_;
    kill $how, $p->{pid};
    waitpid $p->{pid}, 0;
}

open my $effects, '>', "$dir/effects.ini" or die;
print $effects "[haptics]\nmaster = 1\ngain.airframe = 1\n[effect.long]\nclass = airframe\n"
    . "priority = 50\nmode = oneshot\nlow = 0.8\nhigh = 0.8\nhold_ms = 10000\n";
close $effects;
open my $ini, '>', "$dir/h.ini" or die;
print $ini "[haptics]\neffects = $dir/effects.ini\n";
close $ini;

sub play {
    my ($backend) = @_;
    return start("$build/hardpoint", 'haptics', 'test', 'all', '--plugin', $backend,
        '--effect', 'long', "$dir/h.ini");
}

sub host_said { return read_file("$_[0]{log}.err") . read_file($_[0]{log}) }

# ---- a pad of uinput's: what the kernel asks ----

my $pad = start("$pads/pad_uinput");
ok(wait_until(sub { grep /^node/, lines($pad) }), 'a pad of uinput is there')
    or diag host_said($pad);
my $list = `$build/hardpoint haptics list --plugin evdev $dir/h.ini 2>&1`;
like($list, qr/^evdev:045e:028e:\S+ +Guest Pad +evdev +low/m, 'haptics list has it') or diag $list;
my $host = play('evdev');
ok(wait_until(sub { grep /^upload \d+ [1-9]\d* [1-9]\d* 300$/, lines($pad) }),
    'evdev: one effect of 300 ms is uploaded') or diag host_said($host);
ok(wait_until(sub { grep /^play \d+ 1$/, lines($pad) }), '... and played');
sleep 1;
is(scalar(grep { /^upload (\d+)/ && $1 != 0 } lines($pad)), 0, '... and never a second slot');
my $before = () = lines($pad);
ended($host, 'KILL');
ok(wait_until(sub { grep /^(play \d+ 0|erase \d+)$/, lines_after($pad, $before) }),
    'SIGKILL: the kernel stops and erases it');
diag 'after SIGKILL the uinput pad was asked: ', join ', ', lines_after($pad, $before);
ended($pad, 'KILL');

# ---- full slots ----

$pad = start("$pads/pad_uinput", 1);
ok(wait_until(sub { grep /^node/, lines($pad) }), 'a pad of one slot');
my ($node) = map { /^node (\S+)/ } lines($pad);
my $first = play('evdev');
ok(wait_until(sub { grep /^play \d+ 1$/, lines($pad) }), 'one program has the slot');
my $second = play('evdev');
ok(wait_until(sub { host_said($second) =~ /all its effect slots/ }),
    'another is told that all are taken') or diag host_said($second);
ended($_, 'TERM') for $second, $first;
ended($pad, 'KILL');

# ---- a device that takes 700 ms for each upload ----

$pad = start("$pads/pad_uinput", 16, 700);
ok(wait_until(sub { grep /^node/, lines($pad) }), 'a slow pad');
$host = play('evdev');
ok(wait_until(sub { grep /^play \d+ 1$/, lines($pad) }), '... is moved all the same');
ended($host, 'TERM');
ended($pad, 'KILL');

# ---- a pad of uhid's: the very reports, through hid-microsoft and ff-memless ----

sub uhid_pad {
    my $uhid = start("$pads/pad_uhid");
    ok(wait_until(sub { grep /^ready/, lines($uhid) }), 'a Bluetooth pad is there')
        or diag host_said($uhid);
    sleep 1;
    return $uhid;
}

sub reports { return grep /^report/, lines($_[0]) }
sub is_on { my @r = reports($_[0]); return @r && $r[-1] =~ /^report \d+ \d+ \d+ \d+ (?:[1-9]\d* \d+|\d+ [1-9])/ }
sub is_off { my @r = reports($_[0]); return @r && $r[-1] =~ /^report \d+ \d+ \d+ \d+ 0 0$/ }

for my $backend (qw(evdev sdl2)) {
    next if !-e "$build/plugins/.libs/haptics_$backend.so";
    for my $signal (qw(KILL STOP)) {
        my $uhid = uhid_pad();
        $host = play($backend);
        ok(wait_until(sub { is_on($uhid) }), "$backend: the pad shakes") or diag host_said($host), lines($uhid);
        sleep 0.3;
        ok(is_on($uhid), '... and goes on');
        my $at_ms = int(1000 * clock_gettime(CLOCK_MONOTONIC));
        kill $signal, $host->{pid};
        ok(wait_until(sub { is_off($uhid) }), "$backend: SIG$signal: the pad is told zero");
        my ($told_ms) = map { /^report (\d+)/ } (reports($uhid))[-1];
        diag "$backend after SIG$signal: the pad received \"", (reports($uhid))[-1], '", ',
            ($told_ms // 0) - $at_ms, ' ms later';
        sleep 0.5;
        ok(is_off($uhid), '... and stays so');
        ended($host, 'KILL');
        ended($uhid, 'KILL');
        sleep 0.5;
    }
}

# ---- unplug, and plug in again ----

my $uhid = uhid_pad();
$host = start("$build/hardpoint", 'haptics', 'test', 'all', '--plugin', 'evdev', '--effect', 'long',
    "$dir/h.ini");
ok(wait_until(sub { is_on($uhid) }), 'a pad shakes');
ended($uhid, 'KILL');
sleep 0.5;
is(waitpid($host->{pid}, 1), 0, 'its being unplugged ends no host') or diag host_said($host);
ended($host, 'TERM');
$uhid = uhid_pad();
$host = play('evdev');
ok(wait_until(sub { is_on($uhid) }), 'plugged in again, it shakes again');
ended($host, 'TERM');
ok(wait_until(sub { is_off($uhid) }), 'SIGTERM: the host stops it');
ended($uhid, 'KILL');
kill 'KILL', @started;
done_testing();
