//! What is wrong with an adapter, in words, and how fast it is.

mod probe;

use std::time::{Duration, Instant};

use wirecanon_judge::case::Case;
use wirecanon_judge::plain::shorten;

use crate::canary;
use crate::latency::{Latency, rate};
use crate::run::targets_of;
use crate::testee::{self, Answer, Budget, Form, Hello, Launch, Request, START_UP, Testee, protocol};
use probe::{Probe, Reaction};

/// A start that takes longer is slow: each crash costs it again.
const SLOW_START: Duration = Duration::from_secs(2);

/// Requests of one round of questions.
const ROUND: usize = 64;

/// How long it is asked to see how fast it is.
const ASKED_FOR: Duration = Duration::from_secs(1);

/// Faults of requests that are told.
const TOLD: usize = 5;

/// Something that is wrong, or odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// It breaks the protocol; otherwise it is only odd
    pub fault: bool,
    /// What it is, in two or three words
    pub what: &'static str,
    /// In words, with what to do about it
    pub words: String,
}

/// What came of looking at an adapter.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// What it said of itself, if it did
    pub hello: Option<Hello>,
    /// How long it took to say so
    pub start: Duration,
    /// What is wrong
    pub complaints: Vec<Complaint>,
    /// Requests that it was asked
    pub asked: usize,
    /// Requests of them that it answered
    pub answered: usize,
    /// Answers a second, several requests in flight
    pub rate: f64,
    /// From one answer to the next
    pub latency: Latency,
    /// What it printed beside its answers
    pub remarks: Vec<String>,
}

impl Diagnosis {
    fn fault(&mut self, what: &'static str, words: impl Into<String>) {
        self.complaints.push(Complaint { fault: true, what, words: words.into() });
    }

    fn odd(&mut self, what: &'static str, words: impl Into<String>) {
        self.complaints.push(Complaint { fault: false, what, words: words.into() });
    }

    /// Whether it breaks the protocol.
    pub fn is_ill(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.fault)
    }
}

const FLUSH: &str = "its answer came only when its stdin was closed: flush stdout after each line (Python: \
    `print(…, flush=True)`), and answer each line when it comes, not when all have come";

const NEVER_READS: &str = "it does not read its stdin: requests come there, one JSON object a line";

/// Looks at the testee that a `--testee` argument names.
///
/// # Errors
///
/// The argument names nothing, or the machine fails, in words.
pub fn examine(argument: &str, budget: Budget) -> Result<Diagnosis, String> {
    let mut testee = testee::from_argument(argument, budget)?;
    // Only a process can be asked by hand.
    let launch =
        if argument == "reference" || argument.starts_with("filter:") { None } else { Some(testee::launch(argument)?) };
    let mut found = Diagnosis::default();
    let started = Instant::now();
    let hello = testee.hello();
    found.start = started.elapsed();
    match hello {
        Ok(hello) => found.hello = Some(hello),
        Err(error) => {
            let startup = budget.startup.or(launch.as_ref().and_then(|launch| launch.startup)).unwrap_or(START_UP);
            silence_at_hello(&mut found, launch.as_ref(), &error.message, startup);
            return Ok(found);
        }
    }
    if found.start > SLOW_START {
        let words = format!(
            "it took {:.1} s to answer `hello`; it is started anew after each crash and each hang, so load late what is large",
            found.start.as_secs_f64()
        );
        found.odd("starts slowly", words);
    }
    let probes = canary::probes().map_err(|error| error.to_string())?;
    let hello = found.hello.clone().unwrap_or_default();
    for note in &hello.notes {
        found.odd("hello", note.clone());
    }
    if hello.accepts == [Form::Json] {
        found.odd("takes JSON only", "accept `text` too, and byte identity and number text can be judged");
    }
    let hung = questions(&mut found, testee.as_mut(), &hello, &probes);
    found.remarks = testee.remarks();
    drop(testee);
    said_beside(&mut found);
    if let Some(launch) = launch {
        if hung {
            let wait = 2 * found.start + budget.timeout;
            silence_at_convert(&mut found, &launch, &hello, &probes, wait);
        }
        good_bye(&mut found, &launch, START_UP);
    }
    Ok(found)
}

/// Why `hello` was not answered.
fn silence_at_hello(found: &mut Diagnosis, launch: Option<&Launch>, error: &str, timeout: Duration) {
    let reaction = launch.filter(|_| error.contains("no answer to hello")).and_then(|launch| {
        let is_hello = |line: &[u8]| matches!(protocol::read_hello(line), Ok(Some(_)) | Err(_));
        Some(Probe::start(launch).ok()?.ask(&[protocol::HELLO.as_bytes()], timeout, &is_hello))
    });
    match reaction {
        Some(Reaction::AnswersAtTheEnd) => found.fault("does not flush", format!("{error}; {FLUSH}")),
        Some(Reaction::NeverReads) => found.fault("never reads", format!("{error}; {NEVER_READS}")),
        Some(Reaction::Silent) => {
            found
                .fault("says nothing", format!("{error}; it reads its stdin, and prints no line that answers `hello`"));
        }
        Some(Reaction::Late(took)) => {
            let words = format!("{error}; it answered after {:.1} s: load late what is large", took.as_secs_f64());
            found.fault("starts slowly", words);
        }
        Some(Reaction::Answers) => {
            let words =
                format!("{error}; a second time it answered: it takes about as long as the time limit to start");
            found.fault("starts slowly", words);
        }
        Some(Reaction::Ends(status)) => found.fault("ends at once", format!("{error}; it ended: {status}")),
        None => found.fault("does not start", error),
    }
}

