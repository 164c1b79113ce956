//! Any bytes, in conversions that the bytes themselves pick.

use std::cell::RefCell;

use wirecanon_core::dialect::detect;
use wirecanon_core::invariant::{Case, Known, Verdict, check_all};
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, From, Mode, Target};

use crate::FuzzTarget;
use crate::change::Picks;
use crate::replay::Document;

/// Conversions of one input. There are more than two thousand; an input that is changed gets others, so that all come to
/// their turn, and two hundred inputs are tried in the time that one would take for all.
const CONVERSIONS: usize = 12;

/// Converts `data` in conversions that its digest picks, and asks every invariant that needs to know nothing about it.
///
/// Fails when an invariant is broken; the message has a command that shows it.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 8 * 1024, judge: |data| judge(data, &Reference), document: |_| Document::Itself };

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    picked(data).into_iter().try_for_each(|(from, target, mode)| judge_one(data, from, target, mode, normalizer))
}

/// Asks every invariant of one conversion.
fn judge_one(data: &[u8], from: From, target: &Target, mode: Mode, normalizer: &dyn Normalizer) -> Result<(), String> {
    let known = Known { may_refuse: true, ..Known::default() };
    let case = Case { mode, ..Case::bare(data, from, target, &known) };
    let asked = AskedOnce { normalizer, known: RefCell::new(Vec::new()) };
    let mut refused = false;
    for (invariant, verdict) in check_all(&asked, &case) {
        refused |= invariant.id == "P1" && matches!(verdict, Verdict::NotApplicable(_));
        // What is refused for a target may be what the canonical transcript is refused for.
        if refused && invariant.id == "P11" {
            continue;
        }
        // Whether it answers the same again is asked of one that is asked again.
        let verdict = if invariant.id == "P8" { (invariant.check)(normalizer, &case) } else { verdict };
        if let Verdict::Violated(violation) = verdict {
            return Err(violation.to_string());
        }
    }
    Ok(())
}

/// The conversions of these bytes: a third from `auto`, a third from a dialect that they look like, a third from any.
fn picked(data: &[u8]) -> Vec<(From, &'static Target, Mode)> {
    let picks = &mut Picks::new(digest(data));
    let likely: Vec<_> = std::str::from_utf8(data)
        .ok()
        .and_then(|text| Json::parse(text, &Limits::default()).ok())
        .map(|json| detect(&json).into_iter().map(|found| found.dialect).collect())
        .unwrap_or_default();
    (0..CONVERSIONS)
        .map(|turn| {
            let any = Dialect::ALL[picks.below(Dialect::ALL.len())];
            let from = match turn % 3 {
                0 => From::Auto,
                1 => From::Dialect(*likely.get(picks.below(likely.len())).unwrap_or(&any)),
                _ => From::Dialect(any),
            };
            let mode = [Mode::Request, Mode::History][picks.below(2)];
            (from, &Target::all()[picks.below(Target::all().len())], mode)
        })
        .collect()
}

/// FNV-1a: a digest that is the same everywhere.
fn digest(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A normalizer that is asked for one request once, however many invariants look at its answer.
struct AskedOnce<'n> {
    normalizer: &'n dyn Normalizer,
    known: RefCell<Vec<(Asked, Outcome)>>,
}

#[derive(PartialEq)]
struct Asked {
    input: Vec<u8>,
    from: From,
    to: String,
    mode: Mode,
    call_id: Option<String>,
}

impl Normalizer for AskedOnce<'_> {
    fn name(&self) -> &str {
        self.normalizer.name()
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        let asked = Asked {
            input: request.input.to_vec(),
            from: request.from,
            to: request.to.name.clone(),
            mode: request.mode,
            call_id: request.call_id.map(str::to_owned),
        };
        if let Some((_, answer)) = self.known.borrow().iter().find(|(known, _)| *known == asked) {
            return answer.clone();
        }
        let answer = self.normalizer.convert(request);
        self.known.borrow_mut().push((asked, answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    mod members;

    use std::collections::HashSet;

    use super::*;
    use crate::tests::planted::{Change, Mutant, replaced};

    #[test]
    fn smoke() {
        crate::tests::smoke::each_document(300, |data| TARGET.run(data));
    }

    #[test]
    fn changed_bytes_come_to_every_conversion() {
        let mut seen = HashSet::new();
        for number in 0..4000 {
            for (from, target, mode) in picked(format!("[{number}]").as_bytes()) {
                let from = if let From::Dialect(dialect) = from { dialect.name() } else { "auto" };
                seen.insert((from, target.name.as_str(), mode == Mode::Request));
            }
        }
        assert_eq!(seen.len(), (Dialect::ALL.len() + 1) * Target::all().len() * 2);
    }

    #[test]
    fn a_broken_normalizer_is_caught() {
        let mutants: [(&str, Change); 5] = [
            ("P7 is broken", |_, _| Outcome::Failed("Traceback".to_owned())),
            ("P1 is broken", |request, _| Outcome::Output { bytes: request.input.to_vec(), report: None }),
            ("promises is broken", |_, said| replaced(said, "iVBORw0KGgo", "")),
            ("P3 is broken", |_, said| replaced(said, "look", "behold the seen")),
            ("P6 is broken", |_, said| match said {
                Outcome::Output { mut bytes, report } => {
                    bytes.push(b' ');
                    Outcome::Output { bytes, report }
                }
                other => other,
            }),
        ];
        for (words, change) in mutants {
            let caught = (0..60).any(|number| {
                let text = format!(
                    r#"[{{"role":"user","content":[{{"type":"text","text":"look {number}"}},{{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}},{{"type":"tool_use"}}]}}]"#
                );
                judge(text.as_bytes(), &Reference).unwrap();
                judge(text.as_bytes(), &Mutant(change)).is_err_and(|said| said.contains(words))
            });
            assert!(caught, "{words}");
        }
    }
}
