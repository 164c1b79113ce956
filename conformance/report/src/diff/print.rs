//! How a value looks on a line.

use wirecanon_core::json::{Kind, Value};

/// Characters of a value that fits on one line.
const WIDE: usize = 88;

/// Characters of a string or number that are shown; of a longer one, its beginning and its end.
const LONG: usize = 480;

/// Characters before the first difference that are shown of two long strings.
const BEFORE: usize = 60;

/// A key, with what stands behind it.
pub(super) fn key_of(key: Value<'_>) -> String {
    format!("{}: ", cut(key.raw(), LONG))
}

pub(super) fn opening(value: Value<'_>) -> &'static str {
    if value.is_array() { "[" } else { "{" }
}

pub(super) fn closing(value: Value<'_>) -> &'static str {
    if value.is_array() { "]" } else { "}" }
}

/// A value without parts.
pub(super) fn scalar(value: Value<'_>) -> String {
    cut(value.raw(), LONG)
}

/// Two strings of which one is to be told from the other: where both are long, what is equal at their beginning is left out.
pub(super) fn scalar_beside(left: Value<'_>, right: Value<'_>) -> [String; 2] {
    let equal = left.raw().chars().zip(right.raw().chars()).take_while(|(one, other)| one == other).count();
    [left, right].map(|value| {
        if equal <= LONG / 2 {
            return scalar(value);
        }
        let skipped = equal - BEFORE;
        let rest: String = value.raw().chars().skip(skipped).collect();
        format!("\"…[{skipped} characters the same]…{}", cut(&rest, LONG))
    })
}

/// A value with parts on one line: if it is empty or short and has no parts with parts, or where it must be.
pub(super) fn inline(value: Value<'_>, must: bool) -> Option<String> {
    if must {
        return Some(cut(value.raw(), LONG));
    }
    if value.raw().len() > 2 * WIDE {
        return None;
    }
    let plain = |part: Value<'_>| !matches!(part.kind(), Kind::Object | Kind::Array) || part.raw().len() <= 2;
    let parts: Vec<String> = if value.is_object() {
        if !value.members().all(|(_, part)| plain(part)) {
            return None;
        }
        value.members().map(|(key, part)| format!("{}{}", key_of(key), part.raw())).collect()
    } else {
        if !value.items().all(plain) {
            return None;
        }
        value.items().map(|part| part.raw().to_owned()).collect()
    };
    let text = format!("{}{}{}", opening(value), parts.join(", "), closing(value));
    (text.chars().count() <= WIDE).then_some(text)
}

/// The beginning and the end of a long text, and how much is between them.
fn cut(text: &str, most: usize) -> String {
    // Bytes are never fewer than characters.
    if text.len() <= most {
        return text.to_owned();
    }
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let end = most / 6;
    let begin = most - end;
    let first: String = text.chars().take(begin).collect();
    let last: String = text.chars().skip(count - end).collect();
    format!("{first}…[{} characters more]…{last}", count - most)
}
