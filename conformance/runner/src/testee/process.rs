//! A testee that is a process and speaks the line protocol.
//!
//! Requests are pipelined. When the process ends or stalls with several requests in flight, nobody can tell whose fault it
//! was: they are asked again one by one, so that each verdict belongs to its case alone.

use std::collections::{BTreeMap, VecDeque};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};
use wirecanon_judge::plain::shorten;

use super::group::{Group, Mark};
use super::protocol::{self, Line};
use super::{Answer, Budget, Form, Hello, INTERRUPTED, Launch, NOT_TRIED, Request, START_UP, StartError, Testee};
use crate::interrupt;

/// Stray lines that are kept.
const KEPT_LINES: usize = 20;

/// Bytes of requests that are written at once, about.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// Batches of lines that may wait to be looked at: few, so that a flood costs no memory.
const WAITING_BATCHES: usize = 2;

/// A process that speaks the line protocol.
#[derive(Debug)]
pub struct ProcessTestee {
    launch: Launch,
    budget: Budget,
    state: Option<State>,
    remarks: Vec<String>,
}

#[derive(Debug)]
struct State {
    // In this order: the process is dropped while its runtime lives.
    running: Option<Running>,
    hello: Hello,
    runtime: Runtime,
}

impl ProcessTestee {
    /// A testee that this command starts; its first word is the program.
    pub fn new(command: Vec<String>, budget: Budget) -> Self {
        Self::launched(Launch { command, ..Launch::default() }, budget)
    }

    /// A testee that is started this way.
    pub fn launched(launch: Launch, budget: Budget) -> Self {
        Self { launch, budget, state: None, remarks: Vec::new() }
    }
}

impl Testee for ProcessTestee {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let runtime = runtime().map_err(|message| StartError { message })?;
        let started = runtime.block_on(async {
            tokio::select! {
                started = Running::start(&self.launch, self.budget, &mut self.remarks) => Some(started),
                () = interrupt::asked() => None,
            }
        });
        let (running, hello) = match started {
            Some(Ok(started)) => started,
            Some(Err(message)) => {
                let command = self.launch.command.join(" ");
                return Err(StartError { message: format!("the testee `{command}` does not start: {message}") });
            }
            None => return Err(StartError { message: INTERRUPTED.to_owned() }),
        };
        self.state = Some(State { running: Some(running), hello: hello.clone(), runtime });
        Ok(hello)
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let Some(State { running, hello, runtime }) = &mut self.state else {
            for index in 0..requests.len() {
                answered(index, Answer::Environment("the testee was never started".to_owned()));
            }
            return;
        };
        let mut session = Session {
            launch: &self.launch,
            budget: self.budget,
            hello,
            requests,
            answered,
            remarks: &mut self.remarks,
            pending: VecDeque::new(),
            alone: VecDeque::new(),
            in_flight: BTreeMap::new(),
            arrived: Vec::new(),
            restarts: 0,
            in_a_row: 0,
            strays: 0,
        };
        // Whoever stops the run at once stops it for all of them.
        session.plan();
        runtime.block_on(async {
            let stopped = tokio::select! {
                () = session.go(running) => false,
                // Without signals there is nothing to wait for.
                () = interrupt::asked() => true,
            };
            if stopped {
                *running = None;
                session.give_up(&Answer::Environment(INTERRUPTED.to_owned()));
            }
            if !self.budget.lasts
                && let Some(running) = running.take()
            {
                running.bye().await;
            }
        });
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }
}

impl Drop for ProcessTestee {
    fn drop(&mut self) {
        if let Some(State { running, runtime, .. }) = &mut self.state
            && let Some(running) = running.take()
        {
            runtime.block_on(running.bye());
        }
    }
}

/// One testee keeps one thread busy at most.
pub(super) fn runtime() -> Result<Runtime, String> {
    interrupt::runtime().map_err(|error| format!("no event loop could be made: {error}"))
}

/// What the process did.
enum Event {
    /// Lines that came at once
    Lines(Vec<Vec<u8>>),
    TooLong,
    End,
}

