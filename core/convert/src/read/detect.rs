//! Which dialect a text is in, and what says so.

use crate::dialects::Described as _;
use crate::read::body_signs::{self, BodySign};
use crate::read::container;
use wirecanon_json::{Json, Value};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::Container;

/// What speaks for a dialect.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::detect;
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"[{"role":"user","parts":[{"text":"hi"}]}]"#, &Limits::default())?;
/// let best = &detect(&json)[0];
/// assert_eq!(best.dialect, Dialect::GeminiContents);
/// println!("{} because of {}", best.dialect.name(), best.sign);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The dialect
    pub dialect: Dialect,
    /// How much speaks for it; only the order of two numbers means anything
    pub weight: usize,
    /// The strongest sign, in words
    pub sign: &'static str,
}

pub(crate) fn role(message: Value<'_>, name: &str) -> bool {
    message.get("role").is_some_and(|role| role.is_str(name))
}

pub(crate) fn is(block: Value<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|found| found.is_str(kind))
}

pub(crate) fn block(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("content").is_some_and(|content| content.items().take(LOOK_AT).any(shows))
}

/// Messages, and blocks of one, that are looked at. A transcript that shows its dialect only later than this is odd
/// enough to be named by hand.
const LOOK_AT: usize = 4096;

/// What a response that a dialect's API gives says: less than any sign of its message.
const RESPONSE: usize = 2;

/// What speaks for each dialect, strongest first; empty when the text holds no messages of any.
///
/// ```
/// use wirecanon_core::dialect::detect;
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"{"answer":42}"#, &Limits::default())?;
/// assert!(detect(&json).is_empty(), "there are no messages in it");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn detect(json: &Json<'_>) -> Vec<Evidence> {
    let body = body_signs::signs(json.root());
    let mut found: Vec<_> = Dialect::ALL.into_iter().filter_map(|dialect| evidence(json, dialect, &body)).collect();
    let base = found.iter().find(|(evidence, _)| evidence.dialect == BASE).map_or(0, |(evidence, _)| evidence.weight);
    let only_base = weight_of_body(&body, |sign| sign.dialects == [BASE]);
    for (evidence, of_messages) in found.iter_mut().filter(|(evidence, _)| VARIANTS.contains(&evidence.dialect)) {
        let is_own = |sign: &BodySign| sign.dialects.contains(&evidence.dialect) && !sign.dialects.contains(&BASE);
        let shared = weight_of_body(&body, |sign| sign.dialects.contains(&evidence.dialect) && !is_own(sign));
        if *of_messages > FAULT || body.iter().any(is_own) {
            // All else that it shows is of the base, too.
            evidence.weight += base.saturating_sub(only_base).saturating_sub(shared);
        } else {
            evidence.weight = *of_messages;
        }
    }
    let mut found: Vec<_> = found.into_iter().map(|(evidence, _)| evidence).collect();
    // A stable sort keeps the order of the table among equals.
    found.sort_by_key(|evidence| std::cmp::Reverse(evidence.weight));
    found
}

/// The dialect from which [`VARIANTS`] have their messages.
const BASE: Dialect = Dialect::OpenAiChat;

/// The weight of a sign of a variant that may as well be a fault of the base.
const FAULT: usize = 5;

/// Dialects that spell most of a conversation as [`BASE`] does. One of them is meant only if something of its own says so.
const VARIANTS: [Dialect; 3] = [Dialect::MistralChat, Dialect::CohereV2, Dialect::OllamaChat];

/// Returns true for Chat Completions and the dialects that spell most of a conversation as it does.
pub(crate) fn is_chat(dialect: Dialect) -> bool {
    dialect == BASE || VARIANTS.contains(&dialect)
}

/// Returns true for Chat Completions and the dialects that spell calls, results and texts as it does.
pub(crate) fn is_spelled_as_chat(dialect: Dialect) -> bool {
    matches!(dialect, BASE | Dialect::MistralChat | Dialect::CohereV2)
}

/// Returns true if the document has a tool definition, a tool choice or a key that requests of the dialect do not have. Ollama's own
/// keys are no contradiction to Chat Completions, which its server speaks, too.
pub(crate) fn contradicts(root: Value<'_>, dialect: Dialect) -> bool {
    let is_known =
        |sign: &BodySign| sign.dialects.contains(&dialect) || dialect == BASE && sign.dialects == [Dialect::OllamaChat];
    body_signs::signs(root).iter().any(|sign| sign.kind != body_signs::Kind::Model && !is_known(sign))
}

/// Returns the weight of the signs of a document that count, without more than the limit for keys.
fn weight_of_body(body: &[BodySign], counts: impl Fn(&BodySign) -> bool) -> usize {
    let (mut weight, mut keys) = (0, 0);
    for sign in body.iter().filter(|sign| counts(sign)) {
        if sign.kind == body_signs::Kind::Key { keys += sign.weight } else { weight += sign.weight }
    }
    weight + keys.min(body_signs::ALL_KEYS)
}

/// What speaks for one dialect, if the text can be one of its transcripts, and how much of that are its messages.
fn evidence(json: &Json<'_>, dialect: Dialect, body: &[BodySign]) -> Option<(Evidence, usize)> {
    let spec = dialect.spec();
    let layout = container::layout(json, dialect).ok()?;
    let root = json.root();
    if spec.names_no_model && root.get("messages").is_some() && root.get("model").is_some_and(Value::is_string) {
        return None;
    }
    let mut evidence = Evidence { dialect, weight: 0, sign: "nothing that only one dialect has" };
    for sign in spec.signs {
        if !layout.messages.clone().take(LOOK_AT).any(|message| message.is_object() && (sign.shows)(message)) {
            continue;
        }
        if evidence.weight == 0 {
            evidence.sign = sign.words;
        }
        evidence.weight += sign.weight;
    }
    let response = if matches!(layout.container, Container::Response) { RESPONSE } else { 0 };
    let document = (spec.root_sign)(root) + response;
    if document > 0 && evidence.weight == 0 {
        evidence.sign = "the document that it stands in";
    }
    evidence.weight += document;
    let of_messages = evidence.weight;
    let of_body = weight_of_body(body, |sign| sign.dialects.contains(&dialect));
    if of_body > 0 && evidence.weight == 0 {
        let strongest = body.iter().filter(|sign| sign.dialects.contains(&dialect)).max_by_key(|sign| sign.weight);
        evidence.sign = strongest.map_or(evidence.sign, |sign| sign.kind.description());
    }
    evidence.weight += of_body;
    // Any object could be a result: one must look like it.
    (evidence.weight > 0 || !dialect.is_fragment()).then_some((evidence, of_messages))
}
