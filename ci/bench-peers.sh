#!/bin/sh
# Lays other generators beside ours on one schema, the tool result of MCP 2025-06-18: instances a second, how many of them
# are invalid by the crate `jsonschema`, how many differ from one another, and mean bytes.
#
#   ci/bench-peers.sh [--seconds N] [--rounds N] [--write]
#
# --seconds: at most so long for each peer in each round (default 5). Seconds are those of the processor, so what else runs
# on the machine weighs less. --rounds: the median counts (default 3); all take part
# in each, so that a machine that slows down slows all. --write puts the table into docs/performance.md. The first run
# installs the peers below target/peers, from the package registries, in the versions of benches/peers. A peer that cannot
# be installed is named and left out. Exit codes: 0 ours made only valid instances, 1 it did not, 2 usage, or ours did not
# build.
set -eu
cd "$(dirname "$0")/.."
peers=benches/peers
target=target/peers
seconds=5
rounds=3
write=

usage() {
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-peers.sh
}

while [ $# -gt 0 ]; do
    case $1 in
    --seconds | --rounds)
        case ${2:-} in '' | *[!0-9]* | 0) echo "bench-peers: $1 needs a number above 0" >&2; exit 2 ;; esac
        if [ "$1" = --seconds ]; then seconds=$2; else rounds=$2; fi
        shift
        ;;
    --write) write=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "bench-peers: unknown argument $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
mkdir -p "$target/out"
export HYPOTHESIS_STORAGE_DIRECTORY="$target/hypothesis-storage"

# Made again when what it is made from has changed.
fresh() {
    [ -f "$target/$1.stamp" ] && [ "$(cat "$target/$1.stamp")" = "$2" ]
}

missing() {
    echo "bench-peers: $1 is left out: $2" >&2
    return 1
}

python() {
    command -v python3 >/dev/null 2>&1 || { missing "$2" "python3 is not installed"; return 1; }
    now=$(cksum <"$peers/requirements-$1.txt")
    fresh "$1" "$now" && return
    echo "bench-peers: installing $2" >&2
    rm -rf "${target:?}/$1"
    python3 -m venv "$target/$1" >"$target/$1.log" 2>&1 &&
        "$target/$1/bin/pip" install --quiet --no-deps --disable-pip-version-check \
            -r "$peers/requirements-$1.txt" >"$target/$1.log" 2>&1 ||
        { missing "$2" "see $target/$1.log"; return 1; }
    echo "$now" >"$target/$1.stamp"
}

node_package() {
    command -v npm >/dev/null 2>&1 || { missing json-schema-faker "node and npm are not installed"; return 1; }
    mkdir -p "$target/node"
    now=$(cat "$peers/package.json" "$peers/package-lock.json" | cksum)
    if ! fresh node "$now"; then
        echo "bench-peers: installing json-schema-faker" >&2
        cp "$peers/package.json" "$peers/package-lock.json" "$target/node/"
        (cd "$target/node" && npm ci --no-audit --no-fund --ignore-scripts) >"$target/node.log" 2>&1 ||
            { missing json-schema-faker "see $target/node.log"; return 1; }
        echo "$now" >"$target/node.stamp"
    fi
    cp "$peers/faker.mjs" "$target/node/"
}

wasm_smith() {
    CARGO_TARGET_DIR=$target/wasm cargo build --quiet --release --locked --manifest-path "$peers/wasm/Cargo.toml" \
        >"$target/wasm.log" 2>&1 || missing wasm-smith "see $target/wasm.log"
}

cargo build --quiet --release -p wirecanon-generate --example instances || exit 2
instances=${CARGO_TARGET_DIR:-target}/release/examples/instances

version() {
    case $1 in
    wirecanon) sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1 ;;
    hypothesis-jsonschema | schemathesis) sed -n "s/^$1==//p" "$peers"/requirements-*.txt | head -n 1 ;;
    json-schema-faker) sed -n 's/.*"json-schema-faker": "\(.*\)".*/\1/p' "$peers/package.json" | head -n 1 ;;
    wasm-smith) sed -n 's/^wasm-smith = "=\(.*\)"/\1/p' "$peers/wasm/Cargo.toml" ;;
    esac
}

