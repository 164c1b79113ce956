//! Laws of the program as a whole: batches are their lines, and a run does not depend on the order of its cases, nor on a
//! crash before. Each stands beside planted mutants that it catches.
//!
//! The laws of one conversion stand in `core/tests/it/properties/metamorphic.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use arbitrary::Unstructured;
use serde_json::Value;
use wirecanon::corpus;
use wirecanon::run;
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon::verdict::Verdict;
use wirecanon_generate::{self as generate, Dialect, stream};

/// What becomes of an input, and what is said of it.
type Batch<'b> = &'b dyn Fn(&str) -> (String, Vec<Value>);

fn fix(input: &str) -> (String, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["fix", "--from", "canonical", "--to", "anthropic", "--lines", "sessions", "--report"])
        .arg(&report)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads all");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{input}");
    let said: Value = serde_json::from_slice(&std::fs::read(report).expect("a report")).expect("JSON");
    let reports =
        said["sessions"].as_array().expect("sessions").iter().map(|session| session["report"].clone()).collect();
    (String::from_utf8(output.stdout).expect("text"), reports)
}

/// Sessions, valid and broken, one a line.
fn sessions(count: u64) -> Vec<String> {
    let one = |number| {
        let bytes = stream(20_261, number, 0, 400);
        let u = &mut Unstructured::new(&bytes);
        let made = if number.is_multiple_of(3) {
            generate::valid(u, Dialect::Canonical)
        } else {
            generate::broken(u, Dialect::Canonical)
        };
        let text = String::from_utf8(made.bytes).ok().filter(|_| !made.may_refuse)?;
        // What is JSON has no line break but between its values.
        serde_json::from_str::<Value>(&text).ok().map(|_| text.trim().replace(['\n', '\r'], " "))
    };
    (0..count).filter_map(one).collect()
}

/// A batch is what its lines are, one by one, in any order.
fn lines_stand_alone(batch: Batch<'_>, lines: &[String]) -> Result<(), String> {
    let alone: Vec<_> = lines.iter().map(|line| batch(line)).collect();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    for turn in 0..2 {
        order.rotate_left(turn * 3);
        if turn == 1 {
            order.reverse();
        }
        let input: Vec<_> = order.iter().map(|at| lines[*at].as_str()).collect();
        let (together, reports) = batch(&input.join("\n"));
        let expected: Vec<_> = order.iter().map(|at| alone[*at].0.trim_end()).collect();
        if together.lines().collect::<Vec<_>>() != expected {
            let differs = together.lines().zip(&expected).find(|(one, other)| one != *other);
            return Err(format!("{} lines, not {}: {differs:?}", together.lines().count(), expected.len()));
        }
        let expected: Vec<_> = order.iter().flat_map(|at| alone[*at].1.clone()).collect();
        if reports != expected {
            return Err(format!("{:?}", reports.iter().zip(&expected).find(|(one, other)| one != other)));
        }
    }
    Ok(())
}

#[test]
fn a_batch_is_its_lines() {
    let lines = sessions(12);
    assert!(lines.len() >= 6, "{}", lines.len());
    assert_eq!(lines_stand_alone(&fix, &lines), Ok(()));
}

/// In process, so that the mutants are quick.
fn quick(input: &str) -> (String, Vec<Value>) {
    let to = wirecanon_core::Target::by_name("anthropic").expect("a target");
    let from = wirecanon_core::From::Dialect(wirecanon_core::Dialect::Canonical);
    let options = wirecanon_core::Options { from, to: Some(to), ..wirecanon_core::Options::default() };
    let (mut out, mut reports) = (String::new(), Vec::new());
    for line in input.lines() {
        let fixed = wirecanon_core::fix(line.as_bytes(), &options).expect("a session");
        out.push_str(std::str::from_utf8(&fixed.output).expect("text").trim_end());
        out.push('\n');
        reports.push(serde_json::to_value(&fixed.report).expect("JSON"));
    }
    (out, reports)
}

