//! A case made from a message: what a person would only copy is filled in, and what a person must work out is proposed and
//! marked as such.

use serde_json::{Map, Value as Json, json};
use wirecanon_core::json::{self as text, Limits, quote};
use wirecanon_core::{Dialect, ErrorKind, From, Options, Report, Target, fix, rule};
use wirecanon_judge::case::layout::{Order, laid_out};
use wirecanon_judge::case::{ExpectedRepair, Form, shape};
use wirecanon_judge::exit::Stop;
use wirecanon_judge::judge::reported;
use wirecanon_judge::loss;

/// What stands in a draft until a person has reviewed it.
pub const REVIEW: &str = "The outcome is what the reference says. Work it out by hand from SPEC.md, write other words and data \
    than the report has, correct what differs, then delete this line.";

/// What the person who makes a case knows already.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Dialect of the message; found where it is not known
    pub from: Option<Dialect>,
    /// Id
    pub id: Option<String>,
    /// Class
    pub class: Option<String>,
    /// Title
    pub title: Option<String>,
    /// Citations
    pub source: Vec<String>,
    /// Tags
    pub tags: Vec<String>,
    /// Targets whose outcome shall be pinned
    pub targets: Vec<&'static Target>,
    /// Whether the exact text counts
    pub exact: bool,
}

/// A case that waits for its review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Where it belongs below the corpus
    pub file: String,
    /// Its text
    pub text: String,
    /// Dialect that was found, and why
    pub from: String,
    /// What the person has still to write
    pub open: Vec<&'static str>,
}

/// Makes a case of a message.
///
/// # Errors
///
/// No dialect fits the message, or several do; or its bytes are no transcript in the given one and that is no refusal.
pub fn draft(bytes: &[u8], known: &Known) -> Result<Draft, Stop> {
    let canonical = Target::of_dialect(Dialect::Canonical);
    let found = answer(bytes, known.from, canonical);
    let (from, why) = match (&found, known.from) {
        (_, Some(from)) => (from, String::new()),
        (Ok((_, report)), None) => {
            let note = report.notes.iter().find(|note| note.rule == rule::DIALECT_DETECTED.id);
            let from = Dialect::by_name(&report.from).unwrap_or(Dialect::Canonical);
            (from, note.map(|note| note.message.to_string()).unwrap_or_default())
        }
        (Err(error), None) => return Err(Stop::usage(format!("{error}; name the dialect with --from"))),
    };
    let mut expect = Map::new();
    let mut repairs = Vec::new();
    let mut may_refuse = json!(false);
    let mut fixed = String::new();
    match found {
        Ok((output, report)) => {
            repairs = reported(&report, true);
            fixed = output;
        }
        Err(error) => may_refuse = json!(error.kind().refusal_code()),
    }
    let identity = repairs.is_empty() && !fixed.is_empty() && is_identity(bytes, from);
    let class = known.class.clone().unwrap_or_else(|| class_of(&repairs));
    let id = known.id.clone().unwrap_or_else(|| match repairs.first() {
        Some(repair) => format!("{}-in-{}", repair.rule, from.name().replace('.', "-")),
        None => format!("{}-valid", from.name().replace('.', "-")),
    });
    let (form, input) = form_of(bytes, known.exact);
    // The texts of values are put in last, so that numbers and key order stay as they are. No message can hold the digest of
    // itself, so nothing else is taken for these marks.
    let seal = wirecanon_judge::case::digest::sha256(bytes);
    let canonical_text = if fixed.is_empty() { None } else { Some(escaped(&fixed)?) };
    if canonical_text.is_some() {
        expect.insert("canonical".to_owned(), json!(format!("@canonical {seal}")));
        expect.insert("repairs".to_owned(), json!(repairs));
    }
    expect.insert("must_keep".to_owned(), json!(loss::texts_of(&fixed)));
    expect.insert("may_refuse".to_owned(), may_refuse);
    let mut outputs = Vec::new();
    let mut targets = Map::new();
    for target in &known.targets {
        let mut own = Map::new();
        match answer(bytes, Some(from), target) {
            Ok((output, report)) => {
                own.insert("output".to_owned(), json!(format!("@{} {seal}", target.name)));
                own.insert("repairs".to_owned(), json!(reported(&report, false)));
                outputs.push((format!("\"@{} {seal}\"", target.name), escaped(&output)?));
            }
            Err(error) => {
                own.insert("may_refuse".to_owned(), json!(error.kind().refusal_code()));
            }
        }
        targets.insert(target.name.clone(), own.into());
    }
    if !targets.is_empty() {
        expect.insert("targets".to_owned(), targets.into());
    }
    let mut tags = known.tags.clone();
    if identity && !tags.iter().any(|tag| tag == "identity") {
        tags.push("identity".to_owned());
    }
    let case = json!({
        "id": id,
        "title": known.title.as_deref().unwrap_or("TODO: one sentence that says what must happen."),
        "class": class,
        "source": if known.source.is_empty() { vec!["TODO".to_owned()] } else { known.source.clone() },
        "from": from.name(),
        form.key(): format!("@input {seal}"),
        "expect": expect,
        "tags": tags,
        "since": env!("CARGO_PKG_VERSION"),
        "review": REVIEW,
    });
    let mut text = case.to_string().replace(&format!("\"@input {seal}\""), &input);
    if let Some(canonical) = canonical_text {
        text = text.replace(&format!("\"@canonical {seal}\""), &canonical);
    }
    for (mark, output) in outputs {
        text = text.replace(&mark, &output);
    }
    let neat = text::Json::parse(&text, &Limits::default()).map_err(|error| Stop::usage(error.to_string()))?;
    let mut open = vec!["review"];
    open.extend(known.title.is_none().then_some("title"));
    open.extend(known.source.is_empty().then_some("source"));
    Ok(Draft {
        file: format!("{class}/{id}.json"),
        text: laid_out(&neat, Order::Set),
        from: if why.is_empty() { format!("read as {}", from.name()) } else { why },
        open,
    })
}

