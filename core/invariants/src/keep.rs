//! P2 and P3: never lose, never invent.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Case, REFUSED, Verdict, convert, held_unless, judge_turns, view};
use crate::normalizer::Normalizer;
use wirecanon_convert::media::{self, Unusable};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

/// Every string that must survive stands in the output.
pub(super) fn never_lose(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let known = case.known;
    if known.must_keep.is_empty() && known.calls.is_empty() {
        return Verdict::NotApplicable("nothing is known that must survive");
    }
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    let text = String::from_utf8_lossy(&written.bytes);
    let owned = known.calls.iter().filter(|call| !call.results.is_empty()).map(|call| &call.token);
    // A picture or a document of a kind that the target takes nowhere stands in the report, and in a text that says so.
    let takes_pdf = case.to.media.takes_file("application/pdf");
    let refused = |token: &&String| {
        media::sniff_base64(token).is_some_and(|kind| !case.to.media.takes_picture(kind))
            || !takes_pdf && media::is_pdf(token)
    };
    let crowded = if is_full(case, &text) { media_of(&String::from_utf8_lossy(case.input)) } else { HashSet::new() };
    // Protobuf has another alphabet for base64, and needs no padding.
    let respelled = match case.to.dialect {
        Dialect::GeminiContents => media_of(&text),
        _ => HashSet::new(),
    };
    let accounted_for = |token: &&String| refused(token) || crowded.contains(*token) || respelled.contains(*token);
    let asked = known.must_keep.iter().filter(|token| !accounted_for(token));
    let lost = first_lost(&text, asked.chain(owned));
    let lost = lost.map(|lost| format!("{lost:?} is not in the output"));
    let lost = lost.or_else(|| not_said_to_have_failed(case, &text));
    held_unless(lost, "P2", &request, Some(&written.bytes))
}

/// Whether an output holds as many pictures and files as the target takes, so that others had to go.
fn is_full(case: &Case<'_>, text: &str) -> bool {
    let most = case.to.media.max_documents.or(case.to.media.max_media);
    most.is_some_and(|most| super::seen(text, case.to.dialect).is_some_and(|seen| seen.media.len() >= most))
}

/// The strings of a document that are base64, in the spelling of most dialects: the data of pictures and files.
fn media_of(text: &str) -> HashSet<String> {
    let mut media = HashSet::new();
    values(text, &mut |value| {
        let string = value.as_str().unwrap_or_default();
        let data = string.rsplit_once("base64,").map_or(&*string, |(_, data)| data);
        media.extend([data.to_owned(), view::standard(data)].into_iter().filter(|data| view::decodes(data)));
    });
    media
}

/// The first call whose result is a failure, and of whose result nothing says so: no flag, and no word.
fn not_said_to_have_failed(case: &Case<'_>, text: &str) -> Option<String> {
    let failed = case.known.calls.iter().filter(|call| call.failed && !call.results.is_empty());
    let mut failed = failed.peekable();
    failed.peek()?;
    let json = view::document(text).ok()?;
    let turns = view::turns(&json, case.to.dialect).ok()?;
    let says = |text: &str| {
        let text = text.to_lowercase();
        text.contains("error") || text.contains("fail")
    };
    let silent = |token: &str| {
        let of_call = |result: &&view::ToolResult<'_>| result.texts.iter().any(|text| text.contains(token));
        let result = turns.iter().flat_map(|turn| &turn.results).find(of_call);
        result.is_some_and(|result| result.is_error != Some(true) && !result.texts.iter().any(|text| says(text)))
    };
    // Where a result cannot hold it, it is said beside the result.
    if turns.iter().flat_map(|turn| &turn.texts).any(|text| text.starts_with(ERROR_LABEL)) {
        return None;
    }
    let call = failed.find(|call| call.results.iter().all(|token| silent(token)))?;
    Some(format!("nothing says that the result of {} failed", call.name))
}

/// The first of these strings that stands in no string of a document, nor in JSON inside one.
pub(super) fn first_lost<'t>(document: &str, tokens: impl Iterator<Item = &'t String>) -> Option<&'t str> {
    let missing: Vec<_> = tokens.map(String::as_str).filter(|token| !document.contains(token)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut strings = Vec::new();
    values(document, &mut |value| strings.extend(value.as_str().map(Cow::into_owned)));
    missing.into_iter().find(|token| !strings.iter().any(|string| string.contains(token)))
}

