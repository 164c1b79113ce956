//! `wirecanon.toml`: what a project says once, so that nobody has to say it on each command line.
//!
//! The file becomes arguments that stand before those of the command line, and only where that says nothing of the same: so it can
//! say nothing that an option could not, and each value is checked as an option's is. A key is one row of [`KEYS`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wirecanon_cases::near::hint;
use wirecanon_core::json::position;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_runner::testee::quoted;
use wirecanon_runner::trust;

use super::{For, check, listener, revision};

/// The name that is looked for, from the current folder upwards.
const NAME: &str = "wirecanon.toml";

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/config.txt").trim_ascii_end())]
pub(super) struct Args {}

/// What a value must be, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Texts,
    Number,
    /// A path, from the folder of the file
    Path,
    /// `true` gives the option
    On,
    /// `false` gives the option
    Off,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Text | Self::Path => "a string",
            Self::Texts => "a list of strings",
            Self::Number => "a number",
            Self::On | Self::Off => "true or false",
        }
    }
}

/// A key of a section, which has the name of its command.
struct Key {
    section: &'static str,
    name: &'static str,
    kind: Kind,
    /// The option, without its dashes
    option: &'static str,
    /// It counts only beside this option
    only: Option<&'static str>,
    /// It counts not beside this option
    unless: Option<&'static str>,
}

const fn key(section: &'static str, name: &'static str, kind: Kind, option: &'static str) -> Key {
    Key { section, name, kind, option, only: None, unless: None }
}

const fn gate(name: &'static str, kind: Kind, option: &'static str) -> Key {
    Key { section: "gate", name, kind, option, only: None, unless: Some("from_log") }
}

const KEYS: &[Key] = &[
    key("check", "target", Kind::Text, "target"),
    key("check", "for", Kind::Text, "for"),
    key("check", "schema", Kind::On, "schema"),
    key("check", "allow", Kind::Texts, "allow"),
    key("check", "max", Kind::Number, "max"),
    key("fix", "to", Kind::Text, "to"),
    key("fix", "for", Kind::Text, "for"),
    Key { only: Some("in_place"), ..key("fix", "backup", Kind::Off, "no-backup") },
    key("test", "testees", Kind::Texts, "testee"),
    key("test", "corpus", Kind::Path, "corpus"),
    key("test", "suite", Kind::Text, "suite"),
    key("test", "timeout", Kind::Number, "timeout"),
    key("test", "startup-timeout", Kind::Number, "startup-timeout"),
    key("test", "jobs", Kind::Number, "jobs"),
    key("test", "rerun", Kind::Number, "rerun"),
    Key { unless: None, ..gate("expectations", Kind::Path, "expectations") },
    gate("testees", Kind::Texts, "testee"),
    gate("corpus", Kind::Path, "corpus"),
    gate("suite", Kind::Text, "suite"),
    gate("timeout", Kind::Number, "timeout"),
    gate("startup-timeout", Kind::Number, "startup-timeout"),
    gate("jobs", Kind::Number, "jobs"),
    gate("rerun", Kind::Number, "rerun"),
];

/// Sections in which names are given.
const TARGETS: &str = "targets";
const TESTEES: &str = "testees";

/// Keys of a target.
const OF_TARGETS: &[(&str, Kind)] = &[("file", Kind::Path), ("base", Kind::Text), ("set", Kind::Texts)];

/// A target that the file names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Own {
    /// The file that it is read from
    pub(super) file: Option<String>,
    /// Or the target that it is made of
    pub(super) base: Option<String>,
    /// Its switches
    pub(super) set: Vec<String>,
}

/// What one key says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    key: usize,
    values: Vec<String>,
    line: usize,
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Config {
    path: PathBuf,
    settings: Vec<Setting>,
    pub(super) targets: BTreeMap<String, Own>,
    pub(super) testees: BTreeMap<String, String>,
    /// The lines of names
    lines: BTreeMap<String, usize>,
}

/// Reads the file that applies here: the one that is named, or the nearest. Whoever names a file trusts it.
pub(super) fn load(named: Option<&Path>) -> Result<Option<Config>, Stop> {
    let (path, text) = if let Some(path) = named {
        (path.to_owned(), fs::read_to_string(path).map_err(|error| Stop::unread(path, &error))?)
    } else {
        let found = std::env::current_dir().ok().and_then(|folder| nearest(&folder));
        let Some(path) = found else { return Ok(None) };
        let text = read_found(&path)?;
        (path, text)
    };
    Config::read(&path, &text).map(Some).map_err(Stop::usage)
}

