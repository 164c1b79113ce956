//! Cases in other dialects: which pairs there are is frozen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use wirecanon::case::Case;
use wirecanon::judge::{Demands, judge_with};
use wirecanon::meaning::{Conversations, Document};
use wirecanon::testee::{Reference, Request};
use wirecanon::{carry, corpus, run};
use wirecanon_core::{Dialect, Mode};

type Pairs = BTreeMap<String, BTreeSet<String>>;

const HEAD: &str = "\
# The dialects that each case is carried into, for testees that do not read its own.
#
# A test computes them. `BLESS=1 cargo test -p wirecanon --test it carried::` adds new ones; one that is gone is a fault, or is taken away
# here by hand, with the reason in the change.
";

fn carried() -> Vec<Case> {
    let cases = corpus::load().expect("the corpus");
    let cases = cases.iter().filter(|case| case.retired.is_none());
    cases.flat_map(|case| Dialect::ALL.into_iter().filter_map(|to| carry::into_dialect(case, to))).collect()
}

fn pairs(text: &str) -> Pairs {
    let table: toml_edit::DocumentMut = text.parse().expect("TOML");
    let dialects = |item: &toml_edit::Item| -> BTreeSet<String> {
        let list = item.as_array().expect("a list of dialects");
        list.iter().map(|dialect| dialect.as_str().expect("a dialect").to_owned()).collect()
    };
    table.iter().map(|(case, item)| (case.to_owned(), dialects(item))).collect()
}

fn written(pairs: &Pairs) -> String {
    let mut text = HEAD.to_owned();
    for (case, dialects) in pairs {
        let dialects: Vec<String> = dialects.iter().map(|dialect| format!("\"{dialect}\"")).collect();
        let _ = write!(text, "\n{case} = [{}]", dialects.join(", "));
    }
    text.push('\n');
    text
}

#[test]
fn the_carried_pairs_are_frozen() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/carried.toml");
    let mut frozen = pairs(&fs::read_to_string(&path).unwrap_or_default());
    let mut now = Pairs::new();
    for case in carried() {
        now.entry(case.id).or_default().insert(case.from.name().to_owned());
    }
    let apart = |one: &Pairs, other: &Pairs| -> Vec<String> {
        let mut found = Vec::new();
        for (case, dialects) in one {
            let known = other.get(case);
            let missing = dialects.iter().filter(|dialect| known.is_none_or(|known| !known.contains(*dialect)));
            found.extend(missing.map(|dialect| format!("{case} in {dialect}")));
        }
        found
    };
    let gone = apart(&frozen, &now);
    assert!(gone.is_empty(), "{} pairs are gone: {gone:#?}", gone.len());
    let new = apart(&now, &frozen);
    if env::var_os("BLESS").is_some() {
        for (case, dialects) in now {
            frozen.entry(case).or_default().extend(dialects);
        }
        fs::write(&path, written(&frozen)).expect("the list can be written");
    } else {
        assert!(new.is_empty(), "{} pairs are new; BLESS=1 adds them: {new:#?}", new.len());
    }
}

/// Notes for media in results that are told as text are compared word by word, where the target has no tools.
const NOTES_IN_TEXT: [&str; 6] = [
    "image-base64-goes-on-behind-its-padding",
    "image-data-empty",
    "image-data-is-a-note",
    "image-data-not-base64",
    "image-data-redacted",
    "image-not-a-picture",
];

#[test]
fn the_reference_answers_carried_cases() {
    let mut wrong = Vec::new();
    let mut answers = 0;
    for case in carried() {
        let document = Document::new(&case);
        let conversations = Conversations::new(&document);
        let targets = run::targets_of(&case).filter(|target| target.name == target.dialect.name());
        for target in targets {
            let is_known = target.dialect == Dialect::McpPrompt && NOTES_IN_TEXT.contains(&&*case.id);
            let request = Request { from: case.from, target, mode: Mode::Request, input: &case.input, call_id: None };
            let answer = Reference::answer(&request);
            let demands = Demands { tools: true, ..Demands::default() };
            let said = judge_with(&case, target, &answer, demands, Some(&conversations));
            answers += 1;
            if !said.ok && !is_known {
                let reason = said.reasons.first().map(ToString::to_string);
                wrong.push(format!("{} in {} to {}: {reason:?}", case.id, case.from.name(), target.name));
            }
        }
    }
    assert!(answers > 10_000, "{answers} answers");
    assert!(wrong.is_empty(), "{} answers are not accepted: {wrong:#?}", wrong.len());
}
