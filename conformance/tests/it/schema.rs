//! The schemas as a second opinion: they take what the corpus expects, what is valid, and what the reference writes; and the
//! commands that show them.

use std::path::Path;

use arbitrary::Unstructured;
use wirecanon::conversion;
use wirecanon::corpus;
use wirecanon::opinion::SecondOpinion;
use wirecanon_core::json::Limits;
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};
use wirecanon_generate::{self as generate, Generated};
use wirecanon_schemas::catalogue;
use wirecanon_schemas::validate::Validator;

use crate::support::running::feed_in;

/// The schemas, and what they said so far.
struct Judged {
    opinions: Vec<(&'static str, SecondOpinion)>,
    texts: usize,
    wrong: Vec<String>,
}

impl Judged {
    fn new() -> Self {
        let of = |target: &'static Target| {
            catalogue::of_dialect(target.dialect.name()).next()?;
            let revision = target.name.split_once('@').map(|(_, revision)| revision);
            Some((&*target.name, SecondOpinion::new(target.dialect, revision).expect("a schema")))
        };
        Self { opinions: Target::all().iter().filter_map(of).collect(), texts: 0, wrong: Vec::new() }
    }

    fn take(&mut self, what: &str, target: &Target, text: &[u8]) {
        let Some((_, opinion)) = self.opinions.iter().find(|(name, _)| *name == target.name) else { return };
        self.texts += 1;
        match opinion.judge(text, Limits::default()) {
            Err(error) => self.wrong.push(format!("{what} for {}: {error}", target.name)),
            Ok(said) if said.mismatches.is_empty() => {}
            Ok(said) => {
                let text = String::from_utf8_lossy(text);
                self.wrong.push(format!("{what} for {}: {:?}\n  {text}", target.name, said.mismatches));
            }
        }
    }

    fn finish(self, at_least: usize) {
        let shown = &self.wrong[..self.wrong.len().min(20)];
        assert!(self.wrong.is_empty(), "{} of {} wrong:\n{}", self.wrong.len(), self.texts, shown.join("\n"));
        assert!(self.texts >= at_least, "only {} texts were judged", self.texts);
    }
}

fn written(input: &[u8], from: Dialect, to: &Target, mode: Mode) -> Option<Vec<u8>> {
    let options = Options { from: From::Dialect(from), to: Some(to), mode, strict: true, ..Options::default() };
    fix(input, &options).ok().map(|fixed| fixed.output.into_owned())
}

#[test]
fn the_corpus_expects_what_the_schemas_take() {
    let mut judged = Judged::new();
    for case in corpus::load().expect("a well-formed corpus") {
        if case.is_identity() {
            judged.take(&case.id, Target::of_dialect(case.from), &case.input);
        }
        for target in Target::all() {
            if let Some(expected) = case.expected_output(target) {
                judged.take(&case.id, target, expected.as_bytes());
            }
        }
    }
    judged.finish(30);
}

#[test]
fn the_schemas_take_what_the_reference_writes_for_the_corpus() {
    let mut judged = Judged::new();
    // Every case is written for a third of the targets: each target gets cases of each class.
    for (number, case) in corpus::load().expect("a well-formed corpus").iter().enumerate() {
        let targets = Target::all().iter().filter(|target| conversion::exists(case.from, target));
        for target in targets.skip(number % 3).step_by(3) {
            for mode in [Mode::Request, Mode::History] {
                if let Some(output) = written(&case.input, case.from, target, mode) {
                    judged.take(&case.id, target, &output);
                }
            }
        }
    }
    judged.finish(15_000);
}

#[test]
fn the_schemas_take_what_is_generated_valid_and_what_the_reference_writes_for_it() {
    let mut judged = Judged::new();
    for seed in 0..10 {
        for dialect in generate::Dialect::ALL {
            let raw = generate::noise(seed, 128);
            let valid = generate::valid(&mut Unstructured::new(&raw), dialect);
            let broken = generate::broken(&mut Unstructured::new(&raw), dialect);
            let from = Dialect::by_name(dialect.name()).expect("a dialect");
            judged.take(&format!("seed {seed}, valid"), Target::of_dialect(from), &valid.bytes);
            for Generated { bytes, faults, .. } in [&valid, &broken] {
                // These may stand where no rule looks, and come home as they were.
                let stored = dialect == generate::Dialect::LosslessClaw;
                let unseen = |fault: &&str| {
                    matches!(*fault, "random-value" | "seal-not-a-string")
                        || stored && fault.starts_with("result-content-")
                };
                if faults.iter().any(unseen) {
                    continue;
                }
                for target in Target::all().iter().filter(|target| conversion::exists(from, target)) {
                    let Some(output) = written(bytes, from, target, Mode::Request) else { continue };
                    judged.take(&format!("seed {seed}, {} with {faults:?}", dialect.name()), target, &output);
                }
            }
        }
    }
    judged.finish(3_000);
}