fn answer<'b>(
    bytes: &'b [u8],
    from: Option<Dialect>,
    to: &Target,
) -> Result<(String, Report<'b>), wirecanon_core::Error> {
    let from = from.map_or(From::Auto, From::Dialect);
    let fixed = fix(bytes, &Options { from, to: Some(to), strict: true, ..Options::default() })?;
    let output = String::from_utf8(fixed.output.into_owned())
        .map_err(|_| wirecanon_core::Error::new(ErrorKind::NotJson, "the output is not UTF-8"))?;
    Ok((output, fixed.report))
}

fn is_identity(bytes: &[u8], from: Dialect) -> bool {
    fix(bytes, &Options::new().from(from).to(from))
        .is_ok_and(|fixed| fixed.report.repairs.is_empty() && fixed.output == bytes)
}

/// The class of the first repair that is about more than spelling, or of pairing, which every history is about.
fn class_of(repairs: &[ExpectedRepair]) -> String {
    let class = repairs.iter().find_map(|repair| rule::by_id(&repair.rule)).map_or("pairing", |rule| rule.class.slug());
    class.to_owned()
}

/// How the input is given, and its text there.
fn form_of(bytes: &[u8], exact: bool) -> (Form, String) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return (Form::Base64, quote(&base64_simd::STANDARD.encode_to_string(bytes)));
    };
    // What a common parser refuses or reads otherwise is a matter of its text.
    let plain = serde_json::from_str::<Json>(text).is_ok() && text::Json::parse(text, &Limits::default()).is_ok();
    // A file whose input is `null` says that it has none.
    let plain = plain && text.trim() != "null";
    match escaped(text) {
        Ok(input) if plain && !exact && !has_twins(text) => (Form::Json, input),
        _ => (Form::Text, quote(text)),
    }
}

/// Whether an object has two members with one key.
fn has_twins(text: &str) -> bool {
    let Ok(json) = text::Json::parse(text, &Limits::default()) else { return false };
    (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_object()).any(|object| {
        let keys: Vec<_> = object.members().filter_map(|(key, _)| key.as_str()).collect();
        keys.iter().collect::<std::collections::BTreeSet<_>>().len() < keys.len()
    })
}

