#!/bin/sh
# Runs unit tests of core in Miri, which watches every access to memory: core has no unsafe code, but the vectors, UTF-8 and
# base64 that it stands on have. It is hundreds of times slower than the processor, so by default it runs what reaches those.
#
#   ci/miri.sh [FILTER…]     unit tests by parts of their names (default: those of the JSON layer, and of pictures and reports)
#
# Exit codes: 0 nothing found; 1 a finding; 5 not run: Miri is missing and rustup cannot install it.
set -eu
cd "$(dirname "$0")/.."
nightly=$(rustup toolchain list 2>/dev/null | awk '/^nightly/ { print $1; exit }')
[ -n "$nightly" ] || { echo "miri: not run: no nightly toolchain here: rustup toolchain install nightly"; exit 5; }
if ! cargo "+$nightly" miri --version >/dev/null 2>&1 || [ ! -d "$(rustc "+$nightly" --print sysroot)/lib/rustlib/src" ]; then
    rustup component add miri rust-src --toolchain "$nightly" >/dev/null 2>&1 ||
        { echo "miri: not run: rustup cannot install Miri for $nightly"; exit 5; }
fi
# Tests read files of this checkout, and ask for the time.
miri() {
    MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" \
        cargo "+$nightly" miri test --locked --target-dir target/miri "$@"
}
if [ $# -gt 0 ]; then
    miri -p wirecanon-core -p wirecanon-json --lib -- "$@" || exit 1
else
    miri -p wirecanon-json --lib --test it || exit 1
    miri -p wirecanon-core --lib -- base64 || exit 1
    miri -p wirecanon-core --test it -- media_and_reports:: || exit 1
fi
