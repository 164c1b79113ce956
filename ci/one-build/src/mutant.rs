//! The mutants of cargo-mutants: what each changes, its name, and which of them are in a sample.

use std::collections::HashMap;
use std::ops::Range;

use serde::Deserialize;

/// What kind of change it is, as cargo-mutants calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum Genre {
    /// Another value instead of the body of a function
    FnValue,
    /// Another operator between two operands
    BinaryOperator,
    /// An operator before an operand left out
    UnaryOperator,
    /// An arm left out, so that `_` takes its values
    MatchArm,
    /// A guard that always or never holds
    MatchArmGuard,
    /// A field left out, so that the base gives it
    StructField,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

/// One change of one file.
#[derive(Clone, Debug, Deserialize)]
pub struct Mutant {
    /// Its name with its place, as cargo-mutants prints it
    pub name: String,
    /// The file, below the root of the workspace
    pub file: String,
    /// What kind of change it is
    pub genre: Genre,
    /// What stands there instead
    pub replacement: String,
    span: Span,
    /// The value of the variable that switches it on, from 1
    #[serde(skip)]
    pub number: usize,
    /// Its name without its place, so that lines may move, and a number where the same stands again
    #[serde(skip)]
    pub key: String,
}

impl Mutant {
    /// Reads what `cargo mutants --list --json` prints.
    ///
    /// # Errors
    ///
    /// It is not what version 27.1 prints.
    pub fn read(list: &[u8]) -> serde_json::Result<Vec<Self>> {
        let mut mutants: Vec<Self> = serde_json::from_slice(list)?;
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (at, mutant) in mutants.iter_mut().enumerate() {
            mutant.number = at + 1;
            let what = mutant.name.splitn(4, ':').nth(3).unwrap_or(&mutant.name);
            mutant.key = format!("{}:{what}", mutant.file);
            let count = seen.entry(mutant.key.clone()).or_default();
            *count += 1;
            if *count > 1 {
                mutant.key = format!("{} #{count}", mutant.key);
            }
        }
        Ok(mutants)
    }

    /// The part of its file that it replaces.
    pub fn bytes(&self, source: &str) -> Range<usize> {
        let at = |place: Place| {
            let line = source.split_inclusive('\n').take(place.line - 1).map(str::len).sum::<usize>();
            line + source[line..].chars().take(place.column - 1).map(char::len_utf8).sum::<usize>()
        };
        at(self.span.start)..at(self.span.end)
    }

    /// The file with this change.
    pub fn applied(&self, source: &str) -> String {
        let span = self.bytes(source);
        format!("{} {} {}", &source[..span.start], self.replacement, &source[span.end..])
    }

    /// Where it stands among all, which the seed shuffles: the same on every machine.
    pub fn rank(&self, seed: u64) -> u64 {
        const PRIME: u64 = 4_294_967_291;
        let hash =
            format!("{seed}/{}", self.key).bytes().fold(5381, |hash, byte| (hash * 33 + u64::from(byte)) % PRIME);
        // Once more, or names that begin alike stay together.
        (0..3).fold(hash, |hash, _| (hash * 65599 + 12345) % PRIME)
    }
}
