#!/bin/sh
# Makes the seeds of every fuzz target from the corpus and the generator, each in the form that the target decodes, with its
# dictionary beside them: FOLDER/TARGET/… and FOLDER/TARGET.dict. The same commit makes the same files.
#
#   ci/seed-corpus.sh [FOLDER]          default target/fuzz-seeds
set -eu
cd "$(dirname "$0")/.."
folder=${1:-target/fuzz-seeds}
case $folder in /* | -*) echo "seed-corpus: FOLDER must be a folder below this one, not '$folder'" >&2; exit 2 ;; esac
rm -rf "$folder"
# Of the whole workspace, as `cargo test --workspace` has it built already: for one package alone cargo would build all anew.
cargo build --quiet --workspace --example seeds
exec "${CARGO_TARGET_DIR:-target}/debug/examples/seeds" "$folder"
