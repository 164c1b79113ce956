//! Serialized messages of `LangChain`: stored (`type` and `data`), flat, or a constructor with its arguments.

use super::{
    Carries, Documents, Members, PDF, Speller, bytes, chat, contain, lone_text, picture, plain_text, put, text_block,
    typed,
};
use crate::node::{COMPACT, Node, object, print};
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
            put(&mut fields, "type", Node::from(kind));
        }
        put(&mut fields, "id", Node::from(format!("run-{number}")));
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
            message.spelled_role.put(&mut members, "type", Node::from(kind));
            members.extend(fields);
        }
        Form::Stored => {
            message.spelled_role.put(&mut members, "type", Node::from(kind));
            put(&mut members, "data", Node::Object(fields));
        }
        Form::Constructor => {
            put(&mut members, "lc", Node::Raw("1".to_owned()));
            put(&mut members, "type", Node::from("constructor"));
            let path: &[&str] = draw.pick(&[&["langchain", "schema", "messages"], &["langchain_core", "messages"]]);
            let path = path.iter().copied().chain([class]).map(Node::from).collect();
            message.spelled_role.put(&mut members, "id", Node::Array(path));
            put(&mut members, "kwargs", Node::Object(fields));
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
                put(&mut members, "source_type", Node::from("base64"));
            }
            bytes(document, &mut members, key);
            put(&mut members, "mime_type", Node::from(PDF));
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
            put(&mut members, "source_type", Node::from("base64"));
            picture(image, &mut members, "data", "mime_type");
            Node::Object(members)
        }
        2 => {
            let mut source = typed("base64");
            picture(image, &mut source, "data", "media_type");
            object([("type", Node::from("image")), ("source", Node::Object(source))])
        }
        _ => {
            let url = super::data_url(image);
            object([("type", Node::from("image_url")), ("image_url", object([("url", url)]))])
        }
    }
}

/// Reasoning: the standard block, or Anthropic's.
fn reasoned(draw: &mut Draw<'_, '_>, Thinking { body, signature, spelled_signature, .. }: &Thinking) -> Node {
    if draw.chance(1, 2) {
        let mut members = typed("thinking");
        put(&mut members, "thinking", Node::from(body.as_str()));
        spelled_signature.put(&mut members, "signature", Node::from(signature.as_str()));
        return Node::Object(members);
    }
    let mut extras = Vec::new();
    spelled_signature.put(&mut extras, "signature", Node::from(signature.as_str()));
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
        (key, Node::Raw(call.arguments.clone())),
    ])
}

fn calls(config: &Config, message: &Message, fields: &mut Members) {
    let entries: Vec<_> = message.calls().map(entry).collect();
    if !entries.is_empty() || config.extras {
        put(fields, "tool_calls", Node::Array(entries));
    }
    if config.extras {
        put(fields, "invalid_tool_calls", Node::Array(Vec::new()));
        let count = |number: usize| Node::Raw(number.to_string());
        let usage = object([("input_tokens", count(12)), ("output_tokens", count(3)), ("total_tokens", count(15))]);
        put(fields, "usage_metadata", usage);
    }
}

fn entry(call: &CallPart) -> Node {
    let (kind, key) = call.alias.unwrap_or(("tool_call", "args"));
    let mut members = Vec::new();
    call.spelled_name.put(&mut members, "name", Node::from(call.name.as_str()));
    call.spelled_arguments.put(&mut members, key, Node::Raw(call.arguments.clone()));
    call.spelled_id.put(&mut members, "id", Node::from(call.id.as_str()));
    put(&mut members, "type", Node::from(kind));
    members.extend(call.extra.clone());
    Node::Object(members)
}

/// What the provider sent beside the content: the calls in its own form.
fn kwargs(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    if message.calls().next().is_none() || !message.calls().all(is_natural) || draw.chance(1, 2) {
        return object([]);
    }
    let calls = message.calls().map(|call| {
        let arguments = print(&Node::Raw(call.arguments.clone()), COMPACT);
        let function = object([("name", Node::from(call.name.as_str())), ("arguments", Node::from(arguments))]);
        object([("id", Node::from(call.id.as_str())), ("type", Node::from("function")), ("function", function)])
    });
    object([("tool_calls", Node::Array(calls.collect()))])
}

fn metadata(message: &Message) -> Node {
    match message.stop {
        Some("toolUse") => object([("finish_reason", Node::from("tool_calls"))]),
        Some(stop) => object([("finish_reason", Node::from(stop))]),
        None => object([]),
    }
}

/// Whose answer a result is, and how it went.
fn head(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, fields: &mut Members) {
    let Some(answer) = &message.answer else { return };
    chat::answered(answer, fields);
    if config.extras || answer.spelled_name != Field::Natural {
        answer.spelled_name.put(fields, "name", Node::from(answer.name.as_str()));
    }
    if answer.is_error || answer.spelled_error != Field::Natural || draw.chance(1, 2) {
        let status = if answer.is_error { "error" } else { "success" };
        answer.spelled_error.put(fields, "status", Node::from(status));
    }
    if config.extras && draw.chance(1, 3) {
        put(fields, "artifact", object([("rows", Node::Raw("3".to_owned())), ("raw", Node::Null)]));
    }
}
