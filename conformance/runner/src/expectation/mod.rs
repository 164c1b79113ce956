//! What is expected of a testee today: the results that are known to be wrong, each pinned to its reason.
//!
//! Everything that is not expected must hold, and everything that is must be as wrong as it says, for the reason that it says:
//! [`hold`] says where it is not, and [`bless`] writes the file anew.

pub mod bless;
pub mod date;
pub mod hold;
pub mod version;

use serde::Deserialize;
use toml::Spanned;
use wirecanon_cases::corpus;
use wirecanon_judge::judge;
use wirecanon_judge::verdict::Verdict;

use crate::run::RunResult;
use date::Date;
use version::Versions;

/// A file of expectations.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Of whom it is expected, where the file says so
    pub testee: Option<String>,
    /// Version of the judge that gave the verdicts; the first one where the file does not say it
    pub judge: u64,
    /// Fewest scored cases that the testee must be judged on, so that it cannot get better by claiming less
    pub judged: Option<usize>,
    /// In the order of the file
    pub entries: Vec<Entry>,
}

/// What is expected of one case, or of some.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line that it begins on
    pub line: usize,
    /// Id of the case, or a pattern
    pub case: String,
    /// Dialect of the input; any, if left out
    pub from: Option<String>,
    /// Targets; all that the testee is judged on, if left out
    pub to: Option<Vec<String>>,
    /// The verdict that is expected
    pub verdict: Expected,
    /// The reasons that it is pinned to: see [`wirecanon_judge::reason`]
    pub because: Vec<String>,
    /// For a pattern: the number of cases that it covers
    pub covers: Option<usize>,
    /// Versions of the testee that it is about; any, if left out
    pub versions: Option<Versions>,
    /// The last day on which it counts
    pub expires: Option<Date>,
}

/// A verdict that can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// This one, each time
    Always(Verdict),
    /// Now this, now that
    Flaky,
}

impl Expected {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always(verdict) => verdict.name(),
            Self::Flaky => "flaky",
        }
    }
}

impl Entry {
    /// Whether it is about more than one case.
    pub fn is_pattern(&self) -> bool {
        self.case.contains(['*', '?'])
    }

    /// Whether it is about this result.
    pub fn is_about(&self, result: &RunResult) -> bool {
        let case = if self.is_pattern() { corpus::matches(&self.case, &result.case) } else { self.case == result.case };
        case && self.from.as_ref().is_none_or(|from| from == result.from.name())
            && self.to.as_ref().is_none_or(|to| to.contains(&result.to))
    }

    /// What two entries must differ in.
    fn scope(&self) -> (&str, Option<&str>, Option<Vec<&str>>, Option<&str>) {
        let to = self.to.as_ref().map(|to| {
            let mut to: Vec<_> = to.iter().map(String::as_str).collect();
            to.sort_unstable();
            to
        });
        (&self.case, self.from.as_deref(), to, self.versions.as_ref().map(|versions| versions.text.as_str()))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    testee: Option<String>,
    judge: Option<u64>,
    judged: Option<usize>,
    #[serde(default)]
    expect: Vec<Spanned<WireEntry>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEntry {
    case: String,
    from: Option<String>,
    to: Option<Vec<String>>,
    verdict: String,
    because: Vec<String>,
    covers: Option<usize>,
    versions: Option<String>,
    #[expect(dead_code, reason = "for whoever reads the file")]
    link: Option<String>,
    first_seen: Option<toml::value::Datetime>,
    expires: Option<toml::value::Datetime>,
}

impl Expectations {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It is none: one line, with the number of the line in the file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let line_of = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let file: WireFile = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(String::new(), |span| format!("line {}: ", line_of(span.start)));
            format!("{place}{}", error.message().replace('\n', "; "))
        })?;
        let mut entries = Vec::with_capacity(file.expect.len());
        for entry in file.expect {
            let line = line_of(entry.span().start);
            entries.push(Entry::of_wire(line, entry.into_inner()).map_err(|why| format!("line {line}: {why}"))?);
        }
        // A file that expects nothing is of any judge.
        let judge = file.judge.unwrap_or(if entries.is_empty() { judge::VERSION } else { judge::first_version() });
        if !(1..=judge::VERSION).contains(&judge) {
            return Err(format!("`judge` is {judge}; judges 1 to {} are known", judge::VERSION));
        }
        Ok(Self { testee: file.testee, judge, judged: file.judged, entries })
    }
}

