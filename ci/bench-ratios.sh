#!/bin/sh
# Lays reading and mending beside the limit: each row a ratio of two speeds, taken in turn in one run, and the median counts.
#
#   ci/bench-ratios.sh [--megabytes N] [--rounds N] [--write]
#
# --megabytes: of each data set of ci/bench-data.sh (default 64). --rounds: the median counts (default 5). --write puts the
# tables into docs/performance.md. Times are those of the processor. Exit codes: 0 measured, 2 usage, or it did not build.
set -eu
cd "$(dirname "$0")/.."
megabytes=64
rounds=5
write=

usage() {
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-ratios.sh
}

while [ $# -gt 0 ]; do
    case $1 in
    --megabytes | --rounds)
        case ${2:-} in '' | *[!0-9]* | 0) echo "bench-ratios: $1 needs a number above 0" >&2; exit 2 ;; esac
        if [ "$1" = --rounds ]; then rounds=$2; else megabytes=$2; fi
        shift
        ;;
    --write) write=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "bench-ratios: unknown argument $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
mkdir -p target
out=target/bench-ratios.md
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
{
    echo "$(date -u +%F), ${cpu:-unknown processor}, $(getconf _NPROCESSORS_ONLN) cores, $(rustc --version | cut -d' ' -f1,2);" \
        "$megabytes MB each, the median of $rounds rounds in turn, seconds of the processor."
    echo
    cargo bench --locked --quiet -p wirecanon-benches --bench ratios -- table --megabytes "$megabytes" --rounds "$rounds"
} >"$out" || { echo "bench-ratios: it did not build or run" >&2; exit 2; }
cat "$out"
[ -z "$write" ] || ci/put-table.sh docs/performance.md ratios "$out"
