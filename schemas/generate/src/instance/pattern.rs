//! Regular expressions, and strings that match some and not others.
//!
//! Each pattern becomes a deterministic automaton over ASCII; strings are drawn by walking all of them side by side along
//! edges that still lead to an end within the length that is left. Beyond ASCII nothing is drawn where a pattern stands.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::meta;
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind};

use super::string::noise;

/// Bytes of memory that one automaton may take.
const LARGEST: usize = 1 << 20;
/// Bytes of memory that a pattern may take before it is an automaton.
const LARGEST_NFA: usize = 4 << 20;
/// States of several automata side by side.
const MOST_STATES: usize = 20_000;
/// Bits of the table that says which lengths are possible from where.
const MOST_BITS: usize = 1 << 28;

/// The patterns of one document.
#[derive(Default)]
pub(super) struct Automata {
    known: HashMap<String, Rc<Compiled>>,
}

pub(super) struct Compiled {
    dfa: dense::DFA<Vec<u32>>,
    search: meta::Regex,
}

impl Automata {
    /// The automaton of a pattern, or why there is none.
    pub(super) fn compile(&mut self, pattern: &str) -> Result<Rc<Compiled>, String> {
        if let Some(known) = self.known.get(pattern) {
            return Ok(Rc::clone(known));
        }
        // A pattern may match anywhere. `.` is any character but a line's end, as in ECMA-262.
        let whole = format!("^[\\x00-\\x7f]*(?:{pattern})[\\x00-\\x7f]*$");
        let dfa = dense::Builder::new()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .configure(
                dense::Config::new()
                    .start_kind(StartKind::Anchored)
                    .match_kind(MatchKind::All)
                    .unicode_word_boundary(false)
                    .dfa_size_limit(Some(LARGEST))
                    .determinize_size_limit(Some(4 * LARGEST)),
            )
            .thompson(
                // As the builder has it, but for the bound.
                thompson::Config::new()
                    .which_captures(thompson::WhichCaptures::None)
                    .shrink(false)
                    .nfa_size_limit(Some(LARGEST_NFA)),
            )
            .build(&whole)
            .map_err(|error| reason(&error))?;
        let search = meta::Regex::builder()
            .configure(meta::Config::new().nfa_size_limit(Some(LARGEST_NFA)))
            .build(pattern)
            .map_err(|error| reason(&error))?;
        let compiled = Rc::new(Compiled { dfa, search });
        self.known.insert(pattern.to_owned(), Rc::clone(&compiled));
        Ok(compiled)
    }

    /// Whether `text` has a match of `pattern` in it.
    pub(super) fn matches(&mut self, pattern: &str, text: &str) -> Result<bool, String> {
        Ok(self.compile(pattern)?.search.is_match(text))
    }
}

fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    // The syntax is shown over several lines with a caret: the last one says it.
    text.lines().next_back().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// The strings that match some patterns and not others, of a length in bounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walk {
    /// From the first to the last byte, to that state
    edges: Vec<Vec<(u8, u8, u32)>>,
    /// For a number of steps, the states from which exactly that many lead to an end, one bit each
    ends: Vec<Vec<u64>>,
    /// The lengths that there are, ascending
    lengths: Vec<usize>,
}

impl Walk {
    /// None when there is no such string.
    pub(super) fn new(
        automata: &mut Automata,
        patterns: &[(&str, bool)],
        (least, most): (usize, Option<usize>),
    ) -> Result<Option<Self>, String> {
        let (edges, accepting) = product(automata, patterns)?;
        let mut ends = vec![accepting];
        for beyond in [128, 1024, 16 * 1024] {
            let last = most.unwrap_or(usize::MAX).min(least.saturating_add(beyond));
            if last.saturating_mul(edges.len()) > MOST_BITS {
                return Err("strings of this length are too many to plan; shorten `minLength`".to_owned());
            }
            while ends.len() <= last {
                let next = before(&edges, &ends[ends.len() - 1]);
                ends.push(next);
            }
            let lengths: Vec<_> = (least..=last).filter(|length| has(&ends[*length], 0)).collect();
            if !lengths.is_empty() {
                return Ok(Some(Self { edges, ends, lengths }));
            }
            if most == Some(last) {
                break;
            }
        }
        Ok(None)
    }

