//! From one dialect to another and back.
//!
//! `docs/losses.md` says what becomes of each thing that a transcript can say. Here any transcript takes the way, and the
//! reports say what may be missing: where neither way repaired or left out anything, the same words, calls, results and
//! pictures come back. Whatever was repaired, the second way repairs no more, and what must survive survives.

use arbitrary::Unstructured;
use wirecanon::loss::lost;
use wirecanon_core::json::{Json, Limits, Value};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::report::Report;
use wirecanon_core::{Dialect, From, Mode, Target};
use wirecanon_generate::{self as generate, Generated};

use crate::FuzzTarget;
use crate::replay::Document;

/// Makes a transcript from `data` and takes it to another dialect and back, twice.
///
/// Fails when something is missing that no report names, or the second way does not end where the first one did.
pub const TARGET: FuzzTarget = FuzzTarget { longest: 4096, judge: |data| judge(data, &Reference), document };

/// The transcript that is drawn from the bytes.
fn document(data: &[u8]) -> Document {
    drawn(data).map_or(Document::Nothing, |(made, _)| Document::Drawn(made.bytes, made.dialect.name()))
}

/// A transcript, and the dialect that it goes to; none where there is no such way.
fn drawn(data: &[u8]) -> Option<(Generated, Dialect)> {
    let u = &mut Unstructured::new(data);
    let home = *u.choose(&generate::Dialect::ALL).unwrap_or(&generate::Dialect::Canonical);
    let abroad = u.choose(&Dialect::ALL).copied().unwrap_or(Dialect::Canonical);
    let faults = u.ratio(1, 4).unwrap_or(false);
    let from = Dialect::by_name(home.name())?;
    let exists = from != abroad && wirecanon::conversion::exists(from, Target::of_dialect(abroad));
    exists.then(|| (if faults { generate::broken(u, home) } else { generate::valid(u, home) }, abroad))
}

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let Some((made, abroad)) = drawn(data) else { return Ok(()) };
    let Some(home) = Dialect::by_name(made.dialect.name()) else { return Ok(()) };
    trip(&made, home, abroad, normalizer).map_err(|why| format!("{why}\n  faults: {:?}", made.faults))
}

/// One way: what was written, and what was said about it.
struct Way {
    text: String,
    /// Something had to be said in another way
    repaired: bool,
    command: String,
}

fn trip(made: &Generated, home: Dialect, abroad: Dialect, normalizer: &dyn Normalizer) -> Result<(), String> {
    let way = |input: &[u8], from: Dialect, to: Dialect| {
        let call_id = (from.is_fragment() || to.is_fragment()).then_some("call_1");
        let to = Target::of_dialect(to);
        let request = Request { input, from: From::Dialect(from), to, mode: Mode::History, call_id };
        match normalizer.convert(&request) {
            Outcome::Output { bytes, report } => {
                let text =
                    String::from_utf8(bytes).map_err(|_| format!("what was written is not UTF-8\n  {request}"))?;
                Ok(Some(Way {
                    text,
                    repaired: report.is_none_or(|report| differs(&report)),
                    command: request.to_string(),
                }))
            }
            Outcome::Refused { .. } => Ok(None),
            Outcome::Failed(why) => Err(format!("it failed: {why}\n  {request}")),
        }
    };
    // What is the same must look the same: the transcript as its own dialect writes it.
    let Some(start) = way(&made.bytes, home, home)? else { return Ok(()) };
    let Some(out) = way(start.text.as_bytes(), home, abroad)? else { return Ok(()) };
    let Some(back) = way(out.text.as_bytes(), abroad, home)? else {
        return Err(format!("what was written was refused on its way back\n  {}", out.command));
    };
    let gone = lost(&start.text, &made.must_keep);
    let missing = lost(&back.text, &made.must_keep);
    // A picture that the other dialect has no place for stands in its report.
    if let Some(word) = missing.iter().find(|word| !gone.contains(word) && !out.repaired && !back.repaired) {
        return Err(format!("{word:?} did not come back\n  {}\n  {}", out.command, back.command));
    }
    if !(out.repaired || back.repaired) {
        let canonical = |text: &str| way(text.as_bytes(), home, Dialect::Canonical);
        if let (Some(before), Some(after)) = (canonical(&start.text)?, canonical(&back.text)?) {
            same(&before.text, &after.text)
                .map_err(|why| format!("{why}\n  {}\n  {}\n  back: {}", out.command, back.command, back.text))?;
        }
    }
    let Some(again) = way(back.text.as_bytes(), home, abroad)? else {
        return Err(format!("what came back was refused\n  {}", back.command));
    };
    let Some(twice) = way(again.text.as_bytes(), abroad, home)? else {
        return Err(format!("what was written again was refused\n  {}", again.command));
    };
    let canonical = |text: &str| way(text.as_bytes(), home, Dialect::Canonical);
    let (Some(first), Some(second)) = (canonical(&back.text)?, canonical(&twice.text)?) else { return Ok(()) };
    same(&first.text, &second.text)
        .map_err(|why| format!("the second way ends elsewhere: {why}\n  {}\n  {}", back.command, again.command))
}

