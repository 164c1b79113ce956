//! `openclaw`: agent messages of the OpenClaw and pi-ai lineage.

pub(crate) mod lineage;
pub(crate) mod read;
pub(crate) mod write;
