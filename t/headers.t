#!/bin/sh
# The contract compiles without a complaint as C99, C11 and C++11, by gcc and by
# clang, for 64 and 32 bits, each header alone and without a libc. -Wpadded
# finds implicit padding, into which a later member could slip unseen.
: "${HP_SRC:?is not set}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# Each header alone, so that none leans on what another includes.
all=
for header in "$HP_SRC"/abi/hardpoint/*.h; do
    name=$(basename "$header" .h)
    for suffix in c cc; do
        printf '#include <hardpoint/%s.h>\n' "$name" >"$dir/$name.$suffix"
    done
    all="$all $name"
done
# The macros of plugin.h, as a plugin uses them.
for suffix in c cc; do
    cat >"$dir/a_note.$suffix" <<'END'
#include <hardpoint/plugin.h>
#define HP_NAME    "x"
#define HP_VERSION "1"
#define HP_SUMMARY "s"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "a"
HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
END
done
all="$all a_note"

n=0
try() { # COMPILER LANGUAGE SUFFIX BITS EXTRA...
    compiler=$1 language=$2 suffix=$3 bits=$4
    shift 4
    n=$((n + 1))
    what="$compiler -std=$language -m$bits"
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "ok $n - $what # SKIP $compiler is not installed"
        return
    fi
    sources=
    for name in $all; do sources="$sources $dir/$name.$suffix"; done
    # shellcheck disable=SC2086 # a list of words
    if "$compiler" -std="$language" -m"$bits" -ffreestanding -fsyntax-only \
        -I"$HP_SRC/abi" -Wall -Wextra -Wpadded -pedantic -Werror "$@" \
        $sources >"$dir/said" 2>&1; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        sed 's/^/# /' "$dir/said"
    fi
}

for bits in 64 32; do
    for language in c99 c11; do
        try gcc $language c $bits
        try clang $language c $bits -Wno-unused-const-variable
    done
    try g++ c++11 cc $bits
    try clang++ c++11 cc $bits -Wno-unused-const-variable
done
echo "1..$n"
