//! Any bytes, as a file that the runner reads: the log of a run, a file of expectations, a case, a suite.

use wirecanon::case;
use wirecanon::expectation::Expectations;
use wirecanon::log::{self, Log};
use wirecanon::suite::Suite;

use crate::FuzzTarget;
use crate::replay::Document;

/// How a log is written.
type Write = fn(&Log) -> Vec<u8>;

/// Reads `data` as each kind of file.
///
/// Fails when a refusal says nothing, or a log that was read is not read again as the same.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 16 * 1024, judge: |data| judge(data, written), document: |_| Document::Nothing };

/// Files of each kind, as the tests of the command line have them.
pub fn examples() -> Vec<(String, Vec<u8>)> {
    let digest = "0".repeat(64);
    let expectations = "testee = \"t\"\njudged = 3\n\n[[expect]]\ncase = \"a\"\nto = [\"openai\"]\nverdict = \"crashed\"\n\
        because = [\"crashed\"]\nfirst_seen = 2026-01-02\nexpires = 2027-01-02\nlink = \"https://a.example/1\"\n";
    let suite =
        format!(r#"{{"suite":"2026.1","since":"0.1.0","draft":false,"digest":"{digest}","cases":{{"a":"{digest}"}}}}"#);
    let case = r#"{"id":"a","title":"A.","class":"pairing","source":["a/b#1"],"from":"openai.chat","input":[{"role":"user","content":"q"}],"expect":{"canonical":{"messages":[]},"repairs":[],"must_keep":[],"may_refuse":false,"targets":{}},"tags":[],"since":"0.1.0"}"#;
    let files: [(&str, &[u8]); 5] = [
        ("base.ndjson", include_bytes!("../../conformance/tests/fixtures/base.ndjson")),
        ("head.ndjson", include_bytes!("../../conformance/tests/fixtures/head.ndjson")),
        ("expectations.toml", expectations.as_bytes()),
        ("suite.json", suite.as_bytes()),
        ("case.json", case.as_bytes()),
    ];
    let whole = files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    // A file that somebody stopped writing.
    let cut = files.into_iter().flat_map(|(name, bytes)| {
        (1..4).map(move |part| (format!("{part}-of-4-{name}"), bytes[..bytes.len() * part / 4].to_vec()))
    });
    whole.chain(cut).collect()
}

fn written(log: &Log) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Memory takes all that is written to it.
    let _ = log::write(&mut bytes, log);
    bytes
}

fn judge(data: &[u8], write: Write) -> Result<(), String> {
    let silent = |kind: &str| Err(format!("{kind}: a refusal says nothing"));
    match log::read(data) {
        Ok(log) => same_again(&log, write)?,
        Err(why) if why.trim().is_empty() => return silent("log"),
        Err(_) => {}
    }
    match case::parse("fuzzed.json", data) {
        Err(error) if error.to_string().trim().is_empty() => return silent("case"),
        Ok(_) | Err(_) => {}
    }
    match Suite::parse("fuzzed.json", data) {
        Err(why) if why.trim().is_empty() => return silent("suite"),
        Ok(_) | Err(_) => {}
    }
    let Ok(text) = std::str::from_utf8(data) else { return Ok(()) };
    match Expectations::parse(text) {
        Err(why) if why.trim().is_empty() || why.contains('\n') => {
            Err(format!("expectations: no line of words: {why:?}"))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether a log says the same when it is written and read again.
fn same_again(log: &Log, write: Write) -> Result<(), String> {
    let first = write(log);
    let again = log::read(&first).map_err(|why| format!("what was written is no log: {why}"))?;
    let second = written(&again);
    if first == second {
        Ok(())
    } else {
        let (first, second) = (String::from_utf8_lossy(&first), String::from_utf8_lossy(&second));
        Err(format!("a log says something else when it is read again\n  {first}\n  {second}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoke() {
        for (_, bytes) in examples() {
            TARGET.run(&bytes);
            for end in (0..bytes.len().min(4000)).step_by(97) {
                TARGET.run(&bytes[..end]);
            }
        }
        crate::tests::smoke::each_document(60, |data| TARGET.run(data));
    }

    #[test]
    fn a_log_that_is_written_wrongly_is_caught() {
        let log = include_bytes!("../../conformance/tests/fixtures/base.ndjson");
        let said = judge(log, |_| b"{}\n".to_vec()).unwrap_err();
        assert!(said.contains("no log"), "{said}");
    }
}
