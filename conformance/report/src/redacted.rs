//! A run without what its messages say: the same log with tokens in place of texts, so that every form that is made from it
//! quotes nothing.

use std::sync::Arc;

use wirecanon_core::rule;
use wirecanon_judge::compare::NOTHING;
use wirecanon_judge::judge::Judgement;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::INTERRUPTED;
use wirecanon_runner::shown::Shown;

use crate::redact::Redactor;

/// The log of the same run, with a token of its length for every text of a message. Verdicts, counts and the exit code are
/// what they were. Ids and titles of cases and what testees say of themselves are no messages.
pub fn redacted(log: &Log) -> Log {
    let mut log = log.clone();
    let mut redactor = Redactor::default();
    for result in log.runs.iter_mut().flat_map(|run| &mut run.results) {
        judgement(&mut result.judgement, &mut redactor);
        for shown in [&mut result.answer, &mut result.carried].into_iter().flatten() {
            *shown = Arc::new(match &**shown {
                Shown::Whole(bytes) => Shown::Whole(redactor.bytes(bytes)),
                Shown::Cut { begins, bytes } => {
                    let begins = redactor.bytes(begins.as_bytes());
                    Shown::Cut { begins: String::from_utf8_lossy(&begins).into_owned(), bytes: *bytes }
                }
            });
        }
    }
    log
}

fn judgement(said: &mut Judgement, redactor: &mut Redactor) {
    for broken in &mut said.violations {
        broken.pointer = redactor.pointer(&broken.pointer);
        let statement = rule::by_id(&broken.rule).map_or("(redacted)", |rule| rule.statement);
        statement.clone_into(&mut broken.message);
    }
    for reason in &mut said.reasons {
        for pointer in [&mut reason.answer, &mut reason.expected].into_iter().flatten() {
            *pointer = redactor.pointer(pointer);
        }
        reason.detail.clear();
    }
    for lost in &mut said.lost {
        *lost = redactor.text(lost);
    }
    if let Some(difference) = &mut said.difference {
        difference.pointer = redactor.pointer(&difference.pointer);
        for side in [&mut difference.expected, &mut difference.actual] {
            if side != NOTHING {
                *side = redactor.value(side);
            }
        }
    }
    // What is wrong in words may quote anything.
    for failure in said.failures.iter_mut().filter(|failure| *failure != INTERRUPTED) {
        "(redacted)".clone_into(failure);
    }
}