/// The probes for every target that it claims.
fn requests<'c>(hello: &Hello, probes: &'c [Case]) -> Vec<Request<'c>> {
    probes
        .iter()
        .flat_map(|case| targets_of(case).map(move |target| (case, target)))
        .filter(|(case, target)| hello.claims(case.from, target))
        .map(|(case, target)| Request::of(case, target))
        .collect()
}

/// Asks what it claims, again and again for some time. Returns whether an answer stayed out.
fn questions(found: &mut Diagnosis, testee: &mut dyn Testee, hello: &Hello, probes: &[Case]) -> bool {
    let once = requests(hello, probes);
    if once.is_empty() {
        return false;
    }
    let round: Vec<Request<'_>> = once.iter().copied().cycle().take(once.len().max(ROUND)).collect();
    let (mut hung, mut faults) = (false, Vec::new());
    let started = Instant::now();
    loop {
        let (mut answered, mut before) = (0, Instant::now());
        let (latency, first) = (&mut found.latency, found.asked == 0);
        testee.convert(&round, &mut |_, answer| {
            match answer {
                Answer::Output { .. } | Answer::Refused { .. } => {
                    answered += 1;
                    if !first || round.len() <= ROUND {
                        latency.add(before.elapsed());
                    }
                }
                Answer::Hung(why) => {
                    hung = true;
                    faults.push(why);
                }
                Answer::Crashed(why) | Answer::Garbage(why) | Answer::Environment(why) => faults.push(why),
                Answer::Unsupported(why) => faults.push(format!("it cannot be asked: {why}")),
            }
            before = Instant::now();
        });
        found.asked += round.len();
        found.answered += answered;
        if !faults.is_empty() || started.elapsed() >= ASKED_FOR {
            break;
        }
    }
    found.rate = rate(found.answered as u64, started.elapsed());
    let ends = faults.iter().any(|fault| fault.starts_with("it ended"));
    faults.sort();
    faults.dedup();
    for fault in faults.iter().take(TOLD) {
        found.fault("fault", shorten(fault, 400));
    }
    if ends {
        found.fault(
            "ends early",
            "it ended by itself while it was asked: an adapter answers until `bye` or the end of stdin",
        );
    }
    hung
}

/// What its stray lines and answers to nothing mean.
fn said_beside(found: &mut Diagnosis) {
    let remarks = found.remarks.clone();
    let any = |words: &str| remarks.iter().any(|remark| remark.contains(words));
    if any("was answered before") {
        found.fault("answers twice", "a request has one answer; the first of them counts");
    }
    if any("was never asked") {
        found.fault("answers nobody", "an answer has the `id` of its request: a number that it was given");
    }
    let strays: Vec<&String> = remarks.iter().filter(|remark| remark.starts_with("stray line")).collect();
    if strays.iter().any(|stray| stray.contains("\"id\"")) {
        found.fault("mistakes the id", "a line looks like an answer, but its `id` is not the number of the request");
    } else if !strays.is_empty() {
        found.odd("prints beside", "lines on stdout that are no answer (a banner, a log): send them to stderr");
    }
}

/// Why a request was not answered.
fn silence_at_convert(found: &mut Diagnosis, launch: &Launch, hello: &Hello, probes: &[Case], timeout: Duration) {
    let once = requests(hello, probes);
    let Some((request, form)) =
        once.iter().find_map(|request| Some((request, protocol::form_for(hello, request.input).ok()?)))
    else {
        return;
    };
    let line = protocol::request_line(1, request, form);
    let is_answer = |line: &[u8]| matches!(protocol::read_line(line, hello), protocol::Line::Answer(1, _));
    let Ok(mut probe) = Probe::start(launch) else { return };
    match probe.ask(&[protocol::HELLO.as_bytes(), &line], timeout, &is_answer) {
        Reaction::AnswersAtTheEnd => found.fault("does not flush", FLUSH),
        Reaction::NeverReads => found.fault("never reads", format!("after `hello` {NEVER_READS}")),
        Reaction::Silent => found.fault("hangs", "it reads a request and does not answer it"),
        Reaction::Answers => {
            found.fault(
                "hangs at times",
                "one request alone is answered: it may not expect a second one before it answers",
            );
        }
        Reaction::Late(took) => {
            let words =
                format!("it answers one request after {:.1} s, which is more than the limit", took.as_secs_f64());
            found.fault("is slow", words);
        }
        Reaction::Ends(status) => found.fault("ends early", format!("asked one request, it ended: {status}")),
    }
}

/// Whether it ends when it is told to.
fn good_bye(found: &mut Diagnosis, launch: &Launch, timeout: Duration) {
    let Ok(mut probe) = Probe::start(launch) else { return };
    let is_hello = |line: &[u8]| matches!(protocol::read_hello(line), Ok(Some(_)));
    // It answered before, and is not asked why it does not now.
    if probe.ask(&[protocol::HELLO.as_bytes()], timeout, &is_hello) != Reaction::Answers {
        return;
    }
    probe.send(protocol::BYE.as_bytes());
    let ended = probe.ended();
    let at_bye = ended.is_some();
    let ended = ended.or_else(|| {
        probe.close();
        probe.ended()
    });
    match ended {
        None => found.fault("does not end", "neither `bye` nor the end of its stdin ends it: it has to be killed"),
        Some(_) if !at_bye => found.odd("ignores bye", "only the end of its stdin ends it"),
        Some(status) if !status.ends_with(" 0") => found.odd("ends badly", format!("after `bye` it ended: {status}")),
        Some(_) => {}
    }
}
