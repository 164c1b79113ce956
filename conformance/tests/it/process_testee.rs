//! What a process may do wrong, and that each wrong costs only its own case.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use wirecanon::testee::{Answer, Budget, Request, from_argument};
use wirecanon_core::{Dialect, Mode, Target};

/// Answers each request with its own id as the output; `$line` is the request and `$id` its id.
const HELLO: &str = r#"read -r line
echo '{"wirecanon":1,"name":"fake","conversions":[{"from":"openai.chat","to":"openai.chat"}]}'
while read -r line; do
case "$line" in *bye*) exit 0;; esac
id=${line#*:}; id=${id%%,*}
"#;

const GOOD: &str = r#"echo "{\"id\":$id,\"output\":[$id]}"
done"#;

struct Asked {
    answers: Vec<Answer>,
    times_answered: Vec<usize>,
    remarks: Vec<String>,
}

fn budget() -> Budget {
    let startup = Some(Duration::from_secs(5));
    Budget { timeout: Duration::from_millis(400), startup, max_output: 100_000, ..Budget::default() }
}

/// Starts the script and asks each input.
fn ask(script: &str, inputs: &[&str], budget: Budget) -> Asked {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fake.sh");
    fs::write(&path, script).expect("a script");
    let mut testee = from_argument(&format!("sh {}", path.display()), budget).expect("a command");
    testee.hello().expect("it says hello");
    let requests: Vec<Request<'_>> = inputs
        .iter()
        .map(|input| Request {
            from: Dialect::OpenAiChat,
            target: Target::of_dialect(Dialect::OpenAiChat),
            mode: Mode::Request,
            input: input.as_bytes(),
            call_id: None,
        })
        .collect();
    let mut answers = vec![None; inputs.len()];
    let mut times_answered = vec![0; inputs.len()];
    testee.convert(&requests, &mut |index, answer| {
        answers[index] = Some(answer);
        times_answered[index] += 1;
    });
    Asked { answers: answers.into_iter().flatten().collect(), times_answered, remarks: testee.remarks() }
}

fn kinds(asked: &Asked) -> String {
    assert!(asked.times_answered.iter().all(|times| *times == 1), "{:?}", asked.times_answered);
    let kind = |answer: &Answer| match answer {
        Answer::Output { .. } => 'o',
        Answer::Refused { .. } => 'r',
        Answer::Crashed(_) => 'c',
        Answer::Hung(_) => 'h',
        Answer::Garbage(_) => 'g',
        Answer::Unsupported(_) => 'u',
        Answer::Environment(_) => 'e',
    };
    asked.answers.iter().map(kind).collect()
}

const INPUTS: [&str; 6] = ["[1]", "[2]", "[\"boom\"]", "[4]", "[5]", "[6]"];

#[test]
fn a_good_one_answers_all_and_loses_none() {
    let inputs = vec!["[]"; 200];
    let asked = ask(&format!("{HELLO}{GOOD}"), &inputs, budget());
    assert_eq!(kinds(&asked), "o".repeat(200));
    assert!(asked.remarks.is_empty(), "{:?}", asked.remarks);
}

#[test]
fn a_crash_costs_its_case_alone() {
    let script = format!("{HELLO}case \"$line\" in *boom*) echo 'out of luck' >&2; exit 3;; esac\n{GOOD}");
    let asked = ask(&script, &INPUTS, budget());
    assert_eq!(kinds(&asked), "oocooo");
    let Answer::Crashed(why) = &asked.answers[2] else { panic!("no crash") };
    assert!(why.contains('3') && why.contains("out of luck"), "{why}");
}

#[test]
fn a_hang_costs_its_case_alone_and_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    let script =
        format!("{HELLO}case \"$line\" in *boom*) sleep 600 & echo $! > {}; wait;; esac\n{GOOD}", pid.display());
    let started = Instant::now();
    let asked = ask(&script, &INPUTS, budget());
    assert_eq!(kinds(&asked), "oohooo");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_ended(&pid);
}

#[test]
fn garbage_costs_its_case_alone_and_is_shown() {
    let script = format!("{HELLO}case \"$line\" in *boom*) echo '<html>500</html>'; continue;; esac\n{GOOD}");
    let asked = ask(&script, &INPUTS, budget());
    assert_eq!(kinds(&asked), "oogooo");
    assert!(asked.remarks.iter().any(|remark| remark.contains("<html>500</html>")), "{:?}", asked.remarks);
}

