//! The event log, the reports that are made from it, and shards that merge to the bytes of the whole run.
//!
//! Golden transcripts stand in `tests/golden`; `BLESS=1 cargo test -p wirecanon --test it log_cli::` writes them anew.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use wirecanon::log::merge::merge;
use wirecanon::log::{self, Log, Shard};
use wirecanon::report::FORMS;
use wirecanon::verdict::Verdict;
use wirecanon_schemas::validate::Validator;

use crate::support::golden::golden;
use crate::support::narrow::testee;
use crate::support::running::run_in;

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).expect("a log")
}

fn text(log: &Log) -> String {
    let mut out = Vec::new();
    log::write(&mut out, log).expect("memory takes text");
    String::from_utf8(out).expect("text")
}

fn assert_schema(text: &str) {
    let schema = Validator::new("wirecanon/log").expect("a schema");
    for line in text.lines() {
        let wrong = schema.mismatches(&serde_json::from_str(line).expect("JSON"));
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
    }
}

#[test]
fn a_log_is_read_and_written_as_it_was() {
    for name in ["base.ndjson", "head.ndjson"] {
        let log = log::read(fixture(name).as_bytes()).expect("a log");
        assert_eq!(text(&log), fixture(name));
        assert_schema(&fixture(name));
    }
}

#[test]
fn every_form_of_report_is_as_it_was() {
    let endings = [
        ("markdown", "md"),
        ("matrix", "md"),
        ("junit", "xml"),
        ("json", "json"),
        ("sarif", "json"),
        ("badge", "json"),
    ];
    // The page is tried in tests/it/html_report.rs: no golden file shows whether it works.
    for form in FORMS.iter().filter(|form| form.name != "html") {
        let said = run_in(&fixtures(), &["report", "head.ndjson", "--to", form.name]);
        assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", form.name);
        let ending = endings.iter().find(|(name, _)| *name == form.name).map_or("txt", |(_, ending)| ending);
        golden(&format!("report-{}.{ending}", form.name), &said.out);
        let again = run_in(&fixtures(), &["report", "head.ndjson", "--to", form.name]);
        assert_eq!(said.out, again.out, "{}", form.name);
    }
    let json = run_in(&fixtures(), &["report", "head.ndjson", "--to", "json"]).out;
    let value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/test", &value), Ok(vec![]));
}

