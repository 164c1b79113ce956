//! The dialect of a document that does not say it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::pipeline::{How, Options, asked, convert, decode, parse, with_each_key_once};
use crate::read;
use crate::read::detect::Evidence;
use crate::read::unsupported::unsupported;
use wirecanon_check as check;
use wirecanon_check::{CheckOptions, Checked};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Error, ErrorKind, Mode, rule};

/// The dialect of a document, and why it was chosen.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{Dialect, detect_dialect};
///
/// let body = br#"{"model":"qwen3-max","messages":[{"role":"user","content":"go"}],
///     "tools":[{"type":"function","function":{"name":"look"}}]}"#;
/// let detected = detect_dialect(body, None, Limits::default())?;
/// assert_eq!(detected.dialect, Dialect::OpenAiChat);
/// println!("{}: {}", detected.dialect.name(), detected.reason);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The dialect
    pub dialect: Dialect,
    /// Why it was chosen
    pub reason: String,
}

/// Returns the dialect in which [`crate::pipeline::fix`] reads a document when none is given. `target` is the target that the document is
/// written for, if there is one.
///
/// # Errors
///
/// The bytes are no JSON, or hold no messages; their format is known and not supported; several dialects fit equally well and
/// read different conversations.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{ErrorKind, detect_dialect};
///
/// let shared = br#"{"conversations":[{"from":"human","value":"hi"},{"from":"gpt","value":"yo"}]}"#;
/// let error = detect_dialect(shared, None, Limits::default()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Undetected);
/// assert!(error.message().contains("ShareGPT"));
/// ```
pub fn detect_dialect(input: &[u8], target: Option<&Target>, limits: Limits) -> Result<Detected, Error> {
    let options = Options { to: target, limits, ..Options::default() };
    let mut report = Report::default();
    let (text, _) = decode(input, &mut report);
    let json = parse(&text, &options)?;
    let once = with_each_key_once(&json, &mut report);
    let again = once.as_deref().map(|once| parse(once, &options)).transpose()?;
    detect(again.as_ref().unwrap_or(&json), &options)
}

/// Judges `input` as [`check()`](fn@wirecanon_check::check) does, and gives no verdict that no rule is broken on a format that is known and
/// not supported.
///
/// # Errors
///
/// As [`check()`](fn@wirecanon_check::check); or the document is of such a format, which the error names, and has no list of messages, or no
/// rule is broken.
///
/// ```
/// use wirecanon_core::{CheckOptions, Dialect, ErrorKind, check_supported};
///
/// let messages = br#"[{"role":"user","parts":[{"kind":"text","text":"hi"}],"content":"hi"}]"#;
/// let error = check_supported(messages, &CheckOptions::new(Dialect::OpenAiChat)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Undetected);
/// assert!(error.message().contains("A2A"));
/// ```
pub fn check_supported(input: &[u8], options: &CheckOptions<'_>) -> Result<Checked, Error> {
    check::check_and(input, options, |json, checked| {
        let may_be = match &checked {
            Ok(checked) => checked.violations.is_empty(),
            Err(error) => error.kind() == ErrorKind::NotATranscript,
        };
        let format = may_be.then(|| unsupported(json)).flatten();
        format.map_or(checked, Err)
    })
}

/// Returns the dialect of a text, and reports why it was chosen.
pub(crate) fn detected(json: &Json<'_>, options: &Options<'_>, report: &mut Report<'static>) -> Result<Dialect, Error> {
    let Detected { dialect, reason } = detect(json, options)?;
    let what = format!("read as {}: {reason}", dialect.name());
    report.add(Entry::new(&rule::DIALECT_DETECTED, Stage::Read, Severity::Note, what));
    Ok(dialect)
}

