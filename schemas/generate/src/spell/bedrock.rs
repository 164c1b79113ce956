//! AWS Bedrock Converse.

use super::{Carries, Documents, Members, Speller, bytes, contain, named, put, said, whole, with_role};
use crate::node::{Node, object, raw};
use crate::plan::{Answer, CallPart, Field, Image, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw, values};

/// Content is always a list. Ids and names have one character set in every server.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { documents: Documents::Named, strings: false, system_beside: true, ..Carries::ALL },
    id,
    name: values::usual_name,
    vendor: Some("bedrock"),
    ..Speller::new(document)
};

fn id(draw: &mut Draw<'_, '_>, config: &Config, letter: char, number: usize) -> String {
    let id = values::id(draw, config, letter, number);
    let fits = id.len() <= 60 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte));
    if fits { id } else { format!("tooluse_{letter}.{number}") }
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.extras {
        put(&mut front, "modelId", "anthropic.claude-opus-4-5-20251101-v1:0");
        put(&mut front, "inferenceConfig", object([("maxTokens", raw("1024"))]));
        let schema = object([("json", object([("type", "object")]))]);
        let spec = object([("name", Node::from("read")), ("inputSchema", schema)]);
        let tools = Node::Array(vec![object([("toolSpec", spec)])]);
        put(&mut front, "toolConfig", object([("tools", tools)]));
    }
    let mut messages = Vec::new();
    // All results of a turn stand in one message.
    let mut batch: Option<(Members, Vec<Node>)> = None;
    for (number, message) in plan.messages.iter().enumerate() {
        if message.role == Role::Result {
            let (_, blocks) = batch.get_or_insert_with(|| (with_role(message, "user"), Vec::new()));
            blocks.push(result(draw, message));
            continue;
        }
        if let Some((members, mut blocks)) = batch.take() {
            // Roles alternate: what the user says next stands in the same message.
            let natural = message.spelled_role == Field::Natural && message.content == Field::Natural;
            if message.role == Role::User && natural && message.extra.is_empty() {
                blocks.extend(message.parts.iter().map(block));
                messages.push(close((members, blocks)));
                continue;
            }
            messages.push(close((members, blocks)));
        }
        let mut blocks: Vec<_> = message.parts.iter().map(block).collect();
        if message.role == Role::System && number == 0 && !config.bare_list {
            message.content.put(&mut front, "system", blocks);
            continue;
        }
        if config.extras && message.role == Role::User && draw.chance(1, 4) {
            blocks.push(object([("cachePoint", object([("type", "default")]))]));
        }
        let members = with_role(message, message.role.of(["system", "user", "assistant", "user"]));
        messages.push(whole(message, members, "content", blocks));
    }
    messages.extend(batch.take().map(close));
    contain(config, front, messages)
}

fn close((mut members, blocks): (Members, Vec<Node>)) -> Node {
    put(&mut members, "content", blocks);
    Node::Object(members)
}

fn result(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    let mut members = Vec::new();
    let Some(Answer { id, spelled_id, id_key, is_error, spelled_error, .. }) = &message.answer else {
        return Node::Null;
    };
    spelled_id.put(&mut members, id_key.unwrap_or("toolUseId"), id);
    let natural = message.parts.iter().map(|part| match part {
        // A tool may answer with an object.
        Part::Text(text) if draw.chance(1, 8) => {
            let mut answer = Vec::new();
            said(text, &mut answer, "answer");
            put(&mut answer, "n", raw("1.0"));
            object([("json", Node::Object(answer))])
        }
        other => block(other),
    });
    let natural: Vec<_> = natural.collect();
    message.content.put(&mut members, "content", natural);
    // A result without a status went well.
    if *is_error || *spelled_error != Field::Natural || draw.chance(1, 2) {
        spelled_error.put(&mut members, "status", if *is_error { "error" } else { "success" });
    }
    members.extend(message.extra.clone());
    object([("toolResult", Node::Object(members))])
}

fn block(part: &Part) -> Node {
    let (key, members) = match part {
        Part::Text(text) => {
            let mut members = Vec::new();
            said(text, &mut members, "text");
            return Node::Object(members);
        }
        Part::Image(image) => ("image", picture(image)),
        Part::Document(document) => {
            let mut source = Vec::new();
            bytes(document, &mut source, "bytes");
            let mut members = vec![("format".to_owned(), Node::from("pdf"))];
            named(document, &mut members, "name");
            put(&mut members, "source", source);
            ("document", members)
        }
        Part::Thinking(Thinking { body, signature, spelled_signature, .. }) => {
            let mut words = Vec::new();
            put(&mut words, "text", body);
            spelled_signature.put(&mut words, "signature", signature);
            ("reasoningContent", vec![("reasoningText".to_owned(), Node::Object(words))])
        }
        Part::Call(call) => ("toolUse", called(call)),
        Part::Raw(node, _) => return node.clone(),
    };
    object([(key, Node::Object(members))])
}

/// The format is the media type without its first half.
fn picture(image: &Image) -> Members {
    let short = |mime: &str| Node::from(mime.strip_prefix("image/").unwrap_or(mime));
    let mut members = Vec::new();
    let format = match &image.mime {
        Field::Instead(Node::String(mime)) => Field::Instead(short(mime)),
        other => other.clone(),
    };
    format.put(&mut members, "format", short(image.picture.mime));
    let mut source = Vec::new();
    image.data.put(&mut source, "bytes", &image.picture.base64);
    put(&mut members, "source", source);
    members
}

fn called(call: &CallPart) -> Members {
    let mut members = Vec::new();
    super::called(call, &mut members, ["toolUseId", "name", "input"], raw(&call.arguments));
    members.extend(call.extra.clone());
    members
}
