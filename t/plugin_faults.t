#!/usr/bin/perl
# Plugins that crash, hang or write nonsense while they run: the host names the
# culprit and dies of its signal, or lives on and says what it did not take.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use POSIX qw(SIGABRT SIGILL SIGSEGV);
use Test::More;

my $cc = $ENV{CC} || 'cc';
for my $kind (qw(sim broadcaster cues)) {
    system("$cc -w -g -shared -fPIC -fvisibility=hidden -I$src/abi "
            . "-o $dir/${kind}_wild.so $src/t/wild/${kind}_wild.c -lm") == 0
        or BAIL_OUT("cannot compile ${kind}_wild.c");
}
my $sanitized = read_file("$build/config.h") =~ /^#define HP_SANITIZED/m;
my $checked   = read_file("$build/config.h") =~ /^#define HP_CHECKS/m;

my $ini = write_file("$dir/wild.ini", <<"END");
[host]
plugin_path = $dir
[plugins]
sim = wild
broadcaster = full
predictor = none
cues = wild
[haptics]
effects = $src/conf/effects.ini
END

# A run of two seconds in which `$what` does `$harm`.
sub harm_done_by {
    my ($what, $harm, @more) = @_;
    push @more, '-s', 'plugins.broadcaster=wild' if $what =~ /^broadcaster/;
    push @more, '--virtual' unless grep { $_ eq '--for' } @more;
    push @more, '--for', 2  unless grep { $_ eq '--for' } @more;
    return run_host('run', $ini, '-s', 'net.port=' . free_port(), '-s',
        "$what.does=$harm", @more);
}

my ($status, $out, $err) = harm_done_by('sim.wild', 'nothing');
is($status, 0, 'without harm all is well');
like($err, qr/cues\.wild \(client\): 120 views, 0 not finite$/m,
    '... and seen by the cues');
unlike($err, qr/warning|error/, '... and there is nothing to tell');

# ---- a crash is named, and its signal kept ----

my @crashes = (
    ['sim.wild', 'write', SIGSEGV, 'step', 'server'],
    ['sim.wild', 'abort', SIGABRT, 'step', 'server'],
    ['sim.wild', 'trap', SIGILL, 'step', 'server'],
    ['sim.wild', 'overflow', SIGSEGV, 'step', 'server'],
    ['broadcaster.wild', 'write', SIGSEGV, 'encode', 'server'],
    ['broadcaster.wild', 'decode crash', SIGSEGV, 'decode', 'client'],
    ['cues.wild', 'overflow', SIGSEGV, 'input', 'client'],
    ['cues.wild', 'abort', SIGABRT, 'input', 'client'],
);
my @scribbles = (
    ['broadcaster.wild', 'write view', SIGSEGV, 'encode', 'server'],
    ['broadcaster.wild', 'write events', SIGSEGV, 'encode', 'server'],
    ['cues.wild', 'write view', SIGSEGV, 'snapshot', 'client'],
    ['cues.wild', 'write events', SIGSEGV, 'snapshot', 'client'],
);

sub are_named {
    for my $crash (@_) {
        my ($what, $harm, $signal, $call, $side) = @$crash;
        ($status, $out, $err) = harm_done_by($what, $harm);
        is($status, "signal $signal", "$what, $harm: the host dies of the signal");
        like($err, qr/^hardpoint: fatal: SIG\w+ in \Q$what\E \($side\), call $call, tick 30, at \S+/m,
            '... and names plugin, call and tick');
    }
}

SKIP: {
    skip 'a sanitizer tells of crashes itself', 2 * @crashes if $sanitized;
    are_named(@crashes);
}
SKIP: {
    skip 'views are read-only with --enable-checks alone', 2 * @scribbles
        if !$checked || $sanitized;
    are_named(@scribbles);
}

# ---- time ----

