//! Settings of requests, in the words of all dialects.

use std::borrow::Cow;

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::observation::{ResponseFormat, Setting, SettingContent, SettingKind, ToolChoice};
use crate::wire::{field, first};

impl<'a> Builder<'a> {
    /// Adds the choice of tools.
    pub(crate) fn tool_choice(&mut self, value: Option<Value<'a>>, choice: impl FnOnce(Value<'a>) -> ToolChoice<'a>) {
        if let Some(value) = value {
            let content = SettingContent::ToolChoice(choice(value));
            self.setting(Setting { kind: SettingKind::ToolChoice, value, content });
        }
    }

    /// Adds the format of the answer.
    pub(crate) fn response_format(
        &mut self,
        value: Option<Value<'a>>,
        format: impl FnOnce(Value<'a>) -> ResponseFormat<'a>,
    ) {
        if let Some(value) = value {
            let content = SettingContent::ResponseFormat(format(value));
            self.setting(Setting { kind: SettingKind::ResponseFormat, value, content });
        }
    }

    /// Adds the flag that says whether the model may call several tools at once. `when` is the value of the flag that allows it.
    pub(crate) fn parallel_calls(&mut self, value: Option<Value<'a>>, when: bool) {
        if let Some((value, flag)) = value.and_then(|value| Some((value, value.as_bool()?))) {
            let content = SettingContent::Flag(flag == when);
            self.setting(Setting { kind: SettingKind::ParallelCalls, value, content });
        }
    }

    /// Adds the settings by which the model draws its answer. A list of no texts is none.
    pub(crate) fn generation(&mut self, holder: Value<'a>, names: Names) {
        for (kind, keys) in names {
            let is_empty = |value: &Value<'a>| value.is_array() && value.items().next().is_none();
            if let Some(value) = first(holder, keys).filter(|value| !is_empty(value)) {
                self.setting(Setting { kind: *kind, value, content: SettingContent::Value });
            }
        }
    }

    /// Adds the fields that say how much the model reasons.
    pub(crate) fn reasoning_settings(&mut self, holder: Value<'a>, fields: &[&str]) {
        for value in fields.iter().filter_map(|key| field(holder, key)) {
            self.setting(Setting { kind: SettingKind::Reasoning, value, content: SettingContent::Other });
        }
    }
}

/// The names of the settings of one dialect; of several names of a setting the first one counts.
pub(crate) type Names = &'static [(SettingKind, &'static [&'static str])];

/// The names in the dialects of Chat Completions.
pub(crate) const OF_CHAT: Names = &[
    (SettingKind::MaxTokens, &["max_completion_tokens", "max_tokens"]),
    (SettingKind::Temperature, &["temperature"]),
    (SettingKind::TopP, &["top_p", "p"]),
    (SettingKind::TopK, &["top_k", "k"]),
    (SettingKind::Stop, &["stop", "stop_sequences"]),
    (SettingKind::Seed, &["seed", "random_seed"]),
    (SettingKind::FrequencyPenalty, &["frequency_penalty"]),
    (SettingKind::PresencePenalty, &["presence_penalty"]),
];

/// The names in camel case, and those of protobuf beside them.
pub(crate) const CAMEL_CASE: Names = &[
    (SettingKind::MaxTokens, &["maxOutputTokens", "max_output_tokens", "maxTokens"]),
    (SettingKind::Temperature, &["temperature"]),
    (SettingKind::TopP, &["topP", "top_p"]),
    (SettingKind::TopK, &["topK", "top_k"]),
    (SettingKind::Stop, &["stopSequences", "stop_sequences"]),
    (SettingKind::Seed, &["seed"]),
    (SettingKind::FrequencyPenalty, &["frequencyPenalty", "frequency_penalty"]),
    (SettingKind::PresencePenalty, &["presencePenalty", "presence_penalty"]),
];

/// The names of Ollama's options.
pub(crate) const OF_OLLAMA: Names = &[
    (SettingKind::MaxTokens, &["num_predict"]),
    (SettingKind::Temperature, &["temperature"]),
    (SettingKind::TopP, &["top_p"]),
    (SettingKind::TopK, &["top_k"]),
    (SettingKind::Stop, &["stop"]),
    (SettingKind::Seed, &["seed"]),
    (SettingKind::FrequencyPenalty, &["frequency_penalty"]),
    (SettingKind::PresencePenalty, &["presence_penalty"]),
];

/// Reads a choice of tools: a word, or an object with a type and the name of a tool.
pub(crate) fn tool_choice(value: Value<'_>) -> ToolChoice<'_> {
    let kind = value.as_str().or_else(|| ["type", "mode"].iter().find_map(|key| field(value, key)?.as_str()));
    match kind.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("auto") => ToolChoice::Auto,
        Some("none") => ToolChoice::None,
        Some("any" | "required") => ToolChoice::Any,
        // The older form has no type.
        None | Some("tool" | "function" | "custom") => {
            let holders = [field(value, "function"), field(value, "custom"), Some(value)];
            let name = holders.into_iter().flatten().find_map(|holder| field(holder, "name")?.as_str());
            name.map_or(ToolChoice::Other, ToolChoice::Tool)
        }
        Some(_) => ToolChoice::Other,
    }
}

/// Reads a format of the answer: a type, and a schema that is there or in an object of one of the names `holders`.
pub(crate) fn response_format<'a>(value: Value<'a>, holders: &[&str]) -> ResponseFormat<'a> {
    let inner = holders.iter().find_map(|key| field(value, key)).unwrap_or(value);
    let schema = ["schema", "schema_definition"].iter().find_map(|key| field(inner, key));
    match field(value, "type").and_then(Value::as_str).as_deref() {
        Some("text") => ResponseFormat::Text,
        Some("json_object") if schema.is_none() => ResponseFormat::Json,
        Some("json_object" | "json_schema") => schema.map_or(ResponseFormat::Other, ResponseFormat::Schema),
        _ => ResponseFormat::Other,
    }
}

/// Reads the settings of chat completions.
pub(crate) fn chat<'a>(builder: &mut Builder<'a>, body: Value<'a>) {
    builder.tool_choice(field(body, "tool_choice").or(field(body, "function_call")), tool_choice);
    builder.parallel_calls(field(body, "parallel_tool_calls"), true);
    builder.response_format(field(body, "response_format"), |value| response_format(value, &["json_schema"]));
    builder.generation(body, OF_CHAT);
    builder.reasoning_settings(body, &["reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"]);
}

/// A name that a setting of one tool has, in the words of all dialects.
pub(crate) fn named(names: &[Cow<'_, str>]) -> ToolChoice<'static> {
    match names {
        [name] => ToolChoice::Tool(Cow::Owned(name.to_string())),
        [] => ToolChoice::Any,
        _ => ToolChoice::Other,
    }
}
