//! Compares what the reference writes with what it was given, by meaning.

use std::collections::BTreeMap;

use wirecanon::{corpus, run};
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::observe::{compare, observe_for};
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let only_from = args.iter().find_map(|arg| arg.strip_prefix("from=").map(str::to_owned));
    let only_to = args.iter().find_map(|arg| arg.strip_prefix("to=").map(str::to_owned));
    let only_case = args.iter().find_map(|arg| arg.strip_prefix("case=").map(str::to_owned));
    let show: usize = args.iter().find_map(|arg| arg.strip_prefix("show=")?.parse().ok()).unwrap_or(2);
    let ready: Option<Vec<String>> =
        args.iter().find_map(|arg| arg.strip_prefix("ready=")).map(|list| list.split(',').map(str::to_owned).collect());
    let by_case = args.iter().any(|arg| arg == "by-case");
    let is_ready =
        |dialect: Dialect| ready.as_ref().is_none_or(|ready| ready.iter().any(|name| name == dialect.name()));
    let cases = corpus::load().expect("corpus");
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut runs, mut compared, mut a, mut b) = (0, 0, 0, 0);
    let limits = Limits::default();
    for case in cases.iter().filter(|case| case.retired.is_none()) {
        if only_from.as_ref().is_some_and(|from| case.from.name() != from)
            || only_case.as_ref().is_some_and(|id| !case.id.contains(id.as_str()))
        {
            continue;
        }
        let own = Target::of_dialect(case.from);
        let options = CheckOptions { target: own, mode: Mode::Request, fragment: case.is_fragment(), limits };
        let accepted = check(&case.input, &options).is_ok_and(|checked| checked.violations.is_empty());
        for target in run::targets_of(case) {
            if only_to.as_ref().is_some_and(|to| target.name != *to) || !is_ready(target.dialect) {
                continue;
            }
            runs += 1;
            let call_id = (case.is_fragment()
                && target.dialect != Dialect::McpToolResult
                && target.dialect != Dialect::Canonical)
                .then(|| "call_1".to_owned());
            let options = Options {
                from: From::Dialect(case.from),
                to: Some(target),
                mode: Mode::Request,
                call_id,
                ..Options::default()
            };
            let Ok(fixed) = fix(&case.input, &options) else { continue };
            let output = String::from_utf8_lossy(&fixed.output).into_owned();
            let Ok(json) = Json::parse(&output, &limits).or_else(|_| parse_lines(&output, &limits)) else { continue };
            let mut note = |key: String, text: String| {
                groups.entry(if by_case { case.id.clone() } else { key.clone() }).or_default().push(format!("{} {} → {}: {key} {text}",
                    case.id,
                    case.from.name(),
                    target.name
                ))
            };
            let (law, text, dialect) = if accepted && is_ready(case.from) {
                ("M1a", String::from_utf8_lossy(&case.input).into_owned(), case.from)
            } else if let Some(canonical) = &case.expect.canonical {
                ("M1b", canonical.get().to_owned(), Dialect::Canonical)
            } else {
                continue;
            };
            let reader = if law == "M1a" { case.from } else { Dialect::Canonical };
            let answer = match observe_for(&json, target.dialect, reader) {
                Ok(answer) => answer,
                Err(error) => {
                    note(format!("unreadable-answer {}", target.dialect.name()), error.to_string());
                    continue;
                }
            };
            let Ok(source) = Json::parse(&text, &limits).or_else(|_| parse_lines(&text, &limits)) else {
                note("no-json".into(), text.clone());
                continue;
            };
            let expected = match observe_for(&source, dialect, target.dialect) {
                Ok(expected) => expected,
                Err(error) => {
                    note(format!("unreadable-input {}", dialect.name()), error.to_string());
                    continue;
                }
            };
            compared += 1;
            if law == "M1a" {
                a += 1
            } else {
                b += 1
            }
            let comparison = compare(&expected, &answer, target);
            for difference in &comparison.differences {
                if difference.reason.grade() == wirecanon_core::observe::Grade::Setting {
                    continue;
                }
                let losses: Vec<_> = fixed.report.losses().map(|entry| entry.rule).collect();
                note(
                    format!("{law} {} {}", difference.reason.id(), target.dialect.name()),
                    format!("{difference}   lost: {losses:?}"),
                );
            }
        }
    }
    let mut sorted: Vec<_> = groups.iter().collect();
    sorted.sort_by_key(|(_, texts)| std::cmp::Reverse(texts.len()));
    for (key, texts) in sorted {
        println!("{:6} {key}", texts.len());
        for text in texts.iter().take(show) {
            println!("         {}", text.chars().take(420).collect::<String>());
        }
    }
    println!("{runs} runs, {compared} compared: {a} M1a, {b} M1b");
}
