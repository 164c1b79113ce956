//! `docs/findings.md`, and a page for each package: from the recorded answers.

use wirecanon::finding::{self, answers, hold, index};
use wirecanon::problem::Problem;
use wirecanon::{adapter, corpus};

use crate::document::{Document, Error};

/// Returns the index of the findings and the pages of the packages.
///
/// # Errors
///
/// A file of findings is invalid, or the recorded answers do not confirm a finding.
pub(crate) fn documents() -> Result<Vec<Document>, Error> {
    let findings = finding::load(finding::FILES, &corpus::load()?).map_err(|faults| joined(&faults))?;
    let answers = answers::read(finding::FILES).map_err(|faults| joined(&faults))?;
    let outcomes: Vec<_> = findings.iter().map(|finding| hold::hold(finding, &answers)).collect();
    if let Some(outcome) = outcomes.iter().find(|outcome| !outcome.holds()) {
        let cure = "ask the package again: `wirecanon findings --folder conformance/findings --record`";
        return Err(format!("the recorded answers do not confirm {}; {cure}", outcome.finding.name).into());
    }
    let pages = index::pages(&outcomes, &adapter::all()?, "findings");
    Ok(pages.into_iter().map(|(name, text)| Document::new(format!("docs/{name}"), text)).collect())
}

fn joined(faults: &[Problem]) -> Error {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n").into()
}
