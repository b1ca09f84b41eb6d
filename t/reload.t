#!/usr/bin/perl
# HUP: a host that runs takes a good configuration, and no bad one ends it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Test::More;

my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);
my $ini = "$dir/x.ini";

delete @ENV{grep { /^HARDPOINT_.*__/ || $_ eq 'HARDPOINT_CONFIG' } keys %ENV};

# A port that the kernel says is free.
my $socket = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1') or die "socket: $!\n";
my $port = $socket->sockport;
close $socket;

sub configure {
    my ($text) = @_;
    open my $h, '>', $ini or die "$ini: $!\n";
    print $h $text;
    close $h;
}

sub good {
    my ($level) = @_;
    return "[host]\nrole = server\n[net]\nport = $port\n[log]\nlevel = $level\n";
}

sub logged {
    open my $h, '<', "$dir/log" or return '';
    return join '', <$h>;
}

# At most ten seconds for what should take a moment.
sub wait_until {
    my ($is_so) = @_;
    for (1 .. 1000) {
        return 1 if $is_so->();
        select undef, undef, undef, 0.01;
    }
    return 0;
}

sub wait_for {
    my ($what) = @_;
    return wait_until(sub { logged() =~ $what });
}

# Without binding it, which would be in the host's way.
sub port_is_open {
    open my $h, '<', '/proc/net/udp' or return 0;
    my $hex = sprintf ':%04X ', $port;
    return scalar grep { /^\s*\d+: [0-9A-F]{8}$hex/ } <$h>;
}

configure(good('info'));
my $pid = fork;
die "fork: $!\n" if !defined $pid;
if ($pid == 0) {
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', "$dir/log";
    exec "$build/hardpoint", 'run', '--quiet', $ini;
    exit 1;
}
ok(wait_until(\&port_is_open), 'the host runs') or diag(logged());

configure(good('debug'));
kill 'HUP', $pid;
ok(wait_for(qr/reload: done/), 'a good configuration is taken');
configure("[host]\nrole = server\nport = 0\n");
kill 'HUP', $pid;
ok(wait_for(qr/reload: refused.* \Q$ini\E:3:1: error: \[host\] port: .*belongs in \[net\]/),
    'a bad one is refused with its place');
configure("[host]\nrole = server\n[net]\nport = 1\n");
kill 'HUP', $pid;
ok(wait_for(qr/reload: refused.*\[net\] port: found "1" in place of "$port".*restart/),
    'and one that changes what is not live is refused by name');

# The same edits in every run.
srand 42;
my @letters = ("\n", '=', '[', ']', ';', '|', '0', 'z', "\x01", "\xff");
my $alive = 0;
for (1 .. 200) {
    my $text = good((qw(error warning info debug))[rand 4]);
    substr($text, rand length $text, 1) = $letters[rand @letters] for 1 .. rand 4;
    $text = substr $text, 0, rand length $text if rand() < 0.2;
    configure($text);
    kill 'HUP', $pid;
    select undef, undef, undef, 0.003;
    $alive += kill 0, $pid;
}
is($alive, 200, '200 random edits with HUP between end nothing');
configure("[host]\nrole = client\n");
kill 'HUP', $pid;
ok(wait_for(qr/\[host\] role: found "client" in place of "server"/), 'and it still answers');
kill 'TERM', $pid;
waitpid $pid, 0;
is($?, 0, 'TERM ends it well');
is((() = logged() =~ /Sanitizer/g) + 0, 0, 'and nothing was found wrong');

# ---- effects ----

my $effects = "$dir/effects.ini";
my $shipped = do {
    local (@ARGV, $/) = ("$ENV{HP_SRC}/conf/effects.ini");
    <>;
};
sub put_effects {
    my ($text) = @_;
    open my $h, '>', $effects or die "$effects: $!\n";
    print $h $text;
    close $h;
}

put_effects($shipped);
configure("[host]\nrole = solo\n[net]\nport = $port\n[plugins]\nhaptics = null\n"
        . "[haptics]\neffects = $effects\n");
$pid = fork;
die "fork: $!\n" if !defined $pid;
if ($pid == 0) {
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', "$dir/log";
    exec "$build/hardpoint", 'run', '--quiet', $ini;
    exit 1;
}
ok(wait_until(\&port_is_open), 'a solo host runs') or diag(logged());
select undef, undef, undef, 0.3;
put_effects($shipped =~ s/^duck = /dcuk = /mr);
kill 'HUP', $pid;
ok(wait_for(qr/error \Q$effects\E:\d+:1: error: unknown key "dcuk" in \[effect\.\w+\], did you mean "duck"\?/),
    'a mistake in the effects is told in the log') or diag(logged());
ok(wait_for(qr/the old effects stay in force/), '... and the old ones stay');
kill 'TERM', $pid;
waitpid $pid, 0;
is($?, 0, '... in a host that goes on to its end');

done_testing();
