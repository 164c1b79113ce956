//! Writing a transcript for a target.
//!
//! First the target's limits are applied to the transcript (`adapt`, one file a limit: P11, never to the canonical
//! transcript itself), then the dialect's renderer describes each wire message, then the printer writes it. A message that
//! nothing touched, on its way back to its own dialect, is copied.

pub(crate) mod block;
pub(crate) mod container;
pub(crate) mod group;
pub(crate) mod left_out;
pub(crate) mod out;
pub(crate) mod tools;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use crate::adapt;
use crate::dialects::Described as _;
use crate::dialects::canonical::write;

pub(crate) use crate::print::out::Piece;
use crate::print::out::{NOTHING, Object, Out, Wanted};
use crate::read::container::layout;
use crate::read::definitions;
use crate::step::Steps;
use wirecanon_json::{Json, Limits, PointerCursor, Value};
use wirecanon_model::Dialect;
use wirecanon_model::Mode;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule;
use wirecanon_model::rule::Rule;
use wirecanon_model::target::Target;
use wirecanon_model::transcript::{Block, BlockKind, Container, Message, Role, Transcript};
use wirecanon_model::{Error, ErrorKind};

/// What the writers of all dialects share.
pub(crate) struct Writer<'a, 'r> {
    pub(crate) json: &'a Json<'a>,
    pub(crate) target: &'r Target,
    /// The target speaks the dialect that was read
    pub(crate) same: bool,
    pub(crate) mode: Mode,
    pub(crate) report: &'r mut Report<'static>,
    pub(crate) cursor: PointerCursor,
    /// Labels of media that moved behind their results: the block, and the message of the result
    pub(crate) labels: Vec<(u32, u32)>,
    /// What the adaptation that runs has changed, by number
    pub(crate) changed: Vec<u32>,
    /// Items of the list of tools that go, by their index in the document
    pub(crate) removed_tools: HashSet<u32>,
}

/// A message or a block.
pub(crate) trait Part {
    /// Where it was read, and its number.
    fn place(&self) -> (Option<u32>, u32);
    /// Has it written anew.
    fn mark(&mut self);
}

impl Part for Message<'_> {
    fn place(&self) -> (Option<u32>, u32) {
        (self.source, self.id)
    }

    fn mark(&mut self) {
        self.dirty = true;
    }
}

impl Part for Block<'_> {
    fn place(&self) -> (Option<u32>, u32) {
        (self.source, self.id)
    }

    fn mark(&mut self) {
        self.dirty = true;
    }
}

/// Has messages written anew of which a block was changed.
pub(crate) fn mark_changed(changed: &mut Vec<u32>, messages: &mut [Message<'_>]) {
    let mut changed = std::mem::take(changed);
    if changed.is_empty() {
        return;
    }
    changed.sort_unstable();
    for message in messages {
        message.dirty |= message.blocks.iter().any(|block| changed.binary_search(&block.id).is_ok());
    }
}

impl<'a> Writer<'a, '_> {
    pub(crate) fn entry(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        source: Option<u32>,
        about: Option<u32>,
        message: impl Into<Cow<'static, str>>,
    ) {
        let mut entry = Entry::new(rule, Stage::Write, severity, message);
        if let Some(source) = source {
            entry = entry.at(self.json.value(source), &mut self.cursor);
        }
        entry.about = about.and_then(std::num::NonZeroU32::new);
        self.report.add(entry);
    }

    /// Reports what becomes of a message or a block, which is written anew.
    pub(crate) fn change(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        part: &mut impl Part,
        message: impl Into<Cow<'static, str>>,
    ) {
        let (source, id) = part.place();
        self.entry(rule, severity, source, Some(id), message);
        part.mark();
        self.changed.push(id);
    }

    /// The same of what the target alone asks for.
    pub(crate) fn adapt(&mut self, rule: &'static Rule, part: &mut impl Part, message: impl Into<Cow<'static, str>>) {
        self.change(rule, Severity::Adapt, part, message);
    }

    /// Reports what stands in the place of what a block said.
    pub(crate) fn replace(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        block: &mut Block<'a>,
        kind: BlockKind<'a>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.change(rule, severity, block, message);
        (block.kind, block.native, block.projected) = (kind, None, false);
    }

    pub(crate) fn value(&self, source: Option<u32>) -> Option<Value<'a>> {
        source.map(|source| self.json.value(source))
    }

    /// The value that a part was read from, if it is in the target's own dialect.
    pub(crate) fn own(&self, source: Option<u32>) -> Option<Value<'a>> {
        self.value(source).filter(|_| self.same)
    }
}

