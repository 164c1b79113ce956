//! JSON Schemas of messages, dialect by dialect, and of the formats of wirecanon.
//!
//! [`catalogue`] holds them; `validate` (a feature, on by default) applies them. This crate depends on no other crate of wirecanon.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod catalogue;
#[cfg(feature = "validate")]
pub mod validate;
