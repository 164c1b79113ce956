//! Pages in Chromium: what that needs, and a walk through the steps of a script.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::program::{have, is_required};

/// Chromium, Node.js and what `ci/browser-tools.sh` puts into `target/browser`.
pub(crate) struct Browser {
    chromium: String,
    tools: PathBuf,
    /// Where screenshots go
    pub(crate) shots: PathBuf,
}

impl Browser {
    /// All of it; where something is missing, the test says so, and fails if the run requires it.
    pub(crate) fn ready() -> Option<Self> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
        let Some(chromium) = chromium else {
            have("chromium", "chromium");
            return None;
        };
        if !have("node", "node") {
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tools = root.join("target/browser");
        if !tools.join("node_modules/puppeteer-core").is_dir() {
            assert!(!is_required("chromium"), "run ci/browser-tools.sh: target/browser has no puppeteer-core");
            eprintln!("NOT RUN: ci/browser-tools.sh was not run");
            return None;
        }
        let shots = root.join("target/browser-shots");
        fs::create_dir_all(&shots).expect("a folder");
        let found = Command::new("sh").args(["-c", &format!("command -v {chromium}")]).output().expect("sh");
        let chromium = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        Some(Self { chromium, tools, shots: shots.canonicalize().expect("a folder") })
    }

    /// Runs a script of `tests/browser`, each of whose steps must succeed.
    pub(crate) fn walk(&self, script: &str, words: &[&OsStr], steps: usize) {
        let output = Command::new("node")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script))
            .args(words)
            .env("CHROMIUM", &self.chromium)
            .env("WIRECANON_BROWSER", &self.tools)
            .output()
            .expect("node");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        eprintln!("{said}");
        assert!(output.status.success() && said.matches("ok    ").count() == steps, "{said}");
    }
}
