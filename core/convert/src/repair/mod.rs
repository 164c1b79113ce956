//! Mending a transcript: one file a pass, in the order in which one run reaches the fixpoint.
//!
//! Pairing comes first, because what it drops needs no mending; content comes last, because the others can leave a turn
//! empty. No pass undoes another, so a second run finds nothing to do (P6).

mod arguments;
mod content;
mod media;
mod order;
mod pairing;
mod settle;

use std::borrow::Cow;

use crate::print::{Part, mark_changed};
use crate::step::Steps;
use wirecanon_json::{Json, PointerCursor};
use wirecanon_model::Mode;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule::Rule;
use wirecanon_model::transcript::{Block, BlockKind, Transcript};

/// One pass.
struct Pass {
    /// What it is called
    name: &'static str,
    run: for<'a> fn(&mut Transcript<'a>, &mut Repairs<'a, '_>),
}

/// The passes, in their order. A mutant replaces one entry.
const PASSES: &[Pass] = &[
    Pass { name: "pairing", run: pairing::run },
    Pass { name: "arguments", run: arguments::run },
    Pass { name: "media", run: media::run },
    Pass { name: "content", run: content::run },
];

/// What passes do that can be left out alone.
const PARTS: &[&str] = &[
    "pairing/known-stand-ins",
    "pairing/half-of-an-id",
    "pairing/anywhere",
    "pairing/without-ids",
    "pairing/by-name",
    "pairing/gone",
    "pairing/older-field",
    "pairing/kept",
    "pairing/distinct-ids",
    "pairing/answer",
    "pairing/agree",
    "pairing/order",
    "media/addresses",
    "media/images",
    "media/files",
    "content/blank-text",
    "content/empty-result",
    "content/empty-turn",
    "content/stop-reason",
];

/// Every pass and every part of one, by name.
pub(crate) fn steps() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|pass| pass.name).chain(PARTS.iter().copied())
}

/// What is asked of the passes.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) mode: Mode,
    /// Results of parallel calls may stay in the order that they have
    pub(crate) any_order: bool,
    pub(crate) steps: Steps,
}

/// Mends a transcript. Linear in messages, calls and bytes.
pub(crate) fn repair<'a>(
    transcript: &mut Transcript<'a>,
    json: &'a Json<'a>,
    asked: Asked,
    report: &mut Report<'static>,
) {
    let Asked { mode, any_order, steps } = asked;
    let mut repairs =
        Repairs { json, mode, any_order, steps, report, cursor: PointerCursor::default(), changed: Vec::new() };
    for pass in PASSES {
        steps.go("repair", pass.name, transcript, |transcript| (pass.run)(transcript, &mut repairs));
        mark_changed(&mut repairs.changed, &mut transcript.messages);
    }
}

/// A text without white space around it, copied only where it must be.
fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// What the passes share: the source that places are looked up in, and the report.
pub(crate) struct Repairs<'a, 'r> {
    json: &'a Json<'a>,
    mode: Mode,
    any_order: bool,
    steps: Steps,
    report: &'r mut Report<'static>,
    cursor: PointerCursor,
    /// The blocks that a repair changed, whose messages are to be marked
    changed: Vec<u32>,
}

impl<'a> Repairs<'a, '_> {
    /// Reports a change to the part that was read from `source` and is now called `about`.
    fn entry(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        source: Option<u32>,
        about: Option<u32>,
        message: impl Into<Cow<'static, str>>,
    ) {
        let mut entry = Entry::new(rule, Stage::Repair, severity, message);
        if let Some(source) = source {
            entry = entry.at(self.json.value(source), &mut self.cursor);
        }
        entry.about = about.and_then(std::num::NonZeroU32::new);
        self.report.add(entry);
    }

    /// Reports a change of a message or a block, and has it written anew.
    fn change(
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

    /// The same of a change that loses nothing.
    fn mend(&mut self, rule: &'static Rule, part: &mut impl Part, message: impl Into<Cow<'static, str>>) {
        self.change(rule, Severity::Mend, part, message);
    }

    /// Puts other content into a block.
    fn replace(
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
}