/// What a renderer looks at.
pub(crate) struct View<'w, 'a> {
    pub(crate) json: &'w Json<'a>,
    pub(crate) target: &'w Target,
    pub(crate) same: bool,
    pub(crate) wanted: &'w Wanted,
    /// Index of the first message of the document, once it is looked for
    pub(crate) first_message: OnceCell<Option<u32>>,
}

impl<'w, 'a> View<'w, 'a> {
    pub(crate) fn new(json: &'w Json<'a>, target: &'w Target, same: bool, wanted: &'w Wanted) -> Self {
        Self { json, target, same, wanted, first_message: OnceCell::new() }
    }

    /// Returns the first message of a document in the target's own dialect. The document is looked through once.
    pub(crate) fn first_message(&self) -> Option<Value<'w>> {
        let find = || layout(self.json, self.target.dialect).ok()?.messages.next().map(Value::index);
        let first = self.same.then(|| self.first_message.get_or_init(find)).copied().flatten();
        first.map(|first| self.json.value(first))
    }
    /// The value that a part was read from, if it is in the target's own dialect.
    pub(crate) fn own(&self, source: Option<u32>) -> Option<Value<'w>> {
        source.filter(|_| self.same).map(|source| self.json.value(source))
    }

    /// What a message or a block becomes, which the report may ask the place of.
    pub(crate) fn about(&self, id: u32, out: Out<'w>) -> Out<'w> {
        if self.wanted.has(id) { Out::About(id, Box::new(out)) } else { out }
    }

    /// A wire message, which the report may ask the place of by any of its messages. Results have places of their own in it.
    pub(crate) fn about_all(&self, group: &[&'w Message<'_>], object: Object<'w>) -> Out<'w> {
        let spoken = group.iter().filter(|message| message.role != Role::ToolResult);
        spoken.fold(object.out(), |out, message| self.about(message.id, out))
    }

    /// The items of a list that holds results beside blocks.
    pub(crate) fn items<'m>(
        &self,
        group: &[&'w Message<'m>],
        result: impl Fn(&Self, &'w Message<'m>) -> Out<'w>,
        block: impl Fn(&Self, &'w Block<'m>) -> Out<'w>,
    ) -> Vec<Out<'w>> {
        let mut items = Vec::new();
        for message in group {
            if message.role == Role::ToolResult {
                items.push(self.about(message.id, result(self, message)));
            } else {
                items.extend(message.blocks.iter().map(|part| self.about(part.id, block(self, part))));
            }
        }
        items
    }
}

