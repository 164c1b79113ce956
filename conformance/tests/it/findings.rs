//! Findings: the files are read with their faults, the page says what they say, and one that is no longer so fails.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wirecanon::finding::{self, Finding, Pin, answers, hold, index};
use wirecanon::meaning;
use wirecanon::problem::Problem;
use wirecanon::testee::Answer;
use wirecanon::verdict::Verdict;
use wirecanon::{adapter, corpus};
use wirecanon_core::{CheckOptions, Target, check};

use crate::support::program::have;

/// Read whatever the language of the machine.
const GOOD: &str = r#"[[finding]]
id = "passes"
title = "An orphan passes"
by = "corpus"
case = "orphan-result-first"
to = "anthropic"
verdict = "altered"
because = ["orphan-tool-result at /messages/0/content/0"]
code = "`a.js:1`"
documented = "Not mentioned."
suffers = "Everyone."
also = [{ to = "openai" }]

[[finding]]
id = "flag-lost"
title = "The error flag is lost"
by = "protocol"
input = '''{"messages":[{"role":"user","content":"go"}]}'''
keep = ["go"]
from = "openclaw"
to = "openai"
verdict = "altered"
class = "error-flag"
source = ["openclaw/openclaw#1"]
differs = [{ at = "/messages/0/content", stands = '"stop"', must = '"go"', why = "it was said" }]
code = "`a.js:2`"
documented = "Not mentioned."
suffers = "Everyone."
"#;