/// The dialect of a text. The target's dialect is chosen where the text reads to the same conversation in it and the target
/// takes it as it is; else the dialect with the most evidence.
fn detect(json: &Json<'_>, options: &Options<'_>) -> Result<Detected, Error> {
    // Which dialect it is does not depend on what its result is for.
    let options = &Options { mode: Mode::History, lose_tools: true, ..options.clone() };
    if let Some(format) = unsupported(json) {
        return Err(format);
    }
    let found = read::detect::detect(json);
    let Some(best) = found.first() else {
        // Nothing is known of the text: the reason is the one that any dialect gives.
        let reason = "it holds no messages that are known".to_owned();
        return read::container::layout(json, Dialect::Canonical)
            .map(|_| Detected { dialect: Dialect::Canonical, reason });
    };
    let tied: Vec<_> = found.iter().filter(|other| other.weight == best.weight).collect();
    if let Some(dialect) = of_target(json, best, &found, options) {
        let reason = format!("the target takes it, and it reads the same as {}", best.dialect.name());
        return Ok(Detected { dialect, reason });
    }
    let dialect = match (tied.len(), best.weight) {
        (_, 0) => plain_words(json, &tied, options)?,
        (1, _) => best.dialect,
        _ => settle_tie(json, &tied, options)?,
    };
    let others: Vec<_> =
        tied.iter().map(|other| other.dialect).filter(|other| *other != dialect).map(Dialect::name).collect();
    let reason = if best.weight == 0 {
        "it holds nothing that only one dialect has".to_owned()
    } else if !others.is_empty() {
        format!("it reads the same as {}", others.join(", "))
    } else {
        best.sign.to_owned()
    };
    Ok(Detected { dialect, reason })
}

/// Evidence for another dialect that no reading of the same conversation outweighs, so that none is tried.
const DECISIVE: usize = 8;

/// Returns the dialect of the target if another one has more evidence, but the document reads to the same conversation in both,
/// and is valid for the target, or both are of one family.
fn of_target(json: &Json<'_>, best: &Evidence, found: &[Evidence], options: &Options<'_>) -> Option<Dialect> {
    let target = options.to?;
    let own = found.iter().find(|own| own.dialect == target.dialect)?;
    let (own, best, lead) = (own.dialect, best.dialect, best.weight - own.weight);
    if lead == 0 || own.is_fragment() || read::detect::contradicts(json.root(), own) {
        return None;
    }
    let is_family = read::detect::is_spelled_as_chat(own) && read::detect::is_spelled_as_chat(best);
    if !(read::detect::is_chat(own) && read::detect::is_chat(best)) && lead >= DECISIVE {
        return None;
    }
    let as_it_is = || {
        let mut report = Report::default();
        let written = convert(json, own, &asked(target, options, How::WHOLE), None, &mut report);
        matches!(written, Ok(None)) && report.repairs.is_empty()
    };
    if !is_family && !as_it_is() {
        return None;
    }
    let digests = [own, best].map(|dialect| conversation(json, dialect, options).ok()?.digest);
    (digests[0].is_some() && digests[0] == digests[1]).then_some(own)
}

/// The canonical conversation that a text is in a dialect.
struct Conversation {
    dialect: Dialect,
    digest: Option<u64>,
    /// The number of repairs on the way
    repairs: usize,
}

/// Reads the canonical conversation that a text is in a dialect.
fn conversation(json: &Json<'_>, dialect: Dialect, options: &Options<'_>) -> Result<Conversation, Error> {
    let canonical = Target::of_dialect(Dialect::Canonical);
    let mut report = Report::default();
    let written = convert(json, dialect, &asked(canonical, options, How::WHOLE), None, &mut report)?;
    let digest = digest(written.as_ref().map_or(json.text(), |written| &written.text));
    Ok(Conversation { dialect, digest, repairs: report.repairs.len() })
}

/// The advice for a document that no dialect can read.
const NAME_IT: &str = "convert it to one of `wirecanon list dialects`, or name the dialect with --from";

