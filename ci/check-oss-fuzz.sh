#!/bin/sh
# Tries ci/oss-fuzz/build.sh as OSS-Fuzz calls it, with the nightly toolchain here instead of its image: each target must be there
# with seeds and options, and try its seeds and some inputs more without a finding.
#
#   ci/check-oss-fuzz.sh [--sanitizer NAME] [--runs N]
#
#   --sanitizer NAME   address (default) or none
#   --runs N           inputs beside the seeds (default: 200)
set -eu
cd "$(dirname "$0")/.."
sanitizer=address runs=200
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/check-oss-fuzz.sh; exit 0 ;;
        --sanitizer) sanitizer=${2:?--sanitizer needs a name}; shift 2 ;;
        --runs) runs=${2:?--runs needs a number}; shift 2 ;;
        *) echo "check-oss-fuzz: unknown argument '$1'" >&2; exit 2 ;;
    esac
done
case $sanitizer in address | none) ;; *) echo "check-oss-fuzz: no sanitizer '$sanitizer'" >&2; exit 2 ;; esac
case $runs in '' | *[!0-9]*) echo "check-oss-fuzz: --runs must be a number, not '$runs'" >&2; exit 2 ;; esac
command -v zip >/dev/null 2>&1 || { echo "check-oss-fuzz: needs zip" >&2; exit 2; }

# $SRC/wirecanon is this checkout.
work=$(mktemp -d "${TMPDIR:-/tmp}/check-oss-fuzz.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/src" "$work/out" "$work/seeds"
ln -s "$PWD" "$work/src/wirecanon"
SRC=$work/src OUT=$work/out FUZZ_BUILD="--sanitizer $sanitizer" RUSTUP_TOOLCHAIN=${NIGHTLY:-nightly} bash -eu ci/oss-fuzz/build.sh

status=0 count=0
for file in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    count=$((count + 1))
    if [ ! -x "$work/out/$target" ] || [ ! -f "$work/out/$target.options" ]; then
        echo "check-oss-fuzz: $target was not built" >&2
        status=1
        continue
    fi
    folder=$work/seeds/$target
    mkdir "$folder" "$work/new"
    [ ! -f "$work/out/${target}_seed_corpus.zip" ] || (cd "$folder" && unzip -q "$work/out/${target}_seed_corpus.zip")
    seeds=$(find "$folder" -type f | wc -l)
    set -- "$work/new" "$folder" "-runs=$((seeds + runs))" -max_len=8192 -seed=1 "-artifact_prefix=$work/"
    [ ! -f "$work/out/$target.dict" ] || set -- "$@" "-dict=$work/out/$target.dict"
    if "$work/out/$target" "$@" >"$work/log" 2>&1; then
        echo "$target: $seeds seeds, $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$work/log") runs, no finding"
    else
        tail -n 40 "$work/log" >&2
        echo "check-oss-fuzz: $target has a finding" >&2
        status=1
    fi
    rm -rf "$work/new"
done
[ "$count" -gt 0 ] || { echo "check-oss-fuzz: there is no target" >&2; exit 1; }
exit $status
