//! Black-box fuzzing finds mistakes that are planted in a right testee, cuts them down, finds none in the right one, and is the
//! same whenever it runs.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wirecanon::blackbox::{End, Fuzzed, Group, Seal, Settings, State, Watcher, case_file, fuzz, ways};
use wirecanon::case;
use wirecanon::exit::Stop;
use wirecanon::judge::judge;
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon_core::{Dialect, Target};

/// What a testee does to the right answer: given the input and the output, the wrong answer, or nothing.
type Mistake = fn(&Request<'_>, &str) -> Option<Answer>;

/// The reference with a mistake.
struct Planted {
    mistake: Mistake,
}

impl Testee for Planted {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let own = [Dialect::OpenAiChat, Dialect::AnthropicMessages, Dialect::GeminiContents, Dialect::Canonical];
        let pairs = own.iter().flat_map(|from| own.iter().map(|to| (*from, *to))).collect();
        Ok(Hello { name: "planted".to_owned(), conversions: pairs, ..Reference::introduction() })
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        for (index, request) in requests.iter().enumerate() {
            let right = Reference::answer(request);
            let wrong = match &right {
                Answer::Output { bytes, .. } => (self.mistake)(request, &String::from_utf8_lossy(bytes)),
                _ => None,
            };
            answered(index, wrong.unwrap_or(right));
        }
    }
}

struct Nobody;

impl Watcher for Nobody {
    fn round(&mut self, _: u64, _: &dyn Fn() -> State) -> Result<(), Stop> {
        Ok(())
    }

    fn cut_down(&mut self, _: usize, _: usize) {}

    fn over(&mut self, _: &State) -> Result<(), Stop> {
        Ok(())
    }
}

fn settings(seed: u64, runs: u64) -> Settings {
    let seal =
        Seal { seed, testee: "planted".to_owned(), name: "planted".to_owned(), from: None, to: None, max_bytes: 600 };
    Settings { seal, runs, time: None, shrink: 200 }
}

fn run(testee: &mut dyn Testee, settings: &Settings) -> Fuzzed {
    let hello = testee.hello().expect("a testee");
    fuzz(testee, &ways(&hello, None, None), settings, None, &AtomicBool::new(false), &mut Nobody).expect("a run")
}

fn output(text: String) -> Answer {
    Answer::Output { bytes: text.into_bytes(), exact: true, report: None }
}

#[test]
fn nothing_is_found_in_the_reference() {
    let mut right = Planted { mistake: |_, _| None };
    let fuzzed = run(&mut right, &settings(7, 1000));
    let shown: Vec<_> = fuzzed.progress.causes();
    assert!(shown.is_empty(), "{shown:#?}");
    assert_eq!((fuzzed.progress.runs, fuzzed.end), (1000, End::Done));
    assert!(fuzzed.progress.kept() > 100, "{}", fuzzed.progress.kept());
}

