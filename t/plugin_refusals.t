#!/usr/bin/perl
# Every plugin that something is wrong with gets its own message, twice the
# same; nothing of it stays, and the next one is not blamed for it. The messages
# stand in t/data/plugin_refusals.txt.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}   or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $cc = $ENV{CC} || 'cc';
my $dir = tempdir(CLEANUP => 1);
my $loader = "$build/t/load_plugin";

my $sanitized = do {
    open my $h, '<', "$build/config.h" or die "config.h: $!\n";
    grep /^#define HP_SANITIZED/, <$h>;
};

sub compile {
    my ($name, @more) = @_;
    my $command = join ' ', $cc, '-w -shared -fPIC -fvisibility=hidden',
        "-I$src/abi -o $dir/$name.so", @more;
    return system($command) == 0;
}

# What the loader says, with the folder taken out of it.
sub loading {
    my ($file, @options) = @_;
    my $said = `$loader @options $dir/$file 2>&1`;
    my $status = $?;
    $said =~ s/\Q$dir\E\/?//g;
    return $status == 0 ? $said : "status $status: $said";
}

sub spew {
    my ($file, $bytes) = @_;
    open my $h, '>:raw', "$dir/$file" or die "$file: $!\n";
    print $h $bytes;
    close $h or die "$file: $!\n";
}

sub slurp {
    my ($path) = @_;
    open my $h, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$h>;
}

# Plugins that one source file makes.
my %special = map { $_ => 1 } qw(library needs_library entry_elsewhere);
# A plugin that stays mapped does its harm just once.
$special{float_state} = 1 if $sanitized;
my @plain = grep { !$special{$_} }
    map { m{([^/]+)\.c$} } sort glob "$src/t/bad/*.c";
for my $name (@plain) {
    compile($name, "$src/t/bad/$name.c") or BAIL_OUT("cannot compile $name.c");
}
# ... and those that take more.
my $libs = "-L$dir '-Wl,-rpath,\$ORIGIN'";
compile('libgone', '-DWITHOUT_TABLE', "$src/t/bad/library.c",
    '-fvisibility=default')
    && compile('needs_library', "$src/t/bad/needs_library.c", $libs, '-lgone')
    or BAIL_OUT('cannot compile needs_library.c');
unlink "$dir/libgone.so";
compile('libother', "$src/t/bad/library.c", '-fvisibility=default')
    && compile('entry_elsewhere', "$src/t/bad/entry_elsewhere.c", $libs,
    '-lother')
    or BAIL_OUT('cannot compile entry_elsewhere.c');
spew('not_elf.so', "#!/bin/sh\necho no\n");
my $whole = slurp("$dir/good.so");
spew('truncated.so', substr $whole, 0, length($whole) / 2);
mkdir "$dir/folder.so";

my @rows = (
    (map { ["$_.so"] } @plain, 'needs_library', 'entry_elsewhere', 'not_elf',
        'truncated', 'folder', 'absent'),
    ['good.so', '-k', 'haptics'],
    ['good.so', '-n', 'other'],
);
if (!$sanitized && compile('asan', '-fsanitize=address',
        "$src/t/bad/good.c")) {
    push @rows, ['asan.so'];
}

my %want;
{
    local $/ = '';
    open my $h, '<', "$src/t/data/plugin_refusals.txt"
        or die "plugin_refusals.txt: $!\n";
    while (my $block = <$h>) {
        next if $block =~ /^#/;
        my ($title, $text) = split /\n/, $block, 2;
        chomp $text;
        $text =~ s/\n+\z//;
        $want{$title} = $text;
    }
}

my (%seen, $all);
for my $row (@rows) {
    my $title = join ' ', @$row;
    my $said = loading(@$row);
    my $half = substr $said, 0, length($said) / 2;
    is($said, $half x 2, "$title: the second try is as the first");
    $half =~ s/([0-9a-f]+) to ([0-9a-f]+)\);/STATE to STATE);/;
    $half =~ s/\(\d{4,} bytes/(N bytes/;
    $half =~ s/\n\z//;
    is($half, $want{$title} // '', "$title: has its own message");
    $seen{ $half =~ s/^\S+\.so: |^\w+: \S+\.so: //r }++;
    $all .= "$title\n$half\n\n";
}
is_deeply([grep { $seen{$_} > 1 && !/^runs/ } sort keys %seen], [],
    'no two refusals are the same');
if (my $file = $ENV{HP_WRITE}) {
    open my $h, '>', $file or die "$file: $!\n";
    print $h $all;
}
done_testing();
