//! Every invariant over generated transcripts, in every conversion; and planted mutants that each invariant must catch.
//!
//! `PROPTEST_CASES` raises the number of transcripts, `PROPTEST_RNG_SEED` gives others: the default seed is fixed, so that
//! a red test is red for everyone. What fails shrinks to a small transcript, and is tried first from then on: its seed is kept
//! in `core/proptest-regressions/properties.txt`. Looking further is what the fuzz targets are for.

mod defects;
mod metamorphic;
mod mutants;

use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};
use wirecanon_core::invariant::Case;
use wirecanon_core::normalizer::Reference;
use wirecanon_core::{CheckOptions, Mode, Target, check};
use wirecanon_driver::{conversions, judge, known};
use wirecanon_generate::strategy;
use wirecanon_generate::{Dialect, Generated};

/// The settings of properties that are tested with this number of transcripts.
fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(20_261);
    }
    config.max_shrink_iters = 2000;
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/properties.txt");
    config.failure_persistence = Some(Box::new(FileFailurePersistence::Direct(kept)));
    config
}

/// Judges one transcript by every invariant in every conversion.
fn holds(made: &Generated, then: Option<&Generated>) -> Result<(), TestCaseError> {
    let known = known(made);
    for (target, mode) in conversions(made.dialect) {
        let case = wirecanon_driver::case(made, &known, target, mode, then);
        judge(&Reference, &case)
            .map_err(|message| TestCaseError::fail(format!("{} {:?}: {message}", made.dialect.name(), made.faults)))?;
    }
    Ok(())
}

proptest! {
    // Every invariant is tested in all conversions of a dialect, a hundred of them, so fewer transcripts do.
    #![proptest_config(config(24))]

    #[test]
    fn the_invariants_hold_for_valid_transcripts(made in strategy::valid()) {
        holds(&made, None)?;
    }

    #[test]
    fn the_invariants_hold_for_broken_transcripts(made in strategy::broken()) {
        holds(&made, None)?;
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_valid_transcript_is_accepted_by_the_judge(made in strategy::valid()) {
        let dialect = made.dialect;
        let fragment = dialect.is_fragment();
        for target in Target::all().iter().filter(|target| target.dialect.name() == dialect.name()) {
            // What its own vendor takes, another server of the dialect need not take.
            let vendor = made.strict && dialect.vendor() == Some(&*target.name);
            let revision = made.revision.is_some_and(|revision| target.name.ends_with(revision.name()));
            if !(vendor || revision || target.is_dialect()) {
                continue;
            }
            let options = CheckOptions { target, mode: Mode::History, fragment, limits: wirecanon_core::json::Limits::default() };
            let text = String::from_utf8_lossy(&made.bytes);
            match check(&made.bytes, &options) {
                Ok(checked) => prop_assert!(
                    checked.violations.is_empty(), "{}: {:#?}\n{text}", target.name, checked.violations),
                Err(error) => prop_assert!(false, "{}: {error}\n{text}", target.name),
            }
        }
    }

    #[test]
    fn the_invariants_hold_for_two_transcripts_end_to_end(
        made in prop_oneof![strategy::pairs(Dialect::Canonical, false), strategy::pairs(Dialect::Canonical, true)]
    ) {
        let (first, second) = &made.made;
        let known = known(first);
        let canonical = Target::by_name("canonical").unwrap();
        let case = wirecanon_driver::case(first, &known, canonical, Mode::Request, Some(second));
        if let Err(message) = judge(&Reference, &case) {
            prop_assert!(false, "{:?} {:?}: {message}", first.faults, second.faults);
        }
    }

    #[test]
    fn any_bytes_are_written_or_refused(input in prop::collection::vec(any::<u8>(), 0..200)) {
        let known = wirecanon_core::invariant::Known { may_refuse: true, ..Default::default() };
        for target in Target::all() {
            let case = Case::bare(&input, wirecanon_core::From::Auto, target, &known);
            if let Err(message) = judge(&Reference, &case) {
                prop_assert!(false, "{message}");
            }
        }
    }
}
