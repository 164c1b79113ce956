//! What was changed, where, by which rule, and whether anything was lost.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Deref;
use std::sync::Arc;

use serde::Serialize;
use serde::ser::SerializeStruct;

use crate::rule::Rule;

/// The step that made an entry.
///
/// ```
/// use wirecanon_core::{Dialect, Options, Stage, fix};
///
/// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let fixed = fix(late, &Options::new().from(Dialect::OpenAiChat))?;
/// assert_eq!(fixed.report.repairs[0].stage, Stage::Repair);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Turning the source into a transcript
    Read,
    /// Mending the transcript
    Repair,
    /// Turning the transcript into what the target takes
    Write,
}

/// How much an entry matters.
///
/// ```
/// use wirecanon_core::Severity;
///
/// assert!(Severity::Note < Severity::Mend && Severity::Ambiguous < Severity::Loss);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Seen and kept
    Note,
    /// Made right, nothing lost
    Mend,
    /// Said in another way because the target cannot take it as it was
    Adapt,
    /// More than one reading was possible; the cautious one was taken
    Ambiguous,
    /// Something is gone from the output
    Loss,
}

/// One change, or one thing that was seen and kept.
///
/// Kept small: a broken transcript of a million messages has as many of these.
///
/// ```
/// use wirecanon_core::{Entry, Severity, Stage, rule};
///
/// let rule = rule::by_id("orphan-tool-result").ok_or("no such rule")?;
/// let entry = Entry::new(rule, Stage::Repair, Severity::Loss, "nothing called for it");
/// assert!(entry.lost && entry.input.is_none());
/// assert_eq!((entry.rule, entry.class()), ("orphan-tool-result", "pairing"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Id of the rule
    pub rule: &'static str,
    /// The step that made it
    pub stage: Stage,
    /// How much it matters
    pub severity: Severity,
    /// JSON Pointer into the input; `None` where the input has no such place
    pub input: Option<Box<str>>,
    /// JSON Pointer into the output; `None` where the output has no such place
    pub output: Option<Box<str>>,
    /// Whether something of the input is in no form in the output
    pub lost: bool,
    /// The exact JSON text of what stood in the input, whole
    pub original: Option<Original<'a>>,
    /// What happened, in words
    pub message: Cow<'static, str>,
    /// The message or block it is about, to find `output`
    #[doc(hidden)]
    pub about: Option<NonZeroU32>,
    /// Where `original` stands in the text that is read, until it is quoted
    place: Option<(u32, u32)>,
}

impl Serialize for Entry<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entry = serializer.serialize_struct("Entry", 9)?;
        entry.serialize_field("rule", self.rule)?;
        entry.serialize_field("class", self.class())?;
        entry.serialize_field("stage", &self.stage)?;
        entry.serialize_field("severity", &self.severity)?;
        entry.serialize_field("in", &self.input)?;
        entry.serialize_field("out", &self.output)?;
        entry.serialize_field("lost", &self.lost)?;
        entry.serialize_field("original", &self.original)?;
        entry.serialize_field("message", &self.message)?;
        entry.end()
    }
}

/// As a JSON value where it is one that `serde_json` can hold (no lone surrogates, no `1e999`, not too deep), else as its
/// text in a string.
impl Serialize for Original<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&serde_json::value::RawValue>(self) {
            Ok(raw) if !crate::json::has_lone_surrogate(self) => raw.serialize(serializer),
            _ => serializer.serialize_str(self),
        }
    }
}

/// What stood in the input. Reads as a `str`. Where the text that was read is the input itself, it is a part of it.
///
/// ```
/// use wirecanon_core::{Dialect, Options, fix};
///
/// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let fixed = fix(late, &Options::new().from(Dialect::OpenAiChat))?;
/// let original = fixed.report.repairs[0].original.as_deref();
/// assert_eq!(original, Some(r#"{"role":"tool","tool_call_id":"x","content":"late"}"#));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Original<'a> {
    text: Text<'a>,
    start: u32,
    end: u32,
}

/// What an original is a part of.
#[derive(Clone)]
enum Text<'a> {
    Input(&'a str),
    /// Shared with other originals, or no more than this one
    Copy(Arc<str>),
}

impl Deref for Original<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        let text = match &self.text {
            Text::Input(text) => text,
            Text::Copy(text) => &**text,
        };
        &text[self.start as usize..self.end as usize]
    }
}

/// A text that lives no longer than what is quoted of it: each part is copied by itself, or where they are more than a sixteenth
/// of the text, which they may hold many times, it is copied once.
struct Copier<'t> {
    text: &'t str,
    whole: Option<Arc<str>>,
}

