#!/bin/sh
# Measures reading and repairing at the sizes that users have, beside JSON parsers, in turn in one run.
#
#   ci/bench-ratios.sh [--rounds N] [--write]
#
# --rounds: the median counts (default 5). --write puts the tables into docs/performance.md. Times are those of the processor.
# Exit codes: 0 measured, 2 usage, or it did not build.
set -eu
cd "$(dirname "$0")/.."
rounds=5
write=

usage() {
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-ratios.sh
}

while [ $# -gt 0 ]; do
    case $1 in
    --rounds)
        case ${2:-} in '' | *[!0-9]* | 0) echo "bench-ratios: $1 needs a number above 0" >&2; exit 2 ;; esac
        rounds=$2
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
        "MB a second, and times as fast as serde_json parsing and writing; the median of $rounds rounds in turn, seconds of the processor."
    echo
    cargo bench --locked --quiet -p wirecanon-benches --bench ratios -- table --rounds "$rounds"
} >"$out" || { echo "bench-ratios: it did not build or run" >&2; exit 2; }
cat "$out"
[ -z "$write" ] || cargo xtask insert docs/performance.md ratios "$out"
