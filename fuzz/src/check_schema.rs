//! The judge beside the JSON Schemas.
//!
//! Both say whether a document is what a dialect's messages are, and neither knows of the other: the schemas are written from
//! what the providers publish, the judge from SPEC.md. A schema sees one message and its form. So beyond the boundary that
//! stands here, what the schema refuses the judge refuses, and a fault of form that the judge names the schema sees.

use std::sync::OnceLock;

use arbitrary::Unstructured;
use wirecanon::opinion::{Opinion, SecondOpinion};
use wirecanon_core::json::{Json, Limits, Value, resolve};
use wirecanon_core::{CheckOptions, Checked, Dialect, Error, Mode, Target, check, dialect};
use wirecanon_generate as generate;
use wirecanon_generate::instance::Plan;
use wirecanon_schemas::catalogue;

use crate::FuzzTarget;
use crate::change::{Picks, change};
use crate::replay::Document;

/// A judge to hold against the schemas.
type Check = fn(&[u8], &CheckOptions<'_>) -> Result<Checked, Error>;

/// A target whose messages a schema describes.
struct Described {
    target: &'static Target,
    #[cfg(test)]
    schema: &'static str,
    plan: Plan,
    opinion: SecondOpinion,
}

/// Makes a document (JSON as it is; else one of the generator, or of a schema), changes it, and asks both.
///
/// Fails when they differ beyond the boundary.
pub const TARGET: FuzzTarget = FuzzTarget { longest: 4096, judge: |data| judge(data, check), document };

/// The document that is drawn from the bytes.
fn document(data: &[u8]) -> Document {
    let u = &mut Unstructured::new(data);
    if data.trim_ascii_start().starts_with(b"{") {
        return Document::Itself;
    }
    let described = u.choose(described()).unwrap_or(&described()[0]);
    Document::Drawn(drawn(u, described).into_bytes(), described.target.dialect.name())
}

fn judge(data: &[u8], check: Check) -> Result<(), String> {
    if data.trim_ascii_start().starts_with(b"{") {
        return described().iter().try_for_each(|described| compare(described, data, check));
    }
    let u = &mut Unstructured::new(data);
    let described = u.choose(described()).unwrap_or(&described()[0]);
    compare(described, drawn(u, described).as_bytes(), check)
}

/// A document of a dialect, with up to three changes.
fn drawn(u: &mut Unstructured<'_>, described: &Described) -> String {
    let shape: u8 = u.arbitrary().unwrap_or(0);
    let picks = &mut Picks::new(u.arbitrary().unwrap_or(0));
    let mut text = made(u, described, shape.is_multiple_of(2));
    for _ in 0..shape / 2 % 4 {
        text = change(&text, &mut |limit| picks.below(limit)).unwrap_or(text);
    }
    text
}

/// A document of a dialect: a conversation, if it is one that the generator spells, or an instance of the schema.
fn made(u: &mut Unstructured<'_>, described: &Described, talk: bool) -> String {
    match generate::Dialect::by_name(described.target.dialect.name()).filter(|_| talk) {
        Some(dialect) => String::from_utf8_lossy(&generate::valid(u, dialect).bytes).into_owned(),
        None => described.plan.instance(u),
    }
}

/// What both say of a document.
struct Said {
    rules: Vec<(String, String)>,
    places: Vec<(String, String)>,
}

fn asked(described: &Described, text: &[u8], check: Check) -> Option<Said> {
    let limits = Limits::default();
    let target = described.target;
    let fragment = target.dialect.is_fragment();
    // The schemas describe requests.
    let json = Json::parse(std::str::from_utf8(text).ok()?, &limits).ok()?;
    if dialect::is_response(&json, target.dialect) {
        return None;
    }
    let checked = check(text, &CheckOptions { target, mode: Mode::History, fragment, limits }).ok()?;
    let Opinion { mismatches, .. } = described.opinion.judge(text, limits).ok()?;
    Some(Said {
        rules: checked.violations.into_iter().map(|found| (found.rule.to_owned(), found.pointer)).collect(),
        places: mismatches.into_iter().map(|found| (found.pointer, found.message)).collect(),
    })
}

/// Faults of form, which a schema of one message sees wherever the judge names them. The other rules speak of several
/// messages, of bytes inside strings, of keys that stand twice, or of what providers publish in words alone.
const SEEN: [&str; 14] = [
    "error-flag-not-a-boolean",
    "image-type-missing",
    "message-not-an-object",
    "native-malformed",
    "part-data-not-one",
    "prompt-content-not-one-block",
    "reasoning-without-summary",
    "resource-without-address",
    "resource-without-content",
    "response-not-an-object",
    "structured-content-not-an-object",
    "tool-call-arguments-not-a-string",
    "tool-result-name-missing",
    "unknown-field",
];

/// Where a schema is more open than the dialect's own rule, by its dialect.
const OPEN: [(&str, &str); 4] = [
    // A result may leave its name out. The judge misses it where the call has one, which a schema of one message cannot see.
    ("canonical", "tool-result-name-missing"),
    ("openclaw", "tool-result-name-missing"),
    // The classes ask for no type of a picture, the providers' converters do.
    ("langchain", "image-type-missing"),
    // What a part was made of stands as JSON in a string, which no schema opens.
    ("lossless-claw", "image-type-missing"),
];

/// Members beside the list of messages that the judge looks at.
const BESIDE: [&str; 7] =
    ["system", "systemInstruction", "system_instruction", "systemPrompt", "instructions", "tools", "toolConfig"];

/// Members that the judge does not look into, by the dialect: they go back as they came. Of what stands in any other, and
/// the schema refuses it, the judge says so too.
const COPIED: [(&str, &str); 11] = [
    ("ai-sdk.model", "data fileId image"),
    ("ai-sdk.ui", "approval"),
    ("anthropic.messages", "citations"),
    ("cohere.v2", "citations tool_plan"),
    (
        "gemini.contents",
        "audioMetadata audioTranscription audio_metadata audio_transcription codeExecutionResult code_execution_result \
         documentMetadata document_metadata executableCode executable_code mediaProcessing mediaResolution \
         media_processing media_resolution partMetadata part_metadata speechMetadata speech_metadata \
         spreadsheetMetadata spreadsheet_metadata toolCall toolResponse tool_call tool_response videoMetadata \
         video_metadata",
    ),
    ("langchain", "annotations base64 context file_id id lc mime_type reasoning title type usage_metadata value"),
    ("openai.chat", "cache_control prompt_cache_breakpoint"),
    // What the program notes of an answer. How a tool runs is asked by the program too: a provider is told that it is, and no more.
    ("openclaw", "api async errorMessage executionMode model provider responseId responseModel timestamp usage"),
    (
        "openviking",
        "abstract completion_tokens context_type created_at duration_ms id prompt_tokens role_id skill_uri \
         tool_output_externalization_error tool_output_externalized_reason tool_output_group_budget_chars \
         tool_output_group_id tool_output_group_original_chars tool_output_mime_type tool_output_original_chars \
         tool_output_preview_chars tool_output_ref tool_output_sha256 tool_output_source_limit \
         tool_output_source_offset tool_output_source_ref tool_output_storage_uri tool_output_truncated tool_uri uri",
    ),
    // Columns of a database, which nobody reads who sends messages.
    (
        "lossless-claw",
        "conversationId messageId message_id metadata ordinal partId partType part_id part_type seq sessionId \
         session_id tokenCount token_count",
    ),
    ("openai.responses", "prompt_cache_breakpoint"),
];

/// What a schema says of a result that does not name its call.
const NAMES_ITS_CALL: [&str; 3] = [
    "\"toolCallId\" is a required property",
    "\"tool_call_id\" is a required property",
    "\"call_id\" is a required property",
];

fn compare(described: &Described, text: &[u8], check: Check) -> Result<(), String> {
    let Some(said) = asked(described, text, check) else { return Ok(()) };
    let wrong = |who: &str, what: &(String, String)| {
        let shown = String::from_utf8_lossy(text);
        Err(format!("for {}, the {who} alone refuses {what:?}\n  {shown}", described.target.name))
    };
    if said.places.is_empty() {
        let open = |rule: &str| OPEN.contains(&(described.target.dialect.name(), rule));
        // What stands beside the list is no message, and the schemas are of messages.
        let inside = |place: &str| !place.split('/').skip(1).take(2).any(|key| BESIDE.contains(&key));
        // What a tool put out is any value to the schema; the judge knows a result of MCP there.
        let output = |place: &str| described.target.dialect == Dialect::AiSdkUi && place.contains("/output/");
        // The type of a result says that a tool of the server made it. The service model has it in every message, the judge
        // only where the server speaks.
        let typed =
            |place: &str| described.target.dialect == Dialect::BedrockConverse && place.ends_with("/toolResult/type");
        // The SDK strips what the kind of a part does not have; the judge knows no part in which metadata is a string.
        let stripped = |place: &str| {
            described.target.dialect == Dialect::AiSdkUi && place.to_lowercase().ends_with("providermetadata")
        };
        // A null of protocol buffers is not set, and the schema does not see under which name.
        let unset = |place: &str| described.target.dialect == Dialect::GeminiContents && at(text, place, is_null);
        // Of an item that the server made, the schemas know what it must have.
        let made = |place: &str| {
            let holder = place.rsplit_once('/').map_or("", |(holder, _)| holder);
            at(text, holder, |value| is_servers(described.target, value))
        };
        // Of two values under one key, the schema sees the last, and so does not see what the first is to its holder.
        let doubled = |place: &str| {
            let within = |inner: &str, outer: &str| {
                inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let mut doubles = said.rules.iter().filter(|(rule, _)| rule == "duplicate-key");
            doubles.any(|(_, double)| within(place, double) || within(double, place))
        };
        let seen = said.rules.iter().find(|(rule, place)| {
            SEEN.contains(&&**rule)
                && !open(rule)
                && (rule != "unknown-field" || !made(place) && !unset(place))
                && inside(place)
                && !output(place)
                && !typed(place)
                && !stripped(place)
                && !doubled(place)
                && !is_blank(text, rule, place)
        });
        return seen.map_or(Ok(()), |rule| wrong("judge", rule));
    }
    if said.rules.is_empty() {
        let copied = COPIED.iter().find(|(dialect, _)| *dialect == described.target.dialect.name());
        let copied = |place: &str| {
            copied.is_some_and(|(_, all)| place.split('/').any(|key| all.split(' ').any(|one| one == key)))
        };
        let beyond = |place: &str, why: &str| is_beyond(described.target, text, place, why);
        let seen = said.places.iter().find(|(place, why)| !copied(place) && !beyond(place, why));
        return seen.map_or(Ok(()), |place| wrong("schema", place));
    }
    Ok(())
}

/// Whether what the schema says is beyond what the judge looks at: where the two are not meant to agree.
fn is_beyond(target: &Target, text: &[u8], place: &str, why: &str) -> bool {
    // A message of lossless-claw without parts is read by its content; the schema is of those that have them.
    let bare = why == "\"parts\" is a required property";
    // A result that stands alone is a fragment: whoever has it knows its call. The schema is of those in a history.
    let fragment = place.is_empty() && NAMES_ITS_CALL.contains(&why);
    // Blocks of LangChain are typed dictionaries, which none of its code holds against their types; and what is no
    // whole constructor, its loader leaves as it is.
    let unheld = target.dialect == Dialect::LangChain && why.ends_with("is a required property");
    // Structured content of any kind came with the type of a result. The judge of no revision takes what one of them
    // has, member by member; the schemas are of a revision each.
    let of_a_revision = target.name == "mcp.tool-result"
        && (why == "\"resultType\" is a required property" || place == "/resultType" || place.starts_with("/_meta/"));
    // The published types have no null for members that may be left out; recorded requests with one were accepted.
    let is_absent = || {
        let reads_null = matches!(
            target.dialect,
            Dialect::OpenAiChat
                | Dialect::OpenAiResponses
                | Dialect::MistralChat
                | Dialect::CohereV2
                | Dialect::OllamaChat
        );
        reads_null && at(text, place, is_null)
    };
    // Models write white space beside other blocks, and take it back.
    let is_white_space = || {
        // The list stands in the document or is the document.
        let is_models = [2, 3].into_iter().any(|depth| {
            let message = place.split('/').take(depth).collect::<Vec<_>>().join("/");
            at(text, &message, |message| message.get("role").is_some_and(|role| role.is_str("assistant")))
        });
        target.dialect == Dialect::AnthropicMessages
            && place.ends_with("/text")
            && is_models
            && at(text, place, |value| value.as_str().is_some_and(|text| !text.is_empty() && text.trim().is_empty()))
    };
    // Servers other than OpenAI's give ids of their own.
    let is_of_another_server = || target.dialect == Dialect::OpenAiResponses && place.ends_with("/id");
    // What the provider's own tool was asked is the provider's to know; the SDK's model takes such a call without it.
    let hosted = || {
        let is_hosted = |value: Value<'_>| value.get("providerExecuted").and_then(Value::as_bool) == Some(true);
        why == "\"input\" is a required property" && at(text, place, is_hosted)
    };
    // The schema is of version 6 of the SDK; version 7 has these parts, too.
    let later = || {
        let is_later = |kind: Value<'_>| kind.is_str("custom") || kind.is_str("reasoning-file");
        target.dialect == Dialect::AiSdkModel && place.ends_with("/type") && at(text, place, is_later)
    };
    // Items of tools that the server runs, and what stands in them, are the server's own: they are copied as they are.
    let of_the_server = || {
        let ends = place.match_indices('/').map(|(end, _)| end).chain([place.len()]);
        ends.map(|end| &place[..end]).any(|above| at(text, above, |value| is_servers(target, value)))
    };
    // Those that read the text come last.
    bare || fragment
        || unheld
        || of_a_revision
        || is_absent()
        || is_white_space()
        || is_of_another_server()
        || hosted()
        || later()
        || of_the_server()
}

/// Whether it is an item of a tool that the server runs.
fn is_servers(target: &Target, item: Value<'_>) -> bool {
    const OF_RESPONSES: &str = "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output \
         input_text input_image input_file output_text refusal summary_text reasoning_text";
    let Some(kind) = item.get("type").and_then(Value::as_str) else { return false };
    match target.dialect {
        Dialect::OpenAiResponses => !OF_RESPONSES.split(' ').any(|known| known == kind),
        Dialect::AnthropicMessages => {
            kind.ends_with("_tool_result") || matches!(&*kind, "server_tool_use" | "mcp_tool_use")
        }
        Dialect::LangChain => kind.starts_with("server_tool_"),
        _ => false,
    }
}

/// Whether a picture's type, the name of a result's tool, or an address is a string of white space. To the judge that is none;
/// to most schemas it is a string.
fn is_blank(text: &[u8], rule: &str, place: &str) -> bool {
    let blank = |value: Value<'_>| value.as_str().is_some_and(|text| text.trim().is_empty());
    matches!(rule, "image-type-missing" | "tool-result-name-missing" | "resource-without-address")
        && at(text, place, blank)
}

fn is_null(value: Value<'_>) -> bool {
    value.is_null()
}

/// Whether the value at a place of a document is so.
fn at(text: &[u8], place: &str, is: impl Fn(Value<'_>) -> bool) -> bool {
    Json::parse(&String::from_utf8_lossy(text), &Limits::default())
        .is_ok_and(|json| resolve(json.root(), place).is_some_and(is))
}

fn described() -> &'static [Described] {
    static ALL: OnceLock<Vec<Described>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of = |target: &'static Target| {
            let revision = target.name.split_once('@').map(|(_, revision)| revision);
            let plain = target.is_dialect() || revision.is_some();
            let schema = catalogue::of_dialect(target.dialect.name())
                .filter(|schema| revision.is_none() || schema.revision == revision)
                .last()
                .filter(|_| plain)?;
            let plan = Plan::compile(schema.text).unwrap_or_else(|error| panic!("{}: {error}", schema.id));
            let opinion = SecondOpinion::new(target.dialect, revision).unwrap_or_else(|error| panic!("{error}"));
            Some(Described {
                target,
                #[cfg(test)]
                schema: schema.text,
                plan,
                opinion,
            })
        };
        Target::all().iter().filter_map(of).collect()
    })
}

