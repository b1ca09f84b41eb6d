#!/usr/bin/perl
# The rows of host/options.c are the one source: example file, manual, shipped
# configurations, environment, command line and parser agree with them.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);
my $hardpoint = "$build/hardpoint";

delete @ENV{grep { /^HARDPOINT_.*__/ || $_ eq 'HARDPOINT_CONFIG' } keys %ENV};

sub contents {
    my ($file) = @_;
    open my $h, '<', $file or return "(no file $file)";
    return join '', <$h>;
}

sub put {
    my ($file, $text) = @_;
    open my $h, '>', "$dir/$file" or die "$file: $!\n";
    print $h $text;
    close $h;
    return "$dir/$file";
}

# Exit status, standard output, standard error.
sub hardpoint {
    my (@arguments) = @_;
    my $out = `$hardpoint @arguments 2>$dir/err`;
    my $status = $? & 127 ? "signal $?" : $? >> 8;
    return ($status, $out, contents("$dir/err"));
}

# What `show` prints without the origins.
sub effect {
    my ($status, $out, $err) = hardpoint('show', @_);
    return "status $status: $err" if $status != 0;
    $out =~ s/\s+;.*$//mg;
    $out =~ s/^; .*\n//mg;
    return $out;
}

# "net.port" => "4776", from an INI file without continued lines.
sub keys_of {
    my ($text) = @_;
    my ($section, %keys) = ('');
    for (split /\n/, $text) {
        $section = $1 if /^\[(.*)\]/;
        $keys{"$section.$1"} = $2 if /^(\w+) =\s*(.*?)\s*(?: ;.*)?$/;
    }
    return %keys;
}

# ---- example file and manual ----

my ($status, $example) = hardpoint('show', '--example');
is($example, contents("$src/conf/hardpoint.ini"),
    'conf/hardpoint.ini is what `show --example` prints');
my %example = keys_of($example);
my $role = '-s host.role=server';    # needs the fewest plugins
my $empty = put('empty.ini', '');
my %shown = keys_of(effect($role, $empty));
is_deeply([sort grep { !/^\w+\.\w+\./ || /^net\.simulator\./ } keys %shown], [sort keys %example],
    '... and has every key of the host');
is(effect($role, "$src/conf/hardpoint.ini"), effect($role, $empty),
    '... and reading it changes nothing');
my @wide = grep { length > 80 } split /\n/, $example;
is("@wide", '', '... and fits 80 columns');

my ($manual) = contents("$src/doc/hardpoint.ini.5") =~ /^\.\\" begin\n(.*)^\.\\" end\n/ms;
my $man;
($status, $man) = hardpoint('show', '--man');
is($manual, $man, 'hardpoint.ini(5) is what `show --man` prints');
my %manual;
my $section;
for (split /\n/, $man) {
    $section = $1 if /^\.Ss \[(.*)\]/;
    $manual{"$section.$1"} = defined $2 ? $2 : '' if /^\.It Ic (\w+)(?: = (.*))?$/;
}
is_deeply(\%manual, \%example, '... and has every key with its default');

# ---- environment and command line ----

my (@flags, %environment);
for my $key (keys %example) {
    my ($in, $name) = $key =~ /(.*)\.(.*)/;
    push @flags, "-s '$key=$example{$key}'";
    $environment{'HARDPOINT_' . uc($in =~ tr/./_/r) . '__' . uc $name} = $example{$key};
}
my $out;
($status, $out) = hardpoint('show', @flags, $role, $empty);
is(scalar(() = $out =~ / ; -s$/mg), scalar keys %example,
    'each key can be set by -s');
{
    local @ENV{keys %environment} = values %environment;
    ($status, $out) = hardpoint('show', $role, $empty);
}
is(scalar(() = $out =~ / ; environment$/mg), scalar(keys %example) - 1,
    'each key can be set by the environment');
like($out, qr/^role = server +; -s$/m, '... which is weaker than -s');

# ---- show ----

my $other = put('other.ini', "[net]\nport = 5000\n[host]\nrole = server\n"
        . "[haptics.trace]\nfile = some/where.jsonl\n[log]\nlevel = debug\n");
($status, $out) = hardpoint('show', '-s net.clients_max=8', $other);
like($out, qr/^port = 5000 +; \Q$other\E:2:1$/m, 'show tells file, line and column');
like($out, qr/^clients_max = 8 +; -s$/m, '... the command line');
like($out, qr/^address = \S+ +; default$/m, '... and the default');
my $again = put('again.ini', $out);
is(effect($again), effect('-s net.clients_max=8', $other), '... and reads back as the same');
($status, $out) = hardpoint('show', put('bad.ini', "[net]\nport = 0\n"));
is("$status $out", '78 ', 'show prints nothing of a bad configuration');

# ---- the shipped configurations ----

