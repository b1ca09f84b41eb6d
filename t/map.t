#!/usr/bin/perl
# The pages that show the way name what exists: each folder, each file, each
# package.
use strict;
use warnings;
use Test::More;

my $src = $ENV{HP_SRC} or die "HP_SRC is not set\n";

sub text_of {
    my ($name) = @_;
    open my $file, '<', "$src/$name" or die "$name: $!";
    local $/;
    return scalar <$file>;
}

# Folders of sources, two levels deep; what the build makes is not of the tree.
sub folders {
    my @found = map { glob "$src/$_/ $src/$_/*/" } qw(abi host plugins conf doc t);
    s{^\Q$src\E/}{} for @found;
    return sort grep { !m{/\.|^abi/$|^plugins/$} } @found;
}

sub without {
    my ($all, $some) = @_;
    my %some = map { $_ => 1 } @$some;
    return grep { !$some{$_} } @$all;
}

my $page = text_of('doc/architecture.md');
my ($map) = $page =~ /^## The map\n+```\n(.*?)^```/ms;
my @mapped = grep { $_ ne 'build-aux/' } $map =~ m{^([\w/-]+/) }mg;

is_deeply([without([folders()], \@mapped)], [], 'every folder is on the map');
is_deeply([grep { !-d "$src/$_" } @mapped], [], 'every folder of the map exists');

for my $name ('README.md', map { substr $_, length("$src/") } glob "$src/doc/*.md") {
    my @files = text_of($name) =~ m{`((?:abi|host|plugins|conf|doc|t)/[\w./-]+)`}g;
    # What a build makes lies elsewhere.
    @files = grep { !m{/\.libs} } @files;
    is_deeply([grep { !-e "$src/$_" } @files], [], "every file that $name names exists");
    my @links = grep { !/^\w+:/ } text_of($name) =~ m{\]\(([^)#]+)}g;
    my $beside = $name =~ m{^doc/} ? 'doc/' : '';
    is_deeply([grep { !-e "$src/$beside$_" } @links], [], "every page that $name links to exists");
}

my @packages = text_of('packages.txt') =~ /^(\w+\s+\S+)/mg;
s/\s+/ / for @packages;
my ($reasons) = $page =~ /^\| package \| group(.*?)^$/ms;
my @reasons = map { /^\| (\S+) \| (\w+) \|/ ? "$2 $1" : () } split /\n/, $reasons;
is_deeply([sort @reasons], [sort @packages], 'every package has its reason');

done_testing();
