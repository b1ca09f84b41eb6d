#!/usr/bin/perl
# Who may include whom, and which file alone names a library or the clock: the
# table of doc/architecture.md. Each rule is also shown to bite.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

# A name that only certain files may use in code.
my @names = (
    {
        what  => 'ENet',
        used  => qr/<enet\/|\benet_\w+\s*\(/,
        in    => qr/^(host|plugins)\//,
        only  => qr/^host\/(net|bench_enet)\.c$/,
        break => ['host/side.c', '#include <enet/enet.h>'],
    },
    {
        what  => 'inih',
        used  => qr/<ini\.h>|\bini_parse(_file|_stream|_string)?\s*\(/,
        in    => qr/^(host|plugins)\//,
        only  => qr/^plugins\/ini\//,
        break => ['host/config.c', '#include <ini.h>'],
    },
    {
        what  => 'dlopen',
        used  => qr/\bdl(m?open|sym|close|addr)\s*\(/,
        in    => qr/^(host|plugins)\//,
        only  => qr/^host\/(?:plugin|conform\/conform)\.c$/,
        break => ['host/run.c', 'void *p = dlopen("x", 0);'],
    },
    {
        what  => 'the clock',
        used  => qr/\b(clock_gettime|clock_nanosleep|nanosleep|gettimeofday|usleep|sleep)\s*\(/,
        in    => qr/^host\//,
        only  => qr/^host\/(?:clock|guardian_main|conform\/\w+)\.[ch]$/,
        break => ['host/tick.c', 'usleep(1000);'],
    },
    {
        what  => 'JSON of others',
        used  => qr/<jansson\.h>/,
        in    => qr/^(host|plugins)\//,
        only  => qr/^host\/compare\//,
        break => ['host/json.c', '#include <jansson.h>'],
    },
);

# The folders whose headers a file of a folder may include, first match wins.
my @folders = (
    { from => qr/^abi\//, to => qr/^abi$/, break => ['abi/hardpoint/x.h', '#include "ini.h"'] },
    {
        from  => qr/^plugins\/ini\//,
        to    => qr/^plugins\/ini$/,
        break => ['plugins/ini/ini.c', '#include <hardpoint/types.h>'],
    },
    {
        from  => qr/^plugins\/(wire|motion)\//,
        to    => qr/^(abi|plugins\/(wire|motion))$/,
        break => ['plugins/wire/bits.c', '#include "ini/ini.h"'],
    },
    {
        from  => qr/^plugins\/\w+\//,
        to    => qr/^(abi|plugins\/(wire|motion|ini)|own)$/,
        break => ['plugins/haptics/null.c', '#include "log.h"'],
    },
    {
        from  => qr/^host\//,
        to    => qr/^(abi|host|plugins\/(wire|ini)|own)$/,
        break => ['host/side.c', '#include "sim/flight.h"'],
    },
);

sub sources {
    my ($root) = @_;
    my @found = map { glob "$root/$_" } 'abi/hardpoint/*.h',
        'host/*.[ch]', 'host/*/*.[ch]', 'plugins/*/*.[ch]', 'plugins/*/*.cc';
    # A release has what builtin.sh made of the aircraft files among them.
    return grep { $_ ne 'plugins/sim/aircraft_builtin.c' }
        map { substr $_, length($root) + 1 } @found;
}

sub code_of {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    local $/;
    my $text = <$file>;
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s{//.*}{}g;
    return $text;
}

sub users_of {
    my ($root, $rule) = @_;
    return grep { $_ =~ $rule->{in} && $_ !~ $rule->{only}
            && code_of("$root/$_") =~ $rule->{used} } sources($root);
}

# The folder an include leads to: own, abi, host, plugins/X, or nothing where
# it is a header of the system.
sub folder_of {
    my ($root, $from, $quoted) = @_;
    return 'abi' if $quoted =~ /^hardpoint\//;
    return 'own' if -e "$root/" . dirname($from) . "/$quoted";
    return 'host' if -e "$root/host/$quoted";
    return "plugins/$1" if $quoted =~ /^(\w+)\/[\w.]+$/ && -d "$root/plugins/$1";
    return '';
}

sub trespasses_of {
    my ($root, $path) = @_;
    my ($rule) = grep { $path =~ $_->{from} } @folders;
    my @bad;
    return () unless $rule;
    my $code = code_of("$root/$path");
    while ($code =~ /^\s*#\s*include\s*(<|")([^>"]+)[>"]/mg) {
        my ($kind, $name) = ($1, $2);
        my $folder = folder_of($root, $path, $name);
        if ($folder eq 'own') {
            $folder = dirname($path) unless 'own' =~ $rule->{to};
        } elsif ($folder eq '') {
            $folder = $kind eq '"' ? 'nowhere' : 'system';
        }
        next if $folder =~ $rule->{to};
        next if $folder eq 'system'
            && ($path !~ /^abi/ || $name =~ /^std(int|def)\.h$/);
        push @bad, "$path includes $name";
    }
    return @bad;
}

sub trespasses {
    my ($root) = @_;
    return map { trespasses_of($root, $_) } sources($root);
}

# A tree of the headers that the breaks name, and one file that breaks a rule.
sub broken_tree {
    my ($path, $line) = @_;
    my $root  = tempdir(CLEANUP => 1);
    my %files = map { $_ => '' } qw(host/log.h plugins/ini/ini.h
        plugins/sim/flight.h plugins/haptics/own.h abi/hardpoint/types.h);
    $files{$path} = "/* $line */\n$line\n";
    for my $name (keys %files) {
        make_path("$root/" . dirname($name));
        open my $file, '>', "$root/$name" or die "$name: $!";
        print $file $files{$name};
        close $file or die "$name: $!";
    }
    return $root;
}

my $src = $ENV{HP_SRC} or die "HP_SRC is not set\n";
cmp_ok(scalar(sources($src)), '>', 10, 'there are sources to look at');
for my $rule (@names) {
    is_deeply([users_of($src, $rule)], [], "$rule->{what} is used where it belongs only");
    my ($path, $line) = @{ $rule->{break} };
    is_deeply([users_of(broken_tree($path, $line), $rule)], [$path], "... and a use in $path is found");
}
is_deeply([trespasses($src)], [], 'each folder includes what it may only');
for my $rule (@folders) {
    my ($path, $line) = @{ $rule->{break} };
    is(scalar(trespasses(broken_tree($path, $line))), 1, "... and a trespass in $path is found");
}
done_testing();
