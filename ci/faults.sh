#!/bin/sh
# Kills the program, and takes the disk away from under it, while it writes; fails where a file is lost or half, or where it does not go on.
#
#   ci/faults.sh [--kills N] [--refusals N] [--seed N] [PROGRAM]
#
#   --kills N      how often each command is killed with SIGKILL at a random moment (default: 75)
#   --refusals N   how many of its calls to the system fail, for each command (default: 60)
#   --seed N       which moments and which calls (default: 1)
#   PROGRAM        what is tried (default: the debug build of this checkout)
#
# The commands: `fix --in-place`, `fuzz --state`, `gate --bless`, `test --format html`. Calls fail with ENOSPC and EIO by strace, which is
# said to be missing where it is; a write that is cut short before the disk is full comes from a limit on the length of files.
# Exit codes: 0 all was whole; 1 not; 2 wrong usage; 5 not run: a tool is missing.
set -eu
cd "$(dirname "$0")/.."
kills=75 refusals=60 seed=1 program=''
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' ci/faults.sh; exit 0 ;;
        --kills) kills=${2:?--kills needs a number}; shift 2 ;;
        --refusals) refusals=${2:?--refusals needs a number}; shift 2 ;;
        --seed) seed=${2:?--seed needs a number}; shift 2 ;;
        -*) echo "faults: unknown argument '$1'" >&2; exit 2 ;;
        *) program=$1; shift ;;
    esac
done
case $kills$refusals$seed in *[!0-9]*) echo "faults: not a number: $kills $refusals $seed" >&2; exit 2 ;; esac
command -v python3 >/dev/null 2>&1 || { echo "faults: not run: it needs python3"; exit 5; }
if [ -z "$program" ]; then
    cargo build --locked --bin wirecanon
    program=${CARGO_TARGET_DIR:-target}/debug/wirecanon
fi
exec python3 ci/faults/faults.py "$kills" "$refusals" "$seed" "$program"
