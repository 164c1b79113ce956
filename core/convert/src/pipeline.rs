//! The way through: read, repair, write.

mod detection;
mod native;
mod pieces;
mod refused;

use std::borrow::Cow;

use crate::dialects::Described as _;

pub use wirecanon_model::Mode;

pub use crate::pipeline::detection::{Detected, check_supported, detect_dialect};
pub use crate::pipeline::pieces::{FixedInPieces, Pieces};
use crate::pipeline::refused::{Anew, Refused};
use crate::print::Written;
use crate::read;
use crate::step::Steps;
use crate::{print, repair};
use wirecanon_check as check;
use wirecanon_check::{CheckOptions, Checked};
use wirecanon_json as json;
use wirecanon_json::{Json, Kind, Limits, PointerCursor, Value, doubled, parse_lines, without};
use wirecanon_model::Dialect;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule;
use wirecanon_model::target::Target;
use wirecanon_model::transcript::Transcript;
use wirecanon_model::{Error, ErrorKind};

/// The dialect of the input.
///
/// ```
/// use wirecanon_core::{Dialect, From, Options};
///
/// assert_eq!(Options::new().from, From::Auto);
/// assert_eq!(Options::new().from(Dialect::OpenAiChat).from, From::Dialect(Dialect::OpenAiChat));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// Found from the text; the report's notes say what was taken and why
    #[default]
    Auto,
    /// Known
    Dialect(Dialect),
}

/// How [`fix`] works.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{Dialect, Options, Target, fix};
///
/// let target = Target::by_name("anthropic")?;
/// let options = Options::new().from(Dialect::OpenAiChat).to(target).as_history().within(Limits { max_depth: 64 });
/// let fixed = fix(br#"[{"role":"user","content":"hi"}]"#, &options)?;
/// assert_eq!(fixed.report.to, "anthropic");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options<'t> {
    /// The dialect of the input
    pub from: From,
    /// What to write; `None` writes the dialect that was read
    pub to: Option<&'t Target>,
    /// What the output is for
    pub mode: Mode,
    /// What the input may ask of the machine
    pub limits: Limits,
    /// The call that a lone tool result answers, where the target needs one
    pub call_id: Option<String>,
    /// Whether an input of the target's own dialect is repaired for warnings alone
    pub strict: bool,
    /// Leaves out tool definitions that the target cannot express, where they are refused otherwise
    pub lose_tools: bool,
}

/// What [`fix`] made.
///
/// ```
/// use std::borrow::Cow;
/// use wirecanon_core::{Dialect, Options, fix};
///
/// let clean = br#"[{"role":"user","content":"hi"}]"#;
/// let fixed = fix(clean, &Options::new().from(Dialect::OpenAiChat))?;
/// assert!(!fixed.report.changed);
/// assert!(matches!(fixed.output, Cow::Borrowed(_)), "what is clean is not copied");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fixed<'a> {
    /// The mended text; the input's own bytes where nothing had to change
    pub output: Cow<'a, [u8]>,
    /// Every change
    pub report: Report<'a>,
}

impl Fixed<'_> {
    /// The same, which borrows nothing of the input.
    ///
    /// ```
    /// use wirecanon_core::{Fixed, Options, fix};
    ///
    /// fn mended(input: Vec<u8>) -> Result<Fixed<'static>, wirecanon_core::Error> {
    ///     Ok(fix(&input, &Options::new())?.into_owned())
    /// }
    /// let hi = br#"[{"role":"user","content":"hi"}]"#;
    /// assert_eq!(*mended(hi.to_vec())?.output, *hi);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn into_owned(self) -> Fixed<'static> {
        Fixed { output: Cow::Owned(self.output.into_owned()), report: self.report.into_owned() }
    }
}

/// Reads `input`, mends it, and writes it for the target. Linear in the input; nothing is copied that does not change.
///
/// # Errors
///
/// The bytes are no transcript, or the conversion cannot be expressed. Whatever is a transcript is written, however broken.
///
/// ```
/// use wirecanon_core::{Dialect, Options, fix};
///
/// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let fixed = fix(late, &Options::new().from(Dialect::OpenAiChat))?;
/// assert_eq!(fixed.report.repairs[0].rule, "orphan-tool-result");
/// assert!(!String::from_utf8_lossy(&fixed.output).contains(r#""role":"tool""#));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn fix<'a>(input: &'a [u8], options: &Options<'_>) -> Result<Fixed<'a>, Error> {
    fix_by(input, options, Steps::All)
}

