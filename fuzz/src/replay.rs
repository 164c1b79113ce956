//! What a fuzz target is without a fuzzer: a program that replays files.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::panic::catch_unwind;
use std::process::ExitCode;

use crate::FuzzTarget;

/// What of a file a case can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// The file is one
    Itself,
    /// The target draws one from the file, in this dialect
    Drawn(Vec<u8>, &'static str),
    /// None: it is no transcript
    Nothing,
}

/// Runs a target on each file that the command line names. A finding is told on stderr as it is under the fuzzer, with what
/// makes it a case: where the target draws a transcript from the file, that is written beside it.
pub fn main(name: &str, target: &FuzzTarget) -> ExitCode {
    let files: Vec<_> = env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: give the files to replay, such as fuzz/artifacts/{name}/crash-…");
        return ExitCode::from(2);
    }
    let mut findings = 0;
    for file in &files {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                return ExitCode::from(2);
            }
        };
        if catch_unwind(|| target.run(&bytes)).is_err() {
            findings += 1;
            if let Some(command) = case(file, (target.document)(&bytes)) {
                eprintln!("  make it a case: {command}");
            }
        }
    }
    eprintln!("{} replayed, {findings} findings", files.len());
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The command that makes a case of a file.
fn case(file: &OsString, document: Document) -> Option<String> {
    let new = "wirecanon case new --from-crash";
    match document {
        Document::Itself => Some(format!("{new} {}", file.display())),
        Document::Drawn(bytes, dialect) => {
            let mut beside = file.clone();
            beside.push(".json");
            fs::write(&beside, bytes).ok()?;
            Some(format!("{new} {} --from {dialect}", beside.display()))
        }
        Document::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_transcript_is_written_beside_its_file() {
        let file = env::temp_dir().join(format!("wirecanon-replay-{}", std::process::id())).into_os_string();
        let command = case(&file, Document::Drawn(b"{}".to_vec(), "openai.chat")).unwrap();
        let beside = format!("{}.json", file.display());
        assert_eq!(command, format!("wirecanon case new --from-crash {beside} --from openai.chat"));
        assert_eq!(fs::read(&beside).unwrap(), b"{}");
        fs::remove_file(&beside).unwrap();
        assert_eq!(
            case(&file, Document::Itself).unwrap(),
            format!("wirecanon case new --from-crash {}", file.display())
        );
        assert_eq!(case(&file, Document::Nothing), None);
    }

    /// Every target says what a case of its files is.
    #[test]
    fn targets_draw_what_they_judge() {
        let noise = wirecanon_generate::noise(5, 300);
        for target in [crate::transcript::TARGET, crate::mcp_result::TARGET, crate::check_schema::TARGET] {
            let Document::Drawn(bytes, dialect) = (target.document)(&noise) else { panic!("nothing drawn") };
            assert!(wirecanon_core::Dialect::by_name(dialect).is_some() && bytes.len() > 2, "{dialect}");
        }
        assert_eq!((crate::check_schema::TARGET.document)(b"{}"), Document::Itself);
        assert_eq!((crate::mcp_result::TARGET.document)(b" {}"), Document::Itself);
    }
}
