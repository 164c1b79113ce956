//! What the corpus alone catches: the runner's judge on what a mutant answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::judge::{Judgement, judge};
use wirecanon::run::targets_of;
use wirecanon::testee::Answer;
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, From, Mode, Target};

/// The cases, and what the reference says to them.
#[derive(Debug)]
pub struct Corpus {
    cases: Vec<Case>,
    /// A digest of each answer of the reference that was asked for, by case and then by target
    right: Vec<Vec<OnceLock<u64>>>,
}

/// A case that a mutant fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Its id
    pub case: String,
    /// The target
    pub target: String,
    /// Only the reference's own promises are broken: what the report says, and that a second run changes nothing. Another
    /// program that makes this mistake passes
    pub strict: bool,
    /// What the judge said
    pub why: String,
}

impl Default for Corpus {
    fn default() -> Self {
        Self::new()
    }
}

impl Corpus {
    /// The embedded corpus, without the cases that are run no more.
    ///
    /// # Panics
    ///
    /// It is not well formed, which its own tests say.
    pub fn new() -> Self {
        let mut cases = corpus::load().expect("a well-formed corpus");
        cases.retain(|case| case.retired.is_none());
        let right = cases.iter().map(|case| targets_of(case).map(|_| OnceLock::new()).collect()).collect();
        Self { cases, right }
    }

    /// The first case that a program fails as any testee would; without one, the first that it fails as the reference. The
    /// canonical dialect and the case's own come first, where the corpus says most.
    pub fn catches(&self, program: &dyn Normalizer) -> Option<Caught> {
        let mut strictly = None;
        for at_home in [true, false] {
            for (case, right) in self.cases.iter().zip(&self.right) {
                for (target, right) in targets_of(case).zip(right) {
                    let is_home = target.name == case.from.name() || target.name == Dialect::Canonical.name();
                    if is_home != at_home {
                        continue;
                    }
                    let outcome = asked(program, case, target);
                    // What the reference says too is right, as the tests of the corpus say.
                    if digest(&outcome) == *right.get_or_init(|| digest(&asked(&Reference, case, target))) {
                        continue;
                    }
                    let answer = answer(outcome);
                    if let Some(caught) = fails(case, target, &answer, false) {
                        return Some(caught);
                    }
                    if strictly.is_none() {
                        strictly = fails(case, target, &answer, true);
                    }
                }
            }
        }
        strictly
    }

    /// Whether a program fails this case at this target.
    pub fn fails(&self, program: &dyn Normalizer, case: &str, target: &str, strict: bool) -> Option<Caught> {
        let case = self.cases.iter().find(|own| own.id == case)?;
        let target = targets_of(case).find(|own| own.name == target)?;
        fails(case, target, &answer(asked(program, case, target)), strict)
    }
}

fn asked(program: &dyn Normalizer, case: &Case, to: &Target) -> Outcome {
    program.convert(&Request {
        input: &case.input,
        from: From::Dialect(case.from),
        to,
        mode: Mode::Request,
        call_id: None,
    })
}

fn digest(outcome: &Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    match outcome {
        Outcome::Output { bytes, report } => {
            bytes.hash(&mut hasher);
            for entry in report.iter().flat_map(|report| &report.repairs) {
                (entry.rule, entry.input.as_deref()).hash(&mut hasher);
            }
        }
        Outcome::Refused { code, .. } => code.hash(&mut hasher),
        Outcome::Failed(why) => why.hash(&mut hasher),
    }
    hasher.finish()
}

fn answer(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Output { bytes, report } => Answer::Output { bytes, exact: true, report },
        Outcome::Refused { code, message } => Answer::Refused { code, message },
        Outcome::Failed(why) => Answer::Crashed(why),
    }
}

fn fails(case: &Case, target: &Target, answer: &Answer, strict: bool) -> Option<Caught> {
    let said = judge(case, target, answer, strict);
    if said.ok {
        return None;
    }
    Some(Caught { case: case.id.clone(), target: target.name.clone(), strict, why: why(&said) })
}

fn why(said: &Judgement) -> String {
    if let Some(broken) = said.violations.first() {
        return broken.rule.clone();
    }
    if let Some(lost) = said.lost.first() {
        let lost: String = lost.chars().take(40).collect();
        return format!("lost: {lost}");
    }
    match (&said.difference, said.failures.first()) {
        (Some(difference), _) => format!("differs at {}", difference.pointer),
        (None, Some(failure)) => failure.clone(),
        (None, None) => format!("{:?}", said.verdict),
    }
}
