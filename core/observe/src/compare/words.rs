//! Notes: short texts that programs write in place of content, or around it.
//!
//! A note is made of a closed list of neutral words, of numbers, and of the names, types, ids and addresses of what it stands for.
//! So "[image/png left out]" is a note for an image, and "[image: a cat]" is none.

use std::collections::HashSet;

/// The subject of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Media, resources or items that are not there, or follow elsewhere
    Content,
    /// The failure of a tool
    Error,
    /// Instructions within the conversation
    System,
    /// A turn that a server demands
    Filler,
    /// An empty result
    Empty,
    /// A result that never came
    StandIn,
}

const COMMON: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "been",
    "by",
    "for",
    "from",
    "has",
    "have",
    "here",
    "in",
    "is",
    "it",
    "its",
    "no",
    "not",
    "of",
    "on",
    "or",
    "that",
    "the",
    "this",
    "to",
    "was",
    "were",
    "with",
    "wirecanon",
    "tool",
    "result",
    "results",
    "message",
    "messages",
    "call",
    "calls",
    "do",
    "does",
    "function",
    "id",
    "name",
    "type",
];

const CONTENT: &[&str] = &[
    "above",
    "accepted",
    "address",
    "api",
    "apis",
    "attached",
    "attachment",
    "attachments",
    "audio",
    "available",
    "base64",
    "below",
    "binary",
    "blob",
    "block",
    "blocks",
    "bytes",
    "can",
    "cannot",
    "content",
    "contents",
    "could",
    "data",
    "document",
    "documents",
    "dropped",
    "embedded",
    "empty",
    "file",
    "filename",
    "files",
    "fetch",
    "follow",
    "following",
    "follows",
    "format",
    "image",
    "images",
    "included",
    "input",
    "item",
    "items",
    "json",
    "kb",
    "kind",
    "large",
    "left",
    "limit",
    "link",
    "linked",
    "media",
    "mediatype",
    "mime",
    "mimetype",
    "model",
    "more",
    "moved",
    "next",
    "null",
    "object",
    "octet",
    "omitted",
    "out",
    "output",
    "part",
    "parts",
    "pdf",
    "photo",
    "picture",
    "pictures",
    "placeholder",
    "provided",
    "provider",
    "recording",
    "redacted",
    "reference",
    "removed",
    "resource",
    "resources",
    "returned",
    "role",
    "screenshot",
    "see",
    "separately",
    "shown",
    "size",
    "skipped",
    "source",
    "stored",
    "stream",
    "support",
    "supported",
    "take",
    "takes",
    "target",
    "text",
    "than",
    "title",
    "too",
    "turn",
    "unavailable",
    "unknown",
    "unnamed",
    "unsupported",
    "uri",
    "url",
    "user",
    "video",
    "videos",
    "mimetypes",
    "assistant",
    "description",
    "annotations",
    "meta",
    "structuredcontent",
    "inlinedata",
    "filedata",
    "openai",
    "responses",
    "gemini",
    "contents",
    "bedrock",
    "converse",
    "anthropic",
    "chat",
    "mistral",
    "cohere",
    "v2",
    "ollama",
    "langchain",
    "ai",
    "sdk",
    "ui",
    "openviking",
    "openclaw",
    "lossless",
    "claw",
    "mcp",
    "sampling",
    "canonical",
    "reached",
    "error",
    "errors",
];

const ERROR: &[&str] = &[
    "denied",
    "error",
    "errors",
    "exception",
    "execution",
    "executing",
    "failed",
    "failure",
    "iserror",
    "occurred",
    "returned",
    "running",
    "status",
    "true",
    "unsuccessful",
    "while",
    "following",
    "output",
    "content",
];

const SYSTEM: &[&str] = &[
    "context",
    "developer",
    "instruction",
    "instructions",
    "note",
    "notice",
    "prompt",
    "reminder",
    "system",
    "update",
];

const FILLER: &[&str] = &[
    "assistant",
    "begin",
    "begins",
    "content",
    "context",
    "continue",
    "continued",
    "continues",
    "continuing",
    "conversation",
    "document",
    "documents",
    "empty",
    "file",
    "files",
    "history",
    "next",
    "placeholder",
    "please",
    "proceed",
    "resume",
    "see",
    "speaks",
    "start",
    "started",
    "starts",
    "text",
    "turn",
    "user",
    "attached",
    "input",
    "none",
    "ahead",
    "provided",
    "output",
];

