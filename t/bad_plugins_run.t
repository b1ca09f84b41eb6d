#!/usr/bin/perl
# What `hardpoint run` does with a plugin that cannot be, that will not, and that
# crashes: it does not start, or says who it was.
use strict;
use warnings;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $cc = $ENV{CC} || 'cc';
my $dir = tempdir(CLEANUP => 1);

my $sanitized = do {
    open my $h, '<', "$build/config.h" or die "config.h: $!\n";
    grep /^#define HP_SANITIZED/, <$h>;
};

# A port that the kernel just had free.
my $port = do {
    my $socket = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
        or die "no UDP socket: $!\n";
    $socket->sockport;
};

# Runs the solo game with t/bad/SOURCE.c as one more agent. Exit status or
# "signal N", and all that was said.
sub run_with {
    my ($source, $name) = @_;
    system("$cc -w -shared -fPIC -I$src/abi -o $dir/agent_$name.so "
            . "$src/t/bad/$source.c") == 0
        or BAIL_OUT("cannot compile $source.c");
    my $said = `$build/hardpoint run $src/conf/solo.ini --for 5 -s net.port=$port -s host.plugin_path=$dir -s plugins.agent=$name 2>&1`;
    my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
    $said =~ s/\Q$dir\E/DIR/g;
    return ($status, $said);
}

my ($status, $said) = run_with('abi_99', 'abi');
is($status, 78, 'a plugin of ABI 99 stops the start, not the process');
like($said, qr/^-s plugins\.agent=abi: error: .*DIR\/agent_abi\.so: is built for ABI 99\.0, this host has 1\.0; /m,
    '... and where it is named, what was found, what to do is said');
unlike($said, qr/ ticks in /, '... before the first tick');

($status, $said) = run_with('create_fails', 'bad');
is($status, 70, 'a plugin that cannot be created stops the start');
like($said, qr/agent\.bad \(\w+\): cannot be created: two pads cannot share one port: .*\(\[plugins\] agent, from -s\)/,
    '... with its own sentence and its place');

($status, $said) = run_with('start_fails', 'bad');
is($status, 70, 'a plugin that cannot be started stops the start');
like($said, qr/agent\.bad.*no pad is plugged in/, '... with its own sentence');
is(scalar(() = $said =~ /no pad is plugged in/g), 1, '... once');

SKIP: {
    skip 'the sanitizer reports it', 2 if $sanitized;
    ($status, $said) = run_with('crashes', 'crashes');
    is($status, 'signal 11', 'a plugin that crashes ends the host by its signal');
    like($said, qr/^hardpoint: fatal: SIGSEGV in agent\.crashes \(\w+\), call idle, tick \d+, at agent_crashes\.so\+0x[0-9a-f]+$/m,
        '... which names plugin, call, tick and place');
}
done_testing();
