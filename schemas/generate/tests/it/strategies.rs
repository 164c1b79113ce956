//! What strategies give is valid; and a failure that is planted in large values shrinks to a small one, and to no other
//! failure.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestError, TestRunner};
use wirecanon_generate::instance::Plan;
use wirecanon_generate::strategy::{self, Document, Drawing};
use wirecanon_schemas::catalogue;

#[test]
fn instances_of_every_schema_are_valid() {
    for schema in catalogue::ALL {
        let plan = Plan::compile(schema.text).unwrap_or_else(|error| panic!("{}: {error}", schema.id));
        let document: serde_json::Value = serde_json::from_str(schema.text).expect("JSON");
        let validator = jsonschema::validator_for(&document).expect("a schema");
        let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/strategies.txt");
        let mut config =
            Config { failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))), ..Config::default() };
        if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
            config.rng_seed = RngSeed::Fixed(20_261);
        }
        if std::env::var_os("PROPTEST_CASES").is_none() {
            config.cases = 100;
        }
        let checked = TestRunner::new(config).run(&strategy::instances(plan), |drawn| {
            let value: serde_json::Value =
                serde_json::from_str(&drawn.made).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let wrong = validator.validate(&value).err();
            prop_assert!(wrong.is_none(), "{}: {wrong:?}", schema.id);
            Ok(())
        });
        if let Err(error) = checked {
            panic!("{}: {error}", schema.id);
        }
    }
}

/// How a planted failure shrank: lengths of the texts, and how often a test was asked.
struct Shrunk {
    first: usize,
    last: usize,
    asked: u32,
    text: String,
}

/// Fails on every value that `wrong` finds, from many seeds, and gives the smallest value of each.
fn shrink<T: Document + 'static>(strategy: &Drawing<T>, wrong: impl Fn(&T) -> bool) -> Vec<Shrunk> {
    (0..10)
        .map(|seed| {
            let config = Config {
                cases: 100_000,
                rng_seed: RngSeed::Fixed(seed),
                failure_persistence: None,
                max_shrink_iters: 4000,
                ..Config::default()
            };
            let (first, asked) = (Cell::new(0), Cell::new(0));
            let failed = TestRunner::new(config).run(strategy, |drawn| {
                let is_wrong = wrong(&drawn.made);
                if first.get() > 0 {
                    asked.set(asked.get() + 1);
                } else if is_wrong {
                    first.set(drawn.made.text().len());
                }
                prop_assert!(!is_wrong);
                Ok(())
            });
            let Err(TestError::Fail(_, drawn)) = failed else { panic!("nothing was wrong") };
            assert!(wrong(&drawn.made), "another failure");
            let text = String::from_utf8_lossy(drawn.made.text()).into_owned();
            Shrunk { first: first.get(), last: text.len(), asked: asked.get(), text }
        })
        .collect()
}

/// The middle one, the largest one, and the middle number of questions.
fn assert_small(name: &str, mut all: Vec<Shrunk>, usual: usize, largest: usize) {
    let middle = all.len() / 2;
    all.sort_by_key(|shrunk| shrunk.asked);
    let (asked, most) = (all[middle].asked, all.last().map_or(0, |shrunk| shrunk.asked));
    all.sort_by_key(|shrunk| shrunk.first);
    let first = all[middle].first;
    all.sort_by_key(|shrunk| shrunk.last);
    let last = all.last().expect("some");
    println!("{name}: {first} -> {} bytes, {} at most; {asked} questions, {most} at most", all[middle].last, last.last);
    println!("  {}\n  {}", all[middle].text, last.text);
    assert!(all[middle].last <= usual, "{name}: {}", all[middle].text);
    assert!(last.last <= largest, "{name}: {}", last.text);
}

#[test]
fn a_planted_failure_in_a_transcript_becomes_small() {
    let text = |made: &wirecanon_generate::Generated| String::from_utf8_lossy(&made.bytes).into_owned();
    let results = shrink(&strategy::valid(), move |made| {
        made.calls.len() >= 2 && made.dialect.name() == "anthropic.messages" && text(made).contains("\"is_error\"")
    });
    assert_small("two calls and an error", results, 900, 1400);
    let pictures =
        shrink(&strategy::valid(), move |made| made.must_keep.iter().filter(|kept| kept.len() > 40).count() >= 2);
    assert_small("two pictures", pictures, 900, 1600);
    let faults = shrink(&strategy::broken(), |made| made.faults.contains(&"orphan-result"));
    assert_small("an orphan", faults, 600, 1200);
}

#[test]
fn a_planted_failure_in_an_instance_becomes_small() {
    let plan = |id: &str| Plan::compile(catalogue::by_id(id).expect("a schema").text).expect("a plan");
    let errors = shrink(&strategy::instances(plan("mcp/2025-06-18/tool-result")), |text| {
        text.contains("\"isError\":true") && text.contains("\"resource_link\"")
    });
    assert_small("an error with a link", errors, 200, 900);
    let calls = shrink(&strategy::instances(plan("openai/chat")), |text| text.matches("\"tool_call_id\"").count() >= 2);
    assert_small("two answers", calls, 320, 900);
    let list = Plan::compile(r#"{"type": "array", "items": {"type": "integer", "minimum": 0}}"#).expect("a plan");
    let large = shrink(&strategy::instances(list), |text| {
        text.trim_matches(['[', ']']).split(',').any(|number| number.parse::<u64>().is_ok_and(|number| number > 700))
    });
    assert_small("a number above 700", large, 20, 40);
}

#[test]
fn a_value_that_is_not_shrunk_is_what_its_bytes_make() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..3 {
        let mut tree = strategy::broken().new_tree(&mut runner).expect("a tree");
        let drawn = tree.current();
        let u = &mut arbitrary::Unstructured::new(&drawn.from);
        let dialect = *u.choose(&wirecanon_generate::Dialect::ALL).expect("bytes");
        assert_eq!(drawn.made, wirecanon_generate::broken(u, dialect));
        // Nothing smaller fails: in the end it is what failed.
        let mut more = tree.simplify();
        while more {
            assert!(tree.current().made.bytes.len() <= drawn.made.bytes.len());
            more = tree.complicate();
        }
        assert_eq!(tree.current().made, drawn.made);
    }
}

#[test]
fn a_failure_is_kept_and_tried_first() {
    let folder = std::env::temp_dir().join(format!("wirecanon-strategies-{}", std::process::id()));
    let kept: &'static str = Box::leak(folder.join("kept.txt").display().to_string().into_boxed_str());
    let fails = |seed, cases| {
        let config = Config {
            cases,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
            ..Config::default()
        };
        let run = TestRunner::new(config).run(&strategy::valid(), |drawn| {
            prop_assert!(drawn.made.calls.len() < 4);
            Ok(())
        });
        run.is_err()
    };
    assert!(fails(1, 10_000), "no transcript has four calls");
    let text = std::fs::read_to_string(kept).expect("it is kept");
    assert!(text.lines().any(|line| line.starts_with("cc ") && line.contains("# shrinks to ")), "{text}");
    // Another run draws one value, which holds; what is kept comes before it.
    let alone = TestRunner::new(Config {
        cases: 1,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..Config::default()
    })
    .run(&strategy::valid().of_at_most(20), |drawn| {
        prop_assert!(drawn.made.calls.len() < 4);
        Ok(())
    });
    assert_eq!(alone, Ok(()));
    assert!(fails(5, 1));
    std::fs::remove_dir_all(folder).expect("the folder");
}
