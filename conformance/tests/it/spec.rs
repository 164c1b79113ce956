//! SPEC.md says all that the program does: every rule, every text, and nothing that is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use wirecanon::meaning::outcome::Outcome;
use wirecanon::session;
use wirecanon_core::media::Unusable;
use wirecanon_core::observe::{Equivalence, Grade, Reason};
use wirecanon_core::rule::{self, Class};
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix, text};

const SPEC: &str = include_str!("../../../SPEC.md");
const DIALECTS: &str = include_str!("../../../docs/dialects.md");

/// Backticked words of one hyphen or more that are neither a rule nor a class: refusal codes, and what an answer did to the input.
const OTHERS: &[&str] = &[
    "invalid-arguments",
    "unsupported-content",
    "error-flag-lost",
    "error-flag-invented",
    "media-as-text",
    "unrepresentable-input",
];

/// Words with a hyphen that are data of a table: types of blocks and parts, and names of call spellings.
const DATA: &[&str] =
    &["tool-use", "tool-call", "source-url", "source-document", "tool-input-start", "tool-output-available"];

fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core")
}

/// The text of a numbered part.
fn part(number: usize) -> &'static str {
    let heading = format!("\n## {number} ");
    let start = SPEC.find(&heading).unwrap_or_else(|| panic!("SPEC.md has no part {number}"));
    let rest = &SPEC[start + heading.len()..];
    rest.find("\n## ").map_or(rest, |end| &rest[..end])
}

/// What stands between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

fn named(text: &str) -> BTreeSet<&str> {
    code(text)
        .filter(|word| word.contains('-') && word.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
        .collect()
}

/// Rust sources below a folder, or one file.
fn sources(path: &Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).expect("a source");
    }
    let mut files: Vec<_> =
        fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| sources(file)).collect()
}

/// Ids of the rules by the names of their statics, which the build script of `wirecanon-model` makes of the ids.
fn statics() -> BTreeMap<String, &'static str> {
    rule::all().map(|rule| (rule.id.replace('-', "_").to_ascii_uppercase(), rule.id)).collect()
}

#[test]
fn every_rule_is_named() {
    let named = named(SPEC);
    let of_files = session::RULES.iter().map(|rule| rule.id);
    let missing: Vec<_> = rule::all().map(|rule| rule.id).chain(of_files).filter(|id| !named.contains(id)).collect();
    assert!(missing.is_empty(), "SPEC.md does not name {missing:?}");
}

#[test]
fn what_readers_passes_and_writers_report_stands_with_their_decisions() {
    let statics = statics();
    assert_eq!(statics.len(), rule::all().count(), "no two rules have the same static");
    let decisions = [part(3), part(4), part(5)].concat();
    let decided = named(&decisions);
    let judged = named(part(9));
    let mut reported: BTreeSet<&str> = BTreeSet::new();
    let text = sources(&core().join("convert/src"));
    for used in text.split("rule::").skip(1) {
        let name: String =
            used.chars().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_').collect();
        reported.extend(statics.get(&name));
    }
    assert!(reported.len() > 40, "only {} rules were found in the sources", reported.len());
    for id in statics.values() {
        if reported.contains(id) {
            assert!(decided.contains(id), "`{id}` is reported, but parts 3 to 5 do not name it");
            assert!(!judged.contains(id), "`{id}` is reported, so it does not belong into part 9");
        } else {
            assert!(judged.contains(id), "only the judge names `{id}`, and part 9 does not");
        }
    }
}

/// The first cells of a table's rows, by the words of its first heading.
fn first_cells(text: &str, heading: &str) -> BTreeSet<String> {
    let table = text.split(heading).nth(1).unwrap_or_else(|| panic!("no table opens with {heading}"));
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| code(row.split(" | ").next().unwrap_or_default())).map(str::to_owned).collect()
}

