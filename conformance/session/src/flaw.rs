//! What is wrong with a session file, or odd about it, beside its transcript: said of its lines.

use std::collections::HashSet;
use std::ops::Range;

use super::Kind;
use super::line::{Line, Named};

/// A rule of session files. The rules of the core are about transcripts, and this is not for them.
#[derive(Debug, PartialEq, Eq)]
pub struct FlawRule {
    /// Kebab-case; says the fault
    pub id: &'static str,
    /// Whether a file that breaks it is faulty; else it is only said
    pub fails: bool,
    /// What holds when it is kept, or what is done, in one sentence
    pub statement: &'static str,
    /// Public reports that it stands on
    pub sources: &'static [&'static str],
}

/// The class of them all, beside the classes of the core.
pub const CLASS: &str = "session";

/// The rule of this id.
pub fn rule_by_id(id: &str) -> Option<&'static FlawRule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}

/// A line that cannot be read.
pub(super) static LINE_BROKEN: FlawRule = FlawRule {
    id: "session-line-broken",
    fails: true,
    statement: "A line of a session file is one record; what cannot be read is passed over, and stays as it is.",
    sources: &["anthropics/claude-code#52387", "anthropics/claude-code#49876", "openclaw/openclaw#100644"],
};

/// Records on one line.
pub(super) static LINES_GLUED: FlawRule = FlawRule {
    id: "session-lines-glued",
    fails: true,
    statement: "Each record of a session file begins a line; those on one line are read as if they did.",
    sources: &["QwenLM/qwen-code#3656", "anthropics/claude-code#52387"],
};

/// A line that names one which is not there.
pub(super) static PARENT_MISSING: FlawRule = FlawRule {
    id: "session-parent-missing",
    fails: true,
    statement: "The record that another names as the one before it is in the file; in its place the one in front is taken.",
    sources: &["anthropics/claude-code#58554", "anthropics/claude-code#21617", "openclaw/openclaw#64287"],
};

/// A line that stands there again.
pub(super) static LINE_TWICE: FlawRule = FlawRule {
    id: "session-line-twice",
    fails: false,
    statement: "Of records with one name one counts: the first if they say the same, else the last.",
    sources: &["anthropics/claude-code#40363", "anthropics/claude-code#66454"],
};

/// What the program says in the place of the model.
pub(super) static API_ERROR: FlawRule = FlawRule {
    id: "session-api-error",
    fails: false,
    statement: "An error that the program wrote in the place of an answer is not sent.",
    sources: &["anthropics/claude-code#96033", "anthropics/claude-code#58427"],
};

/// What the program leaves out of what it sends.
pub(super) static TURN_SKIPPED: FlawRule = FlawRule {
    id: "session-turn-skipped",
    fails: false,
    statement: "A turn that failed or was aborted is not sent.",
    sources: &["earendil-works/pi#7777", "earendil-works/pi#6515", "earendil-works/pi#1140"],
};

/// What was taken back.
pub(super) static ROLLED_BACK: FlawRule = FlawRule {
    id: "session-rolled-back",
    fails: false,
    statement: "Turns that were taken back are not sent.",
    sources: &["openai/codex#13615", "openai/codex#32851"],
};

/// What a summary stands for.
pub(super) static COMPACTED: FlawRule = FlawRule {
    id: "session-compacted",
    fails: false,
    statement: "What was compacted is not sent: its summary, or the history that replaces it, is.",
    sources: &["openclaw/openclaw#41021", "openai/codex#12612", "openai/codex#45350"],
};

/// What is of no conversation that goes on.
pub(super) static BESIDE: FlawRule = FlawRule {
    id: "session-messages-beside",
    fails: false,
    statement: "Messages that are not on the way from the last one to the first are not sent.",
    sources: &["anthropics/claude-code#22107"],
};

/// All of them.
pub static RULES: &[&FlawRule] = &[
    &LINE_BROKEN,
    &LINES_GLUED,
    &PARENT_MISSING,
    &LINE_TWICE,
    &API_ERROR,
    &TURN_SKIPPED,
    &ROLLED_BACK,
    &COMPACTED,
    &BESIDE,
];

/// One thing that is said of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// By which rule
    pub rule: &'static FlawRule,
    /// Where it stands in the file
    pub span: Range<usize>,
    /// JSON Pointer into its record; empty where it is about all of it
    pub pointer: &'static str,
    /// What is wrong, in words
    pub message: String,
}

/// Something that is said once of many lines.
pub(super) fn of_many(rule: &'static FlawRule, lines: &[&Line<'_>], words: impl Fn(usize) -> String) -> Option<Flaw> {
    let first = lines.first()?;
    Some(Flaw { rule, span: first.span.clone(), pointer: "", message: words(lines.len()) })
}

/// `1 message`, `2 messages`.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what} is") } else { format!("{number} {what}s are") }
}

/// What the lines themselves show: those that cannot be read, stand on one, stand twice, or name one that is not there.
pub(super) fn of_file(kind: &Kind, lines: &[Line<'_>], named: &[Named]) -> Vec<Flaw> {
    let mut found = Vec::new();
    for line in lines {
        let mut say = |rule, span, pointer, message| found.push(Flaw { rule, span, pointer, message });
        if line.is_torn() {
            // Nothing mends it: only its owner can say that what it held is not missed.
            let (why, id) = (line.why_torn(), LINE_BROKEN.id);
            let words =
                format!("no JSON: {why}; passed over, and stays: delete the line, or check with `--allow {id}`");
            say(&LINE_BROKEN, line.span.clone(), "", words);
        } else if line.glued {
            say(&LINES_GLUED, line.span.clone(), "", "a record stands behind something else on its line".to_owned());
        }
        let Some(front) = named[line.number].adopted.map(|front| lines[front].row + 1) else { continue };
        let Some(json) = line.read() else { continue };
        let Some(parent) = json.root().get(kind.links.parent) else { continue };
        let message =
            format!("`{}` names a record that is not in the file; that of line {front} is taken", kind.links.parent);
        say(&PARENT_MISSING, line.place(parent), kind.links.pointer, message);
    }
    let twins: Vec<_> = lines.iter().filter(|line| named[line.number].twin.is_some()).collect();
    found.extend(of_many(&LINE_TWICE, &twins, |number| {
        format!("{} passed over: another has its name, and counts", count(number, "record"))
    }));
    found
}

/// Messages that are not of the conversation: all but those of the lines `taken`.
pub(super) fn beside<'l, 'a: 'l>(
    messages: impl Iterator<Item = &'l Line<'a>>,
    taken: impl Iterator<Item = usize>,
) -> Option<Flaw> {
    let taken: HashSet<usize> = taken.collect();
    let left: Vec<_> = messages.filter(|line| !taken.contains(&line.number)).collect();
    let words = "on another branch, or in front of a summary";
    of_many(&BESIDE, &left, |number| format!("{} {words}", count(number, "message")))
}
