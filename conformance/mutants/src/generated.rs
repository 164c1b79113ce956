//! What generated transcripts alone catch: valid ones, broken ones and pairs, by every invariant.
//!
//! One run is one transcript and one conversion of it, drawn from bytes as the fuzzer draws them.

use arbitrary::Unstructured;
use wirecanon_core::invariant::{self, Case, Invariant, Verdict, Violation};
use wirecanon_core::normalizer::{Normalizer, Reference};
use wirecanon_core::{Dialect, Target};
use wirecanon_generate::{self as generate, noise};

/// Runs after which a mutant counts as not caught.
pub const RUNS: u32 = 20_000;

/// The seed of the runs.
pub const SEED: u64 = 1;

/// A run that a program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Which run it is, from one
    pub run: u32,
    /// Ids of the invariants that it breaks there
    pub invariants: Vec<&'static str>,
    /// What the first of them says
    pub message: String,
}

/// Looks for the first run in which `program` breaks `invariant`, where the reference keeps it; any invariant if none is
/// asked for.
pub fn search(program: &dyn Normalizer, invariant: Option<&str>, seed: u64, runs: u32) -> Option<Caught> {
    (1..=runs).find_map(|run| one(program, invariant, seed, run))
}

/// One run; what is broken in it by the program and not by the reference, if the invariant that is asked for is.
fn one(program: &dyn Normalizer, asked: Option<&str>, seed: u64, run: u32) -> Option<Caught> {
    let size = 40 + usize::try_from(run).unwrap_or(0) * 37 % 1500;
    let bytes = noise(seed.wrapping_mul(0x9E37_79B9).wrapping_add(u64::from(run)), size);
    let u = &mut Unstructured::new(&bytes);
    let dialect = *u.choose(&generate::Dialect::ALL).unwrap_or(&generate::Dialect::Canonical);
    let conversions: Vec<_> = wirecanon_driver::conversions(dialect).collect();
    let (mut target, mode) = *u.choose(&conversions).ok()?;
    let shape: u8 = u.arbitrary().unwrap_or(0);
    // One in four goes home, where the least may change.
    if shape & 0b1_1000 == 0 {
        target = Dialect::by_name(dialect.name()).map_or(target, Target::of_dialect);
    }
    let (made, then) = wirecanon_driver::drawn(u, dialect, shape);
    let known = wirecanon_driver::known(&made);
    let case = wirecanon_driver::case(&made, &known, target, mode, then.as_ref());
    let invariants = || invariant::ALL.iter().filter(|own| asked.is_none_or(|asked| asked == own.id));
    let broken: Vec<_> = invariants().filter_map(|own| violation(own, program, &case)).collect();
    let message = broken.first()?.message.clone();
    Some(Caught { run, invariants: broken.into_iter().map(|violation| violation.invariant).collect(), message })
}

/// What the program breaks of an invariant that the reference keeps.
fn violation(invariant: &Invariant, program: &dyn Normalizer, case: &Case<'_>) -> Option<Box<Violation>> {
    let Verdict::Violated(violation) = (invariant.check)(program, case) else { return None };
    let right = !matches!((invariant.check)(&Reference, case), Verdict::Violated(_));
    right.then_some(violation)
}
