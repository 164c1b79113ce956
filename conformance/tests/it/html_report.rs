//! The page of a run: what is in its file, and what Chromium makes of it.
//!
//! The browser test needs Chromium, Node.js and what `ci/browser-tools.sh` puts into `target/browser`; it leaves screenshots in
//! `target/browser-shots`.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use wirecanon::report::FORMS;
use wirecanon::{corpus, log};

use crate::support::chromium::Browser;
use crate::support::narrow::testee;
use crate::support::running::run_in;

const FAULT: &str = "sed -u -e 's/\"tool_call_id\"/\"toolCallId\"/' -e 's/the weather/the/'";
const EVIL: &str = "</script><script>window.pwned=1</script>";

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let end = begin + page[begin..].find("</script>").expect("an end");
    serde_json::from_str(&page[begin..end]).expect("JSON")
}

/// Runs a testee with a fault, and gives the folder with `run.ndjson` and `run.html`.
fn run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let argument = testee(folder.path(), "narrow", FAULT);
    let page = ["--format", "html", "-o", "run.html", "--log", "run.ndjson"];
    let said = run_in(folder.path(), &[&["test", "--testee", argument.as_str()][..], &page].concat());
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{}", said.err);
    folder
}

/// A run of which every text means harm, and which was cut short.
fn hostile() -> String {
    let name = "<img src=x onerror=\"window.pwned=1\">";
    let answer = format!("{{\"a\":\"{EVIL}\u{202e}\"}}");
    let lines = [
        json!({"event": "start", "wirecanon": 1, "log": 1, "version": "0.1.0", "corpus": "0".repeat(64), "seed": 0, "cases": 1,
            "minimum": 1, "testees": [EVIL], "void": EVIL}),
        json!({"event": "case", "case": "evil", "class": "b id=x", "title": EVIL, "digest": "0".repeat(64), "scored": true}),
        json!({"event": "testee", "argument": "'; rm -rf ~; '", "name": name, "version": EVIL, "language": EVIL}),
        json!({"event": "result", "testee": name, "case": "evil", "from": "openai.chat", "to": "a", "verdict": "rejected", "ok": false,
            "violations": [{"rule": "r", "pointer": "/\u{2028}<", "message": EVIL}], "lost": [EVIL], "failures": [EVIL],
            "answer": {"text": answer}}),
        json!({"event": "result", "testee": name, "case": "evil", "from": "openai.chat", "to": "i", "verdict": "rejected", "ok": false,
            "answer": {"same_as": "answer openai.chat a"}}),
    ];
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

/// A run of more than ten thousand rows.
fn big() -> String {
    let cases = corpus::load().expect("the corpus");
    let lines = log::case_lines(&cases.iter().collect::<Vec<_>>(), None);
    let names: Vec<String> = (1..=14).map(|number| format!("testee-{number}")).collect();
    assert!(lines.len() * names.len() > 10_000);
    let mut text = format!(
        "{}\n",
        json!({"event": "start", "wirecanon": 1, "log": 1, "version": "0.1.0", "corpus": log::digest_of(&cases), "seed": 0,
            "cases": lines.len(), "minimum": 1, "testees": names})
    );
    for line in &lines {
        let mut value = serde_json::to_value(line).expect("JSON");
        value["event"] = json!("case");
        text += &value.to_string();
        text.push('\n');
    }
    for (number, name) in names.iter().enumerate() {
        text += &json!({"event": "testee", "argument": name, "name": name}).to_string();
        text.push('\n');
        for (at, line) in lines.iter().enumerate() {
            let good = (at + number) % 3 == 0;
            let mut value = json!({"event": "result", "testee": name, "case": line.id, "from": "openai.chat", "to": "openai",
                "verdict": if good { "exact" } else { "rejected" }, "ok": good});
            if !good {
                value["violations"] =
                    json!([{"rule": "orphan-tool-result", "pointer": "/messages/1", "message": "no call"}]);
                value["answer"] =
                    json!({"text": format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{at}\"}}]}}")});
            }
            text += &value.to_string();
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_page_is_made_from_the_log_alone() {
    let folder = run();
    let at = folder.path();
    let made = fs::read_to_string(at.join("run.html")).expect("a page");
    let said = run_in(at, &["report", "run.ndjson", "--to", "html", "-o", "again.html"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (1, "", ""));
    assert!(made == fs::read_to_string(at.join("again.html")).expect("a page"), "the same log gave another page");
    // One file: nothing is asked of any place.
    for outside in [
        "src=",
        "@import",
        "url(",
        "<link rel=\"style",
        "http-equiv=\"refresh\"",
        "fetch(",
        "XMLHttpRequest",
        "WebSocket",
    ] {
        let page: String = made.split("id=\"data\">").next().expect("a beginning").to_owned();
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(made.contains("Content-Security-Policy") && !made.contains("unsafe-inline"));
    let data = data(&made);
    let failing: Vec<&Value> =
        data["rows"].as_array().expect("rows").iter().filter(|row| row["groups"][0]["ok"] == false).collect();
    assert!(failing.len() > 20, "{}", failing.len());
    for row in failing {
        let case = &data["cases"][usize::try_from(row["case"].as_u64().expect("a place")).expect("small")];
        let sources = case["sources"].as_array().expect("a list");
        assert!(case["input"].is_u64() && !sources.is_empty(), "{case}");
        for source in sources.iter().filter(|source| source[1].as_str().is_some_and(|at| at.contains("/issues/"))) {
            assert!(source[2].as_str().is_some_and(|happened| happened.ends_with('.')), "{case}");
        }
        let group = &row["groups"][0];
        assert!(group["doc"].is_u64() && group["beside"].is_string(), "{group}");
    }
}

#[test]
fn a_log_keeps_what_failed_and_reads_it_again() {
    let folder = run();
    let text = fs::read_to_string(folder.path().join("run.ndjson")).expect("a log");
    assert!(
        text.contains("\"answer\":{\"text\":") && text.contains("\"answer\":{\"same_as\":"),
        "no answer is in the log"
    );
    assert!(text.contains("\"carried\":{\"text\":"), "no carried input is in the log");
    let validator = wirecanon_schemas::validate::Validator::new("wirecanon/log").expect("a schema");
    for line in text.lines().filter(|line| !line.contains("\"unsupported\"")) {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert!(validator.mismatches(&value).is_empty(), "{line}");
        assert!(value["ok"] != true || value.get("answer").is_none(), "{line}");
    }
    let mut again = Vec::new();
    log::write(&mut again, &log::read(text.as_bytes()).expect("a log")).expect("memory takes text");
    assert!(text.as_bytes() == again, "a log is not written as it was read");
    let wrong = text.replacen("\"same_as\":\"answer ", "\"same_as\":\"nothing ", 1);
    let error = log::read(wrong.as_bytes()).expect_err("it names nothing");
    assert!(error.contains("is not above it"), "{error}");
}

#[test]
fn a_redacted_page_says_nothing_of_what_was_said() {
    let folder = run();
    let at = folder.path();
    let said = run_in(at, &["report", "run.ndjson", "--to", "html", "--redact", "-o", "redacted.html"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    let [plain, redacted] =
        ["run.html", "redacted.html"].map(|name| fs::read_to_string(at.join(name)).expect("a page"));
    let [plain, redacted] = [plain, redacted].map(|page| data(&page)["docs"].to_string());
    for word in ["weather", "read a.txt", "let me look"] {
        assert!(plain.contains(word), "{word} is not on the plain page");
        assert!(!redacted.contains(word), "{word} is on the redacted page");
    }
    assert!(redacted.contains("\\\"role\\\": \\\"user\\\""), "the structure is gone");
}

#[test]
fn no_form_quotes_a_message_when_it_is_redacted() {
    let folder = run();
    let at = folder.path();
    let log = log::read(&fs::read(at.join("run.ndjson")).expect("a log")).expect("a log");
    let results = || log.runs.iter().flat_map(|run| &run.results);
    // What no title of a case says, and no word of the wire.
    let known = format!("{:?}", log.cases);
    let reasons = results().flat_map(|result| &result.judgement.reasons);
    // A detail quotes what differs.
    let mut secrets: Vec<&str> = reasons.flat_map(|reason| reason.detail.split('"').skip(1).step_by(2)).collect();
    secrets.sort_unstable();
    secrets.dedup();
    secrets.retain(|secret| secret.len() > 7 && secret.contains(' ') && !known.contains(secret));
    assert!(!secrets.is_empty(), "no text differs");
    let (mut quoted, mut counts) = (0, Vec::new());
    for form in FORMS.iter().filter(|form| !form.shows_cases) {
        let told = |redact: &[&str]| run_in(at, &[&["report", "run.ndjson", "--to", form.name][..], redact].concat());
        let [plain, redacted] = [told(&[]), told(&["--redact"])];
        assert_eq!((redacted.code, redacted.err.as_str()), (plain.code, ""), "{}", form.name);
        quoted += secrets.iter().filter(|secret| plain.out.contains(*secret)).count();
        for secret in &secrets {
            assert!(!redacted.out.contains(secret), "{}: {secret}", form.name);
        }
        counts.push((plain.out.lines().count(), redacted.out.lines().count()));
        assert_eq!(told(&["--redact"]).out, redacted.out, "{}: another time it says another thing", form.name);
    }
    assert!(quoted > 0, "no form quotes anything: {counts:?}");
}

#[test]
fn what_no_page_can_be_made_of_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let head = fixtures.join("head.ndjson").display().to_string();
    fs::write(at.join("cut"), hostile()).expect("a log");
    for (args, code, words) in [
        (
            &["report", &head, "--to", "json", "--baseline", &head][..],
            2,
            "`--baseline` is for `--to human` and `--to html`",
        ),
        (&["report", &head, "--to", "html", "--baseline", "cut"], 5, "has no end"),
        (&["report", &head, "--to", "html", "--baseline", "none"], 2, "no such file"),
        (&["report", &head, "--to", "html", "--corpus", "none"], 2, "none"),
        (&["report", &head, "--to", "tap", "--corpus", "none"], 2, "`--corpus` is for `--to html`"),
        (&["test", "--format", "junit", "--baseline", &head], 2, "`--baseline` is for `--format human` and"),
        (&["test", "--case", "image-data*", "--baseline", &head], 2, "these are about different cases"),
    ] {
        let said = run_in(at, args);
        assert_eq!(said.code, code, "{args:?}: {}{}", said.out, said.err);
        assert!(said.err.contains(words) && said.out.is_empty(), "{args:?}: {}", said.err);
    }
    let said = run_in(at, &["report", "cut", "--to", "html"]);
    assert_eq!(said.code, 5, "{}", said.err);
    assert!(said.out.starts_with("<!doctype html>") && said.out.contains("The run was cut short"));
    assert_eq!(said.out.matches("<script").count(), 8, "a text became a script");
}

#[test]
fn people_find_their_way_in_chromium() {
    let Some(browser) = Browser::ready() else { return };
    let shots = &browser.shots;
    let folder = run();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let [base, head] = ["base.ndjson", "head.ndjson"].map(|name| fixtures.join(name).display().to_string());
    fs::copy(folder.path().join("run.html"), shots.join("run.html")).expect("a page");
    fs::write(folder.path().join("big"), big()).expect("a log");
    fs::write(folder.path().join("hostile"), hostile()).expect("a log");
    for (log, page, more) in [
        (head.as_str(), "trend.html", &["--baseline", base.as_str()][..]),
        ("big", "big.html", &[]),
        ("hostile", "hostile.html", &[]),
    ] {
        let page = shots.join(page).display().to_string();
        let said = run_in(folder.path(), &[&["report", log, "--to", "html", "-o", page.as_str()], more].concat());
        assert_eq!(said.err, "");
    }
    browser.walk("report.mjs", &[shots.as_os_str()], 9);
}
