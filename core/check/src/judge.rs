//! What is collected while a text is judged.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::{CheckOptions, Violation};
use wirecanon_json::{Json, Limits, PointerCursor, Value};
use wirecanon_model::Mode;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::{Level, Target};

/// The rules in force, and what broke them so far.
pub(super) struct Judge<'o> {
    pub(super) target: &'o Target,
    /// The transcript is to be sent now: open calls, opening and closing turns are judged
    pub(super) sent: bool,
    /// Calls and results must fit together
    pub(super) pairing: bool,
    pub(super) limits: Limits,
    /// How many pictures were seen
    pub(super) pictures: usize,
    /// Those that are too large where there are many
    pub(super) large: Vec<u32>,
    /// Where pictures and documents stand, in the order of the text, and whether it is a document
    media: Vec<(u32, bool)>,
    found: Vec<Found>,
}

/// A violation whose pointer is not yet written: pointers are cheap only in the order of the text.
struct Found {
    at: u32,
    rule: &'static Rule,
    severity: Level,
    message: String,
}

impl<'o> Judge<'o> {
    pub(super) fn new(target: &'o Target, options: &CheckOptions<'_>) -> Self {
        Self {
            target,
            sent: options.mode == Mode::Request,
            pairing: !options.fragment,
            limits: options.limits,
            pictures: 0,
            large: Vec::new(),
            media: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Records that `at` violates `rule`, with the severity that the target gives the rule.
    pub(super) fn say(&mut self, rule: &'static Rule, at: Value<'_>, message: impl Into<String>) {
        self.record(rule, self.severity(rule), at, message);
    }

    /// Records that `at` violates `rule`, which the target refuses here whatever severity the rule has elsewhere.
    pub(super) fn refuse(&mut self, rule: &'static Rule, at: Value<'_>, message: impl Into<String>) {
        self.record(rule, Level::Error, at, message);
    }

    /// Records that the target accepts `at`, although it violates `rule`.
    pub(super) fn warn(&mut self, rule: &'static Rule, at: Value<'_>, message: impl Into<String>) {
        self.record(rule, self.severity(rule).min(Level::Warning), at, message);
    }

    /// Returns the severity that the target gives a rule.
    pub(super) fn severity(&self, rule: &Rule) -> Level {
        self.target.severity.get(rule.id).copied().unwrap_or_default()
    }

    fn record(&mut self, rule: &'static Rule, severity: Level, at: Value<'_>, message: impl Into<String>) {
        if severity != Level::Accepted {
            self.found.push(Found { at: at.index(), rule, severity, message: message.into() });
        }
    }

    /// What stands in strings that no shape decides: halves of surrogate pairs, and NUL.
    pub(super) fn strings(&mut self, json: &Json<'_>) {
        let nul = !self.target.content.nul && json.text().contains("\\u0000");
        if !json.has_lone_surrogates() && !nul {
            return;
        }
        for index in 0..json.len() as u32 {
            let value = json.value(index);
            if !value.is_string() {
                continue;
            }
            if wirecanon_json::has_lone_surrogate(value.raw()) {
                self.say(&rule::LONE_SURROGATE, value, "half of a surrogate pair stands alone");
            }
            if nul && value.as_str().is_some_and(|text| text.contains('\0')) {
                self.say(&rule::NUL_CHARACTER, value, "the target takes no NUL");
            }
        }
    }

    /// Judges that no object in the definitions of tools has a key twice.
    pub(super) fn definitions(&mut self, json: &Json<'_>) {
        let Some(tools) = json.root().get("tools") else { return };
        let end = tools.span().end;
        let inside = (tools.index()..json.len() as u32).map(|index| json.value(index));
        inside
            .take_while(|value| value.span().start < end)
            .filter(|value| value.is_object())
            .for_each(|object| self.keys(object));
    }

    /// Reports each key that stands twice in an object.
    pub(super) fn keys(&mut self, object: Value<'_>) {
        if !object.is_in_doubt() {
            return;
        }
        let mut known: HashSet<Cow<'_, str>> = HashSet::new();
        for (key, value) in object.members() {
            let Some(name) = key.as_str() else { continue };
            if known.contains(&name) {
                self.say(&rule::DUPLICATE_KEY, value, format!("`{name}` stands twice in one object"));
            } else {
                known.insert(name);
            }
        }
    }

    /// A picture or a document that counts.
    pub(super) fn medium(&mut self, at: Value<'_>, is_document: bool) {
        self.media.push((at.index(), is_document));
    }

    /// The oldest ones are too many, as it is the next one that the server refuses.
    fn counts(&mut self, json: &Json<'_>) {
        let limits = &self.target.media;
        let (most, most_documents) = (limits.max_media, limits.max_documents);
        let mut media = std::mem::take(&mut self.media);
        media.sort_unstable();
        let documents = media.iter().filter(|(_, is_document)| *is_document).count();
        let mut surplus = most_documents.map_or(0, |most| documents.saturating_sub(most));
        let mut over = most.map_or(0, |most| (media.len() - surplus).saturating_sub(most));
        let words = format!(
            "{documents} documents and {} images are more than the target takes in one request",
            media.len() - documents
        );
        for (at, is_document) in media {
            let left = if is_document && surplus > 0 { &mut surplus } else { &mut over };
            if *left > 0 {
                *left -= 1;
                self.say(&rule::TOO_MANY_MEDIA, json.value(at), words.clone());
            }
        }
    }

    /// Writes the pointers, in the order of the text.
    pub(super) fn finish(mut self, json: &Json<'_>) -> Vec<Violation> {
        self.counts(json);
        if self.target.media.many.is_some_and(|many| self.pictures > many) {
            for at in std::mem::take(&mut self.large) {
                let words = "a side is longer than the target takes where there are many pictures";
                self.say(&rule::IMAGE_TOO_LARGE, json.value(at), words);
            }
        }
        self.found.sort_by_key(|found| found.at);
        let mut cursor = PointerCursor::default();
        self.found
            .into_iter()
            .map(|found| {
                let value = json.value(found.at);
                Violation {
                    rule: found.rule.id,
                    severity: found.severity,
                    pointer: cursor.pointer(value),
                    span: value.span(),
                    message: found.message,
                }
            })
            .collect()
    }
}

/// A string member that is not empty.
pub(super) fn filled<'a>(object: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    object.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Whether nothing but white space stands in it.
pub(super) fn blank(text: &str) -> bool {
    text.trim().is_empty()
}
