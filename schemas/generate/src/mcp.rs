//! A lone tool result of the Model Context Protocol without faults, and the blocks that its revisions have.

use super::conversation;
use super::node::{COMPACT, Node, object, print, raw};
use super::plan::{Message, Part, Plan, Role};
use super::{Config, Draw, Revision, media};

/// Draws one result with every kind of block that the revision has.
pub(crate) fn plan(draw: &mut Draw<'_, '_>, config: &Config, letter: char) -> Plan {
    let mut plan = Plan::new(letter);
    let mut parts = vec![conversation::text(draw, config, &mut plan)];
    for _ in 0..draw.up_to(4) {
        let part = block(draw, config, &mut plan);
        parts.push(part);
    }
    let mut message = Message::new(Role::Result, parts);
    if config.extras && config.revision.has_links() && draw.chance(1, 2) {
        let token = plan.token();
        plan.keep(&token);
        let content = structured(draw, config.revision, &token);
        // A server that returns structured content should also serialize it into a text block.
        let text = object([("type", Node::from("text")), ("text", Node::from(print(&content, COMPACT)))]);
        message.parts.push(Part::Raw(text, token));
        message.extra.push(("structuredContent".to_owned(), content));
    }
    if draw.chance(1, 2) {
        message.extra.push(("isError".to_owned(), Node::Bool(config.errors)));
    }
    plan.messages.push(message);
    plan
}

/// Structured content: an object, and any value where the revision takes one.
pub(crate) fn structured(draw: &mut Draw<'_, '_>, revision: Revision, token: &str) -> Node {
    let content = object([("answer", Node::from(token)), ("n", raw("1.0"))]);
    match draw.up_to(if revision.has_result_type() { 2 } else { 0 }) {
        0 => content,
        1 => Node::Array(vec![content, Node::Null]),
        _ => Node::from(token),
    }
}

/// How many kinds of blocks a revision has, each added to those before it: words, pictures, embedded files (2 to 5), recordings
/// (6) and links (7 and 8).
fn kinds(revision: Revision) -> usize {
    match (revision.has_audio(), revision.has_links()) {
        (false, _) => 6,
        (true, false) => 7,
        (true, true) => 9,
    }
}

/// Draws a block of the revision. What of it must survive where the protocol's own kinds do not is kept: its words, its
/// address or its picture, no recording.
pub(crate) fn block(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Part {
    let kind = draw.up_to(kinds(config.revision) - 1);
    match kind {
        1 if plan.has_room() => return conversation::image(draw, config, plan),
        0 | 1 => return conversation::text(draw, config, plan),
        _ => {}
    }
    let token = plan.token();
    let mut kept = token.clone();
    let node = match kind {
        2 => resource(vec![
            ("uri", Node::from("file:///a.txt")),
            ("mimeType", Node::from("text/plain")),
            ("text", Node::from(format!("inside {token}"))),
        ]),
        3 => resource(vec![
            ("uri", Node::from(format!("file:///{token}.bin"))),
            ("mimeType", Node::from("application/octet-stream")),
            ("blob", Node::from("AAEC")),
        ]),
        4 => {
            resource(vec![("uri", Node::from("file:///notes.md")), ("text", Node::from(format!("# Notes\n\n{token}")))])
        }
        5 => {
            let picture = media::picture(draw, &token, true);
            kept.clone_from(&picture.base64);
            resource(vec![
                ("uri", Node::from("file:///shot")),
                ("mimeType", Node::from(picture.mime)),
                ("blob", Node::from(picture.base64)),
            ])
        }
        6 => {
            kept.clear();
            recording(&token)
        }
        7 => object([
            ("type", Node::from("resource_link")),
            ("uri", Node::from(format!("file:///{token}.txt"))),
            ("name", Node::from("notes")),
        ]),
        _ => page(config.revision, &token),
    };
    if !kept.is_empty() {
        plan.keep(&kept);
    }
    Part::Raw(node, kept)
}

fn resource(members: Vec<(&str, Node)>) -> Node {
    let members = members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    object([("type", Node::from("resource")), ("resource", Node::Object(members))])
}

/// A recording with `mark` in its bytes.
pub(crate) fn recording(mark: &str) -> Node {
    object([
        ("type", Node::from("audio")),
        ("data", Node::from(media::wav(mark))),
        ("mimeType", Node::from("audio/wav")),
    ])
}

/// A link with all that a revision can say of it.
fn page(revision: Revision, token: &str) -> Node {
    let mut members = vec![
        ("type", Node::from("resource_link")),
        ("uri", Node::from(format!("https://example.com/{token}"))),
        ("name", Node::from("page")),
        ("title", Node::from("A page")),
        ("description", Node::from("What stands there")),
        ("mimeType", Node::from("text/html")),
        ("size", raw("2048")),
    ];
    if revision.has_tools_in_sampling() {
        let icon = object([("src", "https://example.com/icon.png"), ("mimeType", "image/png")]);
        members.push(("icons", Node::Array(vec![icon])));
    }
    Node::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
