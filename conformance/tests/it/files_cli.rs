//! Files of the command line: where a result is put, and what is said of a file that changes meanwhile.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::running::run_in;

const BROKEN: &str = r#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
const MENDED: &str = r#"[{"role":"user","content":"hi"}]"#;

/// Exit code, stdout and stderr of the program in a folder.
fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    run_in(folder, args).parts()
}

fn with_input() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.json"), BROKEN).expect("a file");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("the file")
}

/// Several lines are mended at once: what comes out stands in the order of what went in, whatever each takes.
#[test]
fn many_sessions_come_out_in_their_order() {
    let folder = with_input();
    let folder = folder.path();
    let said = |number: usize| format!("{number} {}", "word ".repeat(number * 7919 % 400));
    let line = |number: usize| match number % 3 {
        0 => BROKEN.trim_end().to_owned(),
        1 => format!(r#"[{{"role":"user","content":"{}"}}]"#, said(number)),
        _ => String::new(),
    };
    let lines: Vec<String> = (0..600).map(line).collect();
    fs::write(folder.join("sessions.jsonl"), lines.join("\r\n")).expect("a file");
    let args = ["fix", "--from", "openai.chat", "sessions.jsonl", "--report", "r.json"];
    let (code, out, err) = run(folder, &args);
    assert_eq!(code, 0, "{err}");
    let mended = lines.join("\r\n").replace(BROKEN.trim_end(), MENDED.trim_end());
    assert_eq!(out, mended);
    let report: serde_json::Value = serde_json::from_str(&text(folder, "r.json")).expect("a report");
    let told = report["sessions"].as_array().expect("sessions");
    let numbers: Vec<u64> = told.iter().filter_map(|session| session["line"].as_u64()).collect();
    assert!(numbers.iter().copied().eq((1..=600).filter(|number| number % 3 != 0)), "{numbers:?}");
    // One that cannot be read ends it, behind all that came before it.
    fs::write(folder.join("sessions.jsonl"), lines[..300].join("\n") + "\n{\n" + &lines[300..].join("\n"))
        .expect("a file");
    let (code, out, err) = run(folder, &args);
    assert_eq!((code, out.lines().count()), (2, 300), "{err}");
    assert!(err.contains("sessions.jsonl: session on line 301: "), "{err}");
}

/// Does something again and again while `body` works, also where that fails.
fn meanwhile<T>(mut again: impl FnMut() + Send, body: impl FnOnce() -> T) -> T {
    struct Done<'d>(&'d AtomicBool);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let end = Done(&done);
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                again();
            }
        });
        let made = body();
        drop(end);
        made
    })
}

/// A session of some megabytes, a message a line.
fn long_session(folder: &Path) -> PathBuf {
    let path = folder.join("long.jsonl");
    let words = "word ".repeat(2000);
    let line = |role: &str| format!("{{\"role\":\"{role}\",\"content\":\"{words}\"}}\n");
    fs::write(&path, (line("user") + &line("assistant")).repeat(1000)).expect("a file");
    path
}

