//! A wrong variant of the reference.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::step::{self, Change};
use wirecanon_core::{Options, Report};

/// A program with one mistake.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// The mistake, in kebab case
    pub id: &'static str,
    /// What it does wrong, in one sentence
    pub does: &'static str,
    /// The public report of a program that did it, as `owner/repo#n`
    pub source: &'static str,
    /// The invariant that must catch it
    pub breaks: &'static str,
    pub(crate) wrong: Wrong,
}

/// How a mistake is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    /// Entries of the reference's tables of steps are changed
    Steps(&'static [Change]),
    /// They are for some requests
    StepsFor(fn(&Request<'_>) -> bool, &'static [Change]),
    /// Something happens in front of the reference or behind it
    Around(fn(&Request<'_>) -> Outcome),
}

/// Entries of the tables of steps: `Way("stage", "name", edit)`.
macro_rules! steps {
    ($($way:ident($stage:literal, $name:literal $(, $edit:expr)?)),+ $(,)?) => {
        &[$(wirecanon_core::step::Change {
            stage: $stage,
            name: $name,
            way: wirecanon_core::step::Way::$way$(($edit))?,
        }),+]
    };
}
pub(crate) use steps;

/// What the reference says with its tables changed.
pub(crate) fn changed(request: &Request<'_>, changes: &'static [Change]) -> Outcome {
    let options = Options {
        from: request.from,
        to: Some(request.to),
        mode: request.mode,
        call_id: request.call_id.map(str::to_owned),
        ..Options::default()
    };
    // A mistake may leave what the steps behind it do not expect.
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        step::fix_changed(request.input, &options, changes)
            .map(|fixed| (fixed.output.into_owned(), fixed.report.into_owned()))
    }));
    match attempt {
        Ok(Ok((bytes, report))) => Outcome::Output { bytes, report: Some(Box::<Report>::new(report)) },
        Ok(Err(error)) => Outcome::Refused { code: error.kind().refusal_code().to_owned(), message: error.to_string() },
        Err(_) => Outcome::Failed("panicked".to_owned()),
    }
}

impl Mutant {
    /// The entries of the reference's tables that it changes.
    pub fn changes(&self) -> &'static [Change] {
        match self.wrong {
            Wrong::Steps(changes) | Wrong::StepsFor(_, changes) => changes,
            Wrong::Around(_) => &[],
        }
    }
}

impl Normalizer for Mutant {
    fn name(&self) -> &str {
        self.id
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        match self.wrong {
            Wrong::Steps(changes) => changed(request, changes),
            Wrong::StepsFor(when, changes) if when(request) => changed(request, changes),
            Wrong::StepsFor(..) => Reference.convert(request),
            Wrong::Around(answer) => answer(request),
        }
    }
}
