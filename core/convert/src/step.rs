//! The steps of the way through by their names, and the way through with one of them left out or replaced.
//!
//! This is for the tests that show that every step has a case: with the step left out, some case must fail. The planted
//! mutants replace steps by wrong ones. It also gives a fault another spelling, with no step at all. Nothing else should use
//! it.

use std::fmt;

use crate::dialects::Described as _;
use crate::pipeline::{Fixed, Options};
use crate::{pipeline as convert, print, read, repair};
use wirecanon_model::transcript::Transcript;
use wirecanon_model::{Dialect, Error};

/// One step, which can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// `read`, `repair` or `write`
    pub stage: &'static str,
    /// What it is called there
    pub name: &'static str,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.stage, self.name)
    }
}

/// What is done to a transcript between two steps, or in place of one. What it changes it marks as dirty, or the source's
/// bytes are written.
pub type Edit = for<'a> fn(&mut Transcript<'a>);

/// What becomes of one step.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// It is left out
    Without,
    /// Something else is done
    Instead(Edit),
    /// Something is done before it
    Before(Edit),
    /// Something is done after it
    After(Edit),
}

/// One entry of the tables of steps, changed. A part of a pass (`pairing/answer`) and a step of reading can only be left out.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// `repair` or `write`, or `read`
    pub stage: &'static str,
    /// What the step is called there
    pub name: &'static str,
    /// What becomes of it
    pub way: Way,
}

/// Which steps are gone through.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Steps {
    /// All of them
    #[default]
    All,
    /// All but one
    But(Step),
    /// All, but for these changes
    Changed(&'static [Change]),
    /// None that mends or adapts: what was read is written as it stands
    Bare,
}

impl Steps {
    /// Whether a step of reading is gone through.
    pub(crate) fn read(self, name: &str) -> bool {
        self.runs("read", name)
    }

    /// Whether a step of mending is gone through.
    pub(crate) fn repair(self, name: &str) -> bool {
        self.runs("repair", name)
    }

    /// Goes through one step of mending or writing, or what is put in its place.
    pub(crate) fn go<'a>(
        self,
        stage: &str,
        name: &str,
        transcript: &mut Transcript<'a>,
        run: impl FnOnce(&mut Transcript<'a>),
    ) {
        let Self::Changed(changes) = self else {
            if self.runs(stage, name) {
                run(transcript);
            }
            return;
        };
        let own = || changes.iter().filter(|change| change.stage == stage && change.name == name);
        for change in own() {
            if let Way::Before(edit) = change.way {
                edit(transcript);
            }
        }
        if self.runs(stage, name) {
            run(transcript);
        }
        for change in own() {
            if let Way::Instead(edit) | Way::After(edit) = change.way {
                edit(transcript);
            }
        }
    }

    fn runs(self, stage: &str, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::But(step) => step.stage != stage || step.name != name,
            Self::Changed(changes) => !changes.iter().any(|change| {
                change.stage == stage && change.name == name && matches!(change.way, Way::Without | Way::Instead(_))
            }),
            // No dialect has words for what only another one can replay.
            Self::Bare => stage == "read" || (stage == "write" && name == "items"),
        }
    }
}

/// Every step, in the order of the way.
pub fn all() -> Vec<Step> {
    let finish = Dialect::ALL.into_iter().filter(|dialect| dialect.spec().finish.is_some()).map(Dialect::name);
    let read = finish.chain(read::STEPS.iter().copied()).map(|name| Step { stage: "read", name });
    let repair = repair::steps().map(|name| Step { stage: "repair", name });
    let write = print::steps().map(|name| Step { stage: "write", name });
    read.chain(repair).chain(write).collect()
}

/// [`crate::pipeline::fix`] without one step.
///
/// # Errors
///
/// As [`crate::pipeline::fix`].
pub fn fix_without<'a>(input: &'a [u8], options: &Options<'_>, step: Step) -> Result<Fixed<'a>, Error> {
    convert::fix_by(input, options, Steps::But(step))
}

/// [`crate::pipeline::fix`] with entries of its tables changed.
///
/// # Errors
///
/// As [`crate::pipeline::fix`].
pub fn fix_changed<'a>(input: &'a [u8], options: &Options<'_>, changes: &'static [Change]) -> Result<Fixed<'a>, Error> {
    convert::fix_by(input, options, Steps::Changed(changes))
}

/// What stands in `input`, in the words of another dialect, with its faults as far as the dialect can say them: nothing is
/// mended, and no limit of a server is kept.
///
/// # Errors
///
/// As [`crate::pipeline::fix`].
pub fn respell<'a>(input: &'a [u8], options: &Options<'_>) -> Result<Fixed<'a>, Error> {
    convert::fix_by(input, options, Steps::Bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::From;
    use wirecanon_model::target::Target;

    const OPEN: &[u8] = br#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,
        "tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]}]}"#;

    fn options(to: &str) -> Options<'static> {
        Options {
            from: From::Dialect(Dialect::OpenAiChat),
            to: Some(Target::by_name(to).expect("a target")),
            ..Options::default()
        }
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let mut steps = all();
        let count = steps.len();
        assert!(count > 40, "{count} steps");
        steps.sort();
        steps.dedup();
        assert_eq!(steps.len(), count);
    }

    #[test]
    fn a_step_that_is_left_out_is_not_gone_through() {
        let mended = crate::pipeline::fix(OPEN, &options("openai.chat")).expect("a transcript").output;
        assert!(String::from_utf8_lossy(&mended).contains("no result was recorded"));
        let answers = all().into_iter().find(|step| step.name == "pairing/answer").expect("the step");
        let without = fix_without(OPEN, &options("openai.chat"), answers).expect("a transcript");
        assert_eq!(without.output, OPEN);
        assert_eq!(without.report.repairs, []);
    }

    #[test]
    fn a_step_that_is_changed_does_the_other_thing() {
        const NOTHING: Edit = |_| {};
        const MARK: Edit = |transcript| transcript.messages.truncate(1);
        let told = |way: &'static [Change]| {
            fix_changed(OPEN, &options("canonical"), way)
                .map(|fixed| String::from_utf8_lossy(&fixed.output).into_owned())
        };
        let whole = told(&[]).expect("a transcript");
        assert_eq!(whole.as_bytes(), &*crate::pipeline::fix(OPEN, &options("canonical")).expect("a transcript").output);
        let without = &[Change { stage: "repair", name: "pairing", way: Way::Without }];
        let instead = &[Change { stage: "repair", name: "pairing", way: Way::Instead(NOTHING) }];
        assert_eq!(told(without).expect("a transcript"), told(instead).expect("a transcript"));
        assert_ne!(told(without).expect("a transcript"), whole);
        for way in [
            &[Change { stage: "repair", name: "content", way: Way::After(MARK) }],
            &[Change { stage: "write", name: "request", way: Way::Before(MARK) }],
        ] {
            let told = told(way).expect("a transcript");
            assert!(!told.contains("toolCall") && told.contains("go"), "{told}");
        }
    }

    #[test]
    fn a_fault_keeps_its_place_in_another_dialect() {
        let told = respell(OPEN, &options("anthropic")).expect("a transcript").output;
        let told = String::from_utf8_lossy(&told);
        assert!(told.contains("tool_use") && !told.contains("tool_result"), "{told}");
    }
}
