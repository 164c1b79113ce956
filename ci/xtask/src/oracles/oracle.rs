//! The oracles: which there are, and what they say of the feed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use wirecanon_core::{Dialect, Target};

use super::feed::Record;

/// One model that a protocol's owner publishes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Oracle {
    pub(crate) name: String,
    /// Package, version and what of it is called
    pub(crate) title: String,
    pub(crate) runtime: Runtime,
    /// Below `conformance/oracles`; for Rust, the name of the program
    pub(crate) script: String,
    #[serde(default)]
    pub(crate) args: Vec<String>,
    pub(crate) dialects: Vec<String>,
    /// Whether it is asked about single messages or whole conversations
    #[serde(default)]
    pub(crate) judges: Judges,
    /// Only about what was written for these targets; empty for all
    #[serde(default)]
    pub(crate) targets: Vec<String>,
    /// Which of our opinions it is laid beside
    #[serde(default)]
    pub(crate) against: Against,
}

/// What an oracle is asked about.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Judges {
    #[default]
    Messages,
    Conversations,
    Both,
}

/// Which of our opinions an oracle is laid beside.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Against {
    #[default]
    Both,
    /// The oracle knows rules between messages, which no schema has
    Rules,
}

/// What runs an oracle.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Runtime {
    /// A virtual environment of this name
    Python(String),
    Node,
    Rust,
}

impl Runtime {
    /// Its folder below `target/oracles`.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Python(environment) => environment,
            Self::Node => "node",
            Self::Rust => "rust",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    oracle: Vec<Oracle>,
}

/// What one oracle said of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accept,
    /// With its words
    Reject(String),
}

#[derive(Deserialize)]
struct Line {
    id: String,
    verdict: String,
    #[serde(default)]
    message: String,
}

/// Reads the table of oracles.
///
/// # Errors
///
/// The text is no such table, two oracles have one name, or a dialect does not exist.
pub(crate) fn parse(text: &str) -> Result<Vec<Oracle>, String> {
    let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    for (at, oracle) in table.oracle.iter().enumerate() {
        if table.oracle[..at].iter().any(|earlier| earlier.name == oracle.name) {
            return Err(format!("the oracle `{}` stands twice", oracle.name));
        }
        if let Some(unknown) = oracle.dialects.iter().find(|name| Dialect::by_name(name).is_none()) {
            return Err(format!("the oracle `{}` judges `{unknown}`, which is no dialect", oracle.name));
        }
        if let Some(error) = oracle.targets.iter().find_map(|name| Target::by_name(name).err()) {
            return Err(format!("the oracle `{}`: {error}", oracle.name));
        }
    }
    Ok(table.oracle)
}

/// Where what the script installed and what a run makes is kept.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// `conformance/oracles`
    pub(crate) sources: PathBuf,
    /// `target/oracles`
    pub(crate) target: PathBuf,
}

impl Places {
    /// The feed of a dialect.
    pub(crate) fn feed(&self, dialect: Dialect) -> PathBuf {
        self.target.join("feed").join(format!("{}.jsonl", dialect.name()))
    }

    fn work(&self, oracle: &Oracle, what: &str) -> PathBuf {
        self.target.join("work").join(format!("{}.{what}", oracle.name))
    }
}

impl Oracle {
    fn command(&self, places: &Places) -> Command {
        let mut command = match &self.runtime {
            Runtime::Python(venv) => {
                let mut command = Command::new(places.target.join(venv).join("bin/python"));
                command.arg(places.sources.join(&self.script));
                command
            }
            Runtime::Node => {
                // Copied there by the script: Node looks for packages beside the file.
                let mut command = Command::new("node");
                command.arg(places.target.join(&self.script));
                command
            }
            Runtime::Rust => Command::new(places.target.join("rust/target/debug").join(&self.script)),
        };
        command.args(&self.args);
        command
    }

    /// Whether it judges messages of this dialect.
    pub(crate) fn knows(&self, dialect: Dialect) -> bool {
        self.dialects.iter().any(|name| name == dialect.name())
    }

    /// Whether it is asked about what is written for this target. Messages of a list are judged as the dialect's, but
    /// for MCP, where each revision is a target.
    pub(crate) fn looks_at(&self, target: &Target) -> bool {
        self.knows(target.dialect) && (self.targets.is_empty() || self.targets.contains(&target.name))
    }

    /// Whether it is asked about this record.
    pub(crate) fn judges(&self, record: &Record) -> bool {
        self.dialects.contains(&record.dialect)
            && (self.targets.is_empty() || self.targets.contains(&record.target))
            && match self.judges {
                Judges::Messages => record.message.is_some(),
                Judges::Conversations => record.document.is_some(),
                Judges::Both => true,
            }
    }