/// How a dialect is rendered.
pub(crate) struct Renderer {
    /// Renders the messages of one wire message. `like` is the wire message they came from, if it is of this dialect
    pub(crate) render:
        for<'w, 'v, 'j, 'g, 'm> fn(&'v View<'w, 'j>, &'g [&'w Message<'m>], Option<Value<'w>>) -> Out<'w>,
    /// Whether a message goes into the wire message that the ones before it make
    pub(crate) joins: for<'a, 'g> fn(&'g [Message<'a>], &'g Message<'a>, bool) -> bool,
    /// Renders the instructions that stand beside the list
    pub(crate) system: for<'w, 'v, 'j, 'm> fn(&'v View<'w, 'j>, &'w [Message<'m>]) -> Out<'w>,
    /// Members that a document must have beside its messages, and that no transcript says anything of
    pub(crate) beside: fn(&Target) -> &'static [Member],
}

/// A member that a document must have beside its messages.
pub(crate) struct Member {
    pub(crate) key: &'static str,
    /// What a new document says, as JSON text
    pub(crate) value: &'static str,
    /// The rule that a document without it breaks, for which one of the target's own dialect is given it too
    pub(crate) rule: Option<&'static Rule>,
    /// Whether a document says it
    pub(crate) is_said: fn(Value<'_>) -> bool,
}

impl Renderer {
    /// The commonest answers; `render` is always a dialect's own.
    pub(crate) const COMMON: Self =
        Self { render: write::render, joins: group::apart, system: container::system_as_blocks, beside: |_| &[] };
}

/// What is to be written.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'o> {
    pub(crate) target: &'o Target,
    pub(crate) mode: Mode,
    /// The call that a lone result answers
    pub(crate) call_id: Option<&'o str>,
    pub(crate) steps: Steps,
    /// Parts of the source that are longer than this need not be copied, on their way back to their own dialect
    pub(crate) in_pieces: Option<usize>,
    /// Whether tool definitions that cannot be translated may be left out
    pub(crate) lose_tools: bool,
}

/// A text that was written.
pub(crate) struct Written {
    /// All of it, but for parts of what was read
    pub(crate) text: String,
    /// Those parts, in order; none unless it was asked for
    pub(crate) pieces: Vec<Piece>,
}

impl Written {
    /// A text in one piece.
    pub(crate) fn whole(text: String) -> Self {
        Self { text, pieces: Vec::new() }
    }
}

/// Every adaptation, by name.
pub(crate) fn steps() -> impl Iterator<Item = &'static str> {
    adapt::steps()
}

/// Writes the transcript; `None` when it would be the text that was read. Linear in the transcript.
pub(crate) fn write<'a>(
    transcript: &mut Transcript<'a>,
    json: &'a Json<'a>,
    asked: &Asked<'_>,
    report: &mut Report<'static>,
) -> Result<Option<Written>, Error> {
    let Asked { target, mode, call_id, steps, in_pieces, lose_tools } = *asked;
    refuse(transcript, target, call_id)?;
    let same = transcript.dialect == target.dialect;
    if !lose_tools {
        refuse_lost_tools(transcript, json, target)?;
    }
    let mut writer = Writer {
        json,
        target,
        same,
        mode,
        report,
        cursor: PointerCursor::default(),
        labels: Vec::new(),
        changed: Vec::new(),
        removed_tools: HashSet::new(),
    };
    if transcript.fragment && !is_neutral(target.dialect) {
        for message in &mut transcript.messages {
            let (Some(head), Some(id)) = (&mut message.result, call_id) else { continue };
            if same && (head.call_id.is_some() || target.dialect.ids_may_lack()) {
                continue;
            }
            // A result that named no call is another one now.
            message.dirty |= head.call_id.is_none();
            if same && head.call_id.is_none() {
                let what = "the result named no call; it was given the one that was asked for";
                writer.entry(&rule::TOOL_RESULT_WITHOUT_ID, Severity::Mend, message.source, Some(message.id), what);
            }
            head.call_id = Some(id.to_owned().into());
        }
    }
    adapt::adapt(transcript, steps, &mut writer);
    left_out::report(transcript, &mut writer);
    container::report_members(transcript, &mut writer);
    let written = container::write(transcript, in_pieces, &writer);
    Ok(written.map(|(written, places)| {
        for entry in report.repairs.iter_mut().chain(&mut report.notes) {
            entry.output = entry.about.and_then(|about| places.get(about.get())).map(Box::from);
        }
        written
    }))
}

/// One message as the target's dialect has it, as the document of a list or, where there is none, as the document itself.
pub(crate) fn alone(json: &Json<'_>, target: &Target, message: &Message<'_>) -> String {
    let view = View::new(json, target, false, &NOTHING);
    let out = (crate::dialects::renderer(target.dialect).render)(&view, &[message], None);
    let mut printer = out::Printer::new(json, 0, &NOTHING);
    let out = if target.dialect.is_fragment() {
        out
    } else {
        Out::List(if let Out::Many(items) = out { items } else { vec![out] }, None)
    };
    printer.write_at("", &out);
    printer.finish().0
}

