//! Reports: what a run says to people and to programs. Each is a function of the event log alone; what differs from run to
//! run, as times, is said only by the run itself, and by no report of its log.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod badge;
pub mod changed;
pub mod changes;
pub mod checked;
pub mod compare_json;
pub mod diff;
pub mod export;
pub mod finding;
pub mod fixed;
pub mod flaws;
#[cfg(feature = "generate")]
pub mod fuzzed;
pub mod gate_json;
pub mod github;
pub mod held;
#[cfg(feature = "page")]
pub mod html;
pub mod human;
pub mod json;
#[cfg(feature = "junit")]
pub mod junit;
pub mod laid_out;
pub mod markdown;
pub mod matrix;
pub mod mended;
pub mod opinion;
pub mod outfile;
pub mod positions;
pub mod redact;
pub mod redacted;
pub mod sarif;
pub mod snippet;
pub mod tap;

use std::io::{self, Write};

use wirecanon_judge::case::Case;
use wirecanon_judge::exit::Stop;
use wirecanon_runner::change::{Comparison, compare};
use wirecanon_runner::log::Log;

/// A run, and what some forms tell beside it.
#[derive(Clone, Debug)]
pub struct Told<'l> {
    /// The run
    pub log: &'l Log,
    /// An earlier run
    pub since: Option<Since<'l>>,
    /// Where the cases of the run are looked up, by their digests
    pub corpus: &'l [Case],
    /// Whether every text of a message becomes a token of its length
    pub redact: bool,
}

impl<'l> Told<'l> {
    /// A run, and nothing beside it.
    pub fn of(log: &'l Log) -> Self {
        Self { log, since: None, corpus: &[], redact: false }
    }
}

/// An earlier run, and what changed since.
#[derive(Clone, Debug)]
pub struct Since<'l> {
    /// The name of its file
    pub name: &'l str,
    /// The run
    pub log: &'l Log,
    /// What changed
    pub comparison: Comparison<'l>,
}

impl<'l> Since<'l> {
    /// Compares a run with an earlier one.
    ///
    /// # Errors
    ///
    /// As [`compare`].
    pub fn new(name: &'l str, earlier: &'l Log, log: &'l Log) -> Result<Self, Stop> {
        Ok(Self { name, log: earlier, comparison: compare((name, earlier), ("this run", log))? })
    }
}

/// A form that a run can be told in.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// What `report --to` calls it
    pub name: &'static str,
    /// For whom it is
    pub title: &'static str,
    /// Whether it shows cases, for which it needs the corpus
    pub shows_cases: bool,
    /// Whether it tells what changed since an earlier run
    pub compares: bool,
    /// Writes it
    pub write: fn(&mut dyn Write, &Told<'_>) -> io::Result<()>,
}

impl Form {
    const fn new(
        name: &'static str,
        title: &'static str,
        write: fn(&mut dyn Write, &Told<'_>) -> io::Result<()>,
    ) -> Self {
        Self { name, title, shows_cases: false, compares: false, write }
    }
}

/// Every form.
pub static FORMS: &[Form] = &[
    Form { compares: true, ..Form::new("human", "for a terminal", human::write) },
    Form::new("json", "for programs; `wirecanon schema test`", |out, told| json::write(out, told.log)),
    #[cfg(feature = "page")]
    Form {
        shows_cases: true,
        compares: true,
        ..Form::new("html", "a page for people: one file with every case, and what changed", html::write)
    },
    Form::new("markdown", "for pages and summaries of a job", |out, told| markdown::write(out, told.log)),
    #[cfg(feature = "junit")]
    Form::new("junit", "for CI servers: JUnit XML", |out, told| junit::write(out, told.log)),
    Form::new("tap", "for test runners: Test Anything Protocol 14", |out, told| tap::write(out, told.log)),
    Form::new("github", "for GitHub Actions: one annotation a finding", |out, told| github::write(out, told.log)),
    Form::new("sarif", "for code scanning: SARIF 2.1.0", |out, told| sarif::write(out, told.log)),
    Form::new("matrix", "for a README: testees by classes of fault, in percent", |out, told| {
        matrix::write(out, told.log)
    }),
    Form::new("badge", "for a README: the JSON that shields.io reads", |out, told| badge::write(out, told.log)),
];

/// The form with this name.
pub fn by_name(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}
