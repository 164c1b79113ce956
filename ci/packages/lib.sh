# What the checks of packages share: they read it with `.`, after setting `name`. It makes the folder `work`, which goes away
# with the script, and `program`, without the tables of a debugger, and counts what holds.

case ${1:-} in
    -h | --help) sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    -*) echo "$name: no option '$1'; see --help" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=${1:-}
if [ -z "$program" ]; then
    cargo build --locked --bin wirecanon || exit 1
    program=${CARGO_TARGET_DIR:-target}/debug/wirecanon
fi
[ -x "$program" ] || { echo "$name: no program at $program" >&2; exit 2; }
if command -v strip >/dev/null 2>&1; then
    strip -o "$work/wirecanon" "$program"
else
    cp "$program" "$work/wirecanon"
fi
program=$work/wirecanon
held=0

wrong() {
    echo "$name: $1" >&2
    [ ! -f "$work/said" ] || tail -n 40 "$work/said" >&2
    exit 1
}

# ends CODE WORDS COMMAND…: the command ends with this code; what it says stays in $work/said.
ends() {
    code=$1 words=$2
    shift 2
    got=0
    "$@" >"$work/said" 2>&1 || got=$?
    [ "$got" -eq "$code" ] || wrong "$words: exit code $got, not $code"
    held=$((held + 1))
    echo "$name: $words: exit code $code"
}

# says TEXT…: what was said last has each of these.
says() {
    for text; do
        grep -qF -- "$text" "$work/said" || wrong "it does not say: $text"
        held=$((held + 1))
    done
}

# silent TEXT…: and none of these.
silent() {
    for text; do
        ! grep -qF -- "$text" "$work/said" || wrong "it says: $text"
        held=$((held + 1))
    done
}

# Entries of a file of expectations that no run fulfils: of a case that passes, and of none.
stale_entries() {
    for case in mojibake-is-left-alone no-such-case; do
        printf '\n[[expect]]\ncase = "%s"\nverdict = "unsafe"\nbecause = ["orphan-tool-result"]\n' "$case"
    done
}
