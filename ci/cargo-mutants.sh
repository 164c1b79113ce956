#!/bin/sh
# Which changes of core does no test notice? Fails when one survives that conformance/mutants/survivors.toml does not explain.
#
#   ci/cargo-mutants.sh [--sample N] [--seed S] [--seconds T] [--again] [--list]
#
#   --sample N    N mutants of all, chosen by a hash of their names and the seed (default: all of them)
#   --seed S      another sample (default: 1)
#   --seconds T   begin no further mutant after T seconds; the next run goes on where this one ended
#   --again       forget what survived before, and try it again
#   --list        print the mutants of the sample, and what is known of each
#
# cargo-mutants says what can be changed. Its mutants are put into one build of the last commit, below target/mutants, each
# behind a switch: ci/one-build. Those that cannot be switched are built one at a time. What is done stands in
# target/mutants/done.tsv and holds as long as the file that was changed is the same. Exit codes: 0 holds, 1 survivors,
# 2 usage or an error, 3 there is more to do (--seconds).
set -eu
cd "$(dirname "$0")/.."
version=27.1.0
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/cargo-mutants.sh; exit 0 ;;
esac
state=$PWD/target/mutants
mkdir -p "$state/tree"

mutants=$(command -v cargo-mutants || true)
if [ -z "$mutants" ] || [ "$("$mutants" mutants --version)" != "cargo-mutants $version" ]; then
    mutants=$state/tool/bin/cargo-mutants
    if [ ! -x "$mutants" ]; then
        echo "cargo-mutants: installing cargo-mutants $version" >&2
        CARGO_TARGET_DIR="$state/tool-build" cargo install --quiet --locked cargo-mutants --version "$version" --root "$state/tool"
    fi
fi

# The tree of the last commit.
GIT_INDEX_FILE=$state/index git --work-tree="$state/tree" read-tree --reset -u HEAD

exec cargo run --quiet --package wirecanon-one-build -- --cargo-mutants "$mutants" --state "$state" "$@"
