//! What differs between a file and its mended text: lines that are gone, and lines that came.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};
use wirecanon_judge::plain::plain;

use super::human::{BAD, FAINT, GOOD};
use super::snippet::{columns, window};

/// Time that may go into a small difference; a longer one is right too.
const TIME: Duration = Duration::from_secs(5);

/// The difference in the form of `diff -u`, without lines around. Where a person reads it, each line is cut to the terminal, to
/// where it differs; elsewhere it is whole, and `patch` takes it.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let cut = std::io::stdout().is_terminal().then(columns);
    told(name, old, new, cut)
}

fn told(name: &str, old: &str, new: &str, cut: Option<usize>) -> String {
    let name = plain(name);
    let diff = TextDiff::configure().timeout(TIME).diff_lines(old, new);
    let mut out = format!("{FAINT}--- {name}\n+++ {name}{FAINT:#}\n");
    for hunk in diff.unified_diff().context_radius(0).iter_hunks() {
        // A string takes all that is written to it.
        let _ = writeln!(out, "{FAINT}{}{FAINT:#}", hunk.header());
        let changes: Vec<_> = hunk.iter_changes().collect();
        let of = |tag| changes.iter().filter(move |change| change.tag() == tag).map(similar::Change::value);
        let (gone, came): (Vec<&str>, Vec<&str>) = (of(ChangeTag::Delete).collect(), of(ChangeTag::Insert).collect());
        for (lines, others, sign, style) in [(&gone, &came, '-', BAD), (&came, &gone, '+', GOOD)] {
            for (at, line) in lines.iter().enumerate() {
                let body = line.strip_suffix('\n').unwrap_or(line);
                let shown = match cut {
                    None => body.to_owned(),
                    Some(columns) => {
                        let differs = others.get(at).map_or(0, |other| common(body, other));
                        window(body, differs, columns - 1)
                    }
                };
                let _ = writeln!(out, "{style}{sign}{shown}{style:#}");
                if body.len() == line.len() {
                    let _ = writeln!(out, "\\ No newline at end of file");
                }
            }
        }
    }
    out
}

/// Where two lines begin to differ.
fn common(one: &str, other: &str) -> usize {
    one.char_indices().zip(other.chars()).find(|((_, one), other)| one != other).map_or(0, |((at, _), _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_cut_to_what_differs() {
        let old = format!("a\n{}old\nz\n", "x".repeat(500));
        let new = format!("a\n{}new\nz\nlast", "x".repeat(500));
        let whole = anstream::adapter::strip_str(&told("f", &old, &new, None)).to_string();
        let mut lines = whole.lines();
        assert_eq!([lines.next(), lines.next(), lines.next()], [Some("--- f"), Some("+++ f"), Some("@@ -2 +2 @@")]);
        assert!(whole.contains(&format!("-{}old\n+{}new\n", "x".repeat(500), "x".repeat(500))), "{whole}");
        assert!(whole.ends_with("@@ -3,0 +4 @@\n+last\n\\ No newline at end of file\n"), "{whole}");
        let cut = anstream::adapter::strip_str(&told("f", &old, &new, Some(40))).to_string();
        assert!(cut.lines().all(|line| line.chars().count() <= 40), "{cut}");
        assert!(cut.contains("xold\n") && cut.contains("xnew\n"), "{cut}");
    }
}
