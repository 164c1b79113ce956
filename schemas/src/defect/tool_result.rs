//! Results whose head or content is wrong, though it is plain whose they are.

use super::{of_role, one};
use crate::generate::node::{Node, object};
use crate::generate::plan::{Answer, Field, Part, Plan, Role};
use crate::generate::{Dialect, Draw};

fn an_answer<'p>(draw: &mut Draw<'_, '_>, plan: &'p mut Plan) -> Option<&'p mut Answer> {
    let places: Vec<_> =
        of_role(plan, Role::Result).into_iter().filter(|index| plan.messages[*index].answer.is_some()).collect();
    plan.messages[one(draw, &places)?].answer.as_mut()
}

/// White space around the id.
pub(super) fn id_white_space(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let answer = an_answer(draw, plan)?;
    if answer.spelled_id != Field::Natural {
        return None;
    }
    answer.spelled_id = Field::Instead(Node::from(format!(" {} ", answer.id)));
    Some(())
}

/// Another system's key for the id.
pub(super) fn id_alias(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let key = draw.pick(&["toolUseId", "tool_use_id", "tool_call_id", "call_id", "callId"]);
    an_answer(draw, plan)?.id_key = Some(key);
    Some(())
}

/// An error flag that is no boolean.
pub(super) fn error_flag(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let wrong = match wrong {
        0 => Field::Missing,
        1 => Field::Instead(Node::from("true")),
        2 => Field::Instead(Node::Raw("1".to_owned())),
        3 => Field::Instead(Node::Null),
        _ => Field::Instead(Node::Array(vec![])),
    };
    an_answer(draw, plan)?.spelled_error = wrong;
    Some(())
}

/// A tool name that is missing, or another.
pub(super) fn tool_name(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let wrong = match wrong {
        0 => Field::Missing,
        1 => Field::Instead(Node::from("unknown")),
        2 => Field::Instead(Node::from("")),
        _ => Field::Instead(Node::Raw("12".to_owned())),
    };
    an_answer(draw, plan)?.spelled_name = wrong;
    Some(())
}

/// A string where a list is due.
pub(super) fn content_string(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let place = one(draw, &of_role(plan, Role::Result))?;
    let text = match &plan.messages[place].parts[..] {
        [Part::Text(text)] if text.spelled == Field::Natural => text.body.clone(),
        _ => return None,
    };
    plan.messages[place].content = Field::Instead(Node::from(text));
    Some(())
}

/// Content that is empty.
pub(super) fn content_empty(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let place = one(draw, &of_role(plan, Role::Result))?;
    plan.forget_message(place);
    plan.messages[place].content = match wrong {
        0 => Field::Missing,
        1 => Field::Instead(Node::Null),
        2 => Field::Instead(Node::Array(vec![])),
        3 => Field::Instead(object([])),
        _ => Field::Instead(Node::from("")),
    };
    plan.may_refuse |= plan.messages.len() == 1;
    Some(())
}

/// A block that only MCP knows, kept in a history.
pub(super) fn mcp_block(draw: &mut Draw<'_, '_>, plan: &mut Plan, kind: usize) -> Option<()> {
    let place = one(draw, &of_role(plan, Role::Result))?;
    let block = match kind {
        0 => object([
            ("type", Node::from("resource_link")),
            ("uri", Node::from("file:///a.txt")),
            ("name", Node::from("a")),
        ]),
        1 => object([
            ("type", Node::from("resource")),
            ("resource", object([("uri", Node::from("file:///b")), ("text", Node::from("inside b"))])),
        ]),
        2 => {
            object([("type", Node::from("audio")), ("data", Node::from("AAAA")), ("mimeType", Node::from("audio/wav"))])
        }
        3 => object([("type", Node::from("hologram")), ("value", Node::Raw("1.0".to_owned()))]),
        4 => object([("type", Node::from("resource")), ("resource", Node::Null)]),
        5 => object([("text", Node::from("without a type"))]),
        _ => Node::from("a string among blocks"),
    };
    let parts = &mut plan.messages[place].parts;
    let at = draw.up_to(parts.len());
    parts.insert(at, Part::Raw(block, String::new()));
    Some(())
}
