//! Reading a block of reasoning, in whichever spelling it stands.

use std::borrow::Cow;

use crate::read::block::{foreign, unknown};
use crate::read::fields::scan;
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Role, Thinking};
use wirecanon_model::{Dialect, rule};

/// Reasoning that nobody signed.
pub(crate) fn unsigned(text: Cow<'_, str>, by: Dialect) -> Thinking<'_> {
    Thinking { text, signature: None, redacted: false, origin: Some(Cow::Borrowed(by.name())) }
}

/// Reasoning that is not the assistant's, as text.
pub(crate) fn in_wrong_role<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, "reasoning outside the assistant's turn was kept as text")
}

/// Reads a block that may be reasoning.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    let own_signature = if cx.dialect == Dialect::OpenClaw { "thinkingSignature" } else { "signature" };
    let scan = scan(
        item,
        [
            ("type", &[]),
            ("thinking", &["text", "reasoning"]),
            (own_signature, &["signature", "thinkingSignature"]),
            ("redacted", &[]),
            ("origin", &[]),
            ("data", &[]),
        ],
    );
    let [_, words, signature, redacted, origin, data] = scan.fields;
    let sealed = kind == "redacted_thinking";
    // Mistral has a list of texts where others have one.
    let chunks = words.value.filter(|words| words.is_array()).and_then(texts_of);
    let listed = chunks.is_some();
    let text = words.value.and_then(Value::as_str).or(chunks);
    let signature_text = if sealed { data.value } else { signature.value }.and_then(Value::as_str);
    if text.is_none() && signature_text.is_none() {
        return unknown(cx, item, role);
    }
    if role != Role::Assistant {
        return in_wrong_role(cx, item);
    }
    let text_is_missing = text.is_none();
    let thinking = Thinking {
        text: text.unwrap_or_default(),
        signature: signature_text.filter(|text| !text.trim().is_empty()),
        redacted: sealed || redacted.value.and_then(Value::as_bool) == Some(true),
        origin: if cx.dialect == Dialect::Canonical {
            origin.value.and_then(Value::as_str)
        } else {
            Some(Cow::Borrowed(cx.dialect.name()))
        },
    };
    let block = cx.block_with(BlockKind::Thinking(Box::new(thinking)), item, &scan);
    let own = match cx.dialect {
        Dialect::Canonical | Dialect::OpenClaw => kind == "thinking",
        Dialect::AnthropicMessages => kind != "reasoning",
        _ => false,
    };
    let foreign_fields =
        [redacted.value, origin.value, if sealed { None } else { data.value }, if sealed { words.value } else { None }];
    if cx.dialect == Dialect::AnthropicMessages && foreign_fields.iter().any(Option::is_some) {
        let what = "the server refuses fields of other dialects on reasoning; left out";
        cx.lose(&rule::UNKNOWN_FIELD, item, block.id, what);
    }
    if own && text_is_missing && !sealed {
        cx.mend(&rule::TEXT_NOT_A_STRING, item, block.id, "reasoning without its words has none");
    }
    if own && !listed {
        cx.aliases([(&words, "thinking"), (&signature, own_signature)], item, block.id);
    } else {
        foreign(cx, &block, item, &format!("a `{kind}` block"));
    }
    block
}

/// The words of a list of texts; `None` if something else is among them.
fn texts_of(list: Value<'_>) -> Option<Cow<'_, str>> {
    let mut words = String::new();
    for chunk in list.items() {
        if !chunk.get("type")?.is_str("text") {
            return None;
        }
        words.push_str(&chunk.get("text")?.as_str()?);
    }
    (!words.is_empty()).then_some(Cow::Owned(words))
}
