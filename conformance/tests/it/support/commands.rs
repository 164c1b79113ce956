//! Command lines and their output, as Markdown files below `tests/it/cli`. `BLESS=1` rewrites the files.
//!
//! Each file runs in a folder of its own. A fence with a name behind its language is a file of that folder. In a fence of
//! `console`:
//!
//! | line begins with | meaning |
//! |---|---|
//! | `$ ` | a command of the shell; `> ` goes on with it |
//! | `? ` | its exit code, where that is not 0 |
//! | `! ` | a line of stderr; every other line is one of stdout, which comes first |
//! | `\` alone | stdout or stderr does not end with a line break |
//! | `...` alone | any lines |
//!
//! `[..]` is anything within a line. `$FIXTURES` and `$CORPUS` are the folders `tests/fixtures` and `corpus`. What still fits is left as it is by `BLESS`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::page::shell;

/// A command, and what a file says of it.
struct Step<'t> {
    command: String,
    code: i32,
    expected: Vec<&'t str>,
}

/// The lines of a fence of `console`.
fn steps<'t>(lines: &[&'t str]) -> Vec<Step<'t>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), code: 0, expected: Vec::new() });
            continue;
        }
        let step = steps.last_mut().expect("a command comes first");
        match (line.split_once(' '), step.expected.is_empty()) {
            (Some((">", more)), true) => step.command += &format!("\n{more}"),
            (Some(("?", code)), true) => step.code = code.parse().expect("an exit code"),
            _ => step.expected.push(line),
        }
    }
    steps
}

/// The lines of a stream, with characters that a page does not show spelled out.
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

/// Whether a line is what `[..]` stands for in `expected`.
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

fn fits(expected: &[&str], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line_fits(first, line) && fits(rest, lines))
        }
    }
}

/// Runs a page, and returns it with what was printed where that is not what the page says.
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

/// Runs the files of a folder below `tests/it/cli`.
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
    assert!(wrong.is_empty(), "BLESS=1 writes them anew:\n{wrong}");
}
