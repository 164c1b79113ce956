//! Messages of the target's own dialect that it refuses although nothing of them has to be repaired: something is spelled in a
//! way that the reader takes, or stands where it does not look. They are written anew.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use crate::media;
use crate::read::container::layout;
use crate::read::fields::MIME_TYPES;
use wirecanon_check::{Checked, Violation};
use wirecanon_json::{Json, Limits, PointerCursor, Value, quote, spliced};
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::target::Level;
use wirecanon_model::transcript::{BlockKind, Message, Transcript};
use wirecanon_model::{Dialect, rule};

/// The errors that stand in messages of a document.
#[derive(Debug)]
pub(crate) struct Refused {
    errors: Vec<Error>,
}

#[derive(Debug)]
struct Error {
    /// Which message it is, from 0
    message: usize,
    violation: Violation,
    /// Whether the value at fault says something, which is lost unless the message says it elsewhere
    says_something: bool,
    /// Whether the report speaks of it: repairs alone do not end it
    remains: bool,
}

/// How a refused message is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anew {
    /// Laid over its source: members that the reader does not know stay
    OverItsSource,
    /// What was read of it, and what it has for its own dialect alone
    WithoutItsSource,
    /// Only what other dialects could say, too
    Bare,
    /// The same, without items that only this dialect has
    WithoutItems,
}

impl Anew {
    /// In the order in which they are tried.
    pub(crate) const ALL: [Self; 4] = [Self::OverItsSource, Self::WithoutItsSource, Self::Bare, Self::WithoutItems];

    fn mark(self, message: &mut Message<'_>) {
        let is_bare = matches!(self, Self::Bare | Self::WithoutItems);
        message.dirty = true;
        if self != Self::OverItsSource {
            message.origin = None;
        }
        if is_bare {
            message.native = None;
        }
        if self == Self::WithoutItems {
            message.blocks.retain(|block| !matches!(block.kind, BlockKind::Opaque(_)));
        }
        for block in &mut message.blocks {
            block.dirty = true;
            if self != Self::OverItsSource {
                block.source = None;
            }
            if is_bare {
                block.native = None;
            }
            match &mut block.kind {
                BlockKind::File(file) => file.mime_type = media::essence(&file.mime_type).into_owned().into(),
                BlockKind::Opaque(item) => {
                    if let Some(spelled) = with_plain_types(&item.value) {
                        item.value = spelled.into();
                    }
                }
                _ => {}
            }
        }
    }
}

impl Refused {
    /// The errors among these that stand in messages.
    pub(crate) fn of(checked: Checked, json: &Json<'_>, dialect: Dialect) -> Self {
        let Ok(layout) = layout(json, dialect) else { return Self { errors: Vec::new() } };
        let spans: Vec<_> = layout.messages.map(Value::span).collect();
        let in_message = |violation: Violation| {
            let start = violation.span.start;
            let next = spans.partition_point(|span| span.start <= start);
            let message = next.checked_sub(1).filter(|at| start < spans[*at].end)?;
            let is_nothing = matches!(&json.text()[violation.span.clone()], "null" | "\"\"" | "[]" | "{}");
            // Another spelling of a media type says the same.
            let key = violation.pointer.rsplit('/').next().unwrap_or_default();
            let says_something = !is_nothing && !MIME_TYPES.contains(&key);
            Some(Error { message, violation, says_something, remains: true })
        };
        let errors = checked.violations.into_iter().filter(|violation| violation.severity == Level::Error);
        Self { errors: errors.filter_map(in_message).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The same, of which repairs alone leave these rules broken, as far as they are among them.
    pub(crate) fn remaining(mut self, rules: &[&str]) -> Self {
        if self.errors.iter().any(|error| rules.contains(&error.violation.rule)) {
            self.errors.iter_mut().for_each(|error| error.remains = rules.contains(&error.violation.rule));
        }
        self
    }

    /// Marks the messages, so that they are written anew, and reports each error that no repair speaks of.
    pub(crate) fn mark(
        &self,
        how: Anew,
        transcript: &mut Transcript<'_>,
        json: &Json<'_>,
        report: &mut Report<'static>,
    ) {
        let Ok(layout) = layout(json, transcript.dialect) else { return };
        let values: Vec<_> = layout.messages.collect();
        let numbers: HashMap<_, _> = values.iter().enumerate().map(|(at, value)| (value.index(), at)).collect();
        let refused: HashSet<_> = self.errors.iter().map(|error| error.message).collect();
        let mut ids = HashMap::new();
        for message in &mut transcript.messages {
            let Some(origin) = message.origin else { continue };
            let Some(first) = numbers.get(&origin.value).copied() else { continue };
            let mut own = (first..first + origin.values as usize).filter(|number| refused.contains(number)).peekable();
            if own.peek().is_none() {
                continue;
            }
            ids.extend(own.map(|number| (number, message.id)));
            how.mark(message);
        }
        if how == Anew::WithoutItems {
            transcript.messages.retain(|message| !message.blocks.is_empty() || message.result.is_some());
        }
        let mut cursor = PointerCursor::default();
        let told: HashSet<_> =
            report.repairs.iter().filter_map(|entry| Some((entry.rule, entry.input.clone()?))).collect();
        let is_told = |violation: &Violation| {
            around(&violation.pointer).any(|pointer| told.contains(&(violation.rule, pointer.into())))
        };
        for error in self.errors.iter().filter(|error| error.remains && !is_told(&error.violation)) {
            let (Some(rule), Some(message)) = (rule::by_id(error.violation.rule), values.get(error.message)) else {
                continue;
            };
            let severity =
                if error.says_something || how == Anew::WithoutItems { Severity::Loss } else { Severity::Mend };
            let words = format!("{}; the message was written anew", error.violation.message);
            let mut entry = Entry::new(rule, Stage::Write, severity, words).at(*message, &mut cursor);
            entry.about = ids.get(&error.message).copied().and_then(NonZeroU32::new);
            report.add(entry);
        }
    }
}

/// A pointer, and those of the values that its value stands in.
fn around(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |inner| Some(&inner[..inner.rfind('/')?]))
}

/// An item with each media type in small letters and without parameters, as servers compare them; `None` where they are so.
fn with_plain_types(item: &str) -> Option<String> {
    let json = Json::parse(item, &Limits { max_depth: usize::MAX }).ok()?;
    let types = (0..json.len() as u32).map(|index| json.value(index)).flat_map(Value::members);
    let types = types.filter(|(key, _)| MIME_TYPES.iter().any(|name| key.is_str(name)));
    let edits = types.filter_map(|(_, value)| {
        let said = value.as_str()?;
        let plain = media::essence(&said);
        (plain != said).then(|| (value.span(), quote(&plain)))
    });
    let edits: Vec<_> = edits.collect();
    (!edits.is_empty()).then(|| spliced(item, edits))
}
