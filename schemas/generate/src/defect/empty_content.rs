//! Content that is missing, empty or no content.

use super::dialects::{any, calls, conversation};
use super::place::{drop_outcome, insert, message, of_role, outcome, outcome_part, part, text_at};
use super::{Defect, Site, exact, instead, property};
use crate::Dialect;
use crate::node::{COMPACT, Node, object, print, raw};
use crate::outcome::words;
use crate::plan::{Field, Message, Part, Role, Text};

const EMPTY: &[&str] = &["empty-tool-result"];
const NO_TEXT: &[&str] = &["text-not-a-string"];

pub(super) const ROWS: &[Defect] = &[
    exact("result-content-missing", EMPTY, "A result has no content.", calls, |on| empty(on, Field::Missing)),
    exact("result-content-null", EMPTY, "A result's content is null.", calls, |on| empty(on, instead(Node::Null))),
    exact("result-content-empty-list", EMPTY, "A result's content is an empty list.", calls, |on| {
        empty(on, instead(Node::Array(vec![])))
    }),
    exact("result-content-empty-object", EMPTY, "A result's content is an empty object.", calls, |on| {
        empty(on, instead(Node::Object(vec![])))
    }),
    exact("result-content-empty-string", EMPTY, "A result's content is an empty string.", calls, |on| {
        empty(on, instead(""))
    }),
    exact("result-content-blank", EMPTY, "A result's only text is white space.", calls, |on| {
        let text = on.draw.pick(&["", " ", "\n\t"]);
        empty(on, instead(Node::Array(vec![words(text)])))
    }),
    exact("text-a-number", NO_TEXT, "A text block holds a number.", any, |on| no_text(on, &raw("5"))),
    exact("text-null", NO_TEXT, "A text block holds null.", any, |on| no_text(on, &Node::Null)),
    exact("text-an-object", NO_TEXT, "A text block holds an object.", any, |on| {
        no_text(on, &object([("value", "deeper")]))
    }),
    exact("text-missing", NO_TEXT, "A text block holds nothing.", any, |on| {
        let (place, part) = a_text(on)?;
        let block = r#"{"type":"text"}"#;
        on.plan.messages[place].parts[part] = Part::Raw(raw(block), String::new());
        *outcome_part(on.plan, place, part)? = Part::Raw(words(block), String::new());
        Some(())
    }),
    exact("blank-text", &["blank-text"], "A blank text stands beside other blocks.", any, |on| {
        let body = on.draw.pick(&["", " ", "\n\t"]);
        let place = message(on, |message| message.texts().next().is_some())?;
        let parts = &mut on.plan.messages[place].parts;
        let at = on.draw.up_to(parts.len());
        parts.insert(at, Part::Text(Text::plain(body)));
        Some(())
    }),
    exact("blank-assistant", &["empty-message"], "The assistant says nothing but white space.", conversation, |on| {
        let body = on.draw.pick(&["", " ", "\n\t"]);
        let message = Message::new(Role::Assistant, vec![Part::Text(Text::plain(body))]);
        insert(on, message, None)
    }),
    property("blank-user", "The user says nothing but white space.", conversation, |on| {
        let body = on.draw.pick(&["", " ", "\n\t"]);
        let message = Message::new(Role::User, vec![Part::Text(Text::plain(body))]);
        insert(on, message.clone(), Some(message))
    }),
    exact(
        "assistant-content-missing",
        &["content-missing", "empty-message"],
        "A turn of the assistant has no content, or null.",
        conversation,
        |on| {
            let place = of_words(on, Role::Assistant)?;
            let written = if on.draw.chance(1, 2) { Field::Missing } else { instead(Node::Null) };
            on.plan.messages[place].content = written;
            on.plan.forget_message(place);
            drop_outcome(on.plan, place);
            Some(())
        },
    ),
    property("content-not-content", "Content is no content.", conversation, |on| {
        let role = on.draw.pick(&[Role::User, Role::Assistant]);
        let place = of_words(on, role)?;
        on.plan.forget_message(place);
        on.plan.messages[place].content =
            if on.draw.chance(1, 4) { Field::Missing } else { instead(super::extra_fields::junk(&mut on.draw)) };
        Some(())
    }),
];

fn of_words(on: &mut Site<'_, '_>, role: Role) -> Option<usize> {
    message(on, |message| message.role == role && message.calls().next().is_none())
}

/// A result that says nothing.
fn empty(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    // Other dialects have empty forms of their own, which nobody minds there.
    on.plan.quiet = on.dialect != Dialect::Canonical;
    let place = of_role(on, Role::Result)?;
    on.plan.forget_message(place);
    on.plan.messages[place].content = written;
    outcome(on.plan, place)?.parts = vec![Part::Text(Text::plain("(no output)"))];
    on.plan.may_refuse |= on.plan.messages.len() == 1;
    Some(())
}

fn a_text(on: &mut Site<'_, '_>) -> Option<(usize, usize)> {
    let (place, part) =
        part(on, |_, part| matches!(part, Part::Text(text) if text.spelled == Field::Natural && !text.twice))?;
    let token = text_at(on.plan, place, part)?.token.clone();
    on.plan.forget(&token);
    Some((place, part))
}

/// A text block without a string: its JSON text comes out.
fn no_text(on: &mut Site<'_, '_>, value: &Node) -> Option<()> {
    let (place, part) = a_text(on)?;
    let block = print(&object([("type", Node::from("text")), ("text", value.clone())]), COMPACT);
    // Written without white space, whatever the style: its text is what comes out.
    on.plan.messages[place].parts[part] = Part::Raw(raw(&block), String::new());
    *outcome_part(on.plan, place, part)? = Part::Raw(words(&block), String::new());
    Some(())
}
