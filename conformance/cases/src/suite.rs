//! Suites: which cases score, frozen with the digest of each.
//!
//! A suite never changes once it is frozen, so two runs of it anywhere are about the same cases. A case that comes later runs
//! without a suite, and scores in the next one. A case of a suite stays in the corpus for ever; one that proves wrong is
//! retired with a reason, and is run no more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wirecanon_judge::case::digest::digest;
use wirecanon_judge::case::{Case, Retired};

/// The scored cases, at one time.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name: year and number
    pub suite: String,
    /// Version of wirecanon that froze it
    pub since: String,
    /// Whether it may still change; nobody should rely on it
    pub draft: bool,
    /// SHA-256 over ids and digests, one a line
    pub digest: String,
    /// Digest of each case by its id
    pub cases: BTreeMap<String, String>,
}

/// How a corpus and a suite differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Cases of the suite whose digest is another
    pub changed: Vec<String>,
    /// Cases of the suite that the corpus has not
    pub vanished: Vec<String>,
    /// Cases of the suite that are run no more, each with why
    pub retired: Vec<(String, Retired)>,
    /// Cases that came later
    pub new: Vec<String>,
}

impl Drift {
    /// Whether every case of the suite is what it was.
    pub fn is_whole(&self) -> bool {
        self.changed.is_empty() && self.vanished.is_empty()
    }

    /// What is not whole, in words, and what to do.
    pub fn in_words(&self) -> String {
        let list = |what: &str, ids: &[String]| match ids {
            [] => None,
            [one] => Some(format!("{one} has {what}")),
            several => {
                let more = if several.len() > 8 { format!(" and {} more", several.len() - 8) } else { String::new() };
                let named: Vec<_> = several.iter().take(8).map(String::as_str).collect();
                Some(format!("{}{more} have {what}", named.join(", ")))
            }
        };
        let parts: Vec<_> =
            [list("changed", &self.changed), list("vanished", &self.vanished)].into_iter().flatten().collect();
        parts.join("; ")
    }
}

impl Suite {
    /// The suite of all cases that are not retired.
    pub fn freeze(name: &str, draft: bool, cases: &[Case]) -> Self {
        let cases: BTreeMap<String, String> =
            cases.iter().filter(|case| case.retired.is_none()).map(|case| (case.id.clone(), digest(case))).collect();
        Self {
            suite: name.to_owned(),
            since: env!("CARGO_PKG_VERSION").to_owned(),
            draft,
            digest: Self::sum(&cases),
            cases,
        }
    }

    /// SHA-256 over the ids and digests of these cases.
    pub fn sum(cases: &BTreeMap<String, String>) -> String {
        let text: String = cases.iter().flat_map(|(id, digest)| [id, " ", digest, "\n"]).collect();
        wirecanon_judge::case::digest::sha256(text.as_bytes())
    }

    /// What became of its cases in a corpus.
    pub fn drift(&self, corpus: &[Case]) -> Drift {
        let by_id: BTreeMap<&str, &Case> = corpus.iter().map(|case| (case.id.as_str(), case)).collect();
        let mut drift = Drift::default();
        for (id, frozen) in &self.cases {
            let Some(case) = by_id.get(id.as_str()) else {
                drift.vanished.push(id.clone());
                continue;
            };
            if digest(case) != *frozen {
                drift.changed.push(id.clone());
            }
            if let Some(retired) = &case.retired {
                drift.retired.push((id.clone(), retired.clone()));
            }
        }
        let later = corpus.iter().filter(|case| case.retired.is_none() && !self.cases.contains_key(&case.id));
        drift.new = later.map(|case| case.id.clone()).collect();
        drift
    }

    /// The file of a suite: one case a line.
    ///
    /// # Errors
    ///
    /// Never: strings and flags are always JSON.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(format!("{}\n", serde_json::to_string_pretty(self)?))
    }

    /// Reads the file of a suite.
    ///
    /// # Errors
    ///
    /// It is no suite, or was changed by hand: in words.
    pub fn parse(file: &str, text: &[u8]) -> Result<Self, String> {
        let suite: Self = serde_json::from_slice(text).map_err(|error| format!("{file}: {error}"))?;
        if Self::sum(&suite.cases) != suite.digest {
            return Err(format!("{file}: the digest is not that of its cases: it was changed by hand"));
        }
        Ok(suite)
    }
}

/// The suites that are built in, sorted by name.
///
/// # Errors
///
/// One is no suite.
pub fn all() -> Result<Vec<Suite>, String> {
    wirecanon_suites::FILES.iter().map(|(file, text)| Suite::parse(file, text)).collect()
}

/// The newest suite that is frozen for good.
///
/// # Errors
///
/// One is no suite.
pub fn newest() -> Result<Option<Suite>, String> {
    Ok(all()?.into_iter().rfind(|suite| !suite.draft))
}

/// The suite with this name.
///
/// # Errors
///
/// There is none, or one is no suite.
pub fn by_name(name: &str) -> Result<Suite, String> {
    let all = all()?;
    let names: Vec<_> = all.iter().map(|suite| suite.suite.clone()).collect();
    all.into_iter().find(|suite| suite.suite == name).ok_or_else(|| {
        let there_are =
            if names.is_empty() { "there are none".to_owned() } else { format!("there are: {}", names.join(", ")) };
        format!("no suite is called `{name}`; {there_are}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case::parse;

    fn case(id: &str, input: &str, more: &str) -> Case {
        let text = format!(
            r#"{{"id":"{id}","title":"T.","class":"pairing","source":["o/r#1"],"from":"openai.chat","input":{input},
            "expect":{{"must_keep":[]}},"tags":[],"since":"0.1.0"{more}}}"#
        );
        parse(id, text.as_bytes()).unwrap()
    }

    #[test]
    fn a_suite_knows_what_became_of_its_cases() {
        let suite = Suite::freeze("t", false, &[case("a", "[1]", ""), case("b", "[2]", ""), case("c", "[3]", "")]);
        let retired = r#","retired":{"in":"0.1.0","reason":"It was wrong."}"#;
        let drift = suite.drift(&[case("a", "[1]", retired), case("b", "[2.0]", ""), case("d", "[4]", "")]);
        assert_eq!(
            (&drift.changed[..], &drift.vanished[..], &drift.new[..]),
            (&["b".to_owned()][..], &["c".to_owned()][..], &["d".to_owned()][..])
        );
        assert_eq!(drift.retired[0].1.reason, "It was wrong.");
        assert!(!drift.is_whole());
        assert_eq!(drift.in_words(), "b has changed; c has vanished");
        // Retiring alone leaves a suite whole.
        assert!(suite.drift(&[case("a", "[1]", retired), case("b", "[2]", ""), case("c", "[3]", "")]).is_whole());
        // What is retired is in no later suite.
        assert!(Suite::freeze("u", false, &[case("a", "[1]", retired)]).cases.is_empty());
    }

    #[test]
    fn a_suite_that_was_changed_by_hand_is_none() {
        let text = Suite::freeze("t", false, &[case("a", "[1]", "")]).to_text().unwrap();
        assert!(Suite::parse("t.json", text.as_bytes()).is_ok());
        let error = Suite::parse("t.json", text.replace("\"a\"", "\"b\"").as_bytes()).unwrap_err();
        assert!(error.contains("by hand"), "{error}");
    }
}
