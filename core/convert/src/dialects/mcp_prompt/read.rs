//! A `GetPromptResult` of the Model Context Protocol: messages of user and assistant, each with exactly one block, and no
//! calls or results.

use crate::dialects::mcp_tool_result::content::{foreign, one_block, read_blocks};
use crate::read::container::in_rpc;
use crate::read::detect::is;
use crate::read::fields::scan;
use crate::read::reader::{Reader, write_anew};
use crate::read::result::ContentForms;
use crate::read::role::read_by_role;
use crate::read::spec::{Sign, Spec, SystemField};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::Role;

pub(crate) static SPEC: Spec = Spec {
    // The prompt, alone or in its JSON-RPC message.
    layout: |json, dialect| in_rpc(json, dialect, &["result"], "a JSON-RPC message without a `result`"),
    system: SystemField::Nowhere,
    root_sign: |root| {
        let result = root.get("result").unwrap_or(root);
        2 * usize::from(result.get("description").is_some_and(Value::is_string))
    },
    names_no_model: true,
    results: ContentForms { string: false, absent: false, empty: true },
    blank_results: true,
    read: |cx, wire| read_by_role(cx, wire, read_as),
    signs: &[
        Sign::new(5, "content that is one block", one_block),
        Sign::new(4, "a resource as the content of a message", |m| {
            m.get("content").is_some_and(|block| is(block, "resource") || is(block, "resource_link"))
        }),
    ],
    flat_images: true,
    ..Spec::COMMON
};

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return foreign(cx, wire),
    };
    let scan = scan(wire, [("role", &[]), ("content", &[])]);
    let mut message = cx.message(role, Vec::new());
    cx.duplicate(scan.duplicate, wire, message.id);
    message.native = cx.native(&scan.others);
    let mut parts = read_blocks(cx, message, scan.fields[1].value, wire);
    if let Some(list) = scan.fields[1].value.filter(|content| content.is_array()) {
        let what = "a list of blocks in place of the one block of a prompt's message became a message a block";
        cx.mend(&rule::PROMPT_CONTENT_NOT_ONE_BLOCK, list, parts.first().map(|part| part.id), what);
        write_anew(&mut parts);
    }
    cx.finish(wire, parts);
}
