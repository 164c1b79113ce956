#!/usr/bin/env bash
# Holds testees to what is expected of them, and leaves the log and its reports in a folder: docs/gate.md.
#
#   ci/gate.sh [--base LOG] [--only-worse] [--out FOLDER] [--expectations PATH] [--shard I/N] TESTEE…
#   ci/gate.sh [--base LOG] [--only-worse] [--out FOLDER] [--expectations PATH] --merge FOLDER
#
# TESTEE is what `wirecanon gate --testee` takes. Without one, each line of $TESTEES is one.
#   --merge FOLDER        run nothing: join the logs (run.ndjson) that earlier shards left anywhere below this folder, and judge those
#   --base LOG            the log of the run to compare with, as of the branch that is merged into; what got worse since blocks too
#   --only-worse          no file of expectations: only what got worse since --base blocks, and nothing where that log is missing
#   --out FOLDER          where run.ndjson, junit.xml and summary.md go (default: wirecanon-out)
#   --expectations PATH   a file, or a folder with one for each testee (default: expectations)
#   --shard I/N           one part of the cases
# Environment:
#   WIRECANON             the program (default: wirecanon)
# In GitHub Actions it also writes an annotation, the summary of the job, and the outputs `exit-code` and `log`.
# The exit code is that of the gate, or 1 if only the comparison found something.
set -euo pipefail

program=${WIRECANON:-wirecanon}
base='' merge='' only_worse='' out=wirecanon-out more=() testees=()
while [ $# -gt 0 ]; do
    case $1 in
        --base) base=${2:?--base needs a log}; shift 2 ;;
        --out) out=${2:?--out needs a folder}; shift 2 ;;
        --merge) merge=${2:?--merge needs a folder}; shift 2 ;;
        --only-worse) only_worse=1; shift ;;
        --expectations | --shard) more+=("$1" "${2:?$1 needs a value}"); shift 2 ;;
        -*) echo "ci/gate.sh: unknown option $1" >&2; exit 2 ;;
        *) testees+=(--testee "$1"); shift ;;
    esac
done
if [ -n "$only_worse" ] && [ -z "$base" ]; then
    echo "ci/gate.sh: --only-worse needs --base: what is it to be no worse than?" >&2
    exit 2
fi
if [ ${#testees[@]} -eq 0 ] && [ -z "$merge" ]; then
    while IFS= read -r line; do
        if [ -n "${line//[[:space:]]/}" ]; then testees+=(--testee "$line"); fi
    done <<<"${TESTEES:-}"
fi
if [ ${#testees[@]} -eq 0 ] && [ -z "$merge" ]; then
    echo "ci/gate.sh: name a testee, as in: ci/gate.sh 'python3 adapter.py'" >&2
    exit 2
fi

logs=()
if [ -n "$merge" ]; then
    while IFS= read -r log; do logs+=("$log"); done < <(find "$merge" -type f -name run.ndjson | LC_ALL=C sort)
    if [ ${#logs[@]} -eq 0 ]; then
        echo "ci/gate.sh: no log lies below $merge: did a shard keep one?" >&2
        exit 2
    fi
fi
mkdir -p "$out"
# What an earlier run left must not be taken for this one's.
rm -f "$out/run.ndjson" "$out/junit.xml" "$out/summary.md"
exit_code=0
if [ -n "$merge" ]; then
    "$program" merge "${logs[@]}" -o "$out/run.ndjson" || exit_code=$?
fi
case ${merge:+merge}${only_worse:+worse} in
    merge) [ "$exit_code" -ne 0 ] || "$program" gate --from-log "$out/run.ndjson" ${more[@]+"${more[@]}"} || exit_code=$? ;;
    mergeworse) [ "$exit_code" -ne 0 ] || "$program" report "$out/run.ndjson" || exit_code=$? ;;
    worse) "$program" test "${testees[@]}" ${more[@]+"${more[@]}"} --log "$out/run.ndjson" || exit_code=$? ;;
    *) "$program" gate "${testees[@]}" ${more[@]+"${more[@]}"} --log "$out/run.ndjson" || exit_code=$? ;;
esac
if [ -n "$only_worse" ]; then
    # That something is not as asked blocks nothing by itself. That something was not run does.
    if [ "$exit_code" -eq 1 ]; then exit_code=0; fi
    if [ ! -s "$base" ]; then
        echo "ci/gate.sh: there is no log $base yet: nothing to be worse than"
        base=''
    fi
fi

if [ -s "$out/run.ndjson" ]; then
    # A report ends with the exit code of the run, which is told already.
    "$program" report "$out/run.ndjson" --to junit -o "$out/junit.xml" || true
    "$program" report "$out/run.ndjson" --to markdown -o "$out/summary.md" || true
    if [ -n "$base" ]; then
        compared=0
        "$program" compare "$base" "$out/run.ndjson" || compared=$?
        if [ "$exit_code" -eq 0 ] || [ "$exit_code" -eq 6 ]; then
            if [ "$compared" -ne 0 ]; then exit_code=$compared; fi
        fi
    fi
fi
if [ -n "${GITHUB_ACTIONS:-}" ]; then
    if [ "$exit_code" -ne 0 ]; then
        echo "::error title=wirecanon gate::exit code $exit_code: 1 is a regression, 6 a stale expectation; the log of this step has the commands"
    fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$out/summary.md" ]; then cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"; fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then
        printf 'exit-code=%s\nlog=%s\n' "$exit_code" "$out/run.ndjson" >>"$GITHUB_OUTPUT"
    fi
fi
exit "$exit_code"
