//! What a fuzz target is without a fuzzer: a program that replays files.

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// Runs `body` on each file that the command line names. A finding is told on stderr as it is under the fuzzer, with what
/// makes it a case.
pub fn main(target: &str, body: fn(&[u8])) -> ExitCode {
    let files: Vec<_> = env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: give the files to replay, such as fuzz/artifacts/{target}/crash-…");
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
        if catch_unwind(|| body(&bytes)).is_err() {
            findings += 1;
            eprintln!("  make it a case: wirecanon case new --from-crash {}", file.display());
        }
    }
    eprintln!("{} replayed, {findings} findings", files.len());
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
