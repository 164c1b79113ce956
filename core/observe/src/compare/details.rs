//! Details of items and of requests beside their content.

use std::borrow::Cow;
use std::mem::{Discriminant, discriminant};

use wirecanon_json::{Json, Limits};
use wirecanon_model::{Dialect, Target};

use super::acceptance::{essence, sniffed};
use super::flat::Unit;
use super::value::is_equal_text;
use super::{Comparison, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Attribute, Content, Item, Observation, Source};
use crate::reason::Reason;

impl Item<'_> {
    /// A number for each kind of content.
    pub(super) fn content_kind(&self) -> Discriminant<Content<'_>> {
        discriminant(&self.content)
    }
}

/// Returns whether the dialect of a target has instructions at all.
pub(super) fn has_instructions(target: &Target) -> bool {
    !matches!(target.dialect, Dialect::OpenViking | Dialect::McpPrompt)
}

/// Returns whether items of both dialects have an attribute.
fn is_compared(attribute: Attribute, from: Dialect, to: Dialect) -> bool {
    let has = |dialect: Dialect| match attribute {
        Attribute::SpeakerName => matches!(dialect, Dialect::OpenAiChat | Dialect::LangChain),
        Attribute::Developer => matches!(dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses),
        Attribute::CacheMark => matches!(dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse),
        Attribute::Detail => matches!(dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses),
        Attribute::Context => matches!(dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse),
        Attribute::Title
        | Attribute::Status
        | Attribute::Signature
        | Attribute::Citations
        | Attribute::VideoMetadata
        | Attribute::Resolution
        | Attribute::ProviderOptions => false,
    };
    from == to || has(from) && has(to)
}