impl Entry {
    fn of_wire(line: usize, wire: WireEntry) -> Result<Self, String> {
        let case = wire.case;
        let verdict = if wire.verdict == "flaky" {
            Expected::Flaky
        } else {
            let verdict = Verdict::by_name(&wire.verdict).ok_or_else(|| {
                let names: Vec<_> = Verdict::ALL.iter().map(|verdict| verdict.name()).collect();
                format!("{case}: no verdict is called `{}`; there are: flaky, {}", wire.verdict, names.join(", "))
            })?;
            Expected::Always(verdict)
        };
        if matches!(verdict, Expected::Always(Verdict::Identical | Verdict::Exact | Verdict::Unsupported)) {
            return Err(format!("{case}: `{}` is nothing wrong, so it is not to be expected here", wire.verdict));
        }
        let day = |name: &str, value: Option<toml::value::Datetime>| match value {
            None => Ok(None),
            Some(value) => {
                date::of_toml(&value).map(Some).ok_or_else(|| format!("{case}: `{name}` is no day, as 2027-01-31"))
            }
        };
        day("first_seen", wire.first_seen)?;
        let expires = day("expires", wire.expires)?;
        let versions = wire.versions.map(|text| Versions::parse(&text)).transpose()?;
        let entry = Self {
            line,
            from: wire.from,
            to: wire.to,
            verdict,
            because: wire.because,
            covers: wire.covers,
            versions,
            expires,
            case,
        };
        let case = &entry.case;
        if case.is_empty() || entry.to.as_ref().is_some_and(Vec::is_empty) {
            return Err("an entry is about a case, and about one target at least".to_owned());
        }
        if entry.because.is_empty() {
            return Err(format!("{case}: `because` is empty: an expectation is pinned to its reason"));
        }
        match (entry.is_pattern(), entry.covers) {
            (true, None) => Err(format!("{case}: a pattern says with `covers` how many cases it covers")),
            (false, Some(_)) => Err(format!("{case}: `covers` is for patterns; this is one case")),
            _ => Ok(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "judged = 3\n\n[[expect]]\ncase = \"a\"\nto = [\"openai\"]\nverdict = \"unsafe\"\nbecause = [\"r at /1\"]\n\
        link = \"https://example.org/1\"\nfirst_seen = 2026-11-22\nexpires = 2027-01-31\nversions = \">=1, <2\"\n\n\
        # known\n[[expect]]\ncase = \"b-*\"\ncovers = 4\nverdict = \"flaky\"\nbecause = [\"r\"]\n";

    #[test]
    fn a_file_is_read_with_its_lines() {
        let file = Expectations::parse(GOOD).expect("expectations");
        assert_eq!((file.judged, file.entries.len()), (Some(3), 2));
        assert_eq!((file.entries[0].line, file.entries[1].line), (3, 14));
        assert_eq!(file.entries[0].verdict, Expected::Always(Verdict::Rejected));
        assert_eq!(file.entries[0].expires.map(|day| day.to_string()).as_deref(), Some("2027-01-31"));
        assert_eq!((file.entries[1].verdict, file.entries[1].covers), (Expected::Flaky, Some(4)));
        assert!(Expectations::parse("").expect("nothing is expected").entries.is_empty());
    }

    #[test]
    fn what_is_no_expectation_is_refused_with_its_line() {
        for (from, to, message) in [
            ("\"unsafe\"", "\"unsave\"", "line 3: a: no verdict is called `unsave`"),
            ("\"unsafe\"", "\"exact\"", "nothing wrong"),
            ("[\"r at /1\"]", "[]", "pinned to its reason"),
            ("covers = 4\n", "", "line 14: b-*: a pattern says"),
            ("to = [\"openai\"]", "to = []", "one target at least"),
            ("to = [\"openai\"]", "covers = 2", "this is one case"),
            ("link =", "lnk =", "line 8: unknown field `lnk`"),
            ("2027-01-31", "07:32:00", "`expires` is no day"),
            ("\">=1, <2\"", "\"1\"", "no range of versions"),
            ("judged = 3", "judged = ", "line 1: "),
        ] {
            let error = Expectations::parse(&GOOD.replacen(from, to, 1)).expect_err(from);
            assert!(error.contains(message) && !error.contains('\n'), "{message}: {error}");
        }
    }
}