/// A conversation of words alone reads the same everywhere: the dialect that is asked for, if its documents look so, or
/// one with nothing to mend.
fn plain_words(json: &Json<'_>, tied: &[&Evidence], options: &Options<'_>) -> Result<Dialect, Error> {
    let Ok(layout) = read::container::layout(json, Dialect::Canonical) else { return Ok(Dialect::Canonical) };
    if let Some((message, key)) = layout.messages.clone().find_map(unread_list) {
        let words = format!("no supported dialect has `{key}` in place of `content`");
        return Err(Error::new(ErrorKind::Undetected, words).with_pointer(message.pointer()).with_hint(NAME_IT));
    }
    if layout.messages.clone().next().is_some() && !layout.messages.clone().any(read::role::shows_a_role) {
        let words = "none of its messages has a role that is known";
        return Err(Error::new(ErrorKind::Undetected, words).with_hint(NAME_IT));
    }
    let wanted = options.to.map(|target| target.dialect).filter(|dialect| !dialect.is_fragment());
    if let Some(dialect) = wanted.filter(|wanted| tied.iter().any(|candidate| candidate.dialect == *wanted)) {
        return Ok(dialect);
    }
    let mut strings = false;
    for message in layout.messages {
        if message.get("role").is_some_and(|role| role.is_str("system")) {
            return Ok(Dialect::OpenAiChat);
        }
        strings |= message.get("content").is_some_and(Value::is_string);
    }
    if !strings {
        return Ok(Dialect::Canonical);
    }
    let mends = |dialect: Dialect| {
        let mut report = Report::default();
        let written =
            convert(json, dialect, &asked(Target::of_dialect(dialect), options, How::WHOLE), None, &mut report);
        written.is_err() || !report.repairs.is_empty()
    };
    // What one of them would mend may be valid in the other, and what was mended is read as it was.
    let either = [Dialect::AnthropicMessages, Dialect::OpenAiChat];
    Ok(either.into_iter().find(|dialect| !mends(*dialect)).unwrap_or(Dialect::AnthropicMessages))
}

/// Returns the key of a list that a message has in place of its content.
fn unread_list(message: Value<'_>) -> Option<(Value<'_>, String)> {
    if message.get("content").is_some() || message.get("role").is_none() {
        return None;
    }
    let list = message.members().find(|(_, value)| value.items().next().is_some_and(Value::is_object));
    list.map(|(key, _)| (message, key.as_str().unwrap_or_default().into_owned()))
}

fn settle_tie(json: &Json<'_>, tied: &[&Evidence], options: &Options<'_>) -> Result<Dialect, Error> {
    let read: Vec<_> =
        tied.iter().map(|candidate| conversation(json, candidate.dialect, options)).collect::<Result<_, _>>()?;
    if read.iter().any(|other| other.digest != read[0].digest) {
        let names: Vec<_> = tied.iter().map(|candidate| candidate.dialect.name()).collect();
        return Err(Error::new(
            ErrorKind::Undetected,
            format!("this could be {}, and they read it differently", names.join(" or ")),
        )
        .with_hint("say which with --from"));
    }
    if let Some(target) = options.to
        && read.iter().any(|other| other.dialect == target.dialect)
    {
        return Ok(target.dialect);
    }
    Ok(read.iter().min_by_key(|other| other.repairs).map_or(Dialect::Canonical, |other| other.dialect))
}

/// A digest of a canonical text, apart from what only one dialect knows.
fn digest(text: &str) -> Option<u64> {
    let json = Json::parse(text, &Limits { max_depth: usize::MAX }).ok()?;
    let mut hasher = DefaultHasher::new();
    // A canonical document keeps what stands beside its messages.
    let parts: Vec<_> = ["messages", "tools"].iter().filter_map(|key| json.root().get(key)).collect();
    let mut todo = if parts.is_empty() { vec![json.root()] } else { parts };
    while let Some(value) = todo.pop() {
        if value.is_object() {
            let mut members: Vec<_> = value
                .members()
                .map(|(key, member)| (key.as_str().unwrap_or_default(), member))
                .filter(|(key, _)| !matches!(&**key, "native" | "origin" | "signature"))
                .collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            for (key, member) in members {
                key.hash(&mut hasher);
                todo.push(member);
            }
        } else if value.is_array() {
            value.items().count().hash(&mut hasher);
            todo.extend(value.items());
        } else {
            value.as_str().unwrap_or(Cow::Borrowed(value.raw())).hash(&mut hasher);
        }
    }
    Some(hasher.finish())
}
