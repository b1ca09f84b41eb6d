#!/usr/bin/perl
# A pad, a shaker and another program at once, in one host: each of the sixteen
# effects of effects.ini, played by itself, is felt at all three, on the motors,
# at the tone and as strong as the file says. Judged by the pad's driver, the
# card's file and the receiver.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($build $dir $src read_file run_host write_file);
use IO::Select;
use IO::Socket::INET;
use Test::More;

for (qw(sdl2 audio osc)) {
    plan skip_all => "haptics_$_ is not built: its library is not installed"
        unless -e "$build/plugins/.libs/haptics_$_.so";
}
my $cc = $ENV{CC} || 'cc';
my $pad_so = "$dir/pad.so";
my $sdl = `pkg-config --cflags --libs sdl2`;
chomp $sdl;
plan skip_all => "a sanitized host takes nothing that is loaded before it"
    if `nm '$build/hardpoint'` =~ /__asan_init/;
is(system("$cc -shared -fPIC -o '$pad_so' '$src/t/haptics_three.c' $sdl"), 0,
    'the virtual pad is built');

$ENV{HARDPOINT_LIBEXEC} = $build;
$ENV{THREE_PAD} = "$dir/pad.txt";
$ENV{ALSA_CONFIG_PATH} = write_file("$dir/asound.conf", <<"END");
pcm.nowhere { type null }
pcm.card { type file slave.pcm nowhere file "$dir/heard.raw" format raw }
END
my $receiver = IO::Socket::INET->new(Proto => 'udp',
    LocalAddr => '127.0.0.1', LocalPort => 0) or die "no UDP port: $!\n";
$receiver->setsockopt(SOL_SOCKET, SO_RCVBUF, 1 << 20);
my $port = $receiver->sockport;
my $ini = write_file("$dir/three.ini", <<"END");
[plugins]
haptics = sdl2, audio, osc
[haptics]
effects = $src/conf/effects.ini
[haptics.audio]
device = card
[haptics.osc]
target = 127.0.0.1:$port
END

# ---- what the file says ----

my (%effects, %common, %curves, $at);
for (split /\n/, read_file("$src/conf/effects.ini")) {
    if (/^\[(.*)\]/) {
        $at = $1 =~ /^effect\.(\w+)$/ ? ($effects{$1} = {})
            : $1 =~ /^curve\.kind\.(\w+)$/ ? ($curves{$1} = {}) : \%common;
    } elsif (/^([\w.]+)\s*=\s*(.*?)\s*$/) {
        $at->{$1} = $2;
    }
}
is(scalar keys %effects, 16, 'effects.ini has sixteen effects');

# A motor's range is the curve's, and its start the curve's kick; without a
# curve the device says from where on it is felt: SDL's motors from 0.3.
sub on_motor {
    my ($motor, $level, $minimum) = @_;
    my $curve = $curves{$motor} // {};
    my ($from, $to) = ($curve->{min} // $minimum, $curve->{full} // 1);
    return $curve->{kick} // $from + ($to - $from) * $level;
}

sub wrong {
    my ($felt, $expected) = @_;
    return [map { sprintf '%s: %.3f, not %.3f', $_, $felt->{$_} // 0, $expected->{$_} }
        grep { abs(($felt->{$_} // 0) / $expected->{$_} - 1) > 0.05 } sort keys %$expected];
}

# ---- what was felt: the most of each actuator ----

sub pad_felt {
    my %most = map { $_ => 0 } qw(low high trigger_l trigger_r);
    my %last;
    for (split /\n/, read_file($ENV{THREE_PAD})) {
        my ($what, @levels) = split / /;
        my @names = $what eq 'rumble' ? qw(low high) : qw(trigger_l trigger_r);
        for (0, 1) {
            my ($name, $level) = ($names[$_], $levels[$_] / 65535);
            $last{$name} = $level;
            $most{$name} = $level if $level > $most{$name};
        }
    }
    return (\%most, [grep { $last{$_} } sort keys %last]);
}

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
    return [$address] if $types ne ',ffi';
    return [$address, unpack 'f> f> l>',
        substr $bytes, $types_at + ((length($types) + 4) & ~3)];
}

sub osc_felt {
    my (%most, %last, %tones);
    while (IO::Select->new($receiver)->can_read(0)) {
        $receiver->recv(my $bytes, 2000);
        for (messages($bytes)) {
            my ($address, $level, $hz) = @$_;
            %last = (), next if $address eq '/hardpoint/silence';
            my $name = $address =~ s{^/hardpoint/}{}r;
            $last{$name} = $level;
            $most{$name} = $level if $level > ($most{$name} // 0);
            $tones{$hz} = 1 if $name eq 'audio' && $level > 0;
        }
    }
    return (\%most, [grep { $last{$_} } sort keys %last], [sort keys %tones]);
}

# The most of either channel, and the last sample of both.
sub card_felt {
    my @samples = unpack 's<*', read_file("$dir/heard.raw");
    my @most = (0, 0);
    for my $i (0 .. $#samples) {
        my $level = abs($samples[$i]) / 32767;
        $most[$i & 1] = $level if $level > $most[$i & 1];
    }
    return (\@most, [@samples[-2, -1]]);
}

# ---- each effect ----

for my $name (sort keys %effects) {
    my $e = $effects{$name};
    my $gain = $common{master} * $common{"gain.$e->{class}"} * ($e->{gain} // 1);
    unlink $ENV{THREE_PAD}, "$dir/heard.raw";
    local $ENV{LD_PRELOAD} = $pad_so;
    my ($status, $out, $err) = run_host('haptics', 'test', 'all', '--effect', $name, $ini);
    delete $ENV{LD_PRELOAD};
    is($status, 0, "$name is played") or diag($err);

    my ($pad, $pad_left) = pad_felt();
    my ($osc, $osc_left, $tones) = osc_felt();
    my ($card, $card_left) = card_felt();
    my @motors = grep { $e->{$_} } qw(low high trigger_l trigger_r);
    is_deeply([grep { $pad->{$_} } sort keys %$pad], [sort @motors],
        '... by the motors of the pad that it names');
    is_deeply([grep { $osc->{$_} } sort keys %$osc], [sort 'audio', @motors],
        '... by the receiver, on the same actuators');
    my %expected = map { $_ => on_motor($_, $gain * $e->{$_}, 0.3) } @motors;
    is_deeply(wrong($pad, \%expected), [], '... the pad as strong as the file says');
    %expected = map { $_ => on_motor($_, $gain * $e->{$_}, 0) } @motors;
    $expected{audio} = $gain * $e->{audio};
    is_deeply(wrong($osc, \%expected), [], '... and so the receiver');
    is_deeply($tones, [0 + $e->{frequency_hz}], '... at the tone it says');
    for (0, 1) {
        cmp_ok(abs($card->[$_] / ($gain * $e->{audio}) - 1), '<', 0.1,
            "... by channel $_ of the card, as loud as it says") or diag($card->[$_]);
    }
    is_deeply([@$pad_left, @$osc_left], [], '... and nothing stays on');
    is_deeply($card_left, [0, 0], '... nor sounds on');
}
done_testing();
