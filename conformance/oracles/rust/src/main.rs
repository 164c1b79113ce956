//! rmcp: the official Rust models of the Model Context Protocol.
#![expect(deprecated, reason = "sampling is deprecated from revision 2026-07-28 on, and still spoken")]

use std::io::{self, BufRead, Write};

use rmcp::model::{CallToolResult, CreateMessageRequestParams, GetPromptResult, PromptMessage, SamplingMessage};
use serde::Deserialize;
use serde_json::value::RawValue;

/// What of a record is needed here.
#[derive(Deserialize)]
struct Record {
    id: String,
    dialect: String,
    message: Option<Box<RawValue>>,
    document: Option<Box<RawValue>>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let record: Record = serde_json::from_str(&line?)?;
        let text = record.message.as_ref().or(record.document.as_ref()).map_or("", |raw| raw.get());
        let refused = match (&*record.dialect, record.message.is_some()) {
            ("mcp.tool-result", _) => serde_json::from_str::<CallToolResult>(text).err(),
            ("mcp.prompt", true) => serde_json::from_str::<PromptMessage>(text).err(),
            ("mcp.prompt", false) => serde_json::from_str::<GetPromptResult>(text).err(),
            ("mcp.sampling", true) => serde_json::from_str::<SamplingMessage>(text).err(),
            ("mcp.sampling", false) => serde_json::from_str::<CreateMessageRequestParams>(text).err(),
            (other, _) => return Err(format!("rmcp does not judge {other}").into()),
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
