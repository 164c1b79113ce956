//! `lossless-claw`: stored messages and parts of lossless-claw.

pub(crate) mod metadata;
pub(crate) mod read;
pub(crate) mod write;
