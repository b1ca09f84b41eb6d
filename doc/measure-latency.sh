#!/bin/sh
# Measures the table of doc/latency.md on this machine, in under four minutes:
#
#     doc/measure-latency.sh [MACHINE]
#
# Every way to serve the socket takes its turn, three times over, so that what
# else the machine does falls on all of them; each way's middle run is kept as
# doc/results/DATE-MACHINE-WAY.json, and the table between the two marks in
# doc/latency.md is made anew from those files. $HARDPOINT is the program, by
# default build/hardpoint.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
hardpoint=${HARDPOINT:-$top/build/hardpoint}
results=$top/doc/results
page=$top/doc/latency.md
date=$(date -u +%Y-%m-%d)
ways='tick-off event-off event-lock event-lock-1000hz'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# "AMD EPYC" on two cores is amd-epyc-2.
machine=${1:-$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 |
    tr '[:upper:]' '[:lower:]' | tr -cs '[:lower:][:digit:]' '-' | sed 's/^-//; s/-$//')-$(nproc)}

# With autogroups a plain nice value weighs nothing against other sessions: a
# session of its own does, for whoever may raise it.
in_front() {
    setsid -w sh -c 'echo -20 2>/dev/null >/proc/self/autogroup || :
        exec "$@"' sh "$@"
}

free_port() {
    perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Proto => "udp",
        LocalAddr => "127.0.0.1", LocalPort => 0)->sockport'
}

# bench WAY ROUND
bench() {
    name=$1
    round=$2
    case $name in
    tick-off) set -- --service tick --phase off ;;
    event-off) set -- --phase off ;;
    event-lock) set -- ;;
    event-lock-1000hz) set -- --rate 1000 --samples 3000 --warm-up 1000 ;;
    esac
    echo "round $round of 3: $name"
    in_front "$hardpoint" bench "$@" --config "$top/conf/solo.ini" \
        -s "net.port=$(free_port)" -s host.realtime=yes \
        --json "$work/$name.$round.json" >"$work/$name.$round.txt" ||
        { cat "$work/$name.$round.txt"; exit 1; }
    grep '^machine: NOT quiet' "$work/$name.$round.txt" || :
}

# The middle one of a way's three, by the figure that `bench --runs` goes by.
middle() {
    perl -MJSON::PP -e '
        sub figure {
            open my $file, "<", $_[0] or die "$_[0]: $!\n";
            local $/;
            my $r = decode_json(<$file>);
            return $r->{setup}{service} eq "tick" ? $r->{stages}{enet_rtt_ms}{p99}
                : $r->{stages}{input_to_snapshot_us}{p50};
        }
        print((sort { figure($a) <=> figure($b) } @ARGV)[1])' \
        "$work/$1.1.json" "$work/$1.2.json" "$work/$1.3.json"
}

for round in 1 2 3; do
    for way in $ways; do
        bench "$way" "$round"
    done
done

set --
for way in $ways; do
    file=$date-$machine-$way.json
    sed 's/"runs": *1\b/"runs": 3/' "$(middle "$way")" >"$results/$file"
    set -- "$@" "$file"
done
(cd "$results" && "$hardpoint" compare "$@") >"$work/table"

# What stands between the marks is replaced, the rest is kept.
awk -v table="$work/table" '
    /^<!-- table begins/ {
        print
        print ""
        while ((getline line < table) > 0) print line
        print ""
        skip = 1
    }
    /^<!-- table ends/ { skip = 0 }
    !skip || /^<!-- table ends/ { if (!/^<!-- table begins/) print }
' "$page" >"$work/page"
grep -q '^<!-- table ends' "$work/page"
cat "$work/page" >"$page"
echo "doc/latency.md and $# files in doc/results are new"