#[test]
fn what_changed_is_sorted_into_five_buckets() {
    let said = run_in(&fixtures(), &["compare", "base.ndjson", "head.ndjson"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    for bucket in wirecanon::change::Bucket::ALL {
        assert!(said.out.contains(&format!("{} (", bucket.name())), "{}", said.out);
    }
    let told = run_in(&fixtures(), &["compare", "base.ndjson", "head.ndjson", "--format", "json"]);
    assert_eq!((told.code, told.err.as_str()), (said.code, ""), "{}", told.out);
    golden("compare.json", &told.out);
    let json: serde_json::Value = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/compare", &json), Ok(vec![]));
    assert_eq!(json["exit"], told.code);
    let blocking = json["blocking"].as_u64().expect("a number");
    assert!(said.out.contains(&format!("{blocking} results block")), "{blocking}: {}", said.out);
    let same = run_in(&fixtures(), &["compare", "head.ndjson", "head.ndjson"]);
    assert_eq!(same.code, 0, "what fails in both blocks nothing: {}", same.out);
}

/// Lines of the newer run changed, and what then blocks.
#[test]
fn only_what_got_worse_blocks() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = fixture("base.ndjson");
    fs::write(folder.path().join("base"), &base).expect("a file");
    let plain = r#""case":"plain-words-valid","from":"openai.chat","to":"openai","verdict":"exact","ok":true"#;
    let crash = "KeyError: 'tool_call_id' at 0x7f2a";
    let later = r#""case":"words-after-suite","from":"openai.chat","to":"openai","verdict":"exact","ok":true"#;
    let fails = |line: &str| line.replace(r#""exact","ok":true"#, r#""rejected","ok":false"#);
    for (what, from, to, code) in [
        ("the same", plain, plain.to_owned(), 0),
        ("newly failing", plain, fails(plain), 1),
        ("failing with the same verdict", plain, plain.replace("true", "false"), 1),
        ("another reason", crash, "TypeError".to_owned(), 1),
        ("another address alone", crash, "KeyError: 'tool_call_id' at 0x1".to_owned(), 0),
        ("gone, and passed", plain, plain.replace("\"to\":\"openai\"", "\"to\":\"xai\""), 1),
        ("claimed no more, and passed", plain, plain.replace("exact", "unsupported"), 1),
        ("failing, of no suite", later, fails(later), 0),
        ("gone, of no suite", later, later.replace("\"to\":\"openai\"", "\"to\":\"xai\""), 0),
    ] {
        assert!(base.contains(from), "{what}");
        let head = recounted(&base.replacen(from, &to, 1));
        fs::write(folder.path().join("head"), head).expect("a file");
        let said = run_in(folder.path(), &["compare", "base", "head"]);
        assert_eq!(said.code, code, "{what}: {}{}", said.out, said.err);
    }
    // What failed and is gone, and what failed and passes, is shown and blocks nothing.
    fs::write(
        folder.path().join("head"),
        recounted(&base.replace("\"groq\",\"verdict\":\"crashed\"", "\"xai\",\"verdict\":\"crashed\"")),
    )
    .expect("a file");
    let said = run_in(folder.path(), &["compare", "base", "head"]);
    assert!(said.code == 0 && said.out.contains("vanished case (1)"), "{}", said.out);
    // A run of which nothing is left to compare is no comparison.
    let nothing: String = lines(&base, |line| !line.contains("\"result\""));
    fs::write(folder.path().join("head"), recounted(&nothing)).expect("a file");
    assert_eq!(run_in(folder.path(), &["compare", "base", "head"]).code, 4);
}

/// The lines of a log for which this holds.
fn lines(log: &str, keep: impl Fn(&str) -> bool) -> String {
    log.split_inclusive('\n').filter(|line| keep(line)).collect()
}

/// A log with the end that it must have.
fn recounted(log: &str) -> String {
    let (body, end) = log.rsplit_once("{\"event\":\"end\"").expect("an end");
    assert!(end.ends_with('\n'));
    let mut log = log::read(body.as_bytes()).expect("a log");
    log.complete = true;
    text(&log)
}

#[test]
fn a_log_that_is_damaged_is_told_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = fixture("base.ndjson");
    let cut = good.rsplit_once("{\"event\":\"end\"").expect("an end").0;
    for (what, text, code, words) in [
        ("empty", String::new(), 2, "empty"),
        ("no JSON", good.replacen("{\"event\":\"case\"", "{\"event\":", 1), 2, "line 2: this is no event"),
        ("another version", good.replacen("\"log\":1", "\"log\":7", 1), 2, "version 7"),
        ("two logs", format!("{good}{good}"), 2, "behind the end"),
        ("two starts", format!("{}\n{good}", good.lines().next().expect("a line")), 2, "a second start"),
        ("no start", lines(&good, |line| !line.contains("\"start\"")), 2, "begins with `start`"),
        ("a result less", lines(&good, |line| !line.contains("\"plain-words-valid\",\"from\"")), 2, "damaged"),
        ("a result twice", good.replacen("\"to\":\"groq\"", "\"to\":\"openai\"", 1), 2, "a second result"),
        (
            "a foreign case",
            good.replacen("\"case\":\"call-answered-twice\",\"class\"", "\"case\":\"other\",\"class\"", 1),
            2,
            "does not name",
        ),
        ("cut between lines", cut.to_owned(), 5, "cut short"),
        ("cut in a line", cut[..cut.len() - 30].to_owned(), 5, "cut short"),
    ] {
        fs::write(folder.path().join("log"), text).expect("a file");
        let said = run_in(folder.path(), &["report", "log"]);
        assert_eq!(said.code, code, "{what}: {}{}", said.out, said.err);
        assert!(format!("{}{}", said.out, said.err).contains(words), "{what}: {}{}", said.out, said.err);
        if code == 5 {
            for command in [&["merge", "log"][..], &["compare", "log", "log"]] {
                let said = run_in(folder.path(), command);
                assert!(said.code == 5 && said.err.contains("has no end"), "{what}: {}", said.err);
            }
            let said = run_in(folder.path(), &["gate", "--from-log", "log", "--bless"]);
            assert_eq!(said.code, 5, "{what}: {}{}", said.out, said.err);
            assert!(!folder.path().join("expectations").exists(), "a run that was cut short was blessed");
        }
    }
}

/// The part of a run that a shard would have been.
fn part(whole: &Log, shard: Shard) -> Log {
    let mut log = whole.clone();
    log.start.shard = Some(shard);
    let mut place = 0..;
    log.cases.retain(|_| place.next().is_some_and(|place| shard.has(place)));
    for run in &mut log.runs {
        run.results.retain(|result| log.cases.iter().any(|case| case.id == result.case));
    }
    log
}

#[test]
fn shards_merge_in_any_order_to_the_same_bytes() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let name = ["base.ndjson", "head.ndjson"][random.usize(..2)];
        let whole = log::read(fixture(name).as_bytes()).expect("a log");
        let of = 1 + random.usize(..whole.cases.len());
        let mut parts: Vec<(String, Log)> = (1..=of)
            .map(|index| {
                let shard = part(&whole, Shard { index, of });
                let read = log::read(text(&shard).as_bytes()).expect("the log of a shard");
                (format!("{index}"), read)
            })
            .collect();
        random.shuffle(&mut parts);
        let merged = merge(parts.clone()).expect("all shards of one run");
        assert_eq!(text(&merged), fixture(name), "seed {seed}, {of} shards");
        if of > 1 {
            let gone = parts.remove(random.usize(..parts.len()));
            let error = merge(parts.clone()).expect_err("a shard is missing").message.unwrap_or_default();
            assert!(error.contains(&format!("{}/{of}", gone.0)), "{error}");
            parts.push(parts[0].clone());
            let error = merge(parts).expect_err("a shard is doubled").message.unwrap_or_default();
            assert!(error.contains("stands twice"), "{error}");
        }
    }
}

