//! `openviking`: messages of typed parts, as OpenViking stores them.

pub(crate) mod read;
pub(crate) mod write;
