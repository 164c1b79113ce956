//! `wirecanon list cases`: the corpus, its runs, and the corpus as a package.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::Stop;
use wirecanon_report::export;
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_runner::expand;

use super::super::launch::built_in;
use super::Args;

/// The corpus as objects, with their runs where they are asked for.
pub(super) fn items(args: &Args) -> Result<Vec<Value>, Stop> {
    Ok(built_in()?.iter().map(|case| item(case, args.expand)).collect())
}

fn item(case: &Case, with_runs: bool) -> Value {
    let mut item = json!({"id": case.id, "title": case.title, "class": case.class, "from": case.from.name(),
        "source": case.source, "tags": case.tags, "since": case.since});
    if let Some(why) = &case.deviates {
        item["deviates"] = why.as_str().into();
    }
    if let Some(retired) = &case.retired {
        item["retired"] = json!(retired);
    }
    if with_runs {
        let expanded = expand::expand(case);
        let carried: Vec<_> =
            expanded.carried.iter().map(|(from, runs)| json!({"from": from.name(), "runs": runs.len()})).collect();
        item["runs"] = expanded.own.len().into();
        item["form"] = expanded.form.name().into();
        item["expanded"] = json!(expanded.own);
        item["carried"] = carried.into();
    }
    item
}

/// The runs of every case, in words.
pub(super) fn write_expanded(out: &mut impl Write) -> Result<(), Stop> {
    let cases = built_in()?;
    let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0).min(48);
    let (mut own, mut carried) = (0, 0);
    for case in &cases {
        let expanded = expand::expand(case);
        let mode = expanded.own.first().map_or("request", |run| run.mode);
        own += expanded.own.len();
        writeln!(
            out,
            "{BOLD}{:width$}{BOLD:#}  {:>3} runs from {}, {mode}, as {}",
            case.id,
            expanded.own.len(),
            case.from.name(),
            expanded.form.name()
        )?;
        let targets: Vec<_> = expanded.own.iter().map(|run| run.to.as_str()).collect();
        writeln!(out, "    {FAINT}to {}{FAINT:#}", targets.join(" "))?;
        let told: Vec<_> =
            expanded.carried.iter().map(|(from, runs)| format!("{} {}", from.name(), runs.len())).collect();
        carried += expanded.carried.iter().map(|(_, runs)| runs.len()).sum::<usize>();
        if !told.is_empty() {
            writeln!(out, "    {FAINT}carried into {}{FAINT:#}", told.join(", "))?;
        }
    }
    writeln!(
        out,
        "\n{BOLD}{} cases make {own} runs{BOLD:#}, and {carried} more where a testee does not read their dialect",
        cases.len()
    )?;
    Ok(())
}

/// Writes the corpus as a package.
pub(super) fn export(path: &Path, out: &mut impl Write) -> Result<(), Stop> {
    let cases = built_in()?;
    let package = export::package(&cases).map_err(Stop::incomplete)?;
    export::write(&package, path)?;
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}: {} cases in {} files\nsha256 {}",
        path.display(),
        cases.len(),
        package.files.len(),
        package.sha256
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_case_says_why_it_deviates_and_why_it_is_retired() {
        let text = r#"{"id":"a","title":"It was wrong.","class":"pairing","source":["o/r#1"],"from":"openai.chat",
            "input":{"messages":[]},"expect":{"canonical":{"messages":[]}},"deviates":"It asked for less.","since":"0.1.0",
            "retired":{"in":"0.2.0","reason":"It was wrong.","by":"b"}}"#;
        let case = wirecanon_judge::case::parse("a.json", text.as_bytes()).expect("a case");
        let item = item(&case, false);
        assert_eq!(item["deviates"], "It asked for less.");
        assert_eq!(item["retired"], json!({"in": "0.2.0", "reason": "It was wrong.", "by": "b"}));
        let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &json!([item])).expect("a schema");
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
