#!/bin/sh
# Runs the fuzz targets under AFL++ instead of libFuzzer: the same programs, with AFL++'s driver linked where libFuzzer's would be,
# and with the coverage that AFL++ reads (trace-pc-guard). Fails on a crash or a hang, and says how to see it again.
#
#   ci/afl.sh [SECONDS [TARGET…]]   default 60 for each, and every target
#
# It needs afl-fuzz with libAFLDriver.a and afl-compiler-rt.o (Debian: afl++), a nightly toolchain and binutils.
# AFL_LIB is the folder of the two files, where they are not found. What was found so far stays in target/afl/TARGET.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
case $seconds in '' | *[!0-9]*) echo "afl: SECONDS must be a number, not '$seconds'" >&2; exit 2 ;; esac
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- $(for file in fuzz/fuzz_targets/*.rs; do basename "$file" .rs; done)
for target; do
    [ -f "fuzz/fuzz_targets/$target.rs" ] || { echo "afl: no target '$target'" >&2; exit 2; }
done
command -v afl-fuzz >/dev/null 2>&1 || { echo "afl: afl-fuzz is missing; on Debian: apt-get install afl++" >&2; exit 2; }
nightly=$(rustup toolchain list 2>/dev/null | awk '/^nightly/ { print $1; exit }')
[ -n "$nightly" ] || { echo "afl: no nightly toolchain is installed: rustup toolchain install nightly" >&2; exit 2; }
lib=${AFL_LIB:-}
for folder in /usr/lib/afl /usr/local/lib/afl; do
    if [ -z "$lib" ] && [ -f "$folder/libAFLDriver.a" ]; then lib=$folder; fi
done
if [ ! -f "$lib/libAFLDriver.a" ] || [ ! -f "$lib/afl-compiler-rt.o" ]; then
    echo "afl: libAFLDriver.a and afl-compiler-rt.o are in none of the usual folders; AFL_LIB names theirs" >&2
    exit 2
fi

mkdir -p target/afl
# One archive, since libfuzzer-sys links one in place of libFuzzer: the loop, and what tells afl-fuzz of the edges.
rm -f target/afl/libwirecanon_afl.a
(cd target/afl && ar x "$lib/libAFLDriver.a" && ar rc libwirecanon_afl.a ./*.o "$lib/afl-compiler-rt.o" && rm -f ./*.o)
host=$(rustc "+$nightly" -vV | sed -n 's/^host: //p')
CUSTOM_LIBFUZZER_PATH=$PWD/target/afl/libwirecanon_afl.a \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true \
    RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-trace-pc-guard" \
    cargo "+$nightly" build --locked --release --bins -p wirecanon-fuzz --target "$host" --target-dir target/afl/build
ci/seed-corpus.sh target/fuzz-seeds

# A machine for fuzzing alone would set these two in the kernel; afl-fuzz asks for it otherwise, and stops.
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_NO_UI=1 AFL_AUTORESUME=1 AFL_NO_AFFINITY=1 AFL_FAST_CAL=1 AFL_IGNORE_SEED_PROBLEMS=1
# A panic must be a signal: a program that ends with 101 has done nothing wrong in the eyes of afl-fuzz.
status=0
for target; do
    program=target/afl/build/$host/release/$target
    seeds=target/afl/seeds/$target out=target/afl/$target
    rm -rf "$seeds"
    mkdir -p "$seeds"
    for folder in "target/fuzz-seeds/$target" "fuzz/seeds/$target"; do
        if [ -d "$folder" ]; then find "$folder" -type f -exec cp {} "$seeds/" \; ; fi
    done
    # afl-fuzz starts from one file at least.
    [ -n "$(ls -A "$seeds")" ] || echo '{}' >"$seeds/empty"
    set -- -V "$seconds" -G 8192 -m none -t 5000 -i "$seeds" -o "$out"
    [ ! -f "target/fuzz-seeds/$target.dict" ] || set -- "$@" -x "target/fuzz-seeds/$target.dict"
    if ! afl-fuzz "$@" -- "$program" >"$out.log" 2>&1; then
        tail -n 20 "$out.log" >&2
        echo "afl: $target did not run; the whole of it stands in $out.log" >&2
        status=1
        continue
    fi
    stats() { sed -n "s/^$1 *: //p" "$out/default/fuzzer_stats"; }
    echo "$target: $(stats execs_done) executions, $(stats execs_per_sec) per s, $(stats edges_found) edges"
    for found in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
        [ -f "$found" ] || continue
        echo "afl: $target: $found; see it: $program $found" >&2
        status=1
    done
done
exit $status
