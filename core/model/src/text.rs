//! Every text that this project writes into a transcript, in one place: SPEC.md, part 6.
//!
//! All but the projections of MCP blocks, and a few words that systems of the field have for the same (`(no output)`), are in one
//! grammar, `[wirecanon: …]`, so that a reader of a transcript knows who wrote them, and so that a second run knows its own work again.
//!
//! ```
//! use wirecanon_core::{Dialect, Options, fix, text};
//!
//! let history = br#"[{"role":"user","content":"look"},{"role":"assistant","content":null,"tool_calls":
//!     [{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"user","content":"well?"}]"#;
//! let fixed = fix(history, &Options::new().from(Dialect::OpenAiChat))?;
//! assert!(String::from_utf8_lossy(&fixed.output).contains(text::NO_RESULT), "the call never had one");
//! # Ok::<(), wirecanon_core::Error>(())
//! ```

/// Content of a result that had none.
pub const NO_OUTPUT: &str = "(no output)";
/// Content of a result that never came.
pub const NO_RESULT: &str = "[wirecanon: no result was recorded for this tool call]";
/// In place of an image that was moved behind the results of its batch.
pub const IMAGE_FOLLOWS: &str = "[wirecanon: image follows the tool results]";
/// In place of a document that was moved there.
pub const FILE_FOLLOWS: &str = "[wirecanon: file follows the tool results]";
/// A user turn in front of a conversation that opens with the assistant.
pub const OPENING: &str = "[wirecanon: the conversation starts with the assistant]";
/// A user turn after a conversation that ends with the assistant.
pub const CLOSING: &str = "[wirecanon: continue]";
/// A turn of the assistant between a tool result and the user, where the target asks for one.
pub const BETWEEN: &str = "[wirecanon: the user speaks next]";
/// In place of a user turn without a word.
pub const EMPTY_MESSAGE: &str = "[wirecanon: empty message]";
/// In front of the text of an error, where the target has no flag for it.
pub const ERROR_PREFIX: &str = "[wirecanon: tool error] ";
/// In front of system text that stands in a user message.
pub const SYSTEM_PREFIX: &str = "[wirecanon: system message] ";
/// Name of a tool that answered under no name.
pub const UNNAMED_TOOL: &str = "unnamed_tool";

/// Why the oldest images and files of a request are left out.
pub const TOO_MANY: &str = "more than the target takes";

/// In place of an image that could not be kept.
///
/// ```
/// use wirecanon_core::text::image_left_out;
///
/// assert_eq!(image_left_out("no data", Some("image/png")), "[wirecanon: image left out: no data (image/png)]");
/// ```
pub fn image_left_out(reason: &str, mime_type: Option<&str>) -> String {
    match mime_type.map(str::trim).filter(|mime| !mime.is_empty()) {
        Some(mime) => format!("[wirecanon: image left out: {reason} ({mime})]"),
        None => format!("[wirecanon: image left out: {reason}]"),
    }
}

/// How the label of a result's media opens.
pub const MEDIA_LABEL: &str = "[wirecanon: media of tool result ";

/// Returns whether a text is the label of a result's media and nothing else.
#[doc(hidden)]
pub fn is_media_label(words: &str) -> bool {
    words.starts_with(MEDIA_LABEL) && words.ends_with(']') && !words.contains('\n')
}

/// In front of the media of one result, in the user message behind its batch.
///
/// ```
/// use wirecanon_core::text::media_label;
///
/// assert_eq!(media_label("c1", Some("look")), "[wirecanon: media of tool result c1 (look)]");
/// ```
pub fn media_label(call_id: &str, tool_name: Option<&str>) -> String {
    match tool_name {
        Some(name) => format!("{MEDIA_LABEL}{call_id} ({name})]"),
        None => format!("{MEDIA_LABEL}{call_id}]"),
    }
}

/// In front of the arguments of a call, where the target knows no tools.
///
/// ```
/// use wirecanon_core::text::tool_call;
///
/// assert_eq!(tool_call("c1", "look"), "[wirecanon: tool call c1 (look)] ");
/// ```
pub fn tool_call(call_id: &str, tool_name: &str) -> String {
    format!("[wirecanon: tool call {call_id} ({tool_name})] ")
}

/// In front of what a tool answered, where the target knows no tools.
///
/// ```
/// use wirecanon_core::text::tool_result;
///
/// assert_eq!(tool_result("c1", None, true), "[wirecanon: error of tool result c1]");
/// ```
pub fn tool_result(call_id: &str, tool_name: Option<&str>, is_error: bool) -> String {
    let error = if is_error { "error of " } else { "" };
    match tool_name {
        Some(name) => format!("[wirecanon: {error}tool result {call_id} ({name})]"),
        None => format!("[wirecanon: {error}tool result {call_id}]"),
    }
}

/// In place of a file that the target does not take.
///
/// ```
/// use wirecanon_core::text::file_left_out;
///
/// assert_eq!(file_left_out(None, "application/pdf"), "[wirecanon: file left out: application/pdf]");
/// ```
pub fn file_left_out(name: Option<&str>, mime_type: &str) -> String {
    let mime_type = mime_type.trim();
    match name {
        Some(name) => format!("[wirecanon: file left out: {name} ({mime_type})]"),
        None => format!("[wirecanon: file left out: {mime_type}]"),
    }
}

/// Whether a text stands in place of an image or a file, of which it says no more than its kind and its name.
#[doc(hidden)]
pub fn is_left_out(words: &str) -> bool {
    ["[wirecanon: image left out: ", "[wirecanon: file left out: "].iter().any(|start| words.starts_with(start))
}

/// In place of an item that only one provider can replay.
///
/// ```
/// use wirecanon_core::text::opaque_left_out;
///
/// assert_eq!(opaque_left_out("openai.responses", "web_search_call"), "[wirecanon: openai.responses item web_search_call left out]");
/// ```
pub fn opaque_left_out(dialect: &str, kind: &str) -> String {
    let kind = if kind.is_empty() { String::new() } else { format!("{kind} ") };
    format!("[wirecanon: {dialect} item {kind}left out]")
}

/// Texts of known synthetic results of other systems, which count only together with an error flag.
/// Sources: openclaw, lossless-claw, pi-ai (observed).
pub const SYNTHETIC_OF_OTHERS: &[&str] = &[
    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
    "[lossless-claw] missing tool result in session history; inserted synthetic error result for transcript repair.",
    "No result provided",
];
