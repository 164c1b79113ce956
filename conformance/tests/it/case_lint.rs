//! Every lint finds the fault that it is for, at its place, and says what to do.

use std::collections::BTreeSet;

use wirecanon::lint::{self, Depth, Finding};

const FILE: &str = "pairing/orphan-result.json";

/// A case without any finding.
const GOOD: &str = r#"{
  "id": "orphan-result",
  "title": "A result without its call becomes words.",
  "class": "pairing",
  "source": ["openclaw/openclaw#1", "openclaw/openclaw#2"],
  "from": "openai.chat",
  "input": {
    "messages": [
      {"role": "user", "content": "go"},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a", "type": "function", "function": {"name": "look", "arguments": {}}}]},
      {"role": "tool", "tool_call_id": "call_a", "content": "seen"}
    ]
  },
  "expect": {
    "repairs": [
      {"rule": "tool-call-arguments-not-a-string", "in": "/messages/1/tool_calls/0/function/arguments"}
    ],
    "must_keep": ["go", "seen"],
    "may_refuse": false,
    "targets": {
      "openai": {
        "output": {
          "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "call_a", "content": "seen"}
          ]
        }
      }
    }
  },
  "tags": ["poisoned-history"],
  "since": "0.1.0"
}
"#;

fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from} is not there");
    GOOD.replacen(from, to, 1)
}

fn found(files: &[(&str, &str)]) -> Vec<Finding> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(file, text)| (*file, text.as_bytes())).collect();
    lint::lint(&files, Depth::Whole)
}

