//! What programs ask for: `check` and `detect` of core over the bytes of a body, as the command line does it; `fix` is in `mend`.

use serde_json::{Value, json};
use wirecanon_cases::near::hint;
use wirecanon_core::json::Limits;
use wirecanon_core::target::Level;
use wirecanon_core::{CheckOptions, Checked, Dialect, Error, From, Mode, Target, check};
use wirecanon_report::redact::Redactor;
use wirecanon_session as session;
use wirecanon_session::lines::{Lines, dialect_of, evidence};

use super::answer::Answer;
use super::ask::Asked;
use super::given::{Given, Part, Piece, Shown};
use super::place::{Origin, Place};
use super::rules;

/// Broken rules and changes that one answer tells one by one.
pub(super) const MOST: usize = 2000;

/// What a session is asked about.
pub(super) struct Wanted {
    pub(super) from: From,
    pub(super) to: Option<&'static Target>,
    /// What it is for, where that was said
    pub(super) mode: Option<Mode>,
    fragment: bool,
    pub(super) redact: bool,
    pub(super) call_id: Option<String>,
}

const FIELDS: [&str; 7] = ["from", "to", "for", "fragment", "redact", "call_id", "as"];

impl Wanted {
    pub(super) fn of(asked: &Asked) -> Result<Self, Answer> {
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
            None => None,
            Some("request") => Some(Mode::Request),
            Some("history") => Some(Mode::History),
            Some(other) => return Err(wrong(&format!("`for` is request or history, not `{other}`"), None)),
        };
        Ok(Self {
            from,
            to,
            mode,
            fragment: asked.is_on("fragment"),
            redact: asked.is_on("redact"),
            call_id: asked.field("call_id"),
        })
    }

    pub(super) fn given<'b>(&self, asked: &'b Asked) -> Result<Given<'b>, Answer> {
        Given::of(&asked.body).map_err(|error| unreadable(&error, self.redact))
    }

    pub(super) fn pieces<'b>(&self, given: &'b Given<'_>) -> Result<(&'static str, Vec<Piece<'b>>), Answer> {
        given.pieces().map_err(|error| unreadable(&error, self.redact))
    }

    /// Judges one transcript, by the rules of what is asked for, or of its own dialect.
    fn check(
        &self,
        piece: &Piece<'_>,
        part: &Part<'_>,
        mode: Mode,
        showing: &Showing<'_>,
    ) -> Result<(&'static Target, Checked), Answer> {
        let fail = |error: Error| failed(&error, (piece, part), showing);
        let limits = Limits::default();
        let target = match (self.to, part.dialect(), self.from) {
            (Some(target), Some(own), _) if own != target.dialect => {
                let (what, own, to) = (piece.inside.unwrap_or("a session"), own.name(), &target.name);
                let message = format!("{what} is in {own}, which {to} does not take");
                let hint = format!("mend it for {to} first, and judge that");
                return Err(Answer::error(422, "unsupported-conversion", &message, Some(&hint)));
            }
            (Some(target), ..) => target,
            (None, Some(dialect), _) | (None, None, From::Dialect(dialect)) => Target::of_dialect(dialect),
            (None, None, From::Auto) => Target::of_dialect(dialect_of(&part.document, limits).map_err(fail)?),
        };
        let fragment = self.fragment || target.dialect == Dialect::McpToolResult;
        let options = CheckOptions { target, mode, fragment, limits };
        Ok((target, check(&part.document, &options).map_err(fail)?))
    }
}

