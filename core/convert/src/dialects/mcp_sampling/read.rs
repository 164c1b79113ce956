//! The parameters of a `CreateMessageRequest` of the Model Context Protocol: messages of user and assistant whose content
//! is one block or, since 2025-11-25, a list of them. Results stand in a message of the user that holds nothing else.

use crate::dialects::mcp_tool_result::content::{foreign, one_block, read_blocks};
use crate::read::call::Spelling;
use crate::read::container::{self, in_rpc};
use crate::read::detect::{is, role};
use crate::read::fields::scan;
use crate::read::reader::Reader;
use crate::read::result::ContentForms;
use crate::read::role::read_by_role;
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Role, StopReason};

pub(crate) static SPEC: Spec = Spec {
    // The parameters, alone or in their JSON-RPC message.
    layout: |json, dialect| {
        in_rpc(json, dialect, &["params", "result"], "a JSON-RPC message without `params` or `result`")
    },
    system: SystemField::Beside("systemPrompt"),
    system_is_string: true,
    tools: ToolForm { schema: &["inputSchema"], ..ToolForm::FLAT },
    is_lone_result: |message| {
        let content = message.get("content");
        content.is_some_and(|content| {
            let mut blocks = content.items();
            is(content, "tool_result")
                || (blocks.next().is_some_and(|block| is(block, "tool_result")) && blocks.next().is_none())
        })
    },
    root_sign: |root| {
        let params = root.get("params").unwrap_or(root);
        4 * ["systemPrompt", "maxTokens", "modelPreferences", "includeContext"]
            .iter()
            .filter(|key| params.get(key).is_some())
            .count()
    },
    names_no_model: true,
    results: ContentForms { string: false, absent: false, empty: true },
    call: Some(Spelling { kind: "tool_use", arguments: "input" }),
    blank_results: true,
    blank_in_results: true,
    read: |cx, wire| read_by_role(cx, wire, read_as),
    read_system,
    signs: &[
        Sign::new(9, "a `tool_result` block with `toolUseId`", |m| {
            blocks(m).any(|b| is(b, "tool_result") && b.get("toolUseId").is_some())
        }),
        Sign::new(5, "content that is one block", one_block),
        Sign::new(3, "a block that is a recording with flat fields", |m| {
            blocks(m).any(|b| is(b, "audio") && b.get("data").is_some())
        }),
        Sign::new(3, "`tool_use` in a message with `stopReason` and `model`", |m| {
            role(m, "assistant") && m.get("stopReason").is_some() && m.get("model").is_some()
        }),
    ],
    flat_images: true,
    ..Spec::COMMON
};

/// Instructions are one string.
fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let before = cx.messages.len();
    container::read_system(cx, system);
    if !system.is_string() {
        let what = format!("`systemPrompt` is {}", system.kind().name());
        cx.mend_from(before, &rule::TEXT_NOT_A_STRING, system, what);
    }
}

/// The blocks of a message, whether one or a list.
fn blocks(message: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let content = message.get("content");
    content.into_iter().filter(|content| content.is_object()).chain(content.into_iter().flat_map(Value::items))
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return foreign(cx, wire),
    };
    let scan = scan(wire, [("role", &[]), ("content", &[]), ("stopReason", &[])]);
    let mut message = cx.message(role, Vec::new());
    cx.duplicate(scan.duplicate, wire, message.id);
    let mut others = scan.others;
    if let Some(stop) = scan.fields[2].value {
        message.stop_reason = stop.as_str().and_then(|stop| match &*stop {
            "endTurn" | "stopSequence" => Some(StopReason::Stop),
            "maxTokens" => Some(StopReason::Length),
            other => StopReason::from_name(other),
        });
        others.extend(wire.members().find(|(key, _)| key.is_str("stopReason")));
    }
    message.native = cx.native(&others);
    let parts = read_blocks(cx, message, scan.fields[1].value, wire);
    cx.finish(wire, parts);
}
