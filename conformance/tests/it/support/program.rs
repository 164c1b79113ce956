//! Programs that a test needs.

use std::env;
use std::process::Command;

/// Whether `program` runs here. Where it does not, the test says so, and fails if the run requires it.
pub(crate) fn have(program: &str, requirement: &str) -> bool {
    // Go alone has a word for it.
    let asked = if program == "go" { "version" } else { "--version" };
    if Command::new(program).arg(asked).output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(!is_required(requirement), "WIRECANON_REQUIRE asks for {requirement}, and {program} is missing");
    eprintln!("NOT RUN: {program} is missing");
    false
}

/// Whether the run must not go without it.
pub(crate) fn is_required(requirement: &str) -> bool {
    let required = env::var("WIRECANON_REQUIRE").unwrap_or_default();
    required.split(',').any(|word| word.trim() == requirement)
}
