//! What an item says that only its own provider or application can replay: the words of a document, of a search result or of a
//! summary, or the address of a file. Every text of a user survives (P2), so they go along where the item itself cannot
//! (tashfeenahmed/freellmapi#793).

use std::borrow::Cow;
use std::collections::HashSet;

use wirecanon_json::Value;
use wirecanon_model::text;

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
        // A summary of the conversation so far is often all that the model knows of it (BerriAI/litellm#28868).
        "compaction" | "mcp_tool_result" => all_texts(item.get("content")?),
        "server_tool_result" => all_texts(item.get("output")?),
        "executableCode" | "executable_code" => lines(item.get(kind)?, &["code"], true),
        "codeExecutionResult" | "code_execution_result" => lines(item.get(kind)?, &["output"], true),
        "audioTranscription" | "audio_transcription" => lines(item.get(kind)?, &["text"], true),
        "server_tool_use" => server_call(item.get("input")?),
        "server_tool_call" => server_call(item.get("args")?),
        kind if kind.ends_with("_tool_result") => server_result(item.get("content")?),
        "web_search_call" => web_search(item.get("action")?),
        "code_interpreter_call" => {
            let outputs = item.get("outputs").into_iter().flat_map(Value::items);
            let logs: Vec<_> = outputs.clone().filter_map(|output| string(output.get("logs")?)).collect();
            let whole = logs.len() == outputs.count();
            joined(item.get("code").and_then(string).into_iter().chain(logs), whole)
        }
        "file_search_call" => {
            let found = item.get("results").into_iter().flat_map(Value::items);
            let found =
                found.flat_map(|file| ["filename", "text"].into_iter().filter_map(move |key| string(file.get(key)?)));
            joined(item.get("queries").into_iter().flat_map(Value::items).filter_map(string).chain(found), true)
        }
        "text-plain" => match item.get("text").and_then(string) {
            Some(text) => Some(ItemWords::Text(text, true)),
            None => address(item),
        },
        "audio" | "video" => address(item),
        "document" | "document_url" | "file" | "fileData" | "file_data" | "input_file" | "media" => {
            document(item).or_else(|| address(item))
        }
        // What applications of pi's lineage say to the model in the user's place (openclaw/openclaw#41021).
        "custom" | "branchSummary" | "compactionSummary" => {
            all_texts(item.get("content").or_else(|| item.get("summary"))?)
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

/// Returns the texts of a content, one per line.
fn all_texts(content: Value<'_>) -> Option<ItemWords> {
    let (texts, whole) = texts(content)?;
    Some(ItemWords::Text(texts.join("\n"), whole))
}

/// Joins lines of text. `None` without any.
fn joined(lines: impl Iterator<Item = String>, whole: bool) -> Option<ItemWords> {
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty()).then(|| ItemWords::Text(lines.join("\n"), whole))
}

/// Returns the texts under some keys, one per line.
fn lines(object: Value<'_>, keys: &[&str], whole: bool) -> Option<ItemWords> {
    joined(keys.iter().filter_map(|key| string(object.get(key)?)), whole)
}

/// Returns the code, the command or the query that a call gives to a tool of the server.
fn server_call(input: Value<'_>) -> Option<ItemWords> {
    const KEYS: &[&str] = &["code", "command", "query"];
    let whole = input.members().all(|(key, value)| value.is_string() && KEYS.iter().any(|known| key.is_str(known)));
    lines(input, KEYS, whole)
}

/// Fields of what a tool of the server found or printed that are text.
const SERVER_RESULT_TEXTS: &[&str] = &["title", "url", "text", "stdout", "stderr", "content"];

/// Fields of such a result that only the server can read, and files that it keeps.
const SERVER_RESULT_DATA: &[&str] = &["encrypted_content", "encrypted_stdout", "encrypted_index"];

/// Returns the texts of what a tool of the server found or printed: titles and addresses of a search, the text of a page, the
/// output of a program.
fn server_result(content: Value<'_>) -> Option<ItemWords> {
    if let Some(text) = string(content) {
        return Some(ItemWords::Text(text, true));
    }
    let mut texts = Vec::new();
    let mut whole = true;
    for found in content.items().chain(content.is_object().then_some(content)) {
        texts.extend(SERVER_RESULT_TEXTS.iter().filter_map(|key| string(found.get(key)?)));
        whole &= !SERVER_RESULT_DATA.iter().any(|key| found.get(key).is_some_and(|value| !value.is_null()));
        let Some(held) = found.get("content").filter(|held| !held.is_string() && !held.is_null()) else { continue };
        match document(held) {
            Some(ItemWords::Text(text, all)) => {
                texts.push(text);
                whole &= all;
            }
            _ => whole &= held.is_array() && held.items().next().is_none(),
        }
    }
    joined(texts.into_iter(), whole)
}

/// Returns the queries and addresses of a search on the web.
fn web_search(action: Value<'_>) -> Option<ItemWords> {
    let mut seen = HashSet::new();
    let queries = action.get("query").into_iter().chain(action.get("queries").into_iter().flat_map(Value::items));
    let pages = ["pattern", "url"].iter().filter_map(|key| action.get(key));
    let sources = action.get("sources").into_iter().flat_map(Value::items).filter_map(|source| source.get("url"));
    let lines = queries.chain(pages).chain(sources).filter_map(string);
    joined(lines.filter(|line| seen.insert(line.clone())), true)
}

/// A call of the AI SDK that waits for the user's approval has no result, and must not get one elsewhere: what it asks for
/// goes along as words.
fn waiting_call(item: Value<'_>, name: &str) -> Option<ItemWords> {
    let hosted = item.get("providerExecuted").and_then(Value::as_bool) == Some(true);
    let id = string(item.get("toolCallId")?)?;
    let input = item.get("input").filter(|input| input.is_object() && !hosted)?;
    Some(ItemWords::Text(text::tool_call(&id, name) + &wirecanon_json::mend_surrogates(input.raw()), true))
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
