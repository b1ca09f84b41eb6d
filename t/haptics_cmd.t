#!/usr/bin/perl
# `hardpoint haptics`: what can be felt, and a pulse of it; the trace plugin
# tells what reached the device.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);

open my $ini, '>', "$dir/h.ini" or die "h.ini: $!\n";
print $ini <<"END";
[plugins]
sim = flight
broadcaster = full
predictor = replay
input = idle
haptics = trace
cues = none
[haptics]
effects = $src/conf/effects.ini
[haptics.trace]
file = felt
END
close $ini;

# Exit status, standard output, standard error.
sub haptics {
    my (@arguments) = @_;
    my $out = `$build/hardpoint haptics @arguments 2>$dir/err`;
    my $status = $? & 127 ? "signal $?" : $? >> 8;
    open my $h, '<', "$dir/err" or die "err: $!\n";
    return ($status, $out, join '', <$h>);
}

# The lines of the trace about one actuator, in order.
sub felt {
    my ($actuator) = @_;
    open my $h, '<', "$dir/felt" or die "felt: $!\n";
    return grep { /"actuator":"$actuator"/ } <$h>;
}

my ($status, $out, $err) = haptics('list', "$dir/h.ini");
is($status, 0, 'devices are listed');
my @rows = split /\n/, $out;
is(scalar @rows, 8, '... each actuator on a row');
like($rows[1], qr/^trace:0 +trace +trace +low +0\.\.1 +fixed$/, '... a motor');
like($rows[5], qr/^trace:0 .* axis_x +-1\.\.1 +fixed$/, '... an axis');
like($rows[7], qr/^trace:0 .* audio +0\.\.1 +5 to 200 Hz$/, '... a shaker');
is($err, '', '... and nothing else');

($status, $out, $err) = haptics('list', '--plugin null', "$dir/h.ini");
is($status, 0, 'a flag changes the plugin');
like($out, qr/^null:0 +\S.* null +low /m, '... to that one');
unlike($out, qr/trace/, '... alone');

($status, $out, $err) = haptics('test', 'trace:0', '--effect gpws',
    '--level 0.5', "$dir/h.ini");
is($status, 0, 'an effect is played on a device');
like($out, qr/^played gpws at level 0\.5$/m, '... and told');
like($out, qr/^trace:0 +trace +high +\d+ +0\.320$/m, '... with what it rendered');
unlike($out, qr/trigger_l/, '... and no more than that');
is($err, '', '... without a complaint');
my @high = felt('high');
my @on = grep { !/"level":0[,}]/ } @high;
is(scalar @on, 2, 'the device got two pulses');
like($on[0], qr/"level":0\.32/, '... at their strength, as its curve has it');
my @low = felt('low');
like((grep { !/"level":0[,}]/ } @low)[0], qr/"level":1,/, '... a heavy motor begins with a kick');
like($low[-1], qr/"level":0,/, '... and then zero');

($status, $out, $err) = haptics('test', 'all', "$dir/h.ini");
is($status, 0, 'without an effect a plain pulse is played');
like($out, qr/^trace:0 +trace +trigger_r +\d+ +0\.500$/m, '... on each motor');
like($out, qr/^trace:0 +trace +axis_y +\d+ +0\.150$/m, '... a stick less');

unlink "$dir/felt";
my $pid = fork;
if ($pid == 0) {
    open STDOUT, '>', "$dir/out" or die;
    exec "$build/hardpoint", 'haptics', 'test', 'all', '--effect',
        'engine_failure', "$dir/h.ini";
}
for (1 .. 200) {
    last if -e "$dir/felt" && felt('low');
    sleep 0.01;
}
kill 'INT', $pid;
waitpid $pid, 0;
is($?, 0, 'a signal ends the pulse, not the process');
like(`cat $dir/out`, qr/^interrupted engine_failure/, '... and it is told');
like((felt('low'))[-1], qr/"level":0,/, '... the device got its zero');

my @mistakes = (
    [['test', 'nobody', "$dir/h.ini"], 1,
        qr/found no device "nobody", expected one of `hardpoint haptics list`/],
    [['test', 'all', '--effect gpsw', "$dir/h.ini"], 64,
        qr/found no effect "gpsw" in .*; did you mean gpws\?/],
    [['test', 'all', '--effect gpws', '-s haptics.effects=', "$dir/h.ini"], 78,
        qr/names no file, expected one; add/],
    [['test', 'all', '--level 1.5', "$dir/h.ini"], 64,
        qr/found --level 1\.5, expected a number from 0 to 1/],
    [['test', 'all', '--level 0', "$dir/h.ini"], 1, qr/nothing was rendered/],
    [['list', '--level 1', "$dir/h.ini"], 64, qr/expected them with test/],
    [['list', '--plugin nosuch', "$dir/h.ini"], 78, qr/nosuch/],
    [['list', '--plugin none', "$dir/h.ini"], 78,
        qr/puts no haptics plugin to use, expected one/],
    [['list', '-s haptics.trace.file=/no/such/folder/felt', "$dir/h.ini"], 70,
        qr/cannot write \/no\/such\/folder\/felt: No such file/],
    [['list', "$dir/none.ini"], 66, qr/none\.ini/],
    [['list', 'a', 'b'], 64, qr/found "b" too/],
    [['test'], 64, qr/found no device after test/],
    [['tset'], 64, qr/^usage: hardpoint haptics/],
);
for my $m (@mistakes) {
    ($status, $out, $err) = haptics(@{$m->[0]});
    (my $line = "@{$m->[0]}") =~ s/\Q$dir\E\///g;
    is($status, $m->[1], "haptics $line: status");
    like($err, $m->[2], '... and why');
}
($status, $out, $err) = haptics('--help');
is($status, 0, 'help is no mistake');
like($out, qr/^usage: hardpoint haptics list/, '... and is given');

($status, $out, $err) = haptics('check', "$dir/h.ini");
is($status, 0, 'check finds every effect on this device');
like($out, qr/^missile_warning: pulses, class warning, priority 90\n  trace:0 \(trace\)\n    low +0\.\d+ +50 ms stretched to 60, kicked to 1 for 60 ms$/m,
    '... and says which actuators move, and what is adapted');
like($out, qr/^16 effects, 1 devices, 0 effects felt nowhere$/m, '... and a sum');
($status, $out, $err) = haptics('check', '--plugin null', "$dir/h.ini");
like($out, qr/^16 effects, 1 devices, /m, '... on another device as well');

($status, $out, $err) = haptics('plot', "$src/conf/effects.ini", '--svg');
is($status, 0, 'plot draws an effects file');
like($out, qr/^<svg .*<\/svg>\n\z/s, '... as SVG');
is(scalar(() = $out =~ /, priority \d+<\/text>/g), 16, '... each effect');
like($out, qr/stall_buffet at 0 ms, missile_warning at 200 ms/, '... and three at once');
($status, $out, $err) = haptics('plot', "$dir/none.ini");
is($status, 66, 'a file that is not there is told');
is(system("$build/hardpoint check $src/conf/effects.ini >/dev/null") >> 8, 0,
    '`hardpoint check` recognises an effects file');

done_testing();
