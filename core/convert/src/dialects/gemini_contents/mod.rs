//! `gemini.contents`: `contents` of the Google Gemini API.

pub(crate) mod call;
pub(crate) mod pair;
pub(crate) mod part;
pub(crate) mod read;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod write;
