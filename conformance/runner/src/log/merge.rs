//! Logs of one corpus, put together: the shards of a run, or whole runs of different testees.

use std::collections::{BTreeMap, BTreeSet};

use wirecanon_judge::exit::{Exit, Stop};

use super::{Log, Shard, Start, same_judge};
use crate::run::TesteeRun;

/// Joins the shards of one run, in any order, to the log that the whole run would have written; or whole runs of different
/// testees to the log of one run of all of them, sorted by how they were named.
///
/// # Errors
///
/// A log was cut short, two are of different runs, a shard is missing or stands twice, a testee did not say the same of
/// itself in all of them, or two testees cannot be told apart.
pub fn merge(logs: Vec<(String, Log)>) -> Result<Log, Stop> {
    for (name, log) in &logs {
        if !log.complete {
            return Err(Stop::incomplete(format!("{name}: the log has no end: run it again, whole")));
        }
    }
    let mut logs = logs.into_iter();
    let Some((first_name, first)) = logs.next() else { return Err(Stop::usage("name the logs to merge")) };
    let mut shards: BTreeMap<Shard, String> = BTreeMap::new();
    let Some(shard) = first.start.shard else { return side_by_side(&first_name, first, logs) };
    shards.insert(shard, first_name.clone());
    let mut merged = first;
    for (name, log) in logs {
        same_run(&first_name, &merged.start, &name, &log.start)?;
        let Some(shard) = log.start.shard else { continue };
        if let Some(other) = shards.insert(shard, name.clone()) {
            return Err(Stop::usage(format!("shard {shard} stands twice: {other} and {name}")));
        }
        join(&mut merged, log, &first_name, &name)?;
    }
    let missing: Vec<String> = (1..=shard.of)
        .map(|index| Shard { index, of: shard.of })
        .filter(|shard| !shards.contains_key(shard))
        .map(|shard| shard.to_string())
        .collect();
    if !missing.is_empty() {
        let what = if missing.len() == 1 { "shard is" } else { "shards are" };
        return Err(Stop::usage(format!("{} {what} missing: {}", missing.len(), missing.join(", "))));
    }
    merged.start.shard = None;
    in_order(&mut merged)?;
    Ok(merged)
}

/// Puts whole runs of different testees into one.
fn side_by_side(first_name: &str, first: Log, others: impl Iterator<Item = (String, Log)>) -> Result<Log, Stop> {
    let mut merged = first;
    let mut from: BTreeMap<String, String> = BTreeMap::new();
    let mut known = |file: &str, log: &Log| {
        for name in log.runs.iter().flat_map(|run| BTreeSet::from([run.argument.as_str(), run.name()])) {
            if let Some(other) = from.insert(name.to_owned(), file.to_owned()) {
                return Err(Stop::usage(format!(
                    "the testee `{name}` is in {other} and in {file}: only runs of different testees, or shards of one run, merge"
                )));
            }
        }
        Ok(())
    };
    known(first_name, &merged)?;
    for (name, log) in others {
        let same_testees = Start { testees: merged.start.testees.clone(), ..log.start.clone() };
        same_run(first_name, &merged.start, &name, &same_testees)?;
        if log.cases != merged.cases {
            return Err(Stop::usage(format!("{first_name} and {name} are not of the same cases")));
        }
        known(&name, &log)?;
        if merged.start.void.is_none() {
            merged.start.void = log.start.void;
        }
        merged.runs.extend(log.runs);
    }
    merged.runs.sort_by(|one, other| one.argument.cmp(&other.argument));
    merged.start.testees = merged.runs.iter().map(|run| run.argument.clone()).collect();
    Ok(merged)
}

/// Whether two logs are of the same run, but for the shard.
fn same_run(first_name: &str, first: &Start, name: &str, start: &Start) -> Result<(), Stop> {
    same_judge((first_name, first), (name, start))?;
    let rows = |start: &Start| {
        [
            ("corpus", start.corpus.clone()),
            ("suite", start.suite.clone().unwrap_or_else(|| "none".to_owned())),
            ("seed", start.seed.to_string()),
            ("version of wirecanon", start.version.clone()),
            ("filter", start.filter.join(" ")),
            ("list of testees", start.testees.join(", ")),
            ("number of shards", start.shard.map_or("a whole run".to_owned(), |shard| shard.of.to_string())),
            ("number of cases", start.cases.to_string()),
        ]
    };
    match rows(first).into_iter().zip(rows(start)).find(|(one, other)| one != other) {
        None => Ok(()),
        Some(((what, one), (_, other))) => {
            // Of a digest the beginning is enough.
            let [one, other] =
                [one, other].map(|said| if what == "corpus" { said.chars().take(12).collect() } else { said });
            Err(Stop::usage(format!(
                "{first_name} and {name} are not of one run: the {what} is `{one}` in one and `{other}` in the other"
            )))
        }
    }
}

fn join(merged: &mut Log, log: Log, first_name: &str, name: &str) -> Result<(), Stop> {
    merged.cases.extend(log.cases);
    if merged.start.void.is_none() {
        merged.start.void = log.start.void;
    }
    if merged.runs.len() != log.runs.len() {
        return Err(Stop::usage(format!("{first_name} and {name} do not hold the same number of testees")));
    }
    for (run, other) in merged.runs.iter_mut().zip(log.runs) {
        match (&run.hello, &other.hello) {
            (Ok(one), Ok(another)) if one == another => run.results.extend(other.results),
            (Err(_), Err(_)) => {}
            (Ok(one), Ok(another)) => {
                let told = |hello: &crate::testee::Hello| {
                    format!("{} {}", hello.name, hello.version.as_deref().unwrap_or("without a version"))
                };
                return Err(Stop::usage(format!(
                    "`{}` is not the same testee in both: {first_name} has {}, {name} has {}, or they claim different \
                     conversions",
                    run.argument,
                    told(one),
                    told(another)
                )));
            }
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => {
                let place = if run.hello.is_err() { first_name } else { name };
                return Err(Stop::new(Exit::Testee, format!("{place}: run this shard again: {}", error.message)));
            }
        }
    }
    Ok(())
}

/// Cases by class and id, the results of each testee as its cases.
fn in_order(log: &mut Log) -> Result<(), Stop> {
    log.cases.sort_by(|one, other| (&one.class, &one.id).cmp(&(&other.class, &other.id)));
    if let Some(pair) = log.cases.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(Stop::usage(format!("the case {} stands in two shards", pair[0].id)));
    }
    if log.cases.len() != log.start.cases {
        return Err(Stop::usage(format!(
            "{} cases were selected, and all shards together hold {}",
            log.start.cases,
            log.cases.len()
        )));
    }
    let places: BTreeMap<String, usize> =
        log.cases.iter().enumerate().map(|(place, case)| (case.id.clone(), place)).collect();
    for run in &mut log.runs {
        // Stable: what a case was asked for stays in its order.
        run.results.sort_by_key(|result| places.get(&result.case).copied());
        run.judged = TesteeRun::count_judged(&run.results);
        run.minimum = log.start.minimum;
    }
    Ok(())
}
