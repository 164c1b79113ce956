//! Bytes that a program wrote into JSON as numbers, where base64 stands.

use std::borrow::Cow;

use super::reader::Reader;
use crate::json::Value;
use crate::rule;
use crate::transcript::{Block, BlockKind};

/// The base64 that a value holds: a text as it stands, or bytes as JSON has them of a list of numbers, of a buffer of Node.js
/// (`{"type":"Buffer","data":[…]}`) and of a typed array (`{"0":137,"1":80,…}`; cline/cline#10926).
pub(super) fn base64_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    value.as_str().or_else(|| Some(base64_simd::STANDARD.encode_to_string(numbers(value)?).into()))
}

fn numbers(value: Value<'_>) -> Option<Vec<u8>> {
    let of = |number: Value<'_>| number.raw().parse().ok();
    let bytes: Option<Vec<u8>> = if value.is_array() {
        value.items().map(of).collect()
    } else if value.get("type").is_some_and(|kind| kind.is_str("Buffer")) {
        value.get("data")?.items().map(of).collect()
    } else {
        let stands_at = |key: Value<'_>, place: usize| key.as_str().is_some_and(|key| key.parse() == Ok(place));
        value.members().enumerate().map(|(place, (key, number))| of(number).filter(|_| stands_at(key, place))).collect()
    };
    bytes.filter(|bytes| !bytes.is_empty())
}

/// Says that the bytes that a block holds stood in numbers, if they did, and marks it.
pub(super) fn tell_numbers<'a>(
    cx: &mut Reader<'a, '_>,
    block: &mut Block<'a>,
    data: Option<Value<'a>>,
    item: Value<'a>,
) {
    let holds_bytes = match &block.kind {
        BlockKind::Image(image) => image.data.is_some(),
        kind => matches!(kind, BlockKind::File(_)),
    };
    block.dirty |= holds_bytes && were_numbers(cx, data, item, block.id);
}

/// Whether bytes that [`base64_of`] has read stood in numbers; says so.
pub(super) fn were_numbers<'a>(cx: &mut Reader<'a, '_>, data: Option<Value<'a>>, item: Value<'a>, about: u32) -> bool {
    let found = data.is_some_and(|data| !data.is_string());
    if found {
        cx.mend(
            &rule::IMAGE_BASE64_NOT_CANONICAL,
            item,
            Some(about),
            "bytes that were written as numbers are base64 now",
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Json, Limits};

    #[test]
    fn numbers_are_bytes_where_all_are() {
        let of = |text: &str| {
            let json = Json::parse(text, &Limits::default()).expect("JSON");
            base64_of(json.root()).map(Cow::into_owned)
        };
        for text in
            ["[137,80,78]", r#"{"0":137,"1":80,"2":78}"#, r#"{"type":"Buffer","data":[137,80,78]}"#, r#""iVBO""#]
        {
            assert_eq!(of(text).as_deref(), Some("iVBO"), "{text}");
        }
        for text in
            ["[]", "{}", "[256]", "[-1]", "[1.5]", r#"["137"]"#, r#"{"1":137}"#, r#"{"0":137,"2":80}"#, "null", "137"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