/// Exit code, what was printed, and what was said on stderr.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    feed_in(Path::new("."), args, input.as_bytes()).parts()
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

const FOREIGN: &str = r#"{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}],"x":1},{"role":"assistant","content":[{"type":"tool_use","id":"a.b","name":"look","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a.b"}]}]}"#;
const HOLDS: &str = r#"{"messages":[{"role":"user","content":"hi"}]}"#;

#[test]
fn the_schema_speaks_beside_the_rules() {
    let (code, out, _) = run(&["check", "--target", "anthropic", "--schema", "--format", "json", "-"], FOREIGN);
    let said = json(&out);
    assert_eq!(code, 1);
    let places: Vec<_> = said["schema"].as_array().expect("a list").iter().map(|found| &found["pointer"]).collect();
    assert_eq!(
        places,
        [
            "/messages/0/content/0/type",
            "/messages/0",
            "/messages/1/content/0/id",
            "/messages/1/content/0/input",
            "/messages/2/content/0/tool_use_id"
        ]
    );
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/check", &said), Ok(vec![]));
}

#[test]
fn a_mismatch_alone_is_a_finding() {
    // How long a compatible server keeps what it has read is that server's to say, and the judge does not look.
    let kept = r#"[{"type":"text","text":"hi","cache_control":"long"}]"#;
    let odd = HOLDS.replace("\"hi\"", kept);
    let (code, out, _) = run(&["check", "--to", "openai", "--format", "json", "-"], &odd);
    assert_eq!((code, json(&out).get("schema")), (0, None), "{out}");
    let (code, out, _) = run(&["check", "--to", "openai", "--schema", "--format", "json", "-"], &odd);
    let said = json(&out);
    assert_eq!((code, &said["violations"]), (1, &serde_json::json!([])), "{out}");
    assert_eq!(said["schema"][0]["pointer"], "/messages/0/content/0/cache_control");
    let (code, out, _) = run(&["check", "--to", "openai", "--schema", "--format", "json", "-"], HOLDS);
    assert_eq!((code, &json(&out)["schema"]), (0, &serde_json::json!([])), "{out}");
}

#[test]
fn sessions_are_held_against_the_schema_line_by_line() {
    let input = format!("{HOLDS}\n{}\n", HOLDS.replace("\"hi\"", "7"));
    let (code, out, _) = run(&["check", "--to", "openai", "--schema", "--format", "json", "-"], &input);
    let said: Vec<_> = out.lines().map(json).collect();
    assert_eq!((code, &said[0]["schema"]), (1, &serde_json::json!([])), "{out}");
    assert_eq!((&said[1]["line"], &said[1]["schema"][0]["pointer"]), (&2.into(), &"/messages/0/content".into()));
}

#[test]
fn schemas_are_printed_by_name_and_listed() {
    let (code, names, _) = run(&["schema"], "");
    assert_eq!(code, 0);
    assert_eq!(names.lines().count(), catalogue::ALL.len());
    for schema in catalogue::ALL {
        assert!(names.lines().any(|line| line.split(' ').next() == Some(schema.id)), "{names}");
        let (code, text, _) = run(&["schema", schema.id], "");
        assert_eq!((code, &*text), (0, schema.text), "{}", schema.id);
        assert!(Validator::of_message(schema.id).is_ok());
    }
    let (code, out, err) = run(&["schema", "anthropic/mesages"], "");
    assert_eq!((code, &*out), (2, ""));
    assert!(err.contains("did you mean `anthropic/messages`?") && err.contains("openai/responses"), "{err}");
    let (code, _, err) = run(&["schema", "gemini.contents"], "");
    assert!(code == 2 && err.contains("did you mean `gemini/contents`?"), "{err}");
    let (_, list, _) = run(&["list", "schemas", "--format", "json"], "");
    let list = json(&list);
    let chat = list.as_array().expect("a list").iter().find(|schema| schema["id"] == "openai/chat").expect("a schema");
    assert_eq!((&chat["dialect"], &chat["revision"]), (&"openai.chat".into(), &serde_json::Value::Null));
}

/// A dialect that no schema describes is named before any file is read. Every dialect with a schema is asked.
#[test]
fn a_dialect_without_a_schema_is_refused_by_name() {
    for dialect in Dialect::ALL {
        let (code, out, err) = run(&["check", "--to", dialect.name(), "--schema", "/no/such/file"], "");
        assert_eq!((code, &*out), (2, ""));
        if catalogue::of_dialect(dialect.name()).next().is_some() {
            assert!(err.contains("no such file"), "{err}");
        } else {
            assert!(err.contains("no schema describes") && err.contains(dialect.name()), "{err}");
            assert!(err.contains("anthropic.messages"), "{err}");
        }
    }
}