#[test]
fn every_target_and_dialect_has_its_row() {
    let targets: BTreeSet<_> = Target::all().iter().map(|target| target.name.clone()).collect();
    let dialects: BTreeSet<_> = Dialect::ALL.into_iter().map(|dialect| dialect.name().to_owned()).collect();
    assert_eq!(first_cells(SPEC, "| target | ids |"), targets);
    assert_eq!(first_cells(DIALECTS, "| dialect | reads |"), dialects);
    let servers: BTreeSet<_> = targets.into_iter().filter(|name| !dialects.contains(name)).collect();
    assert_eq!(first_cells(DIALECTS, "| target | dialect |"), servers);
    let listed: BTreeSet<_> = code(part(3)).map(str::to_owned).collect();
    assert!(dialects.is_subset(&listed), "part 3 lists all dialects");
}

#[test]
fn every_key_of_a_target_file_is_documented() {
    let target = serde_json::to_value(Target::by_name("bedrock").expect("a target")).expect("JSON");
    let mut keys = 0;
    for (section, fields) in target.as_object().expect("an object") {
        let Some(fields) = fields.as_object().filter(|_| section != "fields" && section != "severity") else {
            continue;
        };
        let row = DIALECTS.lines().find(|line| line.starts_with("| ") && line.contains(&format!("`[{section}]`")));
        let row = row.unwrap_or_else(|| panic!("no row of [{section}]"));
        for key in fields.keys() {
            assert!(code(row).any(|word| word == key), "`{key}` of [{section}] is not in docs/dialects.md");
            keys += 1;
        }
    }
    assert!(keys > 30, "{keys} keys");
}

#[test]
fn every_id_that_is_named_exists() {
    let classes: Vec<_> = Class::ALL.iter().map(|class| class.slug()).collect();
    for id in named(SPEC) {
        let named = |target: &Target| target.name == id || target.all_switches().iter().any(|switch| switch.name == id);
        let known = rule::by_id(id).is_some()
            || session::rule_by_id(id).is_some()
            || classes.contains(&id)
            || Outcome::ALL.iter().any(|outcome| outcome.id() == id)
            || OTHERS.contains(&id)
            || DATA.contains(&id)
            || Target::all().iter().any(named);
        assert!(known, "SPEC.md names `{id}`, which is no rule");
    }
}

#[test]
fn every_text_that_is_written_stands_in_part_6() {
    let part = part(6);
    let source = sources(&core().join("model/src/text.rs"));
    let mut texts: Vec<String> = source
        .split("pub const ")
        .skip(1)
        .filter_map(|rest| rest.split_once(": &str = \"")?.1.split_once("\";"))
        .map(|(text, _)| text.to_owned())
        .collect();
    assert!(texts.len() >= 9, "{texts:?}");
    let made = [
        text::image_left_out("REASON", Some("MIME")),
        text::image_left_out("REASON", None),
        text::media_label("ID", Some("NAME")),
        text::media_label("ID", None),
        text::tool_call("ID", "NAME"),
        text::tool_result("ID", Some("NAME"), false),
        text::tool_result("ID", None, false),
        text::tool_result("ID", Some("NAME"), true),
        text::tool_result("ID", None, true),
        text::file_left_out(Some("NAME"), "MIME"),
        text::file_left_out(None, "MIME"),
        text::opaque_left_out("DIALECT", "TYPE"),
    ];
    assert_eq!(source.matches("-> String {").count(), 6, "a new kind of text: add it here and to SPEC.md");
    texts.extend(made);
    texts.extend(text::SYNTHETIC_OF_OTHERS.iter().map(|text| (*text).to_owned()));
    texts.extend([Unusable::NoData, Unusable::NotBase64, Unusable::NotAPicture].map(|why| why.reason().to_owned()));
    let writers = sources(&core().join("convert/src"));
    let reasons = writers.split("image_left_out(\"").skip(1).filter_map(|rest| rest.split('"').next());
    texts.extend(reasons.map(str::to_owned));
    let shown: BTreeSet<&str> = code(part).collect();
    for text in texts {
        // What ends in a space is the beginning of a text.
        let begins = |shown: &&str| text.ends_with(' ') && shown.starts_with(&text);
        let known = shown.contains(text.as_str()) || shown.iter().any(begins);
        assert!(known, "`{text}` does not stand in part 6 of SPEC.md");
    }
}

