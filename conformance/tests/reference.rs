//! The reference holds on the whole corpus, as `wirecanon test` says; here for whoever runs only tests.

use wirecanon::corpus;
use wirecanon::run::run;
use wirecanon::testee::Reference;

#[test]
fn the_reference_holds_on_every_case() {
    let cases = corpus::load().expect("a well-formed corpus");
    let cases: Vec<_> = cases.iter().filter(|case| case.retired.is_none()).collect();
    let run = run("reference", &mut Reference::new(usize::MAX), &cases, cases.len(), true, &mut || {});
    assert_eq!(run.judged, cases.len());
    let findings: Vec<String> =
        run.findings().map(|finding| format!("{} to {}: {:?}", finding.case, finding.to, finding.judgement)).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}
