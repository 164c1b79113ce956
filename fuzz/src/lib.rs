//! The fuzz targets of wirecanon.
//!
//! | target | what it takes | what it asserts |
//! |---|---|---|
//! | [`read`] | any bytes | every dialect's reader ends in an output or a typed refusal; every place in a report is one |
//! | [`fix_bytes`] | any bytes | in conversions that their digest picks: every invariant that needs to know nothing of them |
//! | [`transcript`] | a generated transcript, valid or broken | every invariant, what is known of it among them, in one conversion |
//! | [`mcp_result`] | a tool result of MCP, of any revision | every invariant for each revision, and the revision's schema |
//! | [`round_trip`] | a generated transcript and another dialect | what no report names comes back; the second way ends where the first did |
//! | [`json`] | any bytes | our parser and `serde_json` read the same, and refuse the same |
//! | [`check_schema`] | a document, changed or not | the judge and the JSON Schema of the dialect agree, within a stated boundary |
//! | [`instances`] | a schema | instances that are made from it are valid; what is called unsatisfiable has none |
//! | [`files`] | a file: a request, a dump, JSON Lines, a session | repaired in place it is accepted and stable, and what is accepted is left |
//! | [`line_protocol`] | lines of a testee | each is an answer, a fault with a name, or stray; a request is one line |
//! | [`page`] | a request to the local page | the answer is one of HTTP, and says what the library says |
//! | [`records`] | the log of a run, expectations, a case, a suite | it is read or refused with words; a log says the same when it is read again |
//! | [`target_file`] | a target file | what is written for the target, `check` accepts for it |
//!
//! A body is a function of the library with tests beside it, which plant a fault that it must catch, so `cargo test` runs
//! every target on stable Rust. A file in `fuzz_targets/` is two lines: under cargo-fuzz it hands the body to libFuzzer,
//! otherwise it is a program that replays the files it is given:
//!
//! ```text
//! cargo +nightly fuzz run transcript -s none --fuzz-dir fuzz
//! cargo run -p wirecanon-fuzz --bin transcript -- fuzz/artifacts/transcript/crash-…
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod agreement;
pub mod change;
pub mod check_schema;
pub mod dictionary;
pub mod files;
pub mod fix_bytes;
pub mod instances;
pub mod json;
pub mod line_protocol;
pub mod mcp_result;
pub mod page;
pub mod read;
pub mod records;
pub mod replay;
pub mod round_trip;
pub mod seeds;
pub mod target_file;
pub mod transcript;

#[cfg(test)]
mod tests;

use replay::Document;

/// The body of a fuzz target.
pub struct FuzzTarget {
    /// Longer inputs teach nothing new, and cost time: they are passed over
    longest: usize,
    /// Whether what is made of the bytes is as it must be; a finding, if not
    judge: fn(&[u8]) -> Result<(), String>,
    /// The transcript of which a case of the bytes can be made
    document: fn(&[u8]) -> Document,
}

impl FuzzTarget {
    /// Judges `data`.
    ///
    /// # Panics
    ///
    /// When there is a finding.
    pub fn run(&self, data: &[u8]) {
        if data.len() <= self.longest
            && let Err(finding) = (self.judge)(data)
        {
            panic!("{finding}");
        }
    }
}

/// Defines a fuzz target: libFuzzer's entry under `cfg(fuzzing)`, else a `main` that replays files. With `json` behind the
/// name, inputs that are JSON are changed as JSON.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$name::TARGET.run(data));
        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay::main(stringify!($name), &$crate::$name::TARGET)
        }
    };
    ($name:ident, json) => {
        $crate::target!($name);
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::change::bytes(data, size, max_size, seed)
                .unwrap_or_else(|| libfuzzer_sys::fuzzer_mutate(data, size, max_size))
        });
    };
}