/// The same, but of the output only what was made: long parts of the input that did not change are not copied, as long as it is
/// written in its own dialect. What else is written is one piece.
///
/// # Errors
///
/// As [`fix`].
///
/// ```
/// use wirecanon_core::{Dialect, Options, fix, fix_in_pieces};
///
/// let late = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let options = Options::new().from(Dialect::OpenAiChat);
/// let mut written = Vec::new();
/// fix_in_pieces(late, &options)?.output.write_to(&mut written)?;
/// assert_eq!(written, *fix(late, &options)?.output);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fix_in_pieces<'a>(input: &'a [u8], options: &Options<'_>) -> Result<FixedInPieces<'a>, Error> {
    fix_in_pieces_over(input, options, LONGEST_COPY)
}

/// Parts of the input that are no longer than this are copied.
const LONGEST_COPY: usize = 2048;

/// The same as [`fix_in_pieces`]; parts of the input that are no longer than `longest_copy` are copied.
pub(crate) fn fix_in_pieces_over<'a>(
    input: &'a [u8],
    options: &Options<'_>,
    longest_copy: usize,
) -> Result<FixedInPieces<'a>, Error> {
    let (output, report) = made(input, options, How { in_pieces: Some(longest_copy), ..How::WHOLE })?;
    Ok(FixedInPieces { output, report })
}

/// How an output is made.
#[derive(Clone, Copy)]
struct How<'h> {
    steps: Steps,
    /// Parts of the input that are longer than this are not copied
    in_pieces: Option<usize>,
    /// Whether an input of the target's own dialect is judged first, and left as it is where the target takes it
    judges: bool,
    /// What of the input is written anew, and in which way
    refused: Option<(&'h Refused, Anew)>,
}

impl How<'_> {
    const WHOLE: Self = Self { steps: Steps::All, in_pieces: None, judges: true, refused: None };
}

/// The same as [`fix`], by these steps.
pub(crate) fn fix_by<'a>(input: &'a [u8], options: &Options<'_>, steps: Steps) -> Result<Fixed<'a>, Error> {
    let judges = matches!(steps, Steps::All);
    let (output, report) = made(input, options, How { steps, judges, ..How::WHOLE })?;
    Ok(Fixed { output: output.into_bytes(), report })
}

/// What the pipeline made of an input.
struct Made<'a> {
    output: Pieces<'a>,
    report: Report<'a>,
    /// What the target refuses in the input, where that is of the target's own dialect
    refused: Option<Refused>,
}

/// Runs the pipeline. An input of the target's own dialect that [`check`](fn@wirecanon_check::check) finds no error in stays as it is; where
/// errors would remain in messages, those are written anew.
fn made<'a>(input: &'a [u8], options: &Options<'_>, how: How<'_>) -> Result<(Pieces<'a>, Report<'a>), Error> {
    let Made { output, report, refused } = run_pipeline(input, options, how)?;
    let Some(refused) = refused.filter(|refused| !refused.is_empty()) else { return Ok((output, report)) };
    let written = output.to_bytes();
    let remaining = broken_rules(&written, options, &report);
    let is_silent = report.repairs.is_empty() && *written != *input;
    if remaining.is_empty() && !is_silent {
        return Ok((output, report));
    }
    let refused = refused.remaining(&remaining);
    for anew in Anew::ALL {
        let again = run_pipeline(input, options, How { refused: Some((&refused, anew)), judges: false, ..how })?;
        if broken_rules(&again.output.to_bytes(), options, &again.report).is_empty() {
            return Ok((again.output, again.report));
        }
    }
    Ok((output, report))
}

/// The rules for which the target refuses an output.
fn broken_rules(output: &[u8], options: &Options<'_>, report: &Report<'_>) -> Vec<&'static str> {
    let Some(dialect) = Dialect::by_name(&report.from) else { return Vec::new() };
    let checked = check::check(output, &check_options(target_of(options, dialect), options));
    checked.map_or_else(|_| Vec::new(), |checked| checked.errors().map(|error| error.rule).collect())
}

fn check_options<'t>(target: &'t Target, options: &Options<'_>) -> CheckOptions<'t> {
    CheckOptions { target, mode: options.mode, fragment: false, limits: options.limits }
}

fn accepts(checked: &Checked, options: &Options<'_>) -> bool {
    if options.strict { checked.violations.is_empty() } else { checked.errors().next().is_none() }
}

fn run_pipeline<'a>(input: &'a [u8], options: &Options<'_>, how: How<'_>) -> Result<Made<'a>, Error> {
    let mut report = Report::default();
    let (text, start) = decode(input, &mut report);
    // Pieces are of the input.
    let how = How { in_pieces: how.in_pieces.filter(|_| matches!(text, Cow::Borrowed(_))), ..how };
    let Mended { written, refused } = mended(&parse(&text, options)?, options, how, &mut report)?;
    let report = match &text {
        Cow::Borrowed(text) => report.quoting(text),
        Cow::Owned(text) => {
            report.quote_copied(text);
            report
        }
    };
    let output = match (written, text) {
        (Some(written), _) => pieces(written, &input[start..]),
        (None, Cow::Borrowed(_)) if start == 0 => Pieces::all_of(input),
        (None, text) => Pieces::of(text.into_owned(), Vec::new()),
    };
    Ok(Made { output, report, refused })
}

