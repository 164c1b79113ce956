#!/bin/sh
# Fails when a commit needs more instructions than another for the same work.
#
#   ci/bench-gate.sh BASE HEAD [--bound PERCENT]
#
# BASE and HEAD: commits, or the bench programs `ratios` of two, built before. Each commit is built in a worktree of its own
# below target/bench-gate. valgrind counts the instructions of each work on 200 kB; counts of one program differ by less than
# 0.5 % from run to run, so the default bound is 2 %. Without valgrind both programs are timed in turn (`ratios pair`), and the
# default bound is 10 %. Exit codes: 0 within the bound, 1 a regression, 2 usage, or one did not build.
set -eu
cd "$(dirname "$0")/.."
bound=
[ $# -ge 2 ] || { sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/bench-gate.sh; exit 2; }
base=$1
head=$2
shift 2
while [ $# -gt 0 ]; do
    case $1 in
    --bound) bound=${2:-}; shift 2 || { echo "bench-gate: --bound needs a number" >&2; exit 2; } ;;
    *) echo "bench-gate: unknown argument $1" >&2; exit 2 ;;
    esac
done
case $bound in *[!0-9.]*) echo "bench-gate: --bound needs a number" >&2; exit 2 ;; esac
folder=target/bench-gate
mkdir -p "$folder"

# The bench program of a commit, or the program itself.
program() {
    if [ -f "$1" ] && [ -x "$1" ]; then
        echo "$1"
        return
    fi
    commit=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "bench-gate: no commit $1" >&2; return 2; }
    tree=$folder/tree-$commit
    [ -d "$tree" ] || git worktree add --quiet --detach "$tree" "$commit"
    built=$(cd "$tree" && cargo bench --locked --quiet --no-run -p wirecanon-benches --bench ratios \
        --message-format json | sed -n 's/.*"executable":"\([^"]*ratios[^"]*\)".*/\1/p' | tail -n 1)
    cp "$built" "$folder/ratios-$commit"
    git worktree remove --force "$tree"
    echo "$folder/ratios-$commit"
}
base=$(program "$base") || exit 2
head=$(program "$head") || exit 2

if command -v valgrind >/dev/null 2>&1; then
    # Instructions of two runs less those of making the data, which a copy of the bytes costs as well.
    count() {
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" once "$2" "$3" 200000 2>&1 |
            sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
    }
    worst=0
    printf '| work | data | instructions, base | head | change |\n|---|---|---:|---:|---:|\n'
    for row in "fix to openai:text" "fix to openai:escapes" "fix to openai:images" "fix to openai:text-one-defect" \
        "fix to openai:text-broken" "fix to anthropic:text" "check:text" "index:text"; do
        work=${row%%:*}
        set=${row#*:}
        a=$(($(count "$base" "$work" "$set") - $(count "$base" memcpy "$set")))
        b=$(($(count "$head" "$work" "$set") - $(count "$head" memcpy "$set")))
        [ "$a" -gt 0 ] && [ "$b" -gt 0 ] || { echo "bench-gate: $work of $set could not be measured" >&2; exit 2; }
        awk -v work="$work" -v set="$set" -v a="$a" -v b="$b" \
            'BEGIN { printf "| %s | %s | %d | %d | %+.1f %% |\n", work, set, a, b, (b / a - 1) * 100 }'
        awk -v a="$a" -v b="$b" -v bound="${bound:-2}" 'BEGIN { exit !((b / a - 1) * 100 > bound) }' && worst=1
    done
    [ "$worst" = 0 ] || { echo "bench-gate: slower by more than ${bound:-2} %" >&2; exit 1; }
else
    "$head" pair "$base" --bound "$(awk -v bound="${bound:-10}" 'BEGIN { print 1 - bound / 100 }')"
fi
