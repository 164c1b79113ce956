//! JSON Schemas of messages, dialect by dialect, and of the formats of wirecanon.
//!
//! [`catalogue`] holds them; [`validate`] applies them, if the feature of this name is on, as it is by default. This crate depends on no other crate of wirecanon.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod catalogue;
pub mod validate;
