//! What the readers of all dialects share: numbering, reporting, and the fields that only one dialect knows.

use std::borrow::Cow;

use crate::read::block::native_members;
use crate::read::container::Messages;
use crate::read::fields::{Field, Scan, scan};
use crate::read::thought_signature;
use wirecanon_json::{Json, PointerCursor, Value, Words};
use wirecanon_model::Dialect;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Opaque, Origin, Role};

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
    /// Messages and blocks whose source the report says was read as something else, since a wire message was finished
    changed: Vec<u32>,
    next_id: u32,
}

/// Members of an object, each a key and its value.
pub(crate) type Members<'a> = Vec<(Value<'a>, Value<'a>)>;

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
        Self {
            json,
            dialect,
            report,
            cursor,
            messages: Vec::new(),
            behind,
            system_changed: false,
            changed: Vec::new(),
            next_id: 0,
        }
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

    /// Reports that something in the source was read as something else. The message or block that it is about is written anew.
    pub(crate) fn mend(
        &mut self,
        rule: &'static Rule,
        at: Value<'a>,
        about: impl Into<Option<u32>>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.entry(rule, Severity::Mend, at, about, message);
    }

    /// Reports what was wrong around a block, which itself stays as it was.
    pub(crate) fn mend_around(&mut self, rule: &'static Rule, at: Value<'a>, block: &Block<'a>, message: &'static str) {
        self.mend(rule, at, block.id, message);
        self.changed.pop();
    }

    /// Reports that something of the source is gone. The message or block that it is about is written anew.
    pub(crate) fn lose(
        &mut self,
        rule: &'static Rule,
        at: Value<'a>,
        about: impl Into<Option<u32>>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.entry(rule, Severity::Loss, at, about, message);
    }

    /// Has a message or a block written anew that no report is about.
    pub(crate) fn mark(&mut self, id: u32) {
        self.changed.push(id);
    }

    /// The same of the messages from this place on.
    pub(crate) fn mark_changed_from(&mut self, place: usize) {
        mark_changed(&mut self.changed, self.messages.get_mut(place..).unwrap_or_default());
    }

    /// Reports that the messages from this place on were read from something else, and has them written anew.
    pub(crate) fn mend_from(
        &mut self,
        place: usize,
        rule: &'static Rule,
        at: Value<'a>,
        message: impl Into<Cow<'static, str>>,
    ) {
        let about = self.messages.get(place).map(|message| message.id);
        self.mend(rule, at, about, message);
        write_anew(&mut self.messages[place..]);
    }

    /// How many marks there are.
    pub(crate) fn marks(&self) -> usize {
        self.changed.len()
    }

    /// Whether this message or block was marked since there were so many marks.
    pub(crate) fn is_marked(&self, id: u32, since: usize) -> bool {
        self.changed[since..].iter().rev().any(|marked| *marked == id)
    }

    /// Whether a message that has yet to get its place is written anew.
    pub(crate) fn is_changed(&self, message: &Message<'_>) -> bool {
        message.dirty || self.is_marked(message.id, 0)
    }

    /// Reports that calls beside the content are gone: nobody but the assistant makes any. An empty list loses nothing.
    pub(crate) fn lose_calls(&mut self, calls: Option<Value<'a>>, at: Value<'a>, about: u32) {
        if let Some(calls) = calls.filter(|calls| calls.is_array() && calls.items().next().is_none()) {
            self.mend(&rule::EMPTY_TOOL_CALLS, calls, about, "an empty `tool_calls` was left out");
            return;
        }
        let what = "tool calls outside the assistant's message were left out";
        self.lose(&rule::BLOCK_IN_WRONG_ROLE, at, about, what);
    }

    /// Reports members of these names, in quotes, that the server refuses.
    pub(crate) fn lose_refused(&mut self, at: Value<'a>, about: impl Into<Option<u32>>, names: &[String]) {
        if !names.is_empty() {
            let what = format!("the server refuses {}; left out", names.join(", "));
            self.lose(&rule::UNKNOWN_FIELD, at, about, what);
        }
    }

    /// Reports members that the server refuses.
    pub(crate) fn lose_members(&mut self, at: Value<'a>, others: &[(Value<'a>, Value<'a>)], about: u32) {
        let names = others.iter().map(|(key, _)| format!("`{}`", key.as_str().unwrap_or_default()));
        self.lose_refused(at, about, &names.collect::<Vec<_>>());
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
        about: impl Into<Option<u32>>,
        message: impl Into<Cow<'static, str>>,
    ) {
        let about = about.into();
        let mut entry = Entry::new(rule, Stage::Read, severity, message).at(at, &mut self.cursor);
        entry.about = about.and_then(std::num::NonZeroU32::new);
        if severity != Severity::Note {
            self.changed.extend(about);
        }
        self.report.add(entry);
    }

    /// A block that was read from `source`, clean.
    pub(crate) fn block(&mut self, kind: BlockKind<'a>, source: Value<'a>) -> Block<'a> {
        Block { id: self.id(), kind, source: Some(source.index()), native: None, dirty: false, projected: false }
    }

    /// A block that was read from `source`, with its other members, which only this dialect knows.
    pub(crate) fn block_with<const N: usize>(
        &mut self,
        kind: BlockKind<'a>,
        source: Value<'a>,
        scan: &Scan<'a, N>,
    ) -> Block<'a> {
        let mut block = self.block(kind, source);
        block.native = native_members(self, block.id, source, &scan.others);
        self.duplicate(scan.duplicate, source, block.id);
        block
    }

    /// An item of this dialect alone, carried as it stands.
    pub(crate) fn opaque(&mut self, item: Value<'a>) -> Block<'a> {
        self.opaque_as(item, item.raw())
    }

    /// An item that only its own API can replay. Of keys that stand twice the last counts.
    pub(crate) fn opaque_once(&mut self, item: Value<'a>) -> Block<'a> {
        let scan = scan(item, []);
        let members = scan.others.iter().map(|(key, value)| format!("{}:{}", key.raw(), value.raw()));
        let value = match scan.duplicate {
            None => Cow::Borrowed(item.raw()),
            Some(_) => Cow::Owned(format!("{{{}}}", members.collect::<Vec<_>>().join(","))),
        };
        let block = self.opaque_as(item, value);
        self.duplicate(scan.duplicate, item, block.id);
        block
    }

    /// The same, spelled in another way.
    pub(crate) fn opaque_as(&mut self, item: Value<'a>, value: impl Into<Cow<'a, str>>) -> Block<'a> {
        let opaque = Opaque { dialect: Cow::Borrowed(self.dialect.name()), value: value.into() };
        self.block(BlockKind::Opaque(Box::new(opaque)), item)
    }

    /// A text that stands for what the source has in another form. The source stays as it is.
    pub(crate) fn stand_in(&mut self, words: impl Into<Words<'a>>, source: Value<'a>) -> Block<'a> {
        let mut block = self.block(BlockKind::Text(words.into()), source);
        block.projected = true;
        block
    }

    /// A text in place of an item, which is written anew.
    pub(crate) fn text_anew(&mut self, words: impl Into<Words<'a>>, item: Value<'a>) -> Block<'a> {
        let mut block = self.block(BlockKind::Text(words.into()), item);
        block.dirty = true;
        block
    }

    /// An item as its JSON text, for this reason.
    pub(crate) fn as_json(
        &mut self,
        item: Value<'a>,
        rule: &'static Rule,
        why: impl Into<Cow<'static, str>>,
    ) -> Block<'a> {
        self.as_text(wirecanon_json::mend_surrogates(item.raw()), item, rule, why)
    }

    /// A text that says what an item does, for this reason.
    pub(crate) fn as_text(
        &mut self,
        words: impl Into<Words<'a>>,
        item: Value<'a>,
        rule: &'static Rule,
        why: impl Into<Cow<'static, str>>,
    ) -> Block<'a> {
        let block = self.block(BlockKind::Text(words.into()), item);
        self.mend(rule, item, block.id, why);
        block
    }

    /// A text in the place of an item that is gone, for this reason.
    pub(crate) fn left_out(
        &mut self,
        words: impl Into<Words<'a>>,
        item: Value<'a>,
        rule: &'static Rule,
        why: impl Into<Cow<'static, str>>,
    ) -> Block<'a> {
        let block = self.block(BlockKind::Text(words.into()), item);
        self.lose(rule, item, block.id, why);
        block
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
        mark_changed(&mut self.changed, &mut parts);
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

    /// The same of one block that is a wire message.
    pub(crate) fn finish_block(&mut self, wire: Value<'a>, role: Role, block: Block<'a>) {
        let message = self.message(role, vec![block]);
        self.finish(wire, vec![message]);
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
        write_anew(parts);
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
        self.native(&scan(block, []).others)
    }

    /// Reports a field that stands under another dialect's name, or under two.
    pub(crate) fn alias(&mut self, field: &Field<'a>, own: &str, at: Value<'a>, about: u32) {
        if field.value.is_some() && field.key != own {
            // In a broken transcript this is said of each message; to format it takes six times as long.
            let words = ["`", field.key, "` was read as `", own, "`"].concat();
            self.mend(&rule::FIELD_ALIAS, at, about, words);
        }
        self.twice(field, at, about);
    }

    /// Reports fields under other names than these.
    pub(crate) fn aliases<const N: usize>(&mut self, fields: [(&Field<'a>, &str); N], at: Value<'a>, about: u32) {
        for (field, own) in fields {
            self.alias(field, own, at, about);
        }
    }

    /// Reports a field that stands under two names.
    pub(crate) fn twice(&mut self, field: &Field<'a>, at: Value<'a>, about: u32) {
        let (Some(value), Some((name, other))) = (field.value, field.also) else { return };
        let (rule, relation) = if wirecanon_json::same(value, other) {
            (&rule::FIELD_ALIAS, "says the same and was left out")
        } else {
            (&rule::ALIAS_CONFLICT, "contradicts it and was left out")
        };
        self.mend(rule, at, about, format!("`{}` counts; `{name}` {relation}", field.key));
    }

    /// Reports a key that stands twice in an object.
    pub(crate) fn duplicate(&mut self, duplicate: Option<Value<'a>>, at: Value<'a>, about: u32) {
        if let Some(key) = duplicate {
            let what = format!("the key {} stands twice; the last one counts", key.raw());
            self.mend(&rule::DUPLICATE_KEY, at, about, what);
        }
    }

    /// The id of a call, as [`Reader::trimmed`] reads it.
    pub(crate) fn call_id(&mut self, field: &Field<'a>, at: Value<'a>, about: u32) -> Option<Cow<'a, str>> {
        self.trimmed(field, &rule::TOOL_CALL_ID_WHITE_SPACE, at, about)
    }

    /// The name of a tool, as [`Reader::trimmed`] reads it.
    pub(crate) fn tool_name(&mut self, field: &Field<'a>, at: Value<'a>, about: u32) -> Option<Cow<'a, str>> {
        self.trimmed(field, &rule::TOOL_NAME_WHITE_SPACE, at, about)
    }

    /// A field that must be a string without white space around it, such as an id or a name; white space inside stays.
    /// Blank and non-strings count as absent.
    pub(crate) fn trimmed(
        &mut self,
        field: &Field<'a>,
        rule: &'static Rule,
        at: Value<'a>,
        about: u32,
    ) -> Option<Cow<'a, str>> {
        let value = field.some()?;
        let Some(text) = value.as_str() else {
            // An id that is a number is its digits.
            value.as_f64()?;
            self.mend(rule, at, about, format!("`{}` is a number; its digits were taken", field.key));
            return Some(Cow::Borrowed(value.raw()));
        };
        match text.trim().len() {
            0 => return None,
            length if length == text.len() => return Some(text),
            _ => {}
        }
        self.mend(rule, at, about, format!("white space around `{}` was taken off", field.key));
        Some(trim(text))
    }
}

/// Marks the messages and blocks whose ids are in `changed`, and empties it.
fn mark_changed(changed: &mut Vec<u32>, messages: &mut [Message<'_>]) {
    let mut changed = std::mem::take(changed);
    if changed.is_empty() {
        return;
    }
    changed.sort_unstable();
    let is_changed = |id: u32| changed.binary_search(&id).is_ok();
    for message in messages {
        message.dirty |= is_changed(message.id);
        for block in &mut message.blocks {
            block.dirty |= is_changed(block.id);
        }
    }
}

/// Has blocks written anew from what they say alone, without what only their source had.
pub(crate) fn write_alone(blocks: &mut [Block<'_>]) {
    for block in blocks {
        (block.native, block.projected, block.dirty) = (None, false, true);
    }
}

/// Has messages written anew.
pub(crate) fn write_anew(messages: &mut [Message<'_>]) {
    for message in messages {
        message.dirty = true;
    }
}

/// The text without the white space around it.
pub(crate) fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}
