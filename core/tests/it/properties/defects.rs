//! The catalogue of defects: each breaks what it says it breaks, and the reference makes of it what is known to be right.
//!
//! `WIRECANON_BROKEN=1000000` sets how many broken transcripts the reference is asked to mend; `WIRECANON_SEED` gives
//! others. `WIRECANON_EVERY=3` asks every invariant of every conversion of three transcripts for each defect in each dialect;
//! without it, each transcript is converted for a few targets. The figures are printed with `--nocapture`.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use arbitrary::Unstructured;
use wirecanon_core::invariant::{Invariant, Verdict, by_id};
use wirecanon_core::normalizer::Reference;
use wirecanon_core::rule::{self, Class};
use wirecanon_core::{Mode, Target};
use wirecanon_driver::{case, conversions, judge, known};
use wirecanon_generate::defect::{self, Defect, Effect};
use wirecanon_generate::{self as generate, Dialect, Generated, noise};

fn known_outcome() -> &'static Invariant {
    by_id("known").expect("the list has this invariant")
}

/// What the reference makes of a transcript that is not what is known to be right.
fn wrong(made: &Generated) -> Option<String> {
    let known = known(made);
    let case = case(made, &known, Target::by_name("canonical").expect("a target"), Mode::Request, None);
    match (known_outcome().check)(&Reference, &case) {
        Verdict::Violated(violation) => Some(format!(
            "{} {:?}: {violation}\n  from: {}",
            made.dialect.name(),
            made.faults,
            String::from_utf8_lossy(&made.bytes)
        )),
        Verdict::Held | Verdict::NotApplicable(_) => None,
    }
}

#[test]
fn every_class_and_rule_of_a_defect_is_in_the_catalogue() {
    let classes: BTreeSet<_> = Class::ALL.iter().map(|class| class.slug()).collect();
    let mut ids = BTreeSet::new();
    for defect in defect::all() {
        assert!(ids.insert(defect.id), "{} stands twice", defect.id);
        assert!(classes.contains(defect.class), "{}: there is no class {}", defect.id, defect.class);
        for id in defect.rules {
            assert!(rule::by_id(id).is_some(), "{}: there is no rule {id}", defect.id);
        }
        assert!(defect.summary.ends_with('.'), "{}: its summary is no sentence", defect.id);
    }
}

#[test]
fn most_defects_know_the_outcome() {
    let of = |effect| defect::all().iter().filter(|defect| defect.effect == effect).count();
    let (exact, all) = (of(Effect::Exact), defect::all().len());
    assert!(all >= 80 && 2 * exact >= all, "{exact} of {all}");
}

#[test]
fn every_defect_finds_something_to_break_and_the_reference_is_right() {
    let mut complaints = Vec::new();
    for defect in defect::all() {
        for dialect in Dialect::ALL.into_iter().filter(|dialect| defect.applies_to(*dialect)) {
            let found = (0..400).filter_map(|seed| by(seed, dialect, &[defect])).take(4);
            let mut many = 0;
            for made in found {
                many += 1;
                assert_eq!(made.faults, [defect.id]);
                let same = made.effect == defect.effect || !knows_outcomes(dialect) && made.effect > defect.effect;
                if !same {
                    complaints.push(format!("{} in {} claims too much: {}", defect.id, dialect.name(), made.effect));
                }
                complaints.extend(wrong(&made));
            }
            if many == 0 {
                complaints.push(format!("{} finds nothing to break in {}", defect.id, dialect.name()));
            }
        }
    }
    report(&complaints);
}

/// Each transcript is converted for one of so many targets, unless every conversion is asked for.
const APART: u64 = 71;

