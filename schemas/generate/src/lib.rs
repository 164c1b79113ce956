//! Transcripts from raw bytes: valid ones, and broken ones.
//!
//! The same bytes give the same transcript on every machine, more bytes give a larger one, and no bytes at all give a
//! small legal one. Which features a transcript may show (pictures, reasoning, odd ids, …) is drawn first, so that some
//! transcripts are full of one thing and free of another ([swarm testing](https://agroce.github.io/issta12.pdf)).
//!
//! Every text holds a word that stands nowhere else. [`Generated::must_keep`] lists the words (and the pictures) that no
//! conversion may lose; a fault that makes it doubtful who owns a text takes its word off the list.
//!
//! ```
//! use arbitrary::Unstructured;
//! use wirecanon_generate::{self as generate, Dialect};
//!
//! let made = generate::valid(&mut Unstructured::new(&[]), Dialect::OpenAiChat);
//! let text = String::from_utf8(made.bytes).unwrap();
//! assert!(text.contains(&made.must_keep[0]));
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod config;
mod conversation;
pub mod defect;
mod dialect;
mod draw;
pub mod instance;
mod mcp;
pub(crate) mod media;
pub(crate) mod node;
mod noise;
pub(crate) mod outcome;
pub(crate) mod plan;
mod revision;
pub(crate) mod spell;
#[cfg(feature = "proptest")]
pub mod strategy;
pub(crate) mod values;

use arbitrary::Unstructured;

use crate::defect::{Choice, Defect, Effect, Site};
pub(crate) use config::Config;
pub use dialect::Dialect;
pub(crate) use draw::Draw;
pub use noise::{noise, stream};
pub use revision::{Form, Revision};

/// The order of draws is part of what stored byte seeds mean; this number changes with it.
///
/// ```
/// use wirecanon_generate::{FORMAT, noise};
///
/// let name = format!("v{FORMAT}-seed-7.bin");
/// println!("{name}: {:02x?}", noise(7, 8));
/// assert!(name.starts_with("v2-"), "seeds of another format mean other transcripts");
/// ```
pub const FORMAT: u32 = 2;

/// A tool call of a generated transcript.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::{self as generate, Dialect, noise};
///
/// let made = generate::valid(&mut Unstructured::new(&noise(7, 600)), Dialect::OpenAiChat);
/// let text = String::from_utf8_lossy(&made.bytes);
/// assert!(made.calls.iter().all(|call| call.arguments.contains(&call.token) && text.contains(&call.token)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its id, as the transcript has it, trimmed; empty where the transcript has none, which is legal in some dialects
    pub id: String,
    /// Its tool, as the transcript has it, trimmed
    pub name: String,
    /// The word in its arguments that stands nowhere else
    pub token: String,
    /// The exact JSON text of its arguments
    pub arguments: String,
    /// The words of its own result; empty where a fault made the owner doubtful
    pub results: Vec<String>,
    /// Its result is a failure, and says so as its dialect does
    pub failed: bool,
}

/// A generated transcript, and what is known of it.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::defect::Effect;
/// use wirecanon_generate::{self as generate, Dialect, noise};
///
/// let made = generate::valid(&mut Unstructured::new(&noise(7, 600)), Dialect::OpenAiChat);
/// assert!(made.valid && made.faults.is_empty() && made.rules.is_empty());
/// assert_eq!((made.effect, made.canonical.is_some()), (Effect::Exact, true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// How it is spelled
    pub dialect: Dialect,
    /// The revision whose rules it keeps, where the dialect has several
    pub revision: Option<Revision>,
    /// Its text; UTF-8 unless a fault says otherwise
    pub bytes: Vec<u8>,
    /// Made without faults: its dialect has nothing to say against it
    pub valid: bool,
    /// The limits of the dialect's own vendor are kept too (id and name characters, lengths, who opens)
    pub strict: bool,
    /// What was done to it, in the order it was done
    pub faults: Vec<&'static str>,
    /// Words of texts, and base64 of pictures, that must survive every conversion
    pub must_keep: Vec<String>,
    /// Words of reasoning: they must survive in the canonical dialect and in their own
    pub reasoning: Vec<String>,
    /// Calls whose ids, names, arguments and results no fault touched
    pub calls: Vec<Call>,
    /// A fault may have left something that is no transcript at all
    pub may_refuse: bool,
    /// What is known of the outcome: the weakest of what its defects say
    pub effect: Effect,
    /// Rules that a report must name
    pub rules: Vec<&'static str>,
    /// The canonical transcript that must come out, where the effect is exact
    pub canonical: Option<String>,
}