# run PEER SCHEMA FILE: prints how many were made, and in how many seconds.
run() {
    # Hypothesis has words of its own, before the line that counts.
    case $1 in
    wirecanon) "$instances" make "$2" 200000 "$3" ;;
    hypothesis-jsonschema) "$target/hypothesis/bin/python" "$peers/hypothesis_peer.py" "$1" "$2" 20000 "$seconds" "$3" ;;
    schemathesis) "$target/schemathesis/bin/python" "$peers/hypothesis_peer.py" "$1" "$2" 20000 "$seconds" "$3" ;;
    json-schema-faker) node "$target/node/faker.mjs" "$2" 200000 "$seconds" "$3" ;;
    wasm-smith) "$target/wasm/release/wirecanon-bench-wasm-smith" 200000 "$seconds" ;;
    esac 2>"$target/$1.err" | tail -n 1 | grep . || { echo "bench-peers: $1 failed: $(tail -n 1 "$target/$1.err")" >&2; echo "0 1 0 0"; }
}

python hypothesis hypothesis-jsonschema && have="hypothesis-jsonschema" || have=
python schemathesis schemathesis && have="$have schemathesis"
node_package && have="$have json-schema-faker"
have="wirecanon $have"
wasm_smith && wasm=wasm-smith || wasm=

figures=$target/figures
: >"$figures"
for round in $(seq "$rounds"); do
    for shape in ours published; do
        if [ "$shape" = ours ]; then schema=schemas/mcp/2025-06-18/tool-result.json; else schema=$peers/call-tool-result.json; fi
        for peer in $have; do
            echo "bench-peers: round $round, $shape, $peer" >&2
            echo "$shape $peer $(run "$peer" "$schema" "$target/out/$peer-$shape.jsonl")" >>"$figures"
            [ "$round" = "$rounds" ] || continue
            echo "$shape $peer judged $("$instances" judge "$schema" "$target/out/$peer-$shape.jsonl")" >>"$figures"
        done
    done
    for peer in $wasm; do
        echo "bench-peers: round $round, $peer" >&2
        echo "modules $peer $(run "$peer" - -)" >>"$figures"
    done
done

table=$target/table.md
{
    cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
    echo "$(date -u +%Y-%m-%d), ${cpu:-$(uname -m)}, $(nproc 2>/dev/null || echo '?') cores; $(python3 --version 2>/dev/null || echo no Python), Node $(node --version 2>/dev/null || echo none), $(rustc --version | cut -d ' ' -f 1,2). One core each, seconds of the processor, the median of $rounds rounds in turn."
    echo
    echo "| generator | schema | a second | invalid | differ | mean bytes |"
    echo "|---|---|---:|---:|---:|---:|"
    for shape in ours published modules; do
        for peer in $have $wasm; do
            grep "^$shape $peer " "$figures" | awk -v peer="$peer" -v version="$(version "$peer")" -v shape="$shape" '
                $3 == "judged" { lines = $4; invalid = $5; differ = $6; bytes = $7; judged = 1; next }
                { rates[++n] = $3 / $4; if (NF > 4) { lines = $3; invalid = $5; bytes = $6 } }
                END {
                    if (!n) exit
                    for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++)
                        if (rates[j] < rates[i]) { t = rates[i]; rates[i] = rates[j]; rates[j] = t }
                    what = shape == "ours" ? "ours" : shape == "published" ? "as published" : "WebAssembly modules"
                    printf "| %s %s | %s | %.*f | %s of %s (%.1f %%) | %s | %s |\n", peer, version, what,
                        rates[int((n + 1) / 2)] < 100 ? 1 : 0, rates[int((n + 1) / 2)], invalid, lines,
                        lines ? 100 * invalid / lines : 0, judged ? differ : "", bytes
                }'
        done
    done
} >"$table"
cat "$table"

[ -z "$write" ] || cargo xtask insert docs/performance.md peers "$table"

awk '$2 == "wirecanon" && $3 == "judged" && ($5 > 0 || $4 == 0) { bad = 1 } END { exit bad }' "$figures" || {
    echo "bench-peers: ours made invalid instances, or none" >&2
    exit 1
}
