//! Which changes of core does no test notice? All changes that cargo-mutants makes stand in one build, each behind a switch;
//! the tests run once for each. `ci/cargo-mutants.sh` calls this.

pub mod build;
pub mod guard;
pub mod known;
pub mod mutant;
pub mod trial;
