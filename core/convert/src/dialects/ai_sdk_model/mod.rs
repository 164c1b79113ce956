//! `ai-sdk.model`: model messages of the Vercel AI SDK.

pub(crate) mod media;
pub(crate) mod output;
pub(crate) mod read;
pub(crate) mod reasoning;
pub(crate) mod write;
