//! Comparison of the settings of two requests.

use hashbrown::HashMap;
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::schema::schema_mismatch;
use super::value::is_equal;
use super::{Comparison, short};
use crate::equivalence::Equivalence;
use crate::observation::{Observation, ResponseFormat, Setting, SettingContent, SettingKind, ToolChoice};
use crate::reason::Reason;

/// Compares the settings of two requests. `names` are the tools that have another name in the answer.
pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    names: &HashMap<String, String>,
    comparison: &mut Comparison,
) {
    let is_own = expected.dialect == answer.dialect;
    for kind in SettingKind::ALL.iter().copied() {
        let mut others = answer.settings.iter().filter(|other| other.kind == kind);
        for setting in expected.settings.iter().filter(|setting| setting.kind == kind) {
            let other = others.next();
            if !is_own && !has_setting(answer.dialect, setting) {
                comparison.uses(Equivalence::Settings);
                continue;
            }
            let is_default = is_default(setting);
            match other {
                None if is_default => {}
                Some(other) if is_same((setting, expected.dialect), (other, answer.dialect), names) => {}
                None => {
                    let detail = format!("{} {} is missing", kind.name(), short(setting.value));
                    comparison.add(Reason::AttributeMissing, Some(setting.value), Some(answer.root), detail);
                }
                Some(other) => {
                    let values = (short(setting.value), short(other.value));
                    let detail = format!("expected {} {}, got {}", kind.name(), values.0, values.1);
                    comparison.add(Reason::AttributeChanged, Some(setting.value), Some(other.value), detail);
                }
            }
        }
        // Servers that demand a limit get one.
        let is_free = |other: &Setting<'_>| {
            matches!(other.content, SettingContent::Other) || other.kind == SettingKind::MaxTokens
        };
        let is_invented = |other: &&Setting<'_>| !is_default(other) && (is_own || !is_free(other));
        for other in others.filter(is_invented) {
            let detail = format!("{} {} is not expected", kind.name(), short(other.value));
            comparison.add(Reason::AttributeChanged, None, Some(other.value), detail);
        }
    }
}

/// Returns whether a setting says what its absence says, too.
fn is_default(setting: &Setting<'_>) -> bool {
    matches!(
        setting.content,
        SettingContent::ToolChoice(ToolChoice::Auto)
            | SettingContent::ResponseFormat(ResponseFormat::Text)
            | SettingContent::Flag(true)
    )
}

fn is_same(
    (setting, from): (&Setting<'_>, Dialect),
    (other, to): (&Setting<'_>, Dialect),
    names: &HashMap<String, String>,
) -> bool {
    let is_format = matches!(setting.content, SettingContent::ResponseFormat(_));
    if is_format && from == to {
        return is_equal(setting.value, other.value)
            // Gemini's types are spelled in two ways.
            || from == Dialect::GeminiContents && is_same_format(setting, other, from, to);
    }
    match (&setting.content, &other.content) {
        (SettingContent::ToolChoice(ToolChoice::Other), SettingContent::ToolChoice(ToolChoice::Other))
        | (SettingContent::Other, SettingContent::Other) => is_equal(setting.value, other.value),
        (SettingContent::ToolChoice(ToolChoice::Tool(name)), SettingContent::ToolChoice(ToolChoice::Tool(other))) => {
            names.get(&**name).map_or(&**name, String::as_str) == other
        }
        (SettingContent::ToolChoice(choice), SettingContent::ToolChoice(other)) => choice == other,
        (SettingContent::ResponseFormat(_), SettingContent::ResponseFormat(_)) => {
            is_same_format(setting, other, from, to)
        }
        (SettingContent::Flag(flag), SettingContent::Flag(other)) => flag == other,
        // One text may be in a list.
        (SettingContent::Value, SettingContent::Value) => {
            let (values, others) = (values(setting), values(other));
            values.len() == others.len() && values.iter().zip(&others).all(|(value, other)| is_equal(*value, *other))
        }
        _ => false,
    }
}

fn is_same_format(setting: &Setting<'_>, other: &Setting<'_>, from: Dialect, to: Dialect) -> bool {
    let (SettingContent::ResponseFormat(format), SettingContent::ResponseFormat(other)) =
        (&setting.content, &other.content)
    else {
        return false;
    };
    match (format, other) {
        (ResponseFormat::Schema(a), ResponseFormat::Schema(b)) => schema_mismatch((*a, from), (*b, to)).is_none(),
        (ResponseFormat::Text, ResponseFormat::Text) | (ResponseFormat::Json, ResponseFormat::Json) => true,
        _ => false,
    }
}

/// Returns whether requests of another dialect have a setting of this value.
fn has_setting(dialect: Dialect, setting: &Setting<'_>) -> bool {
    let has_choice = |choice: &ToolChoice<'_>| match dialect {
        Dialect::AnthropicMessages
        | Dialect::OpenAiChat
        | Dialect::OpenAiResponses
        | Dialect::GeminiContents
        | Dialect::MistralChat => true,
        Dialect::BedrockConverse => *choice != ToolChoice::None,
        Dialect::CohereV2 | Dialect::McpSampling => !matches!(choice, ToolChoice::Tool(_)),
        _ => false,
    };
    let has_format = |format: &ResponseFormat<'_>| match dialect {
        Dialect::OpenAiChat
        | Dialect::OpenAiResponses
        | Dialect::GeminiContents
        | Dialect::MistralChat
        | Dialect::CohereV2
        | Dialect::OllamaChat => true,
        Dialect::AnthropicMessages => matches!(format, ResponseFormat::Schema(_)),
        _ => false,
    };
    match &setting.content {
        SettingContent::ToolChoice(choice) => *choice != ToolChoice::Other && has_choice(choice),
        SettingContent::ResponseFormat(format) => !matches!(format, ResponseFormat::Other) && has_format(format),
        SettingContent::Flag(_) => matches!(
            dialect,
            Dialect::AnthropicMessages | Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::MistralChat
        ),
        SettingContent::Value => has_generation(dialect, setting.kind),
        SettingContent::Other => false,
    }
}

/// The values of a setting: one, or those of a list.
fn values<'a>(setting: &Setting<'a>) -> Vec<Value<'a>> {
    let alone = (!setting.value.is_array()).then_some(setting.value);
    alone.into_iter().chain(setting.value.items()).collect()
}

/// Returns whether requests of a dialect have a setting by which the model draws its answer.
fn has_generation(dialect: Dialect, kind: SettingKind) -> bool {
    use SettingKind::{FrequencyPenalty, MaxTokens, PresencePenalty, Seed, Stop, Temperature, TopK, TopP};
    let all: &[SettingKind] = &[MaxTokens, Temperature, TopP, TopK, Stop, Seed, FrequencyPenalty, PresencePenalty];
    let known = match dialect {
        Dialect::GeminiContents | Dialect::CohereV2 | Dialect::OllamaChat | Dialect::AiSdkModel => all,
        Dialect::OpenAiChat | Dialect::MistralChat => {
            &[MaxTokens, Temperature, TopP, Stop, Seed, FrequencyPenalty, PresencePenalty]
        }
        Dialect::AnthropicMessages => &[MaxTokens, Temperature, TopP, TopK, Stop],
        Dialect::BedrockConverse => &[MaxTokens, Temperature, TopP, Stop],
        Dialect::OpenAiResponses => &[MaxTokens, Temperature, TopP],
        Dialect::McpSampling => &[MaxTokens, Temperature, Stop],
        _ => &[],
    };
    known.contains(&kind)
}
