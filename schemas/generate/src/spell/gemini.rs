//! Gemini contents.

use super::{Carries, Documents, Members, PDF, Speller, bytes, contain_as, picture, put, said, whole, with_role};
use crate::node::{Node, object, raw};
use crate::plan::{Answer, CallPart, Field, Image, Message, Part, Plan, Role, Text, Thinking};
use crate::{Config, Draw};

/// Calls need no ids. Instructions stand beside the list.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        documents: Documents::Nameless,
        ids_needed: false,
        strict_gifs: false,
        strings: false,
        system_beside: true,
        ..Carries::ALL
    },
    vendor: Some("gemini-3"),
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    let mut contents = Vec::new();
    // The results that stand together.
    let mut batch: Option<(Members, Vec<Node>)> = None;
    for (number, message) in plan.messages.iter().enumerate() {
        if message.role == Role::Result {
            let (_, parts) = batch.get_or_insert_with(|| (with_role(message, "user"), Vec::new()));
            parts.push(response(draw, message));
            continue;
        }
        contents.extend(batch.take().map(close));
        if message.role == Role::System && number == 0 && !config.bare_list {
            let key = if draw.chance(1, 8) { "system_instruction" } else { "systemInstruction" };
            let mut members = Vec::new();
            if draw.chance(1, 4) {
                put(&mut members, "role", "user");
            }
            message.content.put(&mut members, "parts", Node::Array(parts(draw, config, message)));
            put(&mut front, key, members);
            continue;
        }
        let members = match message.role {
            Role::Assistant => with_role(message, "model"),
            Role::System => with_role(message, "system"),
            // A content without a role is the user's.
            _ if message.spelled_role == Field::Natural && draw.chance(1, 8) => Vec::new(),
            _ => with_role(message, "user"),
        };
        let parts = parts(draw, config, message);
        contents.push(whole(message, members, "parts", parts));
    }
    contents.extend(batch.take().map(close));
    if config.extras {
        put(&mut front, "model", "gemini-3-pro-preview");
        put(&mut front, "generationConfig", object([("temperature", raw("1.0"))]));
    }
    contain_as(config, front, "contents", contents)
}

fn close((mut members, parts): (Members, Vec<Node>)) -> Node {
    put(&mut members, "parts", parts);
    Node::Object(members)
}

fn parts(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Vec<Node> {
    let mut out = Vec::new();
    // A signature that comes with the part behind the thought.
    let mut seal: Members = Vec::new();
    let mut parts = message.parts.iter().peekable();
    // The model signs the first of its calls.
    let mut first = true;
    while let Some(part) = parts.next() {
        let mut members = Vec::new();
        match part {
            Part::Thinking(thinking) => {
                put(&mut members, "text", &thinking.body);
                put(&mut members, "thought", true);
                let own = signature(draw, thinking);
                let signs_next = matches!(parts.peek(), Some(Part::Text(_) | Part::Call(_)));
                if signs_next && draw.chance(1, 2) { seal = own } else { members.extend(own) }
            }
            Part::Text(text) => said(text, &mut members, "text"),
            Part::Image(image) => put(&mut members, "inlineData", inline(draw, image)),
            Part::Document(document) => {
                let mut blob = vec![("mimeType".to_owned(), Node::from(PDF))];
                bytes(document, &mut blob, "data");
                put(&mut members, "inlineData", blob);
            }
            Part::Call(call) => {
                put(&mut members, "functionCall", called(call));
                if std::mem::take(&mut first) && seal.is_empty() && config.thinking && draw.chance(1, 2) {
                    let word = crate::media::base64(call.token.as_bytes());
                    put(&mut members, "thoughtSignature", word);
                }
            }
            Part::Raw(node, _) => {
                out.push(node.clone());
                continue;
            }
        }
        if !matches!(part, Part::Thinking(_)) {
            members.append(&mut seal);
        }
        out.push(Node::Object(members));
    }
    out
}

fn signature(draw: &mut Draw<'_, '_>, thinking: &Thinking) -> Members {
    let mut members = Vec::new();
    let key = if draw.chance(1, 8) { "thought_signature" } else { "thoughtSignature" };
    thinking.spelled_signature.put(&mut members, key, &thinking.signature);
    members
}

fn inline(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    let mut members = Vec::new();
    let mime = if draw.chance(1, 8) { "mime_type" } else { "mimeType" };
    picture(image, &mut members, "data", mime);
    Node::Object(members)
}

fn called(call: &CallPart) -> Node {
    let mut members = Vec::new();
    if !call.id.is_empty() || call.spelled_id != Field::Natural {
        call.spelled_id.put(&mut members, "id", &call.id);
    }
    call.spelled_name.put(&mut members, "name", &call.name);
    call.spelled_arguments.put(&mut members, "args", raw(&call.arguments));
    members.extend(call.extra.clone());
    Node::Object(members)
}

/// A part with a function's response: an object, media beside it.
fn response(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    let mut members = Vec::new();
    let mut failed = false;
    let mut flag = None;
    if let Some(Answer { id, spelled_id, id_key, name, spelled_name, is_error, spelled_error, .. }) = &message.answer {
        if !id.is_empty() || *spelled_id != Field::Natural {
            spelled_id.put(&mut members, id_key.unwrap_or("id"), id);
        }
        spelled_name.put(&mut members, "name", name);
        failed = *is_error && *spelled_error == Field::Natural;
        if let Field::Instead(node) = spelled_error {
            flag = Some(node.clone());
        }
    }
    let texts: Vec<_> =
        message.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None }).collect();
    let mut answer = Vec::new();
    match texts[..] {
        [text] => said(text, &mut answer, if failed { "error" } else { draw.pick(&["output", "output", "result"]) }),
        _ => {
            let list = Node::Array(texts.iter().map(|text| value(text)).collect());
            put(&mut answer, if failed { "error" } else { draw.pick(&["output", "content"]) }, list);
        }
    }
    // What stands in the place of an error, though nothing went wrong.
    if let Some(node) = flag {
        put(&mut answer, "error", node);
    }
    message.content.put(&mut members, "response", answer);
    let beside: Vec<_> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Image(image) => Some(object([("inlineData", inline(draw, image))])),
            Part::Raw(node, _) => Some(node.clone()),
            Part::Text(_) | Part::Document(_) | Part::Thinking(_) | Part::Call(_) => None,
        })
        .collect();
    if !beside.is_empty() {
        put(&mut members, "parts", beside);
    }
    members.extend(message.extra.clone());
    object([("functionResponse", Node::Object(members))])
}

/// A text among others.
fn value(text: &Text) -> Node {
    match &text.spelled {
        Field::Natural => Node::from(text.body.as_str()),
        Field::Missing => Node::Null,
        Field::Instead(node) => node.clone(),
    }
}
