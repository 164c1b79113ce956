//! The reference canonicalizer as a testee, in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use wirecanon_cases::conversion;
use wirecanon_core::{Dialect, Fixed, From, Options, fix};

use super::{Answer, Carried, Form, Function, Hello, Request, StartError, Testee};

/// Requests that a thread answers before it tells.
const TOGETHER: usize = 16;

/// The reference canonicalizer, asked directly.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    threads: usize,
}

impl Reference {
    /// The reference, on this many threads at most.
    pub fn new(threads: usize) -> Self {
        let there_are = thread::available_parallelism().map_or(1, usize::from);
        Self { threads: threads.clamp(1, there_are) }
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
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..self.threads {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let first = next.fetch_add(TOGETHER, Ordering::Relaxed);
                        let Some(some) = requests.get(first..).filter(|rest| !rest.is_empty()) else { return };
                        let some = some.iter().take(TOGETHER).map(Self::answer);
                        let made: Vec<_> = (first..).zip(some).collect();
                        if send.send(made).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for (index, answer) in receive.into_iter().flatten() {
                answered(index, answer);
            }
        });
    }

    fn function(&self) -> Option<Function> {
        Some(Self::answer)
    }
}
