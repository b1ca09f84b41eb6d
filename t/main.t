#!/bin/sh
# The program's first word: a subcommand, another program, or neither.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

# hardpoint STATUS ARGUMENT...
hardpoint() {
    want=$1
    shift
    "$HP_BUILD/hardpoint" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    wrong=0
    if [ $status -ne "$want" ]; then
        echo "# status $status, wanted $want"
        wrong=1
    fi
}

says() {
    if ! grep -q -e "$2" "$work/$1"; then
        echo "# no line with: $2"
        wrong=1
    fi
}

fact() {
    number=$((number + 1))
    if [ "$wrong" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/out" "$work/err"
    fi
}

echo 1..5

hardpoint 64
says err '^usage: hardpoint COMMAND'
fact no_command_is_a_usage_error

hardpoint 0 --help
says out '^usage: hardpoint COMMAND'
hardpoint 0 --version
says out '^hardpoint [0-9]'
fact help_and_version_are_answers

hardpoint 0 compare --help
says out '^usage: hardpoint compare FILE'
fact a_program_beside_this_one_is_a_command

hardpoint 64 nonsense
says err 'no command "nonsense", and no program hardpoint-nonsense'
fact an_unknown_command_is_named

mkdir "$work/hardpoint-x"
printf '#!/bin/sh\nexit 0\n' >"$work/hardpoint-x/y"
chmod +x "$work/hardpoint-x/y"
hardpoint 64 "../../../../../../..$work/hardpoint-x/y"
says err 'no command'
fact a_path_is_not_a_command