/// Gives every value of a document to `each`, and those of documents inside strings: each layer of quotes doubles what the
/// next one needs, so they end soon.
fn values(document: &str, each: &mut dyn FnMut(Value<'_>)) {
    let Ok(json) = view::document(document) else { return };
    for index in 0..u32::try_from(json.len()).unwrap_or(u32::MAX) {
        let value = json.value(index);
        each(value);
        let inner = value.as_str().filter(|string| string.trim_start().starts_with(['{', '[', '"']));
        if let Some(inner) = inner {
            values(&inner, each);
        }
    }
}

/// Every word of the output is one of the input, or of the table of texts that this project writes; every result is still
/// its own call's; a result that was made up is an error.
pub(super) fn never_invent(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    judge_turns("P3", normalizer, case, |turns| {
        invented(case, turns).or_else(|| misplaced(case, turns)).or_else(|| unmarked(case, turns))
    })
}

/// Texts that wirecanon writes, and the labels of the protocol's own blocks: every word of SPEC.md's table.
const OWN_TEXTS: &[&str] = &[
    "(no output)",
    SYNTHETIC,
    "[wirecanon: image left out: no data]",
    "[wirecanon: image left out: data is not base64]",
    "[wirecanon: image left out: not a picture]",
    "[wirecanon: image left out: not in this role]",
    "[wirecanon: image left out: too large for the target]",
    "[wirecanon: image left out: more than the target takes]",
    "[wirecanon: image left out: the target does not take this kind (image/gif)]",
    "[wirecanon: image left out: the target does not take this kind]",
    "[wirecanon: the user speaks next]",
    "[wirecanon: image follows the tool results]",
    "[wirecanon: file follows the tool results]",
    "[wirecanon: system message]",
    "[wirecanon: the conversation starts with the assistant]",
    "[wirecanon: continue]",
    "[wirecanon: empty message]",
    "[wirecanon: tool error]",
    "[wirecanon: item left out]",
    "[tool-result-ref] original_chars=",
    "[wirecanon: file left out: file (application/octet-stream)]",
    "[resource text/plain] [audio audio/wav]",
    "image/png image/jpeg image/gif image/webp image/bmp image/tiff image/x-icon image/vnd.microsoft.icon image/heic",
    "application/pdf text/csv application/msword application/vnd.ms-excel text/html text/plain text/markdown",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "video/mp4 video/quicktime video/x-matroska video/webm video/x-flv video/mpeg video/x-ms-wmv video/3gpp",
    "audio/mp3 audio/mpeg audio/wav audio/opus audio/aac audio/x-aac audio/flac audio/mp4 audio/m4a audio/ogg audio/pcm",
    "audio/x-matroska audio/mpga audio/webm",
    "image/avif image/svg+xml null true false document block object array string number unknown link unnamed_tool",
    // What half of a surrogate pair becomes in JSON that is a text.
    "\\ufffd",
];

/// The text of a result that was never recorded.
const SYNTHETIC: &str = "[wirecanon: no result was recorded for this tool call]";

/// How the labels of a media follow-up and of a call open. They hold an id and a name, which the target may have had
/// rewritten, and a call's arguments, which other principles look at.
const LABELS: &[&str] =
    &["[wirecanon: media of tool result ", "[wirecanon: tool call ", "[wirecanon: tool result ", ERROR_LABEL];
const ERROR_LABEL: &str = "[wirecanon: error of tool result ";

fn invented(case: &Case<'_>, turns: &[view::Turn<'_>]) -> Option<String> {
    let mut vocabulary = HashSet::new();
    for text in OWN_TEXTS {
        learn(text, &mut vocabulary);
    }
    for dialect in Dialect::ALL {
        learn(dialect.name(), &mut vocabulary);
    }
    let source = String::from_utf8_lossy(case.input);
    learn(&source, &mut vocabulary);
    values(source.trim_start_matches('\u{feff}'), &mut |value| {
        // Where text comes in chunks, a word may begin in one and end in the next.
        if value.is_array() {
            learn(&chunks(value), &mut vocabulary);
        }
        let Some(string) = value.as_str() else { return };
        learn(&string, &mut vocabulary);
        // A drawing is a text, in base64 too.
        if let Err(Unusable::Svg(drawing)) = media::mend(&string) {
            learn(&drawing, &mut vocabulary);
        }
        // So is a document of words.
        if let Some(words) = words_in_base64(&string) {
            learn(&words, &mut vocabulary);
        }
        // The bytes of a file are spelled anew before it is known whether its block is one; if not, its JSON text is said.
        if let Ok(respelled) = media::respell(media::behind_heads(&string)) {
            learn(&respelled, &mut vocabulary);
        }
    });
    let texts = turns
        .iter()
        .flat_map(|turn| turn.texts.iter().chain(turn.results.iter().flat_map(|result| result.texts.iter())));
    texts.filter(|text| !LABELS.iter().any(|label| text.starts_with(label))).find_map(|text| {
        let word = words(text).find(|word| !vocabulary.contains(*word))?;
        // JSON may stand behind what says that it is an error.
        let text = text.strip_prefix("[wirecanon: tool error] ").unwrap_or(text);
        // Where content is one string, the texts of a list are its lines.
        let known = is_known_json(text, &vocabulary)
            || text
                .lines()
                .all(|line| words(line).all(|word| vocabulary.contains(word)) || is_known_json(line, &vocabulary));
        (!known).then(|| format!("{word:?} stands in no text of the input, but in {text:?}"))
    })
}

