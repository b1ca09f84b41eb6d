#!/usr/bin/perl
# abi-manifest.pl manifest|anchor FOLDER: reads FOLDER/hardpoint/*.h and prints
#
#   manifest  every struct with each member's type, offset and size, every enum
#             value and every macro without arguments, a line each. The numbers
#             are the compiler's ($CC).
#   anchor    C source that exports one pointer for each public type, so that
#             abidw sees also those that plugins reach through void * alone.
#
# It knows the form in which the headers are written, and dies at another.
use strict;
use warnings;
use File::Temp qw(tempdir);

my ($mode, $folder) = @ARGV;
die "usage: abi-manifest.pl manifest|anchor FOLDER\n"
    unless defined $folder && $mode =~ /^(manifest|anchor)$/;

# One line of blanks each, no blank next to a bracket or after a star.
sub tidy {
    my ($text) = @_;
    $text =~ s/\s+/ /g;
    $text =~ s/\s*([(),\[\]])\s*/$1/g;
    $text =~ s/,/, /g;
    $text =~ s/(\w)\(\*/$1 (*/g;
    $text =~ s/\* (?=\()/*/g;
    $text =~ s/^ | $//g;
    return $text;
}

# [name, type as text] of one member's declaration.
sub member {
    my ($text, $struct) = @_;
    $text = tidy($text);
    return [$2, "$1(*)$3"] if $text =~ /^(.*?)\(\*(\w+)\)(\(.*\))$/;
    return [$2, tidy("$1$3")] if $text =~ /^(.*?[\s*])(\w+)((?:\[\w+\])*)$/;
    die "struct $struct: cannot read the member \"$text\"\n";
}

my (@structs, @enums, @macros);
for my $file (sort glob "$folder/hardpoint/*.h") {
    open my $h, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$h> };
    $text =~ s{/\*.*?\*/}{ }gs;
    $text =~ s/\\\n/ /g;
    while ($text =~ /^#\s*define\s+(HP_\w+)[ \t]+(\S.*?)\s*$/mg) {
        push @macros, [$1, tidy($2)];
    }
    $text =~ s/^#.*$//mg;
    while ($text =~ /\b(struct|enum)\s+(hp_\w+)\s*\{(.*?)\}\s*(.)/gs) {
        my ($what, $name, $body, $after) = ($1, $2, $3, $4);
        die "$file: $what $name holds another one\n" if $body =~ /\{/;
        die "$file: $what $name does not end in };\n" if $after ne ';';
        if ($what eq 'struct') {
            my @members = grep { /\S/ } split /;/, $body;
            push @structs, [$name, map { member($_, $name) } @members];
        } else {
            my @values = map { /(\w+)/ ? $1 : () } split /,/, $body;
            push @enums, [$name, @values];
        }
    }
}
die "$folder: no headers in it\n" unless @structs;

if ($mode eq 'anchor') {
    print "#include <hardpoint/hardpoint.h>\n";
    print "struct $_->[0] *abi_$_->[0];\n" for @structs;
    print "enum $_->[0] *abi_$_->[0];\n" for @enums;
    exit 0;
}

# Each expression, in order, as this compiler sees it.
sub evaluate {
    my (@expressions) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my $cc = $ENV{CC} || 'cc';
    open my $h, '>', "$dir/values.c" or die "values.c: $!\n";
    print $h "#include <hardpoint/hardpoint.h>\n#include <stdio.h>\n";
    print $h "int main(void)\n{\n";
    print $h qq{    printf("%lld\\n", (long long)($_));\n} for @expressions;
    print $h "    return 0;\n}\n";
    close $h or die "values.c: $!\n";
    system("$cc -w -I$folder -o $dir/values $dir/values.c") == 0
        or die "the headers of $folder do not compile\n";
    my @values = split /\n/, `$dir/values`;
    die "the values of $folder cannot be had\n" if @values != @expressions;
    return @values;
}

# The lines, with an @ where a value of the list goes.
my (@lines, @wanted);
for my $struct (@structs) {
    my ($name, @members) = @$struct;
    push @lines, '', "struct $name, \@ bytes, aligned to \@";
    push @wanted, "sizeof(struct $name)", "_Alignof(struct $name)";
    for my $m (@members) {
        push @lines, sprintf '  @ + @  %-22s %s', @$m;
        push @wanted, "offsetof(struct $name, $m->[0])",
            "sizeof(((struct $name *)0)->$m->[0])";
    }
}
for my $enum (@enums) {
    my ($name, @values) = @$enum;
    push @lines, '', "enum $name, \@ bytes", map { "  $_ = \@" } @values;
    push @wanted, "sizeof(enum $name)", @values;
}
push @lines, '', 'macros';
for my $macro (@macros) {
    my ($name, $value) = @$macro;
    my $is_number = $value =~ /^(0x)?[0-9a-f]+u?$|^UINT\d+_MAX$/i;
    push @lines, "  $name = " . ($is_number ? '@' : $value);
    push @wanted, $name if $is_number;
}

my ($pointer, @values) = evaluate('sizeof(void *)', @wanted);
exit 77 if $pointer != 8;
print "# The layout of the contract, line by line, where a pointer has 8 bytes:\n",
    "# offset + size, name, type. Written by `make abi-baseline`.\n";
for my $line (@lines) {
    $line =~ s/@/shift @values/ge;
    print "$line\n";
}
