#!/bin/sh
# Runs every fuzz target for some seconds, from the checked-in seeds and the inputs of the corpus. Fails on a finding.
#
#   ci/fuzz-smoke.sh [SECONDS]        default 30, for each target
#
# FUZZ_SEED (default 1) makes a run repeatable: the same commit tries the same inputs in the same order, as far as the time
# goes, so a change is never stopped by what another run would not have tried. Long searches give another seed each time.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-30}
seed=${FUZZ_SEED:-1}
case $seconds in '' | *[!0-9]*) echo "fuzz-smoke: SECONDS must be a number, not '$seconds'" >&2; exit 2 ;; esac

nightly=$(rustup toolchain list 2>/dev/null | awk '/^nightly/ { print $1; exit }')
if [ -z "$nightly" ]; then
    echo "fuzz-smoke: no nightly toolchain is installed; cargo-fuzz needs one: rustup toolchain install nightly" >&2
    exit 1
fi
if ! cargo "+$nightly" fuzz --version >/dev/null 2>&1; then
    echo "fuzz-smoke: installing cargo-fuzz"
    cargo install --quiet --locked cargo-fuzz --version 0.13.2
fi

cases=target/fuzz-cases
rm -rf "$cases"
cargo run --quiet -p wirecanon-fuzz --example seeds -- "$cases"

# A finding says itself how to see it again; a stack trace of the harness says nothing.
export RUST_BACKTRACE=0
status=0
for target in fix_bytes transcript; do
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    # The core has no unsafe code: without a sanitizer the same seconds try six times as much.
    cargo "+$nightly" fuzz build "$target" -s none --fuzz-dir fuzz
    extra=
    [ "$target" = fix_bytes ] && extra=$cases
    before=$(ls "fuzz/artifacts/$target")
    echo "fuzz-smoke: $target for $seconds s, seed $seed"
    if cargo "+$nightly" fuzz run "$target" -s none --fuzz-dir fuzz "fuzz/corpus/$target" "fuzz/seeds/$target" $extra -- \
        -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 2>"target/fuzz-$target.log"; then
        grep -E 'stat::(number_of_executed_units|average_exec_per_sec)|^Done' "target/fuzz-$target.log" || true
    else
        status=1
        # What is wrong and the command that shows it; the whole log if it ended in another way.
        grep -A 8 'panicked at' "target/fuzz-$target.log" >&2 || tail -n 60 "target/fuzz-$target.log" >&2
        for artifact in "fuzz/artifacts/$target"/*; do
            case $before in *"$(basename "$artifact")"*) continue ;; esac
            echo "fuzz-smoke: finding: $artifact" >&2
            echo "  see it again: cargo run -p wirecanon-fuzz --bin $target -- $artifact" >&2
            echo "  make it smaller: cargo +$nightly fuzz tmin $target -s none --fuzz-dir fuzz $artifact" >&2
        done
    fi
done
exit $status
