//! A law of the reference: how the base64 of a picture or of a file is spelled, and how its type, decides nothing but that
//! spelling. What stays with one stays with any other, in every place that the corpus has media in.

use base64_simd::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::Value;
use wirecanon::corpus;
use wirecanon_core::{From, Options, Target, fix};

const TARGETS: [&str; 5] = ["canonical", "anthropic", "openai", "gemini", "bedrock"];

/// Names under which dialects say the type of media.
const TYPES: [&str; 4] = ["media_type", "mediaType", "mimeType", "mime_type"];

/// How many things a conversion says that it loses, and how often these bytes, if any are given, stand in what it writes, by
/// themselves; `None` where it refuses the input.
fn outcome(input: &Value, from: From, to: &Target, bytes: Option<&[u8]>) -> Option<(usize, usize)> {
    let options = Options { from, to: Some(to), call_id: Some("call_1".to_owned()), ..Options::default() };
    let input = input.to_string();
    let fixed = fix(input.as_bytes(), &options).ok()?;
    let lost = fixed.report.entries().filter(|entry| entry.lost).count();
    let output: Value = serde_json::from_slice(&fixed.output).ok()?;
    Some((lost, bytes.map_or(0, |bytes| standing(&output, bytes))))
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

/// A media type in capitals, and with a parameter.
fn types(text: &str) -> Option<Vec<String>> {
    let kinds = ["image/png", "image/jpeg", "application/pdf", "audio/wav", "text/plain", "text/csv", "text/markdown"];
    kinds.contains(&text).then(|| vec![text.to_uppercase(), format!("{text}; charset=utf-8")])
}

/// Something that can be spelled otherwise.
struct Said {
    spellings: Vec<String>,
    /// What must go on standing in what is written
    bytes: Option<Vec<u8>>,
}

/// What a string says, with its key.
type Find = fn(&str, &str) -> Option<Said>;

/// All strings that say something, by their pointers.
fn places(value: &Value, pointer: &str, skipped: &[&str], find: Find, found: &mut Vec<(String, Said)>) {
    let mut enter = |key: &str, inner: &Value| {
        let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        if let Some(said) = inner.as_str().and_then(|text| find(key, text)) {
            found.push((pointer.clone(), said));
        }
        places(inner, &pointer, skipped, find, found);
    };
    match value {
        Value::Object(members) => {
            members
                .iter()
                .filter(|(key, _)| !skipped.contains(&key.as_str()))
                .for_each(|(key, inner)| enter(key, inner));
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| enter(&at.to_string(), item)),
        _ => {}
    }
}

/// Spells everything that is found in the corpus otherwise, for every target: no more is lost, and as much stands.
fn spelling_decides_nothing(skipped: &[&str], find: Find) {
    let (mut tried, mut broken) = (0, Vec::new());
    for (number, case) in corpus::load().expect("the corpus").iter().enumerate() {
        let Ok(whole) = serde_json::from_slice::<Value>(&case.input) else { continue };
        let mut found = Vec::new();
        places(&whole, "", skipped, find, &mut found);
        // Its own dialect, and one of the others in turn.
        let other = Target::by_name(TARGETS[number % TARGETS.len()]).expect("a target");
        let targets = [Target::of_dialect(case.from), other];
        let from = From::Dialect(case.from);
        for ((pointer, said), to) in found.iter().flat_map(|place| targets.iter().map(move |to| (place, *to))) {
            let bytes = said.bytes.as_deref();
            let Some((lost, standing)) = outcome(&whole, from, to, bytes) else { continue };
            for spelling in &said.spellings {
                let mut other = whole.clone();
                *other.pointer_mut(pointer).expect("a place") = spelling.clone().into();
                tried += 1;
                let after = outcome(&other, from, to, bytes);
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

#[test]
fn how_types_are_spelled_decides_nothing_else() {
    spelling_decides_nothing(&[], |key, text| {
        TYPES.contains(&key).then(|| types(text)).flatten().map(|spellings| Said { spellings, bytes: None })
    });
}

/// Arguments are what was executed.
#[test]
fn how_media_are_spelled_decides_nothing_else() {
    spelling_decides_nothing(&["arguments", "args"], |_, text| {
        media(text).map(|(head, bytes)| Said { spellings: spellings(head, &bytes), bytes: Some(bytes) })
    });
}
