//! Command lines and their output, as Markdown files below `tests/it/cli`. `BLESS=1` rewrites the files.
//!
//! Each file runs in a new folder. A fence with a file name after its language is written to that folder. In a `console` fence:
//!
//! | a line that begins with | is |
//! |---|---|
//! | `$ ` | a shell command; `> ` continues it |
//! | `? ` | its exit code, if that is not 0 |
//! | `! ` | a line of stderr; every other line is one of stdout, which comes first |
//! | `\` alone | the end of a stream without a line break |
//! | `...` alone | any lines |
//!
//! `[..]` matches anything within a line. `$FIXTURES` and `$CORPUS` are the folders `tests/fixtures` and `corpus`. `BLESS=1` keeps
//! output that matches, and so its `...` and `[..]`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::page::shell;

/// A command with its expected exit code and output.
struct Step<'t> {
    command: String,
    code: i32,
    expected: Vec<&'t str>,
}

/// Parses the lines of a `console` fence.
fn steps<'t>(lines: &[&'t str]) -> Vec<Step<'t>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), code: 0, expected: Vec::new() });
            continue;
        }
        let step = steps.last_mut().expect("a command comes first");
        match (line.split_once(' '), step.expected.is_empty()) {
            (Some((">", more)), true) => step.command.extend(["\n", more]),
            (Some(("?", code)), true) => step.code = code.parse().expect("an exit code"),
            _ => step.expected.push(line),
        }
    }
    steps
}

/// Splits a stream into lines that begin with `mark`. Control characters are escaped.
fn shown(stream: &[u8], mark: &str) -> Vec<String> {
    let mut text = String::new();
    for character in String::from_utf8_lossy(stream).chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') || character == '\u{feff}' {
            text.extend(character.escape_unicode());
        } else {
            text.push(character);
        }
    }
    let mut lines: Vec<_> = text.lines().map(|line| format!("{mark}{line}")).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        lines.push("\\".to_owned());
    }
    lines
}

/// Returns whether a line matches `expected`, in which `[..]` matches anything.
fn line_fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns whether lines match `expected`, in which `...` matches any lines.
fn fits(expected: &[&str], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line_fits(first, line) && fits(rest, lines))
        }
    }
}

/// Runs the commands of a page. Returns the page, with the actual output where the expected one does not match.
fn run(page: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut found = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(found, "{line}");
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, name)) = info.split_once(' ') {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, body.join("\n") + "\n").expect("a file");
        }
        if info == "console" {
            for Step { command, code, expected } in steps(&body) {
                let mut shell = shell(&command, folder.path());
                shell.env("FIXTURES", here.join("tests/fixtures")).env("CORPUS", here.join("corpus"));
                let output = shell.output().expect("a shell");
                let _ = writeln!(found, "$ {}", command.replace('\n', "\n> "));
                let ended = output.status.code().expect("an exit code, not a signal");
                if ended != 0 {
                    let _ = writeln!(found, "? {ended}");
                }
                let printed = [shown(&output.stdout, ""), shown(&output.stderr, "! ")].concat();
                let fits = code == ended && fits(&expected, &printed);
                for line in if fits { expected } else { printed.iter().map(String::as_str).collect() } {
                    let _ = writeln!(found, "{line}");
                }
            }
        } else {
            for line in body {
                let _ = writeln!(found, "{line}");
            }
        }
        found += "```\n";
    }
    found
}

/// Runs the pages of a folder below `tests/it/cli`, and compares their output.
pub(crate) fn assert_pages(topic: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cli").join(topic);
    let files = fs::read_dir(&folder).expect("the folder of a topic");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{topic} has no file");
    let mut wrong = String::new();
    for path in files {
        let page = fs::read_to_string(&path).expect("a page");
        let found = run(&page);
        if found == page {
            continue;
        }
        if env::var_os("BLESS").is_some() {
            fs::write(&path, found).expect("a page");
            continue;
        }
        let changes = similar::TextDiff::from_lines(&page, &found);
        let _ = writeln!(wrong, "{}:\n{}", path.display(), changes.unified_diff());
    }
    assert!(wrong.is_empty(), "BLESS=1 rewrites them:\n{wrong}");
}