#[test]
fn every_defect_keeps_every_promise_in_its_conversions() {
    let every = env::var("WIRECANON_EVERY").ok().map(|text| text.parse::<usize>().expect("a number"));
    let (many, first) = (every.unwrap_or(1), number("WIRECANON_SEED", 0));
    let mut complaints = Vec::new();
    let (mut turn, mut judged) = (0, 0_u64);
    for defect in defect::all() {
        for dialect in Dialect::ALL.into_iter().filter(|dialect| defect.applies_to(*dialect)) {
            for made in (first..first + 400).filter_map(|seed| by(seed, dialect, &[defect])).take(many) {
                let known = known(&made);
                for (target, mode) in conversions(dialect) {
                    turn += 1;
                    if every.is_none() && turn % APART != 0 {
                        continue;
                    }
                    judged += 1;
                    let said = judge(&Reference, &case(&made, &known, target, mode, None));
                    let sort = || format!("{} {} to {}: ", defect.id, dialect.name(), target.dialect.name());
                    complaints.extend(said.err().map(|said| sort() + &said));
                }
            }
        }
    }
    println!("{judged} conversions of broken transcripts, {} wrong", complaints.len());
    assert!(judged > 1000, "only {judged} conversions were judged");
    report(&complaints);
}

#[test]
fn the_reference_is_right_on_valid_transcripts() {
    let mut complaints = Vec::new();
    for seed in 0..400 {
        for dialect in Dialect::ALL {
            let made = generate::valid(&mut Unstructured::new(&noise(seed, 1000)), dialect);
            assert_eq!(made.canonical.is_some(), knows_outcomes(dialect), "{}", dialect.name());
            complaints.extend(wrong(&made));
        }
    }
    report(&complaints);
}

#[test]
fn the_reference_is_right_on_broken_transcripts_with_a_known_outcome() {
    let (many, first) = (number("WIRECANON_BROKEN", 4000), number("WIRECANON_SEED", 0));
    let mut effects: BTreeMap<Effect, u64> = BTreeMap::new();
    let mut defects: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut complaints = Vec::new();
    let (mut judged, mut made_in_all) = (0, 0_u64);
    let dialects: Vec<_> = Dialect::ALL.into_iter().filter(|dialect| knows_outcomes(*dialect)).collect();
    for seed in first.. {
        if judged >= many || complaints.len() >= 200 {
            break;
        }
        for dialect in dialects.iter().copied() {
            let length = usize::try_from(100 + seed * 37 % 1500).unwrap_or(0);
            let made = generate::broken(&mut Unstructured::new(&noise(seed, length)), dialect);
            made_in_all += 1;
            *effects.entry(made.effect).or_default() += 1;
            let is_known = made.canonical.is_some() || made.effect == Effect::Refuse;
            judged += u64::from(is_known);
            for id in &made.faults {
                let (all, known) = defects.entry(id).or_default();
                *all += 1;
                *known += u64::from(is_known);
            }
            complaints.extend(wrong(&made));
        }
    }
    println!("{made_in_all} broken transcripts, {judged} with a known outcome, {} wrong", complaints.len());
    for (effect, count) in &effects {
        println!("{count:>9}  {effect}");
    }
    println!("      all      known");
    for (id, (all, known)) in &defects {
        println!("{all:>9}  {known:>9}  {id}");
    }
    report(&complaints);
}

/// Whether the generator knows what comes out of a transcript of this dialect, word for word. Of the others it knows what
/// must survive.
fn knows_outcomes(dialect: Dialect) -> bool {
    generate::valid(&mut Unstructured::new(&[]), dialect).canonical.is_some()
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

fn by(seed: u64, dialect: Dialect, defects: &[&'static Defect]) -> Option<Generated> {
    generate::broken_by(&mut Unstructured::new(&noise(seed, 1200)), dialect, defects)
}

/// One complaint of each sort, the shortest.
fn report(complaints: &[String]) {
    let mut sorts: BTreeMap<String, (usize, &String)> = BTreeMap::new();
    for complaint in complaints {
        let sort = complaint.split(": ").next().unwrap_or_default().to_owned();
        let entry = sorts.entry(sort).or_insert((0, complaint));
        entry.0 += 1;
        if complaint.len() < entry.1.len() {
            entry.1 = complaint;
        }
    }
    let list: Vec<_> = sorts.values().map(|(count, complaint)| format!("{count} times: {complaint}")).collect();
    assert!(list.is_empty(), "{} complaints\n{}", complaints.len(), list.join("\n\n"));
}