impl<'t> Copier<'t> {
    fn new(text: &'t str, parts: impl Iterator<Item = usize>) -> Self {
        Self { text, whole: (parts.sum::<usize>() * 16 > text.len()).then(|| text.into()) }
    }

    fn part(&self, start: u32, end: u32) -> Original<'static> {
        match &self.whole {
            Some(whole) => Original { text: Text::Copy(Arc::clone(whole)), start, end },
            None => {
                let part = &self.text[start as usize..end as usize];
                Original { text: Text::Copy(part.into()), start: 0, end: end - start }
            }
        }
    }
}

impl<'a> Original<'a> {
    /// Where it stands in the input, if it is a part of it.
    fn of_input(&self) -> Option<(&'a str, u32, u32)> {
        match self.text {
            Text::Input(text) => Some((text, self.start, self.end)),
            Text::Copy(_) => None,
        }
    }
}

impl fmt::Debug for Original<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl PartialEq for Original<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Original<'_> {}

/// An id or a name that was rewritten.
///
/// ```
/// use wirecanon_core::{Dialect, Options, Target, fix};
///
/// let history = br#"[{"role":"user","content":"hi"},
///     {"role":"assistant","content":[{"type":"tool_use","id":"a|b","name":"look","input":{}}]},
///     {"role":"user","content":[{"type":"tool_result","tool_use_id":"a|b","content":"a cat"}]}]"#;
/// let fixed = fix(history, &Options::new().from(Dialect::AnthropicMessages).to(Target::by_name("anthropic")?))?;
/// let renamed = &fixed.report.ids[0];
/// assert_eq!(renamed.from, "a|b");
/// assert_eq!(renamed.input.as_deref(), Some("/1/content/0"));
/// assert!(renamed.to.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Renamed {
    /// As the input has it
    pub from: String,
    /// As the output has it
    pub to: String,
    /// JSON Pointer into the input of the call it belongs to
    #[serde(rename = "in")]
    pub input: Option<String>,
}

/// Everything that a conversion has to say. `repairs` are entries where a byte differs for a reason; `notes` were seen and
/// kept.
///
/// ```
/// use wirecanon_core::{Entry, Report, Severity, Stage, rule};
///
/// let rule = rule::by_id("orphan-tool-result").ok_or("no such rule")?;
/// let mut report = Report::default();
/// report.add(Entry::new(rule, Stage::Repair, Severity::Loss, "nothing called for it"));
/// report.add(Entry::new(rule, Stage::Repair, Severity::Note, "seen and kept"));
/// assert_eq!((report.repairs.len(), report.notes.len()), (1, 1));
/// assert_eq!(report.losses().count(), 1);
/// assert_eq!(report.entries().count(), report.of_rule("orphan-tool-result").count());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report<'a> {
    /// Dialect that was read
    pub from: String,
    /// Dialect or target that was written
    pub to: String,
    /// Whether anything was mended: any read or repair entry, or a write entry when the dialect stayed the same
    pub changed: bool,
    /// In the order they were made
    pub repairs: Vec<Entry<'a>>,
    /// In the order they were made
    pub notes: Vec<Entry<'a>>,
    /// Call ids that were rewritten
    pub ids: Vec<Renamed>,
    /// Tool names that were rewritten
    pub names: Vec<Renamed>,
    /// Profiles of the target that the model or the settings of the request selected
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
}

impl<'a> Report<'a> {
    /// Adds an entry to the list that it belongs to.
    ///
    /// ```
    /// use wirecanon_core::{Entry, Report, Severity, Stage, rule};
    ///
    /// let mut report = Report::default();
    /// report.add(Entry::new(&rule::BLANK_TEXT, Stage::Repair, Severity::Mend, "a text without a word is left out"));
    /// report.add(Entry::new(&rule::DIALECT_DETECTED, Stage::Read, Severity::Note, "read as openai.chat"));
    /// assert_eq!((report.repairs[0].rule, report.notes[0].rule), ("blank-text", "dialect-detected"));
    /// ```
    pub fn add(&mut self, entry: Entry<'a>) {
        if entry.severity == Severity::Note { self.notes.push(entry) } else { self.repairs.push(entry) }
    }

    /// Quotes what entries have found in the input.
    #[doc(hidden)]
    #[must_use]
    pub fn quoting(mut self, text: &'a str) -> Self {
        for entry in self.all_mut() {
            if let Some((start, end)) = entry.place.take() {
                entry.original = Some(Original { text: Text::Input(text), start, end });
            }
        }
        self
    }