#[test]
fn a_batch_with_a_memory_is_caught() {
    let lines = sessions(12);
    assert_eq!(lines_stand_alone(&quick, &lines), Ok(()));
    // Ids are counted over the whole file, not in each session.
    let global_ids = |input: &str| {
        let (out, reports) = quick(input);
        let mut known = BTreeSet::new();
        let line = |line: &str| {
            let ids: BTreeSet<_> =
                line.split("\"tool_use_id\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let mut line = line.to_owned();
            for id in ids {
                if !known.insert(id.to_owned()) {
                    line = line.replace(&format!("\"{id}\""), &format!("\"{id}_2\""));
                }
            }
            line + "\n"
        };
        (out.lines().map(line).collect(), reports)
    };
    assert!(lines_stand_alone(&global_ids, &lines).is_err());
    // What was written already is not written again.
    let once = |input: &str| {
        let (out, reports) = quick(input);
        let mut known = BTreeSet::new();
        (out.split_inclusive('\n').filter(|line| known.insert(line.len() % 7)).collect(), reports)
    };
    assert!(lines_stand_alone(&once, &lines).is_err());
    // The report of one line goes on in the next.
    let grown = |input: &str| {
        let (out, mut reports) = quick(input);
        if let [_, .., last] = &mut reports[..] {
            last["changed"] = true.into();
            last["repairs"] = Value::Array(Vec::new());
        }
        (out, reports)
    };
    assert!(lines_stand_alone(&grown, &lines).is_err());
}

/// What a run says of each case and target.
fn verdicts(testee: &mut dyn Testee, cases: &[&wirecanon::case::Case]) -> BTreeMap<(String, String), String> {
    let run = run::run("law", testee, cases, 1, false, &mut |_| {});
    run.results
        .into_iter()
        .map(|result| ((result.case, result.to), format!("{:?} {:?}", result.judgement.verdict, result.judgement.ok)))
        .collect()
}

/// The order of the cases, and which others there are, change no verdict.
fn order_is_nothing(testee: &dyn Fn() -> Box<dyn Testee>, cases: &[&wirecanon::case::Case]) -> Result<(), String> {
    let forth = verdicts(testee().as_mut(), cases);
    let back: Vec<_> = cases.iter().rev().copied().collect();
    let half = cases.len() / 2;
    for (some, words) in [(&back[..], "backwards"), (&cases[half..], "the second half alone")] {
        let said = verdicts(testee().as_mut(), some);
        if let Some((place, verdict)) = said.iter().find(|(place, verdict)| forth.get(place) != Some(verdict)) {
            return Err(format!("{words}: {place:?} is {verdict}, not {:?}", forth.get(place)));
        }
    }
    Ok(())
}

/// The reference, and a change to its answers that may remember.
struct Changed<F>(Reference, F);

impl<F: FnMut(usize, &Request<'_>, Answer) -> Answer> Testee for Changed<F> {
    fn hello(&mut self) -> Result<Hello, StartError> {
        self.0.hello()
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let change = &mut self.1;
        self.0.convert(requests, &mut |index, answer| answered(index, change(index, &requests[index], answer)));
    }
}

fn some_cases(all: &[wirecanon::case::Case]) -> Vec<&wirecanon::case::Case> {
    all.iter().filter(|case| case.input.len() < 4000).step_by(60).collect()
}

#[test]
fn a_run_does_not_depend_on_the_order_of_its_cases() {
    let all = corpus::load().expect("the corpus");
    let cases = some_cases(&all);
    assert!(cases.len() >= 8);
    assert_eq!(order_is_nothing(&|| Box::new(Reference::new(2)), &cases), Ok(()));
    // One that crashes on some inputs, and is well before and after.
    let crashing = || {
        let change = |_, request: &Request<'_>, answer| {
            if request.input.len().is_multiple_of(2) { Answer::Crashed("out of luck".to_owned()) } else { answer }
        };
        Box::new(Changed(Reference::new(1), change)) as Box<dyn Testee>
    };
    assert_eq!(order_is_nothing(&crashing, &cases), Ok(()));
    let said = verdicts(crashing().as_mut(), &cases);
    let crashed = |verdict: &String| verdict.starts_with(&format!("{:?}", Verdict::Crashed));
    assert!(said.values().any(crashed) && !said.values().all(crashed), "{said:?}");
}

