//! A long transcript, written section by section.
//!
//! Of a long text as a whole, reading, mending and writing each ask memory for what the one before had near, and an index and a
//! transcript of all of it are as large as a half of it. So it is cut where the user speaks behind words of the model, and each section
//! goes the whole way as a document of its own, of which only the list is kept. That counts where the sections are apart: no call or
//! result of one has an id that another one knows, nothing in them is counted over the whole, and the words at their ends stay there. All
//! else goes the long way at once. A test goes both ways, to every target.

mod apart;
mod told;

use crate::dialect::Described as _;
use std::ops::Range;

use apart::Apart;
use told::Told;

use super::plain::{self, Plain};
use super::{From, How, Mode, Options, asked, is_changed, mend, name_ends, parse, readable, with_each_key_once};
use crate::dialect::{self, Dialect, SystemField};
use crate::json::{Json, Limits, Listed, Unproved, Value};
use crate::report::Report;
use crate::target::Target;
use crate::transcript::{Container, Role};
use crate::write::{self, Items, Written};

/// Bytes of a section: what is made of it should still be near when it is asked for.
const SECTION: usize = if cfg!(test) { 400 } else { 1 << 17 };

/// What is shorter stays near as a whole.
const LEAST: usize = if cfg!(test) { 2 * SECTION } else { 1 << 24 };

/// Where a list of messages can be cut.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// From the first message to the last
    messages: Range<usize>,
    count: usize,
    cuts: Vec<Cut>,
    /// Who said the last message, if it seems to be nothing but words
    by: Option<Role>,
}

/// Where one section ends and the next begins.
#[derive(Clone, Debug)]
struct Cut {
    /// What stands between two messages
    gap: Range<usize>,
    /// How many messages stand before it
    behind: usize,
}

/// Some of the messages, one behind the other.
struct Part {
    /// What stands between them and those before
    gap: Range<usize>,
    messages: Range<usize>,
    count: usize,
    /// How many stand before them
    behind: usize,
    is_last: bool,
}

impl Sections {
    /// Those of a text that is proved here and not kept.
    pub(super) fn prove(input: &[u8], dialect: Dialect, limits: Limits) -> Result<Self, Unproved> {
        let ([list], SystemField::InList) = (dialect.list_keys(), dialect.spec().system) else { return Err(Unproved) };
        let mut listed = Listed::open(input, list, limits)?;
        let mut sections = Self::default();
        while let Some(message) = listed.item()? {
            sections.note(listed.place(&message), message.root());
            listed.drop(message);
        }
        listed.close()?;
        Ok(sections)
    }

    /// Those of a text that is proved. None where its messages are in no list, or more than them is said.
    pub(super) fn of(json: &Json<'_>, dialect: Dialect) -> Self {
        let mut sections = Self::default();
        if let Ok(layout) = dialect::layout(json, dialect)
            && matches!(layout.container, Container::Object { .. } | Container::List { .. })
            && layout.system.is_none()
            && !json.has_lone_surrogates()
        {
            for message in layout.messages {
                sections.note(message.span(), message);
            }
        }
        sections
    }

    /// Whether runs of plain messages spare less: hardly any message is plain, and an index of all of them is large.
    pub(super) fn spare_more_than(&self, plain: &Plain<'_>) -> bool {
        plain.messages() < self.count / 2
    }

    /// Notes the next message, and where it stands.
    fn note(&mut self, at: Range<usize>, message: Value<'_>) {
        let by = speaker(message);
        let since = self.cuts.last().map_or(self.messages.start, |cut| cut.gap.end);
        if (self.by, by) == (Some(Role::Assistant), Some(Role::User)) && self.messages.end - since >= SECTION {
            self.cuts.push(Cut { gap: self.messages.end..at.start, behind: self.count });
        }
        if self.count == 0 {
            self.messages.start = at.start;
        }
        self.messages.end = at.end;
        self.count += 1;
        self.by = by;
    }

    /// Each section, of at least so many bytes but the last.
    fn parts(&self, least: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut since = Cut { gap: self.messages.start..self.messages.start, behind: 0 };
        let end = Cut { gap: self.messages.end..self.messages.end, behind: self.count };
        for (cut, is_last) in self.cuts.iter().map(|cut| (cut, false)).chain([(&end, true)]) {
            if is_last || cut.gap.start - since.gap.end >= least {
                let Cut { gap, behind } = std::mem::replace(&mut since, cut.clone());
                let messages = gap.end..cut.gap.start;
                parts.push(Part { gap, messages, count: cut.behind - behind, behind, is_last });
            }
        }
        parts
    }
}

/// Who seems to say a message, and nothing but words. Only who reads it knows.
fn speaker(message: Value<'_>) -> Option<Role> {
    let role = message.get("role")?;
    if role.is_str("user") {
        return Some(Role::User);
    }
    let is_turn = role.is_str("assistant") || role.is_str("model");
    (is_turn && message.get("tool_calls").is_none()).then_some(Role::Assistant)
}