    /// Asks about every record of these feeds that is its to judge.
    ///
    /// # Errors
    ///
    /// It does not start, ends with a failure, or leaves a record without a verdict.
    pub(crate) fn ask(&self, places: &Places, dialects: &[Dialect]) -> Result<HashMap<String, Verdict>, String> {
        let say = |error: &dyn std::fmt::Display| format!("the oracle `{}`: {error}", self.name);
        let (asked, answers, log) =
            (places.work(self, "asked.jsonl"), places.work(self, "verdicts.jsonl"), places.work(self, "log"));
        let ids = self.write_questions(places, dialects, &asked).map_err(|error| say(&error))?;
        if ids.is_empty() {
            return Err(say(&"no record is its to judge: see its `dialects`, `targets` and `judges`"));
        }
        let mut command = self.command(places);
        command.stdin(Stdio::from(File::open(&asked).map_err(|error| say(&error))?));
        command.stdout(Stdio::from(File::create(&answers).map_err(|error| say(&error))?));
        command.stderr(Stdio::from(File::create(&log).map_err(|error| say(&error))?));
        let status = command
            .status()
            .map_err(|error| say(&format!("{} does not start: {error}", command.get_program().display())))?;
        if !status.success() {
            let said = fs::read_to_string(&log).unwrap_or_default();
            let last: Vec<_> = said.lines().rev().take(12).collect();
            let last: Vec<_> = last.into_iter().rev().collect();
            let place = places.target.join(self.runtime.name());
            return Err(say(&format!(
                "ended with {status}; its last words:\n{}\nif it lacks a package, remove {} and run ci/oracles.sh again, which \
                 installs it anew; or leave it out by name with --without {}",
                last.join("\n"),
                place.display(),
                self.name
            )));
        }
        let verdicts = self.said(places)?;
        let silent: Vec<_> = ids.iter().filter(|id| !verdicts.contains_key(*id)).collect();
        if let Some(first) = silent.first() {
            return Err(say(&format!("says nothing of {} records, `{first}` among them", silent.len())));
        }
        Ok(verdicts)
    }

    /// What it said when it was asked last.
    ///
    /// # Errors
    ///
    /// It was not asked, or its answers cannot be read.
    pub(crate) fn said(&self, places: &Places) -> Result<HashMap<String, Verdict>, String> {
        read_verdicts(&places.work(self, "verdicts.jsonl"))
            .map_err(|error| format!("the oracle `{}`: {error}", self.name))
    }

    fn write_questions(&self, places: &Places, dialects: &[Dialect], to: &Path) -> Result<Vec<String>, String> {
        let mut out = BufWriter::new(File::create(to).map_err(|error| error.to_string())?);
        let mut ids = Vec::new();
        for dialect in dialects.iter().filter(|dialect| self.knows(**dialect)) {
            for line in lines(&places.feed(*dialect))? {
                let line = line?;
                let record: Record = serde_json::from_str(&line).map_err(|error| error.to_string())?;
                if self.judges(&record) {
                    writeln!(out, "{line}").map_err(|error| error.to_string())?;
                    ids.push(record.id);
                }
            }
        }
        out.flush().map_err(|error| error.to_string())?;
        Ok(ids)
    }
}

/// The lines of a file.
pub(crate) fn lines(path: &Path) -> Result<impl Iterator<Item = Result<String, String>>, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufReader::new(file).lines().map(|line| line.map_err(|error| error.to_string())))
}

fn read_verdicts(path: &Path) -> Result<HashMap<String, Verdict>, String> {
    let mut verdicts = HashMap::new();
    for line in lines(path)? {
        let line = line?;
        let said: Line = serde_json::from_str(&line).map_err(|error| format!("{error} in `{line}`"))?;
        let verdict = match &*said.verdict {
            "accept" => Verdict::Accept,
            "reject" => Verdict::Reject(said.message),
            other => return Err(format!("no such verdict: `{other}`")),
        };
        if verdicts.insert(said.id.clone(), verdict).is_some() {
            return Err(format!("says something of `{}` twice", said.id));
        }
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"
        [[oracle]]
        name = "judge"
        title = "A judge"
        runtime = "node"
        script = "node/judge.mjs"
        dialects = ["openai.chat"]
    "#;

    #[test]
    fn what_is_wrong_with_a_row_is_named() {
        assert!(parse(ROW).is_ok());
        for (text, named) in [
            (ROW.replace("script", "skript"), "skript"),
            (ROW.replace("title = \"A judge\"", ""), "title"),
            (ROW.replace("openai.chat", "openai.chta"), "openai.chta"),
            (format!("{ROW}targets = [\"openia\"]"), "openia"),
            (format!("{ROW}{ROW}"), "stands twice"),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    /// Asks an oracle that is this program, about one record of a dialect.
    fn asked(program: &str, dialect: Dialect) -> String {
        let target = std::env::temp_dir().join(format!(
            "wirecanon-{}-{}-{}",
            std::process::id(),
            program.replace('/', "-"),
            dialect.name()
        ));
        let places = Places { sources: target.clone(), target: target.clone() };
        for folder in ["feed", "work", "rust/target/debug"] {
            fs::create_dir_all(target.join(folder)).unwrap();
        }
        let record = r#"{"id":"a#1","dialect":"openai.chat","target":"openai.chat","origin":"corpus","how":"x","message":{},"rules":[],"schema":[]}"#;
        fs::write(places.feed(dialect), if dialect == Dialect::OpenAiChat { record } else { "" }).unwrap();
        let mut oracle = parse(ROW).unwrap().remove(0);
        oracle.runtime = Runtime::Rust;
        oracle.script = program.to_owned();
        oracle.dialects = vec![dialect.name().to_owned()];
        let error = oracle.ask(&places, &[dialect]).unwrap_err();
        fs::remove_dir_all(target).unwrap();
        error
    }

    #[test]
    fn an_oracle_that_is_not_there_is_named_with_what_to_do() {
        let error = asked("not-there", Dialect::OpenAiChat);
        assert!(error.contains("the oracle `judge`") && error.contains("does not start"), "{error}");
        // An absolute path stands for itself.
        let error = asked("/bin/false", Dialect::OpenAiChat);
        assert!(error.contains("ended with") && error.contains("--without judge"), "{error}");
        let error = asked("/bin/true", Dialect::OpenAiChat);
        assert!(error.contains("says nothing of 1 records, `a#1` among them"), "{error}");
        assert!(asked("/bin/true", Dialect::CohereV2).contains("no record is its to judge"));
    }
}
