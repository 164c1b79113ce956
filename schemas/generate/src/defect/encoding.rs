//! Texts that some parser refuses.

use super::dialects::any;
use super::place::{outcome_part, part, text_at};
use super::{Apply, Defect, Effect, exact};
use crate::Draw;
use crate::node::{LONE_SURROGATE, Node};
use crate::plan::{Field, Message, Part, Plan};

const CLASS: &str = "encoding";

pub(super) const ROWS: &[Defect] = &[
    exact(
        CLASS,
        "lone-surrogate",
        &["lone-surrogate"],
        "Half of a surrogate pair stands in a text.",
        any,
        |draw, plan, _| {
            let (place, part) = a_text(draw, plan)?;
            let text = text_at(plan, place, part)?;
            // In front, behind, or between two words.
            let places: Vec<_> = text.body.match_indices(' ').map(|(at, _)| at).chain([0, text.body.len()]).collect();
            let at = draw.pick(&places);
            text.body.insert(at, LONE_SURROGATE);
            text.spelled = Field::Natural;
            // Where defects meet, it may be another text.
            if let Part::Text(out) = outcome_part(plan, place, part)?
                && out.body.is_char_boundary(at)
            {
                out.body.insert(at, '\u{fffd}');
            }
            Some(())
        },
    ),
    exact(
        CLASS,
        "duplicate-key",
        &["duplicate-key"],
        "The key of a text stands twice; the last one counts.",
        any,
        |draw, plan, _| {
            let (place, part) = a_text(draw, plan)?;
            text_at(plan, place, part)?.twice = true;
            Some(())
        },
    ),
    exact(CLASS, "nul-character", &[], "A NUL stands in a text, and stays there.", any, |draw, plan, _| {
        let (place, part) = a_text(draw, plan)?;
        text_at(plan, place, part)?.body.insert(0, '\0');
        if let Part::Text(out) = outcome_part(plan, place, part)? {
            out.body.insert(0, '\0');
        }
        Some(())
    }),
    bytes(
        "byte-order-mark",
        &["byte-order-mark"],
        Effect::Exact,
        "A byte order mark stands in front.",
        |_, _, bytes| {
            bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
            Some(())
        },
    ),
    bytes("trailing-white-space", &[], Effect::Exact, "White space stands at the end.", |_, _, bytes| {
        bytes.extend(b" \r\n\t");
        Some(())
    }),
    bytes(
        "byte-that-is-not-utf-8",
        &["invalid-utf-8"],
        Effect::Exact,
        "A byte that is not UTF-8 stands in a text.",
        |draw, plan, bytes| {
            // Of a text that comes out as it is.
            let mut tokens: Vec<_> =
                plan.outcome.iter().flat_map(Message::texts).map(|text| text.token.clone()).collect();
            tokens.retain(|token| !token.is_empty());
            let picked = (!tokens.is_empty()).then(|| draw.up_to(tokens.len() - 1))?;
            let token = tokens.swap_remove(picked);
            let mut found = bytes.windows(token.len()).enumerate().filter(|(_, window)| *window == token.as_bytes());
            let (at, None) = (found.next()?.0, found.next()) else { return None };
            let wrong = draw.pick(&[0xff_u8, 0x80, 0xc0]);
            bytes.insert(at, wrong);
            let mut texts = plan.outcome.iter_mut().flat_map(Message::texts_mut);
            let text = texts.find(|text| text.token == token)?;
            text.body = text.body.replacen(&token, &format!("\u{fffd}{token}"), 1);
            Some(())
        },
    ),
    bytes("bytes-overwritten", &[], Effect::Property, "A byte anywhere is another.", |draw, plan, bytes| {
        // Another defect may have left none.
        let last = bytes.len().checked_sub(1)?;
        plan.forget_all();
        plan.doubt();
        let place = draw.up_to(last);
        bytes[place] = draw.pick(b"\xff\"{}[],:0\\ax ");
        plan.may_refuse = true;
        Some(())
    }),
    bytes("text-cut-off", &[], Effect::Refuse, "The text ends too early, at any place.", |draw, plan, bytes| {
        plan.forget_all();
        plan.doubt();
        let whole = bytes.trim_ascii_end().len();
        bytes.truncate(draw.up_to(whole.checked_sub(1)?));
        plan.may_refuse = true;
        Some(())
    }),
    bytes("text-run-on", &[], Effect::Refuse, "Something stands behind the document.", |draw, plan, bytes| {
        plan.forget_all();
        plan.doubt();
        let more: &[u8] = draw.pick(&[&b"}"[..], b"]", b" x", b"\"", b",null"]);
        bytes.extend(more);
        plan.may_refuse = true;
        Some(())
    }),
    bytes("empty-text", &[], Effect::Refuse, "There are no bytes, or white space alone.", |draw, plan, bytes| {
        plan.forget_all();
        plan.doubt();
        bytes.clear();
        bytes.extend(draw.pick(&[&b""[..], b" ", b"\n\n"]));
        plan.may_refuse = true;
        Some(())
    }),
    bytes("no-transcript", &[], Effect::Refuse, "The document is JSON, and no transcript.", |draw, plan, bytes| {
        plan.forget_all();
        plan.doubt();
        bytes.clear();
        bytes.extend(draw.pick(&[&b"null"[..], b"17", b"\"text\"", b"true"]));
        plan.may_refuse = true;
        Some(())
    }),
    bytes(
        "nested-too-deep",
        &[],
        Effect::Refuse,
        "The document is nested deeper than anybody reads.",
        |_, plan, bytes| {
            plan.forget_all();
            plan.doubt();
            let depth = 17_000;
            let inside = std::mem::take(bytes);
            bytes.resize(depth, b'[');
            bytes.extend(inside);
            bytes.resize(bytes.len() + depth, b']');
            plan.may_refuse = true;
            Some(())
        },
    ),
    Defect {
        id: "random-value",
        class: "extra-fields",
        rules: &[],
        effect: Effect::Property,
        summary: "Any value of the document is another.",
        dialects: any,
        apply: Apply::Tree(|draw, plan, root| {
            anywhere(draw, root);
            plan.forget_all();
            plan.doubt();
            plan.may_refuse = true;
            Some(())
        }),
    },
];

type Bytes = fn(&mut Draw<'_, '_>, &mut Plan, &mut Vec<u8>) -> Option<()>;

const fn bytes(
    id: &'static str,
    rules: &'static [&'static str],
    effect: Effect,
    summary: &'static str,
    apply: Bytes,
) -> Defect {
    Defect { id, class: CLASS, rules, effect, summary, dialects: any, apply: Apply::Bytes(apply) }
}

fn a_text(draw: &mut Draw<'_, '_>, plan: &mut Plan) -> Option<(usize, usize)> {
    part(draw, plan, |_, part| matches!(part, Part::Text(text) if text.spelled == Field::Natural && !text.twice))
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
