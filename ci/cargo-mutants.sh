#!/bin/sh
# Runs cargo-mutants on core: which changes of the code does no test notice? Fails when a change survives that
# conformance/mutants/survivors.toml does not explain.
#
#   ci/cargo-mutants.sh [--sample N] [--seed S] [--seconds T] [--batch N] [--again] [--list]
#
#   --sample N    N mutants of all, chosen by a hash of their names and the seed (default: all of them)
#   --seed S      another sample (default: 1)
#   --seconds T   begin no further batch after T seconds; the next run goes on where this one ended
#   --batch N     mutants between two looks at the clock (default: 10)
#   --again       forget what survived before, and try it again
#   --list        print the mutants of the sample, and what is known of each
#
# It works on the last commit, in a tree of its own below target/mutants, one mutant at a time. First core's own tests are
# asked; what survives them is asked of the corpus. What is done stands in target/mutants/done.tsv and holds as long as the
# file that was changed is the same. Exit codes: 0 holds, 1 survivors, 2 usage, 3 there is more to do (--seconds).
set -eu
cd "$(dirname "$0")/.."
version=27.1.0
sample= seed=1 seconds= batch=10 again= list=
die() {
    echo "cargo-mutants: $1" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/cargo-mutants.sh; exit 0 ;;
        --sample | --seed | --seconds | --batch)
            case ${2:-} in '' | *[!0-9]*) die "$1 must be a number, not '${2:-}'" ;; esac
            case $1 in
                --sample) sample=$2 ;;
                --seed) seed=$2 ;;
                --seconds) seconds=$2 ;;
                --batch) batch=$2 ;;
            esac
            shift ;;
        --again) again=1 ;;
        --list) list=1 ;;
        *) die "unknown argument '$1'" ;;
    esac
    shift
done

state=$PWD/target/mutants
tree=$state/tree
done=$state/done.tsv
survivors=$PWD/conformance/mutants/survivors.toml
mkdir -p "$tree"
touch "$done"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$state/build}"
# Most of the time goes into compiling: as little work for the compiler as may be.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0 CARGO_INCREMENTAL=1
export CARGO_PROFILE_TEST_OPT_LEVEL=${MUTANTS_OPT_LEVEL:-0} CARGO_TERM_COLOR=never RUST_BACKTRACE=0

mutants=$(command -v cargo-mutants || true)
if [ -z "$mutants" ] || [ "$("$mutants" mutants --version)" != "cargo-mutants $version" ]; then
    mutants=$state/tool/bin/cargo-mutants
    if [ ! -x "$mutants" ]; then
        echo "cargo-mutants: installing cargo-mutants $version" >&2
        CARGO_TARGET_DIR="$state/tool-build" cargo install --quiet --locked cargo-mutants --version "$version" --root "$state/tool"
    fi
fi

# The tree of the last commit. Files that are the same keep their times, so that cargo builds nothing anew for them; a file
# that a run left changed when it was ended is put right.
GIT_INDEX_FILE=$state/index git --work-tree="$tree" read-tree --reset -u HEAD

# Names without places, so that lines may move: `file: what is changed`, and a number where the same stands again.
"$mutants" mutants --dir "$tree" --package wirecanon-core --list --colors never |
    awk -F: '{
        name = $0; sub(/^[^:]*:[0-9]+:[0-9]+: /, "", name); key = $1 ": " name
        count = ++seen[key]; if (count > 1) key = key " #" count
        print key "\t" $0
    }' >"$state/all.tsv"
[ -s "$state/all.tsv" ] || die "cargo-mutants lists nothing"

# The same sample on every machine: the smallest hashes of seed and name.
awk -F'\t' -v seed="$seed" '
    BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
    {
        text = seed "/" $1; hash = 5381
        for (i = 1; i <= length(text); i++) hash = (hash * 33 + code[substr(text, i, 1)]) % 4294967291
        # Once more, or names that begin alike stay together.
        for (i = 0; i < 3; i++) hash = (hash * 65599 + 12345) % 4294967291
        printf "%010d\t%s\n", hash, $0
    }' "$state/all.tsv" | sort | cut -f2- >"$state/shuffled.tsv"