#[test]
fn an_answer_without_an_outcome_is_garbage_at_once() {
    let script = format!("{HELLO}case \"$line\" in *boom*) echo \"{{\\\"id\\\":$id}}\"; continue;; esac\n{GOOD}");
    assert_eq!(kinds(&ask(&script, &INPUTS, budget())), "oogooo");
}

#[test]
fn stray_lines_spoil_nothing() {
    let script = format!("echo 'Loading model'\n{HELLO}echo 'working'\n{GOOD}");
    let asked = ask(&script, &INPUTS, budget());
    assert_eq!(kinds(&asked), "oooooo");
    assert!(asked.remarks.iter().any(|remark| remark.contains("Loading model")), "{:?}", asked.remarks);
}

#[test]
fn answers_in_any_order_find_their_request() {
    let script = r#"read -r line
echo '{"wirecanon":1,"name":"fake","conversions":[{"from":"openai.chat","to":"openai.chat"}]}'
read -r a; read -r b; read -r c
answer() { id=${1#*:}; id=${id%%,*}; input=${1##*\"input\":}; echo "{\"id\":$id,\"output\":${input%\}}}"; }
answer "$c"; answer "$a"; answer "$b"
read -r bye"#;
    let asked = ask(script, &["[1]", "[2]", "[3]"], budget());
    assert_eq!(kinds(&asked), "ooo");
    for (answer, expected) in asked.answers.iter().zip(["[1]", "[2]", "[3]"]) {
        let Answer::Output { bytes, .. } = answer else { panic!("no output") };
        assert_eq!(bytes, expected.as_bytes());
    }
}

#[test]
fn the_first_of_two_answers_counts() {
    let script = format!("{HELLO}echo \"{{\\\"id\\\":$id,\\\"output\\\":\\\"first\\\"}}\"\n{GOOD}");
    let asked = ask(&script, &INPUTS, budget());
    assert_eq!(kinds(&asked), "oooooo");
    let Answer::Output { bytes, .. } = &asked.answers[0] else { panic!("no output") };
    assert_eq!(bytes, b"\"first\"");
    assert!(asked.remarks.iter().any(|remark| remark.contains("nobody waits for")), "{:?}", asked.remarks);
}

#[test]
fn an_endless_line_is_garbage() {
    let script =
        format!("{HELLO}case \"$line\" in *boom*) yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n';; esac\n{GOOD}");
    assert_eq!(kinds(&ask(&script, &INPUTS, budget())), "oogooo");
}

#[test]
fn one_that_always_ends_is_given_up() {
    let script = format!("{HELLO}exit 1\n{GOOD}");
    let asked = ask(&script, &["[]"; 40], budget());
    assert_eq!(kinds(&asked), "c".repeat(40));
    let Answer::Crashed(why) = &asked.answers[39] else { panic!("no crash") };
    assert!(why.starts_with("not tried"), "{why}");
}

#[test]
fn failed_and_refused_are_told_apart() {
    let script = format!(
        "{HELLO}case \"$line\" in *boom*) echo \"{{\\\"id\\\":$id,\\\"failed\\\":\\\"KeyError\\\"}}\"; continue;;
         *4*) echo \"{{\\\"id\\\":$id,\\\"refused\\\":{{\\\"code\\\":\\\"limit\\\"}}}}\"; continue;; esac\n{GOOD}"
    );
    let asked = ask(&script, &["[1]", "[\"boom\"]", "[\"4\"]"], budget());
    assert!(matches!(&asked.answers[1], Answer::Crashed(why) if why == "KeyError"), "{:?}", asked.answers);
    assert!(matches!(&asked.answers[2], Answer::Refused { code, .. } if code == "limit"), "{:?}", asked.answers);
}

#[test]
fn what_json_cannot_carry_is_unsupported() {
    let asked = ask(&format!("{HELLO}{GOOD}"), &["[1]", "[1", ""], budget());
    assert_eq!(kinds(&asked), "ouu");
}

#[test]
fn what_does_not_start_says_why() {
    for (command, why) in [
        ("/no/such/program", "No such file"),
        ("sh -c 'echo no luck >&2; exit 4'", "no luck"),
        ("sleep 60", "no answer to hello"),
        ("echo '{\"wirecanon\":2}'", "version 2"),
        ("echo '{\"wirecanon\":1,\"name\":\"x\"}'", "conversions"),
    ] {
        let mut testee = from_argument(command, budget()).expect("a command");
        let error = testee.hello().expect_err(command);
        assert!(error.message.contains(why), "{command}: {error}");
    }
}

#[test]
fn a_filter_is_started_for_each_case() {
    let mut testee = from_argument(
        "filter:openai.chat:openai.chat:sh -c 'read -r line; case $line in *boom*) exit 2;; *4*) sleep 60;; esac; echo \"$line\"'",
        budget(),
    )
    .expect("a command");
    testee.hello().expect("a filter has nothing to say");
    let requests: Vec<Request<'_>> = INPUTS
        .iter()
        .map(|input| Request {
            from: Dialect::OpenAiChat,
            target: Target::of_dialect(Dialect::OpenAiChat),
            mode: Mode::Request,
            input: input.as_bytes(),
            call_id: None,
        })
        .collect();
    let mut answers = vec![None; INPUTS.len()];
    testee.convert(&requests, &mut |index, answer| answers[index] = Some(answer));
    assert!(matches!(&answers[0], Some(Answer::Output { bytes, exact: true, .. }) if bytes == b"[1]\n"), "{answers:?}");
    assert!(matches!(&answers[2], Some(Answer::Crashed(_))), "{answers:?}");
    assert!(matches!(&answers[3], Some(Answer::Hung(_))), "{answers:?}");
}

#[test]
fn an_interrupt_ends_the_testee_and_leaves_the_run_incomplete() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let (script, pid) = (folder.path().join("fake.sh"), folder.path().join("pid"));
    fs::write(&script, format!("{HELLO}sleep 600 & echo $! > {}; wait\ndone", pid.display())).expect("a script");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["test", "--timeout", "60", "--testee", &format!("sh {}", script.display())])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program");
    for _ in 0..500 {
        if fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("an end").code(), Some(5));
    assert_ended(&pid);
}