/// A started process, with a task that writes to it and one that reads from it, so that neither waits for the other.
#[derive(Debug)]
struct Running {
    child: Child,
    /// Ends what the process started, too
    _group: Group,
    to: mpsc::UnboundedSender<Vec<u8>>,
    from: mpsc::Receiver<Event>,
    log: tokio::sync::watch::Receiver<String>,
    /// Requests so far: an id is never given twice, so that a late answer is nobody else's
    asked: u64,
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Event")
    }
}

impl Running {
    async fn start(launch: &Launch, budget: Budget, remarks: &mut Vec<String>) -> Result<(Self, Hello), String> {
        if launch.command.is_empty() {
            return Err("it has no command".to_owned());
        }
        let mark = Mark::new();
        let mut start = Command::from(launch.start(&mark));
        let child = start.stderr(Stdio::piped()).kill_on_drop(true).spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let group = Group::of(&child).marked(mark);
        let (to, mut lines) = mpsc::unbounded_channel::<Vec<u8>>();
        let (events, from) = mpsc::channel(WAITING_BATCHES);
        let (say, log) = tokio::sync::watch::channel(String::new());
        if let Some(mut stdin) = child.stdin.take() {
            tokio::spawn(async move {
                while let Some(mut line) = lines.recv().await {
                    // What waits goes with it: writing costs more than joining.
                    while line.len() < WRITTEN_AT_ONCE
                        && let Ok(more) = lines.try_recv()
                    {
                        line.extend(more);
                    }
                    if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
                        return;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            tokio::spawn(read_lines(stdout, events, budget.max_output));
        }
        if let Some(mut stderr) = child.stderr.take() {
            tokio::spawn(async move {
                let mut chunk = [0; 4096];
                while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
                    say.send_modify(|log| {
                        log.push_str(&String::from_utf8_lossy(&chunk[..length]));
                        if log.len() > 8192 {
                            let from = log.len() - 4096;
                            let from = (from..log.len()).find(|at| log.is_char_boundary(*at)).unwrap_or(log.len());
                            log.drain(..from);
                        }
                    });
                }
            });
        }
        let mut running = Self { child, _group: group, to, from, log, asked: 0 };
        running.send(protocol::HELLO.as_bytes().to_vec());
        let startup = budget.startup.or(launch.startup).unwrap_or(START_UP);
        let deadline = Instant::now() + startup;
        loop {
            match timeout_at(deadline, running.from.recv()).await {
                Err(_) => {
                    let seconds = startup.as_secs_f32();
                    return Err(format!("no answer to hello within {seconds} s (`--startup-timeout` gives it longer)"));
                }
                Ok(Some(Event::Lines(lines))) => {
                    for line in lines {
                        match protocol::read_hello(&line)? {
                            Some(hello) => return Ok((running, hello)),
                            None => stray(remarks, &line),
                        }
                    }
                }
                Ok(Some(Event::TooLong)) => return Err("its first line has no end".to_owned()),
                Ok(Some(Event::End) | None) => {
                    return Err(format!("it ended before it answered hello: {}", running.last_words().await));
                }
            }
        }
    }

    /// Sending to a process that has ended shows in its output.
    fn send(&self, line: Vec<u8>) {
        let _ = self.to.send(line);
    }

    /// Exit status and the end of the log.
    async fn last_words(&mut self) -> String {
        let status = match timeout(Duration::from_secs(1), self.child.wait()).await {
            Ok(Ok(status)) => status.to_string(),
            _ => "it closed its output".to_owned(),
        };
        // The log's task sees the end of the pipe a moment later.
        let _ = timeout(Duration::from_millis(100), async { while self.log.changed().await.is_ok() {} }).await;
        let log = self.log.borrow();
        let lines: Vec<&str> = log.lines().rev().take(3).collect();
        let log = lines.into_iter().rev().collect::<Vec<_>>().join(" / ");
        if log.is_empty() { status } else { format!("{status}; its log ends: {}", shorten(&log, 300)) }
    }

    async fn bye(mut self) {
        self.send(protocol::BYE.as_bytes().to_vec());
        let (closed, _) = mpsc::unbounded_channel();
        // The writer ends with its channel, and so closes the process's stdin.
        self.to = closed;
        let _ = timeout(Duration::from_secs(1), self.child.wait()).await;
    }
}

/// Sends the lines of the process as events, as many as come at once; a line longer than the limit ends it.
async fn read_lines(stdout: ChildStdout, events: mpsc::Sender<Event>, limit: usize) {
    let mut reader = BufReader::with_capacity(64 << 10, stdout);
    let mut line = Vec::new();
    loop {
        let chunk = match reader.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(chunk) => chunk,
        };
        let mut lines = Vec::new();
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            line.extend_from_slice(&rest[..end]);
            lines.push(std::mem::take(&mut line));
            rest = &rest[end + 1..];
        }
        line.extend_from_slice(rest);
        let taken = chunk.len();
        reader.consume(taken);
        let too_long = line.len() > limit || lines.iter().any(|line| line.len() > limit);
        lines.retain(|line| line.len() <= limit);
        if !lines.is_empty() && events.send(Event::Lines(lines)).await.is_err() {
            return;
        }
        if too_long {
            let _ = events.send(Event::TooLong).await;
            return;
        }
    }
    if !line.is_empty() {
        let _ = events.send(Event::Lines(vec![line])).await;
    }
    let _ = events.send(Event::End).await;
}

