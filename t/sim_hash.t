#!/bin/sh
# The sim's state has the same bits after a minute with 64 aircraft: from gcc and
# clang at -O0, -O2 and -O3, for a CPU with fused arithmetic and with that masked,
# whatever the number of the first tick and the order of joins, and on aarch64;
# and it calls nothing, and fuses nothing, that differs by CPU.
set -u
if grep -q '^#define HP_SANITIZED' "${HP_BUILD:-.}/config.h" 2>/dev/null; then
    echo '1..0 # SKIP compiles the sim itself, so a sanitized build adds nothing'
    exit 0
fi
src=$(cd "${HP_SRC:-.}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="-std=gnu11 -g0 -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno
    -I$src/abi -I$src/plugins -I$src/t"
(cd "$src" && sh plugins/sim/builtin.sh conf/aircraft/*.ini) >"$work/builtin.c"
# What the plugin is made of; the programs beside it only call it.
sim=$(sed -n '/^SIM_FLIGHT =/,/[^\\]$/p' "$src/Makefile.am" |
    grep -o 'plugins/sim/[a-z0-9_]*\.c' | grep -v _builtin)
sources="$src/t/sim_hash_run.c $work/builtin.c
    $(printf "$src/%s " $sim plugins/sim/flight.c)
    $src/plugins/motion/*.c $src/plugins/ini/*.c"
cross=aarch64-linux-gnu
cross_ticks=600 # under qemu; the same ones are compared
number=0

result() # verdict name
{
    number=$((number + 1))
    echo "$1 $number - $2"
}

# Builds and runs in a folder of its own; objects stay for a look inside.
make() # folder compiler level...
{
    mkdir "$work/$1" && cd "$work/$1" || return 1
    compiler=$2
    shift 2
    $compiler $flags "$@" -c $sources && $compiler -pthread -o run ./*.o -linih -lm &&
        ./run >out
}

make_cross() # compiler
{
    mkdir "$work/cross" && cd "$work/cross" || return 1
    $cross-gcc $flags -I"$src/t/cross" -O2 -c $sources &&
        $cross-gcc -static -pthread -o run ./*.o -lm &&
        qemu-aarch64-static ./run ticks=$cross_ticks >out
}

# Whether what ran in a folder, or `again` with arguments, says the same.
same() # folder name
{
    if cmp -s "$work/first/out" "$work/$1/out"; then
        result ok "$2"
    else
        diff "$work/first/out" "$work/$1/out" 2>&1 | head -4 | sed 's/^/# /'
        result "not ok" "$2"
    fi
}

again() # name argument...
{
    what=$1
    shift
    mkdir -p "$work/again"
    "$work/first/run" "$@" >"$work/again/out"
    same again "$what"
}

skip() # name reason
{
    result ok "$1 # SKIP $2"
}

have_clang=$(command -v clang || command -v clang-14)
have_cross=$(command -v $cross-gcc >/dev/null && command -v qemu-aarch64-static)
fused=
grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo && fused=yes
echo 1..17

# Two lanes, for two processors.
(
    make first gcc -O2
    make gcc0 gcc -O0
    make gcc3 gcc -O3
    [ -z "$fused" ] || make fused gcc -O3 -march=x86-64-v3
) >"$work/log1" 2>&1 &
(
    [ -z "$have_clang" ] || {
        make clang0 "$have_clang" -O0
        make clang2 "$have_clang" -O2
        make clang3 "$have_clang" -O3
        [ -z "$fused" ] || make clang_fused "$have_clang" -O3 -march=x86-64-v3
    }
    [ -z "$have_cross" ] || make_cross
) >"$work/log2" 2>&1 &
wait
sed 's/^/# /' "$work/log1" "$work/log2" | head -20

[ -s "$work/first/out" ] && result ok "the world runs" ||
    result "not ok" "the world runs"
tail -2 "$work/first/out" | sed 's/^/# /'
if grep '^gun' "$work/first/out" | grep -qv ' 0'; then
    result ok "everything happened in it"
else
    result "not ok" "everything happened in it"
fi
same gcc0 "gcc -O0 has the same bits"
same gcc3 "gcc -O3 has the same bits"
for level in 0 2 3; do
    if [ -n "$have_clang" ]; then
        same clang$level "clang -O$level has the same bits"
    else
        skip "clang -O$level" "no clang"
    fi
done
if [ -n "$fused" ]; then
    same fused "gcc for fused arithmetic has the same bits"
else
    skip "gcc for fused arithmetic" "this CPU has none"
fi
if [ -n "$fused" ] && [ -n "$have_clang" ]; then
    same clang_fused "clang for fused arithmetic has the same bits"
else
    skip "clang for fused arithmetic" "no such CPU, or no clang"
fi

again "from tick 2147483648 on it has the same bits" first=2147483648
again "another order of joins has the same bits" order=3
again "with two workers it has the same bits" workers=2
# A library that chooses by CPU would choose otherwise.
(
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F
    export GLIBC_TUNABLES
    again "with the CPU's FMA masked it has the same bits"
) && number=$((number + 1))

if [ -n "$have_cross" ]; then
    head -$((cross_ticks / 150)) "$work/first/out" >"$work/cross/of_first"
    grep '^round' "$work/first/out" >>"$work/cross/of_first"
    grep -v '^gun' "$work/cross/out" >"$work/cross/of_it"
    if cmp -s "$work/cross/of_first" "$work/cross/of_it"; then
        result ok "aarch64 has the same bits"
    else
        diff "$work/cross/of_first" "$work/cross/of_it" | head -4 | sed 's/^/# /'
        result "not ok" "aarch64 has the same bits"
    fi
else
    skip "aarch64" "no $cross-gcc and qemu-aarch64-static"
fi

rm -f "$work"/*/sim_hash_run.o # the rest is the sim's

fuses() # name objdump expression folder...
{
    what=$1 dump=$2 expression=$3
    shift 3
    if for folder in "$@"; do $dump -d "$work/$folder"/*.o 2>/dev/null; done |
        grep -E "$expression" | head -3 | sed 's/^/# /' | grep .; then
        result "not ok" "$what"
    else
        result ok "$what"
    fi
}
fuses "no x86-64 instruction fuses a product and a sum" objdump \
    'vfn?m(add|sub)' fused clang_fused
if [ -n "$have_cross" ]; then
    fuses "no aarch64 instruction does" $cross-objdump \
        '[[:space:]]fn?(madd|msub|mla|mls)[[:space:]]' cross
else
    skip "no aarch64 instruction does" "no $cross-gcc"
fi

# Of the mathematical library only what has one right answer.
nm -D --defined-only "$(gcc -print-file-name=libm.so.6)" | awk '{print $3}' |
    sed 's/@.*//' | sort -u | grep -vxE 'sqrt|fabs|floor' >"$work/libm"
nm -u "$work"/first/*.o "$work"/clang3/*.o "$work"/cross/*.o 2>/dev/null |
    awk '$1 == "U" {print $2}' | sort -u | grep -xF -f "$work/libm" >"$work/foreign"
if ! grep -qx sin "$work/libm"; then
    result "not ok" "nothing is called whose bits depend on the CPU"
elif [ -s "$work/foreign" ]; then
    sed 's/^/# calls /' "$work/foreign"
    result "not ok" "nothing is called whose bits depend on the CPU"
else
    result ok "nothing is called whose bits depend on the CPU"
fi
