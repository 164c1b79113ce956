//! Reading reasoning items.

use std::borrow::Cow;

use crate::read::fields::scan;
use crate::read::reader::Reader;
use crate::read::thinking::unsigned;
use wirecanon_json::Value;
use wirecanon_model::transcript::{BlockKind, Role, Thinking};
use wirecanon_model::{Dialect, rule};

/// Reads a reasoning item: its words are those of the summary, or of the content where there is no summary. Content whose
/// texts are of another kind is what OpenAI's Agents SDK for JavaScript keeps of a summary.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let scan = scan(wire, [("encrypted_content", &[])]);
    let mut block = cx.block(BlockKind::Thinking(Box::new(thinking(wire))), wire);
    // The seal is the signature; it does not go along twice.
    block.native = cx.native(&scan.others);
    cx.duplicate(scan.duplicate, wire, block.id);
    if !parts_are_whole(wire) {
        let what = "a reasoning item has its summary, a list of texts; it was written anew";
        cx.mend(&rule::REASONING_WITHOUT_SUMMARY, wire, block.id, what);
    }
    cx.finish_block(wire, Role::Assistant, block);
}

/// What an item says, wherever it stands.
pub(crate) fn thinking(item: Value<'_>) -> Thinking<'_> {
    let mut words = texts(item.get("summary"), "summary_text");
    if words.is_empty() {
        words = texts(item.get("content"), "reasoning_text");
    }
    if words.is_empty() {
        words = texts(item.get("content"), "input_text");
    }
    let sealed = item.members().filter(|(key, _)| key.is_str("encrypted_content")).last();
    let text = if words.len() == 1 { words.remove(0) } else { Cow::Owned(words.join("\n\n")) };
    let signature = sealed.and_then(|(_, seal)| seal.as_str()).filter(|seal| !seal.trim().is_empty());
    Thinking { signature, ..unsigned(text, Dialect::OpenAiResponses) }
}

fn texts<'a>(list: Option<Value<'a>>, kind: &str) -> Vec<Cow<'a, str>> {
    let Some(list) = list else { return Vec::new() };
    if let Some(words) = list.as_str().filter(|words| !words.trim().is_empty()) {
        return vec![words];
    }
    // A part whose type is no string is of no other kind.
    let of_kind = |part: &Value<'a>| part.get("type").is_none_or(|found| !found.is_string() || found.is_str(kind));
    list.items().filter(of_kind).filter_map(|part| part.get("text")?.as_str()).collect()
}

/// Whether the lists in it are as the server wants them.
pub(crate) fn parts_are_whole(item: Value<'_>) -> bool {
    let is_list = |list: Value<'_>, kind: &str| {
        let whole = |part: Value<'_>| {
            part.get("type").is_some_and(|found| found.is_str(kind)) && part.get("text").is_some_and(Value::is_string)
        };
        list.is_array() && list.items().all(whole)
    };
    item.get("summary").is_some_and(|list| is_list(list, "summary_text"))
        && item.get("content").is_none_or(|list| list.is_null() || is_list(list, "reasoning_text"))
        && item.get("encrypted_content").is_none_or(|seal| seal.is_null() || seal.is_string())
}
