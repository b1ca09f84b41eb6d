#!/bin/sh
# make install and make uninstall, into a scratch DESTDIR.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
wrong=0

fact() {
    number=$((number + 1))
    if [ "$wrong" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
    fi
    wrong=0
}

# The outer make's job server and its flags are not for this one.
installation() {
    env -u MAKEFLAGS -u MAKELEVEL make -s -C "$HP_BUILD" "$1" \
        DESTDIR="$work" prefix=/usr sysconfdir=/etc >"$work/log" 2>&1 ||
        { sed 's/^/# /' "$work/log"; wrong=1; }
    rm -f "$work/log"
}

there() {
    for file in "$@"; do
        if [ ! -s "$work$file" ]; then
            echo "# not installed: $file"
            wrong=1
        fi
    done
}

# each FOLDER TARGET PATTERN...: every match in FOLDER is in TARGET.
each() {
    folder=$1
    target=$2
    shift 2
    for pattern in "$@"; do
        for file in "$folder"/$pattern; do
            [ ! -f "$file" ] || there "$target/${file##*/}"
        done
    done
}

echo 1..5

installation install
there /usr/bin/hardpoint /usr/libexec/hardpoint-compare \
    /usr/lib/pkgconfig/hardpoint-plugin.pc
each "$HP_SRC/abi/hardpoint" /usr/include/hardpoint '*.h'
fact the_programs_and_what_a_plugin_author_needs_are_installed

each "$HP_BUILD/plugins/.libs" /usr/lib/hardpoint '*.so'
[ -z "$(find "$work" -name '*.la')" ] || wrong=1
fact each_plugin_is_installed_without_libtools_file

each "$HP_SRC/conf" /etc/hardpoint 'client.ini' 'server.ini' 'solo.ini' \
    'effects.ini'
there /usr/share/doc/hardpoint/examples/hardpoint.ini
# There it would win over the built-in demo, which alone needs no file.
[ ! -e "$work/etc/hardpoint/hardpoint.ini" ] || wrong=1
each "$HP_SRC/conf/scenarios" /etc/hardpoint/scenarios '*.ini'
each "$HP_SRC/conf/aircraft" /etc/hardpoint/aircraft '*.ini'
each "$HP_SRC/conf/traces" /etc/hardpoint/traces '*.csv'
each "$HP_SRC/conf/missions" /etc/hardpoint/missions '*.ini' '*.csv'
each "$HP_SRC/conf/cues" /etc/hardpoint/cues '*.lua'
fact the_configuration_is_installed_with_its_traces

each "$HP_SRC/doc" /usr/share/man/man1 '*.1'
each "$HP_SRC/doc" /usr/share/man/man5 '*.5'
each "$HP_SRC/doc" /usr/share/doc/hardpoint '*.md'
there /usr/share/doc/hardpoint/README.md
fact the_manual_is_installed

: >"$work/usr/lib/hardpoint/agent_foreign.so"
installation uninstall
left=$(cd "$work" && find . -type f -o -path '*/hardpoint*' -type d -empty)
if [ "$left" != ./usr/lib/hardpoint/agent_foreign.so ]; then
    echo "$left" | sed 's/^/# left behind: /'
    wrong=1
fi
fact uninstall_leaves_only_the_plugin_of_another
