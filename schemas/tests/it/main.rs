//! Integration tests, in one program: a module for each topic.

mod fields;
mod framework_shapes;
mod mcp_shapes;
mod provider_messages;
