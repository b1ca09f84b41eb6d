#!/usr/bin/perl
# `make soak`: a server and clients as processes, for a given number of
# seconds, in hard weather: each side is stopped for a while, the link is bad,
# strangers flood. Nobody may be lost, no memory may grow.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use IO::Socket::INET;
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep time);

my $seconds = shift // 60;
my $clients = 4;
# Stops as long as the row N9 of the known faults has, once there is time.
my $stop_s = $seconds >= 300 ? 20 : 3;
my $metrics = "$dir/metrics.json";
my $port = free_port();

my $server = start_host('run', "$src/conf/server.ini", '-s', "net.port=$port",
    '-s', 'net.address=127.0.0.1', '-s', "metrics.json=$metrics");
ok(wait_until(sub { -s $metrics }), 'the server runs');
my @clients = map {
    start_host('run', "$src/conf/client.ini", '-s', "net.port=$port", '-s',
        "client.name=soak$_", '-s', "net.simulator.seed=$_", '-s',
        'net.simulator.delay_ms=' . 10 * $_, '-s',
        'net.simulator.loss_percent=' . ($_ - 1))
} 1 .. $clients;

sub figures { return eval { decode_json(read_file($metrics)) } // {} }

sub rss_kb {
    my ($host) = @_;
    my ($kb) = read_file("/proc/$host->{pid}/status") =~ /^VmRSS:\s+(\d+)/m;
    return $kb // 0;
}

sub all_are_here {
    return wait_until(sub { (figures()->{peers} // 0) == $clients });
}

# 5,000 forged connects a second, from addresses all over 127.0.0.0/8.
sub flood {
    my ($for_s) = @_;
    my @sockets = map {
        IO::Socket::INET->new(Proto => 'udp',
            LocalAddr => sprintf('127.%d.%d.9', 1 + $_ % 200, 1 + int $_ / 200),
            PeerAddr => '127.0.0.1', PeerPort => $port)
    } 1 .. 250;
    my ($end, $n) = (time + $for_s, 0);
    while (time < $end) {
        for (1 .. 50) {
            my $connect = "\x8f\xff" . "\0" x 6 . "\x82" . "\0" x 39
                . pack 'NN', ++$n, $n % 2 ? 0 : $n;
            send $sockets[$n % @sockets], $connect, 0;
        }
        sleep 0.01;
    }
    return $n;
}

sub stop_for {
    my ($host, $for_s) = @_;
    $host->signal('STOP');
    sleep $for_s;
    $host->signal('CONT');
    return;
}

my @weather = (
    ['a flood of connects', sub { flood(2) }],
    ['a stopped client', sub { stop_for($clients[0], $stop_s) }],
    ['a stopped server', sub { stop_for($server, $stop_s) }],
    ['hitches of the server', sub {
        for (1 .. 20) { stop_for($server, 0.03); sleep 0.05 }
    }],
    ['quiet', sub { sleep 2 }],
);

ok(all_are_here(), 'all clients have joined');
sleep 2;
# Memory that is touched late is no leak: a stop of 20 s lets snapshots queue up,
# and the allocator keeps that much. What grows from the second time on is.
my %before;
my ($end, $round) = (time + $seconds, 0);
my $lost = 0;
while (time < $end || $round < 2 * @weather) {
    %before = map { $_->{pid} => rss_kb($_) } $server, @clients
        if $round == @weather;
    my ($what, $make) = @{$weather[$round++ % @weather]};
    $make->();
    next if all_are_here();
    fail("$what loses nobody");
    $lost++;
    last;
}
is($lost, 0, "$round rounds of weather lose nobody");
ok(!$_->has_ended, 'a host is still there') for $server, @clients;

for my $host ($server, @clients) {
    my $grown = rss_kb($host) - $before{$host->{pid}};
    cmp_ok($grown, '<', 1024 + $seconds / 30, "$grown kB grown");
}
my $f = figures();
note("ticks " . ($f->{ticks}{total} // '?') . ", late " . ($f->{ticks}{late} // '?')
    . ", dropped " . ($f->{ticks}{dropped} // '?'));
is($_->end('TERM'), 0, 'a client ends well') for @clients;
is($server->end('TERM'), 0, 'the server ends well');
unlike($server->err, qr/ error /, '... without an error');
cmp_ok(length $server->err, '<', 100_000, '... and a log that was not flooded');
done_testing();
