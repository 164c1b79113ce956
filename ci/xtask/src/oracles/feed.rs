//! The feed: what every judge is asked, one JSON object a line.

use std::collections::HashMap;
use std::io::{self, Write};

use arbitrary::Unstructured;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use wirecanon_core::{Dialect, Target};
use wirecanon_generate::instance::Plan;
use wirecanon_schemas::catalogue;

use super::disagreement::{Disagreement, Example};
use super::draws;
use super::mutate;
use super::opinion::{self, Fault, Schemas};
use super::random::Random;
use super::shape;
use super::source::{self, Attempt, Document};
use super::written::Conversion;

/// Longer messages that are not of the corpus say nothing more, and take long to judge.
const MAX_LENGTH: usize = 20_000;
/// Of a longer message, a mutation would mostly hit what does not matter.
const MAX_MUTATED_LENGTH: usize = 2_500;
/// How often each message is mutated, at most: small pools run dry of new texts.
const MAX_ROUNDS: usize = 400;
/// The origin of the examples of known disagreements.
pub(crate) const EXAMPLE: &str = "example";
/// The origin of instances of our schemas.
pub(crate) const MADE: &str = "made";
/// The origin of what was changed.
pub(crate) const MUTATED: &str = "mutated";

/// What one message is, and what our side says of it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) dialect: String,
    /// Whose rules were applied: for a message of a list, the dialect alone
    pub(crate) target: String,
    /// [`source::CORPUS`], `generated`, [`EXAMPLE`], [`MADE`] or [`MUTATED`]
    pub(crate) origin: String,
    /// The case or draw that it came from, or the mutation
    pub(crate) how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<Box<RawValue>>,
    /// The whole conversation, in records of conversations
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) document: Option<Box<RawValue>>,
    /// Rules that it breaks
    pub(crate) rules: Vec<Fault>,
    /// Where it is not what the schema says
    pub(crate) schema: Vec<Fault>,
}

impl Record {
    /// Whether the reference wrote it, and nobody changed it since.
    pub(crate) fn is_written(&self) -> bool {
        ![MUTATED, EXAMPLE, MADE].contains(&&*self.origin)
    }
}

/// How much is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) seed: u64,
    /// Mutated messages a dialect
    pub(crate) count: usize,
}

/// A conversation of a few messages, and the target that it was written for.
struct Conversation {
    target: &'static Target,
    messages: Vec<Value>,
}

impl Conversation {
    fn name(&self) -> String {
        let messages: Vec<_> = self.messages.iter().map(Value::to_string).collect();
        format!("{} [{}]", self.target.name, messages.join(","))
    }
}

/// What a feed holds.
pub(crate) struct Made {
    /// How many records
    pub(crate) records: usize,
    /// How many generated texts were left out for their length
    pub(crate) too_long: usize,
    /// Every conversion of the corpus to the dialect
    pub(crate) conversions: Vec<Conversion>,
}

/// Writes the feed of one dialect. `conversations`: some oracle judges more than single messages. `entries`: the known
/// disagreements, whose examples are part of the feed.
///
/// # Errors
///
/// The corpus cannot be read, a document is not of its dialect's shape, or the feed cannot be written.
pub(crate) fn write(
    dialect: Dialect,
    size: Size,
    conversations: bool,
    entries: &[Disagreement],
    out: &mut dyn Write,
) -> Result<Made, String> {
    let mut maker = Maker::new(dialect, out);
    let mut conversions = Vec::new();
    for attempt in source::from_corpus(dialect)? {
        conversions.push(maker.conversion(attempt)?);
    }
    let most = maker.count + (size.count / 3).max(60);
    // A dialect for which nothing is generated must not keep us here.
    for document in source::generated(dialect, size.seed).take(size.count) {
        if maker.count >= most {
            break;
        }
        maker.document(&document)?;
    }
    if maker.pool.is_empty() {
        return Err(format!("{}: the reference wrote nothing to judge", dialect.name()));
    }
    for example in entries.iter().flat_map(|entry| &entry.examples) {
        maker.example(example)?;
    }
    maker.mutated(size)?;
    if conversations {
        maker.mutated_conversations(size)?;
    }
    Ok(Made { records: maker.count, too_long: maker.too_long, conversions })
}

