//! The principles of SPEC.md as functions.
//!
//! One list, [`ALL`], serves every driver: the property tests, the fuzz targets, the runner that judges other programs,
//! and the planted mutants that prove each of them can fail. An invariant takes any [`Normalizer`] and a [`Case`] and
//! returns a [`Verdict`]; it never panics.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod canonical_first;
mod exact;
mod injective;
mod keep;
mod known;
mod local;
mod meaning;
pub mod normalizer;
mod poison;
mod promises;
mod same;
mod seen;
mod total;
mod view;

use std::cell::Cell;
use std::fmt;

pub use seen::{Seen, SeenResult, seen};

use crate::normalizer::{Normalizer, Outcome, Request};
use crate::view::Turn;
use wirecanon_convert::From;
use wirecanon_convert::read::detect;
use wirecanon_json::{Json, Limits};
use wirecanon_model::Dialect;
use wirecanon_model::Mode;
use wirecanon_model::report::Report;
use wirecanon_model::rule::Class;
use wirecanon_model::target::Target;

/// A transcript, what is asked for, and what is known about it.
///
/// ```
/// use wirecanon_core::invariant::{Case, Known};
/// use wirecanon_core::normalizer::Reference;
/// use wirecanon_core::{Dialect, From, Target};
///
/// let known = Known { valid: true, ..Known::default() };
/// let history = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]"#;
/// let case = Case::bare(history, From::Dialect(Dialect::OpenAiChat), Target::of_dialect(Dialect::OpenAiChat), &known);
/// assert_eq!(case.request().to_string().split(' ').next_back(), Some("-"), "a command for the shell");
/// assert!(!case.fragment && case.then.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Case<'c> {
    /// The transcript
    pub input: &'c [u8],
    /// Its dialect
    pub from: From,
    /// What to write
    pub to: &'c Target,
    /// What the output is for
    pub mode: Mode,
    /// It is a lone tool result
    pub fragment: bool,
    /// What is known about it
    pub known: &'c Known,
    /// A second transcript of the same dialect that may follow the first: it opens with the user and shares no call id
    pub then: Option<&'c [u8]>,
}

/// What is known about a transcript by whoever made it.
///
/// ```
/// use wirecanon_core::invariant::Known;
///
/// let known = Known { must_keep: vec!["a cat".to_owned()], rules: vec!["orphan-tool-result"], ..Known::default() };
/// assert!(!known.valid && !known.must_refuse);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Nothing is wrong with it in its own dialect
    pub valid: bool,
    /// It may be refused
    pub may_refuse: bool,
    /// Strings that must survive
    pub must_keep: Vec<String>,
    /// Strings of reasoning: they must survive in the canonical dialect
    pub reasoning: Vec<String>,
    /// Calls that nothing is wrong with
    pub calls: Vec<KnownCall>,
    /// The canonical transcript that must come out, where it is known whole
    pub canonical: Option<String>,
    /// Rules that a report must name
    pub rules: Vec<&'static str>,
    /// It must be refused
    pub must_refuse: bool,
}

impl Known {
    /// The known call that a call is: by its own word, so that one call's arguments are never taken for another's.
    fn call_of(&self, call: &view::Call<'_>) -> Option<&KnownCall> {
        let arguments = call.text()?;
        self.calls.iter().find(|known| arguments.contains(&known.quoted()))
    }
}

/// A call that nothing is wrong with.
///
/// ```
/// use wirecanon_core::invariant::{Known, KnownCall};
///
/// let call = KnownCall {
///     id: "c1".into(),
///     name: "look".into(),
///     token: "a.png".into(),
///     arguments: r#"{"at":"a.png"}"#.into(),
///     results: vec!["a cat".into()],
///     failed: false,
/// };
/// let known = Known { calls: vec![call], ..Known::default() };
/// assert_eq!(known.calls[0].name, "look");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownCall {
    /// Its id; empty where the transcript has none
    pub id: String,
    /// Its tool
    pub name: String,
    /// A string in its arguments that stands nowhere else
    pub token: String,
    /// The exact JSON text of its arguments
    pub arguments: String,
    /// Strings of its own result that stand nowhere else
    pub results: Vec<String>,
    /// Its result is a failure
    pub failed: bool,
}

