//! What programs ask for: `check`, `fix` and `detect` of core over the bytes of a body, as the command line does it.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, Entry, Error, From, Mode, Options, Report, Target, check, dialect, fix};

use super::answer::Answer;
use super::ask::Asked;
use super::beside::{self, Doc, Pin};
use super::place::{Origin, of_span, of_values};
use super::rules;
use crate::lines::{Lines, dialect_of};
use crate::near::hint;
use crate::redact::Redactor;

/// Broken rules and changes that one answer tells one by one.
const MOST: usize = 2000;

/// Bytes of an original that an answer holds.
const ORIGINAL: usize = 64 << 10;

/// Sessions of one text that are laid beside their mended form.
const DIFFS: usize = 50;

/// What a session is asked about.
struct Wanted {
    from: From,
    to: Option<&'static Target>,
    mode: Mode,
    fragment: bool,
    redact: bool,
    call_id: Option<String>,
    lines: Lines,
}

const FIELDS: [&str; 7] = ["from", "to", "for", "fragment", "redact", "call_id", "as"];

impl Wanted {
    fn of(asked: &Asked, mode: Mode) -> Result<Self, Answer> {
        let wrong = |message: &str, hint: Option<String>| Answer::error(400, "usage", message, hint.as_deref());
        if let Some(field) = asked.unknown(&FIELDS) {
            let known = format!("there are: {}", FIELDS.join(", "));
            return Err(wrong(&format!("there is no field `{field}`"), Some(known)));
        }
        let from = match asked.field("from").as_deref() {
            None | Some("auto") => From::Auto,
            Some(name) => From::Dialect(Dialect::by_name(name).ok_or_else(|| {
                let names = Dialect::ALL.iter().map(|dialect| dialect.name());
                let near = hint(name, names.clone());
                let all = || format!("there are: auto, {}", names.collect::<Vec<_>>().join(", "));
                wrong(&format!("no dialect is called `{name}`"), Some(near.unwrap_or_else(all)))
            })?),
        };
        let to = match asked.field("to") {
            None => None,
            Some(name) => Some(Target::by_name(&name).map_err(|error| {
                let near = hint(&name, Target::all().iter().map(|target| target.name.as_str()));
                wrong(error.message(), near.or_else(|| error.hint().map(str::to_owned)))
            })?),
        };
        let mode = match asked.field("for").as_deref() {
            None => mode,
            Some("request") => Mode::Request,
            Some("history") => Mode::History,
            Some(other) => return Err(wrong(&format!("`for` is request or history, not `{other}`"), None)),
        };
        Ok(Self {
            from,
            to,
            mode,
            fragment: asked.is_on("fragment"),
            redact: asked.is_on("redact"),
            call_id: asked.field("call_id"),
            lines: Lines::of(&asked.body),
        })
    }

    /// The sessions of a body: for each its line, and its bytes. Of many there is one on each line that is not blank.
    fn sessions<'b>(&self, body: &'b [u8]) -> Vec<Session<'b>> {
        if self.lines != Lines::Sessions {
            return vec![Session { line: None, body, end: &[] }];
        }
        let lines = body.split_inclusive(|byte| *byte == b'\n').enumerate();
        lines
            .map(|(at, line)| {
                let body = line.trim_ascii_end();
                Session { line: Some(at + 1), body, end: &line[body.len()..] }
            })
            .collect()
    }
}

struct Session<'b> {
    /// From 1, where each line is a session
    line: Option<usize>,
    body: &'b [u8],
    /// White space behind it
    end: &'b [u8],
}

/// An error of core, with the place in what was given.
fn failed(error: &Error, session: &Session<'_>, shown: &str, origin: Origin, redact: bool) -> Answer {
    let mark = if shown.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let place = match (error.position(), error.pointer()) {
        // A redacted text has as many characters as the other, but not as many bytes.
        (Some(position), _) if !redact => {
            let at = mark + position.offset;
            let next = shown.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            of_span(shown, origin, at, at + next)
        }
        (None, Some(pointer)) if !redact => of_values(shown, origin, &[Some(pointer)])[0],
        _ => None,
    };
    let position = error.position().map(|position| (origin.lines + position.line, position.column));
    let (line, column) = place.map(|place| (place.line, place.column)).or(position).unzip();
    let kind = kebab(&format!("{:?}", error.kind()));
    let mut told = json!({"kind": kind, "message": error.message(), "hint": error.hint(), "pointer": error.pointer(),
        "line": line, "column": column, "range": place.map(|place| place.range), "session": session.line});
    if redact {
        // What it says may be of the text.
        told["message"] = json!(format!("the text is not taken: {kind}"));
        told["pointer"] = Value::Null;
    }
    Answer::json(422, &json!({"error": told}))
}

