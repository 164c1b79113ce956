//! Which address is what.

use serde_json::{Value, json};
use wirecanon_core::{Dialect, Target};

use super::answer::Answer;
use super::ask::{Asked, Method};
use super::{Site, api, assets, cases, mend, pages, runs};

/// Answers a request that may be asked.
pub fn answer(site: &Site, asked: &Asked) -> Answer {
    let steps: Vec<&str> = asked.path.split('/').skip(1).collect();
    let found = match (asked.method, steps.as_slice()) {
        (Method::Get, [""]) => Some(pages::mend(site)),
        (Method::Get, ["corpus"]) => Some(cases::list(site, asked)),
        (Method::Get, ["corpus", id]) => cases::one(site, id),
        (Method::Get, ["runs"]) => Some(runs::list(site)),
        (Method::Get, ["runs", number]) => runs::one(site, number, asked),
        (Method::Get, ["assets", name]) => assets::file(name),
        (Method::Get, ["api", "about"]) => Some(Answer::json(200, &about(site))),
        (Method::Get, ["api", "cases"]) => Some(cases::listed(site, asked)),
        (Method::Get, ["api", "cases", id]) => cases::told(site, id),
        (Method::Get, ["api", "cases", id, "input"]) => cases::input(site, id),
        (Method::Post, ["api", "detect"]) => Some(either(api::detect(asked))),
        (Method::Post, ["api", "check"]) => Some(either(api::judge(asked))),
        (Method::Post, ["api", "fix"]) => Some(either(mend::mend(asked))),
        (Method::Get, ["api", "detect" | "check" | "fix"]) => Some(
            Answer::wrong(&asked.path, 405, "Method not allowed", "Send a session to this address with `POST`.")
                .with("allow", "POST"),
        ),
        (Method::Post, _) => Some(
            Answer::wrong(
                &asked.path,
                405,
                "Method not allowed",
                "Nothing can be sent to this address: sessions go to `/api/check` and `/api/fix`.",
            )
            .with("allow", "GET, HEAD"),
        ),
        _ => None,
    };
    found.unwrap_or_else(|| {
        let words = "There is nothing at this address. The page for sessions is `/`, the corpus is `/corpus`, the runs are `/runs`.";
        Answer::wrong(&asked.path, 404, "Not found", words)
    })
}

fn either(answer: Result<Answer, Answer>) -> Answer {
    match answer {
        Ok(answer) | Err(answer) => answer,
    }
}

/// What there is to choose from.
pub(super) fn about(site: &Site) -> Value {
    let dialects: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let targets: Vec<_> =
        Target::all().iter().map(|target| json!({"name": target.name, "dialect": target.dialect.name()})).collect();
    let runs: Vec<_> = site.runs.iter().map(|path| path.display().to_string()).collect();
    json!({"version": env!("CARGO_PKG_VERSION"), "limit": site.limit, "dialects": dialects, "targets": targets,
        "runs": runs, "cases": site.cases.len()})
}
