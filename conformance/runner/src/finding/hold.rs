//! Whether a finding is still so.

use std::collections::BTreeSet;

use serde_json::Value as Out;
use wirecanon_core::json::{Json, Limits, pointer_key, resolve};
use wirecanon_core::target::Level;
use wirecanon_judge::case::violations;
use wirecanon_judge::compare;
use wirecanon_judge::judge::{Judgement, judge, lost};
use wirecanon_judge::plain::shorten;
use wirecanon_judge::reason;

use super::answers::{Answers, Key};
use super::{Differs, Finding, Pin, Probe};
use crate::testee::Answer;

/// What was said of one finding.
#[derive(Debug)]
pub struct Outcome<'f> {
    /// The finding
    pub finding: &'f Finding,
    /// The answer that shows it, and what the judge says of it; nothing where it was not asked
    pub said: Option<(&'f Answer, Judgement)>,
    /// Why it is not so any more, of the finding itself and of what else is said to show it; empty if it is so
    pub gone: Vec<String>,
    /// Questions of it that nobody answered
    pub unasked: Vec<&'f Probe>,
}

impl Outcome<'_> {
    /// Whether it was asked, and what was asked is so.
    pub fn is_so(&self) -> bool {
        self.said.is_some() && self.gone.is_empty()
    }

    /// Whether it is so, and wherever else it is said to be.
    pub fn holds(&self) -> bool {
        self.is_so() && self.unasked.is_empty()
    }
}

/// Holds a finding against these answers.
pub fn hold<'f>(finding: &'f Finding, answers: &'f Answers) -> Outcome<'f> {
    let mut outcome = Outcome { finding, said: None, gone: Vec::new(), unasked: Vec::new() };
    match answers.get(&Key::of(&finding.probe)) {
        None => outcome.unasked.push(&finding.probe),
        Some(answer) => {
            let said = judged(&finding.probe, answer);
            if said.verdict != finding.verdict {
                outcome.gone.push(format!("the verdict is {}, not {}", said.verdict.name(), finding.verdict.name()));
            }
            pinned(&finding.because, &said, &mut outcome.gone);
            different(finding, &finding.probe, answer, &mut outcome.gone);
            outcome.said = Some((answer, said));
        }
    }
    for also in &finding.also {
        let Some(answer) = answers.get(&Key::of(&also.probe)) else {
            outcome.unasked.push(&also.probe);
            continue;
        };
        let said = judged(&also.probe, answer);
        let mut gone = Vec::new();
        if matches!(answer, Answer::Unsupported(_)) {
            gone.push("it was not answered".to_owned());
        }
        pinned(&also.because, &said, &mut gone);
        if also.differs {
            different(finding, &also.probe, answer, &mut gone);
        }
        let Probe { testee, of, target, .. } = &also.probe;
        outcome.gone.extend(gone.into_iter().map(|why| format!("also {testee}, {of} to {}: {why}", target.name)));
    }
    outcome
}

fn judged(probe: &Probe, answer: &Answer) -> Judgement {
    let mut said = judge(&probe.case, probe.target, answer, false);
    // A finding may be about a text that is gone, whatever the verdict is.
    if let Answer::Output { bytes, exact, .. } = answer
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        said.lost = lost(&probe.case, probe.target, text, *exact);
    }
    said
}

fn pinned(because: &[Pin], said: &Judgement, gone: &mut Vec<String>) {
    for pin in because.iter().filter(|pin| !pin.is_said(said)) {
        let reasons = reason::of(said).join(", ");
        let reasons = if reasons.is_empty() { "nothing".to_owned() } else { shorten(&reasons, 300) };
        gone.push(format!("`{pin}` is not said; what is said: {}, {reasons}", said.verdict.name()));
    }
}

fn different(finding: &Finding, probe: &Probe, answer: &Answer, gone: &mut Vec<String>) {
    if finding.differs.is_empty() {
        return;
    }
    let Answer::Output { bytes, .. } = answer else {
        return gone.push("there is no output to look at".to_owned());
    };
    let text = String::from_utf8_lossy(bytes);
    let Ok(json) = Json::parse(&text, &Limits::default()) else {
        return gone.push("the output is not JSON".to_owned());
    };
    for differs in &finding.differs {
        let found = resolve(json.root(), &differs.at);
        let is_so = match (&differs.stands, found) {
            (None, found) => found.is_none(),
            (Some(_), None) => false,
            (Some(stands), Some(found)) => Json::parse(stands, &Limits::default())
                .is_ok_and(|stands| compare::difference(stands.root(), found).is_none()),
        };
        if !is_so {
            let found = found.map_or_else(|| "nothing".to_owned(), |found| shorten(found.raw(), 120));
            gone.push(format!("at {} stands {found}", differs.at));
        }
    }
    // Fair is only what the server would have taken.
    if gone.is_empty()
        && let Some(right) = with_what_must(&text, &finding.differs)
    {
        let broken = |text: &str| -> BTreeSet<String> {
            let violations = violations(text.as_bytes(), probe.target, probe.case.is_fragment()).unwrap_or_default();
            let errors = violations.into_iter().filter(|broken| broken.severity == Level::Error);
            errors.map(|broken| broken.rule.to_owned()).collect()
        };
        let before = broken(&text);
        if let Some(rule) = broken(&right).difference(&before).next() {
            gone.push(format!("what the finding says must stand there breaks `{rule}` itself"));
        }
    }
}

/// The output as it must have been; none where a value has no place in it.
fn with_what_must(text: &str, differs: &[Differs]) -> Option<String> {
    let mut output: Out = serde_json::from_str(text).ok()?;
    for differs in differs {
        let must = differs.must.as_deref().map(serde_json::from_str::<Out>).transpose().ok()?;
        let Some((parent, key)) = differs.at.rsplit_once('/') else {
            output = must?;
            continue;
        };
        let key = pointer_key(key);
        match (output.pointer_mut(parent)?, must) {
            (Out::Object(members), Some(must)) => drop(members.insert(key, must)),
            (Out::Object(members), None) => drop(members.remove(&key)),
            (Out::Array(items), Some(must)) => {
                let at: usize = key.parse().ok()?;
                if at < items.len() { items[at] = must } else { items.push(must) }
            }
            (Out::Array(items), None) => {
                let at: usize = key.parse().ok()?;
                if at < items.len() {
                    items.remove(at);
                }
            }
            _ => return None,
        }
    }
    serde_json::to_string(&output).ok()
}