/// Why the process must be started anew.
enum Fault {
    Ended,
    Stalled,
    TooLong,
}

/// A request that waits for its answer.
#[derive(Clone, Copy)]
struct Asked {
    index: usize,
    form: Form,
    /// Nothing else was in flight with it
    alone: bool,
    /// Stray lines before it was asked
    strays: usize,
}

struct Session<'s> {
    launch: &'s Launch,
    budget: Budget,
    hello: &'s Hello,
    requests: &'s [Request<'s>],
    answered: &'s mut dyn FnMut(usize, Answer),
    remarks: &'s mut Vec<String>,
    /// Not asked yet
    pending: VecDeque<(usize, Form)>,
    /// Were in flight when the process failed: asked again, one at a time
    alone: VecDeque<(usize, Form)>,
    in_flight: BTreeMap<u64, Asked>,
    /// Came, and are not told yet
    arrived: Vec<(usize, Answer)>,
    restarts: usize,
    in_a_row: usize,
    /// Stray lines so far
    strays: usize,
}

impl Session<'_> {
    /// Notes in which form each is asked for.
    fn plan(&mut self) {
        for (index, request) in self.requests.iter().enumerate() {
            match protocol::form_for(self.hello, request.input) {
                Ok(form) => self.pending.push_back((index, form)),
                Err(reason) => (self.answered)(index, Answer::Unsupported(reason)),
            }
        }
    }

    async fn go(&mut self, running: &mut Option<Running>) {
        loop {
            if self.pending.is_empty() && self.alone.is_empty() && self.in_flight.is_empty() {
                return self.tell();
            }
            if running.is_none() && !self.restart(running).await {
                return;
            }
            let Some(process) = running.as_mut() else { return };
            self.fill(process);
            if !self.arrived.is_empty() {
                // The writer has its turn first, so that the testee works while what it answered is judged.
                tokio::task::yield_now().await;
                self.tell();
            }
            // The clock starts anew with each answer: a testee may work through its requests one after the other.
            let deadline = Instant::now() + self.budget.timeout;
            let fault = loop {
                match timeout_at(deadline, process.from.recv()).await {
                    Err(_) => break Some(Fault::Stalled),
                    Ok(Some(Event::Lines(lines))) => {
                        let before = self.in_flight.len();
                        for line in lines {
                            self.line(&line, process.asked);
                        }
                        if self.in_flight.len() < before {
                            break None;
                        }
                    }
                    Ok(Some(Event::TooLong)) => break Some(Fault::TooLong),
                    Ok(Some(Event::End) | None) => break Some(Fault::Ended),
                }
            };
            if let Some(mut fault) = fault
                && let Some(mut process) = running.take()
            {
                // What it started may hold its output open while it has ended itself.
                if matches!(fault, Fault::Stalled) && matches!(process.child.try_wait(), Ok(Some(_))) {
                    fault = Fault::Ended;
                }
                let words = match fault {
                    Fault::Ended => process.last_words().await,
                    Fault::Stalled | Fault::TooLong => String::new(),
                };
                drop(process);
                self.blame(&fault, &words);
            }
        }
    }

    fn fill(&mut self, process: &mut Running) {
        let most = if self.alone.is_empty() { self.budget.in_flight.max(1) } else { 1 };
        while self.in_flight.len() < most {
            let Some((index, form)) = self.alone.pop_front().or_else(|| self.pending.pop_front()) else { return };
            process.asked += 1;
            process.send(protocol::request_line(process.asked, &self.requests[index], form));
            self.in_flight.insert(process.asked, Asked { index, form, alone: most == 1, strays: self.strays });
            if most == 1 {
                return;
            }
        }
    }

    /// Takes one line of a process that was asked so many times.
    fn line(&mut self, line: &[u8], asked: u64) {
        match protocol::read_line(line, self.hello) {
            Line::Answer(id, answer) => match self.in_flight.remove(&id) {
                Some(asked) => {
                    self.arrived.push((asked.index, answer));
                    self.in_a_row = 0;
                }
                None => {
                    let why = if (1..=asked).contains(&id) { "was answered before" } else { "was never asked" };
                    remark(self.remarks, &format!("an answer nobody waits for: id {id} {why}"));
                }
            },
            Line::Stray => {
                self.strays += 1;
                stray(self.remarks, line);
            }
        }
    }

    /// Tells what came.
    fn tell(&mut self) {
        for (index, answer) in self.arrived.drain(..) {
            (self.answered)(index, answer);
        }
    }

    /// The process failed: the only request in flight is to blame. Of several each is asked again alone, and so is one that
    /// may have been answered with a stray line, or not.
    fn blame(&mut self, fault: &Fault, words: &str) {
        self.in_a_row += 1;
        let in_flight: Vec<Asked> = std::mem::take(&mut self.in_flight).into_values().collect();
        if let [asked] = in_flight[..]
            && (asked.alone || asked.strays == self.strays)
        {
            let strays = self.strays > asked.strays;
            let seconds = self.budget.timeout.as_secs_f32();
            let answer = match fault {
                Fault::Ended if strays => {
                    Answer::Garbage(format!("it printed lines that are no answer, then ended: {words}"))
                }
                Fault::Ended => Answer::Crashed(format!("it ended: {words}")),
                Fault::TooLong => Answer::Garbage(format!("more than {} bytes on one line", self.budget.max_output)),
                Fault::Stalled if strays => {
                    Answer::Garbage(format!("only lines that are no answer within {seconds} s"))
                }
                Fault::Stalled => Answer::Hung(format!("no answer within {seconds} s")),
            };
            (self.answered)(asked.index, answer);
        } else {
            self.alone.extend(in_flight.into_iter().map(|asked| (asked.index, asked.form)));
        }
    }

    /// Starts the process anew; `false` when the rest was given up.
    async fn restart(&mut self, running: &mut Option<Running>) -> bool {
        let reason = if self.in_a_row >= self.budget.failures_in_a_row {
            format!("{NOT_TRIED}it failed {} times in a row", self.in_a_row)
        } else if self.restarts >= self.budget.restarts {
            format!("{NOT_TRIED}it was started anew {} times already", self.restarts)
        } else {
            self.restarts += 1;
            match Running::start(self.launch, self.budget, self.remarks).await {
                Ok((process, _)) => {
                    *running = Some(process);
                    return true;
                }
                Err(message) => format!("{NOT_TRIED}it did not start again: {message}"),
            }
        };
        self.give_up(&Answer::Crashed(reason));
        false
    }

    /// Answers all that is open with this.
    fn give_up(&mut self, answer: &Answer) {
        self.tell();
        let in_flight = std::mem::take(&mut self.in_flight).into_values().map(|asked| asked.index);
        let waiting = self.alone.drain(..).chain(self.pending.drain(..)).map(|(index, _)| index);
        for index in in_flight.chain(waiting) {
            (self.answered)(index, answer.clone());
        }
    }
}

fn stray(remarks: &mut Vec<String>, line: &[u8]) {
    // Only the start of it is shown: what follows may be gigabytes.
    let line = &line[..line.len().min(1000)];
    remark(remarks, &format!("stray line: {}", shorten(&String::from_utf8_lossy(line), 200)));
}

fn remark(remarks: &mut Vec<String>, text: &str) {
    if remarks.len() < KEPT_LINES {
        remarks.push(text.to_owned());
    } else if remarks.len() == KEPT_LINES {
        remarks.push("more lines follow".to_owned());
    }
}