/// `NotJson` as `not-json`.
fn kebab(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn is_blank(session: &Session<'_>) -> bool {
    session.line.is_some() && session.body.is_empty()
}

/// The text of bytes as it is shown: what is not UTF-8 is U+FFFD, and with a redactor, tokens are its texts.
fn shown(bytes: &[u8], redactor: &mut Option<Redactor>) -> String {
    match redactor {
        Some(redactor) => String::from_utf8_lossy(&redactor.bytes(bytes)).into_owned(),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// `POST /api/detect`: what speaks for each dialect, and which one is taken.
pub(super) fn detect(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked, Mode::History)?;
    let (mut texts, mut origin) = (Vec::new(), Origin::default());
    for session in wanted.sessions(&asked.body).iter().take(MOST) {
        let text = shown(session.body, &mut None);
        if !is_blank(session) {
            let fail = |error: Error| failed(&error, session, &text, origin, false);
            let taken = dialect_of(session.body, wanted.mode, wanted.fragment, Limits::default()).map_err(fail)?;
            let plain = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let json = wirecanon_core::json::Json::parse(plain, &Limits::default())
                .or_else(|_| wirecanon_core::json::parse_lines(plain, &Limits::default()))
                .map_err(|error| failed(&error, session, &text, origin, false))?;
            let found: Vec<_> = dialect::detect(&json)
                .iter()
                .map(|found| json!({"dialect": found.dialect.name(), "weight": found.weight, "sign": found.sign}))
                .collect();
            texts.push(json!({"session": session.line, "taken": taken.name(), "found": found}));
        }
        origin = origin.after(&text).after(&String::from_utf8_lossy(session.end));
    }
    Ok(Answer::json(200, &json!({"lines": wanted.lines.name(), "texts": texts})))
}

/// `POST /api/check`: what breaks the rules of a target, as `wirecanon check --format json` says it, with places.
pub(super) fn judge(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked, Mode::History)?;
    let mut redactor = wanted.redact.then(Redactor::default);
    let (mut texts, mut origin, mut room, mut more) = (Vec::new(), Origin::default(), MOST, 0);
    let mut seen: Vec<&'static str> = Vec::new();
    let limits = Limits::default();
    for session in wanted.sessions(&asked.body) {
        let text = shown(session.body, &mut redactor);
        if !is_blank(&session) {
            let fail = |error: Error| failed(&error, &session, &text, origin, wanted.redact);
            let target = match (wanted.to, wanted.from) {
                (Some(target), _) => target,
                (None, From::Dialect(dialect)) => Target::of_dialect(dialect),
                (None, From::Auto) => {
                    Target::of_dialect(dialect_of(session.body, wanted.mode, wanted.fragment, limits).map_err(fail)?)
                }
            };
            let fragment = wanted.fragment || target.dialect == Dialect::McpToolResult;
            let options = CheckOptions { target, mode: wanted.mode, fragment, limits };
            let mut checked = check(session.body, &options).map_err(fail)?;
            let take = room.min(checked.violations.len());
            more += checked.violations.len() - take;
            room -= take;
            checked.violations.truncate(take);
            if let Some(redactor) = &mut redactor {
                checked.violations.iter_mut().for_each(|violation| redactor.violation(violation));
            }
            let pointers: Vec<_> = checked.violations.iter().map(|found| Some(found.pointer.as_str())).collect();
            let places = of_values(&text, origin, &pointers);
            let violations: Vec<_> = checked
                .violations
                .iter()
                .zip(places)
                .map(|(found, place)| {
                    seen.push(found.rule);
                    json!({"rule": found.rule, "pointer": found.pointer, "message": found.message,
                        "line": place.map_or(origin.lines + 1, |place| place.line), "column": place.map_or(1, |place| place.column),
                        "range": place.map(|place| place.range)})
                })
                .collect();
            let mut told = json!({"dialect": checked.dialect.name(), "target": target.name, "violations": violations});
            if let Some(line) = session.line {
                told["session"] = json!(line);
            }
            texts.push(told);
        }
        origin = origin.after(&text).after(&String::from_utf8_lossy(session.end));
    }
    nothing(texts.len())?;
    let rules = rules::told(seen.into_iter());
    Ok(Answer::json(200, &json!({"lines": wanted.lines.name(), "texts": texts, "more": more, "rules": rules})))
}

/// Many sessions, and none of them.
fn nothing(sessions: usize) -> Result<(), Answer> {
    if sessions == 0 {
        return Err(Answer::error(
            422,
            "empty",
            "there is nothing here",
            Some("give a session of at least one message"),
        ));
    }
    Ok(())
}

/// `POST /api/fix`: the mended text as `wirecanon fix` writes it, its report as `--report` does, places, and a diff; with `as=bytes` the
/// mended bytes alone.
pub(super) fn mend(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked, Mode::Request)?;
    let options = Options {
        from: wanted.from,
        to: wanted.to,
        mode: wanted.mode,
        limits: Limits::default(),
        call_id: wanted.call_id.clone(),
    };
    let bytes_alone = match asked.field("as").as_deref() {
        None | Some("json") => false,
        Some("bytes") => true,
        Some(other) => {
            let message = format!("`as` is json or bytes, not `{other}`");
            return Err(Answer::error(400, "usage", &message, None));
        }
    };
    let mut making = Making { redactor: wanted.redact.then(Redactor::default), ..Making::default() };
    for session in wanted.sessions(&asked.body) {
        if is_blank(&session) {
            making.pass(session.body);
        } else {
            let text = shown(session.body, &mut making.redactor);
            let origin = making.before;
            let fixed =
                fix(session.body, &options).map_err(|error| failed(&error, &session, &text, origin, wanted.redact))?;
            making.sessions += 1;
            // A line stays one line.
            let output = if session.line.is_some() { fixed.output.trim_ascii_end() } else { &*fixed.output };
            if bytes_alone {
                match &mut making.redactor {
                    Some(redactor) => making.bytes.extend(redactor.bytes(output)),
                    None => making.bytes.extend_from_slice(output),
                }
            } else {
                making.text(&session, &text, output, fixed.report)?;
            }
        }
        making.pass(session.end);
    }
    nothing(making.sessions)?;
    if bytes_alone {
        return Ok(Answer::new(200, "application/octet-stream", making.bytes)
            .with("content-disposition", "attachment; filename=\"mended.json\""));
    }
    let Making { redactor, texts, output, source, more, seen, .. } = making;
    let source = redactor.is_some().then_some(source);
    let rules = rules::told(seen.into_iter());
    Ok(Answer::json(200, &Mended { lines: wanted.lines.name(), texts, more, output, source, rules }))
}

