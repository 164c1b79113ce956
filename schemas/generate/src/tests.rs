//! What the generator promises.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

#[test]
fn no_bytes_make_a_small_legal_document() {
    for dialect in Dialect::ALL {
        let made = valid(&mut Unstructured::new(&[]), dialect);
        assert!(made.valid && made.bytes.len() < 600, "{}", String::from_utf8_lossy(&made.bytes));
        let _: serde_json::Value = serde_json::from_slice(&made.bytes).unwrap();
    }
}

#[test]
fn the_same_bytes_make_the_same_document() {
    for seed in 0..200 {
        let bytes = noise(seed, 400);
        for dialect in Dialect::ALL {
            let make = || broken(&mut Unstructured::new(&bytes), dialect);
            assert_eq!(make(), make());
        }
    }
}

#[test]
fn a_revision_is_the_one_that_was_asked_for() {
    let mut drawn = BTreeSet::new();
    for seed in 0..200 {
        let bytes = noise(seed, 600);
        for dialect in Dialect::ALL {
            let made = valid(&mut Unstructured::new(&bytes), dialect);
            assert_eq!(made.revision.is_some(), dialect.has_revisions());
            drawn.extend(made.revision.map(|revision| (dialect, revision)));
            // Asking for what is drawn anyway changes nothing.
            let form = Form { dialect, revision: made.revision };
            assert_eq!(Form::by_name(&form.name()), Some(form));
            assert_eq!(valid(&mut Unstructured::new(&bytes), form), made);
        }
    }
    assert_eq!(drawn.len(), 3 * Revision::ALL.len());
    for name in ["canonical@2025-06-18", "mcp.prompt@2025-06-19", "mcp.prompt@", "nobody"] {
        assert_eq!(Form::by_name(name), None);
    }
}

#[test]
fn a_valid_document_is_json_and_holds_every_word_once() {
    for seed in 0..150 {
        for dialect in Dialect::ALL {
            let made = valid(&mut Unstructured::new(&noise(seed, 30 * seed as usize % 3000)), dialect);
            let text = String::from_utf8(made.bytes).unwrap();
            let _: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let unescaped = text.replace("\\/", "/");
            for token in &made.must_keep {
                assert!(unescaped.contains(token.as_str()), "{token} is not in {text}");
            }
            let different: BTreeSet<_> = made.must_keep.iter().collect();
            assert_eq!(different.len(), made.must_keep.len(), "a word comes twice");
            assert!(made.faults.is_empty() && !made.may_refuse);
            let ids: Vec<_> = made.calls.iter().map(|call| &call.id).filter(|id| !id.is_empty()).collect();
            let different: BTreeSet<_> = ids.iter().collect();
            let unique = !dialect.speller().carries.reused_ids;
            assert!(!unique || different.len() == ids.len(), "an id comes twice: {text}");
            assert!(ids.is_empty() || ids.len() == made.calls.len(), "some calls have no id: {text}");
        }
    }
}

#[test]
fn what_must_survive_a_broken_document_stands_in_it() {
    for seed in 0..400 {
        for dialect in Dialect::ALL {
            let made = broken(&mut Unstructured::new(&noise(seed, 800)), dialect);
            let shown = || format!("{} {seed}: {:?}", dialect.name(), made.faults);
            assert!(!made.faults.is_empty() && !made.valid, "{}", shown());
            let text = String::from_utf8_lossy(&made.bytes).replace("\\/", "/");
            // Pictures may be spelled in other ways; words may not.
            for token in made.must_keep.iter().filter(|token| token.len() < 12) {
                assert!(text.contains(token.as_str()), "{:?}: {token} is not in {text}", made.faults);
            }
        }
    }
}

#[test]
fn every_fault_and_every_feature_comes_up() {
    let mut faults: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut images, mut parallel, mut reasoning) = (0, 0, 0);
    for seed in 0..4000 {
        for dialect in [Dialect::Canonical, Dialect::OpenClaw] {
            let made = broken(&mut Unstructured::new(&noise(seed, 1500)), dialect);
            for fault in made.faults {
                *faults.entry(fault).or_default() += 1;
            }
            images += usize::from(made.must_keep.iter().any(|token| token.len() > 20));
            parallel += usize::from(made.calls.len() > 3);
            reasoning += usize::from(!made.reasoning.is_empty());
        }
    }
    assert!(images > 200 && parallel > 200 && reasoning > 200, "{images} {parallel} {reasoning}");
    let rare: Vec<_> = faults.iter().filter(|(_, count)| **count < 5).collect();
    assert!(faults.len() >= 65 && rare.is_empty(), "{} kinds; rare: {rare:?}\n{faults:#?}", faults.len());
}

#[test]
fn more_bytes_make_larger_documents() {
    let mean = |length: usize| {
        let sizes =
            (0..300).map(|seed| valid(&mut Unstructured::new(&noise(seed, length)), Dialect::OpenClaw).bytes.len());
        sizes.sum::<usize>() / 300
    };
    let (few, some, many) = (mean(8), mean(80), mean(800));
    assert!(few < some && some < many, "{few} {some} {many}");
}

#[test]
fn a_pair_shares_no_id() {
    for seed in 0..300 {
        let (first, second) = pair(&mut Unstructured::new(&noise(seed, 1200)), Dialect::Canonical, false);
        for call in &second.calls {
            assert!(first.calls.iter().all(|other| other.id != call.id));
        }
        let second: serde_json::Value = serde_json::from_slice(&second.bytes).unwrap();
        assert_eq!(second["messages"][0]["role"], "user");
    }
}
