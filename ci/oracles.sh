#!/bin/sh
# Lays the models that the protocols' owners publish beside our rules and our schemas, and prints where they agree. Fails on
# a disagreement that conformance/oracles/disagreements.toml does not explain.
#
#   ci/oracles.sh [--dialect D]... [--count N] [--seed N] [--quick] [--without ORACLE]... [--only ORACLE]... [--write | --again]
#   ci/oracles.sh --instances N [--dialect D]... [--seed N] [--without ORACLE]... [--only ORACLE]...
#
# --instances asks what the models say of N instances of each of our schemas, and nothing else.
# --write puts the table into docs/oracles.md. --again asks nobody: it reads disagreements.toml anew, and lays beside each other
# what was asked and heard last. The first run installs some 600 MB below target/oracles, from the package
# registries. Exit codes: 0 holds, 1 disagreements, 2 usage, or an oracle that is missing.
set -eu
cd "$(dirname "$0")/.."
for argument; do
    case $argument in -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/oracles.sh; exit 0 ;; esac
done
sources=conformance/oracles
target=target/oracles
mkdir -p "$target"

die() {
    echo "oracles: $1" >&2
    exit 2
}

# What cannot be installed is named with the oracles that need it; they can only be left out by name.
missing() {
    needed=$(awk -F '\t' -v environment="$1" '$1 == environment { printf " %s", $2 }' "$target/environments")
    echo "oracles: $2" >&2
    echo "oracles: these oracles need it:$needed" >&2
    die "mend that, or leave each of them out by name with --without"
}

tool() {
    command -v "$2" >/dev/null 2>&1 || missing "$1" "$2 is not installed ($3)"
}

# An environment is made again when what it is made from has changed.
fresh() {
    [ -f "$target/$1.stamp" ] && [ "$(cat "$target/$1.stamp")" = "$2" ]
}

digest() {
    cat "$@" | cksum
}

python() {
    tool "$1" python3 "apt-get install python3 python3-venv"
    requirements=$sources/python/requirements-$1.txt
    now=$(digest "$requirements")
    fresh "$1" "$now" && return
    echo "oracles: installing $requirements" >&2
    rm -rf "${target:?}/$1"
    python3 -m venv "$target/$1" >"$target/$1.log" 2>&1 || missing "$1" "python3 -m venv failed: $target/$1.log"
    "$target/$1/bin/pip" install --quiet --no-deps --disable-pip-version-check -r "$requirements" >"$target/$1.log" 2>&1 ||
        missing "$1" "pip could not install $requirements: $target/$1.log"
    echo "$now" >"$target/$1.stamp"
}

node_packages() {
    tool node node "version 20 or later"
    tool node npm "it comes with Node"
    mkdir -p "$target/node"
    now=$(digest "$sources/node/package.json" "$sources/node/package-lock.json")
    if ! fresh node "$now"; then
        echo "oracles: installing $sources/node/package-lock.json" >&2
        cp "$sources/node/package.json" "$sources/node/package-lock.json" "$target/node/"
        (cd "$target/node" && npm ci --no-audit --no-fund --ignore-scripts) >"$target/node.log" 2>&1 ||
            missing node "npm could not install $sources/node/package-lock.json: $target/node.log"
        echo "$now" >"$target/node.stamp"
    fi
    cp "$sources"/node/*.mjs "$target/node/"
}

crate() {
    CARGO_TARGET_DIR=$target/rust/target cargo build --quiet --locked --manifest-path "$sources/rust/Cargo.toml" \
        >"$target/rust.log" 2>&1 || missing rust "$sources/rust does not build: $target/rust.log"
}

command -v cargo >/dev/null 2>&1 || die "cargo is not installed: https://rustup.rs"
cargo build --quiet -p wirecanon-xtask
program=${CARGO_TARGET_DIR:-target}/debug/xtask
# A line for each oracle that is asked: what it runs in, and its name.
"$program" oracles "$@" --environments >"$target/environments" || exit 2
for environment in $(cut -f 1 "$target/environments" | sort -u); do
    case $environment in
    node) node_packages ;;
    rust) crate ;;
    *) python "$environment" ;;
    esac
done
"$program" oracles "$@"
