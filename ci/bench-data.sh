#!/bin/sh
# Makes the transcripts that the tables of docs/performance.md are measured on, the same bytes on every machine.
#
#   ci/bench-data.sh [MEGABYTES]
#
# MEGABYTES: of each, 64 unless told. They go to target/bench-data: text, escapes (every third character is one), images (one
# message of twenty has a picture of 50 kB), only-images, text-one-defect (one message of a hundred), text-broken (every one).
# Exit codes: 0 made, 1 not written, 2 usage, or the maker did not build.
set -eu
cd "$(dirname "$0")/.."
case ${1:-64} in
-h | --help)
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-data.sh
    exit 0
    ;;
'' | *[!0-9]* | 0)
    echo "bench-data: $1 is no number of megabytes" >&2
    exit 2
    ;;
esac
mkdir -p target/bench-data
cargo build --locked --quiet --release -p wirecanon-benches --bin bench-data || exit 2
exec target/release/bench-data target/bench-data "${1:-64}"
