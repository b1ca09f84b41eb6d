#!/usr/bin/perl
# The three missions on a pad, a shaker and an OSC receiver at once, in real
# time: for each of the sixteen cues, what effects.ini says it moves, and whether
# the pad, the sound and the receiver did so while it played. Prints the table of
# doc/haptics.md; exit status 1 when anything is missing. `make haptics-show`.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($build $dir $src free_port read_file start_host wait_until write_file);
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(max);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $cc = $ENV{CC} || 'cc';
my %seconds = (fight => 75, strike => 50, recovery => 22);
my $slack_s = 0.12; # a level may be felt so much after it was said
my $rate = 48000;

$ENV{HARDPOINT_LIBEXEC} = $build;
mkdir "$dir/plugins";
system("$cc -w -O1 -shared -fPIC -fvisibility=hidden `pkg-config --cflags sdl2` -I$src/abi "
    . "-o $dir/plugins/agent_pad.so $src/t/conform/pad_agent.c `pkg-config --libs sdl2`") == 0
    or die "the pad does not build\n";

# ---- what effects.ini says ----

my (%says, $effect);
for (split /\n/, read_file("$src/conf/effects.ini")) {
    $effect = $1 if /^\[effect\.(\w+)\]/;
    $says{$effect}{$1} = $2
        if defined $effect && /^(low|high|trigger_l|trigger_r|axis_x|axis_y|audio)\s*=\s*(\S+)/;
}

# ---- one mission, and what its far sides have ----

sub messages {
    my ($bytes) = @_;
    if ($bytes =~ /^#bundle\0/) {
        my ($rest, @all) = (substr $bytes, 16);
        while (length $rest > 4) {
            my $length = unpack 'N', $rest;
            push @all, messages(substr $rest, 4, $length);
            $rest = substr $rest, 4 + $length;
        }
        return @all;
    }
    my ($address) = unpack 'Z*', $bytes;
    my $types_at = (length($address) + 4) & ~3;
    my ($types) = unpack 'Z*', substr $bytes, $types_at;
    return if $types ne ',ffi';
    my $values = substr $bytes, $types_at + ((length($types) + 4) & ~3);
    return [$address =~ m{(\w+)$}, unpack 'f>', $values];
}

sub fly {
    my ($mission) = @_;
    my $at = "$dir/$mission";
    my $receiver = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1',
        LocalPort => 0) or die "no UDP port: $!\n";
    write_file("$at.asound", "pcm.nowhere { type null }\npcm.card { type file "
        . "slave.pcm nowhere file \"$at.raw\" format raw }\n");
    local $ENV{ALSA_CONFIG_PATH} = "$at.asound";
    my $host = start_host('run', "$src/conf/missions/$mission.ini", '--for',
        $seconds{$mission}, map { ('-s', $_) } 'net.port=' . free_port(),
        'plugins.haptics=sdl2, audio, osc, trace', 'plugins.agent=pad',
        "host.plugin_path=$dir/plugins", "agent.pad.file=$at.pad",
        "haptics.trace.file=$at.trace", 'haptics.audio.device=card',
        'haptics.audio.channels=1', 'haptics.audio.sleep_after_ms=0',
        'haptics.osc.target=127.0.0.1:' . $receiver->sockport,
        'haptics.osc.actuators=low high trigger_l trigger_r axis_x axis_y audio');
    return {name => $mission, at => $at, host => $host, receiver => $receiver, osc => []};
}

sub hear {
    my ($m) = @_;
    while (IO::Select->new($m->{receiver})->can_read(0)) {
        $m->{receiver}->recv(my $bytes, 2000);
        my $now = clock_gettime(CLOCK_MONOTONIC);
        push @{$m->{osc}}, [$now, @$_] for messages($bytes);
    }
}

# ---- judging ----

