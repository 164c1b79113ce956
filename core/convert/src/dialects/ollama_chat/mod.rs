//! `ollama.chat`: `messages` of Ollama's own chat API.

pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod write;