/// What was written of this text.
fn pieces(written: Written, source: &[u8]) -> Pieces<'_> {
    let parts = written.pieces.into_iter().map(|piece| (piece.behind, &source[piece.span]));
    Pieces::of(written.text, parts.collect())
}

/// What became of a proved text.
struct Mended {
    /// `None` when that is the text itself
    written: Option<Written>,
    /// What the target refuses in the text, where that is of the target's own dialect
    refused: Option<Refused>,
}

/// Repairs a parsed text and writes it.
fn mended<'a>(
    json: &'a Json<'a>,
    options: &Options<'_>,
    how: How<'_>,
    report: &mut Report<'static>,
) -> Result<Mended, Error> {
    let original = json;
    let mut doubled = Report::default();
    let once = with_each_key_once(original, &mut doubled);
    let again = once.as_deref().map(|once| parse(once, options)).transpose()?;
    let json = again.as_ref().unwrap_or(original);
    let dialect = match options.from {
        From::Dialect(dialect) => dialect,
        From::Auto => detection::detected(json, options, report)?,
    };
    let target = target_of(options, dialect);
    let (resolved, profiles) = target.for_request((target.dialect == dialect).then(|| json.root()))?;
    report.profiles = profiles;
    let judged = how.judges.then(|| judged(original, dialect, target, options)).flatten();
    if let Some(checked) = &judged
        && accepts(checked, options)
        && !read::container::is_response(original, dialect)
    {
        name_ends(report, dialect, target);
        report.changed = !report.repairs.is_empty();
        return Ok(Mended { written: None, refused: None });
    }
    report.add_all(doubled);
    let refused = judged.map(|checked| Refused::of(checked, original, dialect));
    let target = &*resolved;
    let readable = readable(json, dialect, options, target, report)?;
    let in_pieces = how.in_pieces.filter(|_| once.is_none() && readable.is_none());
    let asked = asked(target, options, How { in_pieces, ..how });
    let reparsed = readable.as_deref().map(|readable| parse(readable, options)).transpose()?;
    let written = convert(reparsed.as_ref().unwrap_or(json), dialect, &asked, how.refused, report)?;
    if let Some(text) = readable.as_deref().or(once.as_deref()) {
        report.quote_copied(text);
    }
    Ok(Mended { written: written.or_else(|| readable.or(once).map(Written::whole)), refused })
}

/// What [`check`](fn@wirecanon_check::check) finds in a text of the target's own dialect.
fn judged(json: &Json<'_>, dialect: Dialect, target: &Target, options: &Options<'_>) -> Option<Checked> {
    if target.dialect != dialect {
        return None;
    }
    check::check_json(json, &check_options(target, options)).ok()
}

fn target_of<'t>(options: &Options<'t>, dialect: Dialect) -> &'t Target {
    options.to.unwrap_or_else(|| Target::of_dialect(dialect))
}

fn name_ends(report: &mut Report<'static>, dialect: Dialect, target: &Target) {
    dialect.name().clone_into(&mut report.from);
    report.to.clone_from(&target.name);
}

/// The text without what keeps readers from a message: members of a wrong type, and files in a base64 that is none. `None`
/// where it holds neither.
fn readable(
    json: &Json<'_>,
    dialect: Dialect,
    options: &Options<'_>,
    target: &Target,
    report: &mut Report<'static>,
) -> Result<Option<String>, Error> {
    let Some(typed) = read::typed::without_wrong_types(json, dialect, target, report) else {
        return Ok(read::file_bytes::with_readable_files(json, dialect, report));
    };
    let readable = read::file_bytes::with_readable_files(&parse(&typed, options)?, dialect, report);
    Ok(readable.or(Some(typed)))
}

fn asked<'a>(target: &'a Target, options: &'a Options<'_>, how: How<'_>) -> print::Asked<'a> {
    let How { steps, in_pieces, .. } = how;
    print::Asked {
        target,
        mode: options.mode,
        call_id: options.call_id.as_deref(),
        steps,
        in_pieces,
        lose_tools: options.lose_tools,
    }
}

/// Converts a parsed text; `None` when the output is that text itself.
fn convert(
    json: &Json<'_>,
    dialect: Dialect,
    asked: &print::Asked<'_>,
    refused: Option<(&Refused, Anew)>,
    report: &mut Report<'static>,
) -> Result<Option<Written>, Error> {
    name_ends(report, dialect, asked.target);
    let mut transcript = read::read_by(json, dialect, asked.steps, report)?;
    mend(&mut transcript, json, asked, report);
    if let Some((refused, anew)) = refused {
        refused.mark(anew, &mut transcript, json, report);
    }
    let written = print::write(&mut transcript, json, asked, report)?;
    report.changed = is_changed(report, dialect, asked.target);
    Ok(written)
}