# The times at which a cue played, and when each actuator was told a level then.
sub windows {
    my ($m) = @_;
    my %windows;
    for (split /\n/, read_file("$m->{at}.trace")) {
        my $r = eval { decode_json($_) } or next;
        next if !$r->{effects} || !$r->{actuator} || $r->{level} == 0;
        push @{$windows{$_}{$r->{actuator}}}, $r->{t_ns} / 1e9
            for split /,/, $r->{effects};
    }
    return \%windows;
}

# [time, level] of each motor, by name, in order of time.
sub of_pad {
    my ($m) = @_;
    my %levels;
    for (split /\n/, read_file("$m->{at}.pad")) {
        my ($t_ns, @motors) = split;
        push @{$levels{$_}}, [$t_ns / 1e9, shift @motors]
            for qw(low high trigger_l trigger_r);
    }
    return \%levels;
}

sub of_osc {
    my ($m) = @_;
    my %levels;
    push @{$levels{$_->[1]}}, [$_->[0], $_->[2]] for @{$m->{osc}};
    return \%levels;
}

# Peaks of 10 ms of sound. The card has no clock that is told: its first sound is
# that of the first level that the trace has for it.
sub of_sound {
    my ($m, $first_s) = @_;
    my @samples = unpack 's<*', read_file("$m->{at}.raw");
    my (@levels, $start);
    my $step = $rate / 100;
    for (my $i = 0; $i + $step <= @samples; $i += $step) {
        my $peak = max map { abs } @samples[$i .. $i + $step - 1];
        $start //= $i / $rate if $peak > 0;
        push @levels, [$i / $rate, $peak];
    }
    $_->[0] += $first_s - ($start // 0) for @levels;
    return {audio => \@levels};
}

# Whether the newest level at some time of the window was one.
sub moved {
    my ($levels, $times) = @_;
    return 0 if !$levels || !$times;
    my ($at, $level) = (0, 0);
    for my $time (@$times) {
        while ($at < @$levels && $levels->[$at][0] <= $time + $slack_s) {
            $level = $levels->[$at][1] if $levels->[$at][1] != 0;
            return 1 if $level != 0 && $levels->[$at][0] >= $time - $slack_s;
            $at++;
        }
        $at = max(0, $at - 50);
    }
    return 0;
}

my @missions = map { fly($_) } sort keys %seconds;
wait_until(sub { hear($_) for @missions; !grep { !$_->{host}->has_ended } @missions },
    max(values %seconds) + 30);
my (%done, $missing);
for my $m (@missions) {
    die $m->{host}->err if $m->{host}->wait ne '0';
    my $windows = windows($m);
    my ($first) = sort { $a <=> $b } map { @{$_->{audio} // []} } values %$windows;
    my %far = (sdl2 => of_pad($m), osc => of_osc($m), audio => of_sound($m, $first));
    for my $cue (keys %$windows) {
        for my $actuator (keys %{$says{$cue}}) {
            my $times = $windows->{$cue}{$actuator};
            for my $backend (keys %far) {
                $done{$cue}{$backend}{$actuator} ||= moved($far{$backend}{$actuator}, $times)
                    ? $m->{name} : '';
            }
        }
    }
}
my %can = (sdl2 => [qw(low high trigger_l trigger_r)], audio => ['audio'],
    osc => [qw(low high trigger_l trigger_r axis_x axis_y audio)]);
print "| effect | felt in | sdl2 (virtual pad) | audio (sound) | osc (receiver) |\n|---|---|---|---|---|\n";
for my $cue (sort keys %says) {
    my (@cells, %in);
    for my $backend (qw(sdl2 audio osc)) {
        my @wanted = grep { $says{$cue}{$_} } @{$can{$backend}};
        my @cell;
        for my $actuator (@wanted) {
            my $mission = $done{$cue}{$backend}{$actuator};
            $in{$mission} = 1 if $mission;
            $missing++ if !$mission;
            push @cell, $mission ? $actuator : "**not $actuator**";
        }
        push @cells, join(', ', @cell) || '-';
    }
    printf "| `%s` | %s | %s |\n", $cue, join(', ', sort keys %in) || '**nowhere**',
        join ' | ', @cells;
}
exit($missing ? 1 : 0);