/// What `fix` is answered with.
#[derive(Serialize)]
struct Mended {
    lines: &'static str,
    texts: Vec<MendedText>,
    more: usize,
    output: String,
    source: Option<String>,
    rules: Value,
}

/// One session, mended.
#[derive(Serialize)]
struct MendedText {
    session: Option<usize>,
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
    texts: Vec<MendedText>,
    sessions: usize,
    /// The mended bytes, where they are all that is asked for
    bytes: Vec<u8>,
    /// The mended text as it is shown
    output: String,
    /// The text that was given, as it is shown; kept where it is redacted
    source: String,
    before: Origin,
    after: Origin,
    told: usize,
    diffs: usize,
    more: usize,
    seen: Vec<&'static str>,
}

impl Making {
    /// White space between sessions.
    fn pass(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.bytes.extend_from_slice(bytes);
        self.put(&text, &text);
    }

    fn put(&mut self, source: &str, output: &str) {
        if self.redactor.is_some() {
            self.source.push_str(source);
        }
        self.output.push_str(output);
        self.before = self.before.after(source);
        self.after = self.after.after(output);
    }

    fn text(&mut self, session: &Session<'_>, source: &str, output: &[u8], mut report: Report) -> Result<(), Answer> {
        let same = session.body == output;
        let output = shown(output, &mut self.redactor);
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
        let broken = |error: serde_json::Error| {
            Answer::error(500, "internal-error", &format!("the report is no JSON: {error}"), None)
        };
        let told = match &mut self.redactor {
            Some(redactor) => {
                let told = match redactor.report(&report) {
                    Ok(told) => told,
                    // An original is nested deeper than a value can be.
                    Err(_) => {
                        report.repairs.iter_mut().chain(&mut report.notes).for_each(|entry| entry.original = None);
                        redactor.report(&report).map_err(broken)?
                    }
                };
                redactor.changes(&mut report);
                to_raw_value(&told)
            }
            None => to_raw_value(&report),
        }
        .map_err(broken)?;
        let places = |list: &[Entry]| -> Vec<Value> {
            let ins: Vec<_> = list.iter().map(|entry| entry.input.as_deref()).collect();
            let outs: Vec<_> = list.iter().map(|entry| entry.output.as_deref()).collect();
            let ins = of_values(source, self.before, &ins);
            let outs = of_values(&output, self.after, &outs);
            ins.iter().zip(outs).map(|(input, output)| json!({"in": input, "out": output})).collect()
        };
        let places = json!({"repairs": places(&report.repairs), "notes": places(&report.notes)});
        let pins: Vec<_> = report
            .repairs
            .iter()
            .filter_map(|entry| {
                Some(Pin { pointer: entry.output.as_deref()?, rule: entry.rule, words: &entry.message })
            })
            .collect();
        let (diff, why) = if same {
            (None, Some("Nothing had to change: these are the same bytes."))
        } else if self.diffs == DIFFS {
            (None, Some("Many sessions before this one are laid beside their mended form; it is in the mended text."))
        } else {
            self.diffs += 1;
            match beside::beside(source, &output, &pins) {
                Ok(doc) => (Some(doc), None),
                Err(why) => (None, Some(why)),
            }
        };
        self.texts.push(MendedText { session: session.line, report: told, places, diff, why });
        self.put(source, &output);
        Ok(())
    }
}
