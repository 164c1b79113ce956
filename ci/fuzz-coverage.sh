#!/bin/sh
# Which lines of this project the inputs of the fuzz targets reach: the seeds, and what earlier runs found (fuzz/corpus).
# Prints a table of folders, and writes target/fuzz-coverage/files.txt and lines/index.html.
#
#   ci/fuzz-coverage.sh [TARGET…]       default: every target
set -eu
cd "$(dirname "$0")/.."
nightly=$(rustup toolchain list 2>/dev/null | awk '/^nightly/ { print $1; exit }')
if [ -z "$nightly" ]; then
    echo "fuzz-coverage: no nightly toolchain is installed: rustup toolchain install nightly" >&2
    exit 1
fi
host=$(rustc "+$nightly" -vV | awk '/^host/ { print $2 }')
# The toolchain's own tools, or those of the system of the same version of LLVM: no other reads its profiles.
tools=$(rustc "+$nightly" --print sysroot)/lib/rustlib/$host/bin
version=$(rustc "+$nightly" -vV | awk '/^LLVM/ { split($3, part, "."); print part[1] }')
[ -x "$tools/llvm-cov" ] && [ -x "$tools/llvm-profdata" ] || tools=/usr/lib/llvm-$version/bin
for tool in llvm-cov llvm-profdata; do
    if [ ! -x "$tools/$tool" ]; then
        echo "fuzz-coverage: $tool of LLVM $version is missing: rustup component add llvm-tools --toolchain $nightly," \
            "or the package llvm-$version of the system" >&2
        exit 1
    fi
done
if ! cargo "+$nightly" fuzz --version >/dev/null 2>&1; then
    echo "fuzz-coverage: cargo-fuzz is missing: cargo install --locked cargo-fuzz --version 0.13.2" >&2
    exit 1
fi
[ $# -gt 0 ] || set -- $(for file in fuzz/fuzz_targets/*.rs; do basename "$file" .rs; done)

seeds=target/fuzz-seeds
out=target/fuzz-coverage
[ -d "$seeds" ] || ci/seed-corpus.sh "$seeds"
rm -rf "$out"
mkdir -p "$out"
objects=
for target; do
    mkdir -p "fuzz/corpus/$target"
    extra=
    [ -d "fuzz/seeds/$target" ] && extra=fuzz/seeds/$target
    echo "fuzz-coverage: $target"
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 cargo "+$nightly" fuzz coverage "$target" -s none \
        --llvm-path "$tools" --codegen-units 16 --fuzz-dir fuzz "fuzz/corpus/$target" "$seeds/$target" $extra >"$out/$target.log" 2>&1 ||
        { tail -n 30 "$out/$target.log" >&2; exit 1; }
    objects="$objects -object target/$host/coverage/$host/release/$target"
done
"$tools/llvm-profdata" merge -sparse -o "$out/all.profdata" fuzz/coverage/*/coverage.profdata
# What this project wrote, without the harness itself.
ignored='/(\.cargo|rustc|rustup|fuzz|driver)/'
# The first object needs no option of its own.
set -- ${objects# -object }
"$tools/llvm-cov" report "$@" -instr-profile="$out/all.profdata" -ignore-filename-regex="$ignored" >"$out/files.txt"
"$tools/llvm-cov" show "$@" -instr-profile="$out/all.profdata" -ignore-filename-regex="$ignored" \
    -format=html -output-dir="$out/lines" >/dev/null
awk '
    # File, regions, missed, %, functions, missed, %, lines, missed, %, …
    NF >= 10 && $1 ~ /\.rs$/ {
        folder = $1
        sub(/\/[^\/]*$/, "", folder)
        lines[folder] += $8; missed[folder] += $9; all += $8; none += $9
    }
    END {
        printf "%-44s %8s %8s %7s\n", "folder", "lines", "reached", "%"
        for (folder in lines)
            printf "%-44s %8d %8d %6.1f%%\n", folder, lines[folder], lines[folder] - missed[folder], \
                100 * (1 - missed[folder] / lines[folder]) | "sort"
        close("sort")
        if (all) printf "%-44s %8d %8d %6.1f%%\n", "all", all, all - none, 100 * (1 - none / all)
    }' "$out/files.txt"
echo "files: $out/files.txt; lines: $out/lines/index.html"
