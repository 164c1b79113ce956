//! Seeds for every target, in the form that it decodes.
//!
//! Documents come from the corpus, transcripts from noise: of many draws the shortest that shows each fault in each dialect.

use std::collections::BTreeSet;

use arbitrary::Unstructured;
use wirecanon::problem::Problem;
use wirecanon_core::Dialect;
use wirecanon_generate::{self as generate, noise};

use crate::{files, line_protocol, mcp_result, page, records, target_file};

/// Every target, in the order of the table.
pub const TARGETS: [&str; 13] = [
    "read",
    "fix_bytes",
    "transcript",
    "mcp_result",
    "round_trip",
    "json",
    "check_schema",
    "instances",
    "files",
    "line_protocol",
    "page",
    "records",
    "target_file",
];

/// Draws that are looked at.
const DRAWS: u64 = 4000;

/// The seeds of a target, each with the name of its file.
///
/// # Errors
///
/// The corpus cannot be read.
pub fn of(target: &str) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let cases = || wirecanon::corpus::load().map(IntoIterator::into_iter);
    let mut seeds: Vec<_> = match target {
        "read" | "fix_bytes" | "json" => cases()?.map(|case| (case.id, case.input)).collect(),
        "mcp_result" => cases()?
            .filter(|case| case.from == Dialect::McpToolResult)
            .map(|case| (case.id, case.input))
            .chain(mcp_result::examples())
            .collect(),
        "check_schema" => {
            let expected =
                |case: wirecanon::case::Case| Some((case.id, case.expect.canonical?.get().as_bytes().to_vec()));
            let own = cases()?
                .filter(wirecanon::case::Case::is_identity)
                .map(|case| (format!("{}-own", case.id), case.input));
            own.chain(cases()?.filter_map(expected)).chain(drawn(3)).collect()
        }
        "instances" => schemas(),
        "files" => {
            let list = |text: &[u8]| text.starts_with(b"[").then(|| String::from_utf8(text.to_vec()).ok())?;
            let wrapped = cases()?.filter_map(|case| Some(files::wrapped(&case.id, &list(&case.input)?))).flatten();
            files::examples().into_iter().chain(wrapped).collect()
        }
        "line_protocol" => line_protocol::examples(),
        "page" => page::examples(),
        "records" => records::examples(),
        "target_file" => target_file::examples(),
        "transcript" => drawn(16),
        "round_trip" => drawn(3),
        _ => Vec::new(),
    };
    seeds.retain(|(_, bytes)| bytes.len() <= 16 * 1024);
    Ok(seeds)
}

/// Noise that shows each fault of each dialect, behind as many bytes as the target decides with before it draws.
fn drawn(before: usize) -> Vec<(String, Vec<u8>)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for round in 0..DRAWS {
        let place = usize::try_from(round).unwrap_or(0);
        let bytes = noise(round, before + place * 600 / usize::try_from(DRAWS).unwrap_or(1));
        let dialect = generate::Dialect::ALL[place % generate::Dialect::ALL.len()];
        let made = generate::broken(&mut Unstructured::new(bytes.get(before..).unwrap_or_default()), dialect);
        let new = made.faults.iter().filter(|fault| seen.insert((dialect.name(), **fault))).count();
        if new > 0 {
            found.push((format!("noise-{round:04}"), bytes));
        }
    }
    found
}

/// Small schemas that use every keyword, and the first of the catalogue that are short enough.
fn schemas() -> Vec<(String, Vec<u8>)> {
    const KEYWORDS: &str = include_str!("../../schemas/generate/tests/instances/keywords.json");
    let table: serde_json::Map<String, serde_json::Value> = serde_json::from_str(KEYWORDS).unwrap_or_default();
    let small =
        table.into_iter().map(|(name, schema)| (name.replace([' ', ','], "-"), schema.to_string().into_bytes()));
    let noise =
        (0..40).map(|seed| (format!("noise-{seed:02}"), noise(seed, 20 + 6 * usize::try_from(seed).unwrap_or(0))));
    small.filter(|(_, text)| text.starts_with(b"{")).chain(noise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_with_names_of_their_own() {
        for target in TARGETS {
            let seeds = of(target).unwrap();
            assert!(seeds.len() >= 10, "{target}: {}", seeds.len());
            let names: BTreeSet<_> = seeds.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), seeds.len(), "{target}");
            assert!(names.iter().all(|name| !name.contains('/')), "{target}");
            assert_eq!(of(target).unwrap(), seeds, "{target}");
        }
    }

    /// A target's file, its row in the manifest, and its place in the list.
    #[test]
    fn every_target_is_a_program() {
        let manifest = include_str!("../Cargo.toml");
        for target in TARGETS {
            assert!(
                manifest.contains(&format!("name = \"{target}\"\npath = \"fuzz_targets/{target}.rs\"")),
                "{target}"
            );
        }
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
    }
}