    /// Quotes what entries have found in a text that is not the input.
    #[doc(hidden)]
    pub fn quote_copied(&mut self, text: &str) {
        let places = self.all_mut().filter_map(|entry| entry.place);
        let copier = Copier::new(text, places.map(|(start, end)| (end - start) as usize));
        for entry in self.all_mut() {
            if let Some((start, end)) = entry.place.take() {
                entry.original = Some(copier.part(start, end));
            }
        }
    }

    /// Adds what another one says.
    #[doc(hidden)]
    pub fn add_all(&mut self, other: Self) {
        (self.from, self.to) = (other.from, other.to);
        self.changed |= other.changed;
        self.repairs.extend(other.repairs);
        self.notes.extend(other.notes);
        self.ids.extend(other.ids);
        self.names.extend(other.names);
        self.profiles.extend(other.profiles);
    }

    /// Iterates over all entries, mutably.
    #[doc(hidden)]
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Entry<'a>> {
        self.repairs.iter_mut().chain(&mut self.notes)
    }

    /// The same report, which borrows nothing of the input: what it quotes is copied.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, Report, fix};
    ///
    /// fn told(input: Vec<u8>) -> Result<Report<'static>, wirecanon_core::Error> {
    ///     Ok(fix(&input, &Options::new().from(Dialect::OpenAiChat))?.report.into_owned())
    /// }
    /// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// assert_eq!(told(late.to_vec())?, fix(late, &Options::new().from(Dialect::OpenAiChat))?.report);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn into_owned(self) -> Report<'static> {
        let quoted = || self.entries().filter_map(|entry| entry.original.as_ref()?.of_input());
        // They are of one text, unless somebody put the entries of two reports into one.
        let text = quoted().next().map_or("", |(text, ..)| text);
        let copier = Copier::new(text, quoted().map(|(_, start, end)| (end - start) as usize));
        let owned = |entries: Vec<Entry<'_>>| entries.into_iter().map(|entry| entry.copied_by(&copier)).collect();
        let Self { from, to, changed, repairs, notes, ids, names, profiles } = self;
        Report { from, to, changed, repairs: owned(repairs), notes: owned(notes), ids, names, profiles }
    }

    /// Everything that is said: what was changed, and then what was seen and kept.
    ///
    /// ```
    /// use wirecanon_core::{Options, Severity, fix};
    ///
    /// let fixed = fix(br#"[{"role":"user","content":"hi"}]"#, &Options::new())?;
    /// assert!(fixed.report.entries().all(|entry| entry.severity == Severity::Note));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.repairs.iter().chain(&self.notes)
    }

    /// What is said by one rule, by its id.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, fix};
    ///
    /// let text = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// let fixed = fix(text, &Options::new().from(Dialect::OpenAiChat))?;
    /// assert_eq!(fixed.report.of_rule("orphan-tool-result").count(), 1);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn of_rule(&self, rule: &str) -> impl Iterator<Item = &Entry<'a>> {
        self.entries().filter(move |entry| entry.rule == rule)
    }

    /// Entries that say that something is gone.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, fix};
    ///
    /// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// let fixed = fix(late, &Options::new().from(Dialect::OpenAiChat))?;
    /// let lost: Vec<_> = fixed.report.losses().map(|entry| (entry.rule, entry.input.as_deref())).collect();
    /// assert_eq!(lost, [("orphan-tool-result", Some("/1"))]);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn losses(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.repairs.iter().filter(|entry| entry.lost)
    }
}

