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
pub(super) fn arguments(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect) -> Option<&'static str> {
    let objects = matches!(dialect, Dialect::OpenClaw | Dialect::AnthropicMessages);
    let call = a_call(draw, plan)?;
    let exact = call.arguments.clone();
    let quoted = print(&Node::from(exact.as_str()), COMPACT);
    let mut known = false;
    let (wrong, name) = match draw.up_to(9) {
        0 => (Field::Missing, "arguments-missing"),
        1 => (Field::Instead(Node::Null), "arguments-null"),
        2 => (Field::Instead(Node::from("")), "arguments-empty"),
        // Cut inside the first key, so that no parser can take it for whole.
        3 => (Field::Instead(Node::from(&exact[..3])), "arguments-cut-off"),
        4 => (Field::Instead(Node::Raw("[1, 2]".to_owned())), "arguments-list"),
        5 => (Field::Instead(Node::from(r#"C:\bin "x""#)), "arguments-not-json"),
        6 => (Field::Instead(Node::Raw("17".to_owned())), "arguments-number"),
        7 => {
            known = true;
            (Field::Instead(Node::from(quoted)), "arguments-encoded-twice")
        }
        8 => (Field::Instead(Node::from("null")), "arguments-null-text"),
        _ => {
            known = true;
            let other = if objects { Node::from(exact) } else { Node::Raw(exact) };
            (Field::Instead(other), "arguments-other-kind")
        }
    };
    call.spelled_arguments = wrong;
    if !known {
        let token = call.token.clone();
        plan.forget_call(&token);
    }
    Some(name)
}

/// Another system's spelling of a call.
pub(super) fn alias(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect) -> Option<&'static str> {
    if !matches!(dialect, Dialect::Canonical | Dialect::OpenClaw) {
        return None;
    }
    let call = a_call(draw, plan)?;
    let kind = draw.pick(&["toolUse", "tool_use", "tool-use", "functionCall", "function_call", "tool_call"]);
    let key = draw.pick(&["input", "arguments", "toolInput", "args", "parameters"]);
    call.alias = Some((kind, key));
    Some("call-alias")
}

/// Leftovers of a stream on a call that is whole.
pub(super) fn streaming_marker(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<&'static str> {
    let markers = [
        ("partialJson", Node::from("{\"q\":")),
        ("partial", Node::Bool(true)),
        ("partial", Node::from("true")),
        ("incomplete", Node::Raw("1".to_owned())),
        ("index", Node::Raw("0".to_owned())),
        ("partialJson", Node::Null),
    ];
    let call = a_call(draw, plan)?;
    let (key, value) = markers[draw.up_to(markers.len() - 1)].clone();
    call.extra.push((key.to_owned(), value));
    let token = call.token.clone();
    // A call that nobody answered goes; an answered one stays.
    plan.forget_call(&token);
    Some("streaming-marker")
}

/// A call whose name is missing or has white space around it.
pub(super) fn name(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<&'static str> {
    let call = a_call(draw, plan)?;
    let padded = format!(" {}\n", call.name);
    let (wrong, name) = match draw.up_to(4) {
        0 => (Field::Instead(Node::from(padded)), "name-white-space"),
        1 => (Field::Missing, "name-missing"),
        2 => (Field::Instead(Node::from("")), "name-empty"),
        3 => (Field::Instead(Node::Null), "name-null"),
        _ => (Field::Instead(Node::Raw("{}".to_owned())), "name-object"),
    };
    call.spelled_name = wrong;
    let token = call.token.clone();
    plan.forget_call(&token);
    Some(name)
}
