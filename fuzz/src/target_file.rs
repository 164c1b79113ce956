//! Any bytes, as a target file: TOML that says what a server takes.

use arbitrary::Unstructured;
use wirecanon_core::invariant::Case;
use wirecanon_core::json::Limits;
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Target, check};
use wirecanon_generate::{self as generate, noise};

use crate::FuzzTarget;
use crate::agreement::accepted;
use crate::replay::Document;

/// Documents that are written for each target.
const DOCUMENTS: u64 = 4;

/// Reads `data` as a target, and writes documents for it.
///
/// Fails when a refusal says nothing, or `check` refuses what was written for the target.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 16 * 1024, judge: |data| judge(data, &Reference), document: |_| Document::Nothing };

/// The targets that are built in, and each of their switches set.
pub fn examples() -> Vec<(String, Vec<u8>)> {
    Target::all()
        .iter()
        .filter_map(|target| Some((target.name.replace('@', "-"), toml::to_string(target).ok()?.into_bytes())))
        .collect()
}

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(data) else { return Ok(()) };
    let target = match Target::from_toml(text) {
        Ok(target) => target,
        Err(error) if error.message().trim().is_empty() => return Err("a refusal says nothing".to_owned()),
        Err(_) => return Ok(()),
    };
    let seed = data.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    obeyed(&target, text, seed, DOCUMENTS, normalizer)
}

/// Whether `check` accepts what is written for a target of `documents` broken documents.
fn obeyed(target: &Target, text: &str, seed: u64, documents: u64, normalizer: &dyn Normalizer) -> Result<(), String> {
    for round in 0..documents {
        let dialect = generate::Dialect::ALL
            [usize::try_from(seed.wrapping_add(round)).unwrap_or_default() % generate::Dialect::ALL.len()];
        let bytes = noise(seed.wrapping_add(round), 400);
        let made = generate::broken(&mut Unstructured::new(&bytes), dialect);
        let Some(from) = Dialect::by_name(dialect.name()) else { continue };
        let call_id = from.is_fragment().then_some(Case::CALL_ID);
        for mode in [Mode::Request, Mode::History] {
            let request = Request { input: &made.bytes, from: From::Dialect(from), to: target, mode, call_id };
            agreed(&request, normalizer).map_err(|why| format!("{why}\n  {request}\n{text}"))?;
        }
    }
    Ok(())
}

/// Whether `check` accepts what is written.
fn agreed(request: &Request<'_>, normalizer: &dyn Normalizer) -> Result<(), String> {
    let Outcome::Output { bytes, .. } = normalizer.convert(request) else { return Ok(()) };
    let fragment = request.call_id.is_some();
    let options = CheckOptions { target: request.to, mode: request.mode, fragment, limits: Limits::default() };
    let checked = check(&bytes, &options).map_err(|error| format!("no transcript was written: {error}"))?;
    accepted(&checked, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::planted::Mutant;

    #[test]
    fn smoke() {
        for (_, bytes) in examples() {
            TARGET.run(&bytes);
        }
    }

    #[test]
    fn a_member_that_a_target_does_not_list_is_not_written() {
        let mut failures = Vec::new();
        for target in Target::all().iter().filter(|target| !target.fields.is_empty()) {
            for (holder, members) in &target.fields {
                for member in members {
                    let mut less = target.clone();
                    less.fields.get_mut(holder).expect("the holder").retain(|other| other != member);
                    let text = toml::to_string(&less).expect("a target is TOML");
                    let Ok(less) = Target::from_toml(&text) else { continue };
                    if let Err(why) = obeyed(&less, "", 1, 12, &Reference) {
                        failures.push(format!("{} without {holder}.{member}: {why}", target.name));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    }

    #[test]
    fn names_and_ids_are_of_the_characters_that_a_target_takes() {
        let mut failures = Vec::new();
        for target in ["openai", "anthropic", "vertex", "bedrock-claude", "mistral", "openai-responses"] {
            for (also, opens_with_letter) in
                ["", "-", "_", ".", "]:"].into_iter().flat_map(|also| [(also, false), (also, true)])
            {
                for length in [None, Some(9)] {
                    let mut odd = Target::by_name(target).expect("a target").clone();
                    odd.names.also = Some(also.into());
                    odd.names.opens_with_letter = opens_with_letter;
                    odd.names.max_length = length;
                    odd.ids.also = Some(also.into());
                    let text = toml::to_string(&odd).expect("a target is TOML");
                    let Ok(odd) = Target::from_toml(&text) else { continue };
                    if let Err(why) = obeyed(&odd, "", 3, 24, &Reference) {
                        failures.push(format!("{target} with {also:?}, {opens_with_letter}, {length:?}: {why}"));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "{} failures, the first:\n{}", failures.len(), failures[0]);
    }

    #[test]
    fn a_target_that_is_not_obeyed_is_caught() {
        let openai = examples().into_iter().find(|(name, _)| name == "openai").expect("the target").1;
        let copied = Mutant(|request, _| Outcome::Output { bytes: request.input.to_vec(), report: None });
        assert!(judge(&openai, &copied).unwrap_err().contains("what was written breaks"));
    }
}