fn load(file: &str, text: &str) -> Result<Vec<Finding>, String> {
    let corpus = corpus::load().expect("the corpus");
    finding::load(&[(file, text.as_bytes())], &corpus)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_file_of_findings_is_read() {
    let findings = load("pi-ai.toml", GOOD).expect("findings");
    let names: Vec<_> = findings.iter().map(|finding| (finding.name.as_str(), finding.line)).collect();
    assert_eq!(names, [("pi-ai/passes", 1), ("pi-ai/flag-lost", 14)]);
    assert_eq!((findings[0].class.as_str(), findings[0].also.len()), ("pairing", 1));
    assert_eq!(findings[1].probe.case.expect.must_keep, ["go"]);
    assert_eq!(findings[1].package, "@earendil-works/pi-ai");
    assert!(load("pi-ai.toml", "").expect("nothing was found").is_empty());
}

#[test]
fn what_is_no_finding_is_refused_with_file_and_line() {
    for (from, to, message) in [
        ("title = \"An orphan", "titel = \"An orphan", "pi-ai.toml:3: unknown field `titel`"),
        ("code = \"`a.js:1`\"\n", "", "pi-ai.toml:1: missing field `code`"),
        ("code = \"`a.js:1`\"", "code = \" \"", "pi-ai.toml:1: passes: `code` is empty"),
        (
            "orphan-result-first",
            "orphan-result-frist",
            "pi-ai.toml:1: passes: no case is called `orphan-result-frist`; did you mean `orphan-result-first`",
        ),
        ("to = \"anthropic\"", "to = \"cohere\"", "pi-ai.toml:1: passes: pi-ai does not claim openclaw to cohere"),
        ("{ to = \"openai\" }", "{ to = \"cohere\" }", "passes: `also`: pi-ai does not claim openclaw to cohere"),
        ("{ to = \"openai\" }", "{ tp = \"openai\" }", "unknown field `tp`"),
        (
            "\"orphan-tool-result at /messages/0/content/0\"",
            "\"orphan-tool-reslt\"",
            "did you mean `orphan-tool-result`?",
        ),
        ("[\"orphan-tool-result at /messages/0/content/0\"]", "[]", "`because` is empty"),
        ("verdict = \"altered\"", "verdict = \"altred\"", "`altred` is no verdict"),
        ("verdict = \"altered\"", "verdict = \"faithful\"", "`faithful` is nothing wrong"),
        ("by = \"corpus\"\ncase = \"orphan-result-first\"", "by = \"fuzz\"", "asks for the command as `fuzz`"),
        ("by = \"corpus\"", "by = \"chance\"", "unknown variant `chance`"),
        ("id = \"flag-lost\"", "id = \"passes\"", "pi-ai.toml:14: passes: this id stands twice"),
        ("id = \"flag-lost\"", "id = \"Flag\"", "pi-ai.toml:14: Flag: an id has lower-case letters"),
        ("source = [\"openclaw/openclaw#1\"]\n", "", "flag-lost: nothing is cited"),
        ("\"openclaw/openclaw#1\"", "\"somewhere\"", "flag-lost: `somewhere` is no citation"),
        ("from = \"openclaw\"\n", "", "flag-lost: `from` is missing"),
        ("must = '\"go\"'", "must = '\"stop\"'", "what stands at /messages/0/content is what must stand there"),
        ("must = '\"go\"'", "must = 'go'", "`go` at /messages/0/content is not JSON"),
        ("class = \"error-flag\"", "class = \"error\"", "no class is called `error`"),
        ("'''{\"messages\"", "'''{\"messages", "flag-lost: `input`: "),
    ] {
        let broken = GOOD.replacen(from, to, 1);
        assert_ne!(broken, GOOD, "{from}");
        let error = load("pi-ai.toml", &broken).expect_err(from);
        assert!(error.contains(message), "{message}: {error}");
    }
    assert!(load("pi.toml", GOOD).expect_err("a file").starts_with("pi.toml: no adapter is called `pi`"));
}

/// The findings, and the answers that are recorded of them.
fn built_in() -> (Vec<Finding>, answers::Answers) {
    let corpus = corpus::load().expect("the corpus");
    let said = |faults: Vec<Problem>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let findings = finding::load(finding::FILES, &corpus).map_err(said).unwrap_or_else(|faults| panic!("{faults}"));
    let answers = answers::read(finding::FILES).map_err(said).unwrap_or_else(|faults| panic!("{faults}"));
    (findings, answers)
}

#[test]
fn every_finding_is_confirmed_by_the_recorded_answers() {
    let (findings, answers) = built_in();
    let outcomes: Vec<_> = findings.iter().map(|finding| hold::hold(finding, &answers)).collect();
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.holds())
        .map(|outcome| {
            let unasked = outcome.unasked.iter().map(|probe| format!("nothing is recorded of {}", probe.testee));
            let why: Vec<_> = outcome.gone.iter().cloned().chain(unasked).collect();
            format!("{}:{}: {}", outcome.finding.file, outcome.finding.line, why.join("; "))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether every rule that the answer breaks is one that the input breaks in its own dialect.
fn is_fault_of_input(finding: &Finding) -> bool {
    let broken = meaning::facts::broken(&finding.probe.case, Target::of_dialect(finding.probe.case.from));
    let is_of_input = |pin: &Pin| match pin {
        Pin::Rule(rule, _) => broken.iter().any(|(other, _)| other == rule),
        _ => false,
    };
    !finding.because.is_empty() && finding.because.iter().all(is_of_input)
}

/// Words of `documented` that promise no repair.
const NO_PROMISE: [&str; 6] =
    ["Not mentioned", "nothing is promised", "no repairs", "nothing is repaired", "The type says", "The type asks"];

#[test]
fn a_fault_of_the_input_is_a_defect_only_where_its_repair_is_promised() {
    let (findings, _) = built_in();
    let is_promised = |finding: &Finding| !NO_PROMISE.iter().any(|words| finding.documented.contains(words));
    let wrong: Vec<_> = findings
        .iter()
        .filter(|finding| is_fault_of_input(finding) && finding.passed_on.is_none() && !is_promised(finding))
        .map(|finding| format!("{}:{}: {}: add `passed_on = true`", finding.file, finding.line, finding.name))
        .collect();
    assert!(wrong.is_empty(), "{} entries:\n{}", wrong.len(), wrong.join("\n"));
    assert!(findings.iter().any(Finding::is_passed_on) && findings.iter().any(|finding| !finding.is_passed_on()));
}

/// The errors of the servers of an entry that are known: those that rules, the targets and the entry cite.
fn errors_of(finding: &Finding) -> Vec<String> {
    let targets: Vec<_> = finding.also.iter().map(|also| also.probe.target).chain([finding.probe.target]).collect();
    let rules = wirecanon_core::rule::all().flat_map(wirecanon_core::rule::Rule::errors).map(str::to_owned);
    let of_targets = targets.iter().flat_map(|target| target.sources.iter().cloned());
    let known = rules.chain(of_targets).chain(finding.source.iter().cloned());
    let is_of = |server: &str| targets.iter().any(|target| server.split(' ').all(|word| target.title.contains(word)));
    known.filter(|error| error.split_once(" error").is_some_and(|(server, _)| is_of(server))).collect()
}

/// The words of an error, without what changes from request to request.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_quoted_error_is_known_of_the_very_server() {
    let (findings, _) = built_in();
    let mut wrong = Vec::new();
    let mut quotes = 0;
    for finding in &findings {
        let known: Vec<String> = errors_of(finding).iter().map(|error| plain(error)).collect();
        for rest in finding.suffers.split("400 `").skip(1) {
            // A quote with backquotes in it stands between double ones.
            let end = if rest.starts_with('`') { "``" } else { "`" };
            let Some(quote) = rest.trim_start_matches('`').split(end).next() else { continue };
            quotes += 1;
            let parts = quote.split('…').map(plain).filter(|part| part.len() > 8);
            let start = |text: &str| text.chars().take(24).collect::<String>();
            let begins = |error: &str, part: &str| {
                let text = error.split_once("error ").map_or(error, |(_, text)| text);
                error.contains(&start(part)) || part.contains(&start(text))
            };
            if !parts.clone().any(|part| known.iter().any(|error| begins(error, &part))) {
                wrong.push(format!("{}: no source has the error `{quote}`", finding.name));
            }
        }
        if finding.suffers.contains(": 400") && finding.effect() != Verdict::Rejected {
            wrong.push(format!("{}: the server accepts the request, and the entry speaks of a 400", finding.name));
        }
    }
    assert!(wrong.is_empty(), "{} entries:\n{}", wrong.len(), wrong.join("\n"));
    assert!(quotes > 20, "{quotes}");
}

/// A server with other models than the target stands for: its profiles, and the targets of the same name that are for some models.
fn other_models(target: &'static Target) -> Vec<(String, Target)> {
    let profiles = target.profiles.iter().filter(|profile| !profile.models.is_empty() && profile.settings.is_empty());
    let profiles = profiles.map(|profile| {
        let model = profile.models[0].replace('*', "");
        (format!("{model} at {}", target.name), target.for_model(&model))
    });
    let of_name = |other: &&Target| other.name.strip_prefix(&target.name).is_some_and(|rest| rest.starts_with('-'));
    let targets = Target::all().iter().filter(|other| other.dialect == target.dialect).filter(of_name);
    profiles.chain(targets.map(|other| (other.name.clone(), other.clone()))).collect()
}

#[test]
fn a_rule_that_another_model_does_not_have_is_held_against_a_named_model() {
    let (findings, answers) = built_in();
    let mut wrong = Vec::new();
    let mut asked = 0;
    for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Rejected && finding.models.is_none()) {
        for probe in finding.probes() {
            let Some(Answer::Output { bytes, .. }) = answers.get(&answers::Key::of(probe)) else { continue };
            let Ok(output) = serde_json::from_slice::<serde_json::Value>(bytes) else { continue };
            // A request that names its model was judged for that model.
            if output.get("model").is_some() {
                continue;
            }
            let broken = |target: &Target| -> Vec<String> {
                let mut options = CheckOptions::new(target).as_request();
                options.fragment = probe.case.is_fragment();
                let checked = check(bytes, &options).map(|checked| checked.violations).unwrap_or_default();
                checked.into_iter().map(|violation| violation.rule.to_owned()).collect()
            };
            let said = broken(probe.target);
            let is_pinned = |rule: &&String| {
                finding.because.iter().any(|pin| matches!(pin, Pin::Rule(pinned, _) if pinned == *rule))
            };
            for (name, other) in other_models(probe.target) {
                asked += 1;
                let others = broken(&other);
                for rule in said.iter().filter(is_pinned).filter(|rule| !others.contains(rule)) {
                    let (file, line, to) = (&finding.file, finding.line, &probe.target.name);
                    wrong.push(format!("{file}:{line}: {}, to {to}: {name} takes what breaks `{rule}`", finding.name));
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(asked > 100, "{asked} checks");
    assert!(wrong.is_empty(), "{} entries need `models`, or fall:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_link_between_the_pages_of_findings_leads_somewhere() {
    let (findings, answers) = built_in();
    let outcomes: Vec<_> = findings.iter().map(|finding| hold::hold(finding, &answers)).collect();
    let made = index::pages(&outcomes, &adapter::all().expect("adapters"), "findings");
    let mut links = 0;
    for (name, text) in &made {
        let folder = if name.contains('/') { "findings/" } else { "" };
        // The messages themselves say what they like.
        let prose: Vec<_> = text.split("```").step_by(2).collect();
        for link in prose.iter().flat_map(|part| part.split("](").skip(1)) {
            let link = link.split(')').next().unwrap_or_default();
            if link.starts_with("http") {
                continue;
            }
            links += 1;
            let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
            let page = match page.strip_prefix("../") {
                Some(page) => page.to_owned(),
                None if page.is_empty() => name.clone(),
                None => format!("{folder}{page}"),
            };
            let to = made.get(&page).unwrap_or_else(|| panic!("{name}: {link} leads to no page"));
            let stands = anchor.is_empty() || to.matches(&format!("<a id=\"{anchor}\"></a>")).count() == 1;
            assert!(stands, "{name}: {link} leads to no one place");
        }
    }
    assert!(links > 2 * findings.len(), "{links}");
}

#[test]
fn findings_are_many_and_of_many_packages() {
    let (findings, _) = built_in();
    let packages: std::collections::BTreeSet<_> = findings.iter().map(|finding| &finding.package).collect();
    assert!(findings.len() >= 60 && packages.len() >= 10, "{} of {}", findings.len(), packages.len());
}

/// Answers Anthropic's requests with the orphan that went in, or with nothing but a word of the user.
const TESTEE: &str = r#"
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["op"] == "hello":
        say = {"wirecanon": 1, "name": "planted", "conversions": [
            {"from": "openclaw", "to": "anthropic.messages"}, {"from": "openclaw", "to": "openai.chat"}]}
    elif ask["op"] == "convert":
        text = {"role": "user", "content": "stop" if sys.argv[1] == "as-found" else "go"}
        orphan = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "stale line"}]}
        if ask["to"] == "openai.chat":
            orphan = {"role": "tool", "tool_call_id": "x", "content": "stale line"}
        first = "stale line" in json.dumps(ask["input"])
        say = {"id": ask["id"], "output": {"messages": [orphan if first and sys.argv[1] == "as-found" else text]}}
    else:
        break
    print(json.dumps(say), flush=True)
"#;

fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .arg("findings")
        .args(words)
        .current_dir(folder)
        .env_remove(adapter::FOLDER_VARIABLE)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn planted() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("testee.py"), TESTEE).expect("a script");
    let findings = folder.path().join("findings");
    fs::create_dir(&findings).expect("a folder");
    // The planted testee keeps no word of the user, so nothing is asked of it.
    fs::write(findings.join("pi-ai.toml"), GOOD.replace("keep = [\"go\"]\n", "")).expect("a file");
    (folder, findings)
}

#[test]
fn a_finding_that_is_so_no_longer_fails() {
    if !have("python3", "python") {
        return;
    }
    let (folder, _findings) = planted();
    let with = |how: &str| {
        let command = format!("python3 testee.py {how}");
        run(folder.path(), &["--folder", "findings", "--testee", "pi-ai", "--command", &command])
    };
    let (code, out, err) = with("as-found");
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("so  pi-ai/passes") && out.contains("2 of 2 findings are so"), "{out}");

    let (code, out, err) = with("mended");
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("not so  pi-ai/passes") && out.contains("the verdict is "), "{out}");
    assert!(out.contains("`orphan-tool-result at /messages/0/content/0` is not said"), "{out}");
    assert!(out.contains("also pi-ai, orphan-result-first to openai"), "{out}");
    assert!(out.contains("at /messages/0/content stands \"go\""), "{out}");
    assert!(out.contains("0 of 2 findings are so, 2 are not"), "{out}");
}

