//! Settings of two conversations and of their items.

use wirecanon_model::{Dialect, Target};

use super::{Comparison, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Attribute, Content, Item, Observation, SettingKind};
use crate::reason::Reason;

impl Item<'_> {
    /// A number for each kind of content.
    pub(super) fn content_kind(&self) -> std::mem::Discriminant<Content<'_>> {
        std::mem::discriminant(&self.content)
    }
}

/// Returns whether the dialect of a target has instructions at all.
pub(super) fn has_instructions(target: &Target) -> bool {
    !matches!(target.dialect, Dialect::OpenViking | Dialect::McpPrompt)
}

/// Returns whether items of a dialect have an attribute.
fn carries(dialect: Dialect, attribute: Attribute) -> bool {
    match attribute {
        Attribute::SpeakerName => matches!(dialect, Dialect::OpenAiChat | Dialect::LangChain),
        Attribute::Developer => matches!(dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses),
        Attribute::CacheMark => matches!(dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse),
        Attribute::Detail => matches!(dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses),
        Attribute::Title | Attribute::Context => dialect == Dialect::AnthropicMessages,
        Attribute::Status => dialect == Dialect::OpenAiResponses,
        Attribute::Signature => dialect == Dialect::GeminiContents,
    }
}

/// Compares the settings of two items that say the same.
pub(super) fn attributes(want: &Item<'_>, unit: &Item<'_>, from: Dialect, to: Dialect, comparison: &mut Comparison) {
    for (attribute, value) in &want.attributes {
        if !carries(from, *attribute) || !carries(to, *attribute) {
            comparison.uses(Equivalence::Settings);
            continue;
        }
        if !unit.attributes.iter().any(|(other, _)| other == attribute) {
            let detail = format!("{} {} is missing", attribute.name(), quoted(value));
            comparison.add(Reason::AttributeMissing, Some(want.place), Some(unit.place), detail);
        }
    }
}

/// Compares the settings of two requests.
pub(super) fn settings(expected: &Observation<'_>, answer: &Observation<'_>, comparison: &mut Comparison) {
    for setting in &expected.settings {
        let is_there = answer.settings.iter().any(|other| other.kind == setting.kind);
        if is_there || !has_setting(answer.dialect, setting.kind) {
            comparison.uses(Equivalence::Settings);
            continue;
        }
        let detail = format!("{} is missing", setting.kind.name());
        comparison.add(Reason::AttributeMissing, Some(setting.value), Some(answer.root), detail);
    }
}

/// Returns whether requests of a dialect have a setting.
fn has_setting(dialect: Dialect, kind: SettingKind) -> bool {
    match kind {
        SettingKind::ToolChoice => matches!(
            dialect,
            Dialect::AnthropicMessages
                | Dialect::OpenAiChat
                | Dialect::OpenAiResponses
                | Dialect::GeminiContents
                | Dialect::BedrockConverse
                | Dialect::MistralChat
                | Dialect::CohereV2
                | Dialect::McpSampling
        ),
        SettingKind::ResponseFormat => matches!(
            dialect,
            Dialect::OpenAiChat
                | Dialect::OpenAiResponses
                | Dialect::MistralChat
                | Dialect::CohereV2
                | Dialect::OllamaChat
        ),
    }
}