/// Whether a report names a change of what is said, or something that was left out.
fn differs(report: &Report) -> bool {
    !report.repairs.is_empty() || report.notes.iter().any(|note| note.rule != "dialect-detected")
}

/// Whether two canonical transcripts say the same.
fn same(before: &str, after: &str) -> Result<(), String> {
    let (before, after) = (spoken(before), spoken(after));
    let differs = before.iter().zip(&after).position(|(one, other)| one != other);
    match differs {
        None if before.len() == after.len() => Ok(()),
        place => {
            let place = place.unwrap_or(before.len().min(after.len()));
            Err(format!("{:?} came back as {:?}", before.get(place), after.get(place)))
        }
    }
}

/// Every string and number of a transcript that says something, sorted: not keys, nor what ids are called, nor how texts are
/// cut into blocks and messages. Some dialects hold pictures apart from texts, or one block a message.
fn spoken(text: &str) -> Vec<String> {
    let Ok(json) = Json::parse(text, &Limits { max_depth: usize::MAX }) else { return vec![text.to_owned()] };
    let mut found: Vec<String> = Vec::new();
    let mut todo = vec![json.root()];
    while let Some(value) = todo.pop() {
        if value.is_object() {
            let mut members: Vec<_> = value.members().collect();
            members.sort_by_cached_key(|(key, _)| key.as_str().unwrap_or_default().into_owned());
            let says = |key, value| !is_label(key) && !is_text_block(key, value) && !is_made_up_name(key, value);
            let said = members.into_iter().filter(|(key, value)| says(*key, *value));
            todo.extend(said.map(|(_, value)| value).rev());
        } else if value.is_array() {
            let items: Vec<_> = value.items().collect();
            todo.extend(items.into_iter().rev());
        } else if !value.is_null() {
            // A null says nothing; what arguments hold is text here.
            let said = value.as_str().map_or_else(|| value.raw().to_owned(), |text| text.trim().to_owned());
            found.extend(said.lines().map(str::to_owned));
        }
    }
    found.sort_unstable();
    found
}

/// How a text is cut into blocks is lost where a message has one text.
fn is_text_block(key: Value<'_>, value: Value<'_>) -> bool {
    key.is_str("type") && value.is_str("text")
}

/// OpenAI wants a name for every file; one without a name is called this.
fn is_made_up_name(key: Value<'_>, value: Value<'_>) -> bool {
    key.is_str("name") && value.is_str("file")
}

/// Members that say how something is called, or what another dialect has no place for and no report names: of which dialect
/// reasoning is, why a turn ended, and fields that only one dialect has (`docs/losses.md`).
fn is_label(key: Value<'_>) -> bool {
    let labels = ["role", "id", "toolCallId", "origin", "signature", "stopReason", "native", "isError"];
    labels.iter().any(|label| key.is_str(label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::planted::{Change, Mutant, replaced};
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        smoke::each_noise(1000, 500, |data| TARGET.run(data));
    }

    #[test]
    fn what_does_not_come_back_is_caught() {
        let mutants: [(&str, Change); 3] =
            [
                // Numbers become doubles.
                ("came back as", |request, said| {
                    if request.to.dialect == Dialect::Canonical { said } else { replaced(said, "1.0", "1") }
                }),
                // A word is forgotten on the way out, unsaid.
                ("did not come back", |request, said| {
                    let at_home = request.from == From::Dialect(request.to.dialect);
                    if at_home { said } else { replaced(said, "ta1x", "") }
                }),
                // A note grows at each way.
                ("ends elsewhere", |request, said| {
                    if request.from == From::Dialect(Dialect::OpenAiChat) {
                        replaced(said, "\"text\":\"", "\"text\":\"> ")
                    } else {
                        said
                    }
                }),
            ];
        for (words, change) in mutants {
            let caught = (0..3000).any(|round| {
                let bytes = generate::noise(round, 300);
                judge(&bytes, &Mutant(change)).is_err_and(|said| said.contains(words))
            });
            assert!(caught, "{words}");
        }
    }
}
