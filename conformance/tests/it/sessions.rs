//! Session files of agents: judged in folders, mended where they are, and nothing lost whatever happens.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn wirecanon(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100");
    command.env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
    command
}

fn said(command: &mut Command) -> Said {
    let output = command.output().expect("the program");
    Said {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn run(folder: &Path, args: &[&str]) -> Said {
    said(&mut wirecanon(folder, args))
}

/// A copy of the sessions to work on.
fn sessions() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions");
    for file in fs::read_dir(from).expect("the sessions") {
        let file = file.expect("a session");
        fs::copy(file.path(), folder.path().join(file.file_name())).expect("a copy");
    }
    folder
}

/// One of them in a folder of its own.
fn session(name: &str) -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions").join(name);
    fs::copy(from, &path).expect("a copy");
    let text = fs::read_to_string(&path).expect("a session");
    (folder, path, text)
}

fn texts(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let text = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    entries.map(text).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn what_is_mended_holds_and_the_rest_is_not_touched() {
    let folder = sessions();
    let before = texts(folder.path());
    let about = |name: &str| fs::metadata(folder.path().join(name)).expect("a file");
    let old = |name: &String| (name.clone(), about(name).modified().expect("a time"));
    let times: BTreeMap<_, _> = before.keys().map(old).collect();
    let said = run(folder.path(), &["fix", "--in-place", "."]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    let after = texts(folder.path());
    let mut mended = 0;
    for (name, text) in &before {
        let Some(kept) = after.get(&format!("{name}.bak")) else {
            assert_eq!(&after[name], text, "{name}");
            assert_eq!(about(name).modified().expect("a time"), times[name], "{name} was touched");
            continue;
        };
        mended += 1;
        assert_eq!(kept, text, "{name}: the backup is the old text");
        assert_ne!(&after[name], text, "{name}");
        let said = run(folder.path(), &["check", name]);
        assert_eq!(said.code, Some(0), "{name}: {}", said.out);
    }
    assert_eq!(mended, 9, "{}", said.out);
    assert_eq!(after.len(), before.len() + mended, "nothing else is left behind");
    for clean in [
        "openclaw-clean.jsonl",
        "openclaw-compacted.jsonl",
        "claude-code-clean.jsonl",
        "codex-clean.jsonl",
        "codex-compacted.jsonl",
        "claude-code-torn.jsonl",
    ] {
        assert!(!after.contains_key(&format!("{clean}.bak")), "{clean}");
    }
    let again = run(folder.path(), &["fix", "--in-place", "--exit-code", "."]);
    assert_eq!(again.code, Some(0), "the second time there is nothing to mend: {}", again.out);
    assert_eq!(texts(folder.path()), after);
}

#[test]
fn an_openclaw_session_keeps_its_tree_and_every_byte_that_is_right() {
    let (folder, path, before) = session("openclaw.jsonl");
    assert_eq!(run(folder.path(), &["fix", "--in-place", "openclaw.jsonl"]).code, Some(0));
    let after = fs::read_to_string(&path).expect("a session");
    for kept in
        ["\"x-unknown\": [1, 2]", "{\"path\":\"a\", \"n\" : 1.10, \"s\":\"\\u65e5\\/\"}", "\"details\":{ \"k\": 1e2 }"]
    {
        assert!(before.contains(kept) && after.contains(kept), "{kept}: {after}");
    }
    for line in before.lines().filter(|line| {
        !["\"a0000003\"", "\"a0000005\"", "\"a0000004\"", "\"a0000006\""].iter().any(|id| line.contains(id))
    }) {
        assert!(after.lines().any(|other| other == line), "{line}");
    }
    let lines = lines(&after);
    let ids: Vec<&str> = lines.iter().skip(1).filter_map(|line| line["id"].as_str()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "each name once");
    let line = |id: &str| lines.iter().find(|line| line["id"] == id).expect("a line");
    let (mut way, mut at) = (Vec::new(), "a0000008");
    loop {
        way.push(at);
        match line(at)["parentId"].as_str() {
            Some(parent) => at = parent,
            None => break,
        }
    }
    let said: Vec<&Value> =
        way.iter().rev().map(|id| &line(id)["message"]).filter(|message| message.is_object()).collect();
    let roles: Vec<_> = said.iter().filter_map(|message| message["role"].as_str()).collect();
    let wanted = ["user", "assistant", "toolResult", "toolResult", "assistant", "toolResult", "user", "assistant"];
    assert_eq!(roles, wanted);
    let results: Vec<_> = said.iter().filter_map(|message| message["toolCallId"].as_str()).collect();
    assert_eq!(results, ["call_1", "call_2", "call_3"]);
    assert_eq!(line("l0000001")["targetId"], "t0000001", "a label of what is gone is one of what stood above");
    assert_eq!(line("b0000001")["parentId"], "a0000002", "another branch stays where it is");
}

#[test]
fn a_claude_code_session_gets_a_line_for_a_missing_result() {
    let (folder, path, before) = session("claude-code-missing.jsonl");
    assert_eq!(run(folder.path(), &["fix", "--in-place", "--no-backup", "."]).code, Some(0));
    let after = fs::read_to_string(&path).expect("a session");
    assert_eq!(texts(folder.path()).len(), 1, "no backup was wanted");
    let (old, new) = (lines(&before), lines(&after));
    assert_eq!(new.len(), old.len() + 1);
    let added = new.iter().find(|line| !old.iter().any(|old| old["uuid"] == line["uuid"])).expect("a line");
    assert_eq!(added["message"]["content"][0]["tool_use_id"], "toolu_1");
    assert_eq!(
        (&added["type"], &added["sessionId"], &added["isSidechain"]),
        (&"user".into(), &"s1".into(), &false.into())
    );
    let below = new.iter().find(|line| line["parentUuid"] == added["uuid"]).expect("what follows");
    assert_eq!(below["uuid"], "u6");
    assert_eq!(added["parentUuid"], "u4");
    // But for the link, all other lines are what they were.
    let changed = before.lines().filter(|line| !after.lines().any(|other| other == *line)).count();
    assert_eq!(changed, 1);
    assert!(after.contains("\"xtra\":{\"z\":1}"));
}

#[test]
fn a_torn_line_is_said_and_stays() {
    let (folder, path, before) = session("claude-code-torn.jsonl");
    let said = run(folder.path(), &["check", "claude-code-torn.jsonl"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("session-line-broken  line 12  no JSON: "), "{}", said.out);
    let allowed = run(folder.path(), &["check", "--allow", "session-line-broken", "claude-code-torn.jsonl"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.err);
    // A fault before it is mended, and it stays.
    fs::write(&path, before.replace("\"tool_use_id\":\"toolu_1\"", "\"tool_use_id\":\"toolu_9\"")).expect("a session");
    assert_eq!(run(folder.path(), &["fix", "--in-place", "."]).code, Some(0));
    let after = fs::read_to_string(&path).expect("a session");
    assert!(after.ends_with("\n{\"parentUuid\":\"u8\",\"isSide"), "{after}");
    assert_eq!(after.matches("\"tool_use_id\":\"toolu_1\"").count(), 1, "the call has a result: {after}");
    assert!(after.contains("toolu_9"), "what hangs beside the conversation stays where it is");
}

#[test]
fn lines_of_two_programs_are_said_and_nothing_is_mended() {
    for (one, other, words) in [
        ("codex.jsonl", "claude-code-orphan.jsonl", "of a Claude Code session, line 1 of a Codex rollout"),
        ("openclaw.jsonl", "codex.jsonl", "line 1 is of an OpenClaw session, line "),
    ] {
        let (folder, path, before) = session(one);
        let (_other, _, after) = session(other);
        let mixed = format!("{before}{after}");
        fs::write(&path, &mixed).expect("a session");
        for args in [
            &["check", one][..],
            &["check", "."],
            &["fix", one],
            &["fix", "--in-place", one],
            &["fix", "--in-place", "."],
            &["case", "new", one],
        ] {
            let said = run(folder.path(), args);
            let told = format!("{}{}", said.out, said.err);
            assert_eq!(said.code, Some(2), "{args:?}: {told}");
            assert!(told.contains(words) && told.contains("a file of its own"), "{args:?}: {told}");
        }
        assert_eq!(fs::read_to_string(&path).expect("a session"), mixed);
        assert_eq!(texts(folder.path()).len(), 1, "nothing is left behind");
    }
}

#[test]
fn a_session_is_mended_to_stdout_too_and_converted() {
    let (folder, _, before) = session("codex.jsonl");
    let mended = run(folder.path(), &["fix", "--for", "history", "codex.jsonl"]);
    assert_eq!(mended.code, Some(0), "{}", mended.err);
    assert_eq!(mended.out, before.split_inclusive('\n').take(9).collect::<String>());
    let other = run(folder.path(), &["fix", "--for", "history", "--to", "openai.chat", "codex.jsonl"]);
    assert_eq!(other.code, Some(0), "{}", other.err);
    assert!(other.out.starts_with("{\"messages\":[") && !other.out.contains("event_msg"), "{}", other.out);
    let refused = run(folder.path(), &["fix", "--in-place", "--to", "openai.chat", "codex.jsonl"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.out.contains("leave `--to openai.chat` out"), "{}", refused.out);
    let judged = run(folder.path(), &["check", "--target", "openai", "codex.jsonl"]);
    assert_eq!((judged.code, judged.out.as_str()), (Some(2), ""));
    assert!(judged.err.contains("`wirecanon fix --to openai` it first"), "{}", judged.err);
}

#[test]
fn wrong_usage_is_said() {
    let (folder, _, _) = session("package.json");
    for (args, code, words) in [
        (&["fix", "--in-place", "-"][..], 2, "leave `--in-place` out"),
        (&["fix", "--dry-run", "package.json"], 2, "--in-place"),
        (&["fix", "--no-backup", "package.json"], 2, "--in-place"),
        (&["fix", "package.json", "b.json"], 2, "`--in-place` mends many files"),
        (&["fix", "--in-place", "package.json"], 2, "refused: "),
        (&["fix", "--in-place", "none.json"], 5, "refused: cannot be read: "),
        (&["fix", "--in-place", "."], 4, "0 session files"),
        (&["check", "."], 4, "no session was found"),
        (&["check", "package.json"], 2, "an object without `messages`"),
        (&["check", "none.json"], 2, "there is no such file"),
    ] {
        let said = run(folder.path(), args);
        assert_eq!(said.code, Some(code), "{args:?}: {}{}", said.out, said.err);
        assert!(format!("{}{}", said.out, said.err).contains(words), "{args:?}: {}{}", said.out, said.err);
    }
}

#[test]
fn of_many_files_a_bad_one_does_not_stop_the_others() {
    let folder = sessions();
    let said = run(folder.path(), &["check", "none.json", "package.json", "codex-clean.jsonl"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.out.contains("codex-clean.jsonl: a Codex rollout, openai.responses, for history: holds"),
        "{}",
        said.out
    );
    assert_eq!(said.err.matches("error: ").count(), 2, "{}", said.err);
}

#[test]
fn a_file_that_an_agent_holds_is_left_alone() {
    let (folder, path, before) = session("openclaw.jsonl");
    let refused = |words: &str| {
        let said = run(folder.path(), &["fix", "--in-place", "openclaw.jsonl"]);
        assert_eq!(said.code, Some(5), "{}", said.out);
        assert!(said.out.contains(words), "{}", said.out);
        assert_eq!(fs::read_to_string(&path).expect("a session"), before);
        assert_eq!(said.out.lines().count(), 2, "nothing is said to be changed: {}", said.out);
    };
    let lock = folder.path().join("openclaw.jsonl.lock");
    fs::write(&lock, format!("{{\"pid\":{}}}", std::process::id())).expect("a lock");
    refused("is at work on it, as openclaw.jsonl.lock says");
    fs::remove_file(lock).expect("a lock");
    let file = fs::File::open(&path).expect("a session");
    file.lock().expect("a lock");
    refused("another program has locked it");
    // A process that another test starts at this moment has the file open too, until it is another program.
    file.unlock().expect("a lock");
    drop(file);
    #[cfg(target_os = "linux")]
    {
        let _file = fs::OpenOptions::new().append(true).open(&path).expect("a session");
        refused("has it open for writing");
    }
    assert_eq!(run(folder.path(), &["fix", "--in-place", "openclaw.jsonl"]).code, Some(0));
}

/// A call that nothing answered, and behind it a message of the user with something else to mend.
#[test]
fn a_result_that_is_made_up_takes_no_line_of_the_users() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = [
        r#"{"type":"session","version":3,"id":"s1","timestamp":"T0","cwd":"/w"}"#,
        r#"{"type":"message","id":"a1","parentId":null,"timestamp":"T1","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"message","id":"a2","parentId":"a1","timestamp":"T2","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"r","arguments":{}}]}}"#,
        r#"{"type":"message","id":"a3","parentId":"a2","timestamp":"T3","mine":"u","message":{"role":"user","content":"half \ud83d pair"}}"#,
        r#"{"type":"label","id":"l1","parentId":"a3","timestamp":"T4","targetId":"a3","label":"here"}"#,
    ];
    let path = folder.path().join("s.jsonl");
    fs::write(&path, lines.join("\n") + "\n").expect("a session");
    let said = run(folder.path(), &["fix", "--in-place", "s.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let text = fs::read_to_string(&path).expect("a session");
    let user = text.lines().find(|line| line.contains(r#""id":"a3""#)).expect("the line of the user");
    assert!(user.contains(r#""mine":"u""#) && user.contains("half ") && user.contains(r#""role":"user""#), "{text}");
    assert_eq!(text.lines().count(), lines.len() + 1, "{text}");
}

/// Codex reads no message whose content is a text.
#[test]
fn a_message_that_is_new_in_a_rollout_has_a_list_of_contents() {
    let folder = tempfile::tempdir().expect("a folder");
    let item = |payload: &str| format!("{{\"timestamp\":\"T\",\"type\":\"response_item\",\"payload\":{payload}}}");
    let lines = [
        "{\"timestamp\":\"T\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}".to_owned(),
        item(r#"{"type":"message","role":"user","content":"as it was"}"#),
        item(
            r#"{"type":"local_shell_call","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"]}}"#,
        ),
        item(r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}"#),
    ];
    let path = folder.path().join("rollout.jsonl");
    fs::write(&path, lines.join("\n") + "\n").expect("a rollout");
    let said = run(folder.path(), &["fix", "--in-place", "rollout.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let text = fs::read_to_string(&path).expect("a rollout");
    assert!(text.contains(r#""content":"as it was""#), "a line that nothing was wrong with changed: {text}");
    assert!(text.contains(r#""content":[{"type":"output_text","text":"{"#), "{text}");
    let again = run(folder.path(), &["fix", "--in-place", "rollout.jsonl"]);
    assert!(again.out.contains("1 clean") && fs::read_to_string(&path).expect("a rollout") == text, "{}", again.out);
}

/// A program was killed in the midst of a character.
#[test]
fn a_session_that_breaks_off_in_a_character_keeps_its_bytes() {
    let (folder, path, before) = session("openclaw.jsonl");
    let half = r#"{"type":"message","id":"zz","message":{"role":"user","content":""#;
    let mut bytes = format!("{before}{half}").into_bytes();
    bytes.extend_from_slice(&"😀".as_bytes()[..2]);
    fs::write(&path, &bytes).expect("a session");
    let said = run(folder.path(), &["check", "openclaw.jsonl"]);
    assert!(said.out.contains("session-line-broken"), "{}", said.out);
    let said = run(folder.path(), &["fix", "--in-place", "openclaw.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let after = fs::read(&path).expect("a session");
    assert!(
        after != bytes && after.ends_with(&bytes[bytes.len() - half.len() - 2..]),
        "{}",
        String::from_utf8_lossy(&after)
    );
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_and_links_are_dealt_with() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (folder, path, before) = session("openclaw.jsonl");
    let odd = OsStr::from_bytes(b"s\xff\xfe.jsonl");
    fs::rename(&path, folder.path().join(odd)).expect("a name");
    std::os::unix::fs::symlink(odd, folder.path().join("link.jsonl")).expect("a link");
    let said = run(folder.path(), &["fix", "--in-place", "."]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains("link.jsonl: skipped: a symbolic link is not followed"), "{}", said.out);
    let backup = folder.path().join(OsStr::from_bytes(b"s\xff\xfe.jsonl.bak"));
    assert_eq!(fs::read_to_string(&backup).expect("a backup"), before);
    // A link that is named means the file behind it, and stays a link.
    fs::rename(backup, folder.path().join(odd)).expect("a name");
    let mut command = wirecanon(folder.path(), &["fix", "--in-place", "link.jsonl"]);
    assert_eq!(said_code(&mut command), Some(0));
    assert!(fs::symlink_metadata(folder.path().join("link.jsonl")).expect("a link").is_symlink());
    let mut command = wirecanon(folder.path(), &["check"]);
    assert_eq!(said_code(command.arg(odd)), Some(0));
}

#[cfg(unix)]
fn said_code(command: &mut Command) -> Option<i32> {
    said(command).code
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_leaves_the_file() {
    let (folder, path, before) = session("openclaw.jsonl");
    let program = env!("CARGO_BIN_EXE_wirecanon");
    // No file may grow past one block; the text is longer.
    assert!(before.len() > 1024);
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{program}' fix --in-place openclaw.jsonl");
    let said = said(Command::new("sh").args(["-c", &script]).current_dir(folder.path()));
    assert_eq!(said.code, Some(5), "{}{}", said.out, said.err);
    assert!(
        said.out.contains("the new text cannot be written: ") && said.out.contains("the file is as it was"),
        "{}",
        said.out
    );
    assert_eq!(fs::read_to_string(&path).expect("a session"), before);
    assert_eq!(texts(folder.path()).len(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path, before) = session("openclaw.jsonl");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("rights");
    let mut command = wirecanon(folder.path(), &["fix", "--in-place", "openclaw.jsonl"]);
    if fs::File::create(folder.path().join("probe")).is_ok() {
        // This is the superuser, whom rights do not bind: somebody else is asked to do it.
        fs::remove_file(folder.path().join("probe")).expect("a probe");
        let mut other = Command::new("setpriv");
        other.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(command.get_program());
        other.args(["fix", "--in-place", "openclaw.jsonl"]).current_dir(folder.path());
        command = other;
    }
    let said = said(&mut command);
    assert_eq!(said.code, Some(5), "{}{}", said.out, said.err);
    assert!(said.out.contains("no file can be written beside it"), "{}", said.out);
    assert_eq!(fs::read_to_string(&path).expect("a session"), before);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_between_two_files() {
    let (folder, path, before) = session("openclaw.jsonl");
    for number in 0..3000 {
        fs::copy(&path, folder.path().join(format!("{number:04}.jsonl"))).expect("a copy");
    }
    let mut child =
        wirecanon(folder.path(), &["fix", "--in-place", "."]).stdout(Stdio::piped()).spawn().expect("the program");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    out.read_line(&mut said).expect("a line");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    std::io::Read::read_to_string(&mut out, &mut said).expect("the rest");
    assert_eq!(child.wait().expect("an end").code(), Some(5), "{said}");
    assert!(said.contains("interrupted") && said.contains("files were not looked at"), "{said}");
    let mended = fs::read_to_string(folder.path().join("0000.jsonl")).expect("a session");
    assert_ne!(mended, before);
    for (name, text) in texts(folder.path()) {
        let whole = text == before.as_bytes() || (!name.contains(".bak") && text == mended.as_bytes());
        assert!(whole, "{name} is neither the old nor the new text");
    }
}

#[test]
fn lines_of_the_file_are_shown_in_any_width_and_never_with_redact() {
    let (folder, path, _) = session("codex.jsonl");
    let text = fs::read_to_string(&path).expect("a session").replace("2026-02-01T10:00:05.000Z", &"漢".repeat(40_000));
    assert!(text.len() > 100_000);
    fs::write(&path, text).expect("a session");
    for columns in ["20", "33", "100", "0", "x"] {
        let said = said(wirecanon(folder.path(), &["check", "codex.jsonl"]).env("COLUMNS", columns));
        let shown: Vec<&str> = said.out.lines().filter(|line| line.starts_with("    ")).collect();
        assert_eq!(shown.len(), 2, "{}", said.out);
        assert!(shown[0].starts_with("    10 | ") && shown[1].contains("^^"), "{}", said.out);
        let most = columns.parse().ok().filter(|columns| *columns > 0).unwrap_or(100);
        assert!(shown.iter().all(|line| line.chars().count() <= most), "{columns}: {}", said.out);
    }
    let redacted = run(folder.path(), &["check", "--redact", "codex.jsonl"]);
    assert_eq!(redacted.out.lines().count(), 2, "{}", redacted.out);
    let coloured = said(wirecanon(folder.path(), &["check", "codex.jsonl"]).env("CLICOLOR_FORCE", "1"));
    assert!(coloured.out.contains("\u{1b}["));
    let plain =
        said(wirecanon(folder.path(), &["check", "codex.jsonl"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!plain.out.contains('\u{1b}'), "{:?}", plain.out);
}
