#!/bin/sh
# Adds a dialect to a copy of core: without its files the compiler must ask for each of them, and with them it must be content.
#
#   ci/new-dialect.sh
#
# The new dialect, `probe.chat`, is a copy of `ollama.chat` under another name. It is checked below target/new-dialect.
# Exit codes: 0 the compiler asked for each file and for nothing else, 1 it did not.
set -eu
cd "$(dirname "$0")/.."
tree=$PWD/target/new-dialect/tree
rm -rf "$tree"
mkdir -p "$tree/fuzz"
git ls-files -z --cached --others --exclude-standard core schemas fuzz/driver Cargo.toml Cargo.lock README.md LICENSE-APACHE LICENSE-MIT |
    tar --null --files-from=- --create --file=- | tar --extract --file=- --directory "$tree"
sed -i.old -e 's|^members = .*|members = ["core", "core/json", "core/model", "core/check", "core/observe", "core/convert", "core/invariants"]|' \
    -e '/^default-members = /d' -e '/^exclude = /d' "$tree/Cargo.toml"

check() {
    CARGO_TARGET_DIR=$PWD/target/new-dialect/build CARGO_INCREMENTAL=0 \
        cargo check --quiet --offline --manifest-path "$tree/Cargo.toml" --package "$1" >"$tree/said" 2>&1
}

cd "$tree/core"
row='            McpSampling = "mcp.sampling", mcp_sampling;'
grep -qF "$row" model/src/dialect.rs
awk -v row="$row" '{ print } $0 == row { print "            /// A dialect that a test adds\n            ProbeChat = \"probe.chat\", probe_chat;" }' \
    model/src/dialect.rs >"$tree/dialect.rs"
mv "$tree/dialect.rs" model/src/dialect.rs
cd - >/dev/null

# Each crate must ask for the file of the dialect by its path.
asks() {
    if check "$1"; then
        echo "new-dialect: $1 compiles without $2" >&2
        exit 1
    fi
    grep -q "$2" "$tree/said" || { cat "$tree/said"; echo "new-dialect: $1 does not ask for $2" >&2; exit 1; }
}
asks wirecanon-model 'targets/probe.chat.toml'
sed 's/^name = .*/name = "probe.chat"/; s/^dialect = .*/dialect = "probe.chat"/' "$tree/core/model/targets/ollama.chat.toml" \
    >"$tree/core/model/targets/probe.chat.toml"
asks wirecanon-check 'probe_chat'
cp "$tree/core/check/src/dialects/ollama_chat.rs" "$tree/core/check/src/dialects/probe_chat.rs"
asks wirecanon-observe 'probe_chat'
cp "$tree/core/observe/src/dialects/ollama_chat.rs" "$tree/core/observe/src/dialects/probe_chat.rs"
asks wirecanon-convert 'probe_chat'
mkdir "$tree/core/convert/src/dialects/probe_chat"
for file in mod read write stream; do
    sed 's/dialects::ollama_chat/dialects::probe_chat/g' "$tree/core/convert/src/dialects/ollama_chat/$file.rs" \
        >"$tree/core/convert/src/dialects/probe_chat/$file.rs"
done
check wirecanon-core || { cat "$tree/said"; echo "new-dialect: a dialect with all its files does not compile" >&2; exit 1; }
echo "new-dialect: each crate asks for the file of a new dialect, and no other file changes"
