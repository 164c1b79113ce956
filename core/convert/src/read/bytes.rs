//! Bytes that a program wrote into JSON in a form of its own, where base64 stands.

use std::borrow::Cow;

use crate::media;
use crate::read::reader::Reader;
use wirecanon_json::{Value, quote};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind};

/// The base64 that a value holds: a text as it stands, or bytes as a program saves them.
pub(crate) fn base64_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    value
        .as_str()
        .or_else(|| wrapped(value))
        .or_else(|| Some(base64_simd::STANDARD.encode_to_string(numbers(value)?).into()))
}

/// Base64 in an object that says that it is some: what Strands saves
/// (`{"__bytes_encoded__":true,"data":"…"}`; strands-agents/harness-sdk#1881), and Extended JSON of `MongoDB`
/// (`{"$binary":{"base64":"…","subType":"00"}}`).
fn wrapped(value: Value<'_>) -> Option<Cow<'_, str>> {
    let of_strands = value.get("__bytes_encoded__").is_some_and(|mark| mark.as_bool() == Some(true));
    let text =
        if of_strands { value.get("data") } else { value.get("$binary").and_then(|binary| binary.get("base64")) };
    text?.as_str()
}

/// Bytes of a list of numbers, of a buffer of Node.js (`{"type":"Buffer","data":[…]}`), of a typed array
/// (`{"0":137,"1":80,…}`; cline/cline#10926), and of one that `LangGraph` saves (`{"lc":2,"id":["Uint8Array"],"args":[[…]],…}`).
fn numbers(value: Value<'_>) -> Option<Vec<u8>> {
    let of = |number: Value<'_>| number.raw().parse().ok();
    let is_of_langgraph = || {
        let mut path = value.get("id").into_iter().flat_map(Value::items);
        value.get("lc").is_some() && path.next().is_some_and(|name| name.is_str("Uint8Array")) && path.next().is_none()
    };
    let bytes: Option<Vec<u8>> = if value.is_array() {
        value.items().map(of).collect()
    } else if value.get("type").is_some_and(|kind| kind.is_str("Buffer")) {
        value.get("data")?.items().map(of).collect()
    } else if is_of_langgraph() {
        value.get("args")?.items().next()?.items().map(of).collect()
    } else {
        let stands_at = |key: Value<'_>, place: usize| key.as_str().is_some_and(|key| key.parse() == Ok(place));
        value.members().enumerate().map(|(place, (key, number))| of(number).filter(|_| stands_at(key, place))).collect()
    };
    bytes.filter(|bytes| !bytes.is_empty())
}

/// Says that the bytes that a block holds stood in another form than base64, if they did, and marks it.
pub(crate) fn tell_form<'a>(cx: &mut Reader<'a, '_>, block: &Block<'a>, data: Option<Value<'a>>, item: Value<'a>) {
    let holds_bytes = match &block.kind {
        BlockKind::Image(image) => image.data.is_some(),
        kind => matches!(kind, BlockKind::File(_)),
    };
    if holds_bytes {
        tell_respelled(cx, data, item, block.id);
    }
}

/// Says so if bytes that [`base64_of`] has read stood in another form than base64.
pub(crate) fn tell_respelled<'a>(cx: &mut Reader<'a, '_>, data: Option<Value<'a>>, item: Value<'a>, about: u32) {
    if let Some(data) = data.filter(|data| !data.is_string()) {
        let what = match wrapped(data) {
            Some(_) => "base64 that was wrapped in an object stands by itself now",
            None => "bytes that were written as numbers are base64 now",
        };
        cx.mend(&rule::IMAGE_BASE64_NOT_CANONICAL, item, about, what);
    }
}

/// The text of an object in which bytes at the end of this path are base64 that stood there in another form; `None` where
/// none stand there, or they are base64 already.
pub(crate) fn respelled_at(value: Value<'_>, path: &[&str]) -> Option<String> {
    let (key, rest) = path.split_first()?;
    let inner = value.get(key)?;
    let text = if rest.is_empty() {
        quote(&media::respell(&base64_of(inner).filter(|_| !inner.is_string())?).ok()?)
    } else {
        respelled_at(inner, rest)?
    };
    let members = value.members().map(|(name, member)| {
        let said = if member.index() == inner.index() { text.as_str() } else { member.raw() };
        format!("{}:{said}", name.raw())
    });
    Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_json::{Json, Limits};

    #[test]
    fn bytes_are_known_by_their_form() {
        let of = |text: &str| {
            let json = Json::parse(text, &Limits::default()).expect("JSON");
            base64_of(json.root()).map(Cow::into_owned)
        };
        for text in [
            "[137,80,78]",
            r#"{"0":137,"1":80,"2":78}"#,
            r#"{"type":"Buffer","data":[137,80,78]}"#,
            r#"{"lc":2,"type":"constructor","id":["Uint8Array"],"method":"from","args":[[137,80,78]],"kwargs":{}}"#,
            r#"{"__bytes_encoded__":true,"data":"iVBO"}"#,
            r#"{"$binary":{"base64":"iVBO","subType":"00"}}"#,
            r#""iVBO""#,
        ] {
            assert_eq!(of(text).as_deref(), Some("iVBO"), "{text}");
        }
        let others = [r#"{"data":"iVBO"}"#, r#"{"__bytes_encoded__":false,"data":"iVBO"}"#, r#"{"lc":2,"id":["Map"]}"#];
        for text in
            ["[]", "{}", "[256]", "[-1]", "[1.5]", r#"["137"]"#, r#"{"1":137}"#, r#"{"0":137,"2":80}"#, "null", "137"]
                .into_iter()
                .chain(others)
        {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn what_stands_beside_the_bytes_keeps_its_text() {
        let of = |text: &str| {
            let json = Json::parse(text, &Limits::default()).expect("JSON");
            respelled_at(json.root(), &["source", "bytes"])
        };
        assert_eq!(
            of(r#"{"a":1.0,"source":{"bytes":[137,80,78],"b":{}}}"#).as_deref(),
            Some(r#"{"a":1.0,"source":{"bytes":"iVBO","b":{}}}"#)
        );
        for text in [r#"{"source":{"bytes":"iVBO"}}"#, r#"{"source":{}}"#, r#"{"bytes":[137,80,78]}"#] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