/// Reads a file that nobody named.
///
/// # Errors
///
/// It cannot be read, or somebody else may have written it.
fn read_found(path: &Path) -> Result<String, Stop> {
    let unreadable = |error: io::Error| Stop::unread(path, &error);
    let untrusted = |why: String| {
        let path = quoted(&path.to_string_lossy());
        Stop::usage(format!(
            "{why}; {NAME} can start programs, so the one that was found is not used: give `--config {path}` if you trust it, or \
             `--no-config` to leave it out"
        ))
    };
    path.parent().map_or(Ok(()), trust::check).and_then(|()| trust::check(path)).map_err(untrusted)?;
    let mut file = trust::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    // Another one may have taken its place since.
    trust::check_metadata(path, &about).map_err(untrusted)?;
    if !about.is_file() {
        return Err(unreadable(io::Error::other("this is no regular file")));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

fn nearest(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// Reads a file, and says where in it something is wrong.
struct Reader<'t> {
    path: &'t Path,
    text: &'t str,
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, what: &str) -> String {
        let place = position(self.text, span.start);
        format!("{}: line {}, column {}: {what}", self.path.display(), place.line, place.column)
    }

    fn unknown<'k>(
        &self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> String {
        let name = key.get_ref();
        let known_names = known.clone().collect::<Vec<_>>().join("`, `");
        let hint = hint(name, known).unwrap_or_else(|| format!("there are `{known_names}`"));
        self.wrong(key.span(), &format!("unknown key `{name}`; {hint}"))
    }

    fn values(&self, name: &str, kind: Kind, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
        let wrong = || self.wrong(value.span(), &format!("`{name}` must be {}", kind.name()));
        let relative = |path: &str| {
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            folder.map_or_else(|| path.to_owned(), |folder| folder.join(path).display().to_string())
        };
        Ok(match (kind, value.get_ref()) {
            (Kind::Text, DeValue::String(text)) => vec![text.clone().into_owned()],
            (Kind::Path, DeValue::String(text)) => vec![relative(text)],
            (Kind::Texts, DeValue::Array(list)) => {
                let texts = list.iter().map(|one| one.get_ref().as_str().map(str::to_owned));
                texts.collect::<Option<_>>().ok_or_else(wrong)?
            }
            (Kind::Number, DeValue::Integer(number)) if number.radix() == 10 => vec![number.as_str().to_owned()],
            (Kind::Number, DeValue::Float(number)) => vec![number.as_str().to_owned()],
            (Kind::On | Kind::Off, DeValue::Boolean(on)) => vec![on.to_string()],
            _ => return Err(wrong()),
        })
    }

    fn table<'v, 'd>(&self, name: &str, value: &'v Spanned<DeValue<'d>>) -> Result<&'v DeTable<'d>, String> {
        value.get_ref().as_table().ok_or_else(|| self.wrong(value.span(), &format!("`{name}` must be a table")))
    }
}

impl Config {
    fn read(path: &Path, text: &str) -> Result<Self, String> {
        let reader = Reader { path, text };
        let document = DeTable::parse(text).map_err(|error| {
            let what = error.message().lines().next().unwrap_or_default();
            reader.wrong(error.span().unwrap_or(0..0), what)
        })?;
        let mut config = Self { path: path.to_owned(), ..Self::default() };
        let mut sections: Vec<&str> = KEYS.iter().map(|key| key.section).collect();
        sections.dedup();
        sections.extend([TARGETS, TESTEES]);
        let line = |span: Range<usize>| position(text, span.start).line;
        let own = document.get_ref().get(TARGETS).and_then(|value| value.get_ref().as_table());
        let is_own = |name: &str| own.is_some_and(|own| own.contains_key(name));
        for (section, value) in document.get_ref() {
            let name = section.get_ref().as_ref();
            if !sections.contains(&name) {
                return Err(reader.unknown(section, sections.iter().copied()));
            }
            for (key, value) in reader.table(name, value)? {
                let whole = format!("{name}.{}", key.get_ref());
                match name {
                    TARGETS => {
                        let own = target(&reader, &whole, key, value)?;
                        config.targets.insert(key.get_ref().clone().into_owned(), own);
                    }
                    TESTEES => {
                        let command = reader.values(&whole, Kind::Text, value)?.concat();
                        config.testees.insert(key.get_ref().clone().into_owned(), command);
                    }
                    _ => {
                        let of = KEYS.iter().filter(|known| known.section == name).map(|known| known.name);
                        let at = KEYS.iter().position(|known| known.section == name && known.name == key.get_ref());
                        let at = at.ok_or_else(|| reader.unknown(key, of))?;
                        let values = reader.values(&whole, KEYS[at].kind, value)?;
                        if let Some(fault) = values.iter().find_map(|value| fault(&KEYS[at], value, &is_own)) {
                            return Err(reader.wrong(value.span(), &format!("`{whole}`: {fault}")));
                        }
                        config.settings.push(Setting { key: at, values, line: line(key.span()) });
                    }
                }
                config.lines.insert(whole, line(key.span()));
            }
        }
        config.settings.sort_by_key(|setting| setting.key);
        Ok(config)
    }

    /// The arguments that the file adds to those of a command: of each, what it says and which option.
    pub(super) fn arguments(&self, command: &str, given: &ArgMatches) -> Vec<OsString> {
        let said = |id: &str| {
            given.try_contains_id(id).is_ok_and(|known| known)
                && given.value_source(id) == Some(ValueSource::CommandLine)
        };
        let mut arguments = Vec::new();
        for setting in &self.settings {
            let key = &KEYS[setting.key];
            let id = id_of(key.option);
            if key.section != command
                || said(&id)
                || key.only.is_some_and(|only| !said(only))
                || key.unless.is_some_and(said)
            {
                continue;
            }
            for value in &setting.values {
                match key.kind {
                    Kind::On if value == "true" => arguments.push(format!("--{}", key.option).into()),
                    Kind::Off if value == "false" => arguments.push(format!("--{}", key.option).into()),
                    Kind::On | Kind::Off => {}
                    _ => arguments.push(format!("--{}={value}", key.option).into()),
                }
            }
        }
        arguments
    }

    /// What is wrong with a value that its option does not take: the place in the file, and what that said.
    pub(super) fn blamed(&self, command: &str, error: &clap::Error) -> Stop {
        let text = error.to_string();
        let words = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let of = |setting: &&Setting| {
            let key = &KEYS[setting.key];
            key.section == command && words.contains(&format!("--{}", key.option))
        };
        let place = self.settings.iter().find(of).map(|setting| format!("line {}: ", setting.line)).unwrap_or_default();
        Stop::usage(format!("{}: {place}{words}", self.path.display()))
    }
}

/// What is wrong with a value of a key, where a name of something is asked for.
fn fault(key: &Key, value: &str, is_own: &dyn Fn(&str) -> bool) -> Option<String> {
    match key.name {
        "allow" => check::unknown_rule(value),
        "target" | "to" if !is_own(value) && !revision::is_auto(value) => revision::wanted(value).err()?.message,
        "for" => {
            let known: Vec<_> = For::value_variants().iter().filter_map(For::to_possible_value).collect();
            let names: Vec<_> = known.iter().map(PossibleValue::get_name).collect();
            (!names.contains(&value)).then(|| format!("it is one of `{}`, not `{value}`", names.join("`, `")))
        }
        _ => None,
    }
}

/// The id of an option among clap's arguments: the name of its field.
fn id_of(option: &str) -> String {
    match option {
        "for" => "purpose".to_owned(),
        other => other.replace('-', "_"),
    }
}

fn target(
    reader: &Reader<'_>,
    whole: &str,
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Own, String> {
    let mut own = Own::default();
    for (key, value) in reader.table(whole, value)? {
        let of = || OF_TARGETS.iter().map(|(known, _)| *known);
        let kind = OF_TARGETS.iter().find(|(known, _)| known == key.get_ref()).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| reader.unknown(key, of()))?;
        let values = reader.values(&format!("{whole}.{}", key.get_ref()), kind, value)?;
        match key.get_ref().as_ref() {
            "file" => own.file = Some(values.concat()),
            "base" => own.base = Some(values.concat()),
            _ => own.set = values,
        }
    }
    if own.file.is_some() == own.base.is_some() {
        return Err(reader.wrong(name.span(), &format!("`{whole}` needs a `file` or a `base`, and not both")));
    }
    Ok(own)
}

/// Tells what holds, and where it is said.
pub(super) fn run(config: Option<&Config>) -> Result<Exit, Stop> {
    let mut out = listener::stdout();
    let Some(config) = config else {
        writeln!(out, "there is no {NAME} here, or in a folder above: only the command line counts")?;
        return Ok(Exit::Holds);
    };
    let path = config.path.display();
    writeln!(out, "{BOLD}{path}{BOLD:#}")?;
    let mut tell = |name: &str, text: &str| {
        let line = config.lines.get(name).copied().unwrap_or(1);
        writeln!(out, "{name} = {text}  {FAINT}# line {line}{FAINT:#}")
    };
    for setting in &config.settings {
        let key = &KEYS[setting.key];
        let texts: Vec<String> = setting.values.iter().map(|value| format!("{value:?}")).collect();
        let text = match key.kind {
            Kind::Text | Kind::Path => texts.concat(),
            Kind::Texts => format!("[{}]", texts.join(", ")),
            Kind::Number | Kind::On | Kind::Off => setting.values.concat(),
        };
        tell(&format!("{}.{}", key.section, key.name), &text)?;
    }
    for (name, own) in &config.targets {
        let from = own.file.as_deref().or(own.base.as_deref()).unwrap_or_default();
        let what = if own.file.is_some() { "file" } else { "base" };
        let set = if own.set.is_empty() { String::new() } else { format!(", set {}", own.set.join(", ")) };
        tell(&format!("{TARGETS}.{name}"), &format!("{what} {from:?}{set}"))?;
    }
    for (name, command) in &config.testees {
        tell(&format!("{TESTEES}.{name}"), &format!("{command:?}"))?;
    }
    Ok(Exit::Holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(text: &str) -> Result<Config, String> {
        Config::read(Path::new("at/wirecanon.toml"), text)
    }

    #[test]
    fn every_key_is_an_option_of_its_command() {
        let cli = super::super::Cli::command();
        for key in KEYS {
            let command = cli.find_subcommand(key.section).expect("a command");
            let option = command.get_arguments().find(|argument| argument.get_long() == Some(key.option));
            let option = option.unwrap_or_else(|| panic!("{} has no --{}", key.section, key.option));
            assert_eq!(option.get_id().as_str(), id_of(key.option));
            for other in key.only.iter().chain(&key.unless) {
                assert!(command.get_arguments().any(|argument| argument.get_id() == *other), "{other}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, words) in [
            ("[chek]\n", "line 1, column 2: unknown key `chek`; did you mean `check`?"),
            ("\n[check]\n  alow = []\n", "line 3, column 3: unknown key `alow`; did you mean `allow`?"),
            (
                "[check]\nzzzzzz = 1\n",
                "line 2, column 1: unknown key `zzzzzz`; there are `target`, `for`, `schema`, `allow`, `max`",
            ),
            ("check = 1\n", "line 1, column 9: `check` must be a table"),
            ("[check]\nallow = \"x\"\n", "line 2, column 9: `check.allow` must be a list of strings"),
            ("[check]\nallow = [1]\n", "`check.allow` must be a list of strings"),
            ("[check]\nmax = \"3\"\n", "`check.max` must be a number"),
            ("[check]\nschema = 1\n", "`check.schema` must be true or false"),
            ("[testees]\na = 1\n", "line 2, column 5: `testees.a` must be a string"),
            ("[targets.a]\nset = []\n", "line 1, column 10: `targets.a` needs a `file` or a `base`"),
            ("[targets.a]\nfiel = \"x\"\n", "line 2, column 1: unknown key `fiel`; did you mean `file`?"),
            ("[check\n", "line 1, column 7: "),
            ("[check]\nallow = [\"orphan-tool-resul\"]\n", "line 2, column 9: `check.allow`: no rule is called"),
            ("[check]\ntarget = \"opnai\"\n", "line 2, column 10: `check.target`: "),
            ("[fix]\nto = \"nobody\"\n", "line 2, column 6: `fix.to`: "),
            ("[fix]\nfor = \"ever\"\n", "line 2, column 7: `fix.for`: it is one of `"),
            ("[check]\nmax = 1\nmax = 2\n", "line 3, column 1: "),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with("at/wirecanon.toml: line ") && error.contains(words), "{text}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn the_command_line_counts_more() {
        let config = read(
            "[check]\ntarget = \"openai\"\nallow = [\"orphan-tool-result\", \"duplicate-key\"]\nmax = 3\nschema = true\n[fix]\nbackup = false\n\
             [gate]\ncorpus = \"c\"\nexpectations = \"e\"\n",
        );
        let config = config.expect("a file");
        let arguments = |line: &[&str]| {
            let cli = super::super::Cli::command();
            let matches = cli.try_get_matches_from([&["wirecanon"], line].concat()).expect("a command line");
            let (command, given) = matches.subcommand().expect("a command");
            let arguments = config.arguments(command, given);
            arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let all = ["--target=openai", "--schema", "--allow=orphan-tool-result", "--allow=duplicate-key", "--max=3"];
        assert_eq!(arguments(&["check", "x"]), all);
        assert_eq!(arguments(&["check", "--to", "a", "--allow=c", "x", "--max", "0"]), ["--schema"]);
        assert_eq!(arguments(&["fix", "x"]), [] as [&str; 0]);
        assert_eq!(arguments(&["fix", "-i", "x"]), ["--no-backup"]);
        assert_eq!(arguments(&["gate"]), ["--expectations=at/e", "--corpus=at/c"]);
        assert_eq!(arguments(&["gate", "--from-log", "x"]), ["--expectations=at/e"]);
    }
}