/// A transcript without faults.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::{self as generate, Dialect};
/// use wirecanon_schemas::validate::validate;
///
/// let made = generate::valid(&mut Unstructured::new(&[]), Dialect::MistralChat);
/// let json = serde_json::from_slice(&made.bytes)?;
/// assert!(validate("mistral/chat", &json)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn valid(u: &mut Unstructured<'_>, form: impl Into<Form>) -> Generated {
    let draw = &mut Draw::new(u);
    any(draw, form.into(), false, 'a')
}

/// A transcript with at least one fault.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::{self as generate, Dialect, noise};
///
/// let made = generate::broken(&mut Unstructured::new(&noise(7, 600)), Dialect::MistralChat);
/// assert!(!made.valid && !made.faults.is_empty());
/// ```
pub fn broken(u: &mut Unstructured<'_>, form: impl Into<Form>) -> Generated {
    let draw = &mut Draw::new(u);
    any(draw, form.into(), true, 'a')
}

/// A transcript with these defects, all of them. None if there is nothing in it that one of them could break: further
/// bytes give another transcript.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::defect;
/// use wirecanon_generate::{self as generate, Dialect, noise};
///
/// let orphan = defect::by_id("orphan-result").ok_or("no such defect")?;
/// let from = |seed| generate::broken_by(&mut Unstructured::new(&noise(seed, 600)), Dialect::OpenAiChat, &[orphan]);
/// let made = (0..).find_map(from).ok_or("nothing to break")?;
/// assert_eq!((made.faults, made.rules), (vec!["orphan-result"], vec!["orphan-tool-result"]));
/// # Ok::<(), &str>(())
/// ```
pub fn broken_by(u: &mut Unstructured<'_>, form: impl Into<Form>, defects: &[&'static Defect]) -> Option<Generated> {
    make(&mut Draw::new(u), form.into(), Choice::These(defects), 'a')
}

/// Two transcripts that share no call id; the second opens with a user message. Both are valid, or both may be broken.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::{self as generate, Dialect, noise};
///
/// let (one, then) = generate::pair(&mut Unstructured::new(&noise(7, 900)), Dialect::OpenAiChat, false);
/// assert!(one.calls.iter().all(|call| then.calls.iter().all(|other| other.id != call.id)));
/// ```
pub fn pair(u: &mut Unstructured<'_>, form: impl Into<Form>, faults: bool) -> (Generated, Generated) {
    let draw = &mut Draw::new(u);
    let form = form.into();
    let first = any(draw, form, faults, 'a');
    (first, any(draw, form, faults, 'b'))
}

fn any(draw: &mut Draw<'_, '_>, form: Form, faults: bool, letter: char) -> Generated {
    let choice = if faults { Choice::Any } else { Choice::Nothing };
    // Only defects that somebody named can find nothing to break.
    make(draw, form, choice, letter).unwrap_or_else(|| unreachable!("nothing was asked for"))
}

fn make(draw: &mut Draw<'_, '_>, form: Form, choice: Choice<'_>, letter: char) -> Option<Generated> {
    let config = Config::draw(draw, form, !choice.is_nothing());
    let speller = form.dialect.speller();
    let mut plan = (speller.plan)(draw, &config, letter);
    plan.settle(&config);
    let on = &mut Site { draw: draw.reborrow(), plan: &mut plan, dialect: form.dialect };
    choice.plan(on, &config)?;
    // Without ids, names and order alone say whose a result is: a defect makes that doubtful. So does another id where a
    // part has but one, for the call and for its result.
    let doubtful = !config.ids || (!form.dialect.has_results_apart() && on.plan.has_odd_ids());
    if doubtful && !choice.is_nothing() {
        on.plan.forget_pairs();
    }
    let mut root = (speller.document)(&mut on.draw, &config, on.plan);
    choice.tree(on, &mut root)?;
    let mut bytes = node::print(&root, config.style).into_bytes();
    if config.trailing_newline {
        bytes.push(b'\n');
    }
    choice.bytes(on, &mut bytes)?;
    Some(plan.finish(&config, bytes))
}

#[cfg(test)]
mod tests;
