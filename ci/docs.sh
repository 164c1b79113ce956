#!/bin/sh
# Builds the pages of rustdoc. Fails at a warning, and where a public item of a library that others embed has no example.
#
#   ci/docs.sh
#
# Whether an item has an example is a lint that only a nightly toolchain has.
# Exit codes: 0 all is as it should be; 1 something is not, or no nightly is here.
set -eu
cd "$(dirname "$0")/.."
RUSTDOCFLAGS='-D warnings' cargo doc --locked --quiet --workspace --no-deps
for package in wirecanon-json wirecanon-model wirecanon-check wirecanon-convert wirecanon-invariants wirecanon-schemas wirecanon-generate; do
    cargo +nightly rustdoc --locked --quiet --package "$package" --lib -- \
        -Z unstable-options -Z 'crate-attr=feature(rustdoc_missing_doc_code_examples)' \
        -D warnings -D rustdoc::missing_doc_code_examples
done
echo "docs: no warning, and an example on every public item"
