//! `mistral.chat`: `messages` of the Mistral chat API.

pub(crate) mod read;
pub(crate) mod write;
