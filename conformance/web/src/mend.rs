//! `POST /api/fix`: what was given, mended, with its report, places, and a diff.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use wirecanon_core::json::Limits;
use wirecanon_core::{Entry, Error, Fixed, From, Options, Report, fix};
use wirecanon_report::redact::Redactor;
use wirecanon_session as session;

use super::answer::Answer;
use super::api::{MOST, Showing, Wanted, failed, nothing};
use super::ask::Asked;
use super::beside::{self, Doc, Pin};
use super::given::{Part, Piece, Shown, Stream, within};
use super::place::{self, Origin, Span};
use super::rules;

/// Bytes of an original that an answer holds.
const ORIGINAL: usize = 64 << 10;

/// Sessions of one text that are laid beside their mended form.
const DIFFS: usize = 50;

/// The mended text as `wirecanon fix` writes it, its report as `--report` does, places, and a diff; with `as=bytes` the mended bytes
/// alone.
pub(super) fn mend(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked)?;
    let bytes_alone = match asked.field("as").as_deref() {
        None | Some("json") => false,
        Some("bytes") => true,
        Some(other) => {
            let message = format!("`as` is json or bytes, not `{other}`");
            return Err(Answer::error(400, "usage", &message, None));
        }
    };
    let given = wanted.given(asked)?;
    let (lines, pieces) = wanted.pieces(&given)?;
    let mut making = Making {
        redactor: wanted.redact.then(Redactor::default),
        // Places are those of what is shown.
        shows: wanted.redact || given.stream.is_some(),
        ..Making::default()
    };
    for piece in &pieces {
        if !piece.parts.is_empty() {
            let shown = piece.shown(&mut making.redactor);
            let showing = Showing { shown: &shown, origin: making.before, redact: wanted.redact };
            let mended = mended(&wanted, piece, &showing)?;
            making.sessions += piece.parts.len();
            making.torn.extend(&piece.torn);
            let output = Shown::of(&mended.output, &mut making.redactor, mended.woven);
            if bytes_alone && making.redactor.is_some() {
                making.bytes.extend(output.text.as_bytes());
            } else if bytes_alone {
                making.bytes.extend_from_slice(&mended.output);
            } else {
                making.piece(piece, &shown, mended, &output)?;
            }
        }
        making.pass(piece.end);
    }
    nothing(making.sessions)?;
    if bytes_alone {
        return Ok(Answer::new(200, "application/octet-stream", making.bytes)
            .with("content-disposition", "attachment; filename=\"mended.json\""));
    }
    let Making { shows, texts, output, source, more, torn, seen, .. } = making;
    let source = shows.then_some(source);
    let rules = rules::told(seen.into_iter());
    Ok(Answer::json(200, &Told { lines, stream: given.stream, torn, texts, more, output, source, rules }))
}

/// A piece, mended.
struct Mended<'p> {
    /// The whole piece, or the messages alone where another dialect is asked for
    output: Cow<'p, [u8]>,
    /// Whether the piece stands around its transcripts as before
    woven: bool,
    /// Each transcript, and what was changed
    parts: Vec<Fixed<'p>>,
}

