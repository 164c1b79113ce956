//! Content that is missing, empty or no content.

use super::dialects::{any, calls, conversation};
use super::place::{drop_outcome, insert, message, of_role, outcome, outcome_part, part, text_at};
use super::{Defect, exact, property};
use crate::node::{COMPACT, Node, object, print};
use crate::outcome::words;
use crate::plan::{Field, Message, Part, Plan, Role, Text};
use crate::{Dialect, Draw};

const CLASS: &str = "empty-content";
const EMPTY: &[&str] = &["empty-tool-result"];
const NO_TEXT: &[&str] = &["text-not-a-string"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "result-content-missing", EMPTY, "A result has no content.", calls, |draw, plan, dialect| {
        empty(draw, plan, dialect, Field::Missing)
    }),
    exact(CLASS, "result-content-null", EMPTY, "A result's content is null.", calls, |draw, plan, dialect| {
        empty(draw, plan, dialect, Field::Instead(Node::Null))
    }),
    exact(
        CLASS,
        "result-content-empty-list",
        EMPTY,
        "A result's content is an empty list.",
        calls,
        |draw, plan, dialect| empty(draw, plan, dialect, Field::Instead(Node::Array(vec![]))),
    ),
    exact(
        CLASS,
        "result-content-empty-object",
        EMPTY,
        "A result's content is an empty object.",
        calls,
        |draw, plan, dialect| empty(draw, plan, dialect, Field::Instead(object([]))),
    ),
    exact(
        CLASS,
        "result-content-empty-string",
        EMPTY,
        "A result's content is an empty string.",
        calls,
        |draw, plan, dialect| empty(draw, plan, dialect, Field::Instead(Node::from(""))),
    ),
    exact(
        CLASS,
        "result-content-blank",
        EMPTY,
        "A result's only text is white space.",
        calls,
        |draw, plan, dialect| {
            let text = draw.pick(&["", " ", "\n\t"]);
            empty(draw, plan, dialect, Field::Instead(Node::Array(vec![words(text)])))
        },
    ),
    exact(CLASS, "text-a-number", NO_TEXT, "A text block holds a number.", any, |draw, plan, _| {
        no_text(draw, plan, &Node::Raw("5".to_owned()))
    }),
    exact(CLASS, "text-null", NO_TEXT, "A text block holds null.", any, |draw, plan, _| {
        no_text(draw, plan, &Node::Null)
    }),
    exact(CLASS, "text-an-object", NO_TEXT, "A text block holds an object.", any, |draw, plan, _| {
        no_text(draw, plan, &object([("value", Node::from("deeper"))]))
    }),
    exact(CLASS, "text-missing", NO_TEXT, "A text block holds nothing.", any, |draw, plan, _| {
        let (place, part) = a_text(draw, plan)?;
        let block = r#"{"type":"text"}"#;
        plan.messages[place].parts[part] = Part::Raw(Node::Raw(block.to_owned()), String::new());
        *outcome_part(plan, place, part)? = Part::Raw(words(block), String::new());
        Some(())
    }),
    exact(CLASS, "blank-text", &["blank-text"], "A blank text stands beside other blocks.", any, |draw, plan, _| {
        let body = draw.pick(&["", " ", "\n\t"]);
        let place = message(draw, plan, |message| message.texts().next().is_some())?;
        let parts = &mut plan.messages[place].parts;
        let at = draw.up_to(parts.len());
        parts.insert(at, Part::Text(Text::plain(body)));
        Some(())
    }),
    exact(
        CLASS,
        "blank-assistant",
        &["empty-message"],
        "The assistant says nothing but white space.",
        conversation,
        |draw, plan, _| {
            let body = draw.pick(&["", " ", "\n\t"]);
            let message = Message::new(Role::Assistant, vec![Part::Text(Text::plain(body))]);
            insert(draw, plan, message, None)
        },
    ),
    property(CLASS, "blank-user", &[], "The user says nothing but white space.", conversation, |draw, plan, _| {
        let body = draw.pick(&["", " ", "\n\t"]);
        let message = Message::new(Role::User, vec![Part::Text(Text::plain(body))]);
        insert(draw, plan, message.clone(), Some(message))
    }),
    exact(
        CLASS,
        "assistant-content-missing",
        &["content-missing", "empty-message"],
        "A turn of the assistant has no content, or null.",
        conversation,
        |draw, plan, _| {
            let place = of_words(draw, plan, Role::Assistant)?;
            let written = if draw.chance(1, 2) { Field::Missing } else { Field::Instead(Node::Null) };
            plan.messages[place].content = written;
            plan.forget_message(place);
            drop_outcome(plan, place);
            Some(())
        },
    ),
    property(CLASS, "content-not-content", &[], "Content is no content.", conversation, |draw, plan, _| {
        let role = draw.pick(&[Role::User, Role::Assistant]);
        let place = of_words(draw, plan, role)?;
        plan.forget_message(place);
        plan.messages[place].content =
            if draw.chance(1, 4) { Field::Missing } else { Field::Instead(super::extra_fields::junk(draw)) };
        Some(())
    }),
];

fn of_words(draw: &mut Draw<'_, '_>, plan: &mut Plan, role: Role) -> Option<usize> {
    message(draw, plan, |message| message.role == role && message.calls().next().is_none())
}

/// A result that says nothing.
fn empty(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect, written: Field) -> Option<()> {
    // Other dialects have empty forms of their own, which nobody minds there.
    plan.quiet = dialect != Dialect::Canonical;
    let place = of_role(draw, plan, Role::Result)?;
    plan.forget_message(place);
    plan.messages[place].content = written;
    outcome(plan, place)?.parts = vec![Part::Text(Text::plain("(no output)"))];
    plan.may_refuse |= plan.messages.len() == 1;
    Some(())
}

fn a_text(draw: &mut Draw<'_, '_>, plan: &mut Plan) -> Option<(usize, usize)> {
    let (place, part) =
        part(draw, plan, |_, part| matches!(part, Part::Text(text) if text.spelled == Field::Natural && !text.twice))?;
    let token = text_at(plan, place, part)?.token.clone();
    plan.forget(&token);
    Some((place, part))
}

/// A text block without a string: its JSON text comes out.
fn no_text(draw: &mut Draw<'_, '_>, plan: &mut Plan, value: &Node) -> Option<()> {
    let (place, part) = a_text(draw, plan)?;
    let block = print(&object([("type", Node::from("text")), ("text", value.clone())]), COMPACT);
    // Written without white space, whatever the style: its text is what comes out.
    plan.messages[place].parts[part] = Part::Raw(Node::Raw(block.clone()), String::new());
    *outcome_part(plan, place, part)? = Part::Raw(words(&block), String::new());
    Some(())
}
