//! The catalogue: every rule that a reader, a pass, a writer or the judge may name.
//!
//! The rules are data: `rules/<class>.toml`, from which the build script makes one static for each rule, and one list for each class. The
//! docs' rule pages, `wirecanon explain` and `wirecanon list rules` are made from here.

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// One rule of the wire, or of the canonical transcript.
///
/// ```
/// use wirecanon_core::rule;
///
/// let rule = rule::by_id("orphan-tool-result").ok_or("no such rule")?;
/// println!("{}", rule.statement);
/// assert!(rule.citations().all(|source| !source.contains("error: ")));
/// assert_eq!(rule.citations().count() + rule.errors().count(), rule.sources.len());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Kebab-case; says the fault
    pub id: &'static str,
    /// What sort of fault it is
    pub class: Class,
    /// What holds when the rule is kept, in one sentence
    pub statement: &'static str,
    /// Public reports (`owner/repo#n`), specification sections or vendors' error texts it stands on
    pub sources: &'static [&'static str],
    /// Dialects and targets that it holds for, a dialect with all its targets; empty means all, as far as their own limits
    /// ask for it
    pub holds: &'static [&'static str],
    /// A broken transcript and its mended form, or why there is none
    pub example: Result<Example, &'static str>,
}

/// A transcript that breaks one rule, and what `fix` makes of it.
///
/// ```
/// use wirecanon_core::rule;
///
/// let rule = rule::by_id("orphan-tool-result").ok_or("no such rule")?;
/// let example = rule.example.as_ref().map_err(|why| *why)?;
/// println!("from {}: {}", example.from, example.broken_text());
/// println!("to {}: {}", example.to, example.mended);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// Dialect of `broken`, or `auto`
    pub from: &'static str,
    /// Dialect or target of `mended`, with its switches as the command line has them: `mistral --set ids=nine`
    pub to: &'static str,
    /// What `fix` is given: bytes, because some faults are no text
    pub broken: &'static [u8],
    /// What `fix` makes of it for `to`, byte for byte
    pub mended: &'static str,
}

impl Rule {
    /// What it stands on: reports, and sections of specifications and references.
    ///
    /// ```
    /// use wirecanon_core::rule;
    ///
    /// assert_eq!(rule::BYTE_ORDER_MARK.citations().last(), Some("RFC 8259, section 8.1"));
    /// ```
    pub fn citations(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().copied().filter(|source| !is_error(source))
    }

    /// What servers say when it is broken, each with the name of its vendor or API in front (`OpenAI error: …`, `OpenAI Chat error: …`).
    ///
    /// ```
    /// use wirecanon_core::rule;
    ///
    /// let said: Vec<_> = rule::ORPHAN_TOOL_RESULT.errors().filter(|error| error.starts_with("Mistral")).collect();
    /// assert_eq!(said, ["Mistral error: Unexpected tool call id …"]);
    /// ```
    pub fn errors(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().copied().filter(|source| is_error(source))
    }
}

/// Whether a source is the text of an error, as a server was seen to give it.
fn is_error(source: &str) -> bool {
    source.split_once(": ").is_some_and(|(who, _)| who.split(' ').any(|word| word == "error"))
}

impl Example {
    /// `broken` as text that can be shown: what cannot be seen is spelled as Rust spells it, a byte that is not UTF-8 as
    /// `\xE9` and a byte order mark as `\u{FEFF}`.
    ///
    /// ```
    /// use wirecanon_core::rule;
    ///
    /// let example = rule::INVALID_UTF_8.example.as_ref().map_err(|why| *why)?;
    /// assert!(example.broken_text().contains(r#""content":"caf\xE9""#));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn broken_text(&self) -> String {
        let mut text = String::with_capacity(self.broken.len());
        for chunk in self.broken.utf8_chunks() {
            text.push_str(&chunk.valid().replace('\u{FEFF}', "\\u{FEFF}"));
            text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
        }
        text
    }
}

/// The fourteen sorts of fault.
///
/// ```
/// use wirecanon_core::rule::{Class, by_id};
///
/// assert_eq!(by_id("orphan-tool-result").map(|rule| rule.class), Some(Class::Pairing));
/// assert_eq!(Class::Pairing.slug(), "pairing");
/// assert_eq!(Class::ALL.len(), 14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// `mcp-block-unrepresentable`
    McpBlock,
    /// `image-media-malformed`
    Media,
    /// `tool-args`
    ToolArgs,
    /// `pairing`
    Pairing,
    /// `tool-call-id`
    ToolCallId,
    /// `tool-name`
    ToolName,
    /// `streaming-artifact`
    Streaming,
    /// `empty-content`
    EmptyContent,
    /// `error-flag`
    ErrorFlag,
    /// `extra-fields`
    ExtraFields,
    /// `thinking-reasoning`
    Thinking,
    /// `role-order`
    RoleOrder,
    /// `media-in-tool-result`
    MediaInResult,
    /// `encoding`
    Encoding,
}

impl Class {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 14] = [
        Self::McpBlock,
        Self::Media,
        Self::ToolArgs,
        Self::Pairing,
        Self::ToolCallId,
        Self::ToolName,
        Self::Streaming,
        Self::EmptyContent,
        Self::ErrorFlag,
        Self::ExtraFields,
        Self::Thinking,
        Self::RoleOrder,
        Self::MediaInResult,
        Self::Encoding,
    ];

    /// The name in reports and cases.
    ///
    /// ```
    /// use wirecanon_core::rule::Class;
    ///
    /// assert_eq!(Class::Media.slug(), "image-media-malformed");
    /// ```
    pub fn slug(self) -> &'static str {
        match self {
            Self::McpBlock => "mcp-block-unrepresentable",
            Self::Media => "image-media-malformed",
            Self::ToolArgs => "tool-args",
            Self::Pairing => "pairing",
            Self::ToolCallId => "tool-call-id",
            Self::ToolName => "tool-name",
            Self::Streaming => "streaming-artifact",
            Self::EmptyContent => "empty-content",
            Self::ErrorFlag => "error-flag",
            Self::ExtraFields => "extra-fields",
            Self::Thinking => "thinking-reasoning",
            Self::RoleOrder => "role-order",
            Self::MediaInResult => "media-in-tool-result",
            Self::Encoding => "encoding",
        }
    }
}

/// All rules, class by class.
///
/// ```
/// use wirecanon_core::rule::{Class, all};
///
/// assert!(all().any(|rule| rule.class == Class::Pairing && rule.id == "orphan-tool-result"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        MCP_BLOCK_RULES,
        MEDIA_RULES,
        TOOL_ARGS_RULES,
        PAIRING_RULES,
        TOOL_CALL_ID_RULES,
        TOOL_NAME_RULES,
        STREAMING_RULES,
        EMPTY_CONTENT_RULES,
        ERROR_FLAG_RULES,
        EXTRA_FIELDS_RULES,
        THINKING_RULES,
        ROLE_ORDER_RULES,
        MEDIA_IN_RESULT_RULES,
        ENCODING_RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The rule with this id.
///
/// ```
/// use wirecanon_core::rule::by_id;
///
/// assert!(by_id("orphan-tool-result").is_some());
/// assert!(by_id("no-such-rule").is_none());
/// ```
pub fn by_id(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}