#[test]
fn nothing_is_written_while_one_is_not_so_and_nothing_green_by_nothing() {
    let (folder, findings) = planted();
    let folder = folder.path();
    let (code, out, err) = run(folder, &["--folder", "findings"]);
    assert_eq!(code, 4, "{out}{err}");
    assert!(
        out.contains("not asked: pi-ai: the testee `pi-ai` is not installed: run `wirecanon testee add pi-ai`"),
        "{out}"
    );
    let (code, _, err) = run(folder, &["--folder", "findings", "pi-ai/passes"]);
    assert!(code == 2 && err.contains("is not installed"), "{err}");
    let (code, _, err) = run(folder, &["--folder", "findings", "pi-ai/passses"]);
    assert!(code == 2 && err.contains("did you mean `pi-ai/passes`?"), "{err}");
    let (code, _, err) = run(folder, &["--folder", "findings", "--testee", "agno"]);
    assert!(code == 4 && err.contains("no finding is meant by this"), "{err}");
    let (code, _, err) = run(folder, &["--folder", "findings", "--recorded", "--write", "page.md"]);
    assert!(code == 5 && err.contains("nothing is recorded of `pi-ai`"), "{err}");
    assert!(!folder.join("page.md").exists() && !folder.join("page").exists());
    let (code, _, err) = run(folder, &["--folder", "findings", "--recorded", "--write", "page"]);
    assert!(code == 2 && err.contains("name a file `NAME.md`"), "{err}");

    // What is recorded is of these versions, and it is judged anew.
    let version = &adapter::by_name("pi-ai").expect("adapters").expect("an adapter").package[0].version;
    let key =
        |of: &str, to: &str, input: &str| format!(r#""of":"{of}","from":"openclaw","to":"{to}","input":"{input}""#);
    let corpus = corpus::load().expect("the corpus");
    let all = [("pi-ai.toml", fs::read(findings.join("pi-ai.toml")).expect("a file"))];
    let all: Vec<_> = all.iter().map(|(name, text)| (*name, text.as_slice())).collect();
    let loaded = finding::load(&all, &corpus).expect("findings");
    let mut lines = format!("{{\"testee\":\"pi-ai\",\"packages\":{{\"@earendil-works/pi-ai\":\"{version}\"}}}}\n");
    for probe in loaded.iter().flat_map(Finding::probes) {
        let of = answers::Key::of(probe);
        let key = key(&of.of, &of.to, &of.input);
        let _ = writeln!(
            lines,
            "{{{key},\"answer\":{{\"output\":{{\"messages\":[{{\"role\":\"user\",\"content\":\"go\"}}]}}}}}}"
        );
    }
    fs::create_dir(findings.join("answers")).expect("a folder");
    fs::write(findings.join("answers/pi-ai.jsonl"), lines).expect("a file");
    let (code, out, err) = run(folder, &["--folder", "findings", "--recorded", "--write", "page.md"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(err.contains("nothing is written, since not all of it is so"), "{err}");
    assert!(!folder.join("page.md").exists());
}