impl KnownCall {
    /// The word of its own, as it stands in arguments.
    fn quoted(&self) -> String {
        format!("\"{}\"", self.token)
    }
}

impl<'c> Case<'c> {
    /// The id that a lone result of a case answers, where one is needed.
    pub const CALL_ID: &'static str = "call_1";

    /// A case of which nothing is known but its bytes.
    ///
    /// ```
    /// use wirecanon_core::invariant::{Case, Known};
    /// use wirecanon_core::{Dialect, From, Mode, Target};
    ///
    /// let known = Known::default();
    /// let result = br#"{"content":[{"type":"text","text":"a cat"}]}"#;
    /// let from = From::Dialect(Dialect::McpToolResult);
    /// let case = Case::bare(result, from, Target::of_dialect(Dialect::OpenAiChat), &known);
    /// assert!(case.fragment && case.mode == Mode::Request);
    /// ```
    pub fn bare(input: &'c [u8], from: From, to: &'c Target, known: &'c Known) -> Self {
        let fragment = match from {
            From::Dialect(dialect) => dialect == Dialect::McpToolResult,
            From::Auto => is_found_to_be_a_fragment(input),
        };
        Self { input, from, to, mode: Mode::Request, fragment, known, then: None }
    }

    /// The conversion that the case asks for.
    ///
    /// ```
    /// use wirecanon_core::invariant::{Case, Known};
    /// use wirecanon_core::{Dialect, From, Target};
    ///
    /// let (known, to) = (Known::default(), Target::of_dialect(Dialect::OpenAiChat));
    /// let result = br#"{"content":[{"type":"text","text":"a cat"}]}"#;
    /// let case = Case::bare(result, From::Dialect(Dialect::McpToolResult), to, &known);
    /// assert_eq!(case.request().call_id, Some(Case::CALL_ID), "a lone result needs the call that it answers");
    /// ```
    pub fn request(&self) -> Request<'c> {
        Request {
            input: self.input,
            from: self.from,
            to: self.to,
            mode: self.mode,
            call_id: self.fragment.then_some(Self::CALL_ID),
        }
    }
}

/// Whether `auto` takes a text for a lone result: then it is one, however its dialect was found.
fn is_found_to_be_a_fragment(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input));
    let json = Json::parse(&text, &Limits::default());
    json.is_ok_and(|json| detect(&json).first().is_some_and(|best| best.dialect.is_fragment()))
}

/// Whether an invariant holds.
///
/// ```
/// use wirecanon_core::invariant::{Case, Known, Verdict, by_id};
/// use wirecanon_core::normalizer::Reference;
/// use wirecanon_core::{Dialect, From, Target};
///
/// let known = Known { valid: true, ..Known::default() };
/// let history = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]"#;
/// let case = Case::bare(history, From::Dialect(Dialect::OpenAiChat), Target::of_dialect(Dialect::OpenAiChat), &known);
/// let identity = by_id("P4").ok_or("no such invariant")?;
/// assert_eq!((identity.check)(&Reference, &case), Verdict::Held);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does
    Held,
    /// The case says nothing about it, and why
    NotApplicable(&'static str),
    /// It does not
    Violated(Box<Violation>),
}

/// How an invariant was broken.
///
/// ```
/// use wirecanon_core::invariant::Violation;
///
/// let violation = Violation {
///     invariant: "P4",
///     message: "a clean transcript was changed".into(),
///     command: "wirecanon fix -".into(),
///     output: Some(b"[]".to_vec()),
/// };
/// assert!(violation.to_string().starts_with("P4 is broken: a clean transcript was changed"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Id of the invariant
    pub invariant: &'static str,
    /// What is wrong, in words
    pub message: String,
    /// A command that shows it
    pub command: String,
    /// What was written
    pub output: Option<Vec<u8>>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} is broken: {}", self.invariant, self.message)?;
        write!(f, "  {}", self.command)?;
        if let Some(output) = &self.output {
            write!(f, "\n  wrote: {}", String::from_utf8_lossy(output))?;
        }
        Ok(())
    }
}