/// Whether it is known of a text of this length that it could be cut.
pub(super) fn may_be_cut(length: usize, dialect: Dialect, target: &Target) -> bool {
    // Servers of its own dialect may ask of each turn what another one has (DeepSeek: reasoning, where a turn before has calls).
    let is_known = target.dialect != dialect || plain::is_known(dialect, target);
    length > LEAST
        && dialect == Dialect::OpenAiChat
        && is_known
        && !target.dialect.is_fragment()
        && !write::are_numbered(target.dialect)
}

/// Writes a text by its sections; `None` where they are not apart. What it says quotes the text.
pub(super) fn write(
    text: &str,
    sections: &Sections,
    dialect: Dialect,
    options: &Options<'_>,
    target: &Target,
) -> Option<(Written, Report<'static>)> {
    let (in_front, behind) = (&text[..sections.messages.start], &text[sections.messages.end..]);
    // All that stands around the list is gone through with each of them.
    let parts = sections.parts(SECTION.max(4 * (in_front.len() + behind.len())));
    let [first, middle @ .., last] = parts.as_slice() else { return None };
    // Each is a history to all that follows.
    let options = Options { from: From::Dialect(dialect), to: Some(target), ..options.clone() };
    let history = Options { mode: Mode::History, ..options.clone() };
    let read_from = if in_front.trim_start().starts_with('{') { "/messages" } else { "" };
    let (mut apart, mut document) = (Apart::of(target), String::new());
    let mut made = |part: &Part, options: &Options<'_>| {
        document.clear();
        document.extend([in_front, &text[part.messages.clone()], behind]);
        let mut own = Report::default();
        let made = section(&document, part, dialect, options, &mut apart, &mut own)?;
        for entry in own.all_mut() {
            entry.quote_elsewhere(|start| match start as usize {
                start if start < in_front.len() => start as u32,
                start if start < in_front.len() + part.messages.len() => {
                    (start - in_front.len() + part.messages.start) as u32
                }
                start => (start + text.len() - document.len()) as u32,
            });
        }
        // What was not written is as it was read.
        let span = in_front.len()..in_front.len() + part.messages.len();
        let as_read = || Items { span, as_read: true, list: read_from.to_owned(), count: part.count };
        Some(match made {
            Some(Written { text, list, .. }) => (text, list?, own),
            None => (document.clone(), as_read(), own),
        })
    };
    let (first_text, of_first, own) = made(first, &history)?;
    let mut told = Told::of(read_from, &of_first.list);
    told.add(first, &of_first, own)?;
    // What is not apart stands at the end more often than elsewhere, and is known before all else is written.
    let (last_text, of_last, own_of_last) = made(last, &options)?;
    let between = |gap: &Range<usize>| if of_first.as_read { &text[gap.clone()] } else { "," };
    let more = if dialect == target.dialect { text.len() / 8 } else { text.len() / 2 };
    let mut whole = String::with_capacity(text.len() + more);
    whole.push_str(&first_text[..of_first.span.end]);
    for part in middle {
        let (section, list, own) = made(part, &history)?;
        told.add(part, &list, own)?;
        whole.extend([between(&part.gap), &section[list.span]]);
    }
    told.add(last, &of_last, own_of_last)?;
    whole.extend([between(&last.gap), &last_text[of_last.span], &first_text[of_first.span.end..]]);
    let mut report = told.said()?;
    report.changed = is_changed(&report, dialect, target);
    Some((Written::whole(whole), report))
}

/// One section as a document of its own, if it is apart from all before; nothing in it where that is the text itself.
#[expect(clippy::option_option, reason = "nothing to write, or no answer")]
fn section(
    document: &str,
    part: &Part,
    dialect: Dialect,
    options: &Options<'_>,
    apart: &mut Apart,
    own: &mut Report<'static>,
) -> Option<Option<Written>> {
    let target = options.to?;
    let json = parse(document, options).ok()?;
    let is_respelled = with_each_key_once(&json, own).is_some()
        || readable(&json, dialect, &Plain::default(), options, target, own).ok()?.is_some();
    if is_respelled {
        return None;
    }
    let asked = asked(target, options, How::WHOLE);
    name_ends(own, dialect, target);
    let mut transcript = dialect::read_by(&json, dialect, asked.steps, &[], own).ok()?;
    apart.add(&transcript)?;
    let mut wires = dialect::layout(&json, dialect).ok()?.messages.map(Value::index);
    let ends = [wires.next()?, wires.last()?];
    mend(&mut transcript, &json, &asked, own);
    let sources = [transcript.messages.first()?.source?, transcript.messages.last()?.source?];
    let (is_first, is_last) = (part.behind == 0, part.is_last);
    let are_kept = (is_first || sources[0] == ends[0]) && (is_last || sources[1] == ends[1]);
    let written = write::write(&mut transcript, &json, &asked, own).ok()?;
    let [first, last] = [transcript.messages.first()?, transcript.messages.last()?];
    let opens = is_first || first.role == Role::User && !first.blocks.is_empty();
    let closes = is_last || last.role == Role::Assistant && !last.blocks.is_empty() && last.calls().next().is_none();
    (are_kept && opens && closes).then_some(written)
}

#[cfg(test)]
mod tests;