/// Writes a feed of instances of the dialect's schemas: `count` records of each revision.
///
/// # Errors
///
/// A schema cannot be planned, or the feed cannot be written.
pub(crate) fn instances(dialect: Dialect, size: Size, out: &mut dyn Write) -> Result<Made, String> {
    let mut maker = Maker::new(dialect, out);
    for schema in catalogue::of_dialect(dialect.name()) {
        let name =
            schema.revision.map_or(dialect.name().to_owned(), |revision| format!("{}@{revision}", dialect.name()));
        let target = Target::by_name(&name).map_err(|error| error.to_string())?;
        let plan = Plan::compile(schema.text).map_err(|error| format!("{}: {error}", schema.id))?;
        let end = maker.count + size.count;
        // An instance may be a list of nothing, or one that was made before.
        for number in 0..20 * size.count {
            if maker.count >= end {
                break;
            }
            let how = format!("{} {number}", schema.id);
            let mut random = Random::new(size.seed, &how);
            let length = 64 << random.below(5);
            let text = plan.instance(&mut Unstructured::new(&random.bytes(length)));
            for message in shape::messages(dialect, &text)? {
                maker.add((MADE, &how), target, message, false)?;
            }
            // Our schemas know messages, not what may follow what; MCP's documents hold more than messages.
            if dialect.name().starts_with("mcp.") && shape::is_document(dialect, &text) {
                maker.add((MADE, &how), target, text, true)?;
            }
        }
    }
    Ok(Made { records: maker.count, too_long: maker.too_long, conversions: Vec::new() })
}

struct Maker<'o> {
    dialect: Dialect,
    schemas: Schemas,
    /// Texts that were written before, each with its target, and the number of the record
    seen: HashMap<(String, &'static str), usize>,
    /// Messages that can be mutated
    pool: Vec<(&'static Target, Value)>,
    conversations: Vec<Conversation>,
    count: usize,
    too_long: usize,
    out: &'o mut dyn Write,
}

impl<'o> Maker<'o> {
    fn new(dialect: Dialect, out: &'o mut dyn Write) -> Self {
        Self {
            dialect,
            schemas: Schemas::default(),
            seen: HashMap::new(),
            pool: Vec::new(),
            conversations: Vec::new(),
            count: 0,
            too_long: 0,
            out,
        }
    }

    /// Whose rules a message is judged by: those of the dialect; of MCP, those of the revision; and what one server alone takes, by those
    /// of that server.
    fn target(&self, message: &str, document: &Document) -> &'static Target {
        let own = Target::of_dialect(self.dialect);
        let is_taken = || opinion::rules(own, &shape::document(self.dialect, message), false).is_empty();
        let is_own = || self.known(message, own).is_some() || is_taken();
        if self.dialect.name().starts_with("mcp.") || !is_own() { document.target } else { own }
    }

    fn known(&self, text: &str, target: &'static Target) -> Option<usize> {
        self.seen.get(&(text.to_owned(), target.name.as_str())).copied()
    }

    /// What was written of a case, for its target: our judges look at the whole, the oracles at its records.
    fn conversion(&mut self, attempt: Attempt) -> Result<Conversion, String> {
        let Attempt { case, from, target, document } = attempt;
        let mut conversion = Conversion::of(&case, from, target);
        let Some(document) = document else { return Ok(conversion) };
        conversion.records = Some(self.document(&document)?);
        conversion.rules = opinion::rules(target, &document.text, true);
        conversion.schema = self.schemas.mismatches(target, &document.text)?;
        Ok(conversion)
    }

    /// Gives the numbers of the records that hold it, each once.
    fn document(&mut self, document: &Document) -> Result<Vec<usize>, String> {
        let mut records = Vec::new();
        let text = shape::one_line(&shape::bare(self.dialect, &document.text)?);
        let messages = shape::messages(self.dialect, &text)?;
        if text.len() <= MAX_MUTATED_LENGTH {
            let values: Result<Vec<Value>, _> = messages.iter().map(|message| serde_json::from_str(message)).collect();
            if let Some(messages) = values.ok().filter(|messages| messages.len() > 1) {
                self.conversations.push(Conversation { target: document.target, messages });
            }
        }
        for message in messages {
            let target = self.target(&message, document);
            if message.len() <= MAX_MUTATED_LENGTH
                && let Ok(value) = serde_json::from_str::<Value>(&message)
                && self.known(&message, target).is_none()
            {
                self.pool.push((target, value));
            }
            records.extend(self.add((document.origin, &document.from), target, message, false)?);
        }
        if shape::is_document(self.dialect, &document.text) {
            records.extend(self.add((document.origin, &document.from), document.target, text, true)?);
        }
        records.sort_unstable();
        records.dedup();
        Ok(records)
    }

    /// Adds a message, or a `whole` document, unless it is known or too long; returns its number.
    fn add(
        &mut self,
        (origin, how): (&str, &str),
        target: &'static Target,
        text: String,
        whole: bool,
    ) -> Result<Option<usize>, String> {
        if origin != source::CORPUS && text.len() > MAX_LENGTH {
            self.too_long += 1;
            return Ok(None);
        }
        if let Some(known) = self.known(&text, target) {
            return Ok(Some(known));
        }
        let document = if whole { text.clone() } else { shape::document(self.dialect, &text) };
        let (rules, schema) = (opinion::rules(target, &document, whole), self.schemas.mismatches(target, &document)?);
        let raw =
            RawValue::from_string(text.clone()).map_err(|error| format!("the reference wrote no JSON: {error}"))?;
        let (message, document) = if whole { (None, Some(raw)) } else { (Some(raw), None) };
        self.count += 1;
        let record = Record {
            id: id(self.dialect, self.count),
            dialect: self.dialect.name().to_owned(),
            target: target.name.clone(),
            origin: origin.to_owned(),
            how: how.to_owned(),
            message,
            document,
            rules,
            schema,
        };
        let written = serde_json::to_writer(&mut self.out, &record).map_err(io::Error::from);
        let ended = written.and_then(|()| self.out.write_all(b"\n"));
        ended.map_err(|error| format!("the feed cannot be written: {error}"))?;
        self.seen.insert((text, &target.name), self.count);
        Ok(Some(self.count))
    }

    /// The example of a known disagreement, where it is of this dialect.
    fn example(&mut self, example: &Example) -> Result<(), String> {
        let target = Target::by_name(&example.target).map_err(|error| error.to_string())?;
        if target.dialect != self.dialect {
            return Ok(());
        }
        let text = example.text().to_owned();
        self.add((EXAMPLE, "as it stands"), target, text, example.message.is_none())?;
        Ok(())
    }

    fn mutated_conversations(&mut self, size: Size) -> Result<(), String> {
        let pool = std::mem::take(&mut self.conversations);
        let mut left = if pool.is_empty() { 0 } else { size.count / 2 };
        for round in 0..MAX_ROUNDS {
            if left == 0 {
                break;
            }
            for (mut random, Conversation { target, messages }) in
                draws::round(&pool, size.seed, round, Conversation::name).take(left)
            {
                left -= 1;
                let mut messages = messages.clone();
                let how = mutate::conversation(&mut random, &mut messages);
                let list: Vec<_> = messages.iter().map(Value::to_string).collect();
                let text = shape::document(self.dialect, &list.join(","));
                self.add((MUTATED, &how), target, text, true)?;
            }
        }
        Ok(())
    }

    fn mutated(&mut self, size: Size) -> Result<(), String> {
        let pool = std::mem::take(&mut self.pool);
        let end = self.count + size.count;
        for round in 0..MAX_ROUNDS {
            let name = |(target, message): &(&Target, Value)| format!("{} {message}", target.name);
            for (mut random, (target, message)) in draws::round(&pool, size.seed, round, name) {
                if self.count >= end {
                    return Ok(());
                }
                let mut message = message.clone();
                if let Some(how) = mutate::mutate(&mut random, &mut message) {
                    self.add((MUTATED, &how), target, message.to_string(), false)?;
                }
            }
        }
        Err(format!("{}: only {} messages could be made", self.dialect.name(), self.count))
    }
}