for my $file (qw(server solo client)) {
    my $err;
    ($status, $out, $err) = hardpoint('check', "$src/conf/$file.ini");
    is("$status $err", '0 ', "conf/$file.ini has no problem");
    is($out, "$src/conf/$file.ini: ok\n", '... and check says so');
}
for my $file (qw(solo client)) {
    my $null = effect("$src/conf/$file.ini");
    my $trace = effect('-s plugins.haptics=trace', "$src/conf/$file.ini");
    $null =~ s/^haptics = null$/haptics = trace/m or fail('haptics = null is not there');
    my @sorted = map { join "\n", sort split /\n/ } $null, $trace;
    is($sorted[1], $sorted[0], "in $file.ini one word changes the haptics, and nothing else");
}
SKIP: {
    local $ENV{HOME} = $dir;
    delete local $ENV{XDG_CONFIG_HOME};
    ($status, $out) = hardpoint('check');
    skip 'this machine has a configuration of its own', 2 if $out !~ /built-in demo: ok$/;
    skip 'the build folder is not one of the tree', 2 if !-e "$build/../conf/effects.ini";
    my $demo = effect();
    s{ = \S*/conf/}{ = CONF/}g for $demo, my $solo = effect("$src/conf/solo.ini");
    is($demo, $solo, 'without any file a demo runs that is conf/solo.ini');
    local $ENV{HARDPOINT_CONFIG} = $other;
    is(effect(), effect($other), '... unless HARDPOINT_CONFIG names another');
}

# ---- check reads as far as run does ----

my $effects = contents("$src/conf/effects.ini");
$effects =~ s/^master\b/mastr/m or fail('master is not there');
put('effects.ini', $effects);
my $err;
($status, $out, $err) = hardpoint('check', "$src/conf/solo.ini",
    "-s haptics.effects=$dir/effects.ini");
is($status, 78, 'check finds the mistakes of an effects file');
like($err, qr{^\Q$dir\E/effects\.ini:\d+:1: .* did you mean "master"\?$}m, '... at their place');
($status, $out, $err) = hardpoint('check', "$src/conf/solo.ini", '-s sim.fligt.seed=1');
like($err, qr/^-s sim\.fligt\.seed=1: error: \[sim\.fligt\]: no sim plugin "fligt"/,
    'a section that only -s names is told as of -s');

# ---- the program's own words ----

my $help;
($status, $help) = hardpoint('--help');
is($status, 0, '--help is no error');
my @commands = $help =~ /^  (\w+) /mg;
cmp_ok(scalar @commands, '>', 2, '... and lists the commands');
my $manual_1 = contents("$src/doc/hardpoint.1");
for (@commands) {
    like($manual_1, qr/^\.It Ic $_\b/m, "hardpoint(1) has $_");
    ($status, $out) = hardpoint($_, '--help');
    is($status, 0, "... and `$_ --help` answers");
    like($out, qr/^usage: hardpoint $_/, '... with its usage');
    my $about = join '', $manual_1 =~ /^(\.It Ic $_\b.*?)(?=^\.It Ic |^\.Pp)/msg;
    for my $flag ($out =~ /^  +--([a-z-]+)/mg) {
        like($about, qr/\bFl -$flag\b/, "... and hardpoint(1) has its --$flag")
            if $flag ne 'help';
    }
}
my $word;
($status, $word) = hardpoint('help');
is($word, $help, '`hardpoint help` is --help');
($status, $out, $err) = hardpoint('chekc');
is($status, 64, 'an unknown command is a usage error');
like($err, qr/^hardpoint: did you mean "check"\?$/m, '... with the nearest one');
for (qw(check show run)) {
    ($status, $out, $err) = hardpoint($_, '--hlep');
    is($status, 64, "an unknown flag of $_ is a usage error");
    like($err, qr/found the unknown option --hlep, .* did you mean --help\?$/,
        '... with the nearest one');
}
($status, $out, $err) = hardpoint('run', put('bad.ini', "[net]\nport = 0\n"));
is($status, 78, 'run starts nothing from a bad configuration');
like($err, qr/bad\.ini:2:8: error: \[net\] port: found "0"/, '... and says why');
for ('check a b', 'check -s', 'check --help=x', 'check -x', '-x check') {
    ($status, $out, $err) = hardpoint($_);
    is($status, 64, "`hardpoint $_` is a usage error");
    like($err, qr/found .* expected /, '... and told');
}
my $helper = put('hardpoint-greet', "#!/bin/sh\necho \"\$@\"\nexit 1\n");
chmod 0755, $helper;
{
    local $ENV{HARDPOINT_LIBEXEC} = $dir;
    ($status, $out) = hardpoint('greet', 'one', '--two');
}
is("$status $out", "1 one --two\n", 'any other command is a program hardpoint-NAME');
($status, $out, $err) = hardpoint('greet');
is($status, 64, '... and without one a usage error');
($status, $out) = hardpoint('--version');
like($out, qr/^hardpoint \d+\.\d+\.\d+$/, '--version tells the version');

SKIP: {
    skip 'mandoc is not installed', 1 if system('command -v mandoc >/dev/null') != 0;
    $out = `mandoc -T lint -W warning $src/doc/hardpoint.1 $src/doc/hardpoint-aircraft.1 $src/doc/hardpoint.ini.5 2>&1`;
    is($out, '', 'the manual pages are clean');
}

done_testing();
