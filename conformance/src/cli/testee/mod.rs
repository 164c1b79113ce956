//! `wirecanon testee`: adapters of published packages, the reference on stdio, and what is wrong with an adapter.

mod add;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use wirecanon_core::Mode;

use crate::exit::{Exit, Stop};
use crate::report::human::{BAD, BOLD, GOOD, ODD};
use crate::run::targets_of;
use crate::testee::{Answer, Budget, Form, Hello, Request, Testee, from_argument, shorten};
use crate::{canary, serve};

const SERVE_EXAMPLES: &str = "\
Examples:
  wirecanon testee serve                                   then type lines of the protocol
  wirecanon test --testee 'wirecanon testee serve'         the reference, as a process

The protocol is one JSON object a line: hello, convert, bye. See docs/testees.md.";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  wirecanon testee doctor 'python3 adapter.py'";

const ADD_EXAMPLES: &str = "\
Examples:
  wirecanon list testees
  wirecanon testee add litellm
  wirecanon testee add litellm --dry-run    only say what it would do
  wirecanon test --testee litellm

It needs the language's own program and the registry of its packages, and nothing else. Nothing is written but below
.wirecanon/testees (WIRECANON_TESTEES names another folder); to remove a testee, remove its folder there.";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Install the adapter of a published package, at the versions of its lock
    #[command(after_long_help = ADD_EXAMPLES)]
    Add {
        /// Which; see `wirecanon list testees`
        #[arg(required = true)]
        name: Vec<String>,
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Answer the line protocol on stdin and stdout with the reference
    #[command(after_long_help = SERVE_EXAMPLES)]
    Serve,
    /// Say in words what is wrong with an adapter, and how fast it is
    #[command(after_long_help = DOCTOR_EXAMPLES)]
    Doctor {
        /// The name of an installed adapter, or the command of a process that speaks the line protocol
        command: String,
        /// Seconds that one answer may take
        #[arg(long, value_name = "SECONDS", default_value_t = 3)]
        timeout: u64,
        /// Seconds that it may take until it says what it is; left out, what an installed adapter says of itself, or 60
        #[arg(long, value_name = "SECONDS", value_parser = super::test::seconds)]
        startup_timeout: Option<f64>,
    },
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.command {
        Command::Serve => match serve::serve(io::stdin().lock(), io::stdout().lock()) {
            Ok(()) => Ok(Exit::Holds),
            Err(error) => Err(Stop::from(error)),
        },
        Command::Add { name, dry_run } => add::add(name, *dry_run),
        Command::Doctor { command, timeout, startup_timeout } => {
            let timeout = Duration::from_secs((*timeout).max(1));
            let startup = startup_timeout.map(Duration::from_secs_f64);
            doctor(command, Budget { timeout, startup, ..Budget::default() })
        }
    }
}

fn doctor(command: &str, budget: Budget) -> Result<Exit, Stop> {
    let mut testee = from_argument(command, budget).map_err(Stop::usage)?;
    let mut out = anstream::stdout();
    let started = Instant::now();
    let hello = testee.hello().map_err(|error| Stop::new(Exit::Testee, error.message))?;
    introduce(&mut out, &hello, started.elapsed())?;
    let probes = canary::probes().map_err(|error| Stop::new(Exit::Incomplete, error.to_string()))?;
    let once: Vec<Request<'_>> = probes
        .iter()
        .flat_map(|case| targets_of(case).map(move |target| (case, target)))
        .filter(|(case, target)| hello.claims(case.from, target))
        .map(|(case, target)| Request {
            from: case.from,
            target,
            mode: Mode::Request,
            input: &case.input,
            call_id: None,
        })
        .collect();
    if once.is_empty() {
        writeln!(out, "{ODD}no probe{ODD:#} is in a dialect that it reads: nothing was asked")?;
        return Ok(Exit::TooLittle);
    }
    let requests: Vec<Request<'_>> = once.iter().copied().cycle().take(once.len().max(64)).collect();
    let faults = ask(&mut out, testee.as_mut(), &requests)?;
    out.flush()?;
    Ok(if faults { Exit::Testee } else { Exit::Holds })
}

fn introduce(out: &mut dyn Write, hello: &Hello, took: Duration) -> io::Result<()> {
    let version = hello.version.as_deref().unwrap_or("without a version");
    writeln!(out, "{GOOD}starts{GOOD:#}: {BOLD}{}{BOLD:#} {version}, after {} ms", hello.name, took.as_millis())?;
    let pairs: Vec<_> = hello.conversions.iter().map(|(from, to)| format!("{} → {}", from.name(), to.name())).collect();
    writeln!(out, "  converts {}", pairs.join(", "))?;
    let forms: Vec<_> = hello.accepts.iter().map(|form| form.name()).collect();
    writeln!(out, "  accepts {}", forms.join(", "))?;
    if hello.accepts == [Form::Json] {
        writeln!(out, "  {ODD}hint{ODD:#}: accept `text` too, and byte identity and number text can be judged")?;
    }
    for note in &hello.notes {
        writeln!(out, "  {ODD}note{ODD:#}: {note}")?;
    }
    Ok(())
}

/// Asks everything, and says what was wrong. Returns whether anything was.
fn ask(out: &mut dyn Write, testee: &mut dyn Testee, requests: &[Request<'_>]) -> io::Result<bool> {
    let started = Instant::now();
    let (mut answered, mut hung, mut faults) = (0u32, 0u32, Vec::new());
    testee.convert(requests, &mut |_, answer| match answer {
        Answer::Output { .. } | Answer::Refused { .. } => answered += 1,
        Answer::Hung(why) => {
            hung += 1;
            faults.push(why);
        }
        Answer::Crashed(why) | Answer::Garbage(why) | Answer::Environment(why) => faults.push(why),
        Answer::Unsupported(why) => faults.push(format!("it cannot be asked: {why}")),
    });
    let seconds = started.elapsed().as_secs_f64();
    let rate = f64::from(answered) / seconds.max(1e-6);
    writeln!(out, "{answered} of {} requests answered, {rate:.0} a second", requests.len())?;
    if hung > 0 {
        writeln!(out, "{BAD}no answer{BAD:#} to {hung} requests: does it flush its stdout after each line?")?;
    }
    faults.sort();
    faults.dedup();
    for fault in faults.iter().take(5) {
        writeln!(out, "{BAD}fault{BAD:#}: {}", shorten(fault, 400))?;
    }
    let remarks = testee.remarks();
    let twice = remarks.iter().any(|remark| remark.starts_with("an answer nobody waits for"));
    let strays = remarks.iter().any(|remark| remark.starts_with("stray"));
    if twice {
        writeln!(out, "{BAD}answers twice{BAD:#}, or to an id that was never asked")?;
    }
    if strays {
        writeln!(out, "{ODD}prints{ODD:#} lines that are no answer on stdout: send them to stderr")?;
    }
    for remark in &remarks {
        writeln!(out, "  {remark}")?;
    }
    Ok(!faults.is_empty() || twice)
}
