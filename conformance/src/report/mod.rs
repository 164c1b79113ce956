//! Reports: what a run says to people and to programs. Each is a function of the event log alone; what differs from run to
//! run, as times, is said only by the run itself, and by no report of its log.

pub mod badge;
pub mod changed;
pub mod compare_json;
pub mod fixed;
pub mod fuzzed;
pub mod gate_json;
pub mod github;
pub mod held;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod matrix;
pub mod outfile;
pub mod tap;

use std::io::{self, Write};

use crate::log::Log;

/// A form that a run can be told in.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// What `report --to` calls it
    pub name: &'static str,
    /// For whom it is
    pub title: &'static str,
    /// Writes it
    pub write: fn(&mut dyn Write, &Log) -> io::Result<()>,
}

/// Every form.
pub static FORMS: &[Form] = &[
    Form { name: "human", title: "for a terminal", write: human::write },
    Form { name: "json", title: "for programs; `wirecanon schema test`", write: json::write },
    Form { name: "markdown", title: "for pages and summaries of a job", write: markdown::write },
    Form { name: "junit", title: "for CI servers: JUnit XML", write: junit::write },
    Form { name: "tap", title: "for test runners: Test Anything Protocol 14", write: tap::write },
    Form { name: "github", title: "for GitHub Actions: one annotation a finding", write: github::write },
    Form { name: "matrix", title: "for a README: testees by classes of fault, in percent", write: matrix::write },
    Form { name: "badge", title: "for a README: the JSON that shields.io reads", write: badge::write },
];

/// The form with this name.
pub fn by_name(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}