/// An error of core, with the place in what was given.
pub(super) fn failed(error: &Error, (piece, part): (&Piece<'_>, &Part<'_>), at: &Showing<'_>) -> Answer {
    let mark = if at.shown.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let place = match (error.position(), error.pointer()) {
        // A redacted text has as many characters as the other, but not as many bytes.
        (Some(position), _) if !at.redact => {
            let begin = part.place(mark + position.offset);
            let next = at.shown.text.get(begin..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            at.shown.places(at.origin, vec![Some((begin, begin + next))])[0]
        }
        (None, Some(pointer)) if !at.redact => at.shown.places(at.origin, part.spans(&[Some(pointer)]))[0],
        _ => None,
    };
    let position = error.position().map(|position| (at.origin.lines + position.line, position.column));
    let (line, column) = place.map(|place| (place.line, place.column)).or(position).unzip();
    let mut told = error_of(error, at.redact);
    told["line"] = json!(line);
    told["column"] = json!(column);
    told["range"] = json!(place.map(|place| place.range));
    told["session"] = json!(piece.line);
    Answer::json(422, &json!({"error": told}))
}

/// An error about all that was given.
fn unreadable(error: &Error, redact: bool) -> Answer {
    let mut told = error_of(error, redact);
    if let Some(position) = error.position() {
        told["line"] = json!(position.line);
        told["column"] = json!(position.column);
    }
    Answer::json(422, &json!({"error": told}))
}

fn error_of(error: &Error, redact: bool) -> Value {
    let kind = kebab(&format!("{:?}", error.kind()));
    let mut told = json!({"kind": kind, "message": error.message(), "hint": error.hint(), "pointer": error.pointer(),
        "line": null, "column": null, "range": null, "session": null});
    if redact {
        // What it says may be of the text.
        told["message"] = json!(format!("the text is not taken: {kind}"));
        told["pointer"] = Value::Null;
    }
    told
}

/// How a piece is shown, and where.
pub(super) struct Showing<'s> {
    pub(super) shown: &'s Shown,
    pub(super) origin: Origin,
    pub(super) redact: bool,
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

/// `POST /api/detect`: what speaks for each dialect, and which one is taken.
pub(super) fn detect(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked)?;
    let given = wanted.given(asked)?;
    let (lines, pieces) = wanted.pieces(&given)?;
    let (mut texts, mut origin) = (Vec::new(), Origin::default());
    for piece in pieces.iter().take(MOST) {
        let shown = piece.shown(&mut None);
        for (at, part) in piece.parts.iter().enumerate() {
            let fail = |error: Error| failed(&error, (piece, part), &Showing { shown: &shown, origin, redact: false });
            let taken = match part.dialect() {
                Some(dialect) => dialect,
                None => dialect_of(&part.document, Limits::default()).map_err(fail)?,
            };
            let found: Vec<_> = evidence(&part.document, Limits::default())
                .map_err(fail)?
                .iter()
                .map(|found| json!({"dialect": found.dialect.name(), "weight": found.weight, "sign": found.sign}))
                .collect();
            let mut told = json!({"session": piece.line, "taken": taken.name(), "found": found});
            name(&mut told, piece, at);
            texts.push(told);
        }
        origin = origin.after(&shown.text).after(&String::from_utf8_lossy(piece.end));
    }
    let mut told = json!({"lines": lines, "texts": texts});
    if let Some(stream) = given.stream {
        told["stream"] = json!(stream);
    }
    Ok(Answer::json(200, &told))
}

/// What a transcript stands in, and its number there.
fn name(told: &mut Value, piece: &Piece<'_>, at: usize) {
    if let Some(inside) = piece.inside {
        told["inside"] = json!(inside);
    }
    if let Some(number) = piece.number(at) {
        told["number"] = json!(number);
    }
}

/// A broken rule, with its place.
fn broken(rule: &str, severity: Level, pointer: &str, message: &str, place: Option<Place>, origin: Origin) -> Value {
    let Place { line, column, .. } = place.unwrap_or(Place { line: origin.lines + 1, column: 1, range: (0, 0) });
    json!({"rule": rule, "severity": severity, "pointer": pointer, "message": message, "line": line, "column": column,
        "range": place.map(|place| place.range)})
}

