//! Defects: how a valid transcript is broken, one file a class, one row a defect.
//!
//! A defect that keeps it plain who owns what leaves the list of words that must survive alone; any other takes the words
//! that it touches off the list.

#![expect(clippy::unnecessary_wraps, reason = "every row of a table has the same form")]

mod encoding;
mod media;
mod pairing;
mod roles;
mod rows;
mod shape;
mod tool_args;
mod tool_result;

use std::fmt;

use crate::generate::node::Node;
use crate::generate::plan::{Field, Message, Part, Plan, Role};
use crate::generate::{Config, Dialect, Draw};

/// What is known of the outcome where a defect has been at work. The weakest comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// The canonical outcome is known whole
    Exact,
    /// It is known what must hold: which words survive, which calls and results belong together
    Property,
    /// Nothing may be written, and a typed error says so
    Refuse,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Property => "property",
            Self::Refuse => "refuse",
        })
    }
}

/// One way to break a valid transcript.
#[derive(Clone, Debug)]
pub struct Defect {
    /// Kebab-case; says what is wrong
    pub id: &'static str,
    /// The class of faults that it belongs to, as the catalogue of rules has it
    pub class: &'static str,
    /// Rules that a report must name; empty where nothing is to be reported
    pub rules: &'static [&'static str],
    /// What is known of the outcome
    pub effect: Effect,
    /// What it does, in one sentence
    pub summary: &'static str,
    dialects: fn(Dialect) -> bool,
    apply: Apply,
}

impl Defect {
    /// Whether it can break something in this dialect.
    pub fn applies_to(&self, dialect: Dialect) -> bool {
        (self.dialects)(dialect)
    }
}

/// Every defect, class by class.
pub fn all() -> &'static [Defect] {
    rows::ALL
}

/// The defect with this id.
pub fn by_id(id: &str) -> Option<&'static Defect> {
    all().iter().find(|defect| defect.id == id)
}

/// What is broken: the plan, the document made of it, or its text. A defect says no when there is nothing that it could
/// break.
#[derive(Clone, Copy, Debug)]
enum Apply {
    Plan(fn(&mut Draw<'_, '_>, &mut Plan, Dialect) -> Option<()>),
    Tree(fn(&mut Draw<'_, '_>, &mut Plan, &mut Node) -> Option<()>),
    Bytes(fn(&mut Draw<'_, '_>, &mut Plan, &mut Vec<u8>) -> Option<()>),
}

/// The defects of one transcript, in the order they are done: those of the plan, then the document's, then the text's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'d> {
    /// None
    Nothing,
    /// At least one, as drawn
    Any,
    /// These, all of them
    These(&'d [&'static Defect]),
}

impl Choice<'_> {
    /// Whether the transcript stays as it is.
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Breaks the plan.
    pub(crate) fn plan(self, draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Option<()> {
        match self {
            Self::Nothing => return Some(()),
            Self::Any => some_of_plan(draw, config, plan),
            Self::These(defects) => {
                for defect in defects {
                    if !defect.applies_to(config.dialect) {
                        return None;
                    }
                    if let Apply::Plan(apply) = defect.apply {
                        apply(draw, plan, config.dialect)?;
                        plan.has(defect);
                    }
                }
            }
        }
        // Without one message that looks like one, it is no transcript of any dialect.
        let intact = |message: &Message| message.spelled_role == Field::Natural && message.content == Field::Natural;
        plan.may_refuse |= !plan.messages.iter().any(intact);
        Some(())
    }

    /// Breaks the finished document.
    pub(crate) fn tree(self, draw: &mut Draw<'_, '_>, plan: &mut Plan, root: &mut Node) -> Option<()> {
        let drawn = match self {
            Self::Any if draw.chance(1, 6) => one_of(draw, |apply| matches!(apply, Apply::Tree(_))),
            _ => None,
        };
        for defect in self.these().iter().copied().chain(drawn) {
            if let Apply::Tree(apply) = defect.apply {
                apply(draw, plan, root)?;
                plan.has(defect);
            }
        }
        Some(())
    }

    /// Breaks the finished text.
    pub(crate) fn bytes(self, draw: &mut Draw<'_, '_>, plan: &mut Plan, bytes: &mut Vec<u8>) -> Option<()> {
        let drawn = match self {
            Self::Any if draw.chance(1, 12) => one_of(draw, |apply| matches!(apply, Apply::Bytes(_))),
            _ => None,
        };
        for defect in self.these().iter().copied().chain(drawn) {
            if let Apply::Bytes(apply) = defect.apply {
                apply(draw, plan, bytes)?;
                plan.has(defect);
            }
        }
        Some(())
    }

    fn these(&self) -> &[&'static Defect] {
        if let Self::These(defects) = self { defects } else { &[] }
    }
}

fn one_of(draw: &mut Draw<'_, '_>, wanted: fn(&Apply) -> bool) -> Option<&'static Defect> {
    let rows: Vec<_> = all().iter().filter(|defect| wanted(&defect.apply)).collect();
    (!rows.is_empty()).then(|| draw.pick(&rows))
}

/// Breaks a plan in up to `max_faults` ways, at least one.
fn some_of_plan(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) {
    let rows = all();
    for _ in 0..=draw.up_to(config.max_faults.saturating_sub(1)) {
        let first = draw.up_to(rows.len() - 1);
        // The next defect that finds something to break.
        for step in 0..rows.len() {
            let defect = &rows[(first + step) % rows.len()];
            let Apply::Plan(apply) = defect.apply else { continue };
            if defect.applies_to(config.dialect) && apply(draw, plan, config.dialect).is_some() {
                plan.has(defect);
                break;
            }
        }
    }
}

/// The places of messages of this role.
fn of_role(plan: &Plan, role: Role) -> Vec<usize> {
    (0..plan.messages.len()).filter(|index| plan.messages[*index].role == role).collect()
}

/// One of these places, if there is one.
fn one(draw: &mut Draw<'_, '_>, places: &[usize]) -> Option<usize> {
    if places.is_empty() { None } else { Some(draw.pick(places)) }
}

/// The places of the calls in a plan, as message and part.
fn call_places(plan: &Plan) -> Vec<(usize, usize)> {
    parts(plan, |part| matches!(part, Part::Call(_)))
}

/// The places of the parts that `wanted` picks, as message and part.
fn parts(plan: &Plan, wanted: fn(&Part) -> bool) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (message, one) in plan.messages.iter().enumerate() {
        places.extend(one.parts.iter().enumerate().filter(|(_, part)| wanted(part)).map(|(part, _)| (message, part)));
    }
    places
}

/// From now on nobody asks whose the results of this turn are, nor how its calls look; the words must still survive.
fn disown(plan: &mut Plan, turn: usize) {
    let tokens: Vec<_> = plan.messages[turn].calls().map(|call| call.token.clone()).collect();
    for token in tokens {
        plan.forget_call(&token);
    }
}

/// From now on nobody asks after the results of this turn at all.
fn forget_results(plan: &mut Plan, turn: usize) {
    let tokens: Vec<_> = plan.messages[turn].calls().map(|call| call.token.clone()).collect();
    for index in 0..plan.messages.len() {
        if plan.messages[index].answer.as_ref().is_some_and(|answer| tokens.contains(&answer.call)) {
            plan.forget_message(index);
        }
    }
    disown(plan, turn);
}
