//! Any bytes, as a file on the command line: a request, a dump around one, JSON Lines, or a session of a program, repaired in
//! place.

use std::fs;
use std::path::Path;

use wirecanon::lines::{Lines, dialect_of};
use wirecanon::session;
use wirecanon_core::dialect::layout;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{CheckOptions, Dialect, From, Target, check};

use crate::FuzzTarget;
use crate::replay::Document;

/// What the command line may say of the lines of a file.
const READINGS: [Option<Lines>; 4] = [None, Some(Lines::Json), Some(Lines::Messages), Some(Lines::Sessions)];

/// Repairs `data` in place, for each thing that its lines may be.
///
/// Fails when a file changes that `check` accepts, or the repaired file is not accepted or changes again.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 16 * 1024, judge: |data| judge(data, &Reference), document: |_| Document::Itself };

/// Files of every program, as the tests of the command line have them.
pub fn examples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/tests/fixtures/sessions");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files
        .filter_map(|file| Some((file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).ok()?)))
        .collect();
    files.sort();
    files
}

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let Ok((text, _)) = session::text(data) else { return Ok(()) };
    for lines in READINGS {
        repaired_in_place(text, lines, normalizer)
            .map_err(|why| format!("{why}\n  with --lines {}", lines.map_or("left out", Lines::name)))?;
    }
    Ok(())
}

fn repaired_in_place(text: &str, lines: Option<Lines>, normalizer: &dyn Normalizer) -> Result<(), String> {
    let Some(first) = repair(text, lines, &[], normalizer)? else { return Ok(()) };
    if first.clean && first.text != text {
        return Err(format!("`check` accepts the file, and `fix` changes it\n  {text}\n  {}", first.text));
    }
    // Messages of two dialects in one list may look like another one of them after their repair.
    let Some(again) = repair(&first.text, lines, &first.dialects, normalizer)? else {
        // A dump around no messages is not known for one.
        return if first.is_emptied {
            Ok(())
        } else {
            Err(format!("the repaired file cannot be repaired again\n  {}", first.text))
        };
    };
    if again.text != first.text {
        return Err(format!("a second repair changes the file again\n  {}\n  {}", first.text, again.text));
    }
    if !again.accepted {
        return Err(format!("`check` refuses the repaired file\n  {}", first.text));
    }
    Ok(())
}

/// A file after its repair.
struct Repaired {
    text: String,
    /// The dialects of its transcripts, from the last to the first
    dialects: Vec<Dialect>,
    /// Whether no message is left of a transcript
    is_emptied: bool,
    /// Whether each transcript broke no rule before, not even one that gives a warning, and its lines were in order
    clean: bool,
    /// Whether the target accepted each transcript before
    accepted: bool,
}