/// What is said of the lines that a transcript stands on: faults and notes, each with its rule.
fn of_lines(
    piece: &Piece<'_>,
    at: usize,
    shown: &Shown,
    origin: Origin,
    redact: bool,
) -> [Vec<(&'static str, Value)>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    // They are of the file: its first transcript tells them.
    let flaws = if at == 0 { &piece.flaws[..] } else { &[] };
    let spans = flaws.iter().map(|flaw| Some((flaw.span.start, flaw.span.end))).collect();
    for (flaw, place) in flaws.iter().zip(shown.places(origin, spans)).take(MOST) {
        let message = if redact { flaw.rule.statement } else { &flaw.message };
        let told = broken(flaw.rule.id, Level::Error, flaw.pointer, message, place, origin);
        both[usize::from(!flaw.rule.fails)].push((flaw.rule.id, told));
    }
    both
}

/// `POST /api/check`: what breaks the rules of a target, as `wirecanon check --format json` says it, with places.
pub(super) fn judge(asked: &Asked) -> Result<Answer, Answer> {
    let wanted = Wanted::of(asked)?;
    let given = wanted.given(asked)?;
    let (lines, pieces) = wanted.pieces(&given)?;
    let kind = if lines == Lines::Messages.name() { Lines::Messages } else { Lines::Json };
    let mut redactor = wanted.redact.then(Redactor::default);
    let (mut texts, mut origin, mut room, mut more) = (Vec::new(), Origin::default(), MOST, 0);
    let (mut seen, mut torn): (Vec<&'static str>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in &pieces {
        let shown = piece.shown(&mut redactor);
        torn.extend(&piece.torn);
        for (at, part) in piece.parts.iter().enumerate() {
            let mode = wanted.mode.unwrap_or_else(|| session::usual_mode(kind, piece.inside));
            let showing = Showing { shown: &shown, origin, redact: wanted.redact };
            let (target, mut checked) = wanted.check(piece, part, mode, &showing)?;
            let take = room.min(checked.violations.len());
            more += checked.violations.len() - take;
            room -= take;
            checked.violations.truncate(take);
            let pointers: Vec<_> = checked.violations.iter().map(|found| Some(found.pointer.as_str())).collect();
            let places = shown.places(origin, part.spans(&pointers));
            if let Some(redactor) = &mut redactor {
                checked.violations.iter_mut().for_each(|violation| redactor.violation(violation));
            }
            let [faults, notes] = of_lines(piece, at, &shown, origin, wanted.redact);
            seen.extend(faults.iter().chain(&notes).map(|(rule, _)| *rule));
            let own = checked.violations.iter().zip(places).map(|(found, place)| {
                seen.push(found.rule);
                broken(found.rule, found.severity, &found.pointer, &found.message, place, origin)
            });
            let violations: Vec<_> = faults.into_iter().map(|(_, told)| told).chain(own).collect();
            let mut told = json!({"dialect": checked.dialect.name(), "target": target.name, "for": mode.name(), "violations": violations});
            if !checked.profiles.is_empty() {
                told["profiles"] = json!(checked.profiles);
            }
            if !notes.is_empty() {
                told["notes"] = notes.into_iter().map(|(_, told)| told).collect();
            }
            if let Some(line) = piece.line {
                told["session"] = json!(line);
            }
            name(&mut told, piece, at);
            texts.push(told);
        }
        origin = origin.after(&shown.text).after(&String::from_utf8_lossy(piece.end));
    }
    nothing(texts.len())?;
    let rules = rules::told(seen.into_iter());
    let mut told = json!({"lines": lines, "texts": texts, "more": more, "rules": rules});
    if let Some(stream) = given.stream {
        told["stream"] = json!(stream);
    }
    if !torn.is_empty() {
        told["torn"] = json!(torn);
    }
    Ok(Answer::json(200, &told))
}

/// Many sessions, and none of them.
pub(super) fn nothing(sessions: usize) -> Result<(), Answer> {
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
