//! Definitions of tools, as the dialects of chat completions and of messages have them.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::observation::Tool;
use crate::settings;
use crate::unreadable::Read;
use crate::wire::{field, first, must_be_object, object, required, required_object, string};

/// Reads `tools` and settings of chat completions: `tools` are of the form `{"type": "function", "function": {"name", "description", "parameters"}}`.
pub(crate) fn functions<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    for tool in builder.definitions(body, "tools")? {
        must_be_object(tool, "a tool")?;
        let kind = string(tool, "type")?;
        match kind {
            Some(kind) if kind == "custom" => {
                let holder = object(tool, "custom")?.unwrap_or(tool);
                builder.tool(Tool { is_custom: true, ..described(holder, tool, &[])? });
            }
            // A function is one, whatever its type says.
            Some(kind) if kind != "function" && object(tool, "function")?.is_none() => {
                let name = string(tool, "name")?.unwrap_or_else(|| kind.clone());
                builder.tool(Tool { name, ..of_provider(kind, tool) });
            }
            _ => {
                let function = required_object(tool, "function")?;
                builder.tool(described(function, tool, &["parameters"])?);
            }
        }
    }
    settings::chat(builder, body);
    Ok(())
}

/// Reads the name, the description and the schema of a tool.
pub(crate) fn described<'a>(holder: Value<'a>, place: Value<'a>, schema: &[&str]) -> Read<Tool<'a>> {
    Ok(Tool {
        name: required(holder, "name")?,
        description: string(holder, "description")?,
        schema: first(holder, schema),
        provider_type: None,
        is_custom: false,
        fields: holder,
        place,
    })
}

/// A tool that only one provider knows, by its type alone.
pub(crate) fn of_provider<'a>(kind: impl Into<Cow<'a, str>>, fields: Value<'a>) -> Tool<'a> {
    let kind = kind.into();
    Tool {
        name: kind.clone(),
        description: None,
        schema: None,
        provider_type: Some(kind),
        is_custom: false,
        fields,
        place: fields,
    }
}

/// Reads a tool that is not wrapped. One of a type of its own belongs to a provider.
fn listed<'a>(tool: Value<'a>, schema: &[&str]) -> Read<Tool<'a>> {
    let mut listed = described(tool, tool, schema)?;
    listed.provider_type = string(tool, "type")?.filter(|kind| kind != "function" && kind != "custom");
    Ok(listed)
}

/// Reads `tools` of the form `{"name", "description"}` with a schema, also as providers have them.
pub(crate) fn flat<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    for tool in builder.definitions(body, "tools")? {
        must_be_object(tool, "a tool")?;
        builder.tool(of_program(tool)?);
    }
    Ok(())
}

/// Reads a tool as programs have it, which keep the definitions of the provider that they speak to.
fn of_program(tool: Value<'_>) -> Read<Tool<'_>> {
    let keys = ["parameters", "inputSchema", "input_schema", "parametersJsonSchema"];
    match object(tool, "function")? {
        Some(function) => described(function, tool, &keys),
        None => listed(tool, &keys),
    }
}

/// Reads `toolSpec` of Bedrock.
pub(crate) fn of_spec<'a>(spec: Value<'a>, place: Value<'a>) -> Read<Tool<'a>> {
    let schema = object(spec, "inputSchema")?.and_then(|schema| field(schema, "json"));
    Ok(Tool { schema, ..described(spec, place, &[])? })
}

/// Reads the definitions of functions that stand where another dialect has them: nobody there asks for them, and whoever wrote the
/// document meant them. What cannot be read there is no definition.
pub(crate) fn elsewhere<'a>(builder: &mut Builder<'a>, body: Value<'a>, dialect: Dialect) {
    let nested = field(body, "toolConfig").and_then(|config| field(config, "tools"));
    let places = [
        field(body, "tools").filter(|_| dialect == Dialect::BedrockConverse),
        nested.filter(|_| dialect != Dialect::BedrockConverse),
        field(body, "functions").filter(|_| dialect != Dialect::OpenAiChat),
    ];
    for item in places.into_iter().flatten().filter(|list| list.is_array()).flat_map(Value::items) {
        let declared = ["functionDeclarations", "function_declarations"].iter().find_map(|key| field(item, key));
        let definitions: Vec<_> = match declared {
            Some(list) => list.items().collect(),
            None => vec![item],
        };
        for definition in definitions {
            let read = match object(definition, "toolSpec") {
                Ok(Some(spec)) => of_spec(spec, definition),
                Ok(None) => of_program(definition),
                Err(error) => Err(error),
            };
            if let Some(tool) = read.ok().filter(|tool| tool.provider_type.is_none()) {
                builder.tool(tool);
            }
        }
    }
}