/// A JSON text in which nothing looks like a shape; as a whole under `$literal` where something does.
fn escaped(text: &str) -> Result<String, Stop> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let limits = Limits::default();
    let json = match text::Json::parse(text, &limits) {
        Ok(json) => json,
        Err(_) if lines.len() > 1 => return escaped(&format!("[{}]", lines.join(","))),
        Err(error) => return Err(Stop::usage(error.to_string())),
    };
    Ok(if shape::has_dollar_keys(&json) { format!("{{\"$literal\":{text}}}") } else { text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case::parse;

    const BROKEN: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":{"n":9007199254740993}}}]},{"role":"tool","tool_call_id":"call_a","content":"seen"}],"metadata":[{"x":1.0}]}"#;

    #[test]
    fn a_message_becomes_a_case_that_waits_for_review() {
        let draft = draft(BROKEN.as_bytes(), &Known::default()).unwrap();
        let case = parse(&draft.file, draft.text.as_bytes()).unwrap();
        assert_eq!(case.from, Dialect::OpenAiChat);
        assert_eq!(case.input, BROKEN.as_bytes());
        assert!(case.review.is_some() && case.expect.repairs.as_ref().is_some_and(|list| !list.is_empty()));
        assert!(case.expect.canonical.unwrap().get().contains("9007199254740993"));
        assert_eq!(case.expect.must_keep, ["go", "seen"]);
        assert_eq!(draft.open, ["review", "title", "source"]);
        assert!(draft.file.starts_with("tool-args/"), "{}", draft.file);
    }

    #[test]
    fn what_is_known_is_taken_and_targets_are_pinned() {
        let known = Known {
            id: Some("a-b".to_owned()),
            class: Some("pairing".to_owned()),
            title: Some("A thing happens.".to_owned()),
            source: vec!["o/r#1".to_owned()],
            targets: vec![Target::by_name("anthropic").unwrap()],
            ..Known::default()
        };
        let draft = draft(BROKEN.as_bytes(), &known).unwrap();
        assert_eq!((draft.file.as_str(), &draft.open[..]), ("pairing/a-b.json", &["review"][..]));
        let case = parse(&draft.file, draft.text.as_bytes()).unwrap();
        assert!(
            case.expect.targets["anthropic"].output.is_some() && case.expect.targets["anthropic"].repairs.is_some()
        );
    }

    #[test]
    fn the_form_of_the_input_is_the_one_that_keeps_it() {
        let of = |bytes: &[u8]| {
            let draft = draft(bytes, &Known { from: Some(Dialect::OpenAiChat), ..Known::default() }).unwrap();
            let case = parse(&draft.file, draft.text.as_bytes()).unwrap();
            assert!(case.form == Form::Json || case.input == bytes);
            (case.form, case.tags)
        };
        let identity = vec!["identity".to_owned()];
        assert_eq!(of(br#"[{"role":"user","content":"a"}]"#), (Form::Json, identity.clone()));
        assert_eq!(of(br#"[{"role":"user","content":"a","x":{"$ref":"b"}}]"#).0, Form::Json);
        assert_eq!(of(br#"[{"role":"user","content":"a","content":"b"}]"#).0, Form::Text);
        assert_eq!(of(b"[{\"role\":\"user\",\"content\":\"\\ud800\"}]").0, Form::Text);
        assert_eq!(of(b"[{\"role\":\"user\",\"content\":\"\xff\"}]").0, Form::Base64);
        let refused = draft(b"17", &Known { from: Some(Dialect::OpenAiChat), ..Known::default() }).unwrap();
        let case = parse(&refused.file, refused.text.as_bytes()).unwrap();
        assert_eq!(case.expect.may_refuse.code(), Some("other"));
        assert!(draft(b"17", &Known::default()).is_err());
        let nothing = draft(b"null", &Known { from: Some(Dialect::OpenAiChat), ..Known::default() }).unwrap();
        assert_eq!(parse(&nothing.file, nothing.text.as_bytes()).unwrap().form, Form::Text);
    }
}