#[test]
fn logs_of_other_runs_are_refused_by_what_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = log::read(fixture("base.ndjson").as_bytes()).expect("a log");
    let [first, second] = [1, 2].map(|index| text(&part(&whole, Shard { index, of: 2 })));
    fs::write(folder.path().join("1"), &first).expect("a file");
    let digest = whole.start.corpus.clone();
    for (what, from, to) in [
        ("corpus", digest.as_str(), "0".repeat(64)),
        ("suite", "\"suite\":\"2026.1\"", "\"suite\":\"2026.2\"".to_owned()),
        ("seed", "\"seed\":0", "\"seed\":7".to_owned()),
        ("version of wirecanon", "\"version\":\"0.1.0\"", "\"version\":\"0.2.0\"".to_owned()),
        ("filter", "\"seed\":0,", "\"seed\":0,\"filter\":[\"a\"],".to_owned()),
        ("list of testees", "\"testees\":[\"./sample.sh\"]", "\"testees\":[\"./other\"]".to_owned()),
        ("number of shards", "\"shard\":\"2/2\"", "\"shard\":\"2/3\"".to_owned()),
        ("not the same testee", "\"version\":\"1.2.0\"", "\"version\":\"1.2.1\"".to_owned()),
    ] {
        assert!(second.contains(from), "{what}");
        fs::write(folder.path().join("2"), second.replace(from, &to)).expect("a file");
        let said = run_in(folder.path(), &["merge", "1", "2", "-o", "out"]);
        assert_eq!(said.code, 2, "{what}: {}", said.err);
        assert!(said.err.contains(what) && said.err.lines().count() == 1, "{what}: {}", said.err);
        assert!(!folder.path().join("out").exists());
    }
    fs::write(folder.path().join("2"), fixture("base.ndjson")).expect("a file");
    assert_eq!(run_in(folder.path(), &["merge", "2", "1"]).code, 2);
    assert_eq!(run_in(folder.path(), &["merge", "1", "2"]).code, 2);
}

