#!/usr/bin/perl
# abi-gate.pl BASELINE.abi NEW.so: whether NEW keeps the contract of BASELINE.
#
# Exit status: 0 the same, or only members appended behind the old end of a
# struct, or types added; 1 anything else; 2 no answer; 77 abidiff is missing.
#
# abidiff alone cannot say this: its status is 4 for an appended member as for a
# reordered one, and a suppression of "inserted at the end" hides retyped
# members too. So its report is read, and each line of it must be a known
# harmless one.
use strict;
use warnings;

my ($baseline, $new) = @ARGV;
die "usage: abi-gate.pl BASELINE.abi NEW.so\n" unless defined $new;

sub answer {
    my ($status, @text) = @_;
    print @text;
    exit $status;
}

my $tool = $ENV{ABIDIFF} || 'abidiff';
answer(77, "abidiff is not installed (abigail-tools)\n")
    if system("command -v $tool >/dev/null 2>&1") != 0;
# Without debug information abidiff finds no difference at all.
my $sections = `readelf -SW '$new' 2>&1`;
answer(2, "$new: has no debug information, build it with -g\n")
    if $sections !~ /\.debug_info/;

my @report = `$tool --leaf-changes-only --no-show-locs '$baseline' '$new' 2>&1`;
my $status = $? >> 8;
answer(2, @report) if $? & 127 || $status & 3;
answer(1, @report) if $status & 8;
answer(0, "the same\n") if $status == 0;

# Offset behind which a member of the struct that is being read may stand.
my $old_end;
for (@report) {
    next if /^\s*$/ || /^Leaf changes summary: / || /^Changed leaf types summary: /;
    next if /^Removed\/Changed\/Added (functions|variables) summary: 0 Removed, 0 Changed, /;
    next if /^\d+ Added variables?:$/ || /^  \[A\] '/;
    next if /^  \d+ data member insertions?:$/;
    if (/^'struct \w+' changed:$/) {
        undef $old_end;
    } elsif (/^  type size changed from (\d+) to (\d+) \(in bits\)$/ && $2 > $1) {
        $old_end = $1;
    } elsif (/^    '.*', at offset (\d+) \(in bits\)$/
        && defined $old_end && $1 >= $old_end) {
        next;
    } else {
        answer(1, "not additive: $_", @report);
    }
}
answer(0, "additive\n");
