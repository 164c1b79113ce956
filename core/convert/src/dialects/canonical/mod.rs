//! `canonical`: this project's own, see SPEC.md part 2.

pub(crate) mod read;
pub(crate) mod write;
