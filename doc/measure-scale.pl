#!/usr/bin/perl
# The figures of doc/performance.md, taken here and now. Run by
#
#     make measure-scale    the table: how many clients, at which tick rate
#     make bench-scale      the ratio to bare ENet, in alternating runs
#
# Options: --seconds N of each run, --runs N (the quietest counts; of pairs, the
# median), --clients LIST, --patterns LIST, --light, --into FILE (replaces what
# stands between the file's markers). The machine should have nothing else to
# do; a run beside other work is marked.
use strict;
use warnings;
use Getopt::Long;
use IO::Socket::INET;
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX qw(sysconf _SC_CLK_TCK strftime);
use Time::HiRes qw(sleep time);

my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set: run this by make\n";
my $hardpoint = "$build/hardpoint";
my $dir = tempdir(CLEANUP => 1);
my %children;

my ($seconds, $runs, $clients, $patterns, $light, $into) = (15, 3, '', '', 0, '');
GetOptions('seconds=f' => \$seconds, 'runs=i' => \$runs, 'clients=s' => \$clients,
    'patterns=s' => \$patterns, 'light' => \$light, 'into=s' => \$into)
    && @ARGV == 1 && $ARGV[0] =~ /^(table|ratio)$/
    or die "usage: measure-scale.pl table|ratio [--seconds N] [--runs N] [--clients LIST]"
    . " [--patterns LIST] [--light] [--into FILE]\n";
my $what = $ARGV[0];

my $ramp_s = 1;
my $quiet  = 0.15; # cores that others may take

# The peer (see the page): tick rate, tick mean / p95 / p99 ms, KB/s, cores.
my %peer = (
    'weave 32'  => [60.0, '1.9 / 2.6 / 3.3',    47.5, 0.13],
    'weave 64'  => [60.0, '5.1 / 6.7 / 8.6',    66,   0.33],
    'weave 128' => [59.9, '10.7 / 16.4 / 18.5', 66.4, 0.76],
    'weave 192' => [44.8, '18.4 / 28.5 / 31.5', 49,   0.98],
    'weave 256' => [30.2, '24.6 / 40.2 / 44.5', 31,   0.98],
    'idle 128'  => [59.9, '6.9 / 9.5 / 10.4',   65,   0.47],
    'idle 192'  => [59.9, '10.6 / 14.6 / 16.9', 66,   0.86],
    'idle 256'  => [51.1, '16.6 / 23.1 / 25.5', 50,   1.03],
);

END { local $?; kill TERM => keys %children; waitpid $_, 0 for keys %children }
$SIG{INT} = $SIG{TERM} = sub { exit 1 };

sub free_port {
    return IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')->sockport;
}

sub spawn {
    my ($out, @command) = @_;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        open STDOUT, '>', $out;
        open STDERR, '>&', \*STDOUT;
        exec @command or die "$command[0]: $!\n";
    }
    $children{$pid} = 1;
    return $pid;
}

sub text_of {
    my ($file) = @_;
    open my $h, '<', $file or return '';
    local $/;
    return scalar <$h>;
}

sub json_of { return decode_json(text_of($_[0])) }

# CPU seconds of a process, and when that was.
sub cpu_of {
    my ($pid) = @_;
    my @stat = split ' ', text_of("/proc/$pid/stat") =~ s/.*\) //r;
    return (($stat[11] + $stat[12]) / sysconf(_SC_CLK_TCK), time);
}

