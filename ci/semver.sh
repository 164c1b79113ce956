#!/bin/sh
# Whether the library breaks what programs that embed it stand on, beside an earlier revision: ci/semver.sh [REVISION]
#
# REVISION is what git knows (origin/main if not said). It needs cargo-semver-checks
# (`cargo install --locked cargo-semver-checks`). While the version is below 1.0, a change of the second number may break.
set -eu
cd "$(dirname "$0")/.."
revision=${1:-origin/main}
git rev-parse --quiet --verify "$revision^{commit}" >/dev/null || { echo "semver: git knows no revision $revision" >&2; exit 2; }
cargo semver-checks --version >/dev/null 2>&1 || {
    echo "semver: needs cargo-semver-checks: cargo install --locked cargo-semver-checks" >&2
    exit 2
}
exec cargo semver-checks --package wirecanon-core --baseline-rev "$revision"
