//! Signs of a dialect on a request body, beside its messages: tool definitions, the tool choice, configuration keys and the
//! name of the model.

use crate::read::definitions::{ToolShape, items, shape};
use wirecanon_json::Value;
use wirecanon_model::Dialect;

/// One sign on a document, and every dialect whose requests show it.
#[derive(Clone, Copy)]
pub(crate) struct BodySign {
    pub(crate) dialects: &'static [Dialect],
    pub(crate) weight: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tools,
    ToolChoice,
    System,
    Key,
    Model,
}

impl Kind {
    /// The sign, as a note names it.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Tools => "the shape of its tool definitions",
            Self::ToolChoice => "its tool choice",
            Self::System => "its instructions beside the messages",
            Self::Key => "the keys of its request body",
            Self::Model => "the name of its model",
        }
    }
}

/// The shape of tool definitions: it outweighs the spelling of single blocks, which histories mix.
const TOOLS: usize = 10;

/// The tool choice.
const CHOICE: usize = 3;

/// A key that only some APIs have, or a value under it that only some have.
const KEY: usize = 3;

/// A key that one API alone has.
const OWN_KEY: usize = 5;

/// The weight of all keys together is limited to this.
pub(crate) const ALL_KEYS: usize = 8;

/// The name of a model with its vendor in front, as gateways have it.
const GATEWAY_MODEL: usize = 3;

/// The name of a model: gateways take any model in a dialect of their own.
const MODEL: usize = 2;

/// The name of a model of which the vendor is not known.
const OTHER_MODEL: usize = 1;

/// A request without a model or a limit of tokens, which Anthropic's API requires.
const UNLIMITED: usize = 2;

/// Instructions beside the list of messages.
const SYSTEM: usize = 8;

use Dialect::{
    AiSdkModel, AiSdkUi, AnthropicMessages as Anthropic, BedrockConverse as Bedrock, Canonical, CohereV2 as Cohere,
    GeminiContents as Gemini, LangChain, McpSampling, MistralChat as Mistral, OllamaChat as Ollama, OpenAiChat as Chat,
    OpenAiResponses as Responses, OpenClaw,
};

/// Dialects that define functions inside `function`.
const NESTED: &[Dialect] = &[Chat, Mistral, Cohere, Ollama, LangChain];

/// Dialects that define functions by a name and `parameters`.
const FLAT: &[Dialect] = &[Canonical, OpenClaw, AiSdkModel, AiSdkUi];

