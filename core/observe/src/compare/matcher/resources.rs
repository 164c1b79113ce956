//! Resources of the Model Context Protocol, and links to them.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::Matcher;
use super::forms::with_value;
use super::notes::holds;
use super::results::{Context, Placed};
use crate::compare::flat::{Kind, Unit};
use crate::compare::value::is_equal_text;
use crate::compare::words::About;
use crate::compare::{acceptance, provider};
use crate::equivalence::Equivalence;
use crate::observation::{Media, Resource, Source, Speaker};

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Matches a resource in a result.
    pub(super) fn result_resource(
        &mut self,
        resource: &'o Resource<'a>,
        want: Unit<'o, 'a>,
        context: Context<'o, 'a>,
        end: Option<&'o str>,
    ) -> Option<Placed<'o, 'a>> {
        if self.resource_at_cursor(want, end, context.speaker) {
            return Some(Placed::Here);
        }
        // A resource that holds an empty text says nothing.
        if resource.media.is_none() && resource.text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            self.comparison.uses(Equivalence::EmptyText);
            return Some(Placed::Here);
        }
        // A resource with the same bytes is another one.
        if matches!(self.cursor().unit(), Some(Unit { kind: Kind::Resource(_), .. })) {
            return None;
        }
        self.result_media(resource.media.as_ref()?, want, context, end)
    }

    /// Matches a resource or a link at the cursor: the block, its media, its text, or a text with its address.
    pub(super) fn resource_at_cursor(&mut self, want: Unit<'o, 'a>, end: Option<&'o str>, speaker: Speaker) -> bool {
        let Kind::Resource(resource) = want.kind else { return false };
        let Some(unit) = self.cursor().unit().filter(|unit| unit.speaker == speaker) else { return false };
        match unit.kind {
            Kind::Resource(other) => {
                let same_media = match (&resource.media, &other.media) {
                    (Some(a), Some(b)) => a.is_same(b),
                    (None, None) => true,
                    _ => false,
                };
                let is_text = |key: &str| is_same_text(resource.value.get(key), other.value.get(key));
                let same = resource.uri == other.uri
                    && resource.text == other.text
                    && same_media
                    && ["type", "name", "title", "description", "mimeType"].into_iter().all(is_text);
                if same {
                    self.cursor().next();
                }
                return same;
            }
            Kind::Media(other) => {
                let by_address = matches!((&resource.uri, &other.source), (Some(uri), Source::Url(url)) if uri == url);
                let same = by_address || resource.media.as_ref().is_some_and(|media| media.is_same(other));
                return same && self.passes(Equivalence::Resource);
            }
            Kind::Text(_) => {}
            _ => return false,
        }
        if want.speaker == speaker && self.keeps_resources(resource, speaker) {
            return false;
        }
        let media_text = resource.media.as_ref().and_then(Media::as_text);
        if let Some(text) = resource.text.as_deref().or(media_text.as_deref()).filter(|text| !text.trim().is_empty()) {
            let names = acceptance::names_of_resource(resource.value);
            if self.take_marked(text, About::Content, &names, |unit| unit.speaker == speaker).is_some() {
                return self.accepts(Equivalence::Resource);
            }
        }
        let is_json = matches!(unit.kind, Kind::Text(text) if is_json_of(resource, text));
        if is_json {
            return self.passes(Equivalence::Resource);
        }
        let strings = || provider::Strings::of_value(resource.value);
        let is_told = match resource.uri.as_ref().filter(|uri| !uri.trim().is_empty()) {
            Some(uri) => {
                let strings = strings();
                self.take_text_with(uri, end, |text| strings.make(text, About::Content))
            }
            // A link without an address is told by its name.
            None => resource.media.is_none() && self.provider_text(&strings(), About::Content, end),
        };
        is_told && self.accepts(Equivalence::Resource)
    }

    /// Returns whether a resource must stay one: in its own dialect of the Model Context Protocol, where the revision has it. Messages
    /// of a sampling request have none.
    fn keeps_resources(&self, resource: &Resource<'a>, speaker: Speaker) -> bool {
        let has_resources = match self.answer.dialect {
            Dialect::McpToolResult | Dialect::McpPrompt => true,
            Dialect::McpSampling => speaker == Speaker::Tool,
            _ => false,
        };
        let is_link = resource.value.get("type").is_some_and(|kind| kind.is_str("resource_link"));
        has_resources && self.is_own() && (!is_link || self.target.protocol.resource_links)
    }
}

/// Returns whether a text is the JSON of a resource or a link, where members that are `null` do not count.
fn is_json_of(resource: &Resource<'_>, text: &str) -> bool {
    if is_equal_text(resource.value.raw(), text) {
        return true;
    }
    let Some(said) = without_nulls(text) else { return false };
    let has_address = resource.uri.as_deref().is_some_and(|uri| holds(&said, uri.trim()));
    is_equal_text(resource.value.raw(), &said)
        || has_address && provider::Strings::of_value(resource.value).make(&said, About::Content)
}

/// The JSON of an object without members that are `null`; `None` for another text, and where there are none.
fn without_nulls(text: &str) -> Option<String> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    with_value(text, |value| {
        let members: Vec<_> = value.members().collect();
        let kept = members.iter().filter(|(_, member)| !member.is_null());
        let kept: Vec<_> = kept.map(|(key, member)| format!("{}:{}", key.raw(), member.raw())).collect();
        (kept.len() < members.len()).then(|| format!("{{{}}}", kept.join(",")))
    })
}

/// Returns whether two fields have the same text; `null` is no text.
fn is_same_text(a: Option<Value<'_>>, b: Option<Value<'_>>) -> bool {
    let text = |value: Option<Value<'_>>| {
        value.filter(|value| !value.is_null()).map(|value| value.as_str().map(Cow::into_owned))
    };
    text(a) == text(b)
}
