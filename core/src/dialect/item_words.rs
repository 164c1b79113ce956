//! What an item says that only its own provider or application can replay: the words of a document, of a search result or of a
//! summary, or the address of a file. Every text of a user survives (P2), so they go along where the item itself cannot
//! (tashfeenahmed/freellmapi#793).

use std::borrow::Cow;

use crate::json::Value;
use crate::text;

/// Where the address of a file stands, in one dialect or another.
const ADDRESSES: &[&[&str]] = &[
    &["source", "url"],
    &["file_url"],
    &["document_url"],
    &["document_url", "url"],
    &["fileData", "fileUri"],
    &["file_data", "file_uri"],
    &["url"],
    &["data"],
];

/// What an item says.
pub(crate) enum ItemWords {
    /// All that it says, or all but pictures and the like (`false`)
    Text(String, bool),
    /// Where it can be fetched
    Address(String),
}

/// What an item of this kind says, if it says anything. Linear in its text.
pub(crate) fn of_item(kind: &str, item: Value<'_>) -> Option<ItemWords> {
    match kind {
        "search_result" => {
            let (texts, whole) = texts(item.get("content")?)?;
            let lines = ["title", "source"].iter().filter_map(|key| string(item.get(key)?)).chain(texts);
            Some(ItemWords::Text(lines.collect::<Vec<_>>().join("\n"), whole))
        }
        "text-plain" => Some(ItemWords::Text(string(item.get("text")?)?, true)),
        "document" | "document_url" | "file" | "fileData" | "file_data" | "input_file" | "media" => {
            document(item).or_else(|| address(item))
        }
        // What applications of pi's lineage say to the model in the user's place (openclaw/openclaw#41021).
        "custom" | "branchSummary" | "compactionSummary" => {
            let (texts, whole) = texts(item.get("content").or_else(|| item.get("summary"))?)?;
            Some(ItemWords::Text(texts.join("\n"), whole))
        }
        "bashExecution" => {
            let lines: Vec<_> = ["command", "output"].iter().filter_map(|key| string(item.get(key)?)).collect();
            (!lines.is_empty()).then(|| ItemWords::Text(lines.join("\n"), true))
        }
        "dynamic-tool" => waiting_call(item, &string(item.get("toolName")?)?),
        kind => {
            let of_kind = kind.strip_prefix("tool-")?;
            waiting_call(item, &item.get("toolName").and_then(string).unwrap_or_else(|| of_kind.to_owned()))
        }
    }
}

/// A call of the AI SDK that waits for the user's approval has no result, and must not get one elsewhere: what it asks for
/// goes along as words.
fn waiting_call(item: Value<'_>, name: &str) -> Option<ItemWords> {
    let hosted = item.get("providerExecuted").and_then(Value::as_bool) == Some(true);
    let id = string(item.get("toolCallId")?)?;
    let input = item.get("input").filter(|input| input.is_object() && !hosted)?;
    Some(ItemWords::Text(text::tool_call(&id, name) + &crate::json::mend_surrogates(input.raw()), true))
}

/// The words of a document that is given as text.
fn document(item: Value<'_>) -> Option<ItemWords> {
    let source = item.get("source")?;
    let (texts, whole) = match &*source.get("type")?.as_str()? {
        "text" => (vec![string(source.get("data")?)?], true),
        "content" => texts(source.get("content")?)?,
        _ => return None,
    };
    let lines = ["title", "context"].iter().filter_map(|key| string(item.get(key)?)).chain(texts);
    Some(ItemWords::Text(lines.collect::<Vec<_>>().join("\n"), whole))
}

fn address(item: Value<'_>) -> Option<ItemWords> {
    let mut found = ADDRESSES.iter().filter_map(|way| {
        way.iter().try_fold(item, |inner, key| inner.get(key)).and_then(Value::as_str).map(Cow::into_owned)
    });
    found
        .find(|url| ["https://", "http://", "gs://", "s3://"].iter().any(|scheme| url.starts_with(scheme)))
        .map(ItemWords::Address)
}

/// The texts of a content, and whether they are all of it. `None` where there are none.
fn texts(content: Value<'_>) -> Option<(Vec<String>, bool)> {
    if let Some(text) = string(content) {
        return Some((vec![text], true));
    }
    let texts: Vec<_> = content.items().filter_map(|block| string(block.get("text")?)).collect();
    let whole = texts.len() == content.items().count();
    (!texts.is_empty()).then_some((texts, whole))
}

fn string(value: Value<'_>) -> Option<String> {
    value.as_str().filter(|text| !text.trim().is_empty()).map(Cow::into_owned)
}