if [ -n "$sample" ]; then head -n "$sample" "$state/shuffled.tsv"; else cat "$state/shuffled.tsv"; fi >"$state/chosen.tsv"

# What is known holds for the same file with the same text.
git ls-tree -r HEAD core/src | awk '{ print $4 "\t" $3 }' >"$state/blobs.tsv"
known() {
    awk -F'\t' '
        FILENAME == ARGV[1] { blob[$1] = $2; next }
        FILENAME == ARGV[2] { file = $3; sub(/: .*/, "", file); if (blob[file] == $2) what[$3] = $1; next }
        { print (($1 in what) ? what[$1] : "open") "\t" $0 }' "$state/blobs.tsv" "$done" "$state/chosen.tsv"
}
if [ -n "$again" ]; then
    awk -F'\t' '$1 != "missed" && $1 != "timeout"' "$done" >"$done.new"
    mv "$done.new" "$done"
fi
if [ -n "$list" ]; then
    known | cut -f1,2
    exit 0
fi

# run NAME TIMEOUT PACKAGES TESTS… — the mutants of $state/batch.tsv by these tests; outcomes stand in $state/NAME/mutants.out
run() {
    out=$state/$1 time=$2 packages=$3
    shift 3
    rm -rf "$out"
    set -- --dir "$tree" --in-place --package wirecanon-core --test-package "$packages" --baseline skip --timeout "$time" \
        --build-timeout 900 --output "$out" --colors never --no-times "$@"
    # A name is a pattern once its odd characters are escaped.
    cut -f2 "$state/batch.tsv" | sed 's/[][\\.*^$+?(){}|]/\\&/g; s/.*/^&$/' >"$state/patterns"
    while IFS= read -r pattern; do set -- --re "$pattern" "$@"; done <"$state/patterns"
    # cargo-mutants 27.1.0 tries the fields of struct expressions whatever the pattern says: at least not those of all files.
    cut -f2 "$state/batch.tsv" | cut -d: -f1 | sort -u >"$state/files"
    while IFS= read -r file; do set -- --file "$file" "$@"; done <"$state/files"
    # Exit codes 2 and 3 say that some survived or took too long.
    "$mutants" mutants "$@" >"$out.log" 2>&1 || case $? in 2 | 3) ;; *) tail -n 30 "$out.log" >&2; die "cargo-mutants failed: $out.log" ;; esac
}

# Tests of size and those of thousands of transcripts take minutes where nothing is optimized.
own="--lib --test rule_examples --test found_by_mutation --test json --test properties -- --skip scale --skip one_byte_is_another --skip the_reference_is_right --skip every_defect"
corpus="--test reference --test identity --test spec"
# limit PACKAGE TESTS… — the seconds that these tests may take: four times what they take where nothing is changed.
limit() {
    package=$1
    shift
    (cd "$tree" && cargo test --quiet --no-run --package "$package" "$@") >"$state/baseline.log" 2>&1 ||
        { tail -n 30 "$state/baseline.log" >&2; die "nothing builds: $state/baseline.log"; }
    began=$(date +%s)
    (cd "$tree" && cargo test --quiet --package "$package" "$@") >"$state/baseline.log" 2>&1 ||
        { tail -n 30 "$state/baseline.log" >&2; die "the tests fail where nothing is changed: $state/baseline.log"; }
    took=$(($(date +%s) - began))
    echo "cargo-mutants: the tests of $package take $took s where nothing is changed" >&2
    echo $((took * 4 + 60))
}