#[test]
fn texts_of_mcp_blocks_are_as_part_6_has_them() {
    let input = br#"{"content":[
        {"type":"resource_link","uri":"URI","name":"NAME","title":"TITLE"},
        {"type":"resource","resource":{"uri":"URI","mimeType":"MIME","blob":"AAAA"}},
        {"type":"resource","resource":{"uri":"URI","blob":"AAAA"}},
        {"type":"audio","data":"AAAA","mimeType":"MIME"}]}"#;
    let options = Options {
        from: From::Dialect(Dialect::McpToolResult),
        to: Some(Target::of_dialect(Dialect::Canonical)),
        mode: Mode::Request,
        ..Options::default()
    };
    let fixed = fix(input, &options).expect("a fragment");
    let fragment: serde_json::Value = serde_json::from_slice(&fixed.output).expect("JSON");
    let shown: BTreeSet<&str> = code(part(6)).collect();
    let blocks = fragment["content"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        let text = block["text"].as_str().expect("text");
        assert!(shown.contains(text), "`{text}` does not stand in part 6 of SPEC.md");
    }
}

#[test]
fn rows_are_numbered_in_order() {
    for (letter, number) in [('R', 4), ('W', 5)] {
        let numbers: Vec<usize> = part(number)
            .lines()
            .filter_map(|line| {
                // A row of a table, or a paragraph.
                let row = line.strip_prefix("| ").and_then(|row| row.split_once(" |"));
                let (label, _) = row.or_else(|| line.split_once(". "))?;
                label.strip_prefix(letter)?.parse().ok()
            })
            .collect();
        assert!(numbers.len() > 8 && numbers.iter().copied().eq(1..=numbers.len()), "{letter}: {numbers:?}");
    }
}

#[test]
fn the_table_of_equivalences_is_that_of_the_library() {
    let part = part(10);
    for row in &Equivalence::ALL {
        let demanded: Vec<_> = row.demanded_by.iter().map(|rule| format!("`{}`", rule.id)).collect();
        let line = format!("| Q{} | {} | {} | {} |", row.number, row.id, row.statement, demanded.join(" "));
        assert!(part.lines().any(|own| own == line), "part 10 lacks: {line}");
    }
    for reason in Reason::ALL {
        let grade = match reason.grade() {
            Grade::Setting => "setting",
            Grade::Lossy => "lossy",
            Grade::Altered => "altered",
        };
        let line = format!("| {} | {grade} |", reason.id());
        assert!(part.lines().any(|own| own == line), "part 10 lacks: {line}");
    }
    let rows = part.lines().filter(|line| line.starts_with("| Q")).count();
    assert_eq!(rows, Equivalence::ALL.len(), "part 10 has rows of its own");
}

#[test]
fn every_limit_of_part_5_names_the_equivalences_by_which_it_says_the_same() {
    let known: BTreeSet<_> = Equivalence::ALL.iter().map(|row| format!("Q{}", row.number)).collect();
    let is_paragraph = |line: &str| {
        let number = line.strip_prefix('W').and_then(|rest| rest.split_once(". ")).map(|(number, _)| number);
        number.is_some_and(|number| number != "30" && number.parse::<u8>().is_ok())
    };
    let mut limits = 0;
    for line in part(5).lines() {
        let same_by = if line.starts_with("| W") {
            line.trim_end_matches(" |").rsplit(" | ").next()
        } else if is_paragraph(line) {
            let start = part(5).find(line).expect("the line");
            let paragraph = part(5)[start..].split("\n\n").next().expect("a paragraph");
            paragraph.rsplit_once("(same by ").map(|(_, rest)| rest.trim_end_matches(')'))
        } else {
            continue;
        };
        limits += 1;
        let numbers: Vec<_> = same_by.unwrap_or_default().split(' ').collect();
        assert!(numbers.iter().all(|number| known.contains(*number)), "{line}: {numbers:?}");
    }
    assert_eq!(limits, 39, "rows W1 to W40 without W30, which chooses between them");
}
