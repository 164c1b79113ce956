#!/bin/sh
# Builds the documentation as a book of HTML, in target/book, from docs/SUMMARY.md. Fails when a link in it leads nowhere.
#
#   ci/book.sh
#
# It needs mdBook (`cargo install --locked mdbook`), or finds one in $MDBOOK.
set -eu
cd "$(dirname "$0")/.."
mdbook=${MDBOOK:-mdbook}
command -v "$mdbook" >/dev/null 2>&1 || { echo "book: needs mdBook: cargo install --locked mdbook" >&2; exit 2; }
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
source=target/book-source
rm -rf "$source" target/book
mkdir -p "$source"

# All pages in one folder, as mdBook wants them: what led to the root stays here, what leads out of the pages goes to the repository.
cp -R docs/. "$source"
# The table of contents is on every page, and is none itself.
own='README|SPEC|ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG'
for page in $(echo "$own" | tr '|' ' '); do
    sed -E "s#\]\(docs/#](#g; s#\]\((ci|conformance|core|fuzz|schemas|benches|LICENSE[^/)]*|Cargo\.toml)([/)])#](@\1\2#g; s#\]\(@#]($repository/blob/main/#g" "$page.md" >"$source/$page.md"
done
find "$source" -name '*.md' | while IFS= read -r page; do
    case ${page#"$source"/} in
        */*) sed -E "s#\]\(\.\./\.\./($own)\.md#](../\1.md#g; s#\]\(\.\./\.\./#]($repository/blob/main/#g" "$page" ;;
        *) sed -E "s#\]\(\.\./($own)\.md#](\1.md#g; s#\]\(\.\./#]($repository/blob/main/#g" "$page" ;;
    esac >"$page.new"
    mv "$page.new" "$page"
done
# A page of findings for each package, whichever there are.
for page in docs/findings/*.md; do
    [ -f "$page" ] && echo "  - [$(basename "$page" .md)](findings/$(basename "$page"))"
done >"$source/found"
sed -i "/^- \[Findings\](findings.md)\$/r $source/found" "$source/SUMMARY.md"
rm "$source/found"
cat >"$source/book.toml" <<END
[book]
title = "wirecanon"
language = "en"
src = "."
[build]
build-dir = "../book"
create-missing = false
[output.html]
git-repository-url = "$repository"
smart-punctuation = false
END
sed -i 's#\[Contents\](SUMMARY.md)#Contents#' "$source/README.md"
"$mdbook" build "$source"

status=0
for page in $(find target/book -name '*.html' ! -name print.html ! -name 404.html ! -name toc.html); do
    folder=$(dirname "$page")
    for link in $(grep -o 'href="[^"#]*' "$page" | cut -c7- | grep -v '^[a-z]*:' | sort -u); do
        [ -e "$folder/$link" ] || { echo "book: $page links to $link, which is not there" >&2; status=1; }
    done
done
[ -f target/book/index.html ] || { echo "book: there is no first page" >&2; status=1; }
echo "$(find target/book -name '*.html' | wc -l) pages in target/book"
exit $status
