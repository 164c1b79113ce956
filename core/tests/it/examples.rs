//! Whoever reads the documentation of the library finds an example of each thing that can be called or built. That the
//! examples are true is proved by running them: `cargo test -p wirecanon-core --doc`.
//!
//! The sources are read as lines, which they can be because rustfmt has laid them out; `unreachable_pub` sees to it that
//! `pub` means what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// An item that a program can name.
#[derive(Debug)]
struct Item {
    /// The type or trait that it belongs to
    owner: Option<String>,
    name: String,
    /// The text of its examples
    examples: String,
    place: String,
}

/// What begins an item of the library.
const KEYWORDS: [&str; 7] = ["fn", "const fn", "async fn", "struct", "enum", "trait", "type"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder of the library");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The word that a text begins with.
fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The type that an `impl` is for.
fn implemented(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        rest = &rest[rest.find("> ")? + 1..];
    }
    let rest = rest.split_once(" for ").map_or(rest, |(_, behind)| behind);
    Some(word(rest.trim_start().trim_start_matches('&')))
}

/// What is named by a line, and whether that holds methods which need no `pub`.
fn named(line: &str, in_trait: bool) -> Option<(String, bool)> {
    let rest = match line.strip_prefix("pub ") {
        Some(rest) => rest,
        None if in_trait && line.starts_with("fn ") => line,
        None => return None,
    };
    let (keyword, rest) = KEYWORDS.iter().find_map(|keyword| Some((*keyword, rest.strip_prefix(keyword)?)))?;
    let name = word(rest.strip_prefix(' ')?);
    (!name.is_empty()).then_some((name, keyword == "trait"))
}

fn items_of(text: &str, place: &str) -> Vec<Item> {
    let mut items = Vec::new();
    // The owner, whether it is a trait, and the line that ends it.
    let mut owner: Option<(String, bool, String)> = None;
    let (mut examples, mut fenced, mut hidden) = (String::new(), false, false);
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        if owner.as_ref().is_some_and(|(.., end)| line == end) {
            owner = None;
        }
        if let Some(doc) = bare.strip_prefix("///") {
            if doc.trim_start().starts_with("```") {
                fenced = !fenced;
            } else if fenced {
                examples.push_str(doc);
                examples.push('\n');
            }
            continue;
        }
        hidden |= bare.starts_with("#[doc(hidden)]");
        if bare.starts_with("#[") {
            continue;
        }
        let end = || format!("{}}}", &line[..line.len() - bare.len()]);
        if let Some(name) = implemented(bare) {
            if !bare.ends_with('}') {
                owner = Some((name, false, end()));
            }
        } else if let Some((name, is_trait)) = named(bare, owner.as_ref().is_some_and(|(_, is_trait, _)| *is_trait))
            && !hidden
        {
            let of = owner.as_ref().map(|(name, ..)| name.clone());
            let place = format!("{place}:{}", number + 1);
            items.push(Item { owner: of, name: name.clone(), examples: std::mem::take(&mut examples), place });
            if is_trait {
                owner = Some((name, true, end()));
            }
        }
        examples.clear();
        hidden = false;
    }
    items
}

/// Items of which no example tells: neither their own nor, where they belong to a type, that of the type.
fn untold(items: &[Item]) -> Vec<String> {
    // Two rooms may have a type of one name.
    let mut of_types: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in items.iter().filter(|item| item.owner.is_none()) {
        of_types.entry(&item.name).or_default().push(&item.examples);
    }
    let shows = |examples: &str, name: &str| {
        examples.split(|c: char| !c.is_alphanumeric() && c != '_').any(|shown| shown == name)
    };
    let is_told = |item: &&Item| {
        let of_type = item.owner.as_ref().and_then(|owner| of_types.get(owner.as_str()));
        !item.examples.is_empty() || of_type.into_iter().flatten().any(|examples| shows(examples, &item.name))
    };
    let name = |item: &Item| match &item.owner {
        Some(owner) => format!("{owner}::{} ({})", item.name, item.place),
        None => format!("{} ({})", item.name, item.place),
    };
    items.iter().filter(|item| !is_told(item)).map(name).collect()
}

#[test]
fn all_that_can_be_called_or_built_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["json/src", "model/src", "check/src", "convert/src", "invariants/src"] {
        sources(&root.join(folder), &mut files);
    }
    files.sort();
    let mut items = Vec::new();
    for path in files {
        let place = path.strip_prefix(root).expect("a file of the library").display().to_string();
        // Hidden in the documentation, as it serves the tests alone.
        if place != "convert/src/step.rs" {
            items.extend(items_of(&fs::read_to_string(&path).expect("a file of the library"), &place));
        }
    }
    assert!(
        items.iter().any(|item| item.owner.is_none() && item.name == "fix"),
        "the sources are not read as they are"
    );
    let untold = untold(&items);
    assert!(untold.is_empty(), "{} of {} have no example:\n{}", untold.len(), items.len(), untold.join("\n"));
}

#[test]
fn an_item_without_an_example_is_named() {
    let text = "/// A.\n///\n/// ```\n/// A::shown();\n/// ```\n#[derive(Debug)]\npub struct A;\n\nimpl<'a> A<'a> {\n    /// S.\n    \
                pub fn shown() {}\n\n    /// N.\n    pub fn untold() {}\n}\n\n/// B.\npub(crate) fn b() {}\n\n/// T.\npub trait T {\n    \
                fn t();\n}\n\n/// C.\n#[doc(hidden)]\npub fn c() {}\n\n/// D.\npub fn d() {}\n";
    let untold = untold(&items_of(text, "a.rs"));
    assert_eq!(untold, ["A::untold (a.rs:14)", "T (a.rs:21)", "T::t (a.rs:22)", "d (a.rs:30)"]);
}