/// Lint, what is changed into what, pointer of the finding, a word of it, and one of its cure.
const PLANTED: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("not-json", "\"from\":", "from:", "", "expected", "schema case"),
    ("not-a-case", "\"title\"", "\"titel\"", "", "titel", "schema case"),
    ("not-a-case", "  \"title\": \"A result without its call becomes words.\",\n", "", "", "title", "schema case"),
    ("not-a-case", "\"may_refuse\": false", "\"may_refuse\": true", "/expect/may_refuse", "", "unsupported-content"),
    ("not-a-case", "\"input\": {", "\"input_text\": \"\",\n  \"input\": {", "", "more than one input", "input_base64"),
    (
        "not-a-case",
        "\"content\": \"seen\"",
        "\"content\": {\"$txt\": {\"of\": \"a\"}}",
        "/input/messages/2/content/$txt",
        "$txt",
        "$literal",
    ),
    ("not-a-case", "\"from\": \"openai.chat\"", "\"from\": \"openai.chatter\"", "", "openai.chatter", "schema case"),
    ("not-a-case", "\"class\": \"pairing\"", "\"class\": \"paring\"", "/class", "", "folders"),
    ("misplaced", "\"id\": \"orphan-result\"", "\"id\": \"orphan-results\"", "/id", "differs", "orphan-results.json"),
    ("misplaced", "\"class\": \"pairing\"", "\"class\": \"encoding\"", "/class", "differs", "encoding/"),
    ("unknown-name", "\"openai\": {", "\"openia\": {", "/expect/targets/openia", "openia", "`openai`"),
    (
        "unknown-name",
        "tool-call-arguments-not-a-string",
        "tool-call-arguments-not-string",
        "/expect/repairs/0/rule",
        "no rule",
        "not-a-string",
    ),
    ("unknown-name", "\"poisoned-history\"", "\"poisoned-histori\"", "/tags/0", "no tag", "`poisoned-history`"),
    (
        "unknown-name",
        "\"may_refuse\": false,\n",
        "\"may_refuse\": false,\n    \"outcomes\": [\"marked-texts\"],\n",
        "/expect/outcomes/0",
        "no acceptable outcome",
        "`marked-text`",
    ),
    (
        "contradiction",
        "\"may_refuse\": false,\n",
        "\"may_refuse\": false,\n    \"outcomes\": [\"marked-text\"],\n",
        "/expect/outcomes/0",
        "no rule that the input breaks",
        "take it away",
    ),
    ("unknown-version", "\"since\": \"0.1.0\"", "\"since\": \"99.1.0\"", "/since", "future", "0.1.0"),
    (
        "unknown-version",
        "\"since\": \"0.1.0\"",
        "\"since\": \"0.1.0\",\n  \"retired\": {\n    \"in\": \"0.0.1\",\n    \"reason\": \"Wrong.\"\n  }",
        "/retired/in",
        "before",
        "version",
    ),
    (
        "id-twice",
        "\"since\": \"0.1.0\"",
        "\"since\": \"0.1.0\",\n  \"retired\": {\n    \"in\": \"0.1.0\",\n    \"reason\": \"Wrong.\",\n    \"by\": \"nobody\"\n  }",
        "/retired/by",
        "nobody",
        "take `by` away",
    ),
    (
        "not-reviewed",
        "\"since\": \"0.1.0\"",
        "\"since\": \"0.1.0\",\n  \"review\": \"look\"",
        "/review",
        "nobody",
        "SPEC.md",
    ),
    ("nothing-expected", "\"poisoned-history\"", "\"identity\"", "/expect/repairs", "repaired", "identity"),
    (
        "contradiction",
        "\"arguments\": \"{}\"",
        "\"arguments\": {}",
        "/expect/targets/openai/output/messages/1/tool_calls/0/function/arguments",
        "openai",
        "wirecanon explain",
    ),
    (
        "contradiction",
        "\"must_keep\": [",
        "\"must_keep\": [\"call_b\", ",
        "/expect/targets/openai/output",
        "must survive",
        "must_keep",
    ),
    (
        "contradiction",
        "\"poisoned-history\"",
        "\"identity\"",
        "/input/messages/1/tool_calls/0/function/arguments",
        "openai.chat",
        "identity",
    ),
    (
        "no-such-place",
        "/0/function/arguments\"",
        "/1/function/arguments\"",
        "/expect/repairs/0/in",
        "nothing at",
        "JSON Pointer",
    ),
    ("citation", "openclaw/openclaw#2", "openclaw/openclaw #2", "/source/1", "no citation", "owner/repo#n"),
    ("title", "becomes words.", "becomes words", "/title", "full stop", "one sentence"),
    (
        "words-from-nowhere",
        "\"go\", \"seen\"",
        "\"go\", \"gone\"",
        "/expect/must_keep/1",
        "gone",
        "as the input has it",
    ),
    ("words-from-nowhere", "\"go\", \"seen\"", "\"go\", \"go\"", "/expect/must_keep/1", "twice", "take one away"),
    (
        "long-run",
        "without its call becomes words.",
        "says xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.",
        "/title",
        "50 characters",
        "$text",
    ),
    (
        "order",
        "\"openclaw/openclaw#1\", \"openclaw/openclaw#2\"",
        "\"openclaw/openclaw#2\", \"openclaw/openclaw#1\"",
        "/source/1",
        "stands after",
        "--fix",
    ),
    (
        "layout",
        "\"tags\": [\"poisoned-history\"]",
        "\"tags\": [\n    \"poisoned-history\"\n  ]",
        "",
        "laid out",
        "--fix",
    ),
];

#[test]
fn the_good_case_has_no_finding() {
    assert_eq!(found(&[(FILE, GOOD)]), []);
}

#[test]
fn each_planted_fault_is_found_at_its_place_with_its_cure() {
    for (lint, from, to, pointer, word, cure) in PLANTED {
        let text = changed(from, to);
        let findings = found(&[(FILE, &text)]);
        let right = findings.iter().any(|finding| {
            finding.lint == *lint
                && finding.problem.pointer == *pointer
                && finding.problem.message.contains(word)
                && finding.problem.cure.contains(cure)
                && finding.problem.file == FILE
                && finding.problem.line > 0
                && finding.problem.column > 0
        });
        assert!(right, "{lint}: {from} -> {to}: {findings:#?}");
    }
}

#[test]
fn a_place_is_told_to_the_line() {
    let text = changed("openclaw/openclaw#2", "none");
    let finding = &found(&[(FILE, &text)])[0];
    assert_eq!((finding.problem.line, finding.problem.column, finding.lint), (5, 37, "citation"));
    let finding = &found(&[(FILE, "{\n  \"id\": \"orphan-result\",\n  nothing\n}")])[0];
    assert_eq!((finding.problem.line, finding.problem.column, finding.lint), (3, 3, "not-json"));
}

