//! Fields that a canonical transcript carries for another dialect, on their way there: whether that dialect knows them.

use crate::step::Steps;
use crate::{print, read, repair};
use wirecanon_json::{Json, Limits, PointerCursor};
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::target::Target;
use wirecanon_model::transcript::{Message, Native, Transcript};
use wirecanon_model::{Dialect, Mode, rule};

/// Leaves out what a message carries for the target's dialect if that dialect would have to mend it: a canonical transcript
/// may come from anyone. Each message that carries something is written alone and read back, so this is linear.
pub(crate) fn prove<'a>(
    transcript: &mut Transcript<'a>,
    json: &'a Json<'a>,
    target: &Target,
    report: &mut Report<'static>,
) {
    if transcript.dialect != Dialect::Canonical || target.dialect == Dialect::Canonical {
        return;
    }
    let name = target.dialect.name();
    let mut cursor = PointerCursor::default();
    for message in &mut transcript.messages {
        if natives(message).all(|native| native.of(name).is_empty()) {
            continue;
        }
        let with = complaints(json, target, message);
        if with.is_empty() {
            continue;
        }
        let mut taken: Vec<_> = slots(message).map(std::mem::take).collect();
        let without = complaints(json, target, message);
        let is_malformed = with.iter().any(|rule| count(&with, rule) > count(&without, rule));
        if is_malformed {
            for native in taken.iter_mut().flatten() {
                native.dialects.retain(|(dialect, _)| dialect != name);
            }
        }
        for (slot, native) in slots(message).zip(taken) {
            *slot = native;
        }
        if is_malformed {
            message.blocks.iter_mut().for_each(|block| block.projected = false);
            let words = format!("what `native` holds is nothing that {name} has; it was left out");
            let mut entry = Entry::new(&rule::NATIVE_MALFORMED, Stage::Write, Severity::Loss, words);
            if let Some(source) = message.source {
                entry = entry.at(json.value(source), &mut cursor);
            }
            entry.about = std::num::NonZeroU32::new(message.id);
            report.add(entry);
        }
    }
}

fn natives<'m, 'a>(message: &'m Message<'a>) -> impl Iterator<Item = &'m Native<'a>> {
    let blocks = message.blocks.iter().map(|block| block.native.as_deref());
    std::iter::once(message.native.as_deref()).chain(blocks).flatten()
}

fn slots<'m, 'a>(message: &'m mut Message<'a>) -> impl Iterator<Item = &'m mut Option<Box<Native<'a>>>> {
    std::iter::once(&mut message.native).chain(message.blocks.iter_mut().map(|block| &mut block.native))
}

fn count(rules: &[&str], rule: &str) -> usize {
    rules.iter().filter(|found| **found == rule).count()
}

/// The rules by which the target's dialect would mend a message that stands alone.
fn complaints(json: &Json<'_>, target: &Target, message: &Message<'_>) -> Vec<&'static str> {
    const UNREADABLE: &[&str] = &["unreadable"];
    let text = print::alone(json, target, message);
    let limits = Limits { max_depth: usize::MAX };
    let Ok(json) = Json::parse(&text, &limits) else { return UNREADABLE.to_vec() };
    let mut report = Report::default();
    let typed = read::typed::without_wrong_types(&json, target.dialect, target, &mut report);
    let Ok(json) = typed.as_deref().map_or(Ok(json), |typed| Json::parse(typed, &limits)) else {
        return UNREADABLE.to_vec();
    };
    let Ok(mut transcript) = read::read(&json, target.dialect, &mut report) else { return UNREADABLE.to_vec() };
    let asked = repair::Asked { mode: Mode::History, any_order: false, steps: Steps::All };
    repair::repair(&mut transcript, &json, asked, &mut report);
    report.repairs.iter().map(|entry| entry.rule).collect()
}
