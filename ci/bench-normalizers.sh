#!/bin/sh
# Lays published packages beside the reference: how fast each converts the same transcript for Anthropic, as a process that
# answers the line protocol, so that parsing the request and printing the answer count for all.
#
#   ci/bench-normalizers.sh [--add] [--kilobytes N] [--seconds N] [--rounds N] [--write] [TESTEE...]
#
# --add installs the TESTEEs first (`wirecanon testee add`); without names, all take part that are installed. --kilobytes: of
# each transcript (default 1024): text, and text with a picture of 50 kB in one message of twenty. --seconds: of the processor,
# for each testee in each round (default 2). --rounds: the median counts (default 3); all take turns in each. --write puts the
# table into docs/performance.md. Environment: WIRECANON_TESTEES, where adapters are installed; NODE. Figures go to
# target/bench-normalizers/normalizers.json as well. Exit codes: 0 measured, 2 usage, or something did not build or run.
set -eu
cd "$(dirname "$0")/.."
folder=target/bench-normalizers
adapters=${WIRECANON_TESTEES:-.wirecanon/testees}
add='' write='' kilobytes=1024 seconds=2 rounds=3 names=''

usage() {
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-normalizers.sh
}

while [ $# -gt 0 ]; do
    case $1 in
    --kilobytes | --seconds | --rounds)
        case ${2:-} in '' | *[!0-9]* | 0) echo "bench-normalizers: $1 needs a number above 0" >&2; exit 2 ;; esac
        case $1 in
        --kilobytes) kilobytes=$2 ;;
        --seconds) seconds=$2 ;;
        *) rounds=$2 ;;
        esac
        shift
        ;;
    --add) add=yes ;;
    --write) write=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "bench-normalizers: unknown option $1" >&2; usage >&2; exit 2 ;;
    *) names="$names $1" ;;
    esac
    shift
done
cargo build --locked --quiet --release -p wirecanon -p wirecanon-benches --bin wirecanon --bin bench-data || exit 2
program=$PWD/target/release/wirecanon
for name in ${add:+$names}; do
    "$program" testee add "$name" >&2 || exit 2
done
mkdir -p "$folder"
target/release/bench-data "$folder" --kilobytes "$kilobytes" >/dev/null || exit 2
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
out=$folder/table.md
{
    echo "$(date -u +%F), ${cpu:-unknown processor}, $(getconf _NPROCESSORS_ONLN) cores, $(rustc --version | cut -d' ' -f1,2);" \
        "$kilobytes kB each, the median of $rounds rounds in turn, seconds of the processor."
    echo
    # shellcheck disable=SC2086 # a name of a testee has no spaces
    python3 benches/peers/normalizers.py "$program" "$adapters" "$folder" "$seconds" "$rounds" $names
} >"$out" || { echo "bench-normalizers: it did not run" >&2; exit 2; }
cat "$out"
[ -z "$write" ] || cargo xtask insert docs/performance.md normalizers "$out"
