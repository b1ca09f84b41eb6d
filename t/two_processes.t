#!/usr/bin/perl
# A server and its clients as processes of their own, as they are shipped.
use strict;
use warnings;
use lib "$ENV{HP_SRC}/t/lib";
use Hardpoint;
use IO::Socket::INET;
use JSON::PP;
use Test::More;
use Time::HiRes qw(time);

my $metrics = "$dir/metrics.json";

sub server_on {
    my ($port, @settings) = @_;
    my $server = start_host('run', "$src/conf/server.ini", '-s',
        "net.port=$port", '-s', 'net.address=127.0.0.1', '-s',
        "metrics.json=$metrics", map { ('-s', $_) } @settings);
    is_bound($port, $server) or diag($server->err);
    return $server;
}

sub is_bound {
    my ($port, $server) = @_;
    my $hex = sprintf ':%04X ', $port;
    return wait_until(sub {
        $server->has_ended || read_file('/proc/net/udp') =~ /^\s*\d+: \w{8}$hex/m;
    });
}

sub client_of {
    my ($port, @settings) = @_;
    return start_host('run', "$src/conf/client.ini", '-s', "net.port=$port",
        map { ('-s', $_) } @settings);
}

sub count_in {
    my ($text, $what) = @_;
    return scalar(() = $text =~ /$what/g);
}

# ENet takes its time to find that nobody is there: seen at the end.
my $mute = client_of(my $nowhere = free_port());

# ---- rates: the client takes the server's ----

my %sides;
for my $rate (20, 60, 128) {
    my $port = free_port();
    my $server = server_on($port, "host.tick_rate_hz=$rate", 'metrics.json=');
    $sides{$rate} = [$server, start_host('run', "$src/conf/client.ini", '--for',
        1, '-s', "net.port=$port", '-s', 'host.tick_rate_hz=37')];
}
for my $rate (20, 60, 128) {
    my ($server, $client) = @{$sides{$rate}};
    is($client->wait, 0, "a client of a server at $rate Hz ends well");
    ok($client->says(qr/client: asks .*client: "pilot" joins as client 0$/ms),
        '... says that it asks, and that it is in');
    like($client->out, qr/^client: \d+ ticks .* of $rate\.000 asked/m,
        '... at that rate, whatever its own INI says');
    # An input that a busy machine delays is another than the predicted one.
    my ($missed) = $client->out =~ /(\d+) inputs came too late/;
    my ($compared, $wrong) =
        $client->out =~ /^prediction: (\d+) compared, (\d+) wrong/m;
    cmp_ok($compared, '>', 0, '... and is compared with the truth');
    cmp_ok($wrong, '<=', $missed, '... which it predicts');
    ok($server->says(qr/"pilot" \(client 0\) has left/), '... and is seen to leave');
    is($server->end('TERM'), 0, '... and the server drains');
}

# ---- N4: killed and started again ----

my $port = free_port();
my $server = server_on($port);
my $lives = $ENV{HP_LIVES} // 10; # `make soak` asks for fifty
my $slowest = 0;
my $client;
for my $life (1 .. $lives) {
    my $start = time;
    $client = client_of($port, 'log.level=debug');
    wait_until(sub { count_in($server->err, qr/joins as client/) >= $life })
        or fail("life $life never joined") && last;
    $slowest = time - $start if time - $start > $slowest;
    $client->end('KILL') if $life < $lives;
}
is(count_in($server->err, qr/"pilot" joins/), $lives,
    "a client killed again and again joins each of $lives times");
cmp_ok($slowest, '<', 1, '... within a second');
ok(wait_until(sub {
    my $told = eval { decode_json(read_file($metrics)) } or return 0;
    return $told->{peers} == 1 && $told->{entities} == 1;
}), '... and is one aircraft, the old ones gone')
    or diag(read_file($metrics), $server->err);

# ---- the server goes away ----

