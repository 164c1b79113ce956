#!/bin/sh
# Draws where the time goes, as the flame graphs of docs/performance.md: docs/pictures/profile-WORK-SET.svg.
#
#   ci/flame-graphs.sh ["WORK SET" …]     as `ratios -- warm WORK SET` knows them (default: those of the page)
#
# Needs perf; installs inferno into target/tools. Frames that the compiler inlined are drawn too.
# Exit codes: 0 drawn; 2 it did not build, or there is no such work; 5 not run: perf or inferno is missing, or perf may not look.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
-*)
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/flame-graphs.sh
    case $1 in -h | --help) exit 0 ;; *) exit 2 ;; esac
    ;;
esac
command -v perf >/dev/null || { echo "flame-graphs: not run: no perf here: apt-get install linux-perf"; exit 5; }
tools=target/tools
if [ ! -x $tools/bin/inferno-flamegraph ]; then
    cargo install --quiet --locked --version 0.12.3 --root $tools inferno ||
        { echo "flame-graphs: not run: cargo cannot install inferno"; exit 5; }
fi
ratios=$(cargo bench --locked --quiet --no-run -p wirecanon-benches --bench ratios --message-format=json |
    sed -n 's/.*"executable":"\([^"]*ratios[^"]*\)".*/\1/p' | tail -1)
[ -n "$ratios" ] || exit 2
[ $# -gt 0 ] || set -- "fix to openai text" "fix to openai images" "fix to openai text-broken" "fix to anthropic text"
work=$(mktemp -d "${TMPDIR:-/tmp}/flame-graphs.XXXXXX")
trap 'rm -rf "$work"' EXIT
for what in "$@"; do
    set_name=${what##* }
    name=${what% *}
    "$ratios" once "$name" "$set_name" 2000000 || exit 2
    perf record -q -e cpu-clock -F 4999 --call-graph dwarf,32768 -o "$work/data" "$ratios" warm "$name" "$set_name" 2000000 >"$work/said" ||
        { cat "$work/said"; echo "flame-graphs: not run: perf could not look at $what"; exit 5; }
    perf script -i "$work/data" 2>/dev/null | $tools/bin/inferno-collapse-perf |
        # Of the process, the making of its input is left out; so is what stands around the call.
        awk 'match($0, /;wirecanon_core::(convert::fix|check::|json::)[^;]*;/) { print substr($0, RSTART + 1) }' >"$work/stacks"
    [ -s "$work/stacks" ] || { echo "flame-graphs: nothing was seen of $what"; exit 5; }
    picture=docs/pictures/profile-$(echo "$what" | tr ' ' '-').svg
    $tools/bin/inferno-flamegraph --deterministic --colors rust --minwidth 0.4 --countname ns --title "$what" \
        --subtitle "$(lscpu | sed -n 's/^Model name: *//p'), 2 MB" <"$work/stacks" >"$work/svg"
    mv "$work/svg" "$picture"
    echo "flame-graphs: $picture, $(awk '{ n += $NF } END { print int(n / 1e6) }' "$work/stacks") ms seen"
done
