//! A text laid out, and two beside each other, as the scripts of the pages show them: lines with their signs, what is said at them, and
//! no more than a reader has use for.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_judge::plain;
use wirecanon_judge::pointer::upwards;
use wirecanon_report::diff::{self, Line, Mark};
use wirecanon_report::html::docs::visible;

/// Bytes of two texts together that are laid beside each other.
const MOST: usize = 16 << 20;

/// Lines that are shown.
const LINES: usize = 4000;

/// Lines around a difference that are shown where not all are.
const NEAR: usize = 6;

/// A text, and what is said at its lines. A line has its sign in front: in both, gone, new, or `~` for lines that are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Doc {
    /// Its lines
    pub(super) text: String,
    /// Line, words, and the rule where there is one
    pub(super) marks: Vec<(usize, String, String)>,
}

/// Something that is said at a value of the text, or of the right one of two.
pub(super) struct Pin<'p> {
    pub(super) pointer: &'p str,
    pub(super) rule: &'p str,
    pub(super) words: &'p str,
}

/// What must be changed in `left` to say `right`; why not, where it is not shown.
pub(super) fn beside(left: &str, right: &str, pins: &[Pin<'_>]) -> Result<Doc, &'static str> {
    if left.len() + right.len() > MOST {
        return Err(
            "The texts are too long to be laid beside each other here; download the mended one and compare them by a program.",
        );
    }
    let (Some(left), Some(right)) = (json(left), json(right)) else {
        return Err("What is no JSON cannot be laid out.");
    };
    Ok(doc(&diff::diff(left.root(), right.root(), None), pins))
}

/// A text laid out; a text that is no JSON by its lines.
pub(super) fn laid_out(bytes: &[u8], pins: &[Pin<'_>]) -> Doc {
    let text = String::from_utf8_lossy(bytes);
    match json(&text) {
        Some(json) => doc(&diff::laid_out(json.root()), pins),
        None => {
            let line = |text: &str| Line {
                mark: Mark::Same,
                depth: 0,
                text: text.chars().take(4000).collect(),
                pointer: String::new(),
            };
            doc(&text.lines().map(line).collect::<Vec<_>>(), pins)
        }
    }
}

fn json(text: &str) -> Option<Json<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let limits = Limits::default();
    Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok()
}

fn doc(lines: &[Line], pins: &[Pin<'_>]) -> Doc {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.mark != Mark::Gone) {
        places.entry(&line.pointer).or_insert(at);
    }
    let mut said: Vec<(usize, &Pin<'_>)> = pins.iter().map(|pin| (place(&places, pin.pointer), pin)).collect();
    said.sort_by_key(|(at, _)| *at);
    let shown = shown(lines, said.iter().map(|(at, _)| *at));
    let (mut doc, mut said) = (Doc::default(), said.into_iter().peekable());
    let (mut at, mut count) = (0, 0);
    let mut put = |doc: &mut Doc, sign: char, depth: usize, text: &str| {
        if count > 0 {
            doc.text.push('\n');
        }
        doc.text.push(sign);
        doc.text.extend(std::iter::repeat_n("  ", depth));
        doc.text.push_str(text);
        count += 1;
        count - 1
    };
    for (next, line) in lines.iter().enumerate().filter(|(at, _)| shown.as_ref().is_none_or(|shown| shown.contains(at)))
    {
        if next > at {
            put(&mut doc, '~', 0, &plain::count(next - at, "more line"));
        }
        at = next + 1;
        let number = put(&mut doc, line.mark.sign(), line.depth, &visible(&line.text));
        while let Some((_, pin)) = said.next_if(|(at, _)| *at <= next) {
            doc.marks.push((number, visible(pin.words), pin.rule.to_owned()));
        }
    }
    if at < lines.len() {
        put(&mut doc, '~', 0, &plain::count(lines.len() - at, "more line"));
    }
    doc.marks.dedup();
    doc
}

/// Which lines are shown, where not all are: the first differences and pins with what is near them.
fn shown(lines: &[Line], pins: impl Iterator<Item = usize>) -> Option<BTreeSet<usize>> {
    if lines.len() <= LINES {
        return None;
    }
    let differs = lines.iter().enumerate().filter(|(_, line)| line.mark != Mark::Same).map(|(at, _)| at);
    let mut wanted: Vec<usize> = pins.chain(differs).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        wanted.extend(0..LINES);
    }
    let mut shown = BTreeSet::new();
    for at in wanted {
        if shown.len() >= LINES {
            break;
        }
        shown.extend(at.saturating_sub(NEAR)..lines.len().min(at + NEAR + 1));
    }
    Some(shown)
}

/// The line of a place, or of what it would stand in.
fn place(places: &HashMap<&str, usize>, pointer: &str) -> usize {
    upwards(pointer).filter(|above| !above.is_empty()).find_map(|above| places.get(above)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_signed_and_pinned() {
        let pin = |pointer| Pin { pointer, rule: "r", words: "w" };
        let pins = [pin("/a/1/x"), pin("/none")];
        let doc = beside(r#"{"a":[1,2],"b":1}"#, r#"{"a":[1,3],"b":1}"#, &pins).unwrap();
        assert_eq!(doc.text, " {\n   \"a\": [\n     1,\n-    2\n+    3\n   ],\n   \"b\": 1\n }");
        assert_eq!(doc.marks, [(0, "w".to_owned(), "r".to_owned()), (4, "w".to_owned(), "r".to_owned())]);
        assert!(beside("no", "{}", &[]).is_err());
        assert!(beside(&" ".repeat(MOST), "{}", &[]).unwrap_err().contains("too long"));
        assert_eq!(laid_out(b"no\xff\nend", &[]).text, " no\u{fffd}\n end");
    }

    #[test]
    fn of_a_long_text_what_differs_is_shown() {
        let list = |changed: usize| {
            let items: Vec<_> =
                (0..30_000).map(|at| if at == changed { "\"x\"".to_owned() } else { at.to_string() }).collect();
            format!("[{}]", items.join(","))
        };
        let doc = beside(&list(7), &list(20_000), &[Pin { pointer: "/29999", rule: "", words: "end" }]).unwrap();
        let lines: Vec<_> = doc.text.lines().collect();
        assert!(lines.len() < 60, "{}", lines.len());
        assert!(lines.contains(&"+  \"x\",") && lines.contains(&"-  \"x\","), "{}", doc.text);
        assert_eq!(lines.iter().filter(|line| line.starts_with('~')).count(), 3, "{}", doc.text);
        assert_eq!(lines[doc.marks[0].0], "   29999");
    }
}
