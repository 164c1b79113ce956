//! A law of the reference: how the base64 of a picture or of a file is spelled, and how its type, decides nothing but that
//! spelling. What stays with one stays with any other, in every place that the corpus has media in.

use base64_simd::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::Value;
use wirecanon::corpus;
use wirecanon_core::{From, Options, Target, fix};

const TARGETS: [&str; 5] = ["canonical", "anthropic", "openai", "gemini", "bedrock"];

/// Names under which dialects say the type of media.
const TYPES: [&str; 4] = ["media_type", "mediaType", "mimeType", "mime_type"];

/// How many things a conversion says that it loses, and how often these bytes stand in what it writes, by themselves; `None`
/// where it refuses the input.
fn outcome(input: &Value, from: From, to: &Target, bytes: &[u8]) -> Option<(usize, usize)> {
    let options = Options { from, to: Some(to), call_id: Some("call_1".to_owned()), ..Options::default() };
    let input = input.to_string();
    let fixed = fix(input.as_bytes(), &options).ok()?;
    let lost = fixed.report.entries().filter(|entry| entry.lost).count();
    Some((lost, standing(&serde_json::from_slice(&fixed.output).ok()?, bytes)))
}

/// How many strings are these bytes, in whatever spelling.
fn standing(value: &Value, bytes: &[u8]) -> usize {
    match value {
        Value::Object(members) => members.values().map(|inner| standing(inner, bytes)).sum(),
        Value::Array(items) => items.iter().map(|inner| standing(inner, bytes)).sum(),
        Value::String(text) => {
            let base64 = text.rsplit("base64,").next().unwrap_or_default();
            let plain = base64.split_whitespace().collect::<String>().replace('-', "+").replace('_', "/");
            let decoded = STANDARD_NO_PAD.decode_to_vec(plain.trim_end_matches('='));
            usize::from(decoded.is_ok_and(|decoded| decoded == bytes))
        }
        _ => 0,
    }
}

/// Base64 of media, with what stands in front of it in a data URL.
fn media(text: &str) -> Option<(&str, Vec<u8>)> {
    let head = match text.find(";base64,") {
        Some(at) if text.starts_with("data:") => &text[..at + ";base64,".len()],
        _ => "",
    };
    let bytes = STANDARD.decode_to_vec(&text[head.len()..]).ok()?;
    let headers: [&[u8]; 7] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF", b"ID3", b"\xff\xfb"];
    headers.iter().any(|header| bytes.starts_with(header)).then_some((head, bytes))
}

/// Other spellings of the same bytes.
fn spellings(head: &str, bytes: &[u8]) -> Vec<String> {
    let (standard, url_safe) = (STANDARD.encode_to_string(bytes), URL_SAFE_NO_PAD.encode_to_string(bytes));
    let (front, back) = standard.split_at(6);
    let mut all = vec![format!("{head}{url_safe}"), format!("{head}{front}\n{back}")];
    if head.is_empty() {
        let kind = match bytes {
            [b'%', b'P', ..] => "application/pdf",
            [b'R' | b'I' | 0xff, ..] if !bytes.starts_with(b"\xff\xd8") => "audio/wav",
            _ => "image/png",
        };
        all.push(format!("data:{kind};base64,{standard}"));
    }
    all
}

/// The pointers of all strings that are media, but for those among arguments: they are what was executed.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| !["arguments", "args"].contains(&key.as_str()));
            members.for_each(|(key, inner)| {
                places(inner, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places(item, &format!("{pointer}/{at}"), found));
        }
        Value::String(text) if media(text).is_some() => found.push(pointer.to_owned()),
        _ => {}
    }
}

/// A media type in capitals, and with a parameter.
fn types(text: &str) -> Option<[String; 2]> {
    let kinds = ["image/png", "image/jpeg", "application/pdf", "audio/wav", "text/plain", "text/csv", "text/markdown"];
    kinds.contains(&text).then(|| [text.to_uppercase(), format!("{text}; charset=utf-8")])
}

/// The pointers of all strings that say the type of media.
fn places_of_types(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, inner) in members {
                let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                if TYPES.contains(&key.as_str()) && inner.as_str().and_then(types).is_some() {
                    found.push(pointer.clone());
                }
                places_of_types(inner, &pointer, found);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places_of_types(item, &format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}

#[test]
fn how_types_are_spelled_decides_nothing_else() {
    let (mut tried, mut broken) = (0, Vec::new());
    for case in corpus::load().expect("the corpus") {
        let Ok(whole) = serde_json::from_slice::<Value>(&case.input) else { continue };
        let mut found = Vec::new();
        places_of_types(&whole, "", &mut found);
        let others = TARGETS.iter().filter_map(|name| Target::by_name(name).ok());
        let targets: Vec<_> = std::iter::once(Target::of_dialect(case.from)).chain(others).collect();
        for (pointer, to) in found.iter().flat_map(|pointer| targets.iter().map(move |to| (pointer, *to))) {
            let from = From::Dialect(case.from);
            let Some((lost, _)) = outcome(&whole, from, to, b"") else { continue };
            for spelling in whole.pointer(pointer).and_then(Value::as_str).and_then(types).into_iter().flatten() {
                let mut other = whole.clone();
                *other.pointer_mut(pointer).expect("a place") = spelling.clone().into();
                tried += 1;
                let after = outcome(&other, from, to, b"").map(|(lost, _)| lost);
                if after.is_none_or(|after| after > lost) {
                    broken.push(format!("{} to {}: {pointer} as {spelling}: {lost} {after:?}", case.id, to.name));
                }
            }
        }
    }
    assert!(tried > 500, "{tried}");
    assert!(broken.is_empty(), "{} of {tried}:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn how_media_are_spelled_decides_nothing_else() {
    let (mut tried, mut broken) = (0, Vec::new());
    for case in corpus::load().expect("the corpus") {
        let Ok(whole) = serde_json::from_slice::<Value>(&case.input) else { continue };
        let mut found = Vec::new();
        places(&whole, "", &mut found);
        let own = Target::of_dialect(case.from);
        let others = TARGETS.iter().filter_map(|name| Target::by_name(name).ok());
        let targets: Vec<_> = std::iter::once(own).chain(others).collect();
        for (pointer, to) in found.iter().flat_map(|pointer| targets.iter().map(move |to| (pointer, *to))) {
            let from = From::Dialect(case.from);
            let Some((head, bytes)) = whole.pointer(pointer).and_then(Value::as_str).and_then(media) else { continue };
            let Some((lost, standing)) = outcome(&whole, from, to, &bytes) else { continue };
            for spelling in spellings(head, &bytes) {
                let mut other = whole.clone();
                *other.pointer_mut(pointer).expect("a place") = spelling.clone().into();
                tried += 1;
                let after = outcome(&other, from, to, &bytes);
                if after.is_none_or(|(more, fewer)| more > lost || fewer < standing) {
                    let what = format!("({lost}, {standing}) {after:?}");
                    broken.push(format!("{} to {}: {pointer} as {spelling:.60}: {what}", case.id, to.name));
                }
            }
        }
    }
    assert!(tried > 500, "{tried}");
    assert!(broken.is_empty(), "{} of {tried}:\n{}", broken.len(), broken.join("\n"));
}
