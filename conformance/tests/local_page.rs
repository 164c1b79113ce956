//! The local page in Chromium.
//!
//! It needs Chromium, Node.js and what `ci/browser-tools.sh` puts into `target/browser`, and leaves screenshots in
//! `target/browser-shots`.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod local;
mod program;
mod running;

use local::Server;
use program::{have, is_required};
use running::run_in;

/// Steps of `tests/browser/local.mjs`.
const STEPS: usize = 13;

#[test]
fn people_mend_a_session_in_chromium() {
    let chromium = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    let Some(chromium) = chromium else {
        have("chromium", "chromium");
        return;
    };
    if !have("node", "node") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools: PathBuf = root.join("../target/browser");
    if !tools.join("node_modules/puppeteer-core").is_dir() {
        assert!(!is_required("chromium"), "run ci/browser-tools.sh: target/browser has no puppeteer-core");
        eprintln!("NOT RUN: ci/browser-tools.sh was not run");
        return;
    }
    let shots = root.join("../target/browser-shots");
    fs::create_dir_all(&shots).expect("a folder");
    let shots = shots.canonicalize().expect("a folder");
    fs::copy(root.join("assets/local/sample.json"), shots.join("session.json")).expect("a session");
    let fixed = run_in(&shots, &["fix", "--to", "anthropic", "session.json"]);
    assert_eq!((fixed.code, fixed.err.contains("changes")), (0, true), "{}", fixed.err);
    fs::write(shots.join("mended.json"), &fixed.out).expect("a file");
    let [head, base] =
        ["head.ndjson", "base.ndjson"].map(|name| root.join("tests/fixtures").join(name).display().to_string());
    let server = Server::start(&shots, &["--limit", "4", &head, &base]);
    let found = Command::new("sh").args(["-c", &format!("command -v {chromium}")]).output().expect("sh");
    let output = Command::new("node")
        .arg(root.join("tests/browser/local.mjs"))
        .arg(format!("http://127.0.0.1:{}/", server.port))
        .arg(&shots)
        .env("CHROMIUM", String::from_utf8_lossy(&found.stdout).trim())
        .env("WIRECANON_BROWSER", tools)
        .output()
        .expect("node");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("{said}");
    assert!(output.status.success() && said.matches("ok    ").count() == STEPS, "{said}");
}
