#!/bin/sh
# Runs the corpus on the reference and on every adapter of a published package, and prints the matrix of testees by classes of fault.
#
#   ci/matrix.sh [--add] [--again] [--write] [--without NAME]... [TESTEE...]
#
# --add installs what is missing first (`wirecanon testee add`). --again runs nothing whose log is there from the last time.
# --write puts the tables of all testees into docs/scores.md, and those of verdicts into README.md, and below them who was left out by name
# (--without). A TESTEE is a name of `wirecanon list testees`; without one, all.
# Environment: WIRECANON, the program (target/release/wirecanon); WIRECANON_TESTEES, where adapters are installed;
# MATRIX_LOGS, where the logs are kept (target/matrix). All adapters take 1.5 GB for Python, 2 GB for Node, 3 GB for Rust, and
# an hour. Exit codes: 0, 2 usage, 3 a testee is missing or could not be run.
set -eu
cd "$(dirname "$0")/.."
program=${WIRECANON:-target/release/wirecanon}
logs=${MATRIX_LOGS:-target/matrix}
add='' again='' write='' names='' without=' '
while [ $# -gt 0 ]; do
    argument=$1
    shift
    case $argument in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/matrix.sh; exit 0 ;;
        --add) add=yes ;;
        --again) again=yes ;;
        --write) write=yes ;;
        --without) without="$without${1:?--without needs a name} "; shift ;;
        -*) echo "matrix: unknown option $argument" >&2; exit 2 ;;
        *) names="$names $argument" ;;
    esac
done
if [ -n "$write" ] && [ -n "$names" ]; then
    echo "matrix: --write takes all testees, so name none" >&2
    exit 2
fi
if [ -z "$names" ]; then
    # The name of each adapter, and those of its variants.
    names=$(awk '/^\[/ { own = ($0 == "[[variant]]") } FNR == 1 { own = 1 } own && /^name = / { gsub(/^name = "|"$/, ""); print }' \
        conformance/adapters/*/testee.toml)
    names="reference $names"
fi
mkdir -p "$logs"

missing='' found=''
for name in $names; do
    case $without in *" $name "*) continue ;; esac
    log=$logs/$name.ndjson
    if [ -n "$again" ] && [ -s "$log" ] && tail -n 1 "$log" | grep -q '"event":"end"'; then
        found="$found $log"
        continue
    fi
    if [ -n "$add" ] && [ "$name" != reference ]; then
        "$program" testee add "$name" >&2 || true
    fi
    echo "matrix: $name" >&2
    code=0
    "$program" test --testee "$name" --log "$log.new" >"$logs/$name.txt" 2>&1 || code=$?
    case $code in
        0 | 1) mv "$log.new" "$log"; found="$found $log" ;;
        *)
            rm -f "$log.new"
            missing="$missing $name"
            # What it said, without the line that tells how far it was.
            tail -n 3 "$logs/$name.txt" | sed "s/^/matrix: $name: /" >&2
            ;;
    esac
done
if [ -z "$found" ]; then
    echo "matrix: nothing was run; ci/matrix.sh --add installs what is missing" >&2
    exit 3
fi

# shellcheck disable=SC2086 # names of testees hold no blanks
"$program" merge $found -o "$logs/all-runs"
# A report ends with the exit code of the run: 1 where a testee has findings.
"$program" report "$logs/all-runs" --to matrix -o "$logs/matrix.md" || [ $? -eq 1 ]
if [ -n "$missing" ]; then
    [ -n "$write" ] || cat "$logs/matrix.md"
    echo "matrix: not run:$missing; ci/matrix.sh --add installs what is missing" >&2
    exit 3
fi
if [ "$without" != ' ' ]; then
    echo "$without" | sed 's/^ *//; s/ *$//; s/ /, /g; s/^/\nNot run: /; s/$/./' >>"$logs/matrix.md"
fi
if [ -z "$write" ]; then
    cat "$logs/matrix.md"
    exit 0
fi
cargo xtask insert docs/scores.md matrix "$logs/matrix.md"
awk '/^### By class/ { of_class = 1 } /^Not run: / { of_class = 0 } !of_class' "$logs/matrix.md" >"$logs/verdicts.md"
cargo xtask insert README.md matrix "$logs/verdicts.md"
echo "matrix: docs/scores.md README.md" >&2
