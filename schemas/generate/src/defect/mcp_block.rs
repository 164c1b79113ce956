//! Blocks that only the Model Context Protocol knows, or nobody, kept in a history.

use super::dialects::{calls, lone_result, results};
use super::place::{of_role, outcome};
use super::{Defect, exact};
use crate::Draw;
use crate::node::{COMPACT, Node, object, print};
use crate::outcome::{mcp_block, words};
use crate::plan::{Field, Message, Part, Plan, Role, Text};

const CLASS: &str = "mcp-block-unrepresentable";
const LINK: &[&str] = &["resource-link-in-tool-result"];
const RESOURCE: &[&str] = &["resource-in-tool-result"];
const UNKNOWN: &[&str] = &["unknown-block"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "resource-link", LINK, "A link to a resource stands in a result.", calls, |draw, plan, _| {
        let mut members = vec![("type", "resource_link"), ("uri", "file:///a.txt"), ("name", "a")];
        if draw.chance(1, 2) {
            members.push(("title", "The letter a"));
        }
        let members = members.into_iter().map(|(key, value)| (key.to_owned(), Node::from(value)));
        known(draw, plan, Node::Object(members.collect()))
    }),
    exact(CLASS, "resource-text", RESOURCE, "An embedded text stands in a result.", calls, |draw, plan, _| {
        known(draw, plan, resource([("uri", Node::from("file:///b")), ("text", Node::from("inside b"))]))
    }),
    exact(CLASS, "resource-blob", RESOURCE, "An embedded file stands in a result.", calls, |draw, plan, _| {
        let mime = Node::from("application/zip");
        known(
            draw,
            plan,
            resource([("uri", Node::from("file:///c")), ("mimeType", mime), ("blob", Node::from("AAEC"))]),
        )
    }),
    exact(CLASS, "audio", &["audio-in-tool-result"], "A recording stands in a result.", calls, |draw, plan, _| {
        let data = crate::media::wav("r");
        let mime = Node::from("audio/wav");
        known(draw, plan, object([("type", Node::from("audio")), ("data", Node::from(data)), ("mimeType", mime)]))
    }),
    exact(
        CLASS,
        "link-cast-to-image",
        &["image-without-data"],
        "A link to a resource was cast to a picture, so it has no data.",
        results,
        |draw, plan, _| {
            let block = object([
                ("type", Node::from("image")),
                ("uri", Node::from("file:///a.png")),
                ("name", Node::from("a")),
                ("mimeType", Node::from("image/png")),
            ]);
            put_in(draw, plan, block, words("[wirecanon: image left out: no data (image/png)]"))
        },
    ),
    exact(
        CLASS,
        "block-of-unknown-type",
        UNKNOWN,
        "A block is of a type that nobody knows.",
        results,
        |draw, plan, _| {
            let kind = draw.pick(&["hologram", "", "Text", "image "]);
            as_json(draw, plan, &object([("type", Node::from(kind)), ("value", Node::Raw("1.0".to_owned()))]))
        },
    ),
    exact(CLASS, "block-without-type", UNKNOWN, "A block has no type.", results, |draw, plan, _| {
        as_json(draw, plan, &object([("value", Node::from("without a type"))]))
    }),
    exact(CLASS, "block-of-null-type", UNKNOWN, "A block's type is null.", results, |draw, plan, _| {
        as_json(draw, plan, &object([("type", Node::Null), ("value", Node::from("of no type"))]))
    }),
    exact(CLASS, "resource-of-nothing", UNKNOWN, "A resource has nothing in it.", results, |draw, plan, _| {
        as_json(draw, plan, &object([("type", Node::from("resource")), ("resource", Node::Null)]))
    }),
    exact(CLASS, "block-is-a-number", UNKNOWN, "A number stands among blocks.", results, |draw, plan, _| {
        as_json(draw, plan, &Node::Raw("4.20".to_owned()))
    }),
    exact(
        CLASS,
        "result-content-string",
        &["content-not-a-list"],
        "A result's content is a string where a list must stand.",
        super::dialects::own,
        |draw, plan, _| {
            let place = super::place::message(draw, plan, |message| {
                message.role == Role::Result && matches!(message.parts[..], [Part::Text(_)])
            })?;
            let [Part::Text(text)] = &plan.messages[place].parts[..] else { return None };
            plan.messages[place].content = Field::Instead(Node::from(text.body.as_str()));
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-content-one-block",
        &["content-not-a-list"],
        "A result's content is one block where a list must stand.",
        results,
        |draw, plan, _| {
            let place = super::place::message(draw, plan, |message| {
                message.role == Role::Result && matches!(message.parts[..], [Part::Text(_)])
            })?;
            let [Part::Text(text)] = &plan.messages[place].parts[..] else { return None };
            plan.messages[place].content = Field::Instead(words(&text.body));
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-content-number",
        &["content-not-a-list"],
        "A result's content is a number or a truth value.",
        results,
        |draw, plan, _| {
            let alone = |message: &Message| message.role == Role::Result && message.extra.is_empty();
            let place = super::place::message(draw, plan, alone)?;
            let value = draw.pick(&["42", "1.50", "true"]);
            plan.forget_message(place);
            plan.messages[place].content = Field::Instead(Node::Raw(value.to_owned()));
            outcome(plan, place)?.parts = vec![Part::Text(Text::plain(value))];
            Some(())
        },
    ),
    exact(
        CLASS,
        "structured-content-alone",
        &["structured-content-not-in-text"],
        "Structured content that no text says.",
        lone_result,
        |draw, plan, _| {
            let place = super::place::message(draw, plan, |message| {
                !message.extra.iter().any(|(key, _)| key == "structuredContent")
            })?;
            let content = object([("rows", Node::Array(vec![Node::Raw("1.0".to_owned()), Node::Null]))]);
            let text = print(&content, COMPACT);
            // Written without white space, whatever the style: its text is what comes out.
            plan.messages[place].extra.push(("structuredContent".to_owned(), Node::Raw(text.clone())));
            outcome(plan, place)?.parts.push(Part::Text(Text::plain(&text)));
            Some(())
        },
    ),
];

fn resource<const N: usize>(members: [(&str, Node); N]) -> Node {
    object([("type", Node::from("resource")), ("resource", object(members))])
}

/// Puts a block of the protocol into a result.
fn known(draw: &mut Draw<'_, '_>, plan: &mut Plan, block: Node) -> Option<()> {
    let out = mcp_block(&block);
    put_in(draw, plan, block, out)
}

/// Puts a block into a result of which its JSON text comes out.
fn as_json(draw: &mut Draw<'_, '_>, plan: &mut Plan, block: &Node) -> Option<()> {
    let text = print(block, COMPACT);
    put_in(draw, plan, Node::Raw(text.clone()), words(&text))
}

fn put_in(draw: &mut Draw<'_, '_>, plan: &mut Plan, block: Node, out: Node) -> Option<()> {
    let place = of_role(draw, plan, Role::Result)?;
    let parts = &mut plan.messages[place].parts;
    let at = draw.up_to(parts.len());
    parts.insert(at, Part::Raw(block, String::new()));
    let parts = &mut outcome(plan, place)?.parts;
    parts.insert(at.min(parts.len()), Part::Raw(out, String::new()));
    Some(())
}
