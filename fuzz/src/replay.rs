//! What a fuzz target is without a fuzzer: a program that replays files.

use std::env;
use std::fs;
use std::process::ExitCode;

/// Runs `body` on each file that the command line names. A finding panics, as it does under the fuzzer.
pub fn main(body: fn(&[u8])) -> ExitCode {
    let files: Vec<_> = env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: give the files to replay, such as fuzz/artifacts/TARGET/crash-…");
        return ExitCode::from(2);
    }
    for file in &files {
        match fs::read(file) {
            Ok(bytes) => body(&bytes),
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                return ExitCode::from(2);
            }
        }
    }
    eprintln!("{} replayed, no finding", files.len());
    ExitCode::SUCCESS
}
