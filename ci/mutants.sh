#!/bin/sh
# Measures how many planted mistakes the corpus alone and generated transcripts alone catch, and prints the table. Fails when
# one survives that conformance/mutants/src/page.rs does not name.
#
#   ci/mutants.sh [--runs N] [--seed N] [--only PART-OF-ID]... [--without corpus|generated] [--any] [--write]
#
# A mutant must break the invariant that it names within the runs; --any takes any.
#
# --write puts the table into docs/mutants.md.
set -eu
cd "$(dirname "$0")/.."
write=${BLESS:-}
for argument; do
    shift
    case $argument in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/mutants.sh; exit 0 ;;
        --write) write=1 ;;
        *) set -- "$@" "$argument" ;;
    esac
done
# The profile of tests is fast enough, and built already where tests are run.
run="cargo run --quiet --profile test -p wirecanon-mutants --"
if [ -z "$write" ]; then
    exec $run "$@"
fi
mkdir -p target/mutants
$run --page "$@" >target/mutants/page.md
mv target/mutants/page.md docs/mutants.md
echo "mutants: wrote docs/mutants.md"