#[cfg(test)]
mod tests {
    mod members;

    use super::*;
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        assert!(described().len() > 25);
        smoke::each_noise(1500, 400, |data| TARGET.run(data));
        for rule in SEEN {
            assert!(wirecanon_core::rule::by_id(rule).is_some(), "{rule}");
        }
    }

    /// What a judge with one more or one less rule says.
    fn caught(check: Check, words: &str) -> bool {
        (0..1500).any(|round| judge(&generate::noise(round, 300), check).is_err_and(|said| said.contains(words)))
    }

    #[test]
    fn a_judge_that_is_too_lax_is_caught() {
        let lax = |text: &[u8], options: &CheckOptions<'_>| {
            let mut checked = check(text, options)?;
            checked.violations.retain(|found| !matches!(found.rule, "unknown-block" | "unknown-role"));
            Ok(checked)
        };
        assert!(caught(lax, "the schema alone refuses"));
    }

    #[test]
    fn a_judge_that_is_too_strict_is_caught() {
        let strict = |text: &[u8], options: &CheckOptions<'_>| {
            let mut checked = check(text, options)?;
            let rule = "message-not-an-object";
            let (pointer, message) = ("/messages/0".to_owned(), "it is one".to_owned());
            checked.violations.push(wirecanon_core::Violation {
                rule,
                severity: wirecanon_core::target::Level::Error,
                pointer,
                span: 0..0,
                message,
            });
            Ok(checked)
        };
        assert!(caught(strict, "the judge alone refuses"));
    }
}
