//! Definitions of tools, as the dialects of chat completions and of messages have them.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::observation::{Setting, SettingKind, Tool};
use crate::unreadable::Read;
use crate::wire::{array, field, first, must_be_object, object, required, required_object, string};

/// Reads `tools` of the form `{"type": "function", "function": {"name", "description", "parameters"}}`.
pub(crate) fn functions<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    for tool in array(body, "tools")? {
        must_be_object(tool, "a tool")?;
        let kind = string(tool, "type")?;
        match kind {
            Some(kind) if kind == "custom" => {
                let holder = object(tool, "custom")?.unwrap_or(tool);
                builder.tool(Tool {
                    name: required(holder, "name")?,
                    description: string(holder, "description")?,
                    schema: None,
                    provider_type: None,
                    place: tool,
                });
            }
            Some(kind) if kind != "function" => builder.tool(Tool {
                name: string(tool, "name")?.unwrap_or_else(|| kind.clone()),
                description: None,
                schema: None,
                provider_type: Some(kind),
                place: tool,
            }),
            _ => {
                let function = required_object(tool, "function")?;
                builder.tool(described(function, tool, &["parameters"])?);
            }
        }
    }
    settings(builder, body, "tool_choice", "response_format");
    Ok(())
}

/// Reads the name, the description and the schema of a tool.
pub(crate) fn described<'a>(holder: Value<'a>, place: Value<'a>, schema: &[&str]) -> Read<Tool<'a>> {
    Ok(Tool {
        name: required(holder, "name")?,
        description: string(holder, "description")?,
        schema: first(holder, schema),
        provider_type: None,
        place,
    })
}

/// Reads a tool that is not wrapped. One of a type of its own belongs to a provider.
pub(crate) fn listed<'a>(tool: Value<'a>, schema: &[&str]) -> Read<Tool<'a>> {
    let mut listed = described(tool, tool, schema)?;
    listed.provider_type = string(tool, "type")?.filter(|kind| kind != "function" && kind != "custom");
    Ok(listed)
}

/// Reads the settings of a request.
pub(crate) fn settings<'a>(builder: &mut Builder<'a>, body: Value<'a>, choice: &str, format: &str) {
    for (kind, key) in [(SettingKind::ToolChoice, choice), (SettingKind::ResponseFormat, format)] {
        if let Some(value) = field(body, key) {
            builder.setting(Setting { kind, value });
        }
    }
}

/// Reads `tools` of the form `{"name", "description", "parameters"}`.
pub(crate) fn flat<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    for tool in array(body, "tools")? {
        must_be_object(tool, "a tool")?;
        builder.tool(listed(tool, &["parameters", "inputSchema"])?);
    }
    Ok(())
}
