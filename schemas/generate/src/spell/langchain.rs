//! Serialized messages of `LangChain`: stored (`type` and `data`), flat, or a constructor with its arguments.

use super::{
    Carries, Documents, Members, PDF, Speller, bytes, chat, contain, lone_text, picture, plain_text, put, source_image,
    text_block, thought, typed,
};
use crate::node::{COMPACT, Node, object, print, raw};
use crate::plan::{CallPart, Field, Image, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller =
    Speller { carries: Carries { documents: Documents::Nameless, ..Carries::ALL }, ..Speller::new(document) };

/// How messages are serialized.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `messages_to_dict`
    Stored,
    /// `model_dump`
    Flat,
    /// `dumpd`
    Constructor,
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let form = draw.pick(&[Form::Stored, Form::Flat, Form::Constructor]);
    let messages =
        plan.messages.iter().enumerate().map(|(number, one)| message(draw, config, form, one, number)).collect();
    contain(config, Vec::new(), messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, form: Form, message: &Message, number: usize) -> Node {
    let (kind, class) = match message.role {
        Role::System => ("system", "SystemMessage"),
        Role::User => ("human", "HumanMessage"),
        Role::Assistant => ("ai", "AIMessage"),
        Role::Result => ("tool", "ToolMessage"),
    };
    let mut fields = Vec::new();
    content(draw, config, message, &mut fields);
    if config.extras {
        put(&mut fields, "additional_kwargs", kwargs(draw, message));
        put(&mut fields, "response_metadata", metadata(message));
        if form != Form::Flat {
            put(&mut fields, "type", kind);
        }
        put(&mut fields, "id", format!("run-{number}"));
    }
    match message.role {
        Role::Assistant => calls(config, message, &mut fields),
        Role::Result => head(draw, config, message, &mut fields),
        Role::System | Role::User => {}
    }
    fields.extend(message.extra.clone());
    let mut members = Vec::new();
    match form {
        Form::Flat => {
            message.spelled_role.put(&mut members, "type", kind);
            members.extend(fields);
        }
        Form::Stored => {
            message.spelled_role.put(&mut members, "type", kind);
            put(&mut members, "data", fields);
        }
        Form::Constructor => {
            put(&mut members, "lc", raw("1"));
            put(&mut members, "type", "constructor");
            let path: &[&str] = draw.pick(&[&["langchain", "schema", "messages"], &["langchain_core", "messages"]]);
            let path: Vec<_> = path.iter().copied().chain([class]).map(Node::from).collect();
            message.spelled_role.put(&mut members, "id", path);
            put(&mut members, "kwargs", fields);
        }
    }
    Node::Object(members)
}

/// What is said: a string, or a list of blocks and strings. It may say the calls again, each in its place.
fn content(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, fields: &mut Members) {
    let again = config.extras && message.calls().all(is_natural) && draw.chance(1, 4);
    let standard = draw.chance(1, 2);
    let mut blocks = Vec::new();
    for part in &message.parts {
        match part {
            Part::Call(call) => blocks.extend(again.then(|| said_again(call, standard))),
            other => blocks.push(block(draw, other)),
        }
    }
    let natural = match lone_text(message) {
        Some(text) if config.strings && draw.chance(3, 4) => Node::from(text),
        _ if blocks.is_empty() && draw.chance(2, 3) => Node::from(""),
        _ => Node::Array(blocks),
    };
    message.content.put(fields, "content", natural);
}

fn block(draw: &mut Draw<'_, '_>, part: &Part) -> Node {
    match part {
        Part::Text(text) => match plain_text(part) {
            Some(words) if draw.chance(1, 8) => Node::from(words),
            _ => text_block(text),
        },
        Part::Image(image) => shown(draw, image),
        Part::Document(document) => {
            let mut members = typed("file");
            let key = draw.pick(&["base64", "data"]);
            if key == "data" {
                put(&mut members, "source_type", "base64");
            }
            bytes(document, &mut members, key);
            put(&mut members, "mime_type", PDF);
            Node::Object(members)
        }
        Part::Thinking(thinking) => reasoned(draw, thinking),
        Part::Raw(node, _) => node.clone(),
        Part::Call(_) => Node::Null,
    }
}

/// A picture: the standard block of version 1, that of version 0, or one of a provider.
fn shown(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    match draw.up_to(3) {
        0 => {
            let mut members = typed("image");
            picture(image, &mut members, "base64", "mime_type");
            Node::Object(members)
        }
        1 => {
            let mut members = typed("image");
            put(&mut members, "source_type", "base64");
            picture(image, &mut members, "data", "mime_type");
            Node::Object(members)
        }
        2 => source_image(image),
        _ => {
            let url = super::data_url(image);
            object([("type", Node::from("image_url")), ("image_url", object([("url", url)]))])
        }
    }
}

/// Reasoning: the standard block, or Anthropic's.
fn reasoned(draw: &mut Draw<'_, '_>, thinking: &Thinking) -> Node {
    if draw.chance(1, 2) {
        return Node::Object(thought(thinking, "signature"));
    }
    let Thinking { body, signature, spelled_signature, .. } = thinking;
    let mut extras = Vec::new();
    spelled_signature.put(&mut extras, "signature", signature);
    object([
        ("type", Node::from("reasoning")),
        ("reasoning", Node::from(body.as_str())),
        ("extras", Node::Object(extras)),
    ])
}

fn is_natural(call: &CallPart) -> bool {
    call.spelled_id == Field::Natural
        && call.spelled_name == Field::Natural
        && call.spelled_arguments == Field::Natural
        && call.alias.is_none()
        && call.extra.is_empty()
}

/// A call of `tool_calls` as content says it too: a standard block, or Anthropic's.
fn said_again(call: &CallPart, standard: bool) -> Node {
    let (kind, key) = if standard { ("tool_call", "args") } else { ("tool_use", "input") };
    object([
        ("type", Node::from(kind)),
        ("id", Node::from(call.id.as_str())),
        ("name", Node::from(call.name.as_str())),
        (key, raw(&call.arguments)),
    ])
}

fn calls(config: &Config, message: &Message, fields: &mut Members) {
    let entries: Vec<_> = message.calls().map(entry).collect();
    if !entries.is_empty() || config.extras {
        put(fields, "tool_calls", entries);
    }
    if config.extras {
        put(fields, "invalid_tool_calls", Vec::<Node>::new());
        let count = |number: usize| Node::Raw(number.to_string());
        let usage = object([("input_tokens", count(12)), ("output_tokens", count(3)), ("total_tokens", count(15))]);
        put(fields, "usage_metadata", usage);
    }
}

fn entry(call: &CallPart) -> Node {
    let (kind, key) = call.alias.unwrap_or(("tool_call", "args"));
    let mut members = Vec::new();
    call.spelled_name.put(&mut members, "name", &call.name);
    call.spelled_arguments.put(&mut members, key, raw(&call.arguments));
    call.spelled_id.put(&mut members, "id", &call.id);
    put(&mut members, "type", kind);
    members.extend(call.extra.clone());
    Node::Object(members)
}

/// What the provider sent beside the content: the calls in its own form.
fn kwargs(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    if message.calls().next().is_none() || !message.calls().all(is_natural) || draw.chance(1, 2) {
        return Node::Object(vec![]);
    }
    let calls = message.calls().map(|call| {
        let arguments = print(&raw(&call.arguments), COMPACT);
        let function = object([("name", Node::from(call.name.as_str())), ("arguments", Node::from(arguments))]);
        object([("id", Node::from(call.id.as_str())), ("type", Node::from("function")), ("function", function)])
    });
    object([("tool_calls", Node::Array(calls.collect()))])
}

fn metadata(message: &Message) -> Node {
    match message.stop {
        Some("toolUse") => object([("finish_reason", "tool_calls")]),
        Some(stop) => object([("finish_reason", Node::from(stop))]),
        None => Node::Object(vec![]),
    }
}

/// Whose answer a result is, and how it went.
fn head(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, fields: &mut Members) {
    let Some(answer) = &message.answer else { return };
    chat::answered(answer, fields);
    if config.extras || answer.spelled_name != Field::Natural {
        answer.spelled_name.put(fields, "name", &answer.name);
    }
    if answer.is_error || answer.spelled_error != Field::Natural || draw.chance(1, 2) {
        let status = if answer.is_error { "error" } else { "success" };
        answer.spelled_error.put(fields, "status", status);
    }
    if config.extras && draw.chance(1, 3) {
        put(fields, "artifact", object([("rows", raw("3")), ("raw", Node::Null)]));
    }
}
