//! Findings as pages: one for each adapter, and an index of them.

pub mod index;
mod neat;
pub mod page;