#[test]
fn a_file_that_grows_while_it_is_read_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = long_session(folder.path());
    for command in [&["check", "--target", "openai.chat"][..], &["fix", "--from", "openai.chat", "-o", "made"]] {
        let (code, _, err) = run(folder.path(), &[command, &["long.jsonl"]].concat());
        assert!(code == 0 && !err.contains("it changed"), "{err}");
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        let mut halves = [&b"{\"role\":\"user\",\"con"[..], b"tent\":\"and more\"}\n"].into_iter().cycle();
        let mut append = || {
            let half = halves.next().unwrap_or_default();
            file.write_all(half).expect("half a line");
            thread::sleep(Duration::from_micros(200));
        };
        // The program reads for some milliseconds: sooner or later a line comes in between.
        let said = (0..50).any(|_| {
            let (code, _, err) = meanwhile(&mut append, || run(folder.path(), &[command, &["long.jsonl"]].concat()));
            // Whether it ended in half a line is chance.
            assert!([0, 1, 2].contains(&code), "{err}");
            err.contains("long.jsonl: it changed while it was read: a program is writing to it")
        });
        assert!(said, "{command:?}");
        // The last line is whole again.
        let mut text = fs::read(&path).expect("the file");
        if !text.ends_with(b"\n") {
            text.extend(b"tent\":\"and more\"}\n");
            fs::write(&path, text).expect("the file");
        }
    }
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = long_session(folder.path());
    // Two files take turns under one name.
    let [one, other, next] = ["one", "other", "next"].map(|name| folder.path().join(name));
    fs::copy(&path, &one).and_then(|_| fs::copy(&path, &other)).expect("two files");
    let mut turns = [one, other].into_iter().cycle();
    let mut replace = || {
        let file = turns.next().expect("one of both");
        fs::hard_link(file, &next).and_then(|()| fs::rename(&next, &path)).expect("a move");
        thread::sleep(Duration::from_micros(200));
    };
    let said = (0..50).any(|_| {
        let check = || run(folder.path(), &["check", "--target", "openai.chat", "long.jsonl"]);
        let (code, _, err) = meanwhile(&mut replace, check);
        assert_eq!(code, 0, "the one or the other: {err}");
        err.contains("it changed while it was read")
    });
    assert!(said);
}

#[test]
fn nothing_is_lost_of_a_session_that_grows_while_it_is_mended() {
    const LINES: u64 = 40;
    for keeps in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.jsonl");
        // Half a surrogate pair is mended, and what stands beside it stays.
        let line = |number: u64| format!("{{\"role\":\"user\",\"content\":\"t{number}. \\ud83d\"}}\n");
        fs::write(&path, line(0)).expect("a file");
        let mut args = vec!["fix", "--in-place", "--from", "openai.chat", "s.jsonl"];
        args.extend((!keeps).then_some("--no-backup"));
        let (mut written, mut mended) = (0, 0);
        let finished = AtomicBool::new(false);
        let append = || {
            if written == LINES {
                finished.store(true, Ordering::Relaxed);
                return thread::sleep(Duration::from_millis(1));
            }
            written += 1;
            // As agents do: opened for each line.
            let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
            file.write_all(line(written).as_bytes()).expect("a line");
            drop(file);
            // Sometimes long enough for the program to be done, sometimes not.
            thread::sleep(Duration::from_millis(written * 7 % 40 * 5));
        };
        meanwhile(append, || {
            while !finished.load(Ordering::Relaxed) {
                let (code, out, err) = run(folder.path(), &args);
                let said = out + &err;
                // Refused where the program was at it, or where a line was half written.
                assert!(code == 0 || ([2, 5].contains(&code) && said.contains("refused")), "{code}: {said}");
                mended += usize::from(said.contains("1 mended"));
            }
        });
        let (code, _, err) = run(folder.path(), &args);
        assert_eq!(code, 0, "{err}");
        let files: Vec<_> = names(folder.path()).iter().map(|name| text(folder.path(), name)).collect();
        for number in 0..=LINES {
            let token = format!("t{number}. ");
            assert!(files.iter().any(|file| file.contains(&token)), "line {number} is lost");
        }
        for file in files {
            assert!(file.lines().all(|line| line.ends_with('}')) && file.ends_with('\n'), "a line is cut");
        }
        assert!(mended > 0, "it was never mended while it grew");
    }
}

