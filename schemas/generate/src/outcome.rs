//! The canonical transcript that must come out of a plan: what SPEC.md says of it, in the spelling of the canonical dialect.

use super::node::{COMPACT, Node, object, print};
use super::plan::{Answer, CallPart, Field, Message, Part, Plan, Role, Text};
use super::spell::canonical;
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

/// A message as the canonical dialect writes it, without what this dialect does not say.
fn message(message: &Message, dialect: Dialect, synthetic: bool) -> Node {
    let mut told = message.clone();
    let own = matches!(dialect, Dialect::Canonical | Dialect::OpenClaw);
    // Only these two say in a message why the model stopped.
    told.stop = told.stop.filter(|_| own);
    let is_lone = told.role == Role::Result && told.answer.is_none();
    told.extra.retain(|(key, _)| is_lone && key == "isError");
    if is_lone && told.extra.is_empty() {
        told.extra.push(("isError".to_owned(), false.into()));
    }
    if synthetic {
        told.extra.push(("synthetic".to_owned(), true.into()));
    }
    for part in &mut told.parts {
        match part {
            Part::Thinking(thinking) => {
                let signed = own || dialect == Dialect::AnthropicMessages;
                if !signed || thinking.signature.is_empty() {
                    thinking.spelled_signature = Field::Missing;
                }
            }
            // What another dialect knows is filed under its name.
            Part::Call(call) if dialect != Dialect::Canonical => call.extra.clear(),
            _ => {}
        }
    }
    canonical::message(&told)
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
                return object([("type", "image"), ("data", blob), ("mimeType", mime)]);
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
