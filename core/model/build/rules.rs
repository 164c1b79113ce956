//! Reads the rule files and writes them as Rust. The build script and `tests/rule_files.rs` share this file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Deserialize;
use toml::{Table, Value};

/// The stem of the file that defines groups of dialects and targets.
const GROUPS: &str = "groups";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    id: String,
    doc: Option<String>,
    statement: String,
    sources: Vec<String>,
    holds: Vec<String>,
    example: Option<ExampleEntry>,
    no_example: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleEntry {
    from: String,
    to: String,
    broken: Broken,
    mended: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "`broken` must be a string, or an array of strings and arrays of bytes")]
enum Broken {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Text(String),
    Bytes(Vec<u8>),
}

impl Broken {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.as_bytes().to_owned(),
            Self::Parts(parts) => {
                let bytes = parts.iter().flat_map(|part| match part {
                    Part::Text(text) => text.as_bytes(),
                    Part::Bytes(bytes) => bytes,
                });
                bytes.copied().collect()
            }
        }
    }
}

/// The names that a rule may use.
struct Names {
    /// Dialects and targets
    targets: BTreeSet<String>,
    dialects: BTreeSet<String>,
    /// Members of each group, without groups and exclusions
    groups: BTreeMap<String, Vec<String>>,
}

/// Writes the statics of all rules, and one list of rules for each class.
///
/// Both arguments are the stems and texts of the files in `rules` and `targets`. The stem of a rule file is the name of its
/// class in snake case.
///
/// # Errors
///
/// A message that names the file, the rule and the key that are wrong.
pub(crate) fn generate(rules: &[(String, String)], targets: &[(String, String)]) -> Result<String, String> {
    let mut names = target_names(targets)?;
    let groups = rules.iter().find(|(stem, _)| stem == GROUPS).ok_or("rules/groups.toml is missing")?;
    names.read_groups(&groups.1).map_err(|message| format!("rules/{GROUPS}.toml: {message}"))?;
    let mut out = String::new();
    let mut files_of_ids = BTreeMap::new();
    for (stem, text) in rules.iter().filter(|(stem, _)| stem != GROUPS) {
        let file = format!("rules/{stem}.toml");
        let parsed: RuleFile = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
        let mut list = String::new();
        for (at, table) in parsed.rule.into_iter().enumerate() {
            let label = match table.get("id") {
                Some(Value::String(id)) => format!("{file}: rule `{id}`"),
                _ => format!("{file}: rule number {}", at + 1),
            };
            let entry: RuleEntry = table.try_into().map_err(|error| format!("{label}: {}", one_line(&error)))?;
            entry.check(&names).map_err(|message| format!("{label}: {message}"))?;
            if let Some(other) = files_of_ids.insert(entry.id.clone(), file.clone()) {
                return Err(format!("{label}: the id is used twice, first in {other}"));
            }
            let holds = names.expand(&entry.holds).map_err(|message| format!("{label}: `holds`: {message}"))?;
            let example = entry.example().map_err(|message| format!("{label}: {message}"))?;
            write_static(&mut out, &entry, &camel_case(stem), &holds, &example);
            write!(list, "&{}, ", static_name(&entry.id)).expect("a string takes text");
        }
        writeln!(out, "static {}_RULES: &[&Rule] = &[{list}];\n", static_name(stem)).expect("a string takes text");
    }
    Ok(out)
}

fn write_static(out: &mut String, entry: &RuleEntry, class: &str, holds: &[String], example: &str) {
    for line in entry.doc.as_ref().unwrap_or(&entry.statement).lines() {
        writeln!(out, "/// {line}").expect("a string takes text");
    }
    let name = static_name(&entry.id);
    let RuleEntry { id, statement, sources, .. } = entry;
    writeln!(
        out,
        "pub static {name}: Rule = Rule {{\n    id: {id:?},\n    class: Class::{class},\n    statement: {statement:?},\n    \
         sources: &{sources:?},\n    holds: &{holds:?},\n    example: {example},\n}};\n"
    )
    .expect("a string takes text");
}

