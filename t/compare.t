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

echo 1..12

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
