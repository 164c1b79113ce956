//! rmcp, the Rust SDK of the Model Context Protocol: results of tools and prompts through its types.

#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use rmcp::model::{CallToolResult, GetPromptResult, JsonRpcResponse, PromptMessage};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use wirecanon_testee::{Answer, Testee};

fn main() {
    let mut testee = Testee::new("rmcp", "3.11.0");
    testee.converts("mcp.tool-result", "mcp.tool-result", &[], result::<CallToolResult>);
    testee.converts("mcp.prompt", "mcp.prompt", &[], |text| match text.trim_start().starts_with('[') {
        true => typed::<Vec<PromptMessage>>(text),
        false => result::<GetPromptResult>(text),
    });
    testee.run();
}

/// Reads and writes a result, alone or in its JSON-RPC response, the variant of `ServerJsonRpcMessage` that has results.
fn result<T: Serialize + DeserializeOwned>(text: &str) -> Answer {
    let document = serde_json::from_str::<Value>(text);
    match document.is_ok_and(|document| document.get("jsonrpc").is_some()) {
        true => typed::<JsonRpcResponse<T>>(text),
        false => typed::<T>(text),
    }
}

fn typed<T: Serialize + DeserializeOwned>(text: &str) -> Answer {
    serde_json::from_str::<T>(text).map_or_else(refused, |value| Answer::of(Ok::<_, serde_json::Error>(value)))
}

fn refused(error: serde_json::Error) -> Answer {
    let why = error.to_string();
    let code = match error.is_data() {
        // rmcp's own check, on a result that its type could hold.
        true if why.contains("resultType") => "other",
        true => "unrepresentable-input",
        false if why.contains("recursion limit exceeded") => "limit",
        false => "other",
    };
    Answer::Refused(code, why)
}
