//! The mutants: one file a class of mistakes.

mod arguments;
mod blocks;
mod content;
mod encoding;
mod errors;
mod ids;
mod media;
mod names;
mod pairing;
mod reasoning;
mod results;

use crate::mutant::Mutant;

/// Every class.
pub(crate) static CLASSES: &[&[Mutant]] = &[
    arguments::MUTANTS,
    ids::MUTANTS,
    names::MUTANTS,
    pairing::MUTANTS,
    results::MUTANTS,
    media::MUTANTS,
    blocks::MUTANTS,
    content::MUTANTS,
    errors::MUTANTS,
    reasoning::MUTANTS,
    encoding::MUTANTS,
];
