//! The reference passes the whole corpus.

use wirecanon::corpus;
use wirecanon::run::{Step, run, targets_of};
use wirecanon::testee::Reference;

#[test]
fn the_reference_holds_on_every_case() {
    let cases = corpus::load().expect("a well-formed corpus");
    let cases: Vec<_> = cases.iter().filter(|case| case.retired.is_none()).collect();
    let (mut planned, mut answered) = (0, 0);
    let run = run("reference", &mut Reference::new(usize::MAX), &cases, cases.len(), true, &mut |step| match step {
        Step::Planned(more) => planned += more,
        Step::Answered => answered += 1,
    });
    assert!(planned == answered && answered == run.results.len(), "{answered} of {planned}");
    assert_eq!(run.judged, cases.len());
    let mut planned: Vec<_> =
        cases.iter().flat_map(|case| targets_of(case).map(|target| (&*case.id, &*target.name))).collect();
    let mut judged: Vec<_> = run.results.iter().map(|result| (&*result.case, &*result.to)).collect();
    planned.sort_unstable();
    judged.sort_unstable();
    assert!(judged == planned, "a case was not run for each of its targets, once");
    let findings: Vec<String> =
        run.findings().map(|finding| format!("{} to {}: {:?}", finding.case, finding.to, finding.judgement)).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}