#[test]
fn what_can_go_must_go_or_be_explained() {
    let explained = include_str!("../../corpus/image-media-malformed/mcp-image-without-data.json");
    let file = "image-media-malformed/mcp-image-without-data.json";
    assert_eq!(found(&[(file, explained)]), []);
    let start = explained.find("  \"whole\"").expect("it is there");
    let end = start + explained[start..].find('\n').expect("a line") + 1;
    let findings = found(&[(file, &format!("{}{}", &explained[..start], &explained[end..]))]);
    let places: Vec<_> = findings.iter().map(|finding| (finding.lint, finding.problem.pointer.as_str())).collect();
    // The words before and behind the picture, and not the picture without data.
    assert_eq!(places, [("not-minimal", "/input/content/0"), ("not-minimal", "/input/content/2")], "{findings:#?}");
}

#[test]
fn cases_are_compared_with_each_other() {
    let other = GOOD.replace("orphan-result", "other-result");
    let twin = other.replace("call_a", "tool_9").replace("\"seen\"", "\"beheld\"");
    let lints = |files: &[(&str, &str)]| -> Vec<(&'static str, String)> {
        found(files).into_iter().map(|finding| (finding.lint, finding.problem.pointer)).collect()
    };
    assert_eq!(lints(&[(FILE, GOOD), ("pairing/other-result.json", &twin)]), [("alike", "/input".to_owned())]);
    let explained = twin.replace("  \"tags\"", "  \"whole\": \"Another path leads here.\",\n  \"tags\"");
    assert_eq!(lints(&[(FILE, GOOD), ("pairing/other-result.json", &explained)]), []);
    let same = lints(&[(FILE, GOOD), ("encoding/orphan-result.json", &GOOD.replace("\"pairing\"", "\"encoding\""))]);
    assert!(same.contains(&("id-twice", "/id".to_owned())), "{same:?}");
}

#[test]
fn what_lies_in_a_wrong_place_is_not_skipped() {
    for file in ["orphan-result.json", "pairing/deep/orphan-result.json", "pairing/orphan-result.jsn"] {
        assert!(found(&[(file, GOOD)]).iter().any(|finding| finding.lint == "misplaced"), "{file}");
    }
}

#[test]
fn nothing_expected_is_said() {
    let start = GOOD.find("\"expect\"").expect("it is there");
    let end = GOOD.find("  \"tags\"").expect("it is there");
    let text = format!("{}\"expect\": {{\n    \"must_keep\": []\n  }},\n{}", &GOOD[..start], &GOOD[end..]);
    let findings = found(&[(FILE, &text)]);
    assert!(
        findings.iter().any(|finding| finding.lint == "nothing-expected" && finding.problem.pointer == "/expect"),
        "{findings:#?}"
    );
}

/// A lint without a planted fault could be broken and nobody would know.
#[test]
fn every_lint_is_tried_and_documented() {
    let mut tried: BTreeSet<&str> = PLANTED.iter().map(|(lint, ..)| *lint).collect();
    // In tests of their own.
    tried.extend(["alike", "not-minimal"]);
    let docs = include_str!("../../../docs/cases.md");
    for lint in lint::LINTS {
        assert!(tried.contains(lint.id), "{} has no planted fault", lint.id);
        let row = docs.lines().find(|line| line.starts_with(&format!("| `{}` |", lint.id)));
        let row = row.unwrap_or_else(|| panic!("docs/cases.md does not name {}", lint.id));
        assert_eq!(row.ends_with("| yes |"), lint.refuses, "{row}");
    }
    for (tag, meaning) in wirecanon::case::TAGS {
        assert!(docs.contains(&format!("| `{tag}` | {meaning} |")), "docs/cases.md does not say of `{tag}`: {meaning}");
    }
    for form in lint::CITATIONS {
        assert!(docs.contains(form.example), "docs/cases.md has no example `{}`", form.example);
    }
    for (shape, _) in wirecanon::case::shape::SHAPES {
        assert!(docs.contains(&format!("`{{\"{shape}\": ")), "docs/cases.md does not show {shape}");
    }
}
