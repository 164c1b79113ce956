//! What a generated transcript means as a case of the corpus: what must survive and what may be refused is known from how it
//! was made, so that the judge of the corpus judges the answer.

use serde_json::value::RawValue;
use wirecanon_core::{Dialect, Target};
use wirecanon_generate::Generated;
use wirecanon_generate::defect::{self, Effect};
use wirecanon_judge::case::{Case, Expect, MayRefuse, violations};
use wirecanon_judge::judge::{Judgement, judge};

use crate::testee::Answer;

/// The class of a transcript that no defect was at work in.
const NO_CLASS: &str = "pairing";

/// A generated transcript as a case, and whether any refusal of it is right.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// The case
    pub(super) case: Case,
    /// It may be no transcript at all
    pub(super) may_refuse: bool,
    /// Defects that were at work
    pub(super) faults: Vec<&'static str>,
}

/// The case of a generated transcript on the way to a target.
pub(super) fn of(made: Generated, target: &Target) -> Made {
    let from = Dialect::by_name(made.dialect.name()).unwrap_or(Dialect::Canonical);
    let mut must_keep = made.must_keep;
    // A call that no defect touched keeps its arguments.
    must_keep.extend(made.calls.into_iter().filter(|call| !call.results.is_empty()).map(|call| call.token));
    if target.dialect == Dialect::Canonical {
        must_keep.extend(made.reasoning);
    }
    must_keep.retain(|word| !word.is_empty());
    must_keep.sort();
    must_keep.dedup();
    let class = made.faults.first().and_then(|id| defect::by_id(id)).map_or(NO_CLASS, |defect| defect.class);
    // A call at the end that is still open is valid to be stored, and none to be sent.
    let broken = violations(&made.bytes, Target::of_dialect(from), from.is_fragment());
    let valid = made.valid && broken.is_some_and(|broken| broken.is_empty());
    // Where a thought came from may stand beside it, and the judge does not know that it may.
    let canonical = made.canonical.filter(|text| !text.contains("\"type\":\"thinking\""));
    let canonical = canonical.and_then(|text| RawValue::from_string(text).ok());
    let expect = Expect { canonical, must_keep, ..Expect::default() };
    let mut case = Case::made("generated", "", class, from, made.bytes, expect);
    case.tags.extend(valid.then(|| "identity".to_owned()));
    Made { case, may_refuse: made.may_refuse || made.effect == Effect::Refuse, faults: made.faults }
}

impl Made {
    /// What the judge of the corpus says of an answer.
    pub(super) fn judged(&self, target: &Target, answer: &Answer) -> Judgement {
        match answer {
            Answer::Refused { code, .. } if self.may_refuse => {
                let mut case = self.case.clone();
                case.expect.may_refuse = MayRefuse::With(code.clone());
                judge(&case, target, answer, false)
            }
            _ => judge(&self.case, target, answer, false),
        }
    }
}
