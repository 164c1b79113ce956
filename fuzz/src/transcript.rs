//! A generated transcript, by every invariant.

use arbitrary::Unstructured;
use wirecanon_core::invariant::{Case, Known, KnownCall, Verdict, check_all};
use wirecanon_core::normalizer::Reference;
use wirecanon_core::{From, Mode, Target};
use wirecanon_schemas::defect::Effect;
use wirecanon_schemas::generate::{self, Call, Dialect, Generated};

/// Longer inputs make transcripts that teach nothing new.
const LONGEST: usize = 4096;

/// Makes a transcript from `data` and judges one conversion of it by every invariant.
///
/// # Panics
///
/// When an invariant is broken; the message has the faults, and a command that shows it.
pub fn run(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let u = &mut Unstructured::new(data);
    let dialect = *u.choose(&Dialect::ALL).unwrap_or(&Dialect::Canonical);
    let target = u.choose_index(Target::all().len()).map_or(&Target::all()[0], |index| &Target::all()[index]);
    let purpose = if u.arbitrary().unwrap_or(false) { Mode::History } else { Mode::Request };
    let shape: u8 = u.arbitrary().unwrap_or(0);
    let (made, then) = match shape % 4 {
        0 => (generate::valid(u, dialect), None),
        1 | 2 => (generate::broken(u, dialect), None),
        _ => {
            let (first, second) = generate::pair(u, dialect, shape & 4 == 0);
            (first, Some(second))
        }
    };
    // A conversation is no tool result.
    let target = if target.dialect.is_fragment() && !dialect.is_fragment() { &Target::all()[0] } else { target };
    judge(&made, then.as_ref(), target, purpose);
}

fn judge(made: &Generated, then: Option<&Generated>, target: &Target, purpose: Mode) {
    let calls = made.calls.iter().cloned();
    let known = Known {
        valid: made.valid,
        may_refuse: made.may_refuse,
        canonical: made.canonical.clone(),
        rules: made.rules.clone(),
        must_refuse: made.effect == Effect::Refuse,
        must_keep: made.must_keep.clone(),
        reasoning: made.reasoning.clone(),
        calls: calls
            .map(|Call { id, name, token, arguments, results }| KnownCall { id, name, token, arguments, results })
            .collect(),
    };
    let from = wirecanon_core::Dialect::by_name(made.dialect.name()).map_or(From::Auto, From::Dialect);
    let case =
        Case { mode: purpose, then: then.map(|then| &then.bytes[..]), ..Case::bare(&made.bytes, from, target, &known) };
    for (_, verdict) in check_all(&Reference, &case) {
        if let Verdict::Violated(violation) = verdict {
            panic!("{violation}\n  faults: {:?}", made.faults);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::path::Path;

    use super::run;
    use crate::noise::Noise;

    #[test]
    fn smoke() {
        let noise = &mut Noise::new(2);
        for round in 0..3000 {
            run(&noise.bytes(round % 700));
        }
    }

    #[test]
    fn seeds() {
        each_seed("transcript", run);
    }

    /// Runs a target on the files of its folder of seeds.
    pub(crate) fn each_seed(target: &str, body: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 5, "too few seeds for {target}");
        for file in files {
            body(&fs::read(file).unwrap());
        }
    }
}
