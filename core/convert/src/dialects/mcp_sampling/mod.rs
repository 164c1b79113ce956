//! `mcp.sampling`: the parameters of a `CreateMessageRequest` of the Model Context Protocol.

pub(crate) mod read;
pub(crate) mod write;
