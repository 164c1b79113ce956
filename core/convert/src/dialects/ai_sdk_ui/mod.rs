//! `ai-sdk.ui`: UI messages of the Vercel AI SDK.

pub(crate) mod attachment;
pub(crate) mod chunk;
pub(crate) mod invocation;
pub(crate) mod read;
pub(crate) mod write;
