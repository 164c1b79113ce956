//! Canaries: fake testees that are all wrong, and one that is right. Before each run the judge has to tell them apart; a judge
//! that would pass a testee that does nothing makes the whole run void.

use wirecanon_cases::corpus;
use wirecanon_core::Target;
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::Exit;
use wirecanon_judge::problem::Problem;

use crate::cheat;
use crate::run;
use crate::testee::{Answer, Hello, Reference, Request, StartError, Testee};

/// The fixed probe set: small, and apart from the corpus, so that no filter and no growth changes it.
static PROBES: &[(&str, &[u8])] = &[
    ("tool-args/probe-arguments-object.json", include_bytes!("../probes/tool-args/probe-arguments-object.json")),
    ("pairing/probe-no-result.json", include_bytes!("../probes/pairing/probe-no-result.json")),
    (
        "mcp-block-unrepresentable/probe-resource-link.json",
        include_bytes!("../probes/mcp-block-unrepresentable/probe-resource-link.json"),
    ),
    ("pairing/probe-valid.json", include_bytes!("../probes/pairing/probe-valid.json")),
];

wirecanon_judge::named! {
    /// A fake testee.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Canary(name) {
        /// Gives its input back
        Echo = "echo";
        /// Gives nothing back
        Empty = "empty";
        /// Gives the same valid transcript for everything
        Constant = "constant";
        /// Refuses everything
        RefuseAll = "refuse-all";
        /// Claims no conversion
        SkipAll = "skip-all";
        /// Ends at every request
        CrashAll = "crash-all";
        /// Never answers
        Hang = "hang";
        /// Gives what belongs to the request before
        Previous = "previous-answer";
    }
}

/// Puts every canary through the probes.
///
/// # Errors
///
/// A canary passed, or the testee that gives the expected outcomes did not: the judge is broken, in words.
pub fn sing() -> Result<(), String> {
    let probes = probes().map_err(|error| error.to_string())?;
    let cases: Vec<&Case> = probes.iter().collect();
    for canary in Canary::ALL {
        let mut fake = Fake { canary: Some(canary), probes: &probes };
        if run::run(canary.name(), &mut fake, &cases, 1, false, &mut |_| {}).exit() == Exit::Holds {
            return Err(format!("the fake testee `{}` passes: nothing that this judge says counts", canary.name()));
        }
    }
    let mut right = Fake { canary: None, probes: &probes };
    let run = run::run("expected", &mut right, &cases, 1, false, &mut |_| {});
    if let Some(finding) = run.findings().next() {
        return Err(format!(
            "the expected outcome of the probe `{}` is judged `{}`: nothing that this judge says counts",
            finding.case,
            finding.judgement.verdict.name()
        ));
    }
    cheat::try_all(&probes)
}

/// The probes.
///
/// # Errors
///
/// An embedded file is no case.
pub fn probes() -> Result<Vec<Case>, Problem> {
    corpus::load_from(PROBES)
}

struct Fake<'p> {
    /// `None` gives the expected outcome
    canary: Option<Canary>,
    probes: &'p [Case],
}

impl Fake<'_> {
    fn expected(&self, request: &Request<'_>) -> Answer {
        let case = self.probes.iter().find(|case| case.input == request.input);
        let text = match case {
            Some(case) if case.is_identity() && case.from == request.target.dialect => {
                std::str::from_utf8(&case.input).ok()
            }
            Some(case) => case.expected_output(request.target),
            None => None,
        };
        text.map_or(Answer::Unsupported("the probe pins no outcome here".to_owned()), output)
    }
}

fn output(text: impl Into<Vec<u8>>) -> Answer {
    Answer::Output { bytes: text.into(), exact: true, report: None }
}

impl Testee for Fake<'_> {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let mut hello = Reference::introduction();
        self.canary.map_or("expected", Canary::name).clone_into(&mut hello.name);
        if self.canary == Some(Canary::SkipAll) {
            hello.conversions.clear();
        }
        Ok(hello)
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let mut previous = output(r#"{"messages":[]}"#);
        for (index, request) in requests.iter().enumerate() {
            let answer = match self.canary {
                None => self.expected(request),
                Some(Canary::Echo) => output(request.input),
                Some(Canary::Empty) => output(""),
                Some(Canary::Constant) => constant(request.target),
                Some(Canary::RefuseAll) => Answer::Refused { code: "other".to_owned(), message: "no".to_owned() },
                Some(Canary::SkipAll) => Answer::Unsupported("no".to_owned()),
                Some(Canary::CrashAll) => Answer::Crashed("no".to_owned()),
                Some(Canary::Hang) => Answer::Hung("no".to_owned()),
                Some(Canary::Previous) => match self.expected(request) {
                    Answer::Unsupported(_) => previous.clone(),
                    own => std::mem::replace(&mut previous, own),
                },
            };
            answered(index, answer);
        }
    }
}

fn constant(target: &Target) -> Answer {
    use wirecanon_core::Dialect;
    let key = target.dialect.list_keys()[0];
    output(match target.dialect {
        Dialect::McpToolResult => r#"{"content":[{"type":"text","text":"ok"}]}"#.to_owned(),
        Dialect::Canonical => r#"{"messages":[{"role":"user","content":[{"type":"text","text":"ok"}]}]}"#.to_owned(),
        _ => format!(r#"{{"{key}":[{{"role":"user","content":"ok"}}]}}"#),
    })
}