/// Runs within which each of them is found, and bytes that the input is cut down to.
const PLANTED: &[(&str, u64, usize, Mistake)] = &[
    ("media-lost", 400, 400, |_, text| {
        let at = text.find("\"type\":\"image\"")?;
        let start = text[..at].rfind('{')?;
        let end = start + text[start..].find("}}")? + 2;
        Some(output(format!("{}{{\"type\":\"text\",\"text\":\"[image]\"}}{}", &text[..start], &text[end..])))
    }),
    ("text-lost", 400, 500, |request, text| {
        // Everything behind the first line of a text.
        let cut = text.find("\\n")?;
        let end = cut + text[cut..].find('"')?;
        (request.target.dialect == Dialect::AnthropicMessages).then_some(())?;
        Some(output(format!("{}{}", &text[..cut], &text[end..])))
    }),
    ("tool-call-arguments-not-a-string", 400, 400, |request, text| {
        (request.target.dialect == Dialect::OpenAiChat).then_some(())?;
        text.contains("\"arguments\":\"{}\"").then(|| output(text.replace("\"arguments\":\"{}\"", "\"arguments\":{}")))
    }),
    ("orphan-tool-result", 400, 600, |request, text| {
        (request.target.dialect == Dialect::AnthropicMessages).then_some(())?;
        let at = text.find("\"tool_use_id\":\"")? + 15;
        Some(output(format!("{}x{}", &text[..at], &text[at..])))
    }),
    ("crashed", 200, 200, |request, _| {
        let accents = request.input.windows(2).any(|two| two == "ï".as_bytes());
        accents.then(|| Answer::Crashed("UnicodeEncodeError: 'ascii' codec can't encode character".to_owned()))
    }),
    ("garbage", 300, 400, |request, text| {
        (request.target.name == "gemini" && text.contains("functionCall"))
            .then(|| output("<html>500</html>".to_owned()))
    }),
    ("refused", 300, 600, |request, text| {
        (request.from == Dialect::OpenAiChat && text.matches("\"role\":").count() > 8)
            .then(|| Answer::Refused { code: "limit".to_owned(), message: "more than 8 messages".to_owned() })
    }),
    ("hung", 300, 200, |request, text| {
        (request.target.dialect == Dialect::Canonical && text.contains("\"isError\":true"))
            .then(|| Answer::Hung("no answer within 10 s".to_owned()))
    }),
    ("error-flag-lost", 600, 500, |request, text| {
        (request.target.dialect == Dialect::Canonical).then_some(())?;
        text.contains("\"isError\":true").then(|| output(text.replace("\"isError\":true", "\"isError\":false")))
    }),
];

/// One run for each planted mistake, in their order.
static PLANTED_RUNS: LazyLock<Vec<Fuzzed>> = LazyLock::new(|| {
    let mut runs = Vec::new();
    for (_, count, _, mistake) in PLANTED {
        runs.push(run(&mut Planted { mistake: *mistake }, &settings(3, *count)));
    }
    runs
});