const EMPTY: &[&str] = &[
    "completed",
    "content",
    "empty",
    "none",
    "nothing",
    "null",
    "output",
    "response",
    "returned",
    "success",
    "successfully",
    "text",
    "undefined",
    "void",
];

const STAND_IN: &[&str] = &[
    "aborted",
    "answer",
    "answered",
    "available",
    "before",
    "canceled",
    "cancelled",
    "complete",
    "completed",
    "content",
    "conversation",
    "did",
    "dropped",
    "due",
    "error",
    "executed",
    "execution",
    "failed",
    "failure",
    "finish",
    "finished",
    "found",
    "history",
    "inserted",
    "interrupted",
    "lost",
    "missing",
    "never",
    "none",
    "openclaw",
    "lossless",
    "claw",
    "output",
    "placeholder",
    "provided",
    "received",
    "recorded",
    "removed",
    "repair",
    "response",
    "returned",
    "run",
    "session",
    "skipped",
    "synthetic",
    "terminated",
    "timed",
    "transcript",
    "unavailable",
    "unknown",
    "user",
    "without",
];

/// Words that are in every note of this kind.
fn demanded(about: About) -> &'static [&'static str] {
    match about {
        About::System => SYSTEM,
        About::StandIn => STAND_IN,
        About::Filler => FILLER,
        About::Empty => EMPTY,
        About::Error => ERROR,
        About::Content => &[],
    }
}

fn known(about: About) -> &'static [&'static str] {
    match about {
        About::Content => CONTENT,
        About::Error => ERROR,
        About::System => SYSTEM,
        About::Filler => FILLER,
        About::Empty => EMPTY,
        About::StandIn => STAND_IN,
    }
}

/// The words of a text, in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The words of the names, types, ids and addresses that a note may repeat.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    pub(super) fn add(&mut self, text: &str) {
        self.0.extend(words(text));
    }

    pub(super) fn with(mut self, text: &str) -> Self {
        self.add(text);
        self
    }
}

/// Longer texts are no notes.
const MAX_BYTES: usize = 4096;

/// Returns whether a text is a note about this, which may repeat these names.
pub(super) fn is_note(text: &str, about: About, names: &Names) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let is_known = |word: &String| {
        let word = word.as_str();
        COMMON.contains(&word)
            || known(about).contains(&word)
            || names.0.contains(word)
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let demanded = demanded(about);
    let mut has = demanded.is_empty();
    for word in words(text) {
        if !is_known(&word) {
            return false;
        }
        has |= demanded.contains(&word.as_str());
    }
    has
}

/// Returns whether a text is made of these names and neutral words, whatever its length.
pub(super) fn is_made_of(text: &str, names: &Names) -> bool {
    words(text).all(|word| {
        names.0.contains(&word)
            || COMMON.contains(&word.as_str())
            || CONTENT.contains(&word.as_str())
            || word.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns whether a text has one of these words.
pub(super) fn has_any(text: &str, of: &[&str]) -> bool {
    words(text).any(|word| of.contains(&word.as_str()))
}

/// Returns whether a text has a word of these names.
pub(super) fn has_name(text: &str, names: &Names) -> bool {
    words(text).any(|word| names.0.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_say_nothing_of_their_own() {
        let none = Names::default();
        let image = none.clone().with("image/png").with("cat.png");
        assert!(is_note("[wirecanon: image left out: no data (image/png)]", About::Content, &image));
        assert!(is_note("[Image: image/png, 1024 bytes]", About::Content, &image));
        assert!(!is_note("[image: a dog]", About::Content, &image));
        assert!(is_note("Please continue.", About::Filler, &none));
        for word in ["Yes, delete it.", "42", "OK", "No."] {
            assert!(!is_note(word, About::Filler, &none), "{word}");
        }
        assert!(!is_note("42", About::Empty, &none) && is_note("(no output)", About::Empty, &none));
        assert!(is_note("No result provided", About::StandIn, &none));
        assert!(!is_note("OK, deleted.", About::StandIn, &none));
        assert!(is_note("[wirecanon: system message] ", About::System, &none));
        assert!(!is_note("- ", About::System, &none), "a mark must say what it marks");
    }
}