/// The verdicts of two judges mean different things.
#[test]
fn logs_of_two_judges_are_neither_merged_nor_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = fixture("base.ndjson");
    let old =
        new.replacen("\"judge\":2,", "", 1).replace("\"rejected\"", "\"unsafe\"").replace("\"lossy\"", "\"safe\"");
    let read = log::read(old.as_bytes()).expect("a log of the first judge");
    assert_eq!(read.start.judge, 1);
    assert!(read.runs[0].results.iter().any(|result| result.judgement.verdict == Verdict::Rejected));
    fs::write(folder.path().join("new"), &new).expect("a file");
    fs::write(folder.path().join("old"), &old).expect("a file");
    for words in [&["compare", "old", "new"][..], &["merge", "old", "new"]] {
        let said = run_in(folder.path(), words);
        assert_eq!(said.code, 2, "{words:?}: {}", said.err);
        assert!(said.err.contains("has verdicts of judge 1, ") && said.err.contains("run old again"), "{}", said.err);
    }
    assert_eq!(run_in(folder.path(), &["compare", "old", "old"]).code, 0);
    fs::write(folder.path().join("later"), new.replacen("\"judge\":2", "\"judge\":3", 1)).expect("a file");
    let said = run_in(folder.path(), &["report", "later"]);
    assert!(said.code == 2 && said.err.contains("the log is of judge 3; judges 1 to 2 are known"), "{}", said.err);
}

/// A log in which the testee has this name, and passes nothing if `bad`.
fn renamed(name: &str, bad: bool) -> String {
    let mut log = log::read(fixture("head.ndjson").as_bytes()).expect("a log");
    log.start.testees = vec![format!("./{name}.sh")];
    for run in &mut log.runs {
        run.argument = format!("./{name}.sh");
        name.clone_into(&mut run.hello.as_mut().expect("a testee").name);
        for result in &mut run.results {
            name.clone_into(&mut result.testee);
            result.judgement.ok &= !bad;
        }
    }
    text(&log)
}

#[test]
fn whole_runs_of_other_testees_merge_to_one_run_of_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (name, bad) in [("first", false), ("second", true), ("third", false)] {
        fs::write(at.join(name), renamed(name, bad)).expect("a file");
    }
    let merged = |files: &[&str]| {
        let said = run_in(at, &[&["merge"], files, &["-o", "out"]].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        fs::read_to_string(at.join("out")).expect("a log")
    };
    let one = merged(&["first", "second", "third"]);
    assert!(one == merged(&["third", "first", "second"]), "the order of the logs matters");
    let log = log::read(one.as_bytes()).expect("a log");
    assert_eq!(log.start.testees, ["./first.sh", "./second.sh", "./third.sh"]);
    assert_eq!(log.runs.len(), 3);
    let matrix = run_in(at, &["report", "out", "--to", "matrix"]).out;
    let place = |name: &str| matrix.find(&format!("| {name} |")).expect("a row");
    assert!(place("second") < place("first") && place("first") < place("third"), "{matrix}");
    assert!(matrix.contains("| second | 1.3.0 | 6 | 0 |") && !matrix.contains("| first | 1.3.0 | 6 | 0 |"), "{matrix}");

    for (what, files) in
        [("is in first and in first", ["first", "first"]), ("is in third and in other", ["third", "other"])]
    {
        let other = renamed("third", false).replace("./third.sh", "./another.sh");
        fs::write(at.join("other"), other).expect("a file");
        let said = run_in(at, &["merge", files[0], files[1]]);
        assert!(said.code == 2 && said.err.contains(what), "{}", said.err);
    }
    let seed = renamed("fourth", false).replace("\"seed\":0", "\"seed\":7");
    fs::write(at.join("fourth"), seed).expect("a file");
    let said = run_in(at, &["merge", "first", "fourth"]);
    assert!(said.code == 2 && said.err.contains("the seed is `0` in one and `7` in the other"), "{}", said.err);
}

