//! The canonical transcript that must come out of a plan, said from SPEC.md alone.

use super::node::{COMPACT, Node, object, print};
use super::plan::{Answer, CallPart, Message, Part, Plan, Role, Text};
use super::{Config, Dialect};

/// What stands in for a result that never came.
const NO_RESULT: &str = "[wirecanon: no result was recorded for this tool call]";

/// The dialects whose messages read to what was planned, word for word. Others say some of it in ways of their own: an
/// object in place of a text, a seal without a place.
pub(crate) fn is_known(config: &Config) -> bool {
    // Where calls have no ids, nobody can say which they get.
    config.ids
        && matches!(
            config.dialect.name(),
            "canonical" | "openclaw" | "anthropic.messages" | "openai.chat" | "mcp.tool-result"
        )
}

type Members = Vec<(String, Node)>;

/// The JSON text of the canonical transcript.
pub(crate) fn document(plan: &Plan, dialect: Dialect) -> String {
    let node = match &plan.outcome[..] {
        [lone] if dialect == Dialect::McpToolResult => message(lone, dialect, false),
        messages => {
            let mut out = Vec::new();
            for one in messages.iter().filter(|one| one.role != Role::Result) {
                out.push(message(one, dialect, false));
                for call in one.calls() {
                    let mut results = messages.iter().filter(|result| answers(result, call));
                    out.push(match results.next() {
                        Some(result) => message(result, dialect, false),
                        None => message(&stand_in(call), dialect, true),
                    });
                }
            }
            object([("messages", Node::Array(out))])
        }
    };
    print(&node, COMPACT)
}

fn answers(result: &Message, call: &CallPart) -> bool {
    result.answer.as_ref().is_some_and(|answer| answer.call == call.token)
}

fn stand_in(call: &CallPart) -> Message {
    let mut message = Message::new(Role::Result, vec![Part::Text(Text::plain(NO_RESULT))]);
    message.answer = Some(Answer { is_error: true, ..Answer::of(call) });
    message
}

fn message(message: &Message, dialect: Dialect, synthetic: bool) -> Node {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Result => "toolResult",
    };
    let mut members = vec![("role".to_owned(), Node::from(role))];
    if let Some(answer) = &message.answer {
        put(&mut members, "toolCallId", Node::from(answer.id.as_str()));
        put(&mut members, "toolName", Node::from(answer.name.as_str()));
    }
    put(&mut members, "content", Node::Array(message.parts.iter().map(|part| block(part, dialect)).collect()));
    if message.role == Role::Result {
        let said = message.extra.iter().find(|(key, _)| key == "isError").map(|(_, flag)| flag.clone());
        let flag = message.answer.as_ref().map_or(Node::Bool(false), |answer| Node::Bool(answer.is_error));
        put(&mut members, "isError", said.unwrap_or(flag));
    }
    if synthetic {
        put(&mut members, "synthetic", Node::Bool(true));
    }
    // Only these two say in a message why the model stopped.
    if let Some(stop) = message.stop.filter(|_| matches!(dialect, Dialect::Canonical | Dialect::OpenClaw)) {
        put(&mut members, "stopReason", Node::from(stop));
    }
    Node::Object(members)
}

fn block(part: &Part, dialect: Dialect) -> Node {
    match part {
        Part::Text(text) => words(text.body.as_str()),
        Part::Image(image) => object([
            ("type", Node::from("image")),
            ("data", Node::from(image.picture.base64.as_str())),
            ("mimeType", Node::from(image.picture.mime)),
        ]),
        Part::Document(document) => {
            let mut members = vec![("type".to_owned(), Node::from("file"))];
            put(&mut members, "data", Node::from(document.base64.as_str()));
            put(&mut members, "mimeType", Node::from("application/pdf"));
            if let Some(name) = &document.name {
                put(&mut members, "name", Node::from(name.as_str()));
            }
            Node::Object(members)
        }
        Part::Thinking(thinking) => {
            let mut members = vec![
                ("type".to_owned(), Node::from("thinking")),
                ("thinking".to_owned(), thinking.body.as_str().into()),
            ];
            let signed = matches!(dialect, Dialect::Canonical | Dialect::OpenClaw | Dialect::AnthropicMessages);
            if signed && !thinking.signature.is_empty() {
                put(&mut members, "signature", Node::from(thinking.signature.as_str()));
            }
            if thinking.sealed {
                put(&mut members, "redacted", Node::Bool(true));
            }
            Node::Object(members)
        }
        Part::Call(call) => {
            let mut members = vec![("type".to_owned(), Node::from("toolCall"))];
            put(&mut members, "id", Node::from(call.id.as_str()));
            put(&mut members, "name", Node::from(call.name.as_str()));
            put(&mut members, "arguments", Node::from(call.arguments.as_str()));
            // What another dialect knows is filed under its name.
            members.extend(call.extra.iter().filter(|_| dialect == Dialect::Canonical).cloned());
            Node::Object(members)
        }
        Part::Raw(node, _) => node.clone(),
    }
}

fn put(members: &mut Members, key: &str, value: Node) {
    members.push((key.to_owned(), value));
}

/// A canonical block of words.
pub(crate) fn words(text: &str) -> Node {
    object([("type", Node::from("text")), ("text", Node::from(text))])
}

/// Blocks of the protocol as canonical content has them.
pub(crate) fn project(messages: &mut [Message]) {
    for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
        if let Part::Raw(node, _) = part {
            *node = mcp_block(node);
        }
    }
}

/// What a block of the protocol reads to.
pub(crate) fn mcp_block(block: &Node) -> Node {
    let said = |key| text(block, key);
    match said("type") {
        Some("resource_link") => {
            let address = said("uri").unwrap_or_default();
            match said("title").or(said("name")) {
                Some(title) => words(&format!("[{title}] {address}")),
                None => words(address),
            }
        }
        Some("resource") => {
            let Some(resource) = member(block, "resource") else { return block.clone() };
            let (mime, address) = (text(resource, "mimeType"), text(resource, "uri").unwrap_or_default());
            if let (Some(blob), Some(mime)) = (text(resource, "blob"), mime.filter(|mime| mime.starts_with("image/"))) {
                return object([("type", "image".into()), ("data", blob.into()), ("mimeType", mime.into())]);
            }
            match (text(resource, "text"), mime) {
                (Some(inside), _) => words(inside),
                (None, Some(mime)) if mime.starts_with("image/") => picture(resource, mime),
                (None, Some(mime)) => words(&format!("[resource {mime}] {address}")),
                (None, None) => words(&format!("[resource] {address}")),
            }
        }
        Some("audio") => words(&format!("[audio {}]", said("mimeType").unwrap_or_default())),
        _ => block.clone(),
    }
}

/// The picture that an embedded file is.
fn picture(resource: &Node, mime: &str) -> Node {
    let data = Node::from(text(resource, "blob").unwrap_or_default());
    object([("type", Node::from("image")), ("data", data), ("mimeType", Node::from(mime))])
}

fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Node::Object(members) = node else { return None };
    members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    match member(node, key)? {
        Node::String(text) => Some(text),
        _ => None,
    }
}
