//! `cohere.v2`: `messages` of the Cohere v2 chat API.

pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod write;
