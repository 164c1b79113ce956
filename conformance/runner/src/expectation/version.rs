//! Ranges of versions: `>=1.2, <2`. Versions of all languages' registries are compared by their numbers alone.

use std::cmp::Ordering;

/// Whether a condition holds of a version that is ordered so to that of the condition.
type Sign = fn(Ordering) -> bool;

/// Conditions that a version must all meet.
#[derive(Clone, Debug)]
pub struct Versions {
    /// As it was written
    pub text: String,
    conditions: Vec<(Sign, Vec<u64>)>,
}

/// How a condition begins, and which order it asks for.
const SIGNS: [(&str, Sign); 5] = [
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
    ("=", Ordering::is_eq),
];

impl Versions {
    /// Reads a range: conditions behind commas, each a sign (`<`, `<=`, `=`, `>=`, `>`) and a version.
    ///
    /// # Errors
    ///
    /// It is none, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no range of versions: write one as \">=1.2, <2\"");
        let mut conditions = Vec::new();
        for part in text.split(',') {
            let part = part.trim();
            let (rest, sign) = SIGNS
                .iter()
                .find_map(|(spelling, sign)| part.strip_prefix(spelling).map(|rest| (rest, *sign)))
                .ok_or_else(wrong)?;
            let version = rest.trim();
            if !version.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(wrong());
            }
            conditions.push((sign, numbers(version)));
        }
        Ok(Self { text: text.to_owned(), conditions })
    }

    /// Whether a version is in the range.
    pub fn has(&self, version: &str) -> bool {
        let version = numbers(version);
        self.conditions.iter().all(|(holds, other)| holds(version.cmp(other)))
    }
}

/// The numbers that a version begins with, without zeros at their end; what stands behind them (`rc1`, `-beta`) does
/// not count.
fn numbers(version: &str) -> Vec<u64> {
    let version = version.trim().trim_start_matches('v');
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let mut numbers: Vec<u64> = version[..end].split('.').map_while(|part| part.parse().ok()).collect();
    numbers.truncate(numbers.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let range = Versions::parse(">=1.2, <2").expect("a range");
        for (version, inside) in
            [("1.2", true), ("1.2.0", true), ("1.10.3rc1", true), ("1.1.9", false), ("2.0.0", false), ("v1.5", true)]
        {
            assert_eq!(range.has(version), inside, "{version}");
        }
        assert!(Versions::parse("=1.0").is_ok_and(|range| range.has("1") && !range.has("1.0.1")));
        for text in ["", "1.2", ">=x", ">=1,"] {
            assert!(Versions::parse(text).is_err(), "{text}");
        }
    }
}
