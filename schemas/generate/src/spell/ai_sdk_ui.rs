//! UI messages of the Vercel AI SDK: a call and what became of it are one part, whose state says how far it is.

use super::inside::{Turn, turns};
use super::{
    Carries, Documents, Members, PDF, Pictures, Speller, ai_sdk_model, canonical, contain, document_url, flat_image,
    named, plain_text, put, text_block, typed, whole, with_role,
};
use crate::node::{Node, object, raw};
use crate::plan::{CallPart, Field, Message, Part, Plan, Role};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        pictures: Pictures::NotInErrors,
        documents: Documents::Named,
        strings: false,
        results_apart: false,
        ..Carries::ALL
    },
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut messages: Vec<Node> = Vec::new();
    // The steps of the assistant that are one message.
    let mut steps: Option<(Members, Vec<Node>, &Message)> = None;
    for turn in turns(plan) {
        let message = turn.message;
        let last = plan.messages.last().is_some_and(|last| std::ptr::eq(last, message));
        let number = messages.len();
        if message.role != Role::Assistant {
            messages.extend(steps.take().map(close));
            messages.push(said(config, message, number));
            continue;
        }
        // What is wrong with a message as a whole stands on one of its own.
        if !config.batches || message.content != Field::Natural || message.spelled_role != Field::Natural {
            messages.extend(steps.take().map(close));
        }
        let number = messages.len();
        let (_, parts, _) = steps.get_or_insert_with(|| (head(message, "assistant", number), Vec::new(), message));
        if config.extras || !parts.is_empty() {
            parts.push(object([("type", "step-start")]));
        }
        for part in &message.parts {
            let part = match part {
                Part::Call(call) => tool(draw, config, call, &turn, config.open_end && last),
                other => block(other),
            };
            parts.push(part);
        }
        if config.extras && draw.chance(1, 6) {
            parts.push(source(number));
        }
        if !config.batches || message.content != Field::Natural || !message.extra.is_empty() {
            messages.extend(steps.take().map(close));
        }
    }
    messages.extend(steps.take().map(close));
    contain(config, Vec::new(), messages)
}

fn head(message: &Message, role: &str, number: usize) -> Members {
    let mut members = vec![("id".to_owned(), Node::from(format!("msg-{number}")))];
    members.extend(with_role(message, role));
    members
}

fn close((members, parts, message): (Members, Vec<Node>, &Message)) -> Node {
    whole(message, members, "parts", parts)
}

/// What the user or the system says; a result that belongs to no call here, as agents write it.
fn said(config: &Config, message: &Message, number: usize) -> Node {
    if message.role == Role::Result {
        return canonical::message(message);
    }
    let mut members = head(message, if message.role == Role::System { "system" } else { "user" }, number);
    if config.extras && message.role == Role::User {
        let time = raw((1_760_000_000_000_u64 + number as u64).to_string());
        put(&mut members, "metadata", object([("createdAt", time)]));
    }
    close((members, message.parts.iter().map(block).collect(), message))
}

fn block(part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => {
            let mut members = typed("file");
            image.mime.put(&mut members, "mediaType", image.picture.mime);
            put(&mut members, "url", super::data_url(image));
            Node::Object(members)
        }
        Part::Document(document) => {
            let mut members = typed("file");
            put(&mut members, "mediaType", PDF);
            put(&mut members, "url", document_url(document));
            named(document, &mut members, "filename");
            Node::Object(members)
        }
        Part::Thinking(thinking) => {
            let mut members = typed("reasoning");
            put(&mut members, "text", &thinking.body);
            put(&mut members, "state", "done");
            if let Some(fields) = ai_sdk_model::signed(thinking) {
                put(&mut members, "providerMetadata", fields);
            }
            Node::Object(members)
        }
        Part::Raw(node, _) => node.clone(),
        Part::Call(_) => Node::Null,
    }
}

