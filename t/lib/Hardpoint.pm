# Hardpoint as its users meet it: the built program, run from a test script.
#
#     my ($status, $out, $err) = run_host('check', 'x.ini');
#     my $host = start_host('run', "$src/conf/server.ini", port());
#     $host->says(qr/joins as client/) or die;
#     is($host->end('TERM'), 0);
#
# Every host that is still there at the end of the script is killed. A wait is
# generous, since it ends as soon as what it waits for has come.
package Hardpoint;
use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use POSIX qw(:sys_wait_h);
use Time::HiRes qw(sleep time);

our @EXPORT = qw($src $build $dir free_port write_file read_file run_host
    start_host wait_until);

our $src   = $ENV{HP_SRC}   or die "HP_SRC is not set\n";
our $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
our $dir   = tempdir(CLEANUP => 1);

# Only what a test asks for configures its hosts.
delete @ENV{grep { /^HARDPOINT_.*__|^HARDPOINT_CONFIG$/ } keys %ENV};

# Slow tools (valgrind, sanitizers, a busy machine) take their time.
my $patience_s = 30;
my @started;

# A UDP port of 127.0.0.1 that was free just now.
sub free_port {
    my $socket = IO::Socket::INET->new(Proto => 'udp',
        LocalAddr => '127.0.0.1', LocalPort => 0) or die "no UDP port: $!\n";
    return $socket->sockport;
}

sub write_file {
    my ($name, $text) = @_;
    open my $h, '>', $name or die "$name: $!\n";
    print $h $text;
    close $h or die "$name: $!\n";
    return $name;
}

sub read_file {
    my ($name) = @_;
    open my $h, '<', $name or return '';
    local $/;
    return scalar(<$h>) // '';
}

# Asks `$check` until it is true, and returns that; '' when patience is over.
sub wait_until {
    my ($check, $seconds) = @_;
    my $until = time + ($seconds // $patience_s);
    while (time < $until) {
        my $answer = $check->();
        return $answer if $answer;
        sleep 0.01;
    }
    return '';
}

sub start_host {
    my (@arguments) = @_;
    my $number = @started;
    my $self = bless {out => "$dir/out.$number", err => "$dir/err.$number"};
    $self->{pid} = fork // die "fork: $!\n";
    if ($self->{pid} == 0) {
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>', $self->{out} or die "$self->{out}: $!\n";
        open STDERR, '>', $self->{err} or die "$self->{err}: $!\n";
        exec "$build/hardpoint", @arguments;
        die "$build/hardpoint: $!\n";
    }
    push @started, $self;
    return $self;
}

# Exit status (or "signal N"), standard output, standard error.
sub run_host {
    my $host = start_host(@_);
    my $status = $host->wait;
    return ($status, $host->out, $host->err);
}

sub out { return read_file($_[0]{out}) }
sub err { return read_file($_[0]{err}) }

# Waits until standard error has what `$what` matches; 1 or ''.
sub says {
    my ($self, $what, $seconds) = @_;
    return wait_until(sub { $self->err =~ $what || $self->has_ended },
        $seconds) && $self->err =~ $what;
}

sub has_ended {
    my ($self) = @_;
    if (!defined $self->{status} && waitpid($self->{pid}, WNOHANG)) {
        $self->{status} = WIFSIGNALED($?) ? 'signal ' . WTERMSIG($?)
            : WEXITSTATUS($?);
    }
    return defined $self->{status};
}

# The exit status, "signal N", or "still there" when patience is over.
sub wait {
    my ($self, $seconds) = @_;
    return $self->{status} if wait_until(sub { $self->has_ended }, $seconds);
    $self->signal('KILL');
    return 'still there';
}

sub signal {
    my ($self, $name) = @_;
    kill $name, $self->{pid} unless defined $self->{status};
    return;
}

sub end {
    my ($self, $name) = @_;
    $self->signal($name);
    return $self->wait;
}

END {
    my $status = $?;
    for my $host (@started) {
        next if $host->has_ended;
        $host->signal('KILL');
        waitpid $host->{pid}, 0;
    }
    $? = $status;
}

1;