$server->signal('TERM');
is($client->wait, 69, 'a client whose server ends is told');
like($client->err, qr/error client: the server shuts down$/m, '... in words');
is($server->wait, 0, '... and the server ends well');

$server = server_on($port = free_port());
$client = client_of($port);
ok($server->says(qr/joins/), 'a client of a server');
$server->end('KILL');
is($client->end('TERM'), 0, '... whose server was killed can be ended');

# ---- refusals ----

my $full = free_port();
my $small = server_on($full, 'net.clients_max=1');
my $first = client_of($full, 'client.name=first');
ok($small->says(qr/"first" joins/), 'a server for one has its one');
my $second = client_of($full, 'client.name=second');
is($second->wait, 69, 'a second is refused');
like($second->err,
    qr/client: 127\.0\.0\.1:$full refuses: the server is full: 1 of 1 places are taken/,
    '... with how many places there are');
$first->end('KILL');
select undef, undef, undef, 0.3;
$first = client_of($full, 'client.name=first');
ok($small->says(qr/("first" joins.*){2}/s), 'but the first, who died, comes again');
is($first->end('INT'), 0, 'once the first has left');
$second = client_of($full, 'client.name=second', 'client.join=aircraft=ufo');
is($second->wait, 69, 'one who asks for nonsense is refused');
like($second->err, qr/refuses: cannot join with options "aircraft=ufo": .*ufo/,
    '... and told what was wrong');
$second = client_of($full, 'client.name=second');
ok($small->says(qr/"second" joins as client 0/), 'the free place is given again');
is($second->end('TERM'), 0, '... and left');
is($small->end('TERM'), 0, 'the server has seen no fault in it');

# ---- N13: names ----

my $names = free_port();
my $host = server_on($names);
$client = client_of($names, 'net.address=localhost');
ok($host->says(qr/joins/), 'localhost is found by its IPv4 address');
is($client->end('TERM'), 0, '... and left');
for my $bad (['::1', 78, qr/found "::1", expected an IPv4 address or a name/],
    ['no.such.name.invalid', 69, qr/no\.such\.name\.invalid/],
    ['ip6-localhost', 69, qr/ip6-localhost/]) {
    my $start = time;
    $client = client_of($names, "net.address=$bad->[0]");
    is($client->wait, $bad->[1], "the address $bad->[0] is refused");
    like($client->err, $bad->[2], '... by name');
    cmp_ok(time - $start, '<', 5, '... and not after a connect has timed out');
}

# ---- N14: the port is in use ----

my $start = time;
my $other = start_host('run', "$src/conf/server.ini", '-s',
    'net.address=127.0.0.1', '-s', "net.port=$names");
is($other->wait, 69, 'a second host on the same port ends');
cmp_ok(time - $start, '<', 1, '... at once');
like($other->err, qr/net: .*\b$names\b.*Address already in use/,
    '... naming port and error');
is($other->out, '', '... and never half-started');
my $solo = start_host('run', "$src/conf/solo.ini", '-s', "net.port=$names");
is($solo->wait, 69, 'a solo game there too');
is(count_in($solo->err, qr/error/), 1, '... with one reason');
$host->end('KILL');
$host = start_host('run', "$src/conf/server.ini", '-s', "net.port=$names", '-s',
    'net.address=127.0.0.1', '--for', 0.1);
is($host->wait, 0, 'after a crash the port is free at once');
my $held = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1',
    LocalPort => $names) or die "bind: $!\n";
$other = start_host('run', "$src/conf/server.ini", '-s',
    'net.address=127.0.0.1', '-s', "net.port=$names");
is($other->wait, 69, 'a port that another program holds');
like($other->err, qr/\b$names\b.*Address already in use/, '... is told alike');
close $held;

# ---- nobody there ----

is($mute->wait, 69, 'a client that finds no server ends');
like($mute->err, qr/nobody answers at 127\.0\.0\.1:$nowhere within [\d.]+ s/,
    '... and says where it asked');

done_testing();