/// The id of a record.
pub(crate) fn id(dialect: Dialect, number: usize) -> String {
    format!("{}#{number}", dialect.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracles::disagreement;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let feed = |seed| {
            let mut out = Vec::new();
            let made = write(Dialect::McpToolResult, Size { seed, count: 50 }, false, &[], &mut out).unwrap();
            assert!(made.conversions.iter().any(|one| one.records.is_some()));
            out
        };
        assert_eq!(feed(1), feed(1));
        assert_ne!(feed(1), feed(2));
    }

    #[test]
    fn instances_are_of_every_revision_and_what_the_schema_says() {
        let mut out = Vec::new();
        let made = instances(Dialect::McpPrompt, Size { seed: 1, count: 20 }, &mut out).unwrap();
        let records: Vec<Record> =
            String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(records.len() == made.records && made.records >= 100);
        for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
            assert!(records.iter().any(|record| record.target.ends_with(revision)), "{revision}");
        }
        for record in &records {
            assert!(record.schema.is_empty() && !record.is_written(), "{record:?}");
        }
        assert!(records.iter().any(|record| record.document.is_some()));
    }

    #[test]
    fn a_feed_has_messages_of_every_origin() {
        let example = disagreement::tests::entry(r#"{ target = "openai.chat", message = '{"role":"tool"}' }"#);
        let mut out = Vec::new();
        let made = write(Dialect::OpenAiChat, Size { seed: 1, count: 80 }, true, &[example], &mut out).unwrap();
        let records: Vec<Record> =
            String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), made.records);
        for origin in [source::CORPUS, "generated", EXAMPLE, MUTATED] {
            assert!(records.iter().any(|record| record.origin == origin), "{origin}");
        }
        let changed = |record: &Record| record.document.is_some() && record.origin == MUTATED;
        assert!(records.iter().any(changed));
        let clean = |record: &&Record| record.is_written() && record.message.is_some();
        for record in records.iter().filter(clean) {
            assert!(record.rules.is_empty(), "{record:?}");
        }
    }
}
