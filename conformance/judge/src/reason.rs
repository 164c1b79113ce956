//! Why a result is not as asked, in texts that are short, that name a rule and its place, and that are the same in every run.
//! Expectations are pinned to them, and two runs are compared by them.

use std::collections::BTreeSet;

use crate::judge::Judgement;
use crate::meaning::Reason;
use crate::plain::shorten;

/// Texts that one result is pinned to at most.
const MOST: usize = 8;

/// What stands between the name of a rule and its place.
pub const AT: &str = " at ";

/// The reasons of a result as people read them: with the numbers of what the testee said.
pub fn told(judgement: &Judgement) -> Vec<String> {
    by(
        judgement,
        |failure| shorten(failure.trim().lines().next().unwrap_or_default(), 100),
        |reason| shorten(&reason.to_string(), 200),
    )
}

/// The reasons of a result, sorted; none for one that is as asked.
///
/// A broken rule is `RULE at POINTER`, another meaning `KIND at POINTER`, a text that is gone `lost TEXT`, a difference `differs at POINTER`, and anything else
/// what the testee said, with its numbers left out. Of more than a few broken rules each is named once, at its first place.
pub fn of(judgement: &Judgement) -> Vec<String> {
    by(judgement, without_numbers, |reason| {
        let at = reason.answer.as_ref().or(reason.expected.as_ref()).map_or("", String::as_str);
        format!("{}{AT}{}", reason.kind, place(at))
    })
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() { "the whole".to_owned() } else { shorten(pointer, 120) }
}

fn by(judgement: &Judgement, said: fn(&str) -> String, meant: fn(&Reason) -> String) -> Vec<String> {
    if judgement.ok {
        return Vec::new();
    }
    let mut broken: BTreeSet<String> = BTreeSet::new();
    for violation in &judgement.violations {
        broken.insert(format!("{}{AT}{}", violation.rule, place(&violation.pointer)));
    }
    if broken.len() > MOST {
        let mut seen = BTreeSet::new();
        let first = judgement.violations.iter().filter(|violation| seen.insert(violation.rule.as_str()));
        broken = first.map(|violation| format!("{}{AT}{}", violation.rule, place(&violation.pointer))).collect();
    }
    let mut reasons = broken;
    reasons.extend(judgement.reasons.iter().take(MOST).map(meant));
    reasons.extend(judgement.lost.iter().take(MOST).map(|lost| format!("lost {}", shorten(lost, 60))));
    reasons.extend(judgement.failures.iter().take(MOST).map(|failure| said(failure)));
    if reasons.is_empty()
        && let Some(difference) = &judgement.difference
    {
        reasons.insert(format!("differs{AT}{}", place(&difference.pointer)));
    }
    reasons.into_iter().collect()
}

/// Whether a pinned reason is this one. One that names only a rule, `differs` or `lost` is so at any place.
pub fn is(pinned: &str, reason: &str) -> bool {
    if pinned == reason {
        return true;
    }
    reason.strip_prefix(pinned).is_some_and(|rest| rest.starts_with(AT) || (pinned == "lost" && rest.starts_with(' ')))
}

/// Whether these are the reasons that are pinned: each is pinned, and each pin has one.
pub fn are(pinned: &[String], reasons: &[String]) -> bool {
    reasons.iter().all(|reason| pinned.iter().any(|pin| is(pin, reason)))
        && pinned.iter().all(|pin| reasons.iter().any(|reason| is(pin, reason)))
}

/// The first line of a text, every number in it as `#`: addresses, times and process ids differ from run to run.
fn without_numbers(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_ascii_digit() {
            out.push(c);
            continue;
        }
        let hexadecimal = c == '0' && chars.peek() == Some(&'x');
        while chars.next_if(|c| c.is_ascii_digit() || hexadecimal && c.is_ascii_alphanumeric()).is_some() {}
        out.push('#');
    }
    shorten(&out, 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Broken;
    use crate::verdict::{Domain, Verdict};

    fn judgement(violations: &[(&str, &str)], lost: &[&str], failures: &[&str]) -> Judgement {
        Judgement {
            verdict: Verdict::Rejected,
            domain: Domain::Testee,
            ok: false,
            violations: violations
                .iter()
                .map(|(rule, pointer)| Broken {
                    rule: (*rule).to_owned(),
                    pointer: (*pointer).to_owned(),
                    message: "m".to_owned(),
                })
                .collect(),
            reasons: Vec::new(),
            allowed_by: Vec::new(),
            lost: lost.iter().map(|text| (*text).to_owned()).collect(),
            difference: Some(crate::compare::Difference {
                pointer: "/d".to_owned(),
                expected: "1".to_owned(),
                actual: "2".to_owned(),
            }),
            failures: failures.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn rules_and_places_come_before_a_difference() {
        assert_eq!(of(&judgement(&[("b", "/1"), ("a", ""), ("b", "/1")], &[], &[])), ["a at the whole", "b at /1"]);
        assert_eq!(of(&judgement(&[], &[], &[])), ["differs at /d"]);
        assert_eq!(of(&judgement(&[], &["x"], &[])), ["lost x"]);
        assert_eq!(of(&Judgement { ok: true, ..judgement(&[("b", "/1")], &[], &[]) }), [""; 0]);
        let places: Vec<String> = (0..20).map(|at| format!("/{at}")).collect();
        let many: Vec<(&str, &str)> = places.iter().map(|place| ("a", place.as_str())).chain([("b", "/z")]).collect();
        assert_eq!(of(&judgement(&many, &[], &[])), ["a at /0", "b at /z"]);
    }

    #[test]
    fn what_differs_from_run_to_run_is_left_out() {
        let said = "KeyError at 0x7f3a12 in line 14\nTraceback";
        assert_eq!(of(&judgement(&[], &[], &[said])), ["KeyError at # in line #"]);
    }

    #[test]
    fn a_pin_without_a_place_is_any_place() {
        assert!(is("a", "a at /1") && is("a at /1", "a at /1") && is("lost", "lost x"));
        assert!(!is("a at /1", "a at /2") && !is("a", "ab at /1") && !is("a at /1", "a at /12"));
        let text = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert!(are(&text(&["a"]), &text(&["a at /1", "a at /2"])));
        assert!(!are(&text(&["a"]), &text(&["a at /1", "b at /2"])));
        assert!(!are(&text(&["a", "b"]), &text(&["a at /1"])));
    }
}