#[test]
fn an_interrupt_is_heard_while_a_later_testee_starts() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let (quick, late) = (folder.path().join("quick.sh"), folder.path().join("late.sh"));
    let (done, pid) = (folder.path().join("done"), folder.path().join("pid"));
    // The first comes to its end, so that signals are listened to; the second never says what it is.
    fs::write(&quick, format!("trap 'echo > {}' EXIT\n{HELLO}{GOOD}", done.display())).expect("a script");
    fs::write(&late, format!("sleep 600 & echo $! > {}; wait", pid.display())).expect("a script");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["test", "--case", "openai-orphan-tool-message", "--startup-timeout", "300"])
        .args(["--testee", &format!("sh {}", quick.display()), "--testee", &format!("sh {}", late.display())])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    for _ in 0..1000 {
        if done.exists() && fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(done.exists(), "the first testee never ended");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let started = Instant::now();
    assert_eq!(child.wait().expect("an end").code(), Some(5));
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
    assert_ended(&pid);
}

/// What has this process id does not run any more.
fn assert_ended(pid: &Path) {
    let pid = fs::read_to_string(pid).expect("the script came that far");
    let stat = Path::new("/proc").join(pid.trim()).join("stat");
    // A process that has ended may wait as a zombie for whoever reaps it.
    let lives = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    for _ in 0..100 {
        if !lives() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("what the testee started still runs");
}

/// Says hello late, and is quick from then on.
const SLOW_HELLO: &str = "sleep 1.2\n";

#[test]
fn loading_has_its_own_time() {
    let script = format!("{SLOW_HELLO}{HELLO}{GOOD}");
    let asked = ask(&script, &["[]", "[]"], budget());
    assert_eq!(kinds(&asked), "oo", "{:?}", asked.answers);

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fake.sh");
    fs::write(&path, &script).expect("a script");
    let hasty = Budget { startup: Some(Duration::from_millis(200)), ..budget() };
    let mut testee = from_argument(&format!("sh {}", path.display()), hasty).expect("a command");
    let error = testee.hello().expect_err("too late");
    assert!(error.message.contains("no answer to hello within 0.2 s"), "{error}");
}

#[test]
fn a_broken_answer_costs_no_waiting() {
    let nan = r#"echo "{\"id\":$id,\"output\":[NaN]}"
done"#;
    let started = Instant::now();
    let slow = Budget { timeout: Duration::from_secs(30), ..budget() };
    let asked = ask(&format!("{HELLO}{nan}"), &["[]", "[]", "[]"], slow);
    assert_eq!(kinds(&asked), "ggg", "{:?}", asked.answers);
    assert!(matches!(&asked.answers[0], Answer::Garbage(why) if why.contains("not JSON")), "{:?}", asked.answers);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
