//! A `GetPromptResult` of the Model Context Protocol: messages of user and assistant, each with exactly one block, and no
//! calls or results.

use crate::dialects::mcp_tool_result::content::{foreign, one_block, read_blocks};
use crate::read::container::{Layout, conversation_in, not_a_transcript};
use crate::read::detect::is;
use crate::read::fields::scan;
use crate::read::reader::Reader;
use crate::read::result::ContentForms;
use crate::read::spec::{Sign, Spec, SystemField};
use wirecanon_json::{Json, Value};
use wirecanon_model::transcript::Role;
use wirecanon_model::{Dialect, Error, rule};

pub(crate) static SPEC: Spec = Spec {
    layout,
    system: SystemField::Nowhere,
    root_sign: |root| {
        let result = root.get("result").unwrap_or(root);
        2 * usize::from(result.get("description").is_some_and(Value::is_string))
    },
    names_no_model: true,
    results: ContentForms { string: false, absent: false, empty: true },
    blank_results: true,
    read: read_message,
    signs: &[
        Sign { weight: 5, words: "content that is one block", shows: one_block },
        Sign {
            weight: 4,
            words: "a resource as the content of a message",
            shows: |m| m.get("content").is_some_and(|block| is(block, "resource") || is(block, "resource_link")),
        },
    ],
    flat_images: true,
    ..Spec::COMMON
};

/// The prompt, alone or in its JSON-RPC message.
fn layout<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    let root = json.root();
    if root.get("jsonrpc").is_none() {
        return conversation_in(json, root, dialect);
    }
    match root.get("result") {
        Some(result) if result.is_object() => conversation_in(json, result, dialect),
        _ => Err(not_a_transcript(root, "a JSON-RPC message without a `result`")),
    }
}

fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    if !wire.is_object() {
        cx.lose(
            &rule::MESSAGE_NOT_AN_OBJECT,
            wire,
            format!("{} in place of a message was left out", wire.kind().name()),
        );
        return;
    }
    let name = wire.get("role").and_then(Value::as_str).unwrap_or_default();
    let role = match &*name {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return foreign(cx, wire),
    };
    let scan = scan(wire, [("role", &[]), ("content", &[])]);
    let mut message = cx.message(role, Vec::new());
    message.dirty |= cx.duplicate(scan.duplicate, wire, message.id);
    message.native = cx.native(&scan.others);
    let mut parts = read_blocks(cx, message, scan.fields[1].value, wire);
    if let Some(list) = scan.fields[1].value.filter(|content| content.is_array()) {
        let about = parts.first().map(|part| part.id);
        for part in &mut parts {
            part.dirty = true;
        }
        cx.mend(
            &rule::PROMPT_CONTENT_NOT_ONE_BLOCK,
            list,
            about,
            "a list of blocks in place of the one block of a prompt's message became a message a block",
        );
    }
    cx.finish(wire, parts);
}
