//! Any bytes, in every conversion.

use std::cell::RefCell;

use wirecanon_core::invariant::{Case, Known, Verdict, by_id};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, From, Mode, Target};

/// Longer inputs teach nothing new and cost time: each is converted some two thousand times.
const LONGEST: usize = 4 * 1024;

/// Up to here every conversion is made in both modes.
const SHORT: usize = 512;

/// What must hold whatever the bytes are.
const ASSERTED: [&str; 4] = ["P7", "promises", "P1", "P6"];

/// Converts `data` from every dialect, and from `auto`, for every target.
///
/// # Panics
///
/// When an invariant is broken; the message has a command that shows it.
pub fn run(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let known = Known { may_refuse: true, ..Known::default() };
    let modes: &[Mode] = match data.len() {
        ..=SHORT => &[Mode::Request, Mode::History],
        even if even.is_multiple_of(2) => &[Mode::Request],
        _ => &[Mode::History],
    };
    for from in [From::Auto].into_iter().chain(Dialect::ALL.map(From::Dialect)) {
        for target in Target::all() {
            for mode in modes {
                let case = Case { mode: *mode, ..Case::bare(data, from, target, &known) };
                let reference = AskedOnce { request: case.request(), answer: RefCell::new(None) };
                for id in ASSERTED {
                    let invariant = by_id(id).unwrap_or_else(|| panic!("there is no invariant {id}"));
                    match (invariant.check)(&reference, &case) {
                        Verdict::Held => {}
                        // The first one that does not apply says that nothing was written.
                        Verdict::NotApplicable(_) => break,
                        Verdict::Violated(violation) => panic!("{violation}"),
                    }
                }
            }
        }
    }
}

/// The reference, which is asked for one request once, however many invariants look at its answer. None of those that are
/// asserted here asks whether it answers the same again.
struct AskedOnce<'r> {
    request: Request<'r>,
    answer: RefCell<Option<Outcome>>,
}

impl Normalizer for AskedOnce<'_> {
    fn name(&self) -> &'static str {
        "wirecanon"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        if *request != self.request {
            return Reference.convert(request);
        }
        let known = self.answer.borrow().clone();
        known.unwrap_or_else(|| {
            let answer = Reference.convert(request);
            *self.answer.borrow_mut() = Some(answer.clone());
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;
    use wirecanon_schemas::generate::{self, Dialect};

    use super::run;
    use crate::noise::Noise;

    #[test]
    fn smoke() {
        let noise = &mut Noise::new(1);
        for round in 0..400 {
            run(&noise.bytes(round % 60));
        }
        for round in 0..1500 {
            let length = 20 + round % 300;
            let source = noise.bytes(length);
            let dialect = Dialect::ALL[round % Dialect::ALL.len()];
            let mut text = generate::broken(&mut Unstructured::new(&source), dialect).bytes;
            for _ in 0..noise.below(4) {
                let place = noise.below(text.len());
                match noise.below(3) {
                    0 => text.truncate(place),
                    1 => drop(text.splice(place..place, *b"null")),
                    _ => text[place..].iter_mut().take(1).for_each(|byte| *byte = b"\"{}[],:0\\x\xff"[noise.below(11)]),
                }
            }
            run(&text);
        }
    }

    #[test]
    fn seeds() {
        crate::transcript::tests::each_seed("fix_bytes", run);
    }
}
