#!/bin/sh
# Prints the share of spoiled answers that the judge notices, and of harmless changes that it flags: right answers, each changed in one way.
#
#   ci/spoilers.sh
#
# The first table has the spoilers and wires with answers that are not noticed, the second one all spoilers. The third and the fourth
# have the harmless changes in the same way. With SPOILERS_EXAMPLES=1, `cargo test` prints answers that are judged wrongly.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/spoilers.sh; exit 0 ;;
esac
cargo test --quiet -p wirecanon --test it -- --ignored --nocapture spoilers::table | grep '^|'
