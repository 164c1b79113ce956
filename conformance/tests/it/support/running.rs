//! Runs the program in a folder of its own.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(args)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    said(&output)
}