    /// Draws a string with `choose(n)` for a number below `n`.
    pub(super) fn draw(&self, mut choose: impl FnMut(usize) -> usize) -> String {
        // Short ones are likelier.
        let reach = [1, 2, 5, 20, self.lengths.len()][choose(5)];
        let length = self.lengths[choose(reach.min(self.lengths.len()))];
        let mut out = String::with_capacity(length);
        let mut state = 0;
        for left in (0..length).rev() {
            let leads = |(_, _, to): &&(u8, u8, u32)| has(&self.ends[left], *to);
            let edges = &self.edges[state as usize];
            let nth = choose(edges.iter().filter(leads).count().max(1));
            let Some((first, last, to)) = edges.iter().filter(leads).nth(nth) else { break };
            out.push(char::from(pick(*first, *last, &mut choose)));
            state = *to;
        }
        out
    }

    /// A string that depends on `seed` alone, which is left for the next one.
    pub(super) fn example(&self, seed: &mut u64) -> String {
        self.draw(|below| {
            *seed += 1;
            (noise(*seed) % below as u64) as usize
        })
    }
}

type Edges = Vec<Vec<(u8, u8, u32)>>;

/// All automata side by side: the edges of each state, the first one the start, and which states accept.
fn product(automata: &mut Automata, patterns: &[(&str, bool)]) -> Result<(Edges, Vec<u64>), String> {
    let parts = patterns.iter().map(|(pattern, holds)| Ok((automata.compile(pattern)?, *holds)));
    let parts = parts.collect::<Result<Vec<_>, String>>()?;
    let config = start::Config::new().anchored(Anchored::Yes);
    let first = parts.iter().map(|(part, _)| part.dfa.start_state(&config).map_err(|error| reason(&error)));
    let first: Vec<StateID> = first.collect::<Result<_, _>>()?;
    let mut numbers: HashMap<Vec<StateID>, u32> = HashMap::from([(first.clone(), 0)]);
    let mut queue = VecDeque::from([first]);
    let mut edges: Edges = Vec::new();
    let mut accepting = Vec::new();
    while let Some(at) = queue.pop_front() {
        let accepts = parts
            .iter()
            .zip(&at)
            .all(|((part, holds), state)| part.dfa.is_match_state(part.dfa.next_eoi_state(*state)) == *holds);
        if edges.len().is_multiple_of(64) {
            accepting.push(0);
        }
        if let (true, Some(word)) = (accepts, accepting.last_mut()) {
            *word |= 1 << (edges.len() % 64);
        }
        let mut out: Vec<(u8, u8, u32)> = Vec::new();
        for byte in 0..=0x7f_u8 {
            let to: Vec<_> =
                parts.iter().zip(&at).map(|((part, _), state)| part.dfa.next_state(*state, byte)).collect();
            let fresh = numbers.len() as u32;
            let number = *numbers.entry(to.clone()).or_insert(fresh);
            if number == fresh {
                if numbers.len() > MOST_STATES {
                    return Err(format!("more than {MOST_STATES} states"));
                }
                queue.push_back(to);
            }
            match out.last_mut() {
                Some((_, last, other)) if *other == number && *last + 1 == byte => *last = byte,
                _ => out.push((byte, byte, number)),
            }
        }
        edges.push(out);
    }
    Ok((edges, accepting))
}

/// The states from which one step leads to one of `after`.
fn before(edges: &Edges, after: &[u64]) -> Vec<u64> {
    let mut out = vec![0; after.len()];
    for (number, edges) in edges.iter().enumerate() {
        if edges.iter().any(|(_, _, to)| has(after, *to)) {
            out[number / 64] |= 1 << (number % 64);
        }
    }
    out
}

fn has(bits: &[u64], number: u32) -> bool {
    bits[number as usize / 64] >> (number % 64) & 1 == 1
}

/// A byte in a range: mostly a letter where there is one, seldom a control character.
fn pick(first: u8, last: u8, choose: &mut impl FnMut(usize) -> usize) -> u8 {
    let (from, to) = if first <= b'z' && last >= b'a' && choose(4) != 3 {
        (first.max(b'a'), last.min(b'z'))
    } else if first <= b'~' && last >= b' ' && choose(32) != 31 {
        (first.max(b' '), last.min(b'~'))
    } else {
        (first, last)
    };
    from + u8::try_from(choose(usize::from(to - from) + 1)).unwrap_or(0)
}
