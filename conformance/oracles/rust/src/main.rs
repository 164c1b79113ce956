//! rmcp: the official Rust models of the Model Context Protocol.

use std::io::{self, BufRead, Write};

use rmcp::model::{CallToolResult, CreateMessageRequestParams, GetPromptResult};
use serde::Deserialize;
use serde_json::value::RawValue;

/// What of a record is needed here.
#[derive(Deserialize)]
struct Record {
    id: String,
    dialect: String,
    message: Box<RawValue>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let record: Record = serde_json::from_str(&line?)?;
        let text = record.message.get();
        let refused = match &*record.dialect {
            "mcp.tool-result" => serde_json::from_str::<CallToolResult>(text).err(),
            "mcp.prompt" => serde_json::from_str::<GetPromptResult>(text).err(),
            "mcp.sampling" => serde_json::from_str::<CreateMessageRequestParams>(text).err(),
            other => return Err(format!("rmcp does not judge {other}").into()),
        };
        let verdict = match refused {
            None => serde_json::json!({"id": record.id, "oracle": "rmcp", "verdict": "accept"}),
            Some(error) => {
                serde_json::json!({"id": record.id, "oracle": "rmcp", "verdict": "reject", "message": error.to_string()})
            }
        };
        writeln!(out, "{verdict}")?;
    }
    Ok(())
}
