#!/bin/sh
# Builds the program for Linux, linked to nothing (musl), so that it runs on any distribution and in an empty image.
#
#   ci/packages/musl.sh [ARCH]   x86_64 (default) or aarch64; the program: target/ARCH-unknown-linux-musl/release/wirecanon
#
# It needs rustup, which installs the target, and for another processor than this machine's a linker, by
# CARGO_TARGET_…_LINKER. Exit codes: 0 built, and nothing is linked; 1 not; 2 wrong usage; 5 not run: a tool is missing.
set -eu
cd "$(dirname "$0")/../.."
arch=${1:-x86_64}
case $arch in x86_64 | aarch64) ;; *) echo "musl: no architecture '$arch': x86_64 or aarch64" >&2; exit 2 ;; esac
target=$arch-unknown-linux-musl
for tool in cargo rustup; do
    command -v $tool >/dev/null 2>&1 || { echo "musl: not run: no $tool here"; exit 5; }
done
rustup target add "$target" >/dev/null 2>&1 || { echo "musl: not run: rustup cannot install $target"; exit 5; }

# The musl target of rustc brings its own libc, and links statically unless told otherwise.
cargo build --locked --release --target "$target" --bin wirecanon
program=${CARGO_TARGET_DIR:-target}/$target/release/wirecanon
if command -v readelf >/dev/null 2>&1; then
    if readelf -d "$program" | grep -q NEEDED; then
        echo "musl: it is linked to other files:" >&2
        readelf -d "$program" | grep NEEDED >&2
        exit 1
    fi
    echo "musl: $program: linked to nothing, $(($(wc -c <"$program") >> 20)) MiB"
else
    echo "musl: $program; not run: no readelf here to see that nothing is linked"
fi
