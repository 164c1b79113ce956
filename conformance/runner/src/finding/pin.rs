//! What must be said of an answer, as [`wirecanon_judge::reason`] spells it.

use std::fmt;

use wirecanon_cases::near;
use wirecanon_core::observe::Reason;
use wirecanon_core::rule;
use wirecanon_judge::judge::Judgement;
use wirecanon_judge::reason::AT;

/// What [`wirecanon_judge::reason`] calls the place that has no pointer.
const WHOLE: &str = "the whole";

/// The judge's name for an output that is no transcript at all.
const NO_TRANSCRIPT: &str = "no-transcript";

/// One thing that must be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pin {
    /// This rule is broken, at this place or at any
    Rule(String, Option<String>),
    /// This text or picture is gone; any, if none is named
    Lost(Option<String>),
    /// The output tells a model something else in this way, at this place or at any
    Means(String, Option<String>),
    /// The output is not the expected one, at this place or at any
    Differs(Option<String>),
    /// The testee, or the runner of it, says something that holds this text
    Says(String),
}

impl Pin {
    /// Reads one. `free` allows what the testee says in words of its own.
    ///
    /// # Errors
    ///
    /// It names a rule that does not exist.
    pub fn parse(text: &str, free: bool) -> Result<Self, String> {
        let (head, place) = text.split_once(AT).map_or((text, None), |(head, place)| (head, Some(place)));
        let place = place.map(|place| if place == WHOLE { String::new() } else { place.to_owned() });
        if rule::by_id(head).is_some() || head == NO_TRANSCRIPT {
            return Ok(Self::Rule(head.to_owned(), place));
        }
        if Reason::ALL.iter().any(|reason| reason.id() == head) {
            return Ok(Self::Means(head.to_owned(), place));
        }
        if head == "differs" {
            return Ok(Self::Differs(place));
        }
        if text == "lost" {
            return Ok(Self::Lost(None));
        }
        if let Some(lost) = text.strip_prefix("lost ") {
            return Ok(Self::Lost(Some(lost.to_owned())));
        }
        if free && !text.trim().is_empty() {
            return Ok(Self::Says(text.to_owned()));
        }
        let rules = rule::all().map(|rule| rule.id);
        let hint = near::hint(head, rules).unwrap_or_else(|| "see `wirecanon list rules`".to_owned());
        Err(format!(
            "`{text}` is no reason: `RULE at POINTER`, `KIND at POINTER`, `lost TEXT` or `differs at POINTER`; {hint}"
        ))
    }

    /// Whether it is said.
    pub fn is_said(&self, said: &Judgement) -> bool {
        match self {
            Self::Rule(rule, place) => said
                .violations
                .iter()
                .any(|broken| broken.rule == *rule && place.as_ref().is_none_or(|place| *place == broken.pointer)),
            Self::Means(kind, place) => said.reasons.iter().any(|reason| {
                let at = reason.answer.as_ref().or(reason.expected.as_ref()).map_or("", String::as_str);
                reason.kind == *kind && place.as_ref().is_none_or(|place| place == at)
            }),
            Self::Lost(None) => !said.lost.is_empty(),
            Self::Lost(Some(text)) => said.lost.contains(text),
            Self::Differs(place) => {
                said.difference.as_ref().is_some_and(|found| place.as_ref().is_none_or(|place| *place == found.pointer))
            }
            Self::Says(text) => said.failures.iter().any(|failure| failure.contains(text.as_str())),
        }
    }

    /// The same, wherever and in whatever words.
    #[must_use]
    pub fn anywhere(&self) -> Self {
        match self {
            Self::Rule(rule, _) => Self::Rule(rule.clone(), None),
            Self::Means(kind, _) => Self::Means(kind.clone(), None),
            Self::Lost(_) => Self::Lost(None),
            Self::Differs(_) => Self::Differs(None),
            Self::Says(_) => Self::Says(String::new()),
        }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, place) = match self {
            Self::Rule(name, place) | Self::Means(name, place) => (name.as_str(), place),
            Self::Differs(place) => ("differs", place),
            Self::Lost(None) => return f.write_str("lost"),
            Self::Lost(Some(text)) => return write!(f, "lost {text}"),
            Self::Says(text) if text.is_empty() => return f.write_str("any failure"),
            Self::Says(text) => return f.write_str(text),
        };
        match place {
            None => f.write_str(what),
            Some(place) => write!(f, "{what}{AT}{}", if place.is_empty() { WHOLE } else { place }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_and_written_alike() {
        for text in [
            "orphan-tool-result at /messages/0",
            "orphan-tool-result",
            "differs at the whole",
            "lost x y",
            "lost",
            "text-missing at /messages/0",
        ] {
            assert_eq!(Pin::parse(text, false).map(|pin| pin.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(Pin::parse("Error: no", true), Ok(Pin::Says("Error: no".to_owned())));
        let error = Pin::parse("orphan-tool-resutl at /messages/0", false).expect_err("misspelt");
        assert!(error.contains("did you mean `orphan-tool-result`?"), "{error}");
    }
}
