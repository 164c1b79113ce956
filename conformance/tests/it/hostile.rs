//! Testees that mean no good: the run ends, names the fault, takes little memory, and leaves no process and no file behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use wirecanon::case::Case;
use wirecanon::exit::Exit;
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon::{corpus, run};

use crate::support::side_by_side::side_by_side;

/// Says hello, reads requests, and puts the id of each into `$id`; what follows is done for each.
const LOOP: &str = r#"read -r line
echo '{"wirecanon":1,"name":"hostile","conversions":[{"from":"mcp.tool-result","to":"mcp.tool-result"}]}'
n=0
while read -r line; do
case "$line" in *'"bye"'*) exit 0;; esac
id=${line#*:}; id=${id%%,*}; n=$((n+1))
"#;

/// Answers as it should, as far as the protocol goes.
const ANSWER: &str = "echo \"{\\\"id\\\":$id,\\\"output\\\":{\\\"content\\\":[]}}\"\n";

/// Enough cases for a testee to fail 12 times in a row; a filter is one process for each.
const CASES: &str = "mcp-block-unrepresentable/mcp-resource*";

/// Kilobytes of address space that a run with a hostile testee may take.
const MEMORY: u64 = 900_000;

struct Hostile {
    name: &'static str,
    script: String,
    code: i32,
    words: &'static [&'static str],
}

