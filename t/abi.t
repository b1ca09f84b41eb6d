#!/usr/bin/perl
# The contract does not change unseen. Two witnesses, as each has blind spots:
# the layout manifest (names, offsets, sizes, values) and abidiff over an object
# that holds one pointer for each public type (types to any depth). Both are
# shown to bite, by breaks made to a copy of the headers.
use strict;
use warnings;
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC} or die "HP_SRC is not set\n";
my $cc = $ENV{CC} || 'cc';
my $dir = tempdir(CLEANUP => 1);
my $has_abidiff = system('command -v abidiff >/dev/null 2>&1') == 0;

sub slurp {
    my ($path) = @_;
    open my $h, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$h>;
}

sub manifest_of {
    my ($abi) = @_;
    my $text = `$src/t/abi-manifest.pl manifest $abi`;
    plan skip_all => 'the manifest is for 64 bits' if $? >> 8 == 77;
    return $? == 0 ? $text : '';
}

# {title => [line...]}, where a title lacks the struct's size.
sub sections {
    my ($text) = @_;
    my (%found, $title);
    for (split /\n/, $text) {
        if (/^((?:struct|enum) \w+|macros)/) {
            $title = $1;
            $found{$title} = [];
        } elsif (defined $title && /\S/) {
            push @{ $found{$title} }, $_;
        }
    }
    return \%found;
}