#[test]
fn what_became_of_each_file_in_its_place_is_reported() {
    let folder = with_input();
    let folder = folder.path();
    let pretty = BROKEN.replace(',', ",\n");
    for (name, input) in [
        ("b.json", MENDED),
        ("c.json", "{}"),
        ("d.jsonl", &*format!("{BROKEN}\n{MENDED}\n{BROKEN}\n")),
        ("e.json", &pretty),
    ] {
        fs::write(folder.join(name), input).expect("a file");
    }
    let lines = |name: &str| {
        let told = text(folder, name);
        let told = told.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")).collect();
        let told: Vec<_> = told;
        for line in &told {
            assert_eq!(wirecanon_schemas::validate::validate("wirecanon/mended", line), Ok(vec![]), "{line}");
        }
        told
    };
    let outcomes = |told: &[serde_json::Value]| {
        let word = |line: &serde_json::Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
        told.iter().map(|line| [word(line, "file"), word(line, "outcome")]).collect::<Vec<_>>()
    };
    let dry = run(folder, &["fix", "-i", "--dry-run", "--from", "openai.chat", "--report", "dry", "."]);
    assert_eq!(dry.0, 0, "{dry:?}");
    let told = lines("dry");
    assert_eq!(
        outcomes(&told),
        [
            ["./a.json", "to-mend"],
            ["./b.json", "clean"],
            ["./c.json", "skipped"],
            ["./d.jsonl", "to-mend"],
            ["./e.json", "to-mend"]
        ]
    );
    let of_lines: Vec<_> = told[3]["transcripts"].as_array().expect("transcripts").iter().collect();
    assert_eq!(of_lines.iter().map(|one| one["line"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert_eq!(told[4]["transcripts"][0]["report"]["repairs"][0]["original"]["content"], "late");
    assert!(text(folder, "a.json") == BROKEN && !folder.join("a.json.bak").exists(), "nothing was written");
    // A report that would take the place of a session, or of the one input, is refused before anything is done.
    for args in [&["fix", "-i", "--report", "./a.json", "."][..], &["fix", "--report", "a.json", "./a.json"]] {
        let (code, _, err) = run(folder, args);
        assert!(code == 2 && err.contains("name another"), "{code} {err}");
        assert_eq!(text(folder, "a.json"), BROKEN);
    }
    let (code, ..) = run(folder, &["fix", "-i", "--redact", "--from", "openai.chat", "--report", "report", "."]);
    assert_eq!(code, 0);
    let told = lines("report");
    assert_eq!(outcomes(&told)[0], ["./a.json", "mended"]);
    assert!(told[0]["backup"].as_str().is_some_and(|backup| backup.ends_with("/a.json.bak")), "{}", told[0]);
    assert!(!text(folder, "report").contains("late\""), "a redacted report tells what was said");
    let (_, _, err) = run(folder, &["fix", "-i", "--report", "none/report", "a.json"]);
    assert!(err.contains("cannot be written"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_ends_the_work_and_is_said() {
    let folder = with_input();
    let folder = folder.path();
    fs::write(folder.join("b.json"), BROKEN).expect("a file");
    let (code, out, err) = run(folder, &["fix", "-i", "--from", "openai.chat", "--report", "/dev/full", "."]);
    assert!(code == 5 && err.contains("/dev/full: cannot be written"), "{code} {err}");
    assert!(out.contains("session file"), "what was done is said: {out}");
}

/// Calls at the end stay open in a history; a request must answer them.
#[test]
fn a_session_is_a_history_and_everything_else_is_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let user = r#"{"role":"user","content":"hi"}"#;
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let list = format!("[{user},{call}]");
    for (name, text, mode) in [
        ("list.json", list.clone(), "request"),
        ("body.json", format!(r#"{{"model":"m","messages":{list}}}"#), "request"),
        ("dump.json", format!(r#"{{"url":"https://a.example","body":{{"model":"m","messages":{list}}}}}"#), "request"),
        ("bodies.jsonl", format!("{{\"messages\":{list}}}\n{{\"messages\":{list}}}\n"), "request"),
        ("messages.jsonl", format!("{user}\n{call}\n"), "history"),
        ("state.json", format!(r#"{{"values":{{"messages":{list}}}}}"#), "history"),
    ] {
        fs::write(folder.join(name), &text).expect("a file");
        let code = i32::from(mode == "request");
        let (checked, out, err) = run(folder, &["check", "--format", "json", name]);
        assert_eq!(checked, code, "{name}: {out}{err}");
        assert!(out.contains(&format!(r#""for":"{mode}""#)), "{name}: {out}");
        let (fixed, _, err) = run(folder, &["fix", "--in-place", "--dry-run", "--exit-code", name]);
        assert_eq!(fixed, code, "{name}: {err}");
        for asked in ["request", "history"] {
            let (checked, out, _) = run(folder, &["check", "--for", asked, name]);
            assert_eq!(checked, i32::from(asked == "request"), "{name}: {out}");
            assert!(out.contains(&format!(", for {asked}: ")), "{name}: {out}");
        }
    }
}