/// The canonical text of a transcript, as it is: no limit of a target is applied to it.
pub(crate) fn as_canonical(transcript: &Transcript<'_>) -> Result<String, Error> {
    let target = Target::of_dialect(Dialect::Canonical);
    // Nothing of a source is copied.
    let json = Json::parse("null", &Limits::default())?;
    let view = View::new(&json, target, false, &NOTHING);
    let mut messages = transcript.messages.iter().map(|message| write::render(&view, &[message], None));
    let document = match messages.next() {
        Some(only) if transcript.fragment && transcript.messages.len() == 1 => only,
        first => {
            let mut document =
                Object::new().with("messages", Out::List(first.into_iter().chain(messages).collect(), None));
            if !transcript.tools.is_empty() {
                let (key, tools) = tools::list(&transcript.tools, &target.dialect.spec().tools, target.dialect);
                document.set(key, tools);
            }
            document.out()
        }
    };
    let mut printer = out::Printer::new(&json, 0, &NOTHING).mending();
    printer.write_at("", &document);
    Ok(printer.finish().0)
}

/// Whether a dialect has results that say nothing of the call that they answer.
fn is_neutral(dialect: Dialect) -> bool {
    dialect == Dialect::Canonical || dialect.is_fragment()
}

/// Refuses a request body with tool definitions that the target's dialect cannot express, or that stand where its server does not
/// look for them.
fn refuse_lost_tools(transcript: &Transcript<'_>, json: &Json<'_>, target: &Target) -> Result<(), Error> {
    const MOST_NAMED: usize = 8;
    let Container::Object { object, .. } = transcript.container else { return Ok(()) };
    let (body, dialect) = (json.value(object), transcript.dialect);
    let same = dialect == target.dialect;
    let legacy = body.get(definitions::LEGACY[0]).map(Value::index);
    let lost: Vec<_> = if same {
        let misplaced = definitions::misplaced(body, dialect)
            .filter(|list| dialect.is_of_provider() && Some(list.index()) != legacy)
            .flat_map(definitions::items);
        let foreign = definitions::others(body, dialect).filter(|(item, is_declared)| {
            let is_nothing = dialect.is_of_provider() && !is_declared && definitions::is_nothing(*item);
            is_nothing || definitions::is_of_other(*item, *is_declared, dialect)
        });
        misplaced.chain(foreign.map(|(item, _)| item)).collect()
    } else {
        definitions::unreadable(body, dialect)
    };
    let mut lost = lost.into_iter();
    let mut cursor = PointerCursor::default();
    let names: Vec<_> =
        lost.by_ref().take(MOST_NAMED).map(|item| format!("`{}`", definitions::name_of(item, &mut cursor))).collect();
    if names.is_empty() {
        return Ok(());
    }
    let more = lost.count();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Err(Error::new(
        ErrorKind::UnsupportedConversion,
        format!("tool definitions cannot be written for {}: {}{more}", target.name, names.join(", ")),
    )
    .with_hint("correct them, or leave them out with --allow lost-tools"))
}

fn refuse(transcript: &Transcript<'_>, target: &Target, call_id: Option<&str>) -> Result<(), Error> {
    // A result whose pictures follow it is one result, unless they turn out to be no pictures of it.
    if target.dialect.is_fragment() && (!transcript.fragment || transcript.messages.len() > 1) {
        return Err(Error::new(ErrorKind::UnsupportedConversion, "a whole conversation is no tool result")
            .with_hint("write it to a dialect of conversations"));
    }
    let neutral = is_neutral(target.dialect) || target.dialect.ids_may_lack();
    let known =
        transcript.messages.iter().all(|message| message.result.as_ref().is_none_or(|head| head.call_id.is_some()));
    if transcript.fragment && !neutral && !known && call_id.is_none_or(|id| id.trim().is_empty()) {
        return Err(Error::new(
            ErrorKind::NeedsCallId,
            format!("a lone tool result says nothing of its call, and {} needs its id", target.name),
        )
        .with_hint("give it with --call-id"));
    }
    Ok(())
}