#[test]
fn planted_mistakes_are_found_and_cut_down() {
    let mut wrong = Vec::new();
    for ((rule, runs, most, mistake), fuzzed) in PLANTED.iter().zip(&*PLANTED_RUNS) {
        let settings = settings(3, *runs);
        let groups: Vec<&Group> =
            fuzzed.progress.causes().into_iter().filter(|group| group.symptom.rule == *rule).collect();
        let smallest = groups
            .iter()
            .filter_map(|group| Some((group.small.as_ref()?, *group)))
            .min_by_key(|(small, _)| small.input.len());
        let Some((small, group)) = smallest else {
            wrong.push(format!("{rule}: not found in {runs} runs: {:?}", fuzzed.progress.groups.keys()));
            continue;
        };
        let input = base64_simd::STANDARD.decode_to_vec(&small.input).expect("base64");
        let text = String::from_utf8_lossy(&input).into_owned();
        if input.len() > *most || small.doubtful {
            wrong.push(format!("{rule}: {} bytes: {text}", input.len()));
        }
        // The case is one, and shows it again; the reference does right by it.
        let file = case_file(group, &settings.seal).expect("a case");
        let case = case::parse(&file.file, file.text.as_bytes()).expect("a case");
        assert_eq!(case.input, input, "{rule}");
        let target = Target::by_name(&small.to).expect("a target");
        let request =
            Request { from: case.from, target, mode: wirecanon_core::Mode::Request, input: &case.input, call_id: None };
        let mut answer = None;
        Planted { mistake: *mistake }.convert(&[request], &mut |_, given| answer = Some(given));
        let judged = judge(&case, target, &answer.expect("an answer"), false);
        assert!(!judged.ok, "{rule}: {}", file.text);
        let judged = judge(&case, target, &Reference::answer(&request), false);
        assert!(judged.ok, "{rule}: {judged:?} {}", file.text);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cases_of_findings_pass_the_linter_but_for_what_a_person_must_say() {
    let mut files = BTreeMap::new();
    for ((_, runs, ..), fuzzed) in PLANTED.iter().zip(&*PLANTED_RUNS) {
        let settings = settings(3, *runs);
        for file in fuzzed.progress.causes().into_iter().filter_map(|group| case_file(group, &settings.seal)) {
            files.insert(file.file, file.text);
        }
    }
    assert!(files.len() > PLANTED.len(), "{}", files.len());
    let texts: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let findings = wirecanon::lint::lint(&texts, wirecanon::lint::Depth::Whole);
    // Cases of one fault on several ways are alike; a long id may be what is needed; only the reference knows what is
    // canonical.
    let known = ["alike", "long-run", "not-reviewed"];
    let others: Vec<_> = findings.iter().filter(|finding| !known.contains(&finding.lint)).collect();
    assert!(others.is_empty(), "{others:#?}");
    let unreviewed =
        findings.iter().filter(|finding| finding.lint == "not-reviewed").map(|finding| &finding.problem.file);
    for file in unreviewed {
        assert!(file.contains("-to-canonical-"), "{file}");
    }
}

/// Keeps what there would be to store after some rounds.
struct Keeps {
    after: u64,
    kept: Option<String>,
    last: String,
}

impl Watcher for Keeps {
    fn round(&mut self, runs: u64, state: &dyn Fn() -> State) -> Result<(), Stop> {
        if runs >= self.after && self.kept.is_none() {
            self.kept = Some(serde_json::to_string(&state()).expect("JSON"));
        }
        Ok(())
    }

    fn cut_down(&mut self, _: usize, _: usize) {}

    fn over(&mut self, state: &State) -> Result<(), Stop> {
        self.last = serde_json::to_string(state).expect("JSON");
        Ok(())
    }
}

#[test]
fn a_run_that_was_stopped_ends_as_one_that_was_not() {
    let (_, _, _, mistake) = PLANTED[4];
    let go = |runs, stored: Option<String>| {
        let mut testee = Planted { mistake };
        let hello = testee.hello().expect("a testee");
        let stored = stored.map(|text| serde_json::from_str(&text).expect("a state"));
        let mut keeps = Keeps { after: 200, kept: None, last: String::new() };
        let fuzzed = fuzz(
            &mut testee,
            &ways(&hello, None, None),
            &settings(11, runs),
            stored,
            &AtomicBool::new(false),
            &mut keeps,
        )
        .expect("a run");
        (fuzzed.progress.groups, keeps)
    };
    let (whole, once) = go(500, None);
    assert!(!whole.is_empty());
    let (again, twice) = go(500, None);
    assert_eq!((&again, &twice.last), (&whole, &once.last), "the same seed is the same run");
    // Killed after some rounds.
    let (resumed, later) = go(500, once.kept);
    assert_eq!((&resumed, &later.last), (&whole, &once.last));
    // Ended in the middle of a round, and asked for more.
    let (_, half) = go(333, None);
    let (more, last) = go(500, Some(half.last));
    assert_eq!((&more, &last.last), (&whole, &once.last));
}

#[test]
fn another_run_is_not_gone_on_with() {
    let mut testee = Planted { mistake: |_, _| None };
    let hello = testee.hello().expect("a testee");
    let ways = ways(&hello, None, None);
    let mut keeps = Keeps { after: 0, kept: None, last: String::new() };
    let stop = AtomicBool::new(false);
    fuzz(&mut testee, &ways, &settings(1, 64), None, &stop, &mut keeps).expect("a run");
    let stored = || serde_json::from_str(&keeps.last).ok();
    let said = fuzz(&mut testee, &ways, &settings(2, 64), stored(), &stop, &mut Nobody).expect_err("another seed");
    assert!(said.message.is_some_and(|message| message.contains("a run with the seed 1")));
    let mut other = settings(1, 64);
    other.seal.max_bytes = 5;
    fuzz(&mut testee, &ways, &other, stored(), &stop, &mut Nobody).expect_err("other sizes");
}

#[test]
fn the_time_and_a_stop_end_it() {
    let mut testee = Planted { mistake: |_, _| None };
    let timed = Settings { time: Some(Duration::from_millis(300)), ..settings(1, u64::MAX) };
    assert_eq!(run(&mut testee, &timed).end, End::Time);
    let hello = testee.hello().expect("a testee");
    let stopped =
        fuzz(&mut testee, &ways(&hello, None, None), &settings(1, 100), None, &AtomicBool::new(true), &mut Nobody);
    assert_eq!(stopped.expect("a run").end, End::Stopped);
}