/// Keys of request bodies, and the dialects that have them. A key that all of them have, or that many servers add to the dialect
/// of another, says nothing and is left out. Sources: the API references of the providers.
const KEYS: &[(&str, &[Dialect])] = &[
    ("stop_sequences", &[Anthropic, Cohere]),
    ("anthropic_version", &[Anthropic]),
    ("anthropic_beta", &[Anthropic]),
    ("mcp_servers", &[Anthropic]),
    ("context_management", &[Anthropic, Responses]),
    ("output_config", &[Anthropic]),
    ("output_format", &[Anthropic]),
    ("container", &[Anthropic]),
    ("frequency_penalty", &[Chat, Mistral, Cohere, Ollama]),
    ("presence_penalty", &[Chat, Mistral, Cohere, Ollama]),
    ("response_format", &[Chat, Mistral, Cohere]),
    ("seed", &[Chat, Cohere, Ollama, Mistral]),
    ("stop", &[Chat, Mistral, Ollama]),
    ("n", &[Chat, Mistral]),
    ("parallel_tool_calls", &[Chat, Mistral, Responses]),
    ("prediction", &[Chat, Mistral]),
    ("reasoning_effort", &[Chat, Mistral]),
    ("max_completion_tokens", &[Chat]),
    ("logit_bias", &[Chat]),
    ("logprobs", &[Chat, Cohere, Ollama]),
    ("top_logprobs", &[Chat, Ollama, Responses]),
    ("modalities", &[Chat]),
    ("audio", &[Chat]),
    ("functions", &[Chat]),
    ("function_call", &[Chat]),
    ("stream_options", &[Chat, Mistral, Responses]),
    ("store", &[Chat, Responses]),
    ("user", &[Chat, Responses]),
    ("verbosity", &[Chat]),
    ("web_search_options", &[Chat]),
    ("safety_identifier", &[Chat, Responses]),
    ("prompt_cache_key", &[Chat, Responses, Mistral]),
    ("prompt_cache_retention", &[Chat, Responses]),
    ("reasoning", &[Chat, Responses]),
    ("enable_thinking", &[Chat]),
    ("chat_template_kwargs", &[Chat]),
    ("min_p", &[Chat]),
    ("repetition_penalty", &[Chat]),
    ("plugins", &[Chat]),
    ("transforms", &[Chat]),
    ("models", &[Chat]),
    ("search_parameters", &[Chat]),
    ("random_seed", &[Mistral]),
    ("safe_prompt", &[Mistral]),
    ("prompt_mode", &[Mistral]),
    ("guardrails", &[Mistral]),
    ("citation_options", &[Cohere]),
    ("strict_tools", &[Cohere]),
    ("safety_mode", &[Cohere]),
    ("documents", &[Cohere, Chat]),
    ("raw_prompting", &[Cohere]),
    ("k", &[Cohere]),
    ("p", &[Cohere]),
    ("keep_alive", &[Ollama]),
    ("options", &[Ollama]),
    ("think", &[Ollama]),
    ("format", &[Ollama]),
    ("modelId", &[Bedrock]),
    ("inferenceConfig", &[Bedrock]),
    ("toolConfig", &[Bedrock, Gemini]),
    ("guardrailConfig", &[Bedrock]),
    ("additionalModelRequestFields", &[Bedrock]),
    ("additionalModelResponseFieldPaths", &[Bedrock]),
    ("performanceConfig", &[Bedrock]),
    ("promptVariables", &[Bedrock]),
    ("requestMetadata", &[Bedrock]),
    ("generationConfig", &[Gemini]),
    ("safetySettings", &[Gemini]),
    ("systemInstruction", &[Gemini]),
    ("cachedContent", &[Gemini]),
    ("instructions", &[Responses]),
    ("previous_response_id", &[Responses]),
];

/// How the names of models begin, and the dialects in which their vendors serve them.
const MODELS: &[(&str, &[Dialect])] = &[
    ("claude-", &[Anthropic]),
    ("mistral-", &[Mistral]),
    ("ministral-", &[Mistral]),
    ("magistral-", &[Mistral]),
    ("codestral-", &[Mistral]),
    ("devstral-", &[Mistral]),
    ("pixtral-", &[Mistral]),
    ("voxtral-", &[Mistral]),
    ("open-mistral-", &[Mistral]),
    ("open-mixtral-", &[Mistral]),
    ("command-", &[Cohere]),
    ("c4ai-", &[Cohere]),
    ("gpt-", &[Chat, Responses]),
    ("chatgpt-", &[Chat, Responses]),
    ("codex-", &[Chat, Responses]),
    ("o1", &[Chat, Responses]),
    ("o3", &[Chat, Responses]),
    ("o4-", &[Chat, Responses]),
    ("gemini-", &[Chat, Gemini]),
    ("gemma", &[Chat, Gemini]),
];

/// Returns every sign that a document shows.
pub(crate) fn signs(root: Value<'_>) -> Vec<BodySign> {
    let mut found = Vec::new();
    if !root.is_object() {
        return found;
    }
    let mut add = |kind, weight, dialects: &'static [Dialect]| found.push(BodySign { dialects, weight, kind });
    let mut shapes: Vec<&'static [Dialect]> = Vec::new();
    for dialects in tools(root) {
        if !shapes.contains(&dialects) {
            shapes.push(dialects);
            add(Kind::Tools, TOOLS, dialects);
        }
    }
    if let Some(dialects) = root.get("tool_choice").and_then(tool_choice) {
        add(Kind::ToolChoice, CHOICE, dialects);
    }
    let (mut is_limited, mut is_request) = (false, false);
    for (key, value) in root.members() {
        let Some(name) = key.as_str().filter(|_| !value.is_null()) else { continue };
        is_limited |= matches!(&*name, "max_tokens" | "max_completion_tokens");
        is_request |= matches!(&*name, "model" | "stream" | "temperature" | "top_p" | "max_tokens");
        match &*name {
            "system" => {
                if let Some(dialects) = system(value) {
                    add(Kind::System, SYSTEM, dialects);
                }
            }
            "thinking" if value.get("budget_tokens").is_some() => add(Kind::Key, KEY, &[Anthropic, Chat]),
            _ => {
                if let Some((_, dialects)) = KEYS.iter().find(|(known, _)| *known == name) {
                    add(Kind::Key, if dialects.len() == 1 { OWN_KEY } else { KEY }, dialects);
                }
            }
        }
    }
    let has = |key: &str| root.get(key).is_some_and(|value| !value.is_null());
    if has("messages") {
        let may_be_anthropic = !is_request || is_limited && (has("model") || has("anthropic_version"));
        if let Some(name) = root.get("model").and_then(Value::as_str) {
            let (weight, dialects) = model(&name);
            if may_be_anthropic || !dialects.contains(&Anthropic) {
                add(Kind::Model, weight, dialects);
            }
        }
        if !may_be_anthropic {
            add(Kind::Model, UNLIMITED, &[Chat, Mistral, Cohere, Ollama]);
        }
    }
    found
}

