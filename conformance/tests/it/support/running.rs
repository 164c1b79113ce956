//! Runs the program in a folder of its own.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn parts(self) -> (i32, String, String) {
        (self.code, self.out, self.err)
    }
}

pub(crate) fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Returns a command that runs the program in a folder, with an empty stdin.
pub(crate) fn program_in(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command
        .args(args)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100")
        .stdin(Stdio::null());
    command
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Said {
    said(&program_in(folder, args).output().expect("the program"))
}

/// Runs the program in a folder with this input.
pub(crate) fn feed_in(folder: &Path, args: &[&str], input: &[u8]) -> Said {
    let mut command = program_in(folder, args);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            // The program may stop reading early.
            let _ = stdin.write_all(input);
        });
        said(&child.wait_with_output().expect("an end"))
    })
}
