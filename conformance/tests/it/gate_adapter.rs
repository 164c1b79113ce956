//! A regression that is planted in an adapter closes the gate, in words that somebody who keeps it can act on.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::program::have;
use crate::support::running::{Said, run_in};
use crate::support::small::use_small_corpus;

/// What all adapters in Python share.
const KIT: &str = include_str!("../../adapters/python/wirecanon_testee.py");

/// An adapter that does nothing to a history but one thing, well or badly.
const ADAPTER: &str = r#"
import wirecanon_testee as kit

testee = kit.Testee("small", version="1.0")


@testee.converts("mistral.chat", "mistral.chat", targets=["mistral"])
def convert(document, ask):
    messages = kit.listed(document, "messages")
    for message in messages:
        # HERE
        pass
    return {"messages": messages}


testee.run()
"#;

fn gate(folder: &Path, more: &[&str]) -> Said {
    run_in(folder, &[&["gate", "--testee", "python3 adapter.py"], more].concat())
}

#[test]
fn a_regression_planted_in_a_python_adapter_closes_the_gate_with_words_to_act_on() {
    if !have("python3", "python") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    use_small_corpus(at);
    fs::write(at.join("wirecanon_testee.py"), KIT).expect("a file");
    let plant = |line: &str| fs::write(at.join("adapter.py"), ADAPTER.replace("# HERE", line)).expect("a file");
    plant("# HERE");
    let said = gate(at, &["--bless"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert_eq!(gate(at, &[]).code, 0);

    for (planted, words) in [
        // Results of tools go out without the call that they answer.
        ("message.pop('tool_call_id', None)", "tool-result-without-id at /messages/"),
        // Words go missing.
        ("message['content'] = 'x' if message.get('role') == 'tool' else message.get('content')", "result-changed at"),
        // An exception that nobody catches.
        ("message['tool_calls'][0]", "KeyError: 'tool_calls'"),
    ] {
        plant(planted);
        let said = gate(at, &[]);
        assert_eq!(said.code, 1, "{planted}: {}{}", said.out, said.err);
        assert!(said.out.contains("mistral.chat → mistral"), "the conversion: {}", said.out);
        assert!(said.out.contains(words), "the reason, `{words}`: {}", said.out);
        let line = |start: &str| said.out.lines().find(|line| line.trim_start().starts_with(start)).map(str::to_owned);
        let see = line("see it:").unwrap_or_else(|| panic!("no command to see it: {}", said.out));
        let (_, case) = see.rsplit_once("--case ").expect("it names the case");
        let seen = run_in(at, &["test", "--testee", "python3 adapter.py", "--case", case.trim()]);
        assert!(seen.code == 1 && seen.out.contains(case.trim()), "{}{}", seen.out, seen.err);
        let bless = line("if it is to stay so:").expect("a command to take it over");
        assert!(bless.contains("--bless"), "{bless}");
    }
    plant("# HERE");
    assert_eq!(gate(at, &[]).code, 0, "mended, it is open again");
}
