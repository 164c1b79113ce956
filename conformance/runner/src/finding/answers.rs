//! What testees answered when they were asked for their findings: one file a testee, one JSON object a line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use wirecanon_judge::plain::shorten;

use super::Probe;
use crate::adapter;
use crate::testee::Answer;
use crate::testee::protocol::one_line;
use wirecanon_judge::problem::Problem;

/// The folder of recorded answers, below that of the findings.
pub const FOLDER: &str = "answers/";

/// Characters of what a testee said when it failed.
const SAID: usize = 600;

/// What makes two questions the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Adapter, or variant of one; told by the name of the file
    #[serde(skip)]
    pub testee: String,
    /// The case, or the finding, that the message is of
    pub of: String,
    /// Dialect of the message
    pub from: String,
    /// What was asked for
    pub to: String,
    /// What the message hashes to, so that an answer to another one is not taken
    pub input: String,
}

impl Key {
    /// Of this question.
    pub fn of(probe: &Probe) -> Self {
        let hash = Sha256::digest(&probe.case.input);
        Self {
            testee: probe.testee.clone(),
            of: probe.of.clone(),
            from: probe.case.from.name().to_owned(),
            to: probe.target.name.clone(),
            input: hash.iter().take(6).fold(String::new(), |text, byte| format!("{text}{byte:02x}")),
        }
    }
}

/// Answers by their questions.
pub type Answers = BTreeMap<Key, Answer>;

/// The first line of a file: which versions answered.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Head {
    testee: String,
    packages: BTreeMap<String, String>,
}

#[derive(Deserialize, Serialize)]
struct Line {
    #[serde(flatten)]
    key: Key,
    answer: Wire,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Wire {
    Output(Box<RawValue>),
    OutputText(String),
    Refused { code: String, message: String },
    Failed(String),
    Hung(String),
    Garbage(String),
    Unsupported(String),
}

/// The name of a testee's file below the folder of findings.
pub fn file_of(testee: &str) -> String {
    format!("{FOLDER}{testee}.jsonl")
}

/// Reads the recorded answers among these files.
///
/// # Errors
///
/// A line that is none, or answers of versions that are not the adapter's any more.
pub fn read(files: &[(&str, &[u8])]) -> Result<Answers, Vec<Problem>> {
    let (mut answers, mut faults) = (Answers::new(), Vec::new());
    for (file, text) in files {
        let Some(testee) = file.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".jsonl")) else { continue };
        let mut fault = |line: usize, message: String| faults.push(Problem::of_line(*file, line, message));
        let text = String::from_utf8_lossy(text);
        let mut lines = text.lines().enumerate();
        let head: Option<Head> = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok());
        if head != head_of(testee) {
            let cure = format!("ask it again: `wirecanon findings --testee {testee} --record`");
            fault(1, format!("these answers are not of the versions that the adapter pins; {cure}"));
            continue;
        }
        for (at, line) in lines {
            match serde_json::from_str::<Line>(line) {
                Ok(Line { key, answer }) => {
                    let answer = match answer {
                        Wire::Output(raw) => {
                            Answer::Output { bytes: raw.get().as_bytes().to_vec(), exact: false, report: None }
                        }
                        Wire::OutputText(text) => {
                            Answer::Output { bytes: text.into_bytes(), exact: true, report: None }
                        }
                        Wire::Refused { code, message } => Answer::Refused { code, message },
                        Wire::Failed(why) => Answer::Crashed(why),
                        Wire::Hung(why) => Answer::Hung(why),
                        Wire::Garbage(why) => Answer::Garbage(why),
                        Wire::Unsupported(why) => Answer::Unsupported(why),
                    };
                    answers.insert(Key { testee: testee.to_owned(), ..key }, answer);
                }
                Err(error) => fault(at + 1, format!("this is no recorded answer: {error}")),
            }
        }
    }
    if faults.is_empty() { Ok(answers) } else { Err(faults) }
}

fn head_of(testee: &str) -> Option<Head> {
    let adapter = adapter::by_name(testee).ok().flatten()?;
    let packages = adapter.package.into_iter().map(|package| (package.name, package.version)).collect();
    Some(Head { testee: testee.to_owned(), packages })
}

/// The file of a testee; `None` where there is nothing to be written. What the machine failed at is no answer.
pub fn written(testee: &str, answers: &Answers) -> Option<String> {
    let mut out = serde_json::to_string(&head_of(testee)?).ok()?;
    let folder = std::path::absolute(adapter::folder()).unwrap_or_default().display().to_string();
    let plain = |said: &str| shorten(&said.replace(&folder, "…"), SAID);
    let before = out.len();
    for (key, answer) in answers.iter().filter(|(key, _)| key.testee == testee) {
        let answer = match answer {
            Answer::Output { bytes, exact, .. } => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                match (exact, RawValue::from_string(one_line(&text).into_owned())) {
                    (false, Ok(raw)) => Wire::Output(raw),
                    _ => Wire::OutputText(text),
                }
            }
            Answer::Refused { code, message } => Wire::Refused { code: code.clone(), message: plain(message) },
            Answer::Crashed(why) => Wire::Failed(plain(why)),
            Answer::Hung(why) => Wire::Hung(plain(why)),
            Answer::Garbage(why) => Wire::Garbage(plain(why)),
            Answer::Unsupported(why) => Wire::Unsupported(plain(why)),
            Answer::Environment(_) => continue,
        };
        out.push('\n');
        out.push_str(&serde_json::to_string(&Line { key: key.clone(), answer }).ok()?);
    }
    let written = out.len() > before;
    out.push('\n');
    written.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(of: &str) -> Key {
        let text = |text: &str| text.to_owned();
        Key { testee: text("pi-ai"), of: text(of), from: text("openclaw"), to: text("anthropic"), input: text("ab") }
    }

    #[test]
    fn what_is_recorded_is_read_again() {
        let output = |text: &str, exact| Answer::Output { bytes: text.as_bytes().to_vec(), exact, report: None };
        let answers = Answers::from([
            (key("a"), output(r#"{"n":1.0,"s":"\ud835"}"#, false)),
            (key("b"), output(" {}\n", true)),
            (key("c"), Answer::Crashed("Error: no".to_owned())),
            (key("d"), Answer::Environment("disk".to_owned())),
        ]);
        let file = written("pi-ai", &answers).expect("answers");
        let again = read(&[("answers/pi-ai.jsonl", file.as_bytes()), ("pi-ai.toml", b"")]).expect("answers");
        assert_eq!(again.len(), 3);
        for (key, answer) in again {
            assert_eq!(format!("{answer:?}"), format!("{:?}", answers[&key]));
        }
        assert_eq!(written("litellm", &answers), None);
    }

    #[test]
    fn answers_of_other_versions_are_refused() {
        let file = written("pi-ai", &[(key("c"), Answer::Hung("5 s".to_owned()))].into()).expect("answers");
        let version = &adapter::by_name("pi-ai").unwrap().unwrap().package[0].version;
        let old = file.replace(version.as_str(), "0.0.1");
        let faults = read(&[("answers/pi-ai.jsonl", old.as_bytes())]).expect_err("old");
        assert!(faults[0].to_string().starts_with("answers/pi-ai.jsonl:1: these answers are not of the versions"));
        let broken = file.replace("\"hung\"", "\"hungry\"");
        let faults = read(&[("answers/pi-ai.jsonl", broken.as_bytes())]).expect_err("broken");
        assert_eq!(faults[0].line, 2);
    }
}
