#!/bin/sh
# Builds the wheel of Python, installs it with pip in a new environment, and runs its sample project there: a function that does
# all as asked passes, and one that does not fails in the cases that it must fail in.
#
#   ci/packages/check-python.sh [PROGRAM]   the program to pack; without one, cargo builds it
#
# PYTHON names the interpreter (python3). pip asks its registry for hatchling and pytest.
# Exit codes: 0 all holds; 1 something does not; 2 wrong usage, or a tool is missing.
set -eu
cd "$(dirname "$0")/../.."
name=check-python
. ci/packages/lib.sh
python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || { echo "$name: no $python here" >&2; exit 2; }

"$python" -m venv "$work/env"
pip=$work/env/bin/pip
pytest="$work/env/bin/pytest -p no:cacheprovider -q"
ends 0 "the wheel" env WIRECANON_BINARY="$program" "$pip" wheel -q --no-deps -w "$work/wheels" ci/packages/python
wheel=$(echo "$work"/wheels/wirecanon-*.whl)
echo "$name: $(basename "$wheel"), $(($(wc -c <"$wheel") >> 20)) MiB"
ends 0 "pip install" "$pip" install -q "$wheel[pytest]"
cp -r ci/packages/python/sample "$work/sample"
cd "$work/sample"
# What is on the path must not stand in for what was installed.
PATH=/usr/bin:/bin
unset WIRECANON
ends 0 "the program" "$work/env/bin/wirecanon" --version
says "wirecanon "

ends 0 "a right function" $pytest right.py
tail -n 1 "$work/said"
silent " failed" " skipped"
mkdir sub
ln -s "$program" sub/wirecanon
cd sub
ends 0 "a program by a path from where pytest is started" env WIRECANON=./wirecanon $pytest --rootdir .. ../right.py
cd ..
long=$work/$(printf '%0100d' 0)
mkdir "$long"
ends 0 "a long TMPDIR" env TMPDIR="$long" $pytest right.py
ends 1 "a wrong function" $pytest -rfp wrong.py
tail -n 1 "$work/said"
says 'FAILED wrong.py::corpus::openai-orphan-tool-message[openai.chat->openai.chat]' \
    'orphan-tool-result at /messages/1: no call has this id' 'see: wirecanon explain orphan-tool-result' \
    "KeyError: 'tool_call_id'" 'no answer within 1 s' 'differs at /messages/0/name' 'expected "Ada_Lovelace"' \
    'PASSED wrong.py::corpus::mojibake-is-left-alone[openai.chat->openai.chat]' 'PASSED wrong.py::corpus::gate'
ends 1 "one case of it" $pytest 'wrong.py::corpus::openai-orphan-tool-message[openai.chat->openai.chat]'
says '1 failed'
failed=$(ls expectations 2>/dev/null | wc -l)
[ "$failed" -eq 0 ] || wrong "a run without --wirecanon-bless wrote expectations"

ends 0 "what fails today, written down" $pytest --wirecanon-bless wrong.py
says xfailed
ends 0 "the same again" $pytest --wirecanon-log log wrong.py
tail -n 1 "$work/said"
says xfailed
silent " failed"
ends 1 "what is expected to fail, with --runxfail" $pytest -rf --runxfail wrong.py
says 'FAILED wrong.py::corpus::openai-orphan-tool-message[openai.chat->openai.chat]' \
    'expectations/wrong.toml: unsafe: orphan-tool-result at /messages/1'
silent xfailed
ends 1 "a report of its log" "$work/env/bin/wirecanon" report log/wrong.ndjson --to markdown
says openai-orphan-tool-message
stale_entries >>expectations/wrong.toml
ends 1 "an expected failure that passes, and a dead entry" $pytest wrong.py
says '2 failed' '[XPASS(strict)] expectations/wrong.toml:' 'no-such-case: dead: there is no such case'
echo "[[expect" >expectations/wrong.toml
ends 1 "a file of expectations that is broken" $pytest wrong.py
says 'expectations/wrong.toml'
cat >misspelt.py <<'EOF'
from wirecanon import Corpus
corpus = Corpus("misspelt")
corpus.converts("openai.chat", "openai.chat")(lambda document, ask: document)
corpus.converts("openai.chat", "openai")(lambda document, ask: document)
EOF
ends 2 "a dialect that nobody knows" $pytest misspelt.py
says 'from `openai.chat` to `openai` is unknown here'
for place in first second; do
    printf '%s\n' 'from wirecanon import Corpus' "corpus = Corpus('same')" \
        "corpus.converts('openai.chat', 'openai.chat')(lambda document, ask: document)" >$place.py
done
ends 2 "two corpora of one name" $pytest first.py second.py
says '`same` at first.py::corpus and `same` at second.py::corpus'
echo 'from right import corpus' >again.py
ends 0 "one corpus in two files" $pytest right.py again.py
ends 2 "a program that is not there" env WIRECANON=/no/program $pytest right.py
says '/no/program'
echo "$name: $held statements hold"
