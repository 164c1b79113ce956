//! `mcp.tool-result`: a `CallToolResult` of the Model Context Protocol.

pub(crate) mod block;
pub(crate) mod content;
pub(crate) mod read;
pub(crate) mod write;
pub(crate) mod write_content;
