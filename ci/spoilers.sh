#!/bin/sh
# Prints the share of spoiled answers that the judge notices: right answers of framed cases, each changed in one way, by spoiler and wire.
#
#   ci/spoilers.sh
#
# The first table has the spoilers and wires with answers that are not noticed, the second one all spoilers.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/spoilers.sh; exit 0 ;;
esac
cargo test --quiet -p wirecanon --test spoilers -- --ignored --nocapture table | grep '^|'
