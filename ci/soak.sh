#!/bin/sh
# Lets the program work for a day, and fails where it grows or leaves something behind.
#
#   ci/soak.sh [--time MINUTES] [--seed N] [PROGRAM]
#
#   --time MINUTES   how long (default: 1440)
#   --seed N         which messages the search asks (default: 1)
#   PROGRAM          what is tried (default: the debug build of this checkout)
#
# One `serve` is asked all the time, good requests and bad ones. One `fuzz` asks a testee that crashes and hangs now and then. Beside them
# runs begin and end: against testees that hang, crash, flood and leave processes behind. Memory, descriptors and processes of the first two
# are looked at all the time; after each run no process of a testee may be left. Linux only, with python3.
# Exit codes: 0 nothing grew and nothing was left; 1 something did; 2 wrong usage; 5 not run: a tool is missing.
set -eu
cd "$(dirname "$0")/.."
minutes=1440 seed=1 program=''
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/soak.sh; exit 0 ;;
        --time) minutes=${2:?--time needs minutes}; shift 2 ;;
        --seed) seed=${2:?--seed needs a number}; shift 2 ;;
        -*) echo "soak: unknown argument '$1'" >&2; exit 2 ;;
        *) program=$1; shift ;;
    esac
done
case $minutes$seed in '' | *[!0-9]*) echo "soak: no number: --time $minutes --seed $seed" >&2; exit 2 ;; esac
command -v python3 >/dev/null 2>&1 && [ -r /proc/self/status ] || { echo "soak: not run: it needs python3 and Linux"; exit 5; }
if [ -z "$program" ]; then
    cargo build --locked --bin wirecanon
    program=${CARGO_TARGET_DIR:-target}/debug/wirecanon
fi
exec python3 ci/faults/soak.py "$minutes" "$program" "$seed"
