#!/bin/sh
# Lays down a release in a new folder, and looks that each file is there under its own name and that nothing else is summed.
#
#   ci/packages/check-release.sh [PROGRAM]   the program to lay down; without one, cargo builds it
#
# Exit codes: 0 all holds; 1 something does not; 2 wrong usage.
set -eu
cd "$(dirname "$0")/../.."
name=check-release
. ci/packages/lib.sh
release=ci/packages/release.sh
out=$work/out
other=$work/other/wirecanon
mkdir "$out" "$work/other" "$work/bin"
echo "for another processor" >"$other"
# As where cargo-cyclonedx is missing.
printf '#!/bin/sh\nexit 1\n' >"$work/bin/cargo"
chmod +x "$work/bin/cargo"
PATH=$work/bin:$PATH

ends 2 "two files of one name" $release "$out" "$program" "$other"
says "$program and $other would both be wirecanon" PATH=NAME
ends 2 "a name that is written there" $release "$out" "$program" "$other=SHA256SUMS"
says "SHA256SUMS is written here"
ends 1 "a file that is not there" $release "$out" "$program" "$work/none=other"
says "no file $work/none"
[ -z "$(ls "$out")" ] || wrong "what was refused left files"

echo "of an earlier run" >"$out/sbom.cdx.json"
ends 0 "two files of two names" $release "$out" "$program" "$other=wirecanon-aarch64"
says "not run: the list of parts" "SHA256SUMS: 3 files"
ends 0 "a file that lies there already" $release "$out" "$out/wirecanon"
says "SHA256SUMS: 3 files"
cmp -s "$other" "$out/wirecanon-aarch64" && cmp -s "$program" "$out/wirecanon" || wrong "a file is another one"
cd "$out"
ends 0 "the sums" sha256sum -c SHA256SUMS
says "PROVENANCE: OK" "wirecanon: OK" "wirecanon-aarch64: OK"
silent sbom
echo "$name: $held statements hold"
