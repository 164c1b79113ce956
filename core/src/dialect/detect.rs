//! Which dialect a text is in, and what says so.

use super::Described as _;
use super::Dialect;
use crate::json::{Json, Value};
use crate::transcript::Container;

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

pub(super) fn role(message: Value<'_>, name: &str) -> bool {
    message.get("role").is_some_and(|role| role.is_str(name))
}

pub(super) fn is(block: Value<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|found| found.is_str(kind))
}

pub(super) fn block(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("content").is_some_and(|content| content.items().take(LOOK_AT).any(shows))
}

/// Messages, and blocks of one, that are looked at. A transcript that shows its dialect only later than this is odd
/// enough to be named by hand.
const LOOK_AT: usize = 4096;

/// What a response that a dialect's API gives says: less than any sign of its message.
const RESPONSE: usize = 2;

/// What the name of a model says: less than anything else, for gateways take any model in a dialect of their own.
const MODEL: usize = 1;

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
    let mut found: Vec<_> = Dialect::ALL.into_iter().filter_map(|dialect| evidence(json, dialect)).collect();
    // A stable sort keeps the order of the table among equals.
    found.sort_by_key(|evidence| std::cmp::Reverse(evidence.weight));
    found
}

/// What speaks for one dialect, if the text can be one of its transcripts.
fn evidence(json: &Json<'_>, dialect: Dialect) -> Option<Evidence> {
    let spec = dialect.spec();
    let layout = super::layout(json, dialect).ok()?;
    let root = json.root();
    let model = root.get("messages").and_then(|_| root.get("model")?.as_str());
    if spec.names_no_model && model.is_some() {
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
    let is_its_own = model.is_some_and(|model| spec.models.iter().any(|start| model.starts_with(start)));
    let model = if is_its_own { MODEL } else { 0 };
    let weight = (spec.root_sign)(root) + response + model;
    if weight > 0 && evidence.weight == 0 {
        evidence.sign = "the document that it stands in";
    }
    evidence.weight += weight;
    // Any object could be a result: one must look like it.
    (evidence.weight > 0 || !dialect.is_fragment()).then_some(evidence)
}
