//! Runs: the logs that were named on the command line, each as its HTML report. A log is read when it is asked for, so that a run that
//! was made anew is seen anew; no other file is read.

use std::path::Path;

use askama::Template;
use wirecanon_report::{Since, Told, html};
use wirecanon_runner::log::{self, Log};
use wirecanon_runner::run::TesteeRun;

use super::Site;
use super::answer::Answer;
use super::ask::Asked;

#[derive(Template)]
#[template(path = "local/runs.html")]
struct Runs {
    at: &'static str,
    runs: Vec<Run>,
}

struct Run {
    number: usize,
    name: String,
    words: String,
    bad: bool,
    /// The other runs, to compare with
    others: Vec<(usize, String)>,
}

fn read(path: &Path) -> Result<Log, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("it cannot be read: {error}"))?;
    log::read(&bytes)
}

fn said(log: &Log) -> String {
    let names: Vec<&str> = log.runs.iter().map(TesteeRun::name).collect();
    let failing = log.runs.iter().flat_map(|run| &run.results).filter(|result| !result.judgement.ok).count();
    let results: usize = log.runs.iter().map(|run| run.results.len()).sum();
    let who = match names.as_slice() {
        [] => "no testee".to_owned(),
        names if names.len() <= 4 => names.join(", "),
        names => format!("{} testees", names.len()),
    };
    let cut = if log.complete { "" } else { "; it was cut short" };
    format!("{who}: {} cases, {results} results, {failing} not as asked{cut}", log.cases.len())
}

/// All runs.
pub(super) fn list(site: &Site) -> Answer {
    let names: Vec<String> = site.runs.iter().map(|path| path.display().to_string()).collect();
    let runs = site.runs.iter().enumerate().map(|(at, path)| {
        let log = read(path);
        let others = names.iter().enumerate().filter(|(other, _)| *other != at && log.is_ok());
        Run {
            number: at + 1,
            name: names[at].clone(),
            others: others.map(|(other, name)| (other + 1, name.clone())).collect(),
            bad: log.is_err(),
            words: log.as_ref().map_or_else(Clone::clone, said),
        }
    });
    Answer::page(200, &Runs { at: "runs", runs: runs.collect() })
}

/// The report of a run; `base` is the number of the run that it is compared with.
pub(super) fn one(site: &Site, number: &str, asked: &Asked) -> Option<Answer> {
    let of = |number: &str| number.parse::<usize>().ok()?.checked_sub(1).and_then(|at| site.runs.get(at));
    let path = of(number)?;
    let base = match asked.field("base") {
        None => None,
        Some(number) => Some(of(&number)?),
    };
    let told = |path: &Path| {
        read(path).map_err(|why| Answer::said(422, "This run cannot be shown", &format!("{}: {why}", path.display())))
    };
    let answer = || -> Result<Answer, Answer> {
        let log = told(path)?;
        let base = match base {
            Some(path) => Some((path.display().to_string(), told(path)?)),
            None => None,
        };
        let unlike = |words: &str| Answer::said(422, "These runs cannot be compared", words);
        let since = base.as_ref().map(|(name, base)| Since::new(name, base, &log)).transpose();
        let since = since.map_err(|stop| unlike(&stop.message.unwrap_or_default()))?;
        let told = Told { log: &log, since, corpus: &site.cases, redact: asked.is_on("redact") };
        let page = html::page(&told, Some(("/runs", "Runs"))).map_err(|error| unlike(&error.to_string()))?;
        let policy = format!("{}; frame-ancestors 'none'", html::policy());
        Ok(Answer::new(200, "text/html; charset=utf-8", page).with("content-security-policy", policy))
    };
    Some(answer().unwrap_or_else(|said| said))
}