/// Mends what is in a piece, as `wirecanon fix` does; of several transcripts each in its place.
fn mended<'p>(wanted: &Wanted, piece: &'p Piece<'_>, showing: &Showing<'_>) -> Result<Mended<'p>, Answer> {
    let options = Options {
        from: wanted.from,
        to: wanted.to,
        mode: wanted.mode.unwrap_or_default(),
        limits: Limits::default(),
        call_id: wanted.call_id.clone(),
        strict: false,
        lose_tools: false,
    };
    let mut parts = Vec::with_capacity(piece.parts.len());
    let mut whole: Option<String> = None;
    // From the last to the first, so that the places of those before stay what they are.
    for part in piece.parts.iter().rev() {
        let mut options = options.clone();
        if let Some(dialect) = part.dialect() {
            options.from = From::Dialect(dialect);
        }
        let fixed = fix(&part.document, &options).map_err(|error: Error| failed(&error, (piece, part), showing))?;
        if piece.inside.is_some() && fixed.report.from != fixed.report.to {
            let [_] = &piece.parts[..] else { return Err(several(piece)) };
            return Ok(Mended { output: fixed.output.clone(), woven: false, parts: vec![fixed] });
        }
        if let Some(home) = &part.home
            && (*fixed.output != *part.document || !home.is_straight())
        {
            let ids: Vec<(&str, &str)> = fixed.report.ids.iter().map(|id| (&*id.from, &*id.to)).collect();
            let text = String::from_utf8_lossy(piece.body);
            let output = String::from_utf8_lossy(&fixed.output);
            let woven = home.woven(whole.as_deref().unwrap_or(&text), &output, &ids, options.limits);
            whole = Some(woven.map_err(|why| {
                let hint = format!("`to={}` gives the messages alone", fixed.report.to);
                Answer::error(422, "not-woven", &why.to_string(), Some(&hint))
            })?);
        }
        parts.push(fixed);
    }
    parts.reverse();
    let output = match (&parts[..], whole) {
        (_, Some(whole)) => Cow::Owned(whole.into_bytes()),
        ([one], None) if piece.inside.is_none() => match (&one.output, piece.line) {
            // A line stays one line.
            (output, Some(_)) => Cow::Owned(output.trim_ascii_end().to_owned()),
            (output, None) => output.clone(),
        },
        _ => Cow::Borrowed(piece.body),
    };
    Ok(Mended { output, woven: piece.inside.is_some(), parts })
}

fn several(piece: &Piece<'_>) -> Answer {
    let (what, count) = (piece.inside.unwrap_or("it"), piece.parts.len());
    let message = format!("{what} with {count} transcripts is mended in its own dialect, each in its place");
    Answer::error(422, "unsupported-conversion", &message, Some("leave `to` out, or give one of them"))
}

/// What `fix` is answered with.
#[derive(Serialize)]
struct Told {
    lines: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<Stream>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    torn: Vec<usize>,
    texts: Vec<ToldText>,
    more: usize,
    output: String,
    source: Option<String>,
    rules: Value,
}

/// One transcript, mended.
#[derive(Serialize)]
struct ToldText {
    session: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// As it is written elsewhere: the digits of numbers too
    report: Box<RawValue>,
    places: Value,
    diff: Option<Doc>,
    why: Option<&'static str>,
}

/// What one answer of `fix` is made of.
#[derive(Default)]
struct Making {
    redactor: Option<Redactor>,
    /// Whether the answer holds the text that places are of
    shows: bool,
    texts: Vec<ToldText>,
    sessions: usize,
    torn: Vec<usize>,
    /// The mended bytes, where they are all that is asked for
    bytes: Vec<u8>,
    /// The mended text as it is shown
    output: String,
    /// The text that was given, as it is shown; kept where it is not what was sent
    source: String,
    before: Origin,
    after: Origin,
    told: usize,
    diffs: usize,
    more: usize,
    seen: Vec<&'static str>,
}

/// Where JSON Pointers into a mended text stand in what was written.
type Places<'f> = &'f dyn Fn(&[Option<&str>]) -> Vec<Option<Span>>;

impl Making {
    /// White space between sessions.
    fn pass(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.bytes.extend_from_slice(bytes);
        self.put(&text, &text);
    }

    fn put(&mut self, source: &str, output: &str) {
        if self.shows {
            self.source.push_str(source);
        }
        self.output.push_str(output);
        self.before = self.before.after(source);
        self.after = self.after.after(output);
    }