/// Runs a testee whole and in shards, and with its cases in another order.
#[test]
fn shards_of_a_process_merge_to_what_the_whole_run_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at: &Path = folder.path();
    let argument = testee(at, "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let test = |more: &[&str]| {
        let said = run_in(at, &[&["test", "--testee", argument.as_str()], more].concat());
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        said.out
    };
    let words = test(&["--log", "whole"]);
    assert!(words.contains("answers a second; waits p50 ") && words.contains(" s in the harness"), "{words}");
    assert!(test(&["--log", "2", "--shard", "2/3"]).contains("partial: shard 2/3"));
    test(&["--log", "1", "--shard", "1/3"]);
    test(&["--log", "3", "--shard", "3/3"]);
    let said = run_in(at, &["merge", "3", "1", "2", "-o", "merged"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    let read = |name: &str| fs::read_to_string(at.join(name)).expect("a log");
    assert!(read("merged") == read("whole"), "the shards do not merge to the whole run");
    assert_schema(&read("whole"));
    // The order in which cases are sent changes nothing but the seed that is told.
    test(&["--log", "shuffled", "--seed", "5"]);
    assert!(read("shuffled") == read("whole").replacen("\"seed\":0", "\"seed\":5", 1), "the order matters");
    let report = |name: &str| run_in(at, &["report", name, "--to", "markdown"]).out;
    assert_eq!(report("merged"), report("whole"));
    assert_eq!(run_in(at, &["test", "--shard", "0/3"]).code, 2);
    assert_eq!(run_in(at, &["test", "--shard", "9000/9000"]).code, 4);
}

/// Whoever stops a run gets a log without an end, and no other testee is started.
#[test]
fn a_run_that_is_stopped_leaves_a_log_that_says_so() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let hello = r#"{"wirecanon":1,"name":"slow","conversions":[{"from":"mistral.chat","to":"mistral.chat"}]}"#;
    fs::write(at.join("slow.sh"), format!("touch started-$1\nread -r line\necho '{hello}'\nsleep 600\n"))
        .expect("a script");
    let testees = ["sh slow.sh 1", "sh slow.sh 2", "sh slow.sh 3", "sh slow.sh 4", "sh slow.sh 5", "sh slow.sh 6"];
    let cores = std::thread::available_parallelism().map_or(1, usize::from).max(2);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["test", "--timeout", "60", "--log", "log"])
        .args(testees.iter().flat_map(|testee| ["--testee", testee]))
        .current_dir(at)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program");
    for _ in 0..1000 {
        if at.join("started-2").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // Until both have been asked.
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(child.wait().expect("an end").code(), Some(5));
    let log = fs::read_to_string(at.join("log")).expect("a log");
    assert!(log.starts_with("{\"event\":\"start\"") && !log.contains("\"event\":\"end\""), "{log}");
    assert_schema(&log);
    let said = run_in(at, &["report", "log"]);
    assert!(said.code == 5 && said.out.contains("the run was cut short"), "{}{}", said.out, said.err);
    if cores < testees.len() {
        assert!(
            !at.join(format!("started-{}", testees.len())).exists(),
            "a testee was started after the run was stopped"
        );
    }
}

#[test]
fn a_log_that_cannot_be_written_fails_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = run_in(folder.path(), &["test", "--log", "no/such/folder/log"]);
    assert!(said.code == 2 && said.err.contains("no/such/folder/log: cannot be written"), "{}", said.err);
    assert_eq!(said.out, "");
    if Path::new("/dev/full").exists() {
        let said = run_in(folder.path(), &["test", "--case", "openai-call-*", "--log", "/dev/full"]);
        assert!(said.code == 5 && said.err.contains("/dev/full: cannot be written"), "{}", said.err);
    }
}
