//! `openai.responses`: `input` items of the OpenAI Responses API.

pub(crate) mod elsewhere;
pub(crate) mod message;
pub(crate) mod part;
pub(crate) mod read;
pub(crate) mod reasoning;
pub(crate) mod shell;
pub(crate) mod stream;
pub(crate) mod turns;
pub(crate) mod write;
