#!/bin/sh
# hardpoint compare, from outside: its table, its warnings, its refusals.
# shellcheck disable=SC2016 # backquotes stand in messages
data=$HP_SRC/t/data/compare
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

fact() {
    number=$((number + 1))
    if [ "$wrong" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/out" "$work/err"
    fi
    wrong=0
}

# compare STATUS FILE...: from within the data folder, so labels are short.
compare() {
    want=$1
    shift
    (cd "$data" && "$HP_BUILD/hardpoint" compare "$@") \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    wrong=0
    if [ $status -ne "$want" ]; then
        echo "# status $status, wanted $want"
        wrong=1
    fi
}

# The output has exactly this line.
line() {
    grep -qxF -e "$1" "$work/$2" || {
        echo "# missing: $1"
        wrong=1
    }
}

no_warning() {
    if grep -q warning "$work/out"; then
        wrong=1
    fi
}

echo 1..20

compare 0 tick.json event.json
line '| | tick.json | event.json | first / this |' out
line '|---|---:|---:|---:|' out
line '| service | tick | event | |' out
line '| date | 2026-07-01T12:00:00Z | 2026-07-02T12:00:00Z | |' out
fact files_are_columns_with_their_settings

line '| enet_rtt_ms p50 | 12.2 | 0.049 | 250 |' out
line '| input_to_snapshot_us p99 | 33800 | 338 | 100 |' out
line '| floor: timer_late_us p50 | 78.0 | 78.0 | 1.00 |' out
fact each_figure_stands_beside_its_ratio

line '| ping_event_us p50 | - | 55.5 | - |' out
line '| event_to_haptic_us p99 | - | - | - |' out
fact what_was_not_measured_is_a_dash

line '| CPU | Example \| CPU | Example \| CPU | |' out
fact a_bar_in_a_text_does_not_end_its_cell

no_warning
fact runs_of_one_machine_give_no_warning

compare 0 tick.json other-machine.json
line 'warning: another kernel: 6.1.0 in tick.json, 6.18.0 in other-machine.json' out
line 'warning: another ENet version: 1.3.17 in tick.json, 1.3.18 in other-machine.json' out
line 'warning: another tick rate: 60 in tick.json, 60000/1001 in other-machine.json' out
fact another_kernel_enet_or_rate_is_warned_of

compare 0 tick.json
line '| | tick.json |' out
line '| enet_rtt_ms p99 | 17.0 |' out
no_warning
fact one_file_is_a_table_too

compare 78 broken.json tick.json
line "broken.json:3:15: error: broken JSON: ':' expected near '\"2026\"'" err
[ ! -s "$work/out" ] || wrong=1
fact broken_json_is_told_with_line_and_column

compare 78 incomplete.json
line 'incomplete.json: error: setup.kernel is missing, expected a text as `hardpoint bench --json` writes it' err
line 'incomplete.json: error: verdict is of another kind, expected a text as `hardpoint bench --json` writes it' err
line 'incomplete.json: error: stages.enet_rtt_ms.p99 is of another kind, expected a number as `hardpoint bench --json` writes it' err
fact every_missing_key_is_told_at_once

compare 78 schema-2.json list.json
line 'schema-2.json: error: schema is 2, expected 1; compare it with the hardpoint that wrote it, or measure again' err
line 'list.json:1:1: error: not a report, expected an object as `hardpoint bench --json` writes it' err
fact another_schema_or_another_thing_is_refused

compare 66 broken.json nowhere.json
line 'nowhere.json: error: cannot open: No such file or directory' err
grep -q '^broken.json:3:15:' "$work/err" || wrong=1
fact a_missing_file_is_no_input_and_hides_no_other_fault

compare 64
grep -q '^usage: hardpoint compare FILE' "$work/err" || wrong=1
fact no_file_is_a_usage_error

# The picture is XML: its tags are balanced, its texts escaped, its bytes UTF-8.
is_xml() {
    perl -0777 -Mstrict -Mwarnings -e '
        my ($text, @open) = scalar <>;
        utf8::decode($text) or die "no UTF-8\n";
        $text =~ s/^<\?xml version="1\.0" encoding="UTF-8"\?>\n// or die "no XML declaration\n";
        $text =~ /[\x00-\x08\x0b-\x1f\x{fffe}\x{ffff}]/ and die "a character that XML forbids\n";
        while ($text =~ /\G(?:([^<&]+|&(?:amp|lt|gt);)|<(\/?)(\w+)((?: [\w:-]+="[^"<&]*")*)(\/?)>)/gc) {
            next if defined $1;
            push @open, $3 if !$2 && !$5;
            $2 and (pop(@open) // "") ne $3 and die "</$3> closes another\n";
        }
        my $rest = substr $text, pos $text // 0, 40;
        die "not XML: $rest\n" if $rest ne "" || @open;
    ' "$1" 2>>"$work/err" || wrong=1
}

# The picture has this text, whole.
text() {
    grep -qF -e ">$1</text>" "$work/picture.svg" || {
        echo "# no such text in the picture: $1"
        wrong=1
    }
}

# picture_count NUMBER PATTERN: so many lines of the picture match.
picture_count() {
    found=$(grep -c -e "$2" "$work/picture.svg")
    if [ "$found" -ne "$1" ]; then
        echo "# $found of $2, wanted $1"
        wrong=1
    fi
}

compare 0 --svg "$work/picture.svg" tick.json event.json
line '| | tick.json | event.json | first / this |' out
is_xml "$work/picture.svg"
fact a_picture_is_xml_and_the_table_stays

for stage in 'enet_rtt_ms, in ms' 'input_to_snapshot_us, in µs' \
    'ping_event_us, in µs' 'event_to_haptic_us, in µs' \
    'floor: timer_late_us, in µs'; do
    text "$stage"
    picture_count 1 ">$stage<"
done
text '1 tick.json'
text '2 event.json'
picture_count 5 '>1 tick<'
picture_count 5 '>2 event<'
picture_count 1 '>2026-07-01T12:00:00Z, '
fact each_stage_once_and_each_file_in_each

text 25100
text 33800
text 55.5
# Two of the legend, one of the key; ten lanes less three without a figure.
picture_count 10 'class="marker"'
picture_count 3 '>not measured<'
fact figures_stand_beside_what_was_measured

# The ticks of p50 in both lanes of one stage, read off its axis: 12.25 ms and
# 0.049 ms.
perl -ne '
    $in = />(\w+), in/ ? $1 eq "enet_rtt_ms" : $in if /class="stage"/;
    push @x, $1 if $in && /<line x1="([\d.]+)".* class="p50"/;
    push @at, [$1, $2] if $in && /<text x="([\d.]+)".* class="axis middle">([\d.]+)</;
    END {
        my ($a, $b) = @at[0, -1];
        for my $k (0, 1) {
            my $log = log($a->[1]) + ($x[$k] - $a->[0]) / ($b->[0] - $a->[0]) * log($b->[1] / $a->[1]);
            my $ratio = exp($log) / (12.25, 0.049)[$k];
            die "# p50 of lane $k is drawn at ", exp $log, "\n" if abs($ratio - 1) > 0.02;
        }
    }
' "$work/picture.svg" || wrong=1
fact a_value_is_drawn_where_its_axis_says

# A key, a text and a file name that are markup or no text at all.
hostile=$(printf '%s/<&">\377\001.json' "$work")
sed -e 's/enet_rtt_ms/<b>\&\\"\\u0001_ms/' -e 's/Example | CPU/<\&>/' \
    -e 's/"p50": 251,/"p50": 0,/' -e 's/"p95": 80,/"p95": null,/' \
    -e 's/"max": 120/"max": 1e300/' "$data/event.json" >"$hostile"
compare 0 --svg "$work/picture.svg" "$hostile"
is_xml "$work/picture.svg"
grep -qF '>&lt;b&gt;&amp;"' "$work/picture.svg" || wrong=1
if grep -q -e '<b>' -e '[ "=,]-*nan' -e '[ "=,]-*inf[",]' "$work/picture.svg"; then
    wrong=1
fi
fact what_is_not_text_is_drawn_as_text

# Its p95 is null: the bar ends where it begins, at p50.
picture_count 1 'width="0.0" height="10.0" class="bar"'
fact a_figure_that_is_missing_adds_nothing

compare 69 --svg "$work/nowhere/picture.svg" tick.json
line "hardpoint compare: --svg: cannot write $work/nowhere/picture.svg: No such file or directory; name a file in a folder that is there and yours" err
line '| | tick.json |' out
compare 69 --svg /dev/full tick.json
line 'hardpoint compare: --svg: cannot write /dev/full: No space left on device; name a file in a folder that is there and yours' err
fact a_picture_that_cannot_be_written_is_told

cp "$data/tick.json" "$work/kept.json"
compare 64 --svg "$work/kept.json" event.json
grep -q 'is named as a report' "$work/err" || wrong=1
cmp -s "$data/tick.json" "$work/kept.json" || wrong=1
fact a_report_is_not_drawn_over