# On a busy machine any call may take too long: how often is not asked.
sub is_blamed_at_most_once_a_second {
    my @blamed = $err =~
        /^([\d.]+) warning sim\.wild \(server\): step took [\d.]+ ms of a 8\.3 ms budget at tick \d+; \d+ calls/mg;
    cmp_ok(scalar @blamed, '>=', 1, '... it is named, with its tick');
    is(scalar(grep { $blamed[$_] - $blamed[$_ - 1] < 0.99 } 1 .. $#blamed), 0,
        '... at most once a second');
    like($out, qr/sim\.wild \(server\) was over its budget of 8\.333 ms \d+ times/,
        '... and summed up');
}

($status, $out, $err) = harm_done_by('sim.wild', 'spin once', '--for', 1.2);
is($status, 0, 'one call that takes too long ends nothing');
is_blamed_at_most_once_a_second();
($status, $out, $err) = harm_done_by('sim.wild', 'spin', '--for', 2.2);
is($status, 0, 'nor does a call that always does');
is_blamed_at_most_once_a_second();

# ---- nonsense: the host lives, and says what it did not take ----

my @nonsense = (
    ['sim.wild', 'view count', qr/sim\.wild \(server\): view at tick 30 counted more than its sink holds/],
    ['sim.wild', 'view capacity', qr/view at tick 30 counted more than its sink holds/],
    ['sim.wild', 'view owner', undef],
    ['sim.wild', 'view error', qr/view at tick 30 returned an error/],
    ['sim.wild', 'own count', qr/own_get at tick 30 gave no own state of the schema's size/],
    ['sim.wild', 'own error', qr/own_get at tick 30 gave no own state/],
    ['broadcaster.wild', 'encode count', qr/broadcaster\.wild \(server\): encode at tick 30 counted more bytes/],
    ['broadcaster.wild', 'encode capacity', qr/encode at tick 30 counted more bytes/],
    ['broadcaster.wild', 'encode rubbish', undef],
    ['broadcaster.wild', 'encode error', qr/encode at tick 30 returned an error/],
    ['broadcaster.wild', 'decode count', qr/broadcaster\.wild \(client\): decode at tick 30 counted more records/],
    ['broadcaster.wild', 'decode stride', undef],
    ['broadcaster.wild', 'decode error', undef],
    ['cues.wild', 'nonsense', undef],
);
for my $case (@nonsense) {
    my ($what, $harm, $told) = @$case;
    ($status, $out, $err) = harm_done_by($what, $harm);
    is($status, 0, "$what, $harm: the host lives") or diag($err);
    like($out, qr/^server: 120 ticks .* 0 dropped/m, '... and keeps its ticks');
    if (defined $told) {
        like($err, qr/warning .*$told/, '... and tells it');
        my $times = () = $err =~ /warning .*(?:$what)/g;
        cmp_ok($times, '<=', 2, '... at most once a second');
    }
}

# ---- numbers that are none: N8 ----

($status, $out, $err) = harm_done_by('sim.wild', 'odd numbers');
is($status, 0, 'a sim whose records hold NaN, infinities and 1e38');
like($err, qr/120 views, 0 not finite$/m, '... and every client sees numbers');
like($out, qr/^client: 120 snapshots, 0 missing, 0 undecoded/m,
    '... in every snapshot');

# ---- an alternative takes the place of a sim that will not do ----

my $server = start_host('run', $ini, '-s', 'host.role=server', '-s',
    'plugins.sim=wild | flight', '-s', 'sim.wild.does=schema none', '-s',
    'net.port=' . (my $port = free_port()));
ok($server->says(qr/error sim\.wild \(server\): found no schema.*\n.*warning \[plugins\] sim: wild is passed over; the next of the list, flight, is tried/),
    'a sim that cannot be used is passed over') or diag($server->err);
my $client = start_host('run', $ini, '-s', 'host.role=client', '-s',
    'plugins.sim=wild | flight', '-s', "net.port=$port", '--for', 0.3);
is($client->wait, 0, '... and a client takes the alternative that the server has')
    or diag($client->err);
like($client->out, qr/^ +sim\.flight \(client\)|^client: [1-9]\d* snapshots/m,
    '... and sees its world');
$client = start_host('run', $ini, '-s', 'host.role=client', '-s',
    "net.port=$port", '--for', 0.3);
is($client->wait, 69, 'a client that has another sim ends');
like($client->err, qr/the server runs the sim plugin "flight" \S+ and this client "wild"/,
    '... and is told whose');
is($server->end('TERM'), 0, '... which is no harm to the server');
($status, $out, $err) = harm_done_by('sim.wild', 'schema none', '-s',
    'plugins.sim=wild | flight');
is($status, 0, 'a solo game takes the alternative for both sides') or diag($err);
like($out, qr/^ +sim\.flight \(server\)/m, '... and flies');

# ---- what cannot be run with is refused ----

my @refused = (
    ['sim.wild', 'schema none', 70, qr/sim\.wild \(server\): found no schema/],
    ['sim.wild', 'schema own', 70, qr/schema says 88 bytes a record and 520 of own state/],
    ['sim.wild', 'schema long', 70, qr/schema says 520 bytes a record/],
    ['sim.wild', 'schema short', 70, qr/schema says 72 bytes a record/],
    ['sim.wild', 'schema field', 70, qr/field heat lies outside of the record/],
    ['sim.wild', 'join', 69, qr/refuses: cannot join with options "": Input\/output error/],
    ['broadcaster.wild', 'join', 69, qr/refuses: cannot join with options/],
);
for my $case (@refused) {
    my ($what, $harm, $expected, $told) = @$case;
    ($status, $out, $err) = harm_done_by($what, $harm);
    is($status, $expected, "$what, $harm: refused");
    like($err, $told, '... with the reason');
    is($out, '', '... before the first tick');
}

done_testing();
