//! `wirecanon case new`: a case of a message.

use std::io::Write;
use std::path::{Path, PathBuf};

use wirecanon_cases::crash::{self, Finding};
use wirecanon_cases::draft::{Known, draft};
use wirecanon_cases::near::hint;
use wirecanon_core::normalizer::Reference;
use wirecanon_core::rule::Class;
use wirecanon_core::{Dialect, From, Mode};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::outfile::OutFile;
use wirecanon_report::redact::Redactor;

use super::super::input::Input;
use super::super::listener;
use super::super::revision;
use super::taken::taken;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/case-new.txt").trim_ascii_end())]
pub(super) struct Args {
    /// The message or transcript; `-` or nothing is stdin
    #[arg(default_value = "-")]
    file: String,
    /// An input that a fuzzer found: the conversion that breaks a principle is looked for, and the input cut down to what
    /// breaks it
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    from_crash: Option<String>,
    /// Its dialect; left out, it is found
    #[arg(long, value_name = "DIALECT")]
    from: Option<String>,
    /// A target whose outcome shall be pinned; may be given again
    #[arg(long, value_name = "TARGET")]
    to: Vec<String>,
    /// Id, in kebab-case; left out, one is proposed
    #[arg(long)]
    id: Option<String>,
    /// Class; left out, that of the first repair
    #[arg(long)]
    class: Option<String>,
    /// What must happen, in one sentence
    #[arg(long)]
    title: Option<String>,
    /// What it stands on: `owner/repo#n`, a section of a specification, a vendor's error text; may be given again
    #[arg(long)]
    source: Vec<String>,
    /// A word to select it by; may be given again
    #[arg(long)]
    tag: Vec<String>,
    /// Keep the exact text of the input: its spaces, digits and escapes count
    #[arg(long)]
    text: bool,
    /// Take the message without what it says: every text becomes a token of its length, and the structure stays
    #[arg(long)]
    redact: bool,
    /// Folder of a corpus to write the file in; left out, it is written to stdout
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let mut known = Known {
        from: args.from.as_deref().map(revision::to_read).transpose()?,
        id: args.id.clone(),
        class: args.class.as_deref().map(class).transpose()?,
        title: args.title.clone(),
        source: args.source.clone(),
        tags: args.tag.clone(),
        targets: args.to.iter().map(|name| revision::to_write(name)).collect::<Result<_, _>>()?,
        exact: args.text,
    };
    if let Some(id) = known.id.as_deref().filter(|id| !is_slug(id)) {
        return Err(Stop::usage(format!("`{id}` is no id: an id is small letters, digits and hyphens")));
    }
    let file = args.from_crash.as_ref().unwrap_or(&args.file);
    let (name, mut bytes) = Input::read(file)?;
    let mut around = None;
    if args.from_crash.is_none() && args.from.is_none() {
        let taken = taken(&name, bytes)?;
        (bytes, around) = (taken.bytes, taken.said);
        known.from = taken.dialect;
    }
    if args.redact {
        bytes = Redactor::default().bytes(&bytes);
    }
    let mut said = None;
    if args.from_crash.is_some() {
        said = Some(cut_down(&name, &mut bytes, &mut known)?);
    }
    let draft = draft(&bytes, &known)
        .map_err(|stop| Stop { message: stop.message.map(|message| format!("{name}: {message}")), ..stop })?;
    let mut err = listener::stderr();
    match &args.into {
        None => listener::stdout().write_all(draft.text.as_bytes())?,
        Some(corpus) => {
            let path = corpus.join(&draft.file);
            if path.exists() {
                let message = format!("{}: this case exists already; give another --id", path.display());
                return Err(Stop::usage(message));
            }
            if !corpus.is_dir() {
                return Err(Stop::usage(format!("{}: there is no such folder", corpus.display())));
            }
            OutFile::put_in_folder(&path, draft.text.as_bytes())?;
            writeln!(err, "{}: written", path.display())?;
        }
    }
    for said in around.into_iter().chain(said) {
        writeln!(err, "{said}")?;
    }
    writeln!(err, "{}; still to do: {}", draft.from, draft.open.join(", "))?;
    Ok(Exit::Holds)
}

/// Looks for what is broken, keeps of the input what breaks it, and says so.
fn cut_down(name: &str, bytes: &mut Vec<u8>, known: &mut Known) -> Result<String, Stop> {
    let finding = crash::of_reference(bytes, known.from);
    known.from = match (&finding, known.from) {
        (Some(Finding { from: From::Dialect(from), .. }), _) => Some(*from),
        (_, given) => given.or_else(|| crash::detected(bytes)),
    };
    if finding.as_ref().is_some_and(|finding| finding.invariant == "P7") {
        let message = finding.map(|finding| finding.message).unwrap_or_default();
        let text = format!("{name}: {message}; there is no outcome that a case could have: mend that first");
        return Err(Stop::new(Exit::Findings, text));
    }
    let Some(from) = known.from else {
        // A fuzzer keeps what it found in a folder of the target's name.
        let target =
            Path::new(name).parent().and_then(Path::file_name).map_or("TARGET".into(), |name| name.to_string_lossy());
        return Err(Stop::usage(format!(
            "{name}: this is no transcript; if a fuzz target draws one from it, replaying it writes that beside it: \
             `cargo run -p wirecanon-fuzz --bin {target} -- {name}`"
        )));
    };
    let before = bytes.len();
    // What is no text or no JSON is a fault of its bytes: nothing of it is cut.
    if let Ok(text) = std::str::from_utf8(bytes) {
        *bytes = match &finding {
            Some(finding) => crash::smallest(&Reference, text, finding),
            None => crash::smallest_with_its_repairs(text, from),
        }
        .into_bytes();
    }
    let cut = format!("cut down from {before} to {} bytes", bytes.len());
    let Some(Finding { invariant, to, mode, message, .. }) = finding else {
        return Ok(format!("no principle is broken any more; {cut}"));
    };
    if !known.targets.contains(&to) && to.dialect != Dialect::Canonical {
        known.targets.push(to);
    }
    let purpose = if mode == Mode::Request { "request" } else { "history" };
    let from = from.name();
    Ok(format!("{invariant} is broken from {from} to {} for {purpose}: {message}; {cut}", to.name))
}

fn is_slug(text: &str) -> bool {
    text.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

fn class(name: &str) -> Result<String, Stop> {
    let slugs: Vec<&str> = Class::ALL.iter().map(|class| class.slug()).collect();
    if slugs.contains(&name) {
        return Ok(name.to_owned());
    }
    let hint = hint(name, slugs.iter().copied()).map_or_else(String::new, |hint| hint + " ");
    Err(Stop::usage(format!("no class is called `{name}`; {hint}there are: {}", slugs.join(", "))))
}
