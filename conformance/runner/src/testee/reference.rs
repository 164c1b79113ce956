//! The reference canonicalizer as a testee, in this process.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use wirecanon_cases::conversion;
use wirecanon_cases::parallel;
use wirecanon_core::{Dialect, Fixed, From, Options, fix};

use super::{Answer, Carried, Form, Function, Hello, Request, StartError, Testee};

/// The reference canonicalizer, asked directly.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    threads: usize,
}

impl Reference {
    /// The reference, on this many threads at most.
    pub fn new(threads: usize) -> Self {
        Self { threads: threads.clamp(1, parallel::threads()) }
    }

    /// What it says of itself.
    pub fn introduction() -> Hello {
        let mut conversions: Vec<(Dialect, Dialect)> =
            conversion::all().map(|(from, target)| (from, target.dialect)).collect();
        conversions.sort_unstable();
        conversions.dedup();
        Hello {
            name: "reference".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            language: Some("rust".to_owned()),
            conversions,
            accepts: vec![Form::Base64, Form::Text, Form::Json],
            carries: Carried::ALL.into(),
            adds: Vec::new(),
            ..Hello::default()
        }
    }

    /// Answers one request. A panic is an answer too.
    pub fn answer(request: &Request<'_>) -> Answer {
        let options = Options {
            from: From::Dialect(request.from),
            to: Some(request.target),
            mode: request.mode,
            call_id: request.call_id.map(str::to_owned),
            strict: true,
            ..Options::default()
        };
        match catch_unwind(AssertUnwindSafe(|| fix(request.input, &options))) {
            Ok(Ok(Fixed { output, report })) => {
                let report = Some(Box::new(report.into_owned()));
                Answer::Output { bytes: output.into_owned(), exact: true, report }
            }
            Ok(Err(error)) => {
                Answer::Refused { code: error.kind().refusal_code().to_owned(), message: error.to_string() }
            }
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                Answer::Crashed(format!("panicked: {}", text.unwrap_or_else(|| "without a word".to_owned())))
            }
        }
    }
}

impl Testee for Reference {
    fn hello(&mut self) -> Result<Hello, StartError> {
        Ok(Self::introduction())
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let answer = |(index, request)| (index, Self::answer(request));
        let Ok(()) = parallel::each_in_order(requests.iter().enumerate(), self.threads, answer, |(index, answer)| {
            answered(index, answer);
            Ok::<_, Infallible>(true)
        });
    }

    fn function(&self) -> Option<Function> {
        Some(Self::answer)
    }
}
