//! `wirecanon serve`: the local page.

use std::io::Write;
use std::path::PathBuf;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_web::{self as local, Site, Times};

use super::launch::corpus_of;
use super::report::load;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/serve.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Logs of runs to show, as `test --log` writes them
    #[arg(value_name = "LOG")]
    runs: Vec<PathBuf>,
    /// The port to listen on; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = local::PORT)]
    port: u16,
    /// Open the page in the browser of this machine
    #[arg(long)]
    open: bool,
    /// Show the corpus of this folder instead of the one that is built in
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Largest session that is taken, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024))]
    limit: u16,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    for path in &args.runs {
        // What is no log is said before anybody opens a page.
        load(path)?;
    }
    let cases = corpus_of(args.corpus.as_deref())?;
    let site = Site { runs: args.runs.clone(), cases, limit: usize::from(args.limit) << 20 };
    let cannot = |error: std::io::Error| Stop::incomplete(format!("the page cannot be served: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
    let bound = local::bind(args.port)?;
    let url = bound.url();
    let served: Result<(), Stop> = runtime.block_on(async {
        // Before anything is said: whoever reads the address may end it at once.
        let end = signals().map_err(cannot)?;
        let mut out = std::io::stdout();
        writeln!(out, "{url}")?;
        out.flush()?;
        let words = "Only this machine can open it, and nothing leaves it. Ctrl-C ends it.";
        writeln!(anstream::stderr(), "{BOLD}wirecanon{BOLD:#} is at {url}\n{FAINT}{words}{FAINT:#}")?;
        if args.open
            && let Err(error) = open::that_detached(&url)
        {
            writeln!(anstream::stderr(), "no browser could be opened ({error}): open {url} yourself")?;
        }
        bound.serve(site, Times::default(), end).await.map_err(cannot)
    });
    // What is still worked on is not waited for.
    runtime.shutdown_background();
    served?;
    Ok(Exit::Holds)
}

/// What ends it: Ctrl-C, and on Unix what a system sends that stops a service.
#[cfg(unix)]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// What ends it: Ctrl-C.
#[cfg(not(unix))]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
