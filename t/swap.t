#!/usr/bin/perl
# Another backend while the host runs: edit the INI, send HUP. What plays goes
# on where the file says, the old one is told zero, and a mistake changes
# nothing. The verdict is what each backend's far side has.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hardpoint qw($build $dir $src free_port read_file start_host wait_until
    write_file);
use JSON::PP;
use Test::More;

my $port = free_port();

# The INI with other lines of [plugins] haptics and sections of its own.
sub configure {
    my ($haptics, $sections) = @_;
    return write_file("$dir/x.ini", <<"END");
[host]
role = solo
[net]
port = $port
[plugins]
cues = probe
haptics = $haptics
[cues.probe]
every_ms = 100
[haptics]
effects = $src/conf/effects.ini
[metrics]
json = $dir/metrics.json
[log]
level = info
$sections
END
}

sub trace_to { return "[haptics.trace]\nfile = $dir/$_[0].jsonl\n" }

# The levels of a file by actuator, newest last.
sub levels {
    my ($name) = @_;
    my %levels;
    for my $line (split /\n/, read_file("$dir/$name.jsonl")) {
        my $record = eval { decode_json($line) } or next;
        push @{$levels{$record->{actuator}}}, $record->{level}
            if defined $record->{actuator} && defined $record->{level};
    }
    return \%levels;
}

sub plays {
    my ($name, $more_than) = @_;
    return wait_until(sub {
        my $levels = levels($name);
        my $moved = 0;
        $moved += grep { $_ != 0 } @$_ for values %$levels;
        return $moved > ($more_than // 0);
    }, 10);
}

sub is_left_silent {
    my ($name) = @_;
    my $levels = levels($name);
    my @on = grep { $levels->{$_}[-1] != 0 } sort keys %$levels;
    return is("@on", '', "... and $name is left with nothing on");
}

my $ini = configure('trace', trace_to('a'));
my $host = start_host('run', '--quiet', $ini);
ok(plays('a'), 'the first backend plays') or diag $host->err;

sub hup {
    my ($what) = @_;
    my $before = () = $host->err =~ /$what/g;
    $host->signal('HUP');
    return wait_until(sub {
        my $now = () = $host->err =~ /$what/g;
        return $now > $before;
    }, 10);
}

# Another parameter of the same plugin.
configure('trace', trace_to('b'));
ok(hup(qr/reload: done/), 'HUP with another file is taken') or diag $host->err;
ok(plays('b'), '... and what plays goes on there') or diag $host->err;
is_left_silent('a');

# Another plugin, which had no section before.
configure('null', '');
ok(hup(qr/reload: done/), 'HUP with another plugin is taken') or diag $host->err;
is_left_silent('b');

# Two at once, one of them back again.
configure('trace, null', trace_to('c'));
ok(hup(qr/reload: done/), 'HUP with two plugins is taken') or diag $host->err;
ok(plays('c'), '... and plays on the one that is back');

# A role, in force without the backend being touched.
configure('trace, null', trace_to('c') . "[rig.seat]\nbackend = null\n");
ok(hup(qr/reload: done/), 'HUP with a role is taken') or diag $host->err;
ok(wait_until(sub { !grep { $_->[-1] != 0 } values %{levels('c')} }, 10),
    '... and what no role takes falls silent');
my $moved = scalar map { @$_ } values %{levels('c')};
configure('trace, null', trace_to('c'));
$host->signal('HUP');
ok(plays('c', $moved), '... and HUP without it plays again, in the same file');

# Mistakes.
my @mistakes = (
    ['nosuch', '', qr/reload: refused.*haptics.*nosuch/],
    ['trace', "[haptics.trace]\nfile = $dir/no/such/folder/x\n",
        qr/does not start: cannot write .*\n.*reload: refused/],
    ['trace', "[haptics.trace]\nfil = x\n", qr/reload: refused.*did you mean "file"/],
    ['trace', "[rig.pad]\nbackend = sdl2\n", qr/reload: refused.*expected a plugin that/],
);
for my $mistake (@mistakes) {
    my ($haptics, $sections, $what) = @$mistake;
    my $before = scalar map { @$_ } values %{levels('c')};
    configure($haptics, $sections);
    ok(hup($what), "a mistake is refused: $what") or diag $host->err;
    ok(wait_until(sub { $before < map { @$_ } values %{levels('c')} }, 10),
        '... and the old backend plays on');
}

# Again and again.
for my $round (1 .. 10) {
    configure($round % 2 ? 'null' : 'trace', $round % 2 ? '' : trace_to("r$round"));
    ok(hup(qr/reload: done/), "round $round") or diag $host->err;
    ok(plays("r$round"), '... plays') if $round % 2 == 0;
}
ok(wait_until(sub {
    my $metrics = eval { decode_json(read_file("$dir/metrics.json")) };
    return $metrics && $metrics->{haptics}{swaps} >= 13;
}, 10), 'the metrics count the swaps') or diag read_file("$dir/metrics.json");
note 'longest silence of a swap: ',
    decode_json(read_file("$dir/metrics.json"))->{haptics}{swap_us_max}, ' us';
is($host->end('TERM'), 0, 'the host ends well') or diag $host->err;
is_left_silent($_) for qw(c r2 r4 r6 r8 r10);
unlike($host->err, qr/no sign of the client|dropped|budget/, 'no tick was late for it');
done_testing();
