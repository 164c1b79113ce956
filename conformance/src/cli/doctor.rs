//! `wirecanon testee doctor`: what is wrong with an adapter, in words.

use std::io::{self, Write};
use std::time::Duration;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::plain;
use wirecanon_report::human::{BAD, BOLD, GOOD, ODD};
use wirecanon_runner::doctor::{Diagnosis, examine};
use wirecanon_runner::testee::{Budget, Hello};

use super::listener;

/// Conversions that are told.
const TOLD: usize = 12;

pub(super) fn run(command: &str, budget: Budget) -> Result<Exit, Stop> {
    let found = examine(command, budget).map_err(Stop::usage)?;
    let Some(hello) = &found.hello else {
        let words: Vec<_> = found.complaints.iter().map(|one| format!("{}: {}", one.what, one.words)).collect();
        return Err(Stop::new(Exit::Testee, words.join("; ")));
    };
    let mut out = listener::stdout();
    introduce(&mut out, hello, found.start)?;
    for complaint in &found.complaints {
        let style = if complaint.fault { BAD } else { ODD };
        writeln!(out, "{style}{}{style:#}: {}", complaint.what, plain(&complaint.words))?;
    }
    for remark in &found.remarks {
        writeln!(out, "  {}", plain(remark))?;
    }
    speed(&mut out, &found)?;
    out.flush()?;
    Ok(match found.asked {
        _ if found.is_ill() => Exit::Testee,
        0 => Exit::TooLittle,
        _ => Exit::Holds,
    })
}

fn introduce(out: &mut dyn Write, hello: &Hello, took: Duration) -> io::Result<()> {
    let version = hello.version.as_deref().unwrap_or("without a version");
    writeln!(out, "{GOOD}starts{GOOD:#}: {BOLD}{}{BOLD:#} {version}, after {} ms", hello.name, took.as_millis())?;
    let pairs = hello.conversions.iter().map(|(from, to)| format!("{} → {}", from.name(), to.name()));
    let mut pairs: Vec<_> = pairs.collect();
    let more = pairs.len().saturating_sub(TOLD);
    pairs.truncate(TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    writeln!(out, "  converts {}{more}", pairs.join(", "))?;
    let forms: Vec<_> = hello.accepts.iter().map(|form| form.name()).collect();
    writeln!(out, "  accepts {}", forms.join(", "))
}

fn speed(out: &mut dyn Write, found: &Diagnosis) -> io::Result<()> {
    if found.asked == 0 {
        return writeln!(out, "{ODD}no probe{ODD:#} is in a dialect that it reads: nothing was asked");
    }
    write!(out, "{} of {} requests answered, {:.0} a second", found.answered, found.asked, found.rate)?;
    if let (Some(p50), Some(p99)) = (found.latency.percentile(50), found.latency.percentile(99)) {
        write!(out, "; from one answer to the next {p50:.1?} (p50), {p99:.1?} (p99)")?;
    }
    writeln!(out)?;
    if !found.is_ill() {
        writeln!(out, "{GOOD}nothing is wrong{GOOD:#} with how it speaks the protocol")?;
    }
    Ok(())
}