started=$(date +%s)
first= second=
tried=0
while :; do
    known | awk -F'\t' '$1 == "open"' | head -n "$batch" | cut -f2- >"$state/batch.tsv"
    [ -s "$state/batch.tsv" ] || break
    if [ -n "$seconds" ] && [ $(($(date +%s) - started)) -ge "$seconds" ]; then break; fi
    # shellcheck disable=SC2086
    [ -n "$first" ] || first=$(limit wirecanon-core $own)
    cp "$state/batch.tsv" "$state/own.tsv"
    # shellcheck disable=SC2086
    run own "$first" wirecanon-core -- $own
    # What core's own tests let through is asked of the corpus.
    cat "$state/own/mutants.out/missed.txt" >"$state/through"
    awk -F'\t' 'FILENAME == ARGV[1] { through[$0]; next } $2 in through' "$state/through" "$state/own.tsv" >"$state/batch.tsv"
    if [ -s "$state/batch.tsv" ]; then
        # shellcheck disable=SC2086
        [ -n "$second" ] || second=$(limit wirecanon $corpus)
        # shellcheck disable=SC2086
        run corpus "$second" wirecanon -- $corpus
    else
        rm -rf "$state/corpus"
    fi
    for outcome in caught missed timeout unviable; do
        for stage in own corpus; do
            [ "$stage$outcome" != ownmissed ] || continue
            file=$state/$stage/mutants.out/$outcome.txt
            [ ! -f "$file" ] || awk -v outcome="$outcome" '{ print outcome "\t" $0 }' "$file"
        done
    done >"$state/outcomes"
    awk -F'\t' '
        FILENAME == ARGV[1] { blob[$1] = $2; next }
        FILENAME == ARGV[2] { key[$2] = $1; next }
        $2 in key { file = key[$2]; sub(/: .*/, "", file); print $1 "\t" blob[file] "\t" key[$2] }' \
        "$state/blobs.tsv" "$state/own.tsv" "$state/outcomes" >"$state/told"
    cat "$state/told" >>"$done"
    count=$(awk 'END { print NR }' "$state/own.tsv")
    told=$(awk 'END { print NR }' "$state/told")
    [ "$count" -eq "$told" ] || die "$count mutants were tried, and $told outcomes came: $state/own.log"
    tried=$((tried + count))
    echo "cargo-mutants: $tried tried, $(($(date +%s) - started)) s" >&2
done

# What survived, and whether it is explained. A pattern of survivors.toml may hold `*`.
known >"$state/known.tsv"
awk -F'\t' '$1 == "missed" || $1 == "timeout" { print $1 "\t" $2 }' "$state/known.tsv" >"$state/survived.tsv"
awk '
    function value(line) { sub(/^[a-z]+ = "/, "", line); sub(/"$/, "", line); gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line); return line }
    FILENAME == ARGV[1] {
        if ($0 ~ /^mutant = "/) patterns[++count] = value($0)
        else if ($0 ~ /^reason = "/) reasons[count] = value($0)
        else if ($0 != "" && $0 !~ /^#/ && $0 != "[[survivor]]") { print "cargo-mutants: survivors.toml:" FNR ": " $0 | "cat >&2"; bad = 1 }
        next
    }
    {
        split($0, parts, "\t"); hit = 0
        for (i = 1; i <= count; i++) {
            pattern = patterns[i]; gsub(/[][\\.^$+?(){}|]/, "\\\\&", pattern); gsub(/\*/, ".*", pattern)
            if (parts[2] ~ ("^" pattern "$") && length(reasons[i]) >= 20) { hit = 1; print parts[1] "\t" parts[2] "\t" reasons[i] > explained; break }
        }
        if (!hit) { print "cargo-mutants: survives: " parts[2] " (" parts[1] ")"; bad = 1 }
    }
    END { exit bad }' explained="$state/explained.tsv" "$survivors" "$state/survived.tsv" && status=0 || status=1
awk -F'\t' '{ count[$1]++ } END { for (what in count) printf "%s %d, ", what, count[what]; print NR " in all" }' "$state/known.tsv"
if [ "$status" -eq 0 ] && grep -q '^open' "$state/known.tsv"; then status=3; fi
exit $status
