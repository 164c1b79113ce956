#!/bin/sh
# Lays down what a release has beside its files: checksums, a list of all that the program is made of (SBOM), and how it was built.
#
#   ci/packages/release.sh OUT FILE…   the files go into OUT; SHA256SUMS, sbom.cdx.json and PROVENANCE are written beside them
#
# The list needs cargo-cyclonedx; where that is missing, the script says `not run` and writes none. Nothing is signed: a signature
# belongs to whoever publishes, for example `gh attestation` in the job that builds.
# Exit codes: 0 written; 1 a file cannot be read; 2 wrong usage.
set -eu
[ $# -ge 2 ] || { echo "usage: release.sh OUT FILE…" >&2; exit 2; }
out=$1
shift
mkdir -p "$out"
for file; do
    [ -f "$file" ] || { echo "release: no file $file" >&2; exit 1; }
    [ "$(cd "$(dirname "$file")" && pwd)" = "$(cd "$out" && pwd)" ] || cp "$file" "$out/"
done
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../.."

if cargo cyclonedx --version >/dev/null 2>&1; then
    cargo cyclonedx --quiet --format json --manifest-path conformance/Cargo.toml --override-filename sbom.cdx
    mv conformance/sbom.cdx.json "$out/"
    # It writes one for every member of the workspace.
    find . -path ./target -prune -o -name 'sbom.cdx.json' -print | xargs -r rm
    echo "release: sbom.cdx.json"
else
    echo "release: not run: the list of parts; cargo install --locked cargo-cyclonedx"
fi
{
    echo "commit: $(git rev-parse HEAD)$([ -z "$(git status --porcelain)" ] || echo ', with changes that are not committed')"
    echo "source: $(git config --get remote.origin.url || echo 'no remote')"
    echo "lock: $(sha256sum Cargo.lock | cut -d' ' -f1)  Cargo.lock"
    echo "compiler: $(rustc --version)"
    echo "host: $(rustc -vV | sed -n 's/^host: //p')"
    echo "Written by ci/packages/release.sh on the machine that ran it. It is a note, not a proof: it is not signed."
} >"$out/PROVENANCE"
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs -r sha256sum >SHA256SUMS)
echo "release: $out/SHA256SUMS: $(wc -l <"$out/SHA256SUMS") files"