/// A page that an answer stands on.
fn source(number: usize) -> Node {
    object([
        ("type", Node::from("source-url")),
        ("sourceId", Node::from(format!("src-{number}"))),
        ("url", Node::from("https://example.com/report")),
    ])
}

fn tool(draw: &mut Draw<'_, '_>, config: &Config, call: &CallPart, turn: &Turn<'_>, waits: bool) -> Node {
    let dynamic = call.spelled_name != Field::Natural || draw.chance(1, 4);
    let (kind, key) = match call.alias {
        Some((kind, key)) => (kind.to_owned(), key),
        None if dynamic => ("dynamic-tool".to_owned(), "input"),
        None => (format!("tool-{}", call.name), "input"),
    };
    let mut members = typed(&kind);
    if dynamic || call.alias.is_some() {
        call.spelled_name.put(&mut members, "toolName", &call.name);
    }
    call.spelled_id.put(&mut members, "toolCallId", &call.id);
    let input = raw(&call.arguments);
    let result = turn.result(call);
    let (state, fields) = match result {
        Some(result) => answered(draw, result),
        None if waits => open(draw, call),
        None => ("input-available", Vec::new()),
    };
    put(&mut members, "state", state);
    call.spelled_arguments.put(&mut members, key, input);
    members.extend(fields);
    if config.extras && draw.chance(1, 4) {
        let signed = object([("google", object([("thoughtSignature", "c2lnbg==")]))]);
        put(&mut members, "callProviderMetadata", signed);
    }
    members.extend(call.extra.clone());
    members.extend(result.into_iter().flat_map(|result| result.extra.clone()));
    Node::Object(members)
}

/// A call that nobody has answered: it runs, or the user is asked, or has said yes.
fn open(draw: &mut Draw<'_, '_>, call: &CallPart) -> (&'static str, Members) {
    let id = ("id", Node::from(format!("approval-{}", call.token)));
    match draw.up_to(3) {
        0 | 1 => ("input-available", Vec::new()),
        2 => ("approval-requested", vec![("approval".to_owned(), object([id]))]),
        _ => ("approval-responded", vec![("approval".to_owned(), object([id, ("approved", Node::Bool(true))]))]),
    }
}

/// The state of a call with its result, and the fields that say it.
fn answered(draw: &mut Draw<'_, '_>, result: &Message) -> (&'static str, Members) {
    let mut fields = Vec::new();
    let Some(answer) = &result.answer else { return ("output-available", fields) };
    let texts: Option<Vec<_>> = result.parts.iter().map(plain_text).collect();
    let is_error = answer.is_error && answer.spelled_error == Field::Natural;
    if let (true, Some(texts)) = (is_error, &texts) {
        let words = texts.join("\n");
        if draw.chance(1, 3) && result.content == Field::Natural {
            let approval =
                [("id", Node::from("approval-1")), ("approved", Node::Bool(false)), ("reason", Node::from(words))];
            put(&mut fields, "approval", object(approval));
            return ("output-denied", fields);
        }
        result.content.put(&mut fields, "errorText", words);
        return ("output-error", fields);
    }
    let natural = match texts.as_deref() {
        Some([text]) if answer.spelled_error == Field::Natural => match draw.up_to(3) {
            0 => object([("answer", Node::from(*text)), ("n", raw("1.0"))]),
            1 => protocol(result),
            _ => Node::from(*text),
        },
        _ => protocol(result),
    };
    result.content.put(&mut fields, "output", natural);
    ("output-available", fields)
}

/// What a tool of the Model Context Protocol answered, as it came.
fn protocol(result: &Message) -> Node {
    let blocks = result.parts.iter().map(|part| match part {
        Part::Image(image) => flat_image(image),
        other => block(other),
    });
    let mut members = vec![("content".to_owned(), Node::Array(blocks.collect()))];
    if let Some(answer) = &result.answer
        && (answer.is_error || answer.spelled_error != Field::Natural)
    {
        answer.spelled_error.put(&mut members, "isError", answer.is_error);
    }
    Node::Object(members)
}
