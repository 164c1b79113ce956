//! What of a message is plain: the commonest shapes of its parts, in which nothing can be wrong.

use crate::json::Value;
use crate::{media, text};

/// Whether it is a string that says something, and nothing that this project or another one writes in place of something.
pub(super) fn says(value: Value<'_>) -> bool {
    let raw = value.bytes();
    let indent = raw.iter().skip(1).take_while(|byte| **byte == b' ').count();
    // Nearly all show their first character.
    match raw.get(1 + indent) {
        Some(b'"' | b'\\') => {}
        Some(b'[') if indent == 0 => {}
        Some(b'!'..=b'~') if raw[0] == b'"' => return true,
        _ => {}
    }
    value.as_str().is_some_and(|words| {
        !words.trim().is_empty() && !words.starts_with(OURS) && !text::SYNTHETIC_OF_OTHERS.contains(&&*words)
    })
}

/// How all texts open that this project writes.
const OURS: &str = "[wirecanon";

/// Whether these are texts and pictures.
pub(super) fn are_parts(content: Value<'_>) -> bool {
    let is_part = |part: Value<'_>| match part.only([r#""type""#, r#""text""#, r#""image_url""#]) {
        Some([Some(kind), Some(text), None]) => kind.raw() == r#""text""# && says(text),
        Some([Some(kind), None, Some(image)]) => kind.raw() == r#""image_url""# && is_picture(image),
        _ => false,
    };
    content.items().next().is_some() && content.items().all(is_part)
}

/// Whether it is a picture by a data URL that says what its bytes are.
fn is_picture(image: Value<'_>) -> bool {
    let Some([Some(url)]) = image.only([r#""url""#]) else { return false };
    let data_url = url.raw().strip_prefix(r#""data:"#).and_then(|rest| rest.strip_suffix('"'));
    data_url.and_then(|rest| rest.split_once(";base64,")).is_some_and(|(kind, data)| {
        media::is_canonical(data) && media::sniff_base64(data).is_some_and(|sniffed| sniffed == kind)
    })
}
