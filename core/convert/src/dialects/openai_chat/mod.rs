//! `openai.chat`: `messages` of the OpenAI Chat Completions API.

pub(crate) mod common;
pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod write;
