#!/usr/bin/perl
# A whole host that speaks OSC, judged by who receives it: what an effect says
# arrives, and a host that is killed or stopped leaves nothing on.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($build $dir free_port start_host wait_until write_file);
use IO::Select;
use IO::Socket::INET;
use Test::More;

plan skip_all => 'haptics_osc is not built: liblo-dev is not installed'
    unless -e "$build/plugins/.libs/haptics_osc.so";
$ENV{HARDPOINT_LIBEXEC} = $build;

my $receiver = IO::Socket::INET->new(Proto => 'udp',
    LocalAddr => '127.0.0.1', LocalPort => 0) or die "no UDP port: $!\n";
my $port = $receiver->sockport;
my $ini = write_file("$dir/osc.ini", <<"END");
[plugins]
haptics = osc
[haptics]
effects = $dir/effects.ini
[haptics.osc]
target = 127.0.0.1:$port
prefix = /rig
actuators = low high audio
END
write_file("$dir/effects.ini", <<'END');
[haptics]
master = 1
gain.airframe = 1
[effect.long]
class = airframe
priority = 50
mode = oneshot
low = 0.5
audio = 1
frequency_hz = 42
hold_ms = 9000
END

# Messages of a datagram: [address, level, frequency, milliseconds].
sub messages {
    my ($bytes) = @_;
    if ($bytes =~ /^#bundle\0/) {
        my ($rest, @all) = (substr $bytes, 16);
        while (length $rest) {
            my $length = unpack 'N', $rest;
            push @all, messages(substr $rest, 4, $length);
            $rest = substr $rest, 4 + $length;
        }
        return @all;
    }
    my ($address) = unpack 'Z*', $bytes;
    my $types_at = (length($address) + 4) & ~3;
    my ($types) = unpack 'Z*', substr $bytes, $types_at;
    my $values_at = $types_at + ((length($types) + 4) & ~3);
    return [$address] if $types ne ',ffi';
    return [$address, unpack 'f> f> l>', substr $bytes, $values_at];
}

# What the receiver does now, as it heard it; levels by address.
my (%now, @heard);

sub hear {
    my ($seconds) = @_;
    return unless IO::Select->new($receiver)->can_read($seconds);
    $receiver->recv(my $bytes, 2000);
    for my $message (messages($bytes)) {
        my ($address, $level) = @$message;
        %now = (), next if $address eq '/rig/silence';
        $now{$address} = $level;
        push @heard, $message;
    }
}

sub moving {
    return grep { $now{$_} != 0 } sort keys %now;
}

sub felt {
    return wait_until(sub { hear(0.05); moving() == 2 });
}

sub silent {
    return wait_until(sub { hear(0.05); moving() == 0 });
}

sub fly {
    (%now, @heard) = ();
    return start_host('haptics', 'test', 'all', '--effect', 'long', $ini);
}

for my $how (qw(KILL STOP)) {
    my $host = fly();
    ok(felt(), "SIG$how: the effect arrives") or diag $host->err;
    is_deeply([moving()], ['/rig/audio', '/rig/low'], '... where it says');
    is($now{'/rig/low'}, 0.5, '... as strong as it says');
    my ($audio) = grep { $_->[0] eq '/rig/audio' && $_->[1] > 0 } @heard;
    is($audio->[2], 42, '... at its frequency');
    ok($audio->[3] > 0 && $audio->[3] <= 300, '... and says when it ends');
    $host->signal($how);
    ok(silent(), '... and the guardian ends it by zeros');
    $host->signal('KILL');
    $host->wait;
}

my $host = fly();
ok(felt(), 'SIGTERM: the effect arrives');
$host->signal('TERM');
ok(silent(), '... and the host ends it by itself');
isnt($host->wait, 'still there', '... and ends');
done_testing();
