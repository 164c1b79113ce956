//! What `fix --in-place` made of files, for programs: one object a file, each on a line; `wirecanon schema mended`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use wirecanon_core::Report;

use super::flaws::Told;
use crate::redact::Redactor;

/// What became of a file.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'k> {
    /// There was nothing to mend
    Clean,
    /// It was replaced
    Mended {
        /// What it was before, if that was kept
        backup: Option<&'k Path>,
    },
    /// It would have been
    ToMend,
    /// It is no session
    Skipped {
        /// Why not
        why: &'k str,
    },
    /// It stays as it was
    Refused {
        /// Why
        why: &'k str,
    },
}

#[derive(Serialize)]
struct Line<'l> {
    file: Cow<'l, str>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<Cow<'l, str>>,
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
    kind: &Kind<'r>,
    lines: &[Told],
    reports: impl Iterator<Item = &'r (Option<usize>, Report<'static>)>,
    mut redactor: Option<&mut Redactor>,
) -> io::Result<()> {
    let (outcome, why, backup) = match kind {
        Kind::Clean => ("clean", None, None),
        Kind::Mended { backup } => ("mended", None, *backup),
        Kind::ToMend => ("to-mend", None, None),
        Kind::Skipped { why } => ("skipped", Some(*why), None),
        Kind::Refused { why } => ("refused", Some(*why), None),
    };
    let told = |(line, report): &'r (Option<usize>, Report<'static>)| {
        let report = match &mut redactor {
            Some(redactor) => Changes::Redacted(redactor.report(report)?),
            None => Changes::Whole(report),
        };
        Ok::<_, io::Error>(Transcript { line: *line, report })
    };
    let transcripts = match kind {
        Kind::Mended { .. } | Kind::ToMend => Some(reports.map(told).collect::<Result<_, _>>()?),
        _ => None,
    };
    let (file, backup) = (path.to_string_lossy(), backup.map(Path::to_string_lossy));
    let mut line = serde_json::to_vec(&Line { file, outcome, why, backup, lines, transcripts })?;
    // What stood in the input stands here as it was spelled, and a line stays one.
    line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    line.push(b'\n');
    out.write_all(&line)
}
