#!/bin/sh
# Runs fuzz targets under AFL++ instead of libFuzzer: the same bodies, seeds and dictionaries. AFL++'s own driver takes the place
# of libFuzzer's `main`, and fills in shared memory without a process for each input. Ends with one table: executions,
# executions per second, edges of the map, crashes, hangs.
#
#   ci/afl.sh [SECONDS [TARGET…]]   default 60 for each, and every target
#
# AFL_OUT (default target/afl/out) keeps queues and findings; a later run goes on from them.
# Exit codes: 0 no finding; 1 a finding, or a target does not run; 2 wrong usage; 5 not run: AFL++ is missing (apt: afl++).
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
case $seconds in '' | *[!0-9]*) echo "afl: SECONDS must be a number, not '$seconds'" >&2; exit 2 ;; esac
[ $# -gt 0 ] && shift
all=$(for file in fuzz/fuzz_targets/*.rs; do basename "$file" .rs; done)
[ $# -gt 0 ] || set -- $all
for target; do
    [ -f "fuzz/fuzz_targets/$target.rs" ] || { echo "afl: no target '$target'; there are:" $all >&2; exit 2; }
done
lib=${AFL_LIB:-/usr/lib/afl}
for file in "$lib/libAFLDriver.a" "$lib/afl-compiler-rt.o"; do
    [ -f "$file" ] || { echo "afl: not run: $file is missing; Debian has it in the package afl++, \$AFL_LIB says where it lies"; exit 5; }
done
command -v afl-fuzz >/dev/null 2>&1 || { echo "afl: not run: no afl-fuzz here; Debian has it in the package afl++"; exit 5; }

seeds=target/fuzz-seeds
ci/seed-corpus.sh "$seeds"
# Stable Rust is enough: the compiler counts edges, AFL++'s object says where. With --target, what builds the build is left alone.
host=$(rustc -vV | sed -n 's/^host: //p')
CUSTOM_LIBFUZZER_PATH=$lib/libAFLDriver.a CUSTOM_LIBFUZZER_STD_CXX=none \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true \
    RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
-Cllvm-args=-sanitizer-coverage-trace-pc-guard -Ccodegen-units=16 -Clink-arg=$lib/afl-compiler-rt.o" \
    cargo build --locked --release -p wirecanon-fuzz --bins --target "$host" --target-dir target/afl/build
programs=target/afl/build/$host/release

# No screen, no advice about the machine, and seeds that are slow are no fault.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_IGNORE_SEED_PROBLEMS=1
export AFL_AUTORESUME=1 RUST_BACKTRACE=0
out=${AFL_OUT:-target/afl/out}
status=0
table=target/afl/table.txt
mkdir -p "$out"
printf '%-14s %12s %8s %8s %8s %8s\n' target executions per-s edges crashes hangs >"$table"
for target; do
    # It runs each seed some ten times before it starts: two hundred of them, the small ones first, leave time for more.
    from=target/afl/seeds/$target
    rm -rf "$from"
    mkdir -p "$from"
    for folder in "$seeds/$target" "fuzz/seeds/$target"; do
        [ ! -d "$folder" ] || find "$folder" -type f -size -8k -printf '%s %p\n'
    done | sort -n | awk 'NF == 2 { all[n++] = $2 } END { for (i = 0; i < n; i += n > 200 ? n / 200 : 1) print all[int(i)] }' |
        while read -r seed; do cp "$seed" "$from/"; done
    # A dictionary may have words of 128 bytes at most here.
    set --
    if [ -f "$seeds/$target.dict" ]; then
        awk 'length($0) < 120' "$seeds/$target.dict" >"target/afl/$target.dict"
        set -- -x "target/afl/$target.dict"
    fi
    echo "afl: $target for $seconds s"
    if ! afl-fuzz -i "$from" -o "$out/$target" -V "$seconds" -t 20000 -m none "$@" -- "$programs/$target" \
        >"target/afl/$target.log" 2>&1; then
        tail -n 30 "target/afl/$target.log" >&2
        status=1
        continue
    fi
    stats=$out/$target/default/fuzzer_stats
    awk -v target="$target" '
        { value[$1] = $3 }
        END { printf "%-14s %12d %8.1f %8d %8d %8d\n", target, value["execs_done"], value["execs_per_sec"],
            value["edges_found"], value["saved_crashes"], value["saved_hangs"] }' "$stats" >>"$table"
    for finding in "$out/$target"/default/crashes/id:* "$out/$target"/default/hangs/id:*; do
        [ -f "$finding" ] || continue
        status=1
        echo "afl: finding: $finding" >&2
        echo "  see it again, and how to make it a case: cargo run -p wirecanon-fuzz --bin $target -- '$finding'" >&2
    done
done
echo
cat "$table"
exit $status