/// The dialects of each tool definition that only some dialects spell so.
fn tools(root: Value<'_>) -> impl Iterator<Item = &'static [Dialect]> {
    let list = root.get("tools").into_iter().flat_map(items);
    let nested = root.get("toolConfig").and_then(|config| config.get("tools")).into_iter().flat_map(items);
    // The documents of programs name no model: a body with one is a request to a provider.
    let is_request = root.get("model").is_some_and(|model| model.as_str().is_some_and(|name| !name.is_empty()));
    list.chain(nested).take(MOST_TOOLS).filter_map(move |item| {
        Some(match shape(item) {
            ToolShape::Nested => NESTED,
            ToolShape::InputSchema => &[Anthropic],
            ToolShape::Declarations => &[Gemini],
            ToolShape::ToolSpec => &[Bedrock],
            ToolShape::Typed => &[Responses],
            ToolShape::Flat | ToolShape::CamelCase if is_request => return None,
            ToolShape::Flat => FLAT,
            ToolShape::CamelCase => &[McpSampling, AiSdkModel, AiSdkUi],
            ToolShape::ProviderRun if is_dated(item) => &[Anthropic],
            ToolShape::ProviderRun | ToolShape::Unknown => return None,
        })
    })
}

/// Tool definitions that are looked at.
const MOST_TOOLS: usize = 64;

/// Returns true for a tool of Anthropic's, whose type ends in a date.
fn is_dated(item: Value<'_>) -> bool {
    item.get("type").and_then(Value::as_str).is_some_and(|kind| {
        kind.rsplit_once('_').is_some_and(|(_, date)| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

fn tool_choice(choice: Value<'_>) -> Option<&'static [Dialect]> {
    if let Some(name) = choice.as_str() {
        return match &*name {
            "any" => Some(&[Mistral]),
            "REQUIRED" | "NONE" => Some(&[Cohere]),
            "auto" | "none" | "required" => Some(&[Chat, Mistral, Responses, Ollama]),
            _ => None,
        };
    }
    let kind = choice.get("type")?.as_str()?;
    match &*kind {
        "auto" | "any" | "tool" | "none" => Some(&[Anthropic]),
        "function" if choice.get("function").is_some() => Some(&[Chat, Mistral, Ollama]),
        "function" => Some(&[Responses]),
        _ => None,
    }
}

/// Instructions beside the list: Bedrock's blocks have no type.
fn system(value: Value<'_>) -> Option<&'static [Dialect]> {
    let Some(first) = value.items().next() else {
        return value.as_str().filter(|text| !text.is_empty()).map(|_| &[Anthropic][..]);
    };
    Some(if first.get("type").is_none() && first.is_object() { &[Bedrock] } else { &[Anthropic] })
}

fn model(name: &str) -> (usize, &'static [Dialect]) {
    if name.contains('/') {
        return (GATEWAY_MODEL, &[Chat]);
    }
    // A tag behind the name is that of a local server.
    if name.contains(':') {
        return (MODEL, &[Chat, Ollama]);
    }
    let name = name.to_ascii_lowercase();
    if name.contains("anthropic.claude") {
        return (MODEL, &[Anthropic, Bedrock]);
    }
    let known = MODELS.iter().find(|(start, _)| name.starts_with(start));
    known.map_or((OTHER_MODEL, &[Chat]), |(_, dialects)| (MODEL, *dialects))
}