/// Returns whether a value of an attribute says what its absence says, too.
fn is_default(attribute: Attribute, value: &str) -> bool {
    match attribute {
        Attribute::Detail => value == "auto",
        Attribute::Status => value == "completed",
        Attribute::Citations => {
            matches!(value.trim(), "[]" | "{}" | "null") || is_equal_text(value, r#"{"enabled":false}"#)
        }
        _ => value.trim().is_empty(),
    }
}

/// Returns whether two values of an attribute say the same. Cache marks are spelled in two ways, and hold for five minutes if they do
/// not say how long.
fn is_same(attribute: Attribute, value: &str, other: &str) -> bool {
    let lifetime = |mark: &str| {
        let json = Json::parse(mark, &Limits::default()).ok()?;
        Some(
            json.root().get("ttl").and_then(|ttl| ttl.as_str().map(Cow::into_owned)).unwrap_or_else(|| "5m".to_owned()),
        )
    };
    match attribute {
        Attribute::CacheMark => lifetime(value) == lifetime(other),
        _ => value.trim() == other.trim() || is_equal_text(value, other),
    }
}

/// Returns whether a title is as much of the expected one as the target takes.
fn is_cut(attribute: Attribute, value: &str, other: &str, target: &Target) -> bool {
    let is_long = target.media.max_title.is_some_and(|most| value.chars().count() > most);
    attribute == Attribute::Title && is_long && !other.is_empty() && value.starts_with(other.trim_end_matches('…'))
}

/// Returns the reasons of an attribute that is missing, that has another value, and that was never there. The model is told of a
/// document by its title and its context.
fn reasons(attribute: Attribute, is_own: bool) -> [Option<Reason>; 3] {
    match attribute {
        Attribute::Title | Attribute::Context if is_own => {
            [Some(Reason::TextMissing), Some(Reason::TextChanged), Some(Reason::TextInvented)]
        }
        // Programs set these themselves.
        Attribute::CacheMark
        | Attribute::Status
        | Attribute::Developer
        | Attribute::Signature
        | Attribute::ProviderOptions => [Some(Reason::AttributeMissing), Some(Reason::AttributeChanged), None],
        _ => [Some(Reason::AttributeMissing), Some(Reason::AttributeChanged), Some(Reason::AttributeChanged)],
    }
}

/// Compares the details of two items that say the same.
pub(super) fn attributes(
    want: &Item<'_>,
    unit: &Item<'_>,
    from: Dialect,
    target: &Target,
    comparison: &mut Comparison,
) {
    let to = target.dialect;
    let is_own = from == to;
    let places = (Some(want.place), Some(unit.place));
    for (attribute, value) in &want.attributes {
        if !is_compared(*attribute, from, to) {
            comparison.uses(Equivalence::Settings);
            continue;
        }
        let [missing, changed, _] = reasons(*attribute, is_own);
        let others = || unit.attributes.iter().filter(|(other, _)| other == attribute).map(|(_, value)| &**value);
        let (reason, detail) = match others().next() {
            _ if others()
                .any(|other| is_same(*attribute, value, other) || is_cut(*attribute, value, other, target)) =>
            {
                continue;
            }
            Some(other) => {
                let detail = format!("expected {} {}, got {}", attribute.name(), quoted(value), quoted(other));
                (changed, detail)
            }
            None if is_default(*attribute, value) => continue,
            None => (missing, format!("{} {} is missing", attribute.name(), quoted(value))),
        };
        if let Some(reason) = reason {
            comparison.add(reason, places.0, places.1, detail);
        }
    }
    for (attribute, value) in &unit.attributes {
        let is_known = want.attributes.iter().any(|(known, _)| known == attribute);
        let [_, _, invented] = reasons(*attribute, is_own);
        if let Some(reason) = invented
            && !is_known
            && is_compared(*attribute, from, to)
            && !is_default(*attribute, value)
        {
            let detail = format!("{} {} is not expected", attribute.name(), quoted(value));
            comparison.add(reason, places.0, places.1, detail);
        }
    }
    if is_own {
        file_names(want, unit, comparison);
        media_types(want, unit, comparison);
    }
}

/// The shortest name that may have been cut.
const SHORTEST_CUT: usize = 32;

/// Compares the names of two files of one dialect: servers that refuse a name get it in other characters.
fn file_names(want: &Item<'_>, unit: &Item<'_>, comparison: &mut Comparison) {
    let (Content::Media(media), Content::Media(other)) = (&want.content, &unit.content) else { return };
    let has_title = want.attributes.iter().any(|(attribute, _)| *attribute == Attribute::Title);
    let Some(name) = media.name.as_deref().filter(|name| !name.trim().is_empty() && !has_title) else { return };
    let letters = |name: &str| -> String { name.chars().filter(char::is_ascii_alphanumeric).collect() };
    let places = (Some(want.place), Some(unit.place));
    match other.name.as_deref() {
        None => {
            let detail = format!("file name {} is missing", quoted(name));
            comparison.add(Reason::AttributeMissing, places.0, places.1, detail);
        }
        // Servers refuse characters, and names that are too long.
        Some(other) if letters(name) == letters(other) => {}
        Some(other) if other.len() >= SHORTEST_CUT && letters(name).starts_with(&letters(other)) => {}
        Some(other) => {
            let detail = format!("expected file name {}, got {}", quoted(name), quoted(other));
            comparison.add(Reason::AttributeChanged, places.0, places.1, detail);
        }
    }
}

/// Compares the declared types of two media of one dialect, where their bytes do not say it.
fn media_types(want: &Item<'_>, unit: &Item<'_>, comparison: &mut Comparison) {
    let (Content::Media(media), Content::Media(other)) = (&want.content, &unit.content) else { return };
    let (Some(kind), Some(other_kind)) = (media.media_type.as_deref(), other.media_type.as_deref()) else { return };
    let is_corrected = match &media.source {
        Source::Base64(data) => sniffed(data).is_some(),
        _ => false,
    };
    if !is_corrected && !essence(kind).eq(&essence(other_kind)) {
        let detail = format!("expected media type {}, got {}", quoted(kind), quoted(other_kind));
        comparison.add(Reason::AttributeChanged, Some(want.place), Some(unit.place), detail);
    }
}

/// Compares the details of the items of two results that say the same.
pub(super) fn result_attributes(
    (wants, from): (&[Unit<'_, '_>], Dialect),
    (units, target): (&[Unit<'_, '_>], &Target),
    comparison: &mut Comparison,
) {
    // There are few kinds, and most results have one.
    let mut by_kind: Vec<(Discriminant<_>, [Vec<&Item<'_>>; 2])> = Vec::new();
    for (side, units) in [wants, units].into_iter().enumerate() {
        for item in units.iter().map(|unit| unit.item) {
            let kind = item.content_kind();
            let known = by_kind.iter().position(|(other, _)| *other == kind);
            let at = known.unwrap_or_else(|| {
                by_kind.push((kind, Default::default()));
                by_kind.len() - 1
            });
            by_kind[at].1[side].push(item);
        }
    }
    for (_, [wants, items]) in by_kind {
        // Where items are joined or split, none of them is the other one.
        if wants.len() == items.len() {
            wants.iter().zip(items).for_each(|(want, item)| attributes(want, item, from, target, comparison));
        }
    }
}

/// Compares what two requests add to the conversation beside their messages. Another dialect may not have it; nothing may be added.
pub(super) fn context(expected: &Observation<'_>, answer: &Observation<'_>, comparison: &mut Comparison) {
    let is_own = expected.dialect == answer.dialect;
    let kind = |item: &Item<'_>| match &item.content {
        Content::Provider(provider) => provider.kind.to_string(),
        _ => String::new(),
    };
    let is_same = |item: &Item<'_>, other: &Item<'_>| is_equal_text(item.place.raw(), other.place.raw());
    for item in &expected.context {
        let other = answer.context.iter().find(|other| kind(other) == kind(item));
        if other.is_none() && !is_own {
            comparison.uses(Equivalence::ProviderItem);
            continue;
        }
        if other.is_some_and(|other| is_same(item, other)) {
            continue;
        }
        let verb = if other.is_some() { "changed" } else { "missing" };
        let detail = format!("`{}` is {verb}: {}", kind(item), quoted(item.place.raw()));
        comparison.add(Reason::ProviderItemMissing, Some(item.place), other.map(|other| other.place), detail);
    }
    // Programs may keep a field that its own dialect does not have.
    let is_kept = |other: &Item<'_>| {
        expected.root.get(&kind(other)).is_some_and(|kept| is_equal_text(kept.raw(), other.place.raw()))
    };
    let is_invented =
        |other: &&Item<'_>| expected.context.iter().all(|item| kind(item) != kind(other)) && !is_kept(other);
    for other in answer.context.iter().filter(is_invented) {
        let detail = format!("`{}` is not expected: {}", kind(other), quoted(other.place.raw()));
        comparison.add(Reason::TextInvented, None, Some(other.place), detail);
    }
}
