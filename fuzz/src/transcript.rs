//! A generated transcript, by every invariant.

use arbitrary::Unstructured;
use wirecanon_core::normalizer::{Normalizer, Reference};
use wirecanon_core::{Mode, Target};
use wirecanon_driver::{case, drawn as drawn_by, judge, known};
use wirecanon_generate::{Dialect, Generated};

use crate::FuzzTarget;
use crate::replay::Document;

/// Makes a transcript from `data` and judges one conversion of it by every invariant, what is known of it among them.
///
/// Fails when an invariant is broken; the message has the faults, and a command that shows it.
pub const TARGET: FuzzTarget = FuzzTarget { longest: 4096, judge: |data| judged(data, &Reference), document };

/// The transcript that is drawn from the bytes.
fn document(data: &[u8]) -> Document {
    let Drawn { made, .. } = drawn(data);
    Document::Drawn(made.bytes, made.dialect.name())
}

/// What the bytes decide.
struct Drawn {
    made: Generated,
    then: Option<Generated>,
    target: &'static Target,
    mode: Mode,
}

fn drawn(data: &[u8]) -> Drawn {
    let u = &mut Unstructured::new(data);
    let dialect = *u.choose(&Dialect::ALL).unwrap_or(&Dialect::Canonical);
    let target = u.choose_index(Target::all().len()).map_or(&Target::all()[0], |index| &Target::all()[index]);
    let mode = if u.arbitrary().unwrap_or(false) { Mode::History } else { Mode::Request };
    let shape: u8 = u.arbitrary().unwrap_or(0);
    let (made, then) = drawn_by(u, dialect, shape);
    // A conversation is no tool result.
    let target = if target.dialect.is_fragment() && !dialect.is_fragment() { &Target::all()[0] } else { target };
    Drawn { made, then, target, mode }
}

fn judged(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let Drawn { made, then, target, mode } = drawn(data);
    let known = known(&made);
    judge(normalizer, &case(&made, &known, target, mode, then.as_ref()))
        .map_err(|why| format!("{why}\n  faults: {:?}", made.faults))
}

#[cfg(test)]
mod tests {
    use wirecanon_core::normalizer::{Outcome, Request};
    use wirecanon_generate as generate;

    use super::*;
    use crate::change::Picks;
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        smoke::each_noise(1200, 700, |data| TARGET.run(data));
    }

    #[test]
    fn seeds() {
        smoke::each_seed("transcript", |data| TARGET.run(data));
    }

    /// Drops by position: the second of two results.
    struct Drops;

    impl Normalizer for Drops {
        fn name(&self) -> &'static str {
            "drops"
        }

        fn convert(&self, request: &Request<'_>) -> Outcome {
            let said = Reference.convert(request);
            let Outcome::Output { bytes, report } = said else { return said };
            let Ok(mut document) = serde_json::from_slice::<serde_json::Value>(&bytes) else {
                return Outcome::Output { bytes, report };
            };
            if let Some(list) = document["messages"].as_array_mut().filter(|list| list.len() > 3) {
                list.remove(3);
            }
            Outcome::Output { bytes: document.to_string().into_bytes(), report }
        }
    }

    #[test]
    fn a_normalizer_that_drops_by_position_is_caught() {
        let picks = &mut Picks::new(3);
        let caught = (0..150).filter(|round| {
            let bytes = generate::noise(*round, picks.below(600));
            judged(&bytes, &Reference).unwrap();
            judged(&bytes, &Drops).is_err()
        });
        assert!(caught.count() > 8);
    }
}
