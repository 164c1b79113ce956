//! Texts that some parser refuses.

use super::dialects::any;
use super::place::{outcome_part, part, text_at};
use super::{Apply, Defect, Effect, Finished, Site, exact};
use crate::Draw;
use crate::node::{LONE_SURROGATE, Node};
use crate::plan::{Field, Message, Part};

pub(super) const ROWS: &[Defect] = &[
    exact("lone-surrogate", &["lone-surrogate"], "Half of a surrogate pair stands in a text.", any, |on| {
        let (place, part) = a_text(on)?;
        let text = text_at(on.plan, place, part)?;
        // In front, behind, or between two words.
        let places: Vec<_> = text.body.match_indices(' ').map(|(at, _)| at).chain([0, text.body.len()]).collect();
        let at = on.draw.pick(&places);
        text.body.insert(at, LONE_SURROGATE);
        text.spelled = Field::Natural;
        // Where defects meet, it may be another text.
        if let Part::Text(out) = outcome_part(on.plan, place, part)?
            && out.body.is_char_boundary(at)
        {
            out.body.insert(at, '\u{fffd}');
        }
        Some(())
    }),
    exact("duplicate-key", &["duplicate-key"], "The key of a text stands twice; the last one counts.", any, |on| {
        let (place, part) = a_text(on)?;
        text_at(on.plan, place, part)?.twice = true;
        Some(())
    }),
    exact("nul-character", &[], "A NUL stands in a text, and stays there.", any, |on| {
        let (place, part) = a_text(on)?;
        text_at(on.plan, place, part)?.body.insert(0, '\0');
        if let Part::Text(out) = outcome_part(on.plan, place, part)? {
            out.body.insert(0, '\0');
        }
        Some(())
    }),
    bytes("byte-order-mark", &["byte-order-mark"], Effect::Exact, "A byte order mark stands in front.", |_, bytes| {
        bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
        Some(())
    }),
    bytes("trailing-white-space", &[], Effect::Exact, "White space stands at the end.", |_, bytes| {
        bytes.extend(b" \r\n\t");
        Some(())
    }),
    bytes(
        "byte-that-is-not-utf-8",
        &["invalid-utf-8"],
        Effect::Exact,
        "A byte that is not UTF-8 stands in a text.",
        |on, bytes| {
            // Of a text that comes out as it is.
            let mut tokens: Vec<_> =
                on.plan.outcome.iter().flat_map(Message::texts).map(|text| text.token.clone()).collect();
            tokens.retain(|token| !token.is_empty());
            let picked = (!tokens.is_empty()).then(|| on.draw.up_to(tokens.len() - 1))?;
            let token = tokens.swap_remove(picked);
            let mut found = bytes.windows(token.len()).enumerate().filter(|(_, window)| *window == token.as_bytes());
            let (at, None) = (found.next()?.0, found.next()) else { return None };
            let wrong = on.draw.pick(&[0xff_u8, 0x80, 0xc0]);
            bytes.insert(at, wrong);
            let mut texts = on.plan.outcome.iter_mut().flat_map(Message::texts_mut);
            let text = texts.find(|text| text.token == token)?;
            text.body = text.body.replacen(&token, &format!("\u{fffd}{token}"), 1);
            Some(())
        },
    ),
    bytes("bytes-overwritten", &[], Effect::Property, "A byte anywhere is another.", |on, bytes| {
        // Another defect may have left none.
        let last = bytes.len().checked_sub(1)?;
        on.plan.give_up();
        let place = on.draw.up_to(last);
        bytes[place] = on.draw.pick(b"\xff\"{}[],:0\\ax ");
        Some(())
    }),
    bytes("text-cut-off", &[], Effect::Refuse, "The text ends too early, at any place.", |on, bytes| {
        on.plan.give_up();
        let whole = bytes.trim_ascii_end().len();
        bytes.truncate(on.draw.up_to(whole.checked_sub(1)?));
        Some(())
    }),
    bytes("text-run-on", &[], Effect::Refuse, "Something stands behind the document.", |on, bytes| {
        on.plan.give_up();
        let more: &[u8] = on.draw.pick(&[&b"}"[..], b"]", b" x", b"\"", b",null"]);
        bytes.extend(more);
        Some(())
    }),
    bytes("empty-text", &[], Effect::Refuse, "There are no bytes, or white space alone.", |on, bytes| {
        on.plan.give_up();
        bytes.clear();
        bytes.extend(on.draw.pick(&[&b""[..], b" ", b"\n\n"]));
        Some(())
    }),
    bytes("no-transcript", &[], Effect::Refuse, "The document is JSON, and no transcript.", |on, bytes| {
        on.plan.give_up();
        bytes.clear();
        bytes.extend(on.draw.pick(&[&b"null"[..], b"17", b"\"text\"", b"true"]));
        Some(())
    }),
    bytes("nested-too-deep", &[], Effect::Refuse, "The document is nested deeper than anybody reads.", |on, bytes| {
        on.plan.give_up();
        let depth = 17_000;
        let inside = std::mem::take(bytes);
        bytes.resize(depth, b'[');
        bytes.extend(inside);
        bytes.resize(bytes.len() + depth, b']');
        Some(())
    }),
];

/// Of another class, but done when all else is.
pub(super) const OF_ANY_VALUE: &[Defect] = &[Defect {
    id: "random-value",
    rules: &[],
    effect: Effect::Property,
    summary: "Any value of the document is another.",
    apply: Apply::Tree(|on, root| {
        anywhere(&mut on.draw, root);
        on.plan.give_up();
        Some(())
    }),
    ..ROWS[0]
}];

const fn bytes(
    id: &'static str,
    rules: &'static [&'static str],
    effect: Effect,
    summary: &'static str,
    apply: Finished<Vec<u8>>,
) -> Defect {
    Defect { id, class: "", rules, effect, summary, dialects: any, apply: Apply::Bytes(apply) }
}

fn a_text(on: &mut Site<'_, '_>) -> Option<(usize, usize)> {
    part(on, |_, part| matches!(part, Part::Text(text) if text.spelled == Field::Natural && !text.twice))
}

/// Another value, anywhere in the document.
fn anywhere(draw: &mut Draw<'_, '_>, root: &mut Node) {
    let mut at = root;
    loop {
        let stop = draw.chance(1, 4);
        let (down, children) = match at {
            Node::Array(items) => (!stop, items.len()),
            Node::Object(members) => (!stop, members.len()),
            _ => (false, 0),
        };
        if !down || children == 0 {
            *at = super::extra_fields::junk(draw);
            return;
        }
        let place = draw.up_to(children - 1);
        at = match at {
            Node::Array(items) => &mut items[place],
            Node::Object(members) => &mut members[place].1,
            _ => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;
    use crate::{Dialect, broken_by, noise};

    /// A soak found that nothing can be overwritten in a text that another defect has emptied.
    #[test]
    fn those_that_break_the_text_go_together() {
        let of_bytes: Vec<_> = ROWS.iter().filter(|defect| matches!(defect.apply, Apply::Bytes(_))).collect();
        let mut made = 0;
        for one in &of_bytes {
            for other in &of_bytes {
                for seed in 0..8 {
                    let bytes = noise(seed, 300);
                    let broken = broken_by(&mut Unstructured::new(&bytes), Dialect::OpenAiChat, &[one, other]);
                    made += usize::from(broken.is_some());
                }
            }
        }
        assert!(made > of_bytes.len(), "{made}");
    }
}
