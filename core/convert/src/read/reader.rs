//! What the readers of all dialects share: numbering, reporting, and the fields that only one dialect knows.

use std::borrow::Cow;

use crate::read::container::Messages;
use crate::read::fields::{self, Field};
use crate::read::thought_signature;
use wirecanon_json::{Json, PointerCursor, Value};
use wirecanon_model::Dialect;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Origin, Role};

/// Reads one text in one dialect.
pub(crate) struct Reader<'a, 'r> {
    pub(crate) json: &'a Json<'a>,
    pub(crate) dialect: Dialect,
    pub(crate) report: &'r mut Report<'static>,
    pub(crate) cursor: PointerCursor,
    pub(crate) messages: Vec<Message<'a>>,
    /// The wire messages behind the one that is read
    pub(crate) behind: Messages<'a>,
    /// True if something in the field of instructions was left out
    pub(crate) system_changed: bool,
    next_id: u32,
}

/// The JSON text of a field that goes along: a word without escapes, so that whoever looks for it finds it; all else as it is.
pub(crate) fn kept(value: Value<'_>) -> Cow<'_, str> {
    let plain =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    match value.as_str() {
        Some(word) if value.raw().contains('\\') && plain(&word) => Cow::Owned(format!("\"{word}\"")),
        _ => Cow::Borrowed(value.raw()),
    }
}

impl<'a, 'r> Reader<'a, 'r> {
    pub(crate) fn new(json: &'a Json<'a>, dialect: Dialect, report: &'r mut Report<'static>) -> Self {
        let (cursor, behind) = (PointerCursor::default(), Messages::One(None));
        Self { json, dialect, report, cursor, messages: Vec::new(), behind, system_changed: false, next_id: 0 }
    }

    /// The next number for a message or a block.
    pub(crate) fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// The last number given.
    pub(crate) fn last_id(&self) -> u32 {
        self.next_id
    }

    /// Reports that something in the source was read as something else.
    pub(crate) fn mend(
        &mut self,
        rule: &'static Rule,
        at: Value<'a>,
        about: Option<u32>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.entry(rule, Severity::Mend, at, about, message);
    }

    /// Reports that something of the source is gone.
    pub(crate) fn lose(&mut self, rule: &'static Rule, at: Value<'a>, message: impl Into<Cow<'static, str>>) {
        self.entry(rule, Severity::Loss, at, None, message);
    }

    /// Reports that something of the source is gone, and what stands in its place.
    pub(crate) fn lose_about(
        &mut self,
        rule: &'static Rule,
        at: Value<'a>,
        about: u32,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.entry(rule, Severity::Loss, at, Some(about), message);
    }

    /// Reports that calls beside the content are gone: nobody but the assistant makes any. An empty list loses nothing.
    pub(crate) fn lose_calls(&mut self, calls: Option<Value<'a>>, at: Value<'a>, about: u32) {
        if let Some(calls) = calls.filter(|calls| calls.is_array() && calls.items().next().is_none()) {
            self.mend(&rule::EMPTY_TOOL_CALLS, calls, Some(about), "an empty `tool_calls` was left out");
            return;
        }
        let what = "tool calls outside the assistant's message were left out";
        self.lose_about(&rule::BLOCK_IN_WRONG_ROLE, at, about, what);
    }

    /// Reports fields that are gone from something that stays.
    pub(crate) fn lose_field(
        &mut self,
        rule: &'static Rule,
        at: Value<'a>,
        about: Option<u32>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.entry(rule, Severity::Loss, at, about, message);
    }

    /// Reports members of these names, in quotes, that the server refuses.
    pub(crate) fn lose_refused(&mut self, at: Value<'a>, about: Option<u32>, names: &[String]) {
        if !names.is_empty() {
            let what = format!("the server refuses {}; left out", names.join(", "));
            self.lose_field(&rule::UNKNOWN_FIELD, at, about, what);
        }
    }

    /// Reports something that was seen and kept.
    pub(crate) fn note(&mut self, rule: &'static Rule, at: Value<'a>, message: impl Into<Cow<'static, str>>) {
        self.entry(rule, Severity::Note, at, None, message);
    }

    fn entry(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        at: Value<'a>,
        about: Option<u32>,
        message: impl Into<Cow<'static, str>>,
    ) {
        let mut entry = Entry::new(rule, Stage::Read, severity, message).at(at, &mut self.cursor);
        entry.about = about.and_then(std::num::NonZeroU32::new);
        self.report.add(entry);
    }

    /// A block that was read from `source`, clean.
    pub(crate) fn block(&mut self, kind: BlockKind<'a>, source: Value<'a>) -> Block<'a> {
        Block { id: self.id(), kind, source: Some(source.index()), native: None, dirty: false, projected: false }
    }

    /// A message that has yet to get its place in the wire message, clean.
    pub(crate) fn message(&mut self, role: Role, blocks: Vec<Block<'a>>) -> Message<'a> {
        let mut message = Message::new(self.id(), role, blocks);
        message.dirty = false;
        message
    }

    /// Ends a wire message: its parts get their places. What says that a part is dirty does so for the wire message.
    pub(crate) fn finish(&mut self, wire: Value<'a>, mut parts: Vec<Message<'a>>) {
        self.leave_silence(wire, &mut parts);
        let count = parts.len() as u32;
        for (part, message) in parts.iter_mut().enumerate() {
            self.place(wire, message, part as u32, count);
        }
        self.messages.append(&mut parts);
    }

    /// The same of one that is one message.
    pub(crate) fn finish_one(&mut self, wire: Value<'a>, mut message: Message<'a>) {
        self.place(wire, &mut message, 0, 1);
        self.messages.push(message);
    }

    fn place(&self, wire: Value<'a>, message: &mut Message<'a>, part: u32, parts: u32) {
        thought_signature::carry(self.json, self.dialect, wire, message);
        message.origin = Some(Origin { value: wire.index(), part, parts, values: 1 });
        message.source.get_or_insert(wire.index());
        message.dirty |= message.blocks.iter().any(|block| block.dirty);
    }

    /// A blank text beside results is none of the user's (54xzh/FLIT#69), whatever marks it has (askalf/dario#1066).
    fn leave_silence(&mut self, wire: Value<'a>, parts: &mut Vec<Message<'a>>) {
        let says_nothing = |block: &Block<'_>| block.is_blank();
        let silent = |part: &Message<'_>| {
            let blocks = &part.blocks;
            part.role == Role::User && part.native.is_none() && !blocks.is_empty() && blocks.iter().all(says_nothing)
        };
        if !parts.iter().any(|part| part.role == Role::ToolResult) || !parts.iter().any(silent) {
            return;
        }
        parts.retain(|part| !silent(part));
        for part in parts {
            part.dirty = true;
        }
        self.mend(&rule::BLANK_TEXT, wire, None, "a blank text beside results was left out");
    }

    /// Members that no other dialect knows, kept for the way back.
    pub(crate) fn native(&self, others: &[(Value<'a>, Value<'a>)]) -> Option<Box<Native<'a>>> {
        if others.is_empty() {
            return None;
        }
        let mut native = Native::default();
        let members = others.iter().map(|(key, value)| (key.as_str().unwrap_or_default(), kept(*value)));
        native.add_all(self.dialect.name(), members);
        Some(Box::new(native))
    }

    /// All members of a block that its own dialect gets back whole.
    pub(crate) fn native_whole(&self, block: Value<'a>) -> Option<Box<Native<'a>>> {
        self.native(&fields::scan(block, []).others)
    }

    /// Reports a field that stands under another dialect's name, or under two; true if anything was reported.
    pub(crate) fn alias(&mut self, field: &Field<'a>, own: &str, at: Value<'a>, about: u32) -> bool {
        let mut reported = false;
        if field.value.is_some() && field.key != own {
            // In a broken transcript this is said of each message; to format it takes six times as long.
            let words = ["`", field.key, "` was read as `", own, "`"].concat();
            self.mend(&rule::FIELD_ALIAS, at, Some(about), words);
            reported = true;
        }
        if let (Some(value), Some((name, other))) = (field.value, field.also) {
            let (rule, relation) = if wirecanon_json::same(value, other) {
                (&rule::FIELD_ALIAS, "says the same and was left out")
            } else {
                (&rule::ALIAS_CONFLICT, "contradicts it and was left out")
            };
            self.mend(rule, at, Some(about), format!("`{}` counts; `{name}` {relation}", field.key));
            reported = true;
        }
        reported
    }

    /// Reports a key that stands twice in an object; true if it does.
    pub(crate) fn duplicate(&mut self, duplicate: Option<Value<'a>>, at: Value<'a>, about: u32) -> bool {
        let Some(key) = duplicate else { return false };
        self.mend(
            &rule::DUPLICATE_KEY,
            at,
            Some(about),
            format!("the key {} stands twice; the last one counts", key.raw()),
        );
        true
    }

    /// A field that must be a string without white space around it, such as an id or a name; white space inside stays.
    /// Gives the trimmed text and whether anything was reported; blank and non-strings count as absent.
    pub(crate) fn trimmed(
        &mut self,
        field: &Field<'a>,
        rule: &'static Rule,
        at: Value<'a>,
        about: u32,
    ) -> (Option<Cow<'a, str>>, bool) {
        let Some(value) = field.some() else { return (None, false) };
        let text = match value.as_str() {
            Some(text) => text,
            // An id that is a number is its digits.
            None if value.as_f64().is_some() => {
                self.mend(rule, at, Some(about), format!("`{}` is a number; its digits were taken", field.key));
                return (Some(Cow::Borrowed(value.raw())), true);
            }
            None => return (None, false),
        };
        match text.trim().len() {
            0 => return (None, false),
            length if length == text.len() => return (Some(text), false),
            _ => {}
        }
        self.mend(rule, at, Some(about), format!("white space around `{}` was taken off", field.key));
        let trimmed = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        };
        (Some(trimmed), true)
    }
}