    fn piece(&mut self, piece: &Piece<'_>, source: &Shown, mended: Mended<'_>, output: &Shown) -> Result<(), Answer> {
        let text = String::from_utf8_lossy(&mended.output);
        // Where the transcripts stand in what was woven.
        let again = if mended.woven {
            session::of_lines(&text, &Limits::default())
                .ok()
                .flatten()
                .unwrap_or_else(|| session::of_value(&text, &Limits::default()))
                .transcripts
        } else {
            Vec::new()
        };
        let again = if again.len() == piece.parts.len() { again } else { Vec::new() };
        for (at, (part, fixed)) in piece.parts.iter().zip(mended.parts).enumerate() {
            let outs = |pointers: &[Option<&str>]| -> Vec<Option<Span>> {
                let mut spans = place::spans(&String::from_utf8_lossy(&fixed.output), pointers);
                for span in &mut spans {
                    *span = match (mended.woven, again.get(at)) {
                        (false, _) => *span,
                        (true, Some(home)) => span.map(|span| within(home, span)),
                        (true, None) => None,
                    };
                }
                spans
            };
            let lines = (source, output);
            let told = self.text(piece, at, part, &fixed, lines, &outs)?;
            self.texts.push(told);
        }
        self.put(&source.text, &output.text);
        Ok(())
    }

    fn text(
        &mut self,
        piece: &Piece<'_>,
        at: usize,
        part: &Part<'_>,
        fixed: &Fixed<'_>,
        (source, output): (&Shown, &Shown),
        outs: Places<'_>,
    ) -> Result<ToldText, Answer> {
        let mut report = fixed.report.clone();
        self.cut(&mut report);
        let places = |list: &[Entry]| -> Vec<Value> {
            let input: Vec<_> = list.iter().map(|entry| entry.input.as_deref()).collect();
            let output_of: Vec<_> = list.iter().map(|entry| entry.output.as_deref()).collect();
            let ins = source.places(self.before, part.spans(&input));
            let outs = output.places(self.after, outs(&output_of));
            ins.iter().zip(outs).map(|(input, output)| json!({"in": input, "out": output})).collect()
        };
        let places = json!({"repairs": places(&report.repairs), "notes": places(&report.notes)});
        let told = self.report(&mut report)?;
        let pins: Vec<_> = report
            .repairs
            .iter()
            .filter_map(|entry| {
                Some(Pin { pointer: entry.output.as_deref()?, rule: entry.rule, words: &entry.message })
            })
            .collect();
        let (diff, why) = if *part.document == *fixed.output {
            (None, Some("Nothing had to change: these are the same bytes."))
        } else if self.diffs == DIFFS {
            (None, Some("Many sessions before this one are laid beside their mended form; it is in the mended text."))
        } else {
            self.diffs += 1;
            let [before, after] =
                [&part.document, &fixed.output].map(|text| Shown::of(text, &mut self.redactor, false).text);
            match beside::beside(&before, &after, &pins) {
                Ok(doc) => (Some(doc), None),
                Err(why) => (None, Some(why)),
            }
        };
        let (session, inside, number) = (piece.line, piece.inside, piece.number(at));
        Ok(ToldText { session, inside, number, report: told, places, diff, why })
    }

    /// Leaves out of a report what is more than an answer holds.
    fn cut(&mut self, report: &mut Report) {
        for list in [&mut report.repairs, &mut report.notes] {
            let take = (MOST - self.told).min(list.len());
            self.more += list.len() - take;
            self.told += take;
            list.truncate(take);
        }
        for list in [&mut report.ids, &mut report.names] {
            self.more += list.len().saturating_sub(MOST);
            list.truncate(MOST);
        }
        for entry in report.repairs.iter_mut().chain(&mut report.notes) {
            self.seen.push(entry.rule);
            if entry.original.as_deref().is_some_and(|original| original.len() > ORIGINAL) {
                entry.original = None;
            }
        }
    }

    /// A report as it is told; redacted, it says no more than that.
    fn report(&mut self, report: &mut Report) -> Result<Box<RawValue>, Answer> {
        let broken = |error: serde_json::Error| {
            Answer::error(500, "internal-error", &format!("the report is no JSON: {error}"), None)
        };
        match &mut self.redactor {
            Some(redactor) => {
                let told = redactor.report(report).map_err(broken)?;
                redactor.changes(report);
                to_raw_value(&told)
            }
            None => to_raw_value(report),
        }
        .map_err(broken)
    }
}
