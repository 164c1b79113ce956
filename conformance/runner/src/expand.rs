//! The runs that a case makes.

use serde::Serialize;
use wirecanon_cases::carry;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{Dialect, Mode, Target};
use wirecanon_judge::case::Case;

use crate::run::targets_of;
use crate::testee::Form;

/// One run: a conversion that a testee is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Dialect that is read
    pub from: &'static str,
    /// Target that is written
    pub to: String,
    /// Its dialect
    pub dialect: &'static str,
    /// What the output is for
    #[serde(rename = "for")]
    pub mode: &'static str,
}

/// Every run of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The least that a testee must accept to be given the input
    pub form: Form,
    /// From its own dialect, by target: what a testee that reads it is asked
    pub own: Vec<Run>,
    /// From each dialect that it can be carried into, by target: what a testee is asked that does not read its own
    pub carried: Vec<(Dialect, Vec<Run>)>,
}

/// The runs of a case, as [`crate::run::run`] makes them. One that is retired has none.
pub fn expand(case: &Case) -> Expanded {
    let form = form(&case.input);
    if case.retired.is_some() {
        return Expanded { form, own: Vec::new(), carried: Vec::new() };
    }
    let carried = Dialect::ALL
        .into_iter()
        .filter_map(|dialect| carry::into_dialect(case, dialect))
        .map(|carried| (carried.from, runs(&carried)))
        .collect();
    Expanded { form, own: runs(case), carried }
}

fn runs(case: &Case) -> Vec<Run> {
    targets_of(case).map(|target| run(case.from, target)).collect()
}

fn run(from: Dialect, target: &Target) -> Run {
    Run { from: from.name(), to: target.name.clone(), dialect: target.dialect.name(), mode: Mode::default().name() }
}

fn form(input: &[u8]) -> Form {
    match std::str::from_utf8(input) {
        Err(_) => Form::Base64,
        Ok(text) if Json::parse(text, &Limits::default()).is_ok() => Form::Json,
        Ok(_) => Form::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testee::{Answer, Hello, Reference, Request, StartError, Testee};
    use wirecanon_judge::case;

    use crate::run;

    fn parsed(from: &str) -> Case {
        let text = format!(
            r#"{{"id":"a","title":"t","class":"pairing","source":["s"],"from":"{from}","input":
            {{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":"done"}}]}},"expect":{{"canonical":
            {{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},
            {{"role":"assistant","content":[{{"type":"text","text":"done"}}]}}]}}}},"since":"0.1.0"}}"#
        );
        case::parse("a.json", text.as_bytes()).expect("a case")
    }

    fn made(testee: &mut dyn Testee, case: &Case, strict: bool) -> Vec<(String, String)> {
        let run = run::run("it", testee, &[case], 1, strict, &mut |_| {});
        assert_eq!(run.findings().count(), 0, "{:?}", run.findings().collect::<Vec<_>>());
        run.results.into_iter().map(|result| (result.from.name().to_owned(), result.to)).collect()
    }

    fn told(runs: &[Run]) -> Vec<(String, String)> {
        runs.iter().map(|run| (run.from.to_owned(), run.to.clone())).collect()
    }

    #[test]
    fn the_runs_are_those_that_are_made() {
        let case = parsed("openai.chat");
        let expanded = expand(&case);
        assert_eq!(told(&expanded.own), made(&mut Reference::new(1), &case, true));
        assert_eq!((expanded.form, expanded.own[0].mode), (Form::Json, "request"));
    }

    /// Reads and writes one dialect.
    struct Narrow(Dialect);

    impl Testee for Narrow {
        fn hello(&mut self) -> Result<Hello, StartError> {
            Ok(Hello { name: "narrow".to_owned(), conversions: vec![(self.0, self.0)], ..Hello::default() })
        }

        fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
            for (index, request) in requests.iter().enumerate() {
                answered(index, Reference::answer(request));
            }
        }
    }

    #[test]
    fn a_testee_of_another_dialect_is_given_the_carried_case() {
        let case = parsed("openai.chat");
        let expanded = expand(&case);
        let (_, carried) =
            expanded.carried.iter().find(|(dialect, _)| *dialect == Dialect::AnthropicMessages).expect("plain words");
        let asked: Vec<_> = made(&mut Narrow(Dialect::AnthropicMessages), &case, false)
            .into_iter()
            .filter(|(from, _)| from == "anthropic.messages")
            .collect();
        let claimed = carried.iter().filter(|run| run.dialect == "anthropic.messages").cloned().collect::<Vec<_>>();
        assert_eq!(asked, told(&claimed));
        assert!(asked.len() > 1, "{asked:?}");
    }

    #[test]
    fn the_form_is_the_least_that_carries_the_input() {
        assert_eq!(form(b"{}"), Form::Json);
        assert_eq!(form(b"{}\n{}"), Form::Text);
        assert_eq!(form(b"\xff"), Form::Base64);
    }
}
