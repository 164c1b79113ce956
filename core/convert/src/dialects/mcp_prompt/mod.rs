//! `mcp.prompt`: a `GetPromptResult` of the Model Context Protocol.

pub(crate) mod read;
pub(crate) mod write;
