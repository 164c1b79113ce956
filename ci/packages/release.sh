#!/bin/sh
# Lays down what a release has beside its files: checksums, a list of all that the program is made of (SBOM), and how it was built.
#
#   ci/packages/release.sh OUT FILE…   the files go into OUT; SHA256SUMS, sbom.cdx.json and PROVENANCE are written beside them
#
# FILE is a path, or PATH=NAME: programs for two processors, which cargo calls the same, need two names.
# The list needs cargo-cyclonedx; where that is missing, the script says `not run` and writes none. Nothing is signed: a signature
# belongs to whoever publishes, for example `gh attestation` in the job that builds.
# Exit codes: 0 written; 1 a file cannot be read; 2 wrong usage.
set -eu
[ $# -ge 2 ] || { echo "usage: release.sh OUT PATH[=NAME]…" >&2; exit 2; }
out=$1
shift
for file; do
    path=${file%=*} name=$(basename "${file##*=}")
    [ -f "$path" ] || { echo "release: no file $path" >&2; exit 1; }
    case $name in
        SHA256SUMS | sbom.cdx.json | PROVENANCE) echo "release: $name is written here: call $path otherwise, by PATH=NAME" >&2; exit 2 ;;
    esac
    for other; do
        [ "$other" != "$file" ] || break
        [ "$(basename "${other##*=}")" != "$name" ] || {
            echo "release: $other and $file would both be $name: call one otherwise, by PATH=NAME" >&2
            exit 2
        }
    done
done
mkdir -p "$out"
for file; do
    path=${file%=*} name=$(basename "${file##*=}")
    [ "$path" -ef "$out/$name" ] || cp "$path" "$out/$name"
done
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../.."

# What an earlier run left is about other files.
rm -f "$out/sbom.cdx.json"
if cargo cyclonedx --version >/dev/null 2>&1; then
    cargo cyclonedx --quiet --format json --manifest-path conformance/Cargo.toml --override-filename sbom.cdx
    list=$(mktemp)
    cp conformance/sbom.cdx.json "$list"
    # It writes one for every member of the workspace.
    for member in $(git ls-files '*Cargo.toml'); do rm -f "$(dirname "$member")/sbom.cdx.json"; done
    cp "$list" "$out/sbom.cdx.json"
    rm "$list"
    echo "release: sbom.cdx.json"
else
    echo "release: not run: the list of parts; cargo install --locked cargo-cyclonedx"
fi
{
    echo "commit: $(git rev-parse HEAD)$([ -z "$(git status --porcelain)" ] || echo ', with changes that are not committed')"
    # An address may hold a password.
    echo "source: $(git config --get remote.origin.url | sed 's#//[^/@]*@#//#' | grep . || echo 'no remote')"
    echo "lock: $(sha256sum Cargo.lock | cut -d' ' -f1)  Cargo.lock"
    echo "compiler: $(rustc --version)"
    echo "host: $(rustc -vV | sed -n 's/^host: //p')"
    echo "Written by ci/packages/release.sh on the machine that ran it. It is a note, not a proof: it is not signed."
} >"$out/PROVENANCE"
rm -f "$out/SHA256SUMS"
(cd "$out" && LC_ALL=C && for file in *; do if [ -f "$file" ]; then sha256sum -- "$file"; fi; done) >"$out.sums"
mv "$out.sums" "$out/SHA256SUMS"
echo "release: $out/SHA256SUMS: $(wc -l <"$out/SHA256SUMS") files"