fn mend<'a>(
    transcript: &mut Transcript<'a>,
    json: &'a Json<'a>,
    asked: &print::Asked<'_>,
    report: &mut Report<'static>,
) {
    let dialect = transcript.dialect;
    let any_order = dialect == asked.target.dialect && dialect.spec().results_in_any_order;
    repair::repair(transcript, json, repair::Asked { mode: asked.mode, any_order, steps: asked.steps }, report);
    native::prove(transcript, json, asked.target, report);
}

fn is_changed(report: &Report<'_>, dialect: Dialect, target: &Target) -> bool {
    report.repairs.iter().any(|entry| entry.stage != Stage::Write || dialect == target.dialect)
}

/// The text of the bytes: a byte order mark is taken off, and what is not UTF-8 becomes U+FFFD, both reported.
fn decode<'a>(input: &'a [u8], report: &mut Report<'static>) -> (Cow<'a, str>, usize) {
    let start = if input.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    if start > 0 {
        report.add(
            Entry::new(&rule::BYTE_ORDER_MARK, Stage::Read, Severity::Mend, "a byte order mark in front was taken off")
                .in_the_whole(),
        );
    }
    match simdutf8::compat::from_utf8(&input[start..]) {
        Ok(text) => (Cow::Borrowed(text), start),
        Err(error) => {
            let words =
                format!("bytes that are not UTF-8, from byte {} on, became U+FFFD", start + error.valid_up_to());
            report.add(Entry::new(&rule::INVALID_UTF_8, Stage::Read, Severity::Loss, words).in_the_whole());
            (String::from_utf8_lossy(&input[start..]), start)
        }
    }
}

/// The text without the members whose key comes again, each reported; `None` when there are none. Arguments of calls are
/// not touched: they are what was executed. The parameters of a tool's definition are no arguments.
fn with_each_key_once(json: &Json<'_>, report: &mut Report<'static>) -> Option<String> {
    // Items of the input may define tools, too.
    let items = json.root().get("input").into_iter().flat_map(Value::items);
    let lists = std::iter::once(json.root()).chain(items).filter_map(|holder| holder.get("tools"));
    let mut definitions: Vec<_> = lists.map(Value::span).collect();
    definitions.sort_by_key(|span| span.start);
    let defines = |holder: Value<'_>| {
        let start = holder.span().start;
        let next = definitions.partition_point(|span| span.start <= start);
        next.checked_sub(1).is_some_and(|at| definitions[at].contains(&start))
    };
    let doubled = doubled(json, |holder, key| read::fields::ARGUMENTS.contains(&key) && !defines(holder));
    if doubled.is_empty() {
        return None;
    }
    let mut cursor = PointerCursor::default();
    for double in &doubled {
        let [object, key, value, counts] =
            [double.object, double.key, double.value, double.counts].map(|index| json.value(index));
        let is_lost = says_something(value) && !json::same_bounded(value, counts);
        let severity = if is_lost { Severity::Loss } else { Severity::Mend };
        // A list of messages is a place of its own.
        let place = if is_lost && double.object == 0 && value.is_array() { value } else { object };
        let words = format!("the key {} stands twice; the last one counts", key.raw());
        let entry = Entry::new(&rule::DUPLICATE_KEY, Stage::Read, severity, words);
        let entry = entry.at(place, &mut cursor).quote_only(value);
        report.add(entry);
    }
    report.quote_copied(json.text());
    Some(without(json, &doubled))
}

/// Returns whether a value is neither null nor empty.
fn says_something(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::String => value.as_str().is_none_or(|text| !text.trim().is_empty()),
        Kind::Array => value.items().next().is_some(),
        Kind::Object => value.members().next().is_some(),
        Kind::Bool | Kind::Number => true,
    }
}

/// One JSON value, or one a line.
fn parse<'t>(text: &'t str, options: &Options<'_>) -> Result<Json<'t>, Error> {
    let whole = Json::parse(text, &options.limits).map_err(Error::from);
    let Err(error) = whole else { return whole };
    if error.kind() != ErrorKind::NotJson || !is_lines(text, &error) {
        return Err(error);
    }
    Ok(parse_lines(text, &options.limits)?)
}

/// Whether the first line is a JSON value of its own, and more follows: then errors are those of the lines.
fn is_lines(text: &str, error: &Error) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    error.position().is_some_and(|position| position.line > 1)
        && Json::parse(line, &Limits::default()).is_ok_and(|json| json.root().is_object())
}
