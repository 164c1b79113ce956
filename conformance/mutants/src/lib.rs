//! Planted mistakes: the reference with one thing wrong, as a real program had it wrong.
//!
//! A harness that finds nothing proves nothing, unless it is known to find what is there. Each mutant here is the
//! reference's own tables of steps with an entry left out, replaced or followed by a mistake, and cites the public report of
//! a program that made it. The [corpus] alone and the [generated] transcripts alone are each measured by how many they
//! catch; `cargo xtask mutants` prints the [table](page).
//!
//! A new mutant is a row of its class's file in `table`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod corpus;
pub mod generated;
mod mutant;
pub mod page;
mod table;
mod walk;

pub use mutant::Mutant;

/// Every mutant, by class.
pub fn all() -> impl Iterator<Item = &'static Mutant> {
    table::CLASSES.iter().copied().flatten()
}

/// The mutant with this id.
pub fn by_id(id: &str) -> Option<&'static Mutant> {
    all().find(|mutant| mutant.id == id)
}
