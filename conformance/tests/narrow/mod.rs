//! A testee of one dialect, which is the reference behind a shell script, so that a fault can be planted in it.

use std::fs;
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

/// Writes a testee that reads and writes Mistral messages, and passes its answers through a command first: `cat` changes
/// nothing. Returns the argument that names it.
pub(crate) fn testee(folder: &Path, name: &str, through: &str) -> String {
    let text = format!(
        "read -r line\n\
         echo '{{\"wirecanon\":1,\"name\":\"{name}\",\"version\":\"1.2.0\",\"conversions\":[{{\"from\":\"mistral.chat\",\"to\":\"mistral.chat\"}}]}}'\n\
         '{}' testee serve | {through}\n",
        env!("CARGO_BIN_EXE_wirecanon")
    );
    fs::write(folder.join(format!("{name}.sh")), text).expect("a script");
    format!("sh {name}.sh")
}
