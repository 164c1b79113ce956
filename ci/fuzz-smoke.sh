#!/bin/sh
# Runs every fuzz target for some seconds, from seeds that the corpus and the generator make and from those checked in. Fails
# on a finding, and says how to see it again. Ends with one table: executions, executions per second, edges.
#
#   ci/fuzz-smoke.sh [SECONDS [TARGET…]]   default 10 for each, and every target
#
# FUZZ_SEED (default 1) is where the search begins. Seeds are tried in the same order each time; what comes behind them depends on which
# code they reach, and that on the order of hash tables, so two runs differ. The gate tries few inputs beside the seeds, and changes that
# are the same each time are made by the tests of the fuzz crate. Long searches give another seed each time.
# FUZZ_RUNS ends a target sooner, after so many inputs beside its seeds: a fast machine then tries what a slow one does.
# FUZZ_SANITIZER (default none; address) is the sanitizer: this project has no unsafe code, so the same seconds try six times
# as much without one.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
seed=${FUZZ_SEED:-1}
runs=${FUZZ_RUNS:-}
sanitizer=${FUZZ_SANITIZER:-none}
case $seconds in '' | *[!0-9]*) echo "fuzz-smoke: SECONDS must be a number, not '$seconds'" >&2; exit 2 ;; esac
case $runs in *[!0-9]*) echo "fuzz-smoke: FUZZ_RUNS must be a number, not '$runs'" >&2; exit 2 ;; esac
[ $# -gt 0 ] && shift
all=$(for file in fuzz/fuzz_targets/*.rs; do basename "$file" .rs; done)
[ $# -gt 0 ] || set -- $all
for target; do
    [ -f "fuzz/fuzz_targets/$target.rs" ] || { echo "fuzz-smoke: no target '$target'; there are:" $all >&2; exit 2; }
done

nightly=$(rustup toolchain list 2>/dev/null | awk '/^nightly/ { print $1; exit }')
if [ -z "$nightly" ]; then
    echo "fuzz-smoke: no nightly toolchain is installed; cargo-fuzz needs one: rustup toolchain install nightly" >&2
    exit 1
fi
if ! cargo "+$nightly" fuzz --version >/dev/null 2>&1; then
    echo "fuzz-smoke: installing cargo-fuzz"
    cargo install --quiet --locked cargo-fuzz --version 0.13.2
fi

seeds=target/fuzz-seeds
ci/seed-corpus.sh "$seeds"
# One build for all. Optimizing across crates costs minutes and gains little here.
CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 \
    cargo "+$nightly" fuzz build -s "$sanitizer" --codegen-units 16 --fuzz-dir fuzz
programs=target/$(rustc "+$nightly" -vV | awk '/^host/ { print $2 }')/release

# A finding says itself how to see it again; a stack trace of the harness says nothing.
export RUST_BACKTRACE=0
status=0
table=target/fuzz-table.txt
printf '%-14s %12s %8s %8s %8s\n' target executions per-s edges findings >"$table"
for target; do
    own=fuzz/corpus/$target
    log=target/fuzz-$target.log
    mkdir -p "$own" "fuzz/artifacts/$target" "$seeds/$target"
    before=$(ls "fuzz/artifacts/$target")
    set -- "$own" "$seeds/$target"
    [ -d "fuzz/seeds/$target" ] && set -- "$@" "fuzz/seeds/$target"
    if [ -n "$runs" ]; then
        set -- "$@" "-runs=$(($(find "$@" -type f | wc -l) + runs))"
    fi
    [ -f "$seeds/$target.dict" ] && set -- "$@" "-dict=$seeds/$target.dict"
    # The crate jsonschema keeps what it compiles of a schema that refers to itself; nothing of ours is leaked.
    [ "$target" = instances ] && set -- "$@" -detect_leaks=0
    echo "fuzz-smoke: $target for $seconds s${runs:+ or $runs inputs beside its seeds}, seed $seed"
    findings=0
    if ! "$programs/$target" "$@" "-artifact_prefix=fuzz/artifacts/$target/" -seed="$seed" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 2>"$log"; then
        status=1
        findings=1
        # What is wrong and the command that shows it; the whole log if it ended in another way.
        grep -A 8 'panicked at' "$log" >&2 || tail -n 60 "$log" >&2
        for artifact in "fuzz/artifacts/$target"/*; do
            case $before in *"$(basename "$artifact")"*) continue ;; esac
            echo "fuzz-smoke: finding: $artifact" >&2
            echo "  see it again, and how to make it a case: cargo run -p wirecanon-fuzz --bin $target -- $artifact" >&2
            echo "  make it smaller: cargo +$nightly fuzz tmin $target -s $sanitizer --codegen-units 16 --fuzz-dir fuzz $artifact" >&2
        done
    fi
    awk -v target="$target" -v findings="$findings" '
        /^#[0-9]+/ { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /stat::number_of_executed_units/ { executions = $2 }
        /stat::average_exec_per_sec/ { rate = $2 }
        END { printf "%-14s %12d %8d %8d %8d\n", target, executions, rate, edges, findings }' "$log" >>"$table"
done
echo
cat "$table"
exit $status
