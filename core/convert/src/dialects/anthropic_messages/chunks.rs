//! What a document of the Anthropic API holds as a list: texts and pictures. All else there is refused, so it is mended as it
//! would be in a message, but goes no way through the passes, since the document goes back as one item.

use std::borrow::Cow;

use crate::dialects::Described as _;
use crate::dialects::anthropic_messages::item as anthropic_item;
use crate::media::{self, Unusable, type_of_bare_base64};
use crate::read::block::{filled, shown};
use wirecanon_json::{Value, mend_surrogates, quote};
use wirecanon_model::Dialect;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::text::image_left_out;
use wirecanon_model::transcript::Role;

/// What had to be done to something in a document.
pub(crate) struct Change {
    pub rule: &'static Rule,
    pub lost: bool,
    pub what: Cow<'static, str>,
}

/// What stands in place of an item, if anything.
pub(crate) struct Mended {
    pub text: Option<String>,
    pub change: Change,
}

impl Mended {
    fn new(text: Option<String>, rule: &'static Rule, what: impl Into<Cow<'static, str>>) -> Self {
        Self { text, change: Change { rule, lost: false, what: what.into() } }
    }

    /// These words, unless there are none.
    fn words(words: &str, rule: &'static Rule, what: impl Into<Cow<'static, str>>) -> Self {
        Self::new((!words.trim().is_empty()).then(|| text_block(words)), rule, what)
    }

    fn json(item: Value<'_>, rule: &'static Rule, what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Some(text_block(&mend_surrogates(item.raw()))), rule, what)
    }

    /// These words say that something is lost.
    fn lost(words: &str, rule: &'static Rule, what: &'static str) -> Self {
        Self { text: Some(text_block(words)), change: Change { rule, lost: true, what: what.into() } }
    }
}

fn text_block(words: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(words))
}

/// What becomes of an item of a document's list; `None` if it may stand there as it is.
pub(crate) fn mend(item: Value<'_>) -> Option<Mended> {
    if item.is_null() {
        return Some(Mended::new(None, &rule::UNKNOWN_BLOCK, "a null in a document was left out"));
    }
    if !item.is_object() {
        let what = format!("{} in place of a block of a document was kept as text", item.kind().name());
        return Some(match item.as_str() {
            Some(words) => Mended::words(&words, &rule::UNKNOWN_BLOCK, what),
            None => Mended::json(item, &rule::UNKNOWN_BLOCK, what),
        });
    }
    let named = item.get("type").filter(|kind| !kind.is_null());
    let kind = named.map_or(Cow::Borrowed(shown(item)), |kind| kind.as_str().unwrap_or_default());
    Some(match (&*kind, item.get("text").and_then(Value::as_str)) {
        ("text", Some(words)) if words.trim().is_empty() => {
            Mended::new(None, &rule::BLANK_TEXT, "a blank text in a document was left out")
        }
        ("text", Some(_)) if named.is_some() => return None,
        ("text" | "input_text" | "output_text", Some(words)) if named.is_none() || item.members().count() == 2 => {
            Mended::words(&words, &rule::FOREIGN_BLOCK_SHAPE, "words in a document were put into a text block")
        }
        ("text", _) => {
            let what = "a text block of a document without a string was kept as its JSON text";
            Mended::json(item, &rule::TEXT_NOT_A_STRING, what)
        }
        ("image", _) => return picture(item),
        _ => other(item, &kind),
    })
}

fn other(item: Value<'_>, kind: &str) -> Mended {
    let has = Dialect::AnthropicMessages.spec().has_item;
    let elsewhere = kind == "tool_use" || [Role::Assistant, Role::ToolResult].iter().any(|role| has(kind, *role));
    let (rule, what) = match kind {
        "" => (&rule::UNKNOWN_BLOCK, "a block without a type".to_owned()),
        _ if elsewhere => (&rule::BLOCK_IN_WRONG_ROLE, format!("a `{kind}` block, which a document cannot hold,")),
        _ => (&rule::UNKNOWN_BLOCK, format!("a block of the unknown type `{kind}`")),
    };
    Mended::json(item, rule, format!("{what} was kept in its document as its JSON text"))
}

fn picture(item: Value<'_>) -> Option<Mended> {
    let source = item.get("source").filter(|source| source.is_object());
    let Some(source) = source else {
        let what = "an image of a document without a source was kept as its JSON text";
        return Some(Mended::json(item, &rule::IMAGE_WITHOUT_DATA, what));
    };
    match &*source.get("type").and_then(Value::as_str).unwrap_or_default() {
        "url" if source.get("url").and_then(Value::as_str).is_some_and(|url| type_of_bare_base64(&url).is_some()) => {
            by_bytes(item, source, "url")
        }
        "url" if filled(source.get("url")) => None,
        "file" if filled(source.get("file_id")) => None,
        "base64" => by_bytes(item, source, "data"),
        _ => {
            let what = "an image of a document whose source the server does not know was kept as its JSON text";
            Some(Mended::json(item, &rule::FOREIGN_BLOCK_SHAPE, what))
        }
    }
}

/// An image of a document by the base64 under this key of its source.
fn by_bytes(item: Value<'_>, source: Value<'_>, key: &str) -> Option<Mended> {
    /// Source: Anthropic Messages API reference, `Base64ImageSource`.
    const TAKEN: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    let data = source.get(key).and_then(Value::as_str).unwrap_or_default();
    let said = source.get("media_type").and_then(Value::as_str).filter(|kind| !kind.trim().is_empty());
    let mended = match media::mend(&data) {
        Ok(mended) => mended,
        Err(Unusable::Svg(drawing)) => {
            let what = "a drawing in a document, which is no picture, was kept as its text";
            return Some(Mended::words(&drawing, &rule::IMAGE_NOT_AN_IMAGE, what));
        }
        Err(unusable) => {
            let words = image_left_out(unusable.reason(), said.as_deref());
            let what = "an image of a document became a text that says so";
            return Some(Mended::lost(&words, unusable.rule(), what));
        }
    };
    if !TAKEN.contains(&&*mended.mime_type) {
        let words = image_left_out("the target does not take this kind", Some(&mended.mime_type));
        let what = "an image of a document, of a type that the server does not take, became a text that says so";
        return Some(Mended::lost(&words, &rule::IMAGE_TYPE_NOT_ACCEPTED, what));
    }
    let rule = match said.as_deref() {
        _ if key != "data" => &rule::MEDIA_WITHOUT_ADDRESS,
        _ if mended.prefix => &rule::IMAGE_DATA_URL_PREFIX,
        _ if mended.respelled => &rule::IMAGE_BASE64_NOT_CANONICAL,
        None => &rule::IMAGE_TYPE_MISSING,
        Some(said) if said != mended.mime_type => &rule::IMAGE_TYPE_MISMATCH,
        Some(_) => return None,
    };
    let source =
        format!(r#"{{"type":"base64","media_type":{},"data":{}}}"#, quote(&mended.mime_type), quote(&mended.data));
    let text = anthropic_item::picture_with(item, &source);
    Some(Mended::new(Some(text), rule, "an image of a document was written anew, by what its bytes are"))
}
