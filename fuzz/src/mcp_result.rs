//! Tool results of the Model Context Protocol, in each of its revisions.

use std::sync::OnceLock;

use arbitrary::Unstructured;
use wirecanon::opinion::SecondOpinion;
use wirecanon_core::invariant::{Case, Known};
use wirecanon_core::json::Limits;
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, From, Target};
use wirecanon_generate::instance::Plan;
use wirecanon_generate::{self as generate, noise};
use wirecanon_schemas::catalogue;

use crate::FuzzTarget;
use crate::change::change;
use crate::replay::Document;

/// A revision of the protocol.
struct Revision {
    /// Of its schema
    id: &'static str,
    plan: Plan,
    /// Its own target, and what its schema says of what is written for it
    target: &'static Target,
    opinion: SecondOpinion,
}

/// Takes a result (JSON as it is; else one that the bytes make: a whole one of this project's generator, or any that the
/// schema of a revision describes, changed or not), and writes it for every revision and as a canonical fragment.
///
/// Fails when an invariant is broken, or the schema of a revision does not take what was written for it.
pub const TARGET: FuzzTarget = FuzzTarget { longest: 8 * 1024, judge: |data| judge(data, &Reference), document };

/// The result that is drawn from the bytes.
fn document(data: &[u8]) -> Document {
    let (bytes, ..) = result(data);
    if bytes == data { Document::Itself } else { Document::Drawn(bytes, Dialect::McpToolResult.name()) }
}

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let (bytes, known, described) = result(data);
    let written = revisions().iter().map(|revision| (revision.target, Some(&revision.opinion)));
    let canonical = [(Target::of_dialect(Dialect::Canonical), None)];
    for (target, opinion) in written.chain(canonical) {
        let case = Case::bare(&bytes, From::Dialect(Dialect::McpToolResult), target, &known);
        wirecanon_driver::judge(normalizer, &case)?;
        // Fields that no rule looks at are copied: what one schema describes, another may refuse.
        if let Some(opinion) = opinion.filter(|_| known.valid || described == Some(target)) {
            taken(&case.request(), &normalizer.convert(&case.request()), opinion)?;
        }
    }
    Ok(())
}

/// Whether the schema of a revision takes what was written for it.
fn taken(request: &Request<'_>, outcome: &Outcome, opinion: &SecondOpinion) -> Result<(), String> {
    let Outcome::Output { bytes, .. } = outcome else { return Ok(()) };
    let said = opinion.judge(bytes, Limits::default()).map_err(|error| format!("{error}\n  {request}"))?;
    match said.mismatches.first() {
        None => Ok(()),
        Some(found) => {
            let text = String::from_utf8_lossy(bytes);
            Err(format!("{} does not take what was written: {found}\n  {request}\n  wrote: {text}", said.schema))
        }
    }
}

/// A result, what is known of it, and the target whose schema describes it.
fn result(data: &[u8]) -> (Vec<u8>, Known, Option<&'static Target>) {
    let any = Known { may_refuse: true, ..Known::default() };
    if data.trim_ascii_start().starts_with(b"{") {
        return (data.to_vec(), any, None);
    }
    let u = &mut Unstructured::new(data);
    let revision = u.choose(revisions()).unwrap_or(&revisions()[0]);
    let shape: u8 = u.arbitrary().unwrap_or(0);
    if shape % 4 < 2 {
        let make = if shape.is_multiple_of(4) { generate::valid } else { generate::broken };
        let made = make(u, generate::Dialect::McpToolResult);
        return (made.bytes.clone(), wirecanon_driver::known(&made), None);
    }
    let mut text = revision.plan.instance(u);
    if shape % 4 == 2 {
        return (text.into_bytes(), Known::default(), Some(revision.target));
    }
    for _ in 0..=u.choose_index(3).unwrap_or(0) {
        let below = &mut |limit: usize| u.choose_index(limit.max(1)).unwrap_or(0);
        text = change(&text, below).unwrap_or(text);
    }
    (text.into_bytes(), any, None)
}

fn revisions() -> &'static [Revision] {
    static ALL: OnceLock<Vec<Revision>> = OnceLock::new();
    ALL.get_or_init(|| {
        let dialect = Dialect::McpToolResult;
        let schemas = catalogue::of_dialect(dialect.name()).filter_map(|schema| Some((schema, schema.revision?)));
        let revision = |(schema, revision): (&catalogue::Schema, &str)| Revision {
            id: schema.id,
            plan: Plan::compile(schema.text).unwrap_or_else(|error| panic!("{}: {error}", schema.id)),
            target: Target::by_name(&format!("{}@{revision}", dialect.name()))
                .unwrap_or_else(|error| panic!("{error}")),
            opinion: SecondOpinion::new(dialect, Some(revision)).unwrap_or_else(|error| panic!("{error}")),
        };
        schemas.map(revision).collect()
    })
}

/// One result of each revision, for a start.
pub(crate) fn examples() -> Vec<(String, Vec<u8>)> {
    let of = |revision: &Revision| {
        (1..4)
            .map(|seed| {
                let text = revision.plan.instance(&mut Unstructured::new(&noise(seed, 120)));
                (format!("{}-{seed}", revision.id.replace('/', "-")), text.into_bytes())
            })
            .collect::<Vec<_>>()
    };
    revisions().iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use wirecanon_core::Mode;

    use super::*;
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        assert_eq!(revisions().len(), 5);
        smoke::each_noise(500, 500, |data| TARGET.run(data));
        for (_, bytes) in examples() {
            TARGET.run(&bytes);
        }
    }

    /// Writes every result as the newest revision has it, whatever was asked for.
    struct Newest;

    impl Normalizer for Newest {
        fn name(&self) -> &'static str {
            "newest"
        }

        fn convert(&self, request: &Request<'_>) -> Outcome {
            Reference.convert(&Request { to: revisions()[4].target, ..*request })
        }
    }

    /// A type of content that came with a later revision.
    #[test]
    fn content_of_a_later_revision_is_caught() {
        let link = br#"{"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}"#;
        judge(link, &Reference).unwrap();
        assert!(judge(link, &Newest).is_err());
        let request =
            Request { input: link, from: From::Auto, to: revisions()[0].target, mode: Mode::Request, call_id: None };
        let outcome = Outcome::Output { bytes: link.to_vec(), report: None };
        let said = taken(&request, &outcome, &revisions()[0].opinion).unwrap_err();
        assert!(said.contains("mcp/2024-11-05/tool-result does not take"), "{said}");
        taken(&request, &outcome, &revisions()[4].opinion).unwrap_err();
        taken(&request, &outcome, &revisions()[2].opinion).unwrap();
    }
}
