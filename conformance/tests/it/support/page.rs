//! Pages whose fenced blocks are tried: see `readme.rs` for what they say.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) struct Block<'r> {
    pub(crate) info: Vec<&'r str>,
    pub(crate) body: &'r str,
}

/// Fenced blocks, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("\n```") {
        let (info, after) = rest[start + 4..].split_once('\n').expect("an opening fence ends");
        let end = after.find("```").expect("a closing fence");
        found.push(Block { info: info.split_whitespace().collect(), body: &after[..end] });
        rest = &after[end + 3..];
    }
    found
}

/// Whether `actual` is what `expected` shows.
pub(crate) fn shows(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"…", rest)) => (0..=actual.len()).any(|skipped| shows(rest, &actual[skipped..])),
        Some((line, rest)) => actual.split_first().is_some_and(|(found, others)| {
            let same = line == found || line.strip_suffix('…').is_some_and(|start| found.starts_with(start));
            same && shows(rest, others)
        }),
    }
}

/// Returns a shell command in a folder. The program is in its `PATH`.
pub(super) fn shell(line: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_wirecanon")).parent().expect("a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program.to_owned()).chain(env::split_paths(&path));
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", env::join_paths(paths).expect("a path"))
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100")
        .stdin(Stdio::null());
    command
}

fn run(command: &str, folder: &Path) -> (i32, String) {
    let output = shell(command, folder).output().expect("a shell");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().expect("an exit code"), String::from_utf8(said).expect("text"))
}

pub(crate) fn console(block: &Block<'_>, folder: &Path) {
    let wanted: i32 =
        block.info.iter().find_map(|word| word.strip_prefix("exit=")).map_or(0, |code| code.parse().expect("a code"));
    let commands: Vec<_> = block.body.split("$ ").skip(1).collect();
    assert!(!commands.is_empty(), "no command in: {}", block.body);
    for (at, shown) in commands.iter().enumerate() {
        let (command, expected) = shown.split_once('\n').expect("a command ends");
        let (code, said) = run(command, folder);
        let expected: Vec<_> = expected.lines().collect();
        assert!(shows(&expected, &said.lines().collect::<Vec<_>>()), "`{command}` says:\n{said}");
        let wanted = if at + 1 == commands.len() { wanted } else { 0 };
        assert_eq!(code, wanted, "`{command}` says:\n{said}");
    }
}
