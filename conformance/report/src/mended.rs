//! What `fix --in-place` made of files, for programs: one object a file, each on a line; `wirecanon schema mended`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::Value;
use wirecanon_core::Report;
use wirecanon_judge::exit::Exit;

use super::flaws::Told;
use crate::redact::Redactor;

/// What became of a file.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// There was nothing to mend
    Clean,
    /// It was replaced
    Mended {
        /// What it was before, if that was kept
        #[serde(serialize_with = "lossy", skip_serializing_if = "Option::is_none")]
        backup: Option<PathBuf>,
    },
    /// It would have been
    ToMend,
    /// It is no session
    Skipped {
        /// Why not
        why: String,
    },
    /// It is one, and stays as it was
    Refused {
        /// Why
        why: String,
        /// The exit code that this asks for
        #[serde(skip)]
        exit: Exit,
    },
}

#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

#[derive(Serialize)]
struct Line<'l> {
    file: Cow<'l, str>,
    #[serde(flatten)]
    outcome: &'l Outcome,
    #[serde(skip_serializing_if = "<[Told]>::is_empty")]
    lines: &'l [Told],
    #[serde(skip_serializing_if = "Option::is_none")]
    transcripts: Option<Vec<Transcript<'l>>>,
}

#[derive(Serialize)]
struct Transcript<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    report: Changes<'l>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Changes<'l> {
    Whole(&'l Report<'l>),
    Redacted(Value),
}

/// Writes what became of a file, what is said of its lines, and what was changed in each transcript of it, with the line that it stands on where a file
/// has a transcript a line.
///
/// # Errors
///
/// Writing fails.
pub fn write<'r>(
    out: &mut dyn Write,
    path: &'r Path,
    outcome: &Outcome,
    lines: &[Told],
    reports: impl Iterator<Item = &'r (Option<usize>, Report<'static>)>,
    mut redactor: Option<&mut Redactor>,
) -> io::Result<()> {
    let told = |(line, report): &'r (Option<usize>, Report<'static>)| {
        let report = match &mut redactor {
            Some(redactor) => Changes::Redacted(redactor.report(report)?),
            None => Changes::Whole(report),
        };
        Ok::<_, io::Error>(Transcript { line: *line, report })
    };
    let transcripts = match outcome {
        Outcome::Mended { .. } | Outcome::ToMend => Some(reports.map(told).collect::<Result<_, _>>()?),
        _ => None,
    };
    let mut line = serde_json::to_vec(&Line { file: path.to_string_lossy(), outcome, lines, transcripts })?;
    // What stood in the input stands here as it was spelled, and a line stays one.
    line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    line.push(b'\n');
    out.write_all(&line)
}
