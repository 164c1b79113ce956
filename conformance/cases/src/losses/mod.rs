//! What becomes of each thing that a transcript can say, in each target.
//!
//! Nothing here is written by hand: every answer is a small transcript (`probe`) that goes through a normalizer, what its
//! report says, and what comes back when its output is read again.

mod back;
mod own;
mod probe;

use serde::Serialize;
use serde_json::Value;
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::report::Report;
use wirecanon_core::{Dialect, From, Mode, Target};
use wirecanon_judge::loss;

pub use probe::{FEATURES, Feature};

use crate::conversion;
use probe::{Look, Probe};

wirecanon_judge::named! {
    /// What became of one thing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Fate(name, meaning) {
        /// The target says it, and nothing had to be mended
        Kept = "kept", "the target says it, and nothing had to be mended";
        /// Said in another way, and nothing is lost
        Adapted = "adapted", "said in another way, nothing lost";
        /// It became text, and nothing is lost
        Text = "text", "it became text, nothing lost";
        /// The target has no place for it; nobody's words are gone, at most a note says so
        LeftOut = "left-out", "the target has no place for it: nobody's words are gone, at most a note says so";
        /// Something is gone
        Lost = "lost", "something is gone; the report holds it whole";
        /// Nothing was written
        Refused = "refused", "nothing is written";
        /// The dialect that is read cannot say it in the first place
        Absent = "absent", "the dialect that is read cannot say it";
    }
}

/// One answer: what became of a feature on its way from a dialect to a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// `feature/target`, or `feature/from/target` where `from` is not canonical
    pub id: String,
    /// In words
    pub title: String,
    /// Id of the feature
    pub feature: &'static str,
    /// The dialect that was read
    pub from: &'static str,
    /// The dialect or target that was written
    pub target: String,
    /// What became of it
    pub outcome: Fate,
    /// Whether the output, read again, says the same
    pub back: bool,
    /// Rules that speak for the outcome; a refusal has its code
    pub rules: Vec<String>,
}

/// What becomes of every feature on the way from a dialect to a target. `None` where there is no such conversion at all.
pub fn answers(from: Dialect, target: &Target) -> Option<Vec<Answer>> {
    let exists = from == Dialect::Canonical || conversion::exists(from, target);
    exists.then(|| FEATURES.iter().filter_map(|feature| answer(&Reference, feature, from, target)).collect())
}

/// What a normalizer makes of one feature. `None` where the dialect has nothing of the sort: the corpus has no item and no
/// field that is its alone.
pub fn answer(normalizer: &dyn Normalizer, feature: &Feature, from: Dialect, target: &Target) -> Option<Answer> {
    let direct = from == Dialect::Canonical;
    let own = if direct { target.dialect } else { from };
    let probe = feature.probe(own, target.dialect.is_fragment() || from.is_fragment())?;
    let way = if direct {
        Way::take(normalizer, feature, &probe, target)
    } else {
        let first = Way::take(&Reference, feature, &probe, Target::of_dialect(from));
        if matches!(first.fate, Fate::Kept | Fate::Adapted) {
            Way::take(normalizer, feature, &Probe { dialect: from, text: first.output }, target)
        } else {
            Way { fate: Fate::Absent, ..first }
        }
    };
    let id = if direct {
        format!("{}/{}", feature.id, target.name)
    } else {
        format!("{}/{}/{}", feature.id, from.name(), target.name)
    };
    let (outcome, back) = (way.fate, way.back);
    let again = if back { ", comes back the same" } else { "" };
    let rules = if way.rules.is_empty() { String::new() } else { format!(": {}", way.rules.join(", ")) };
    let title = format!("{}: {}{again}{rules}", feature.title, outcome.name());
    let target = target.name.clone();
    Some(Answer { id, title, feature: feature.id, from: from.name(), target, outcome, back, rules: way.rules })
}

/// One way of one probe.
struct Way {
    fate: Fate,
    back: bool,
    rules: Vec<String>,
    output: String,
}

impl Way {
    fn take(normalizer: &dyn Normalizer, feature: &Feature, probe: &Probe, target: &Target) -> Self {
        let (output, report) = match convert(normalizer, probe, target) {
            Outcome::Output { bytes, report } => (String::from_utf8_lossy(&bytes).into_owned(), report),
            Outcome::Refused { code, .. } => return Self::refused(code),
            Outcome::Failed(_) => return Self::refused("other".to_owned()),
        };
        let report = report.map(|report| *report).unwrap_or_default();
        // Definitions of tools are no part of a canonical transcript.
        let home = if feature.look == Look::Tools { Dialect::OpenAiChat } else { Dialect::Canonical };
        let read = |probe: &Probe| match convert(&Reference, probe, Target::of_dialect(home)) {
            Outcome::Output { bytes, .. } => serde_json::from_slice(&bytes).ok(),
            _ => None,
        };
        let first = if probe.dialect == home { serde_json::from_str(&probe.text).ok() } else { read(probe) };
        let written = Probe { dialect: target.dialect, text: output };
        let second = if target.dialect == home { serde_json::from_str(&written.text).ok() } else { read(&written) };
        let first = first.unwrap_or(Value::Null);
        let back = second.as_ref().is_some_and(|second| back::same(&first, second, feature.look));
        let there = second.as_ref().is_some_and(|second| back::all_there(&first, second, feature.look));
        let words = back::words(&first);
        let again = second.as_ref().map_or_else(String::new, Value::to_string);
        // What stands in for a block of its own dialect stands only in what was read again.
        let missing = loss::lost(&again, &words);
        let gone = loss::lost(&written.text, &words).iter().any(|word| missing.contains(word));
        let fewer = second.is_none_or(|second| {
            let there = back::kinds(&second);
            back::kinds(&first).iter().any(|(kind, count)| there.get(kind).unwrap_or(&0) < count)
        });
        let (fate, rules) = fate(&report, back || there, gone, fewer);
        Self { fate, back, rules, output: written.text }
    }

    fn refused(code: String) -> Self {
        Self { fate: Fate::Refused, back: false, rules: vec![code], output: String::new() }
    }
}

/// The outcome and the rules that speak for it: by what the report says, and, where it says nothing, by what is missing.
fn fate(report: &Report, there: bool, gone: bool, fewer: bool) -> (Fate, Vec<String>) {
    let named = |rules: &mut dyn Iterator<Item = &'static str>| {
        let mut found: Vec<String> = Vec::new();
        for rule in rules {
            if !found.iter().any(|known| known == rule) {
                found.push(rule.to_owned());
            }
        }
        found
    };
    let losses = named(&mut report.losses().map(|entry| entry.rule));
    let repairs = named(&mut report.repairs.iter().map(|entry| entry.rule));
    let notes = named(&mut report.notes.iter().map(|entry| entry.rule));
    if !losses.is_empty() {
        (Fate::Lost, losses)
    } else if gone {
        (Fate::Lost, repairs)
    } else if !repairs.is_empty() {
        (if fewer { Fate::Text } else { Fate::Adapted }, repairs)
    } else if there {
        (Fate::Kept, Vec::new())
    } else {
        (Fate::LeftOut, notes)
    }
}

fn convert(normalizer: &dyn Normalizer, probe: &Probe, target: &Target) -> Outcome {
    normalizer.convert(&Request {
        input: probe.text.as_bytes(),
        from: From::Dialect(probe.dialect),
        to: target,
        mode: Mode::History,
        call_id: None,
    })
}