/// What base64 of either alphabet, in a data URL or not, says where it is text.
fn words_in_base64(string: &str) -> Option<String> {
    let data = string.rsplit_once("base64,").map_or(string, |(_, data)| data);
    String::from_utf8(base64_simd::forgiving_decode_to_vec(view::standard(data).as_bytes()).ok()?).ok()
}

/// The texts of a list, one right behind the other.
fn chunks(list: Value<'_>) -> String {
    list.items().filter_map(|chunk| chunk.get("text")?.as_str()).collect()
}

/// Whether a text is JSON whose strings are known: its escapes are nobody's words.
fn is_known_json(text: &str, vocabulary: &HashSet<String>) -> bool {
    let json = Json::parse(text, &Limits::default()).ok().filter(|json| !json.root().is_string());
    json.is_some_and(|json| strings_known(json.root(), vocabulary))
}

fn strings_known(root: Value<'_>, vocabulary: &HashSet<String>) -> bool {
    let json = root.json();
    (0..u32::try_from(json.len()).unwrap_or(u32::MAX))
        .filter_map(|index| json.value(index).as_str())
        .all(|string| words(&string).all(|word| vocabulary.contains(word)))
}

fn learn(text: &str, vocabulary: &mut HashSet<String>) {
    for word in words(text) {
        if !vocabulary.contains(word) {
            vocabulary.insert(word.to_owned());
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A result that ended up under another call's id.
fn misplaced(case: &Case<'_>, turns: &[view::Turn<'_>]) -> Option<String> {
    let ids: HashSet<_> = turns.iter().flat_map(|turn| &turn.calls).map(|call| trimmed(call.id.as_ref())).collect();
    for known in &case.known.calls {
        let word = known.quoted();
        let mut calls = turns.iter().flat_map(|turn| &turn.calls);
        let Some(call) = calls.find(|call| call.text().is_some_and(|text| text.contains(&word))) else { continue };
        for token in &known.results {
            let results = turns.iter().flat_map(|turn| &turn.results);
            for result in results.filter(|result| result.texts.iter().any(|text| text.contains(token.as_str()))) {
                let (asked, given) = (trimmed(call.id.as_ref()), trimmed(result.id.as_ref()));
                // Where calls and results may do without ids, one that has none goes with what nothing else goes with.
                let of_nobody = case.to.dialect.ids_may_lack()
                    && match (asked, given) {
                        (Some(_), None) => true,
                        (None, Some(_)) => !ids.contains(&given),
                        _ => false,
                    };
                if asked != given && !of_nobody {
                    return Some(format!(
                        "the result {token:?} of the call {} stands under {}",
                        name(call.id.as_ref()),
                        name(result.id.as_ref())
                    ));
                }
            }
        }
    }
    None
}

fn trimmed<'a>(id: Option<&'a Cow<'_, str>>) -> Option<&'a str> {
    id.map(|id| id.trim())
}

fn name<'a>(id: Option<&'a Cow<'_, str>>) -> &'a str {
    id.map_or("no id", |id| id)
}

/// A result that was made up and does not say that it is an error.
fn unmarked(case: &Case<'_>, turns: &[view::Turn<'_>]) -> Option<String> {
    // What stood in the input already was made up by an earlier run, or quoted by a program that keeps no flag.
    let was_there = String::from_utf8_lossy(case.input).contains(SYNTHETIC);
    if !case.to.content.error_flag || was_there {
        return None;
    }
    let mut results = turns.iter().flat_map(|turn| &turn.results);
    results
        .find(|result| result.is_error != Some(true) && result.texts.iter().any(|text| text == SYNTHETIC))
        .map(|result| format!("the made up result of {} is no error", name(result.id.as_ref())))
}
