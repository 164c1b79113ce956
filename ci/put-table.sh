#!/bin/sh
# Puts a table into a page, in the place of what stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
#
#   ci/put-table.sh PAGE NAME TABLE
#
# The page is written beside, then renamed. Exit codes: 0 written, 2 usage, or the page has no such place.
set -eu
if [ $# -ne 3 ]; then
    sed -n '2,/^set/{/^#/!d;s/^# \{0,1\}//;p;}' "$0" >&2
    exit 2
fi
awk -v begin="<!-- $2: begin -->" -v end="<!-- $2: end -->" -v table="$3" '
    $0 == begin && !open { print; print ""; while ((getline line < table) > 0) print line; print ""; open = 1; next }
    $0 == end && open == 1 { open = 2 }
    open != 1
    END { exit open != 2 }' "$1" >"$1.new" || {
    rm -f "$1.new"
    echo "put-table: $1 has no place between <!-- $2: begin --> and <!-- $2: end -->" >&2
    exit 2
}
mv "$1.new" "$1"
