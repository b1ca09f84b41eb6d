#!/bin/sh
# The sim's state has the same bits from gcc and clang, at -O0, -O2 and -O3,
# and for a CPU with fused arithmetic; and it calls nothing that differs by CPU.
set -u
src=$(cd "${HP_SRC:-.}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="-std=gnu11 -g0 -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno
    -I$src/abi -I$src/plugins -I$src/t"
# hardpoint fly reads and writes files; what it steps is the sim's.
(cd "$src" && sh plugins/sim/builtin.sh conf/aircraft/*.ini) >"$work/builtin.c"
sources="$src/t/sim_hash_run.c $work/builtin.c
    $(ls "$src"/plugins/sim/*.c | grep -v -e /fly -e /aircraft_builtin)
    $src/plugins/motion/*.c $src/plugins/ini/*.c"
number=0

result() # verdict name
{
    number=$((number + 1))
    echo "$1 $number - $2"
}

# Builds in a folder of its own, so that objects stay for a look inside.
build() # folder compiler level...
{
    mkdir "$work/$1" && cd "$work/$1" || return 1
    compiler=$2
    shift 2
    $compiler $flags "$@" -c $sources && $compiler -o run ./*.o -linih -lm
}

same() # folder name
{
    if "$work/$1/run" >"$work/$1/out" && cmp -s "$work/first/out" "$work/$1/out"
    then
        result ok "$2"
    else
        sed 's/^/# /' "$work/$1/out"
        result "not ok" "$2"
    fi
}

have_clang=$(command -v clang || command -v clang-14)
echo 1..9
(build first gcc -O2) & (build gcc0 gcc -O0) & wait
(build gcc3 gcc -O3) & (build fused gcc -O3 -march=x86-64-v3) & wait
if [ -n "$have_clang" ]; then
    (build clang0 "$have_clang" -O0) & (build clang3 "$have_clang" -O3) & wait
fi

"$work/first/run" >"$work/first/out" && result ok "the world runs" ||
    result "not ok" "the world runs"
sed 's/^/# /' "$work/first/out"
if grep '^gun' "$work/first/out" | grep -qv ' 0'; then
    result ok "everything happened in it"
else
    result "not ok" "everything happened in it"
fi
same gcc0 "gcc -O0 has the same bits"
same gcc3 "gcc -O3 has the same bits"
if [ -n "$have_clang" ]; then
    same clang0 "clang -O0 has the same bits"
    same clang3 "clang -O3 has the same bits"
else
    result ok "clang -O0 # SKIP no clang"
    result ok "clang -O3 # SKIP no clang"
fi
if grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo; then
    same fused "a build for fused arithmetic has the same bits"
else
    result ok "a build for fused arithmetic # SKIP this CPU has none"
fi

# Within what steps, apart from the driver and who reads aircraft files.
nm "$work"/first/*.o "$work"/clang3/*.o 2>/dev/null | awk '$2 ~ /[TDRB]/ {print $3}' | sort -u >"$work/own"
rm -f "$work"/*/sim_hash_run.o "$work"/*/aircraft_[!.]*.o "$work"/*/terrain_file.o "$work"/*/ini.o "$work"/*/words.o
if objdump -d "$work"/fused/*.o | grep -E 'vfn?m(add|sub)' | head -3 |
    sed 's/^/# /' | grep .; then
    result "not ok" "no instruction fuses a product and a sum"
else
    result ok "no instruction fuses a product and a sum"
fi
nm -u "$work"/first/*.o "$work"/clang3/*.o 2>/dev/null | awk '$1 == "U" {print $2}' | sort -u |
    grep -vxF -f "$work/own" |
    grep -vxE 'sqrt|fabs|floor|mem(cpy|set|move|cmp|chr)|str[a-z]+|snprintf|calloc|aligned_alloc|bcmp|free|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail' \
        >"$work/foreign"
if [ -s "$work/foreign" ]; then
    sed 's/^/# calls /' "$work/foreign"
    result "not ok" "nothing is called whose bits depend on the CPU"
else
    result ok "nothing is called whose bits depend on the CPU"
fi
