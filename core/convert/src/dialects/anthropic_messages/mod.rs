//! `anthropic.messages`: `messages` of the Anthropic Messages API.

pub(crate) mod chunks;
pub(crate) mod item;
pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod write;
