//! Blocks that only the Model Context Protocol knows, or nobody, kept in a history.

use super::dialects::{calls, lone_result, results};
use super::place::{of_role, outcome};
use super::{Defect, Site, exact, instead};
use crate::node::{COMPACT, Node, object, print, raw};
use crate::outcome::{mcp_block, words};
use crate::plan::{Message, Part, Role, Text};

const LINK: &[&str] = &["resource-link-in-tool-result"];
const RESOURCE: &[&str] = &["resource-in-tool-result"];
const UNKNOWN: &[&str] = &["unknown-block"];
const NOT_A_LIST: &[&str] = &["content-not-a-list"];
const NOT_IN_TEXT: &[&str] = &["structured-content-not-in-text"];

pub(super) const ROWS: &[Defect] = &[
    exact("resource-link", LINK, "A link to a resource stands in a result.", calls, |on| {
        let mut members = vec![("type", "resource_link"), ("uri", "file:///a.txt"), ("name", "a")];
        if on.draw.chance(1, 2) {
            members.push(("title", "The letter a"));
        }
        let members = members.into_iter().map(|(key, value)| (key.to_owned(), Node::from(value)));
        known(on, Node::Object(members.collect()))
    }),
    exact("resource-text", RESOURCE, "An embedded text stands in a result.", calls, |on| {
        known(on, resource([("uri", Node::from("file:///b")), ("text", Node::from("inside b"))]))
    }),
    exact("resource-blob", RESOURCE, "An embedded file stands in a result.", calls, |on| {
        let mime = Node::from("application/zip");
        known(on, resource([("uri", Node::from("file:///c")), ("mimeType", mime), ("blob", Node::from("AAEC"))]))
    }),
    exact("audio", &["audio-in-tool-result"], "A recording stands in a result.", calls, |on| {
        let data = crate::media::wav("r");
        let mime = Node::from("audio/wav");
        known(on, object([("type", Node::from("audio")), ("data", Node::from(data)), ("mimeType", mime)]))
    }),
    exact(
        "link-cast-to-image",
        &["image-without-data"],
        "A link to a resource was cast to a picture, so it has no data.",
        results,
        |on| {
            let block = object([("type", "image"), ("uri", "file:///a.png"), ("name", "a"), ("mimeType", "image/png")]);
            put_in(on, block, words("[wirecanon: image left out: no data (image/png)]"))
        },
    ),
    exact("block-of-unknown-type", UNKNOWN, "A block is of a type that nobody knows.", results, |on| {
        let kind = on.draw.pick(&["hologram", "", "Text", "image "]);
        as_json(on, &object([("type", Node::from(kind)), ("value", raw("1.0"))]))
    }),
    exact("block-without-type", UNKNOWN, "A block has no type.", results, |on| {
        as_json(on, &object([("value", "without a type")]))
    }),
    exact("block-of-null-type", UNKNOWN, "A block's type is null.", results, |on| {
        as_json(on, &object([("type", Node::Null), ("value", Node::from("of no type"))]))
    }),
    exact("resource-of-nothing", UNKNOWN, "A resource has nothing in it.", results, |on| {
        as_json(on, &object([("type", Node::from("resource")), ("resource", Node::Null)]))
    }),
    exact("block-is-a-number", UNKNOWN, "A number stands among blocks.", results, |on| as_json(on, &raw("4.20"))),
    exact(
        "result-content-string",
        NOT_A_LIST,
        "A result's content is a string where a list must stand.",
        super::dialects::own,
        |on| {
            let place = super::place::message(on, |message| {
                message.role == Role::Result && matches!(message.parts[..], [Part::Text(_)])
            })?;
            let [Part::Text(text)] = &on.plan.messages[place].parts[..] else { return None };
            on.plan.messages[place].content = instead(text.body.as_str());
            Some(())
        },
    ),
    exact(
        "result-content-one-block",
        NOT_A_LIST,
        "A result's content is one block where a list must stand.",
        results,
        |on| {
            let place = super::place::message(on, |message| {
                message.role == Role::Result && matches!(message.parts[..], [Part::Text(_)])
            })?;
            let [Part::Text(text)] = &on.plan.messages[place].parts[..] else { return None };
            on.plan.messages[place].content = instead(words(&text.body));
            Some(())
        },
    ),
    exact("result-content-number", NOT_A_LIST, "A result's content is a number or a truth value.", results, |on| {
        let alone = |message: &Message| message.role == Role::Result && message.extra.is_empty();
        let place = super::place::message(on, alone)?;
        let value = on.draw.pick(&["42", "1.50", "true"]);
        on.plan.forget_message(place);
        on.plan.messages[place].content = instead(raw(value));
        outcome(on.plan, place)?.parts = vec![Part::Text(Text::plain(value))];
        Some(())
    }),
    exact("structured-content-alone", NOT_IN_TEXT, "Structured content that no text says.", lone_result, |on| {
        let place =
            super::place::message(on, |message| !message.extra.iter().any(|(key, _)| key == "structuredContent"))?;
        let content = object([("rows", Node::Array(vec![raw("1.0"), Node::Null]))]);
        let text = print(&content, COMPACT);
        // Written without white space, whatever the style: its text is what comes out.
        on.plan.messages[place].extra.push(("structuredContent".to_owned(), raw(&text)));
        outcome(on.plan, place)?.parts.push(Part::Text(Text::plain(&text)));
        Some(())
    }),
];

fn resource<const N: usize>(members: [(&str, Node); N]) -> Node {
    object([("type", Node::from("resource")), ("resource", object(members))])
}

/// Puts a block of the protocol into a result.
fn known(on: &mut Site<'_, '_>, block: Node) -> Option<()> {
    let out = mcp_block(&block);
    put_in(on, block, out)
}

/// Puts a block into a result of which its JSON text comes out.
fn as_json(on: &mut Site<'_, '_>, block: &Node) -> Option<()> {
    let text = print(block, COMPACT);
    put_in(on, raw(&text), words(&text))
}

fn put_in(on: &mut Site<'_, '_>, block: Node, out: Node) -> Option<()> {
    let place = of_role(on, Role::Result)?;
    let parts = &mut on.plan.messages[place].parts;
    let at = on.draw.up_to(parts.len());
    parts.insert(at, Part::Raw(block, String::new()));
    let parts = &mut outcome(on.plan, place)?.parts;
    parts.insert(at.min(parts.len()), Part::Raw(out, String::new()));
    Some(())
}
