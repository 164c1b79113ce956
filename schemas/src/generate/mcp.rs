//! A lone tool result of the Model Context Protocol without faults.

use super::conversation;
use super::node::{COMPACT, Node, object, print};
use super::plan::{Message, Part, Plan, Role};
use super::{Config, Draw, media};

/// Draws one result with every kind of block that the protocol has.
pub(crate) fn plan(draw: &mut Draw<'_, '_>, config: &Config, letter: char) -> Plan {
    let mut plan = Plan::new(letter);
    let mut parts = vec![conversation::text(draw, config, &mut plan)];
    for _ in 0..draw.up_to(4) {
        let part = block(draw, config, &mut plan);
        parts.push(part);
    }
    let mut message = Message::new(Role::Result, parts);
    if config.extras && draw.chance(1, 2) {
        let token = plan.token();
        plan.keep(&token);
        let content = object([("answer", Node::from(token.as_str())), ("n", Node::Raw("1.0".to_owned()))]);
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

fn block(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Part {
    let kind = draw.up_to(6);
    if kind == 0 {
        return conversation::text(draw, config, plan);
    }
    let token = plan.token();
    // What of the block must survive where the protocol's own kinds do not: its words or its picture, no recording.
    let mut kept = token.clone();
    let node = match kind {
        1 => object([
            ("type", Node::from("resource_link")),
            ("uri", Node::from(format!("file:///{token}.txt"))),
            ("name", Node::from("notes")),
        ]),
        2 => object([
            ("type", Node::from("resource_link")),
            ("uri", Node::from(format!("https://example.com/{token}"))),
            ("name", Node::from("page")),
            ("title", Node::from("A page")),
            ("mimeType", Node::from("text/html")),
        ]),
        3 => {
            let resource = object([
                ("uri", Node::from("file:///a.txt")),
                ("mimeType", Node::from("text/plain")),
                ("text", Node::from(format!("inside {token}"))),
            ]);
            object([("type", Node::from("resource")), ("resource", resource)])
        }
        4 => {
            let resource = object([
                ("uri", Node::from(format!("file:///{token}.bin"))),
                ("mimeType", Node::from("application/octet-stream")),
                ("blob", Node::from("AAEC")),
            ]);
            object([("type", Node::from("resource")), ("resource", resource)])
        }
        5 => {
            kept.clear();
            object([
                ("type", Node::from("audio")),
                ("data", Node::from(media::wav(&token))),
                ("mimeType", Node::from("audio/wav")),
            ])
        }
        _ => {
            let picture = media::picture(draw, &token, true);
            kept.clone_from(&picture.base64);
            object([
                ("type", Node::from("image")),
                ("data", Node::from(picture.base64)),
                ("mimeType", Node::from(picture.mime)),
            ])
        }
    };
    if !kept.is_empty() {
        plan.keep(&kept);
    }
    Part::Raw(node, kept)
}
