//! The run as XML of `JUnit`: a suite for each testee, a test for each of its cases.

use std::collections::BTreeSet;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::{RunResult, TesteeRun};

use super::markdown::by_case;

/// Results of a case that are told at length.
const SHOWN: usize = 20;

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let mut report = Report::new("wirecanon");
    let classes = log.classes();
    for run in &log.runs {
        report.add_test_suite(suite(run, &|case| classes.get(case).copied().unwrap_or("case")));
    }
    for (name, why) in log.faults() {
        let mut suite = TestSuite::new("wirecanon");
        suite.add_test_case(TestCase::new(name, failed(NonSuccessKind::Error, why, why)));
        report.add_test_suite(suite);
    }
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn suite<'l>(run: &'l TesteeRun, class: &dyn Fn(&'l str) -> &'l str) -> TestSuite {
    let mut suite = TestSuite::new(run.name());
    match &run.hello {
        Err(error) => {
            let status = failed(NonSuccessKind::Error, "it did not start", &error.message);
            suite.add_test_case(TestCase::new("hello", status));
        }
        Ok(hello) => {
            if let Some(version) = &hello.version {
                suite.add_property(("version", version.as_str()));
            }
            if let Some(why) = run.too_little() {
                suite.add_test_case(TestCase::new("minimum", failed(NonSuccessKind::Error, &why, &why)));
            }
        }
    }
    for (case, results) in by_case(run.results.iter()) {
        let mut test = TestCase::new(case, status(&results));
        test.set_classname(format!("wirecanon.{}", class(case)));
        let allowed: BTreeSet<&str> =
            results.iter().flat_map(|result| &result.judgement.allowed_by).map(AsRef::as_ref).collect();
        if !allowed.is_empty() {
            let allowed: Vec<&str> = allowed.into_iter().collect();
            test.add_property(("allowed_by", allowed.join(" ").as_str()));
        }
        suite.add_test_case(test);
    }
    suite
}

fn status(results: &[&RunResult]) -> TestCaseStatus {
    let failing: Vec<_> = results.iter().filter(|result| !result.judgement.ok && result.scored).collect();
    if let Some(worst) = failing.iter().max_by_key(|result| result.judgement.verdict) {
        let words: Vec<_> = failing.iter().take(SHOWN).map(|result| in_words(result)).collect();
        let more =
            if failing.len() > SHOWN { format!("\n… and {} more", failing.len() - SHOWN) } else { String::new() };
        let mut status =
            failed(NonSuccessKind::Failure, &in_words(worst), &format!("{}\n{}{more}", worst.title, words.join("\n")));
        status.set_type(worst.judgement.verdict.name());
        return status;
    }
    let said = |message: &str| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message);
        status
    };
    if results.iter().any(|result| !result.judgement.ok) {
        said("not of the suite: it fails nothing")
    } else if results.iter().all(|result| result.judgement.verdict == Verdict::Unsupported) {
        said("unsupported: the testee does not claim it")
    } else {
        TestCaseStatus::success()
    }
}

fn in_words(result: &RunResult) -> String {
    let flaky = if result.flaky.is_empty() { "" } else { ", flaky" };
    let reasons = reason::told(&result.judgement).join("; ");
    format!("{} → {}: {}{flaky}: {reasons}", result.from.name(), result.to, result.judgement.verdict.name())
}

fn failed(kind: NonSuccessKind, message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message);
    status.set_description(text);
    status
}