/// One principle as a function.
///
/// ```
/// use wirecanon_core::invariant::ALL;
///
/// assert_eq!(ALL[0].id, "P7");
/// for invariant in ALL.iter().filter(|invariant| invariant.everyone) {
///     println!("{}: {}", invariant.id, invariant.title);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Invariant {
    /// Short and stable: `P1` to `P11`, `promises` and `known`
    pub id: &'static str,
    /// What holds, in one sentence
    pub title: &'static str,
    /// Whether it is asked of every normalizer; the others are choices of this project
    pub everyone: bool,
    /// Judges one case
    pub check: fn(&dyn Normalizer, &Case<'_>) -> Verdict,
}

/// Every invariant. `P7` stands first, because the others may expect that it holds.
///
/// ```
/// use wirecanon_core::invariant::ALL;
///
/// let choices: Vec<_> = ALL.iter().filter(|invariant| !invariant.everyone).map(|invariant| invariant.id).collect();
/// println!("not asked of others: {}", choices.join(", "));
/// assert!(ALL[0].id == "P7" && ALL[0].everyone);
/// ```
pub const ALL: &[Invariant] = &[
    Invariant { id: "P7", title: "Any bytes end in an output or a typed error.", everyone: true, check: total::total },
    Invariant {
        id: "promises",
        title: "No output holds an image without data, nor a tool call without arguments of its dialect's kind.",
        everyone: true,
        check: promises::promises,
    },
    Invariant {
        id: "P1",
        title: "What is written for a target keeps every rule of that target.",
        everyone: true,
        check: poison::never_poison,
    },
    Invariant {
        id: "P2",
        title: "Owned tool results, and what user and assistant say, survive.",
        everyone: true,
        check: keep::never_lose,
    },
    Invariant {
        id: "P3",
        title: "No words are made up, and no result is given to another call.",
        everyone: true,
        check: keep::never_invent,
    },
    Invariant {
        id: "P4",
        title: "A valid transcript comes back byte for byte in its own dialect, with no repairs.",
        everyone: false,
        check: same::identity,
    },
    Invariant {
        id: "P5",
        title: "Repairing two transcripts end to end repairs each as if it stood alone.",
        everyone: false,
        check: local::local,
    },
    Invariant {
        id: "P6",
        title: "What was written is written again byte for byte, with no repairs.",
        everyone: true,
        check: same::idempotent,
    },
    Invariant {
        id: "P8",
        title: "The same bytes in give the same bytes out.",
        everyone: false,
        check: same::deterministic,
    },
    Invariant { id: "P9", title: "Tool arguments keep their exact text.", everyone: false, check: exact::arguments },
    Invariant {
        id: "P10",
        title: "Two calls never share an id, nor two tools a name; what is valid keeps its spelling.",
        everyone: false,
        check: injective::injective,
    },
    Invariant {
        id: "P11",
        title: "What one target cannot take never shows in the canonical transcript.",
        everyone: false,
        check: canonical_first::neutral_history,
    },
    Invariant {
        id: "M1a",
        title: "A model is told by the output what a valid input tells it.",
        everyone: false,
        check: meaning::of_valid,
    },
    Invariant {
        id: "M1b",
        title: "A model is told by the output what the known outcome tells it.",
        everyone: false,
        check: meaning::of_known,
    },
    Invariant {
        id: "known",
        title: "What is known to be right comes out, and is reported.",
        everyone: false,
        check: known::known,
    },
];

/// The invariant with this id.
///
/// ```
/// use wirecanon_core::invariant::by_id;
///
/// assert_eq!(by_id("P9").map(|found| found.title), Some("Tool arguments keep their exact text."));
/// assert!(by_id("P99").is_none());
/// ```
pub fn by_id(id: &str) -> Option<&'static Invariant> {
    ALL.iter().find(|invariant| invariant.id == id)
}

