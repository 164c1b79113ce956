//! The run as a badge: the JSON of <https://shields.io/badges/endpoint-badge>.

use std::io::{self, Write};

use wirecanon_judge::exit::Exit;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;

use super::markdown::by_case;

/// Writes the badge.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let (mut good, mut judged) = (0, 0);
    for run in &log.runs {
        for (_, results) in by_case(run.results.iter().filter(|result| result.scored)) {
            if results.iter().any(|result| result.judgement.verdict != Verdict::Unsupported) {
                judged += 1;
                good += usize::from(results.iter().all(|result| result.judgement.ok));
            }
        }
    }
    let (message, color) = match log.exit() {
        Exit::Holds => (format!("{judged} of {judged} cases"), "brightgreen"),
        Exit::Findings | Exit::Stale => (format!("{good} of {judged} cases"), "orange"),
        Exit::TooLittle => ("too little was run".to_owned(), "lightgrey"),
        Exit::Testee | Exit::Usage | Exit::Incomplete => ("incomplete".to_owned(), "lightgrey"),
    };
    let badge = serde_json::json!({"schemaVersion": 1, "label": "wirecanon", "message": message, "color": color});
    writeln!(out, "{badge}")
}
