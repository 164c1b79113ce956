#!/bin/sh
# Packs the crates as `cargo publish` would, builds each from its package alone, and looks that none lacks its licences and README.
#
#   ci/packages/crates.sh [--no-build]
#
# Exit codes: 0 all are ready; 1 one is not; 2 wrong usage.
set -eu
cd "$(dirname "$0")/../.."
build=
case ${1:-} in
'') ;;
--no-build) build=--no-verify ;;
-h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/packages/crates.sh; exit 0 ;;
*) echo "crates: unknown argument '$1'" >&2; exit 2 ;;
esac
crates='wirecanon-json wirecanon-model wirecanon-check wirecanon-observe wirecanon-convert wirecanon-invariants wirecanon-core
wirecanon-schemas wirecanon-generate
wirecanon-embed wirecanon-corpus wirecanon-suites wirecanon-adapters wirecanon-judge wirecanon-cases wirecanon-runner
wirecanon-session wirecanon-report wirecanon-web wirecanon'
set --
for crate in $crates; do
    packed=$(cargo package --allow-dirty --list -p "$crate")
    for file in README.md LICENSE-MIT LICENSE-APACHE; do
        printf '%s\n' "$packed" | grep -qx "$file" || { echo "crates: $crate has no $file" >&2; exit 1; }
    done
    set -- "$@" -p "$crate"
done
# Together, since each stands on the ones before it, and none is published.
cargo package --locked --allow-dirty $build "$@"
echo "crates: $crates"