# The server's cores within the measured part, its metrics and the swarm's report.
sub fly {
    my ($pattern, $count) = @_;
    my $port = free_port();
    my ($metrics, $report) = ("$dir/metrics.json", "$dir/swarm.json");
    unlink $metrics, $report;
    my $server = spawn("$dir/server.out", $hardpoint, 'run', '--quiet',
        map { ('-s', $_) } 'host.role=server', "net.port=$port", "net.clients_max=$count",
        'host.entities_max=' . ($count + 64), "metrics.json=$metrics", 'log.level=error');
    sleep 0.1 until -e $metrics || !kill 0, $server;
    my $swarm = spawn("$dir/swarm.out", $hardpoint, 'swarm', "127.0.0.1:$port",
        '--clients', $count, '--pattern', $pattern, '--duration', $seconds,
        '--ramp', $ramp_s, '--json', $report, '--server-metrics', $metrics,
        $light ? '--light' : ());
    sleep $ramp_s + 1.5; # joined and settled
    my ($from_s, $from) = cpu_of($server);
    sleep $seconds - 1;
    my ($to_s, $to) = cpu_of($server);
    waitpid $swarm, 0;
    delete $children{$swarm};
    die "the swarm failed:\n", text_of("$dir/swarm.out") if $?;
    kill TERM => $server;
    waitpid $server, 0;
    delete $children{$server};
    my $r = json_of($report);
    $r->{server_cores} = ($to_s - $from_s) / ($to - $from);
    # What the machine did besides both.
    $r->{others} = ($r->{setup}{foreign_cores} // 9) - $r->{server_cores};
    return $r;
}

sub machine {
    my ($r) = @_;
    return sprintf '%s, %s, %d cores, ENet %s, %s%s',
        strftime('%Y-%m-%d', gmtime), @{ $r->{setup} }{qw(cpu cores enet_version)},
        $r->{setup}{kernel}, $light ? ', light clients' : '';
}

sub row {
    my ($pattern, $count, $r) = @_;
    my $peer = $peer{"$pattern $count"} // [('') x 4];
    my $tick = $r->{server}{tick_ms};
    my $ours = sprintf '%s%s | %d | %.1f | %.1f / %.1f / %.1f | %.1f | %.2f | %.2f',
        $pattern, $r->{others} > $quiet ? ' (not quiet)' : '', $count,
        $r->{observed_tick_hz}{min}, @$tick{qw(mean p95 p99)},
        $r->{downstream_payload_bytes_per_s}{mean} / 1000, $r->{server_cores},
        $r->{harness}{cpu_cores};
    my $lost = $r->{clients}{asked} - $r->{clients}{connected} + $r->{clients}{dropped};
    return "| $ours | $lost | $r->{corrections} | " . join(' | ', @$peer) . " |\n";
}

sub table {
    my @lines;
    for my $pattern (split /,/, $patterns || 'weave,idle') {
        my $default = $pattern eq 'idle' ? '128,192,256' : '32,64,128,192,256';
        for my $count (split /,/, $clients || $default) {
            my @results = sort { $a->{others} <=> $b->{others} }
                map { fly($pattern, $count) } 1 .. $runs;
            unshift @lines, machine($results[0]) . ", $seconds s, the quietest of $runs\n\n"
                . "| pattern | clients | tick rate seen (min) | tick mean / p95 / p99 ms | KB/s per client"
                . " | server cores | swarm cores | lost | corrections"
                . " | peer: tick rate | mean / p95 / p99 ms | KB/s | cores |\n"
                . '|---|---|---|---|---|---|---|---|---|---|---|---|---|' . "\n"
                unless @lines;
            push @lines, row($pattern, $count, $results[0]);
            print STDERR $lines[-1];
        }
    }
    return join '', @lines;
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return $sorted[$#sorted / 2];
}

# Each pair is a swarm and then bare ENet with the sizes that the swarm had.
sub ratio {
    my $text = '';
    for my $count (split /,/, $clients || '64,128') {
        my (@ours, @bare, @ratio, $machine);
        for (1 .. $runs) {
            my $r = fly($patterns || 'weave', $count);
            my $hz = $r->{setup}{tick_rate_hz};
            my @sizes = map { int($r->{$_}{mean} / $hz + 0.5) }
                qw(downstream_payload_bytes_per_s upstream_payload_bytes_per_s);
            my $enet = spawn("$dir/bare.out", $hardpoint, 'bench-enet', '--clients', $count, '--duration', $seconds,
                '--snapshot-bytes', $sizes[0], '--input-bytes', $sizes[1], '--json', "$dir/bare.json");
            waitpid $enet, 0;
            delete $children{$enet};
            die "bench-enet failed:\n", text_of("$dir/bare.out") if $?;
            my $bare = json_of("$dir/bare.json");
            push @ours, $r->{server_cores};
            push @bare, $bare->{server_cores};
            push @ratio, $r->{server_cores} / $bare->{server_cores};
            $machine //= machine($r) . ", $seconds s, $runs pairs\n\n"
                . "| clients | bytes out / in | server cores | bare ENet cores | ratio (median) | of each pair |\n"
                . "|---|---|---|---|---|---|\n";
            $text = $machine unless $text;
            next unless @ratio == $runs;
            $text .= sprintf "| %d | %d / %d | %.3f | %.3f | %.2f | %s |\n", $count, @sizes,
                median(@ours), median(@bare), median(@ratio), join ', ', map { sprintf '%.2f', $_ } @ratio;
        }
    }
    return $text;
}

sub put_into {
    my ($file, $text) = @_;
    my $page = text_of($file);
    $page =~ s/(<!-- begin $what -->\n).*?(<!-- end $what -->)/$1\n$text\n$2/s
        or die "$file has no markers for $what\n";
    open my $h, '>', $file or die "$file: $!\n";
    print $h $page;
    close $h or die "$file: $!\n";
}

my $text = $what eq 'table' ? table() : ratio();
print $text;
put_into($into, $text) if $into;