/// Judges one case by every invariant; only by `P7` where that is broken. An invariant that needs a conversion which the normalizer
/// does not [claim](Normalizer::claims) does not apply.
///
/// ```
/// use wirecanon_core::invariant::{Case, Known, Verdict, check_all};
/// use wirecanon_core::normalizer::Reference;
/// use wirecanon_core::{Dialect, From, Target};
///
/// let known = Known { valid: true, ..Known::default() };
/// let history = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]"#;
/// let case = Case::bare(history, From::Dialect(Dialect::OpenAiChat), Target::of_dialect(Dialect::OpenAiChat), &known);
/// for (invariant, verdict) in check_all(&Reference, &case) {
///     assert!(!matches!(verdict, Verdict::Violated(_)), "{}", invariant.title);
/// }
/// ```
pub fn check_all(normalizer: &dyn Normalizer, case: &Case<'_>) -> Vec<(&'static Invariant, Verdict)> {
    let mut verdicts = Vec::with_capacity(ALL.len());
    for invariant in ALL {
        let claimed = Claimed { normalizer, asks_for_another: Cell::new(false) };
        let verdict = (invariant.check)(&claimed, case);
        let verdict = if claimed.asks_for_another.get() { UNCLAIMED } else { verdict };
        let stop = invariant.id == "P7" && matches!(verdict, Verdict::Violated(_));
        verdicts.push((invariant, verdict));
        if stop {
            break;
        }
    }
    verdicts
}

/// A normalizer that is asked only for what it claims.
struct Claimed<'n> {
    normalizer: &'n dyn Normalizer,
    asks_for_another: Cell<bool>,
}

impl Normalizer for Claimed<'_> {
    fn name(&self) -> &str {
        self.normalizer.name()
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        if self.normalizer.claims(request.from, request.to) {
            return self.normalizer.convert(request);
        }
        self.asks_for_another.set(true);
        Outcome::Refused { code: "other".to_owned(), message: "the conversion is not claimed".to_owned() }
    }
}

const UNCLAIMED: Verdict = Verdict::NotApplicable("it needs a conversion that the normalizer does not claim");

const REFUSED: Verdict = Verdict::NotApplicable("the conversion was refused");

/// The output of a case and, from a normalizer that writes one, its report.
struct Written {
    bytes: Vec<u8>,
    report: Option<Box<Report<'static>>>,
}

fn convert(normalizer: &dyn Normalizer, request: &Request<'_>) -> Option<Written> {
    match normalizer.convert(request) {
        Outcome::Output { bytes, report } => Some(Written { bytes, report }),
        Outcome::Refused { .. } | Outcome::Failed(_) => None,
    }
}

/// Judges what an output says: `wrong` names what is wrong with its turns, if anything.
fn judge_turns(
    id: &'static str,
    normalizer: &dyn Normalizer,
    case: &Case<'_>,
    wrong: impl FnOnce(&[Turn<'_>]) -> Option<String>,
) -> Verdict {
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    let text = String::from_utf8_lossy(&written.bytes);
    let Ok(json) = view::document(&text) else { return Verdict::NotApplicable("the output is not JSON") };
    let message = turns(&json, case.to.dialect, |_| true).map_or_else(|message| message, |turns| wrong(&turns));
    held_unless(message, id, &request, Some(&written.bytes))
}

/// Returns the turns of an output; of one that cannot be read, what is wrong with it if the judge objects to it by a rule of these
/// classes, too.
fn turns<'a>(
    json: &'a Json<'a>,
    dialect: Dialect,
    is_relevant: impl Fn(Class) -> bool,
) -> Result<Vec<Turn<'a>>, Option<String>> {
    view::turns(json, dialect).map_err(|error| {
        let (text, target) = (json.text().as_bytes(), Target::of_dialect(dialect));
        let faults = poison::faults_of(text, target, Mode::History, true, is_relevant)?;
        Some(format!("the output cannot be read: {error}; {faults}"))
    })
}

/// The verdict of an invariant that is broken where there is a message.
fn held_unless(message: Option<String>, id: &'static str, request: &Request<'_>, output: Option<&[u8]>) -> Verdict {
    message.map_or(Verdict::Held, |message| violated(id, request, output, message))
}

fn violated(id: &'static str, request: &Request<'_>, output: Option<&[u8]>, message: impl Into<String>) -> Verdict {
    Verdict::Violated(Box::new(Violation {
        invariant: id,
        message: message.into(),
        command: request.to_string(),
        output: output.map(<[u8]>::to_vec),
    }))
}