fn of(name: &'static str, script: impl Into<String>, code: i32, words: &'static [&'static str]) -> Hostile {
    Hostile { name, script: script.into(), code, words }
}

fn hostile() -> Vec<Hostile> {
    let body = |body: &str| format!("{LOOP}{body}\ndone\n");
    vec![
        of("hang", body(":"), 1, &["no answer within 0.4 s", "not tried: it failed 12 times in a row"]),
        of("crash on start", "echo 'out of luck' >&2; exit 7", 3, &["does not start", "exit status: 7", "out of luck"]),
        of("exit 0 on start", "exit 0", 3, &["it ended before it answered hello", "exit status: 0"]),
        of("crash on case n", body(&format!("[ $n -ge 3 ] && exit 9\n{ANSWER}")), 1, &["it ended: exit status: 9"]),
        of("exit 0 early", body("exit 0"), 1, &["it ended: exit status: 0"]),
        of("answer twice", body(&format!("{ANSWER}{ANSWER}")), 1, &["was answered before"]),
        of(
            "answer an unknown id",
            body(&format!("{ANSWER}echo '{{\"id\":4711,\"output\":{{}}}}'")),
            1,
            &["id 4711 was never asked"],
        ),
        of(
            "never read stdin",
            format!("{}\nsleep 600", LOOP.lines().nth(1).unwrap_or_default()),
            1,
            &["no answer within 0.4 s"],
        ),
        of(
            "flood stdout",
            body("yes 'not an answer'"),
            1,
            &["only lines that are no answer", "stray line: not an answer"],
        ),
        of("flood stderr", format!("yes 'a log' >&2 &\n{}", body(ANSWER)), 1, &["hostile"]),
        of(
            "garbage between answers",
            body(&format!("echo '<html>'; printf '\\377\\n'\n{ANSWER}")),
            1,
            &["stray line: <html>"],
        ),
        of(
            "2 GB on one line",
            body("yes | tr -d '\\n' | head -c 2147483648"),
            1,
            &["bytes on one line|no answer within 0.4 s"],
        ),
        of("2 GB of lines", body("yes | head -c 2147483648"), 1, &["stray line: y"]),
        of("fork children", format!("sleep 611 & sleep 612 &\n{}", body(ANSWER)), 1, &["hostile"]),
        of("end, and leave a child with the output", body("sleep 613 &\nexit 5"), 1, &["it ended: exit status: 5"]),
        of(
            "leave the group",
            format!("setsid sleep 614 &\nsetsid sh -c 'setsid sleep 615; sleep 616' &\n{}", body(ANSWER)),
            1,
            &["hostile"],
        ),
        of("leave the group, and end", body("setsid sleep 617 &\nexit 6"), 1, &["it ended: exit status: 6"]),
        of(
            "ignore every signal, and bye",
            format!("trap '' TERM INT HUP\n{}while :; do sleep 1; done", body(ANSWER).replace("exit 0", "break")),
            1,
            &["hostile"],
        ),
    ]
}

/// What a run with a testee said, and what it left behind.
fn run_with(folder: &Path, testee: &str) -> (i32, String) {
    let temporary = folder.join("tmp");
    fs::create_dir(&temporary).expect("a folder");
    let mark = format!("{}-{}", std::process::id(), folder.display());
    let program = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let child = Command::new("sh")
        .args(["-c", &program, env!("CARGO_BIN_EXE_wirecanon"), "test", "--timeout", "0.4", "--case", CASES])
        .args(["--testee", testee])
        .env("HOSTILE_MARK", &mark)
        .env("TMPDIR", &temporary)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    assert_left(&mark);
    let left: Vec<_> = fs::read_dir(&temporary).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
    let text = format!("{}{}", String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    (child.status.code().unwrap_or(-1), text)
}

/// Whether one of these words stands there: on a busy machine the time may be over before the limit is reached.
fn says(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}

/// Whatever has this mark in its environment has ended.
fn assert_left(mark: &str) {
    let mark = format!("HOSTILE_MARK={mark}");
    let alive = || {
        let processes = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
        let marked = |path: &Path| {
            let environment = fs::read(path.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|one| one == mark.as_bytes())
        };
        let mut names = Vec::new();
        for path in processes.filter(|path| marked(path)) {
            names.push(fs::read_to_string(path.join("comm")).unwrap_or_default());
        }
        names
    };
    let end = Instant::now() + Duration::from_secs(3);
    while !alive().is_empty() {
        assert!(Instant::now() < end, "these still run: {:?}", alive());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_run_ends_and_names_the_fault() {
    let wrong = Mutex::new(Vec::new());
    side_by_side(&hostile(), |hostile| {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("hostile.sh");
        fs::write(&script, &hostile.script).expect("a script");
        let started = Instant::now();
        let (code, text) = run_with(folder.path(), &format!("sh {}", script.display()));
        let took = started.elapsed();
        let missing: Vec<_> = hostile.words.iter().filter(|word| !says(&text, word)).collect();
        if code != hostile.code || !missing.is_empty() || took > Duration::from_mins(1) {
            let said = format!("{}: exit code {code}, {took:?}, without {missing:?}:\n{text}", hostile.name);
            wrong.lock().expect("no panic while it is held").push(said);
        }
    });
    let wrong = wrong.into_inner().expect("no panic while it was held");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_hostile_filter_is_no_worse() {
    let filters = [
        ("hang", "sleep 621", "no end within 0.4 s"),
        ("crash", "echo 'no luck' >&2; exit 3", "exit status: 3: no luck"),
        ("2 GB", "yes | head -c 2147483648", "bytes of output|no end within 0.4 s"),
        ("flood stderr, then answer", "yes | head -c 10000000 >&2; echo '{\"content\":[]}'", "mcp.tool-result"),
        ("never read", "echo '{\"content\":[]}'", "mcp.tool-result"),
        ("fork, and ignore signals", "trap '' TERM INT HUP; sleep 622 & sleep 623", "no end within 0.4 s"),
        ("leave the group", "setsid sleep 624 </dev/null >/dev/null 2>&1 & echo '{\"content\":[]}'", "mcp.tool-result"),
        ("not there", "no-such-program-at-all", "exit status: 127"),
    ];
    side_by_side(&filters, |(name, command, words)| {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("filter.sh");
        fs::write(&script, command).expect("a script");
        let testee = format!("filter:mcp.tool-result:mcp.tool-result:sh {}", script.display());
        let (code, text) = run_with(folder.path(), &testee);
        assert!(code == 1 && says(&text, words), "{name}: exit code {code}: {text}");
    });
}

/// A testee in this process that does not keep its word.
struct Careless(fn(&[Request<'_>], &mut dyn FnMut(usize, Answer)));

impl Testee for Careless {
    fn hello(&mut self) -> Result<Hello, StartError> {
        Ok(Hello { name: "careless".to_owned(), ..Reference::introduction() })
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        (self.0)(requests, answered);
    }
}

#[test]
fn a_trait_object_that_answers_nothing_leaves_the_run_incomplete() {
    let cases = corpus::load().expect("a corpus");
    let some: Vec<&Case> = cases.iter().take(3).collect();
    let judged = run::run("careless", &mut Careless(|_, _| {}), &some, 1, false, &mut |_| {});
    assert_eq!(judged.exit(), Exit::Incomplete);
    assert!(judged.findings().all(|result| result.judgement.failures[0].contains("no answer was given")));
}
