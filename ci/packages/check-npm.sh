#!/bin/sh
# Builds the packages of npm, installs them in a new folder, and runs their sample project with Vitest, Jest and node:test: a function
# that does all as asked passes, and one that does not fails in the cases that it must fail in.
#
#   ci/packages/check-npm.sh [PROGRAM]   the program to pack; without one, cargo builds it
#
# RUNNERS names the runners (vitest jest node). npm asks its registry for Vitest and Jest.
# Exit codes: 0 all holds; 1 something does not; 2 wrong usage, or a tool is missing.
set -eu
cd "$(dirname "$0")/../.."
name=check-npm
. ci/packages/lib.sh
runners=${RUNNERS:-vitest jest node}
for tool in node npm pgrep; do
    command -v $tool >/dev/null 2>&1 || { echo "$name: no $tool here" >&2; exit 2; }
done

system=$(node -p 'process.platform + "-" + process.arch')
ends 0 "the packages" node ci/packages/npm/build.mjs "$work/out" "$system=$program"
ends 0 "who may see a package" node -p 'require(process.argv[1]).publishConfig.access' "$work/out/$system/package.json"
says public
cp -r ci/packages/npm/sample "$work/sample"
cd "$work/out"
ends 0 "npm pack" npm pack --silent ./wirecanon "./$system"
for package in *.tgz; do
    echo "$name: $package, $(($(wc -c <"$package") >> 10)) KiB"
done
cd "$work/sample"
others=$(for runner in $runners; do [ "$runner" = node ] || echo "$runner"; done)
ends 0 "npm install" npm install --no-audit --no-fund --save-dev "$work"/out/*.tgz $others
unset WIRECANON WIRECANON_BLESS WIRECANON_LOG
ends 0 "the program" npx wirecanon --version
says "wirecanon "
ends 2 "its exit code" npx wirecanon no-such-command
ends 0 "a WIRECANON that names the command itself" env WIRECANON=wirecanon timeout -s KILL 10 npx wirecanon --version
says "wirecanon "

# signalled SIGNAL: sends it to the command while the program serves; ends as the command does, and with 1 if the program is left.
signalled() {
    node_modules/.bin/wirecanon serve --port 0 &
    command=$!
    # Then it has begun to serve.
    until grep -q http "$work/said" || ! kill -0 $command 2>/dev/null; do sleep 0.1; done
    served=$(pgrep -P $command)
    kill -s "$1" $command
    end=0
    wait $command || end=$?
    ! kill -0 "$served" 2>/dev/null || { kill "$served"; return 1; }
    return $end
}
# `serve` ends well when it is asked to, and a terminal that is closed ends it.
ends 0 "a command that is to end" signalled TERM
ends 0 "Ctrl-C" signalled INT
ends 129 "a terminal that is closed" signalled HUP

# It must not find itself.
mkdir "$work/bare"
cp right.node.mjs convert.cjs "$work/bare"
cd "$work/bare"
ends 0 "npm install --omit=optional" npm install --no-audit --no-fund --omit=optional "$work"/out/wirecanon-[0-9]*.tgz
for given in '' wirecanon; do
    ends 5 "without the program, WIRECANON='$given'" env WIRECANON="$given" timeout -s KILL 10 npx wirecanon --version
    says 'was it installed with --omit=optional?'
done
ends 1 "tests without the program" node --test right.node.mjs
says 'was it installed with --omit=optional?'
cd "$work/sample"

# What a runner runs: on the file of this name.
tests() {
    case $runner in
        vitest) set -- npx vitest run --reporter=verbose "$1" ;;
        jest) set -- npx jest --verbose "$1" ;;
        node) set -- node --test --test-reporter=spec "$1.node.mjs" ;;
        *) echo "$name: no runner '$runner'" >&2; exit 2 ;;
    esac
    NO_COLOR=1 "$@"
}

for runner in $runners; do
    ends 0 "$runner, a right function" tests right
    says mojibake-is-left-alone
    ends 1 "$runner, a wrong function" tests wrong
    says 'openai-orphan-tool-message [openai.chat->openai.chat]' 'orphan-tool-result at /messages/1: no call has this id' \
        'RangeError: tool_call_id' 'no answer within 1 s' 'differs at /messages/0/name' 'expected "Ada_Lovelace"' \
        'see: wirecanon explain orphan-tool-result'
    grep -E 'Tests:? |ℹ (pass|fail|todo)' "$work/said" || true
    [ ! -e expectations ] || wrong "a run without WIRECANON_BLESS wrote expectations"
    export WIRECANON_BLESS=1
    ends 0 "$runner, what fails today, written down" tests wrong
    unset WIRECANON_BLESS
    ends 0 "$runner, the same again" tests wrong
    grep -E 'Tests:? |ℹ (pass|fail|todo)' "$work/said" || true
    # Jest cannot say so of a test that runs.
    [ "$runner" = jest ] || says 'expected to fail by expectations/wrong.toml: unsafe: orphan-tool-result at /messages/1'
    stale_entries >>expectations/wrong.toml
    ends 1 "$runner, an expected failure that passes, and a dead entry" tests wrong
    says 'expected to fail: expectations/wrong.toml:' 'no-such-case: dead: there is no such case'
    rm -r expectations
done
runner=node
cat >misspelt.node.mjs <<'EOF'
import { describeCorpus } from "wirecanon/node";
const convert = (document) => document;
describeCorpus({ from: "openai.chat", to: "openai.chat", convert, conversions: [{ from: "openai.chat", to: "openai", convert }] });
EOF
ends 1 "a dialect that nobody knows" tests misspelt
says 'from `openai.chat` to `openai` is unknown here'
long=$work/$(printf '%0100d' 0)
mkdir "$long"
ends 0 "a long TMPDIR" env TMPDIR="$long" node --test right.node.mjs
[ "$(ls "$work" | grep -c "^0")" -eq 1 ] || wrong "a socket lies beside TMPDIR"
ends 1 "a program that is not there" env WIRECANON=/no/program node --test right.node.mjs
says '/no/program'
echo "$name: $held statements hold"
