//! The local page in Chromium.
//!
//! It needs Chromium, Node.js and what `ci/browser-tools.sh` puts into `target/browser`, and leaves screenshots in
//! `target/browser-shots`.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::chromium::Browser;
use crate::support::local::Server;
use crate::support::running::run_in;

/// Steps of `tests/browser/local.mjs`.
const STEPS: usize = 14;

#[test]
fn people_mend_a_session_in_chromium() {
    let Some(browser) = Browser::ready() else { return };
    let (root, shots) = (Path::new(env!("CARGO_MANIFEST_DIR")), &browser.shots);
    fs::copy(root.join("web/assets/local/sample.json"), shots.join("session.json")).expect("a session");
    let agent = root.join("tests/fixtures/sessions/claude-code-orphan.jsonl");
    fs::copy(agent, shots.join("agent.jsonl")).expect("a session file");
    let fixed = run_in(shots, &["fix", "--to", "anthropic", "session.json"]);
    assert_eq!((fixed.code, fixed.err.contains("changes")), (0, true), "{}", fixed.err);
    fs::write(shots.join("mended.json"), &fixed.out).expect("a file");
    let [head, base] =
        ["head.ndjson", "base.ndjson"].map(|name| root.join("tests/fixtures").join(name).display().to_string());
    let server = Server::start(shots, &["--limit", "4", &head, &base]);
    let page = format!("http://127.0.0.1:{}/", server.port);
    browser.walk("local.mjs", &[page.as_ref(), shots.as_os_str()], STEPS);
}