/// Repairs the transcripts of a file as `wirecanon fix --in-place` does, in these dialects where they are known; `None` where that
/// refuses the file.
fn repair(
    text: &str,
    lines: Option<Lines>,
    known: &[Dialect],
    normalizer: &dyn Normalizer,
) -> Result<Option<Repaired>, String> {
    let limits = Limits::default();
    let found = match session::read(text, lines, &limits) {
        Ok(found) => found,
        Err(error) if error.message().is_empty() => return Err("a refusal says nothing".to_owned()),
        Err(_) => return Ok(None),
    };
    let mode = session::usual_mode(lines.unwrap_or_else(|| Lines::of(text.as_bytes())), found.title);
    let mut repaired =
        Repaired { text: text.to_owned(), dialects: Vec::new(), is_emptied: false, clean: true, accepted: true };
    // From the last to the first, so that the places of those before stay what they are.
    for (at, transcript) in found.transcripts.into_iter().rev().enumerate() {
        let document = transcript.document.clone();
        let known = known.get(at).copied().or(transcript.dialect);
        let Some(dialect) = known.or_else(|| dialect_of(document.as_bytes(), limits).ok()) else { return Ok(None) };
        repaired.dialects.push(dialect);
        let (to, input) = (Target::of_dialect(dialect), document.as_bytes());
        let options = CheckOptions { target: to, mode, fragment: dialect.is_fragment(), limits };
        let Ok(checked) = check(input, &options) else { return Ok(None) };
        let request = Request { input, from: From::Dialect(dialect), to, mode, call_id: None };
        let Outcome::Output { bytes, report } = normalizer.convert(&request) else { return Ok(None) };
        let straight = transcript.is_straight();
        repaired.clean &= straight && checked.violations.is_empty();
        repaired.accepted &= checked.errors().next().is_none();
        if bytes == input && straight {
            continue;
        }
        if transcript.is_response(dialect, limits) {
            return Ok(None);
        }
        let output = String::from_utf8(bytes).map_err(|error| format!("the output is not UTF-8: {error}"))?;
        let has_none = |json: &Json<'_>| layout(json, dialect).is_ok_and(|layout| layout.messages.count() == 0);
        repaired.is_emptied |= Json::parse(&output, &limits).is_ok_and(|json| has_none(&json));
        let ids = report.map(|report| report.ids).unwrap_or_default();
        let ids: Vec<(&str, &str)> = ids.iter().map(|id| (&*id.from, &*id.to)).collect();
        match transcript.woven(&repaired.text, &output, &ids, limits) {
            Ok(text) => repaired.text = text,
            Err(why) if why.to_string().is_empty() => return Err("a refusal says nothing".to_owned()),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(repaired))
}

/// Requests, dumps and JSON Lines made of a list of messages.
pub fn wrapped(name: &str, list: &str) -> Vec<(String, Vec<u8>)> {
    let dump = format!(r#"{{"url":"https://a.example","body":{{"model":"m","messages":{list}}}}}"#);
    let bodies = format!("{{\"messages\":{list}}}\n{{\"messages\":{list}}}\n");
    let items: Vec<serde_json::Value> = serde_json::from_str(list).unwrap_or_default();
    let messages = items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n") + "\n";
    [("dump", dump), ("bodies", bodies), ("messages", messages)]
        .into_iter()
        .map(|(kind, text)| (format!("{name}-{kind}"), text.into_bytes()))
        .collect()
}

#[cfg(test)]
mod tests {
    use wirecanon_core::Mode;

    use super::*;
    use crate::tests::planted::{Change, Mutant, replaced};

    #[test]
    fn smoke() {
        crate::tests::smoke::each_document(120, |data| TARGET.run(data));
        for (_, bytes) in examples() {
            TARGET.run(&bytes);
        }
    }

    /// Each changes a file, or leaves it, where the reference does not.
    #[test]
    fn a_repair_that_does_not_hold_is_caught() {
        let open = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
        let list = format!(r#"[{{"role":"user","content":"hi"}},{open}]"#);
        let dump = format!(r#"{{"body":{{"model":"m","messages":{list}}}}}"#);
        let lines = format!("{{\"role\":\"user\",\"content\":\"hi\"}}\n{open}\n");
        let mutants: [(&str, Change); 3] = [
            ("refuses the repaired file", |request, _| Outcome::Output { bytes: request.input.to_vec(), report: None }),
            ("changes it", |_, said| replaced(said, "hi", "ho")),
            ("changes the file again", |_, said| replaced(said, "\"content\":\"", "\"content\":\"a")),
        ];
        for input in [&dump, &lines] {
            judge(input.as_bytes(), &Reference).unwrap();
        }
        let said = judge(dump.as_bytes(), &Mutant(mutants[0].1)).unwrap_err();
        assert!(said.contains(mutants[0].0), "{said}");
        let said = judge(lines.as_bytes(), &Mutant(mutants[1].1)).unwrap_err();
        assert!(said.contains(mutants[1].0), "{said}");
        let said = judge(dump.as_bytes(), &Mutant(mutants[2].1)).unwrap_err();
        assert!(said.contains(mutants[2].0), "{said}");
    }

    #[test]
    fn a_file_is_judged_by_the_command_lines_own_default() {
        let mode = |text: &str| session::usual_mode(Lines::of(text.as_bytes()), None);
        assert_eq!(mode("[]"), Mode::Request);
        assert_eq!(mode("{\"role\":\"user\"}\n{\"role\":\"user\"}\n"), Mode::History);
    }
}
