#!/bin/bash -eu
# Copyright the wirecanon authors. Licensed under the Apache License, Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0).
# Builds every fuzz target into $OUT, with its seeds, its dictionary and its options, as OSS-Fuzz and ClusterFuzzLite ask:
# https://google.github.io/oss-fuzz/getting-started/new-project-guide/rust-lang. ci/check-oss-fuzz.sh tries it anywhere.
#   $SRC          the sources lie in $SRC/wirecanon
#   $OUT          where the programs go
#   $FUZZ_BUILD   further words for `cargo fuzz build` (default: none)
cd "$SRC/wirecanon"
seeds=target/fuzz-seeds
# What makes the seeds is no fuzzer: the image's flags are not for it.
RUSTFLAGS= ci/seed-corpus.sh "$seeds"
# shellcheck disable=SC2086
cargo fuzz build -O --debug-assertions --fuzz-dir fuzz ${FUZZ_BUILD:-}
programs=${CARGO_TARGET_DIR:-target}/$(rustc -vV | sed -n 's/^host: //p')/release
for file in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    cp "$programs/$target" "$OUT/"
    # Names of seeds that were found and of those that are made do not meet: each in a folder of its own.
    rm -f "$OUT/${target}_seed_corpus.zip"
    folders=()
    for folder in "$seeds/$target" "fuzz/seeds/$target"; do
        if [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then folders+=("$folder"); fi
    done
    if [ ${#folders[@]} -gt 0 ]; then zip -q -r "$OUT/${target}_seed_corpus.zip" "${folders[@]}"; fi
    if [ -f "$seeds/$target.dict" ]; then cp "$seeds/$target.dict" "$OUT/"; fi
    printf '[libfuzzer]\nmax_len = 8192\ntimeout = 60\n' >"$OUT/$target.options"
    # The crate jsonschema keeps what it compiles of a schema that refers to itself; nothing of ours is leaked.
    if [ "$target" = instances ]; then echo 'detect_leaks = 0' >>"$OUT/$target.options"; fi
done