#[test]
fn a_testee_with_a_memory_is_caught() {
    let all = corpus::load().expect("the corpus");
    let cases = some_cases(&all);
    // Gives the answer before again.
    let previous = || {
        let mut before: Option<Answer> = None;
        let change = move |_, _: &Request<'_>, answer: Answer| before.replace(answer.clone()).unwrap_or(answer);
        Box::new(Changed(Reference::new(1), change)) as Box<dyn Testee>
    };
    assert!(order_is_nothing(&previous, &cases).is_err());
    // Is not the same after a crash.
    let odd = cases[cases.len() / 3].input.len();
    let shaken = || {
        let mut crashed = false;
        let change = move |_, request: &Request<'_>, answer: Answer| {
            crashed |= request.input.len() == odd;
            if crashed { Answer::Crashed("out of luck".to_owned()) } else { answer }
        };
        Box::new(Changed(Reference::new(1), change)) as Box<dyn Testee>
    };
    assert!(order_is_nothing(&shaken, &cases).is_err());
}

/// Answers with the input, but ends on a word; what is remembered beside it lies in a file.
#[cfg(unix)]
fn echo(folder: &std::path::Path, on_start: &str) -> Box<dyn Testee> {
    use wirecanon::testee::{Budget, from_argument};
    let script = folder.join("echo.sh");
    let body = format!(
        r#"{on_start}
read -r line
echo '{{"wirecanon":1,"name":"echo","conversions":[{{"from":"openai.chat","to":"openai.chat"}}]}}'
while read -r line; do
case "$line" in *bye*) exit 0;; *boom*) echo x >> crashes; exit 3;; esac
id=${{line#*:}}; id=${{id%%,*}}; input=${{line##*\"input\":}}
echo "{{\"id\":$id,\"output\":${{prefix}}${{input%\}}}}}}"
done"#
    );
    std::fs::write(&script, body).expect("a script");
    from_argument(&format!("sh -c 'cd {} && exec sh echo.sh'", folder.display()), Budget::default()).expect("a command")
}

/// The answer to each input, whatever was asked before.
#[cfg(unix)]
fn answers_depend_on_nothing(make: &dyn Fn() -> Box<dyn Testee>) -> Result<(), String> {
    use wirecanon_core::{Mode, Target};
    let inputs = ["[1]", "[2]", "[\"boom\"]", "[4]", "[5]"];
    let mut known = BTreeMap::<&str, String>::new();
    for order in [&[0, 1, 2, 3, 4][..], &[4, 3, 2, 1, 0], &[2, 0, 1, 3], &[3, 1], &[2, 2, 4]] {
        let target = Target::of_dialect(wirecanon_core::Dialect::OpenAiChat);
        let request = |input: &'static str| Request {
            from: wirecanon_core::Dialect::OpenAiChat,
            target,
            mode: Mode::Request,
            input: input.as_bytes(),
            call_id: None,
        };
        let requests: Vec<_> = order.iter().map(|at| request(inputs[*at])).collect();
        let mut testee = make();
        testee.hello().map_err(|error| error.to_string())?;
        let mut said = Vec::new();
        testee.convert(&requests, &mut |index, answer| said.push((inputs[order[index]], answer)));
        for (input, answer) in said {
            let answer = if let Answer::Crashed(_) = answer { "a crash".to_owned() } else { format!("{answer:?}") };
            let before = known.entry(input).or_insert_with(|| answer.clone());
            if *before != answer {
                return Err(format!("{order:?}: {input} is {answer}, and was {before}"));
            }
        }
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_process_that_crashed_before_answers_as_if_it_had_not() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(answers_depend_on_nothing(&|| echo(folder.path(), "")), Ok(()));
    let crashes = std::fs::read_to_string(folder.path().join("crashes")).expect("it crashed");
    assert!(crashes.lines().count() >= 5, "one was not asked");
    // One whose answers are others once it has crashed.
    let folder = tempfile::tempdir().expect("a folder");
    let shaken = "prefix=; if [ -e crashes ]; then prefix=9; fi";
    assert!(answers_depend_on_nothing(&|| echo(folder.path(), shaken)).is_err());
}
