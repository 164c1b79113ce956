#!/usr/bin/env bash
# What the browser tests need beside Chromium and Node.js, in target/browser: ci/browser-tools.sh
set -euo pipefail
cd "$(dirname "$0")/.."

from=conformance/tests/browser
into=target/browser
if cmp -s "$from/package-lock.json" "$into/package-lock.json" && [ -d "$into/node_modules/axe-core" ]; then
    exit 0
fi
rm -rf "$into"
mkdir -p "$into"
cp "$from/package.json" "$from/package-lock.json" "$into/"
# A folder that is half made is no folder: the next call makes it anew.
npm ci --prefix "$into" --no-audit --no-fund --ignore-scripts --loglevel=error || {
    rm -rf "$into"
    exit 1
}