impl RuleEntry {
    fn check(&self, names: &Names) -> Result<(), String> {
        let is_kebab_case = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word
                    .split('-')
                    .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
        };
        if !is_kebab_case(&self.id) {
            return Err("`id` must be in kebab case: lower-case letters, digits and single hyphens".to_owned());
        }
        if self.statement.trim().is_empty() {
            return Err("`statement` is empty".to_owned());
        }
        if self.sources.is_empty() {
            return Err("`sources` is empty: name a public report, a specification or an error text".to_owned());
        }
        let Some(example) = &self.example else { return Ok(()) };
        if example.from != "auto" && !names.dialects.contains(&example.from) {
            return Err(format!("`example.from`: unknown dialect `{}`", example.from));
        }
        let target = example.to.split(' ').next().unwrap_or_default();
        if !names.targets.contains(target) {
            return Err(format!("`example.to`: unknown dialect or target `{target}`"));
        }
        Ok(())
    }

    /// Returns the example as a Rust expression.
    fn example(&self) -> Result<String, String> {
        match (&self.example, &self.no_example) {
            (Some(example), None) => {
                let ExampleEntry { from, to, broken, mended } = example;
                let broken = broken.bytes().escape_ascii().to_string();
                Ok(format!("Ok(Example {{ from: {from:?}, to: {to:?}, broken: b\"{broken}\", mended: {mended:?} }})"))
            }
            (None, Some(reason)) => Ok(format!("Err({reason:?})")),
            (None, None) => Err("missing field `example`, or `no_example` with the reason".to_owned()),
            (Some(_), Some(_)) => Err("has both `example` and `no_example`".to_owned()),
        }
    }
}

/// Collects the names of dialects and targets. A dialect is a target with its own name.
fn target_names(files: &[(String, String)]) -> Result<Names, String> {
    let mut names = Names { targets: BTreeSet::new(), dialects: BTreeSet::new(), groups: BTreeMap::new() };
    for (stem, text) in files {
        let table: Table = text.parse().map_err(|error| format!("targets/{stem}.toml: {error}"))?;
        if table.get("dialect").and_then(Value::as_str) == Some(stem) {
            names.dialects.insert(stem.clone());
        }
        names.targets.insert(stem.clone());
    }
    Ok(names)
}

impl Names {
    fn read_groups(&mut self, text: &str) -> Result<(), String> {
        // An array of tables keeps the order of the file: a group may use those before it.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct GroupFile {
            group: Vec<Group>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Group {
            name: String,
            members: Vec<String>,
        }
        let file: GroupFile = toml::from_str(text).map_err(|error| error.to_string())?;
        for Group { name, members } in file.group {
            let members = self.expand(&members).map_err(|message| format!("group `{name}`: {message}"))?;
            if self.groups.insert(name.clone(), members).is_some() {
                return Err(format!("group `{name}` is defined twice"));
            }
        }
        Ok(())
    }

    /// Replaces `@group` by its members, and removes the names that are marked with `!`.
    fn expand(&self, entries: &[String]) -> Result<Vec<String>, String> {
        let known = |name: &str| {
            if self.targets.contains(name) { Ok(()) } else { Err(format!("unknown dialect or target `{name}`")) }
        };
        let mut expanded: Vec<String> = Vec::new();
        for entry in entries {
            let added = if let Some(group) = entry.strip_prefix('@') {
                self.groups.get(group).ok_or_else(|| format!("unknown group `{group}`"))?.as_slice()
            } else if let Some(name) = entry.strip_prefix('!') {
                known(name)?;
                let at = expanded.iter().position(|other| other == name);
                expanded
                    .remove(at.ok_or_else(|| format!("`{entry}` excludes what the entries before it do not contain"))?);
                continue;
            } else {
                known(entry)?;
                std::slice::from_ref(entry)
            };
            if let Some(duplicate) = added.iter().find(|name| expanded.contains(name)) {
                return Err(format!("`{duplicate}` is named twice"));
            }
            expanded.extend_from_slice(added);
        }
        Ok(expanded)
    }
}

/// `tool-name-empty` as `TOOL_NAME_EMPTY`.
fn static_name(id: &str) -> String {
    id.replace('-', "_").to_ascii_uppercase()
}

/// `tool_name` as `ToolName`.
fn camel_case(stem: &str) -> String {
    let words = stem.split('_').map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    });
    words.collect()
}

fn one_line(error: &toml::de::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
