//! Calls whose arguments, names or spelling are wrong.

use super::call_places;
use crate::generate::node::{COMPACT, Node, print};
use crate::generate::plan::{CallPart, Field, Part, Plan};
use crate::generate::{Dialect, Draw};

fn a_call<'p>(draw: &mut Draw<'_, '_>, plan: &'p mut Plan) -> Option<&'p mut CallPart> {
    let places = call_places(plan);
    if places.is_empty() {
        return None;
    }
    let (message, part) = draw.pick(&places);
    match &mut plan.messages[message].parts[part] {
        Part::Call(call) => Some(call),
        _ => None,
    }
}

/// Arguments that are no object, or are wrapped too often, or are cut off.
pub(super) fn arguments(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect, wrong: usize) -> Option<()> {
    let objects = matches!(dialect, Dialect::OpenClaw | Dialect::AnthropicMessages);
    let call = a_call(draw, plan)?;
    let exact = call.arguments.clone();
    let quoted = print(&Node::from(exact.as_str()), COMPACT);
    let mut known = false;
    let wrong = match wrong {
        0 => Field::Missing,
        1 => Field::Instead(Node::Null),
        2 => Field::Instead(Node::from("")),
        // Cut inside the first key, so that no parser can take it for whole.
        3 => Field::Instead(Node::from(&exact[..3])),
        4 => Field::Instead(Node::Raw("[1, 2]".to_owned())),
        5 => Field::Instead(Node::from(r#"C:\bin "x""#)),
        6 => Field::Instead(Node::Raw("17".to_owned())),
        7 => {
            known = true;
            Field::Instead(Node::from(quoted))
        }
        8 => Field::Instead(Node::from("null")),
        _ => {
            known = true;
            let other = if objects { Node::from(exact) } else { Node::Raw(exact) };
            Field::Instead(other)
        }
    };
    call.spelled_arguments = wrong;
    if !known {
        let token = call.token.clone();
        plan.forget_call(&token);
    }
    Some(())
}

/// Another system's spelling of a call.
pub(super) fn alias(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect) -> Option<()> {
    if !matches!(dialect, Dialect::Canonical | Dialect::OpenClaw) {
        return None;
    }
    let call = a_call(draw, plan)?;
    let kind = draw.pick(&["toolUse", "tool_use", "tool-use", "functionCall", "function_call", "tool_call"]);
    let key = draw.pick(&["input", "arguments", "toolInput", "args", "parameters"]);
    call.alias = Some((kind, key));
    Some(())
}

/// Leftovers of a stream on a call that is whole.
pub(super) fn streaming_marker(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let markers = [
        ("partialJson", Node::from("{\"q\":")),
        ("partial", Node::Bool(true)),
        ("partial", Node::from("true")),
        ("incomplete", Node::Raw("1".to_owned())),
        ("index", Node::Raw("0".to_owned())),
        ("partialJson", Node::Null),
    ];
    let call = a_call(draw, plan)?;
    let (key, value) = markers[wrong].clone();
    call.extra.push((key.to_owned(), value));
    let token = call.token.clone();
    // A call that nobody answered goes; an answered one stays.
    plan.forget_call(&token);
    Some(())
}

/// A call whose name is missing or has white space around it.
pub(super) fn name(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let call = a_call(draw, plan)?;
    let padded = format!(" {}\n", call.name);
    let wrong = match wrong {
        0 => Field::Instead(Node::from(padded)),
        1 => Field::Missing,
        2 => Field::Instead(Node::from("")),
        3 => Field::Instead(Node::Null),
        _ => Field::Instead(Node::Raw("{}".to_owned())),
    };
    call.spelled_name = wrong;
    let token = call.token.clone();
    plan.forget_call(&token);
    Some(())
}