# What of the old contract is not in the new one, by the rules: only a struct
# that begins with its size may grow, and at its end; values are added anywhere.
sub broken {
    my ($old, $new) = map { sections($_) } @_;
    my @broken;
    for my $title (sort keys %$old) {
        my @was = @{ $old->{$title} };
        my @is = @{ $new->{$title} || [] };
        if ($title =~ /^struct/) {
            my @begins = @is > @was ? @is[0 .. $#was] : @is;
            push @broken, $title if "@was" ne "@begins";
            push @broken, "$title has no size to tell that it grew"
                if @is > @was && $was[0] !~ /^  0 \+ 4  size /;
        } else {
            my %is = map { $_ => 1 } @is;
            push @broken, map { "$title:$_" } grep { !$is{$_} } @was;
        }
    }
    return @broken;
}

# 0: the same or additive, 1: broken, else no answer.
sub gate {
    my ($abi) = @_;
    system("$src/t/abi-manifest.pl anchor $abi >$dir/anchor.c") == 0
        && system("$cc -g -Og -fPIC -shared -I$abi -o $dir/anchor.so "
            . "$dir/anchor.c 2>$dir/errors") == 0
        or return 2;
    my $said = `$src/t/abi-gate.pl $src/abi/baseline-1.abi $dir/anchor.so 2>&1`;
    return ($? >> 8, $said);
}

my $committed = slurp("$src/abi/manifest-1.txt");
is(manifest_of("$src/abi"), $committed,
    'the headers are laid out as abi/manifest-1.txt says '
        . '(`make abi-baseline` and a line in doc/abi-history.md if meant)');
SKIP: {
    skip 'abidiff is not installed (abigail-tools)', 1 unless $has_abidiff;
    my ($status, $said) = gate("$src/abi");
    is($status, 0, 'abidiff finds the contract of abi/baseline-1.abi')
        or diag($said);
}

# Breaks: file, what is replaced by what, and whether that is a break.
my $count = 0;
sub changed_headers {
    my ($file, $from, $to) = @_;
    my $abi = "$dir/abi" . $count++;
    make_path("$abi/hardpoint");
    for my $header (glob "$src/abi/hardpoint/*.h") {
        my ($name) = $header =~ m{([^/]+)$};
        my $text = slurp($header);
        if ($name eq $file) {
            my $at = index $text, $from;
            die "$file no longer has \"$from\"\n" if $at < 0;
            substr($text, $at, length $from) = $to;
        }
        open my $h, '>', "$abi/hardpoint/$name" or die "$name: $!\n";
        print $h $text;
        close $h or die "$name: $!\n";
    }
    return $abi;
}

my @breaks = (
    ['a member inserted in the middle', 'haptics.h',
        "    uint64_t cause_ns;", "    uint64_t extra_ns;\n    uint64_t cause_ns;"],
    ['a callback inserted in the middle', 'haptics.h',
        '    int (*silence)(', "    int (*mute)(struct hp_instance *self);\n    int (*silence)("],
    ['two members swapped', 'agent.h',
        "    uint32_t peers;\n    uint32_t entities;",
        "    uint32_t entities;\n    uint32_t peers;"],
    ['a callback renamed', 'plugin.h',
        'int (*param_flag)(const struct hp_host *host, const char *name, int *out);',
        'int (*param_word)(const struct hp_host *host, const char *name, int *out);'],
    ['a member of another type of the same size', 'haptics.h',
        'float level;', 'int32_t level;'],
    ['a parameter of a callback of another type', 'broadcaster.h',
        'const uint8_t *bytes,', 'uint8_t *bytes,'],
    ['a parameter more', 'input.h',
        'struct hp_input *out);', 'struct hp_input *out, int more);'],
    ['a callback that returns another type', 'predictor.h',
        'void (*input)(', 'int (*input)('],
    ['a member renamed to another unit', 'agent.h',
        'double tick_max_ms;', 'double tick_max_us;'],
    ['an enum value renumbered', 'types.h',
        'HP_EVENT_KILL = 3', 'HP_EVENT_KILL = 13'],
    ['a macro of another value', 'types.h',
        '#define HP_OWN_BYTES_MAX    512', '#define HP_OWN_BYTES_MAX    256'],
    ['a member removed', 'plugin.h', "    int (*reload)(struct hp_instance *self);\n", ''],
    ['a type removed', 'sim.h', 'struct hp_client_input {', 'struct hp_client_inputs {'],
    ['a struct without a size that grew', 'types.h',
        "    uint32_t rate_den;\n};", "    uint32_t rate_den;\n    uint64_t extra;\n};"],
);
my %bites = (manifest => 0, abidiff => 0);
for my $break (@breaks) {
    my ($what, @change) = @$break;
    my $abi = changed_headers(@change);
    my @by_manifest = broken($committed, manifest_of($abi));
    my ($status) = $has_abidiff ? gate($abi) : (0);
    ok(@by_manifest > 0 || $status == 1, "$what is caught");
    note('by ', join ' and ', @by_manifest ? 'the manifest' : (),
        $status == 1 ? 'abidiff' : ());
    $bites{manifest}++ if @by_manifest;
    $bites{abidiff}++ if $status == 1;
    remove_tree($abi);
}
cmp_ok($bites{manifest}, '>=', 12, 'the manifest bites on its own');
SKIP: {
    skip 'abidiff is not installed (abigail-tools)', 1 unless $has_abidiff;
    cmp_ok($bites{abidiff}, '>=', 9, 'abidiff bites on its own');
}

my @growths = (
    ['a callback appended to a table with a size', 'haptics.h',
        "    int (*guard)(struct hp_instance *self, struct hp_guard_sink *sink);\n",
        "    int (*guard)(struct hp_instance *self, struct hp_guard_sink *sink);\n"
            . "    int (*extra)(struct hp_instance *self);\n"],
    ['an enum value appended', 'plugin.h',
        'HP_KIND_AGENT = 7', "HP_KIND_AGENT = 7,\n    HP_KIND_RADIO = 8"],
    ['a new type', 'agent.h', 'struct hp_agent_ops {',
        "struct hp_extra {\n    uint32_t size;\n    uint32_t reserved;\n};\n\n"
            . 'struct hp_agent_ops {'],
);
for my $growth (@growths) {
    my ($what, @change) = @$growth;
    my $abi = changed_headers(@change);
    my $manifest = manifest_of($abi);
    is_deeply([broken($committed, $manifest)], [], "$what is no break");
    isnt($manifest, $committed, '... but is seen');
    SKIP: {
        skip 'abidiff is not installed (abigail-tools)', 1 unless $has_abidiff;
        my ($status, $said) = gate($abi);
        is($status, 0, '... and additive to abidiff') or diag($said);
    }
    remove_tree($abi);
}

SKIP: {
    skip 'abidiff is not installed (abigail-tools)', 1 unless $has_abidiff;
    system("$src/t/abi-manifest.pl anchor $src/abi >$dir/bare.c") == 0
        && system("$cc -fPIC -shared -I$src/abi -o $dir/bare.so $dir/bare.c") == 0
        or BAIL_OUT('cannot compile the anchor');
    my $said = `$src/t/abi-gate.pl $src/abi/baseline-1.abi $dir/bare.so`;
    is($? >> 8, 2, 'an object without debug information is no answer');
}
done_testing();
