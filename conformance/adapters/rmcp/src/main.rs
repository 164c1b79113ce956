//! rmcp, the Rust SDK of the Model Context Protocol: results of tools and prompts through its types.

#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use rmcp::model::{CallToolResult, GetPromptResult};
use wirecanon_testee::{Answer, Testee};

fn main() {
    let mut testee = Testee::new("rmcp", "3.11.0");
    testee.converts("mcp.tool-result", "mcp.tool-result", &[], |text| {
        Answer::of(serde_json::from_str::<CallToolResult>(text))
    });
    testee.converts("mcp.prompt", "mcp.prompt", &[], |text| Answer::of(serde_json::from_str::<GetPromptResult>(text)));
    testee.run();
}
