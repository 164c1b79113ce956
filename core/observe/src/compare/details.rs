//! What a target accepts, and the settings and the reasoning of two conversations.

use std::collections::HashMap;

use wirecanon_model::{Dialect, Target};

use super::flat::Thought;
use super::matcher::quoted;
use super::words::Names;
use super::{Comparison, Difference};
use crate::equivalence::Equivalence;
use crate::observation::{Attribute, Content, Item, Media, MediaKind, Observation, SettingKind, Source, Speaker};
use crate::reason::Reason;

impl Item<'_> {
    /// A number for each kind of content.
    pub(super) fn content_kind(&self) -> std::mem::Discriminant<Content<'_>> {
        std::mem::discriminant(&self.content)
    }
}

/// The words of a medium that a note may repeat.
pub(super) fn names_of(media: &Media<'_>, item: &Item<'_>) -> Names {
    let mut names = Names::default();
    for (_, value) in &item.attributes {
        names.add(value);
    }
    for text in [&media.media_type, &media.name].into_iter().flatten() {
        names.add(text);
    }
    if let Source::Url(text) | Source::File(text) = &media.source {
        names.add(text);
    }
    if let Source::Base64(data) = &media.source {
        names.add(sniffed(data).unwrap_or_default());
    }
    names
}

/// The media type that the first bytes say.
fn sniffed(base64: &str) -> Option<&'static str> {
    const HEADS: [(&str, &str); 9] = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp audio/wav"),
        ("JVBERi0", "application/pdf"),
        ("Qk", "image/bmp"),
        ("SUkq", "image/tiff"),
        ("TU0AK", "image/tiff"),
        ("AAABAA", "image/x-icon"),
    ];
    HEADS.iter().find(|(head, _)| base64.starts_with(head)).map(|(_, kind)| *kind)
}

/// Whether the dialect of a target has instructions at all.
pub(super) fn has_instructions(target: &Target) -> bool {
    !matches!(target.dialect, Dialect::OpenViking | Dialect::McpPrompt)
}

/// Whether a target accepts a medium in a message of this speaker. Where that is not certain, it does not.
pub(super) fn accepts(target: &Target, media: &Media<'_>, speaker: Speaker) -> bool {
    if speaker != Speaker::User || !target.media.in_user {
        return false;
    }
    let limits = &target.media;
    if limits.max_base64.is_some()
        || limits.max_side.is_some()
        || limits.max_media.is_some()
        || limits.max_documents.is_some()
    {
        let is_small = matches!(&media.source, Source::Base64(data) if data.len() < 4096);
        if !is_small {
            return false;
        }
    }
    match &media.source {
        Source::Base64(data) => {
            let declared = media.media_type.as_deref().unwrap_or_default();
            match media.kind {
                MediaKind::Image => limits.takes_picture(sniffed(data).unwrap_or(declared)),
                _ => limits.takes_file(&essence(declared)),
            }
        }
        Source::Url(_) => limits.links && media.kind == MediaKind::Image,
        Source::Text(_) | Source::Bytes(_) | Source::File(_) | Source::Items(_) => false,
    }
}

/// A media type without parameters, in small letters.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a target accepts a medium in a tool result.
pub(super) fn accepts_in_result(target: &Target, media: &Media<'_>, is_error: bool) -> bool {
    let limits = &target.media;
    let in_results = if media.kind == MediaKind::Image { limits.in_results } else { limits.files_in_results };
    in_results && (!is_error || limits.in_error_results) && accepts(target, media, Speaker::User)
}

/// Whether items of a dialect have an attribute.
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
            comparison.add(Difference::new(Reason::AttributeMissing, Some(want.place), Some(unit.place), detail));
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
        comparison.add(Difference::new(Reason::AttributeMissing, Some(setting.value), Some(answer.root), detail));
    }
}

/// Whether requests of a dialect have a setting.
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

/// Compares the reasoning of two conversations: what the answer keeps must be reasoning of the same turns, in order, each with its
/// own signature.
pub(super) fn reasoning(
    wanted: &[Thought<'_, '_>],
    given: &[Thought<'_, '_>],
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    target: &Target,
    steps: &HashMap<usize, usize>,
    comparison: &mut Comparison,
) {
    let mut rest = wanted.iter().peekable();
    let mut kept = 0;
    for thought in given {
        let text = squashed(&thought.reasoning.text);
        if text.is_empty() && thought.reasoning.signature.is_none() {
            continue;
        }
        let mut joined = String::new();
        let mut ahead = rest.clone();
        let mut found = None;
        for want in ahead.by_ref() {
            let own = squashed(&want.reasoning.text);
            let is_same = own == text && (!text.is_empty() || want.reasoning.signature == thought.reasoning.signature);
            joined = if text.starts_with(&joined) && !joined.is_empty() { joined + &own } else { own };
            if is_same || joined == text && !text.is_empty() {
                found = Some(*want);
                break;
            }
        }
        let place = Some(thought.item.place);
        let Some(want) = found else {
            let detail = format!("reasoning {} is not expected here", quoted(&thought.reasoning.text));
            comparison.add(Difference::new(Reason::ReasoningChanged, None, place, detail));
            continue;
        };
        rest = ahead;
        kept += 1;
        if thought.reasoning.signature.is_some() && thought.reasoning.signature != want.reasoning.signature {
            let detail = "the signature is not that of this reasoning";
            comparison.add(Difference::new(Reason::ReasoningChanged, Some(want.item.place), place, detail));
        }
        if steps.get(&want.step).is_some_and(|step| *step != thought.step) {
            let detail = "the reasoning is in another turn";
            comparison.add(Difference::new(Reason::ReasoningChanged, Some(want.item.place), place, detail));
        }
    }
    if kept < wanted.len() {
        comparison.uses(Equivalence::Reasoning);
        if expected.dialect == answer.dialect && target.reasoning.accepted && kept == 0 {
            let place = wanted.first().map(|thought| thought.item.place);
            comparison.add(Difference::new(Reason::ReasoningDropped, place, None, "the reasoning is left out"));
        }
    }
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}