impl Entry<'_> {
    /// Class of the rule.
    ///
    /// ```
    /// use wirecanon_core::{Entry, Severity, Stage, rule};
    ///
    /// let entry = Entry::new(&rule::IMAGE_WITHOUT_DATA, Stage::Repair, Severity::Loss, "there is no data");
    /// assert_eq!(entry.class(), "image-media-malformed");
    /// ```
    pub fn class(&self) -> &'static str {
        crate::rule::by_id(self.rule).map_or("", |rule| rule.class.slug())
    }

    /// An entry without a place. The message is a sentence without its full stop.
    ///
    /// ```
    /// use wirecanon_core::{Entry, Severity, Stage, rule};
    ///
    /// let entry = Entry::new(&rule::ORPHAN_TOOL_RESULT, Stage::Repair, Severity::Loss, "nothing called for it");
    /// assert_eq!((entry.rule, entry.lost, entry.input), ("orphan-tool-result", true, None));
    /// ```
    pub fn new(rule: &'static Rule, stage: Stage, severity: Severity, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            rule: rule.id,
            stage,
            severity,
            input: None,
            output: None,
            lost: severity == Severity::Loss,
            original: None,
            message: message.into(),
            about: None,
            place: None,
        }
    }

    /// The same entry, which borrows nothing of the input.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Entry, Options, fix};
    ///
    /// fn first(input: Vec<u8>) -> Result<Option<Entry<'static>>, wirecanon_core::Error> {
    ///     let report = fix(&input, &Options::new().from(Dialect::OpenAiChat))?.report;
    ///     Ok(report.repairs.into_iter().next().map(Entry::into_owned))
    /// }
    /// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// let entry = first(late.to_vec())?.ok_or("nothing was wrong")?;
    /// assert!(entry.original.is_some_and(|original| original.contains("late")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_owned(self) -> Entry<'static> {
        self.copied_by(&Copier { text: "", whole: None })
    }

    fn copied_by(self, copier: &Copier<'_>) -> Entry<'static> {
        let original = self.original.map(|original| match original {
            Original { text: Text::Input(text), start, end } if std::ptr::eq(text, copier.text) => {
                copier.part(start, end)
            }
            Original { text: Text::Input(text), start, end } => Copier { text, whole: None }.part(start, end),
            Original { text: Text::Copy(text), start, end } => Original { text: Text::Copy(text), start, end },
        });
        let Self { rule, stage, severity, input, output, lost, message, about, place, .. } = self;
        Entry { rule, stage, severity, input, output, lost, original, message, about, place }
    }

    /// Adds the place in the input, of which the report quotes what stood there.
    #[must_use]
    #[doc(hidden)]
    pub fn at(mut self, value: crate::json::Value<'_>, cursor: &mut crate::json::PointerCursor) -> Self {
        self.input = Some(cursor.pointer_to(value).into());
        let span = value.span();
        self.place = Some((span.start as u32, span.end as u32));
        self
    }

    /// Quotes a part of the place alone: an object may be the place of as many entries as it has keys.
    #[must_use]
    #[doc(hidden)]
    pub fn quote_only(mut self, part: crate::json::Value<'_>) -> Self {
        let span = part.span();
        self.place = Some((span.start as u32, span.end as u32));
        self
    }

    /// Says that it is about the whole text.
    #[must_use]
    #[doc(hidden)]
    pub fn in_the_whole(mut self) -> Self {
        self.input = Some(Box::default());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Json, Limits, PointerCursor};
    use crate::rule;

    /// Entries are anybody's to move from report to report.
    #[test]
    fn each_entry_quotes_its_own_text() {
        let said_of = |text: &'static str| {
            let json = Json::parse(text, &Limits::default()).unwrap();
            let entry = Entry::new(&rule::BLANK_TEXT, Stage::Read, Severity::Mend, "said of all");
            let mut report = Report::default();
            report.add(entry.at(json.root(), &mut PointerCursor::default()));
            report.quoting(text)
        };
        let (mut both, other) = (said_of("[1]"), said_of("{\"longer\":[]}"));
        both.repairs.extend(other.repairs);
        assert_eq!(both, both.clone().into_owned());
    }

    /// However often parts of a text are quoted, no more than one copy of it is made: thousands of entries may quote one message.
    #[test]
    fn what_quotes_much_of_a_text_shares_one_copy() {
        let words = "word ".repeat(1000);
        let text = format!("[\"{words}\",1]");
        let json = Json::parse(&text, &Limits::default()).unwrap();
        let said_of = |index: u32, times: usize| {
            let mut report = Report::default();
            for _ in 0..times {
                let entry = Entry::new(&rule::BLANK_TEXT, Stage::Read, Severity::Mend, "said again");
                report.add(entry.at(json.value(index), &mut PointerCursor::default()));
            }
            report
        };
        let copies = |report: &Report<'_>| {
            let mut copies: Vec<_> = Vec::new();
            for original in report.entries().filter_map(|entry| entry.original.as_ref()) {
                if let Text::Copy(text) = &original.text
                    && !copies.iter().any(|copy| Arc::ptr_eq(copy, text))
                {
                    copies.push(Arc::clone(text));
                }
            }
            copies.len()
        };
        for (index, times, expected) in [(1, 100, 1), (2, 3, 3)] {
            let of_input = said_of(index, times).quoting(&text);
            let mut copied = said_of(index, times);
            copied.quote_copied(&text);
            let owned = of_input.clone().into_owned();
            assert_eq!([copies(&of_input), copies(&copied), copies(&owned)], [0, expected, expected]);
            assert_eq!((&of_input, &copied), (&owned, &owned));
            assert!(owned.entries().all(|entry| entry.original.as_deref() == Some(json.value(index).raw())));
        }
    }
}
