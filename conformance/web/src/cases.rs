//! The corpus: its cases by class, found by words, and one case with its report, its input and what must come out.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::{Value, json};
use wirecanon_cases::citation::address;
use wirecanon_cases::reported::happened;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::rule;
use wirecanon_judge::case::{Case, ExpectedRepair, TAGS};
use wirecanon_report::html::docs::visible;

use super::Site;
use super::answer::Answer;
use super::ask::Asked;
use super::beside::{Pin, laid_out};
use super::pages::{Shown, lines};

#[derive(Template)]
#[template(path = "local/corpus.html")]
struct List {
    at: &'static str,
    wanted: Wanted,
    found: usize,
    all: usize,
    classes: Vec<Class>,
    names: Vec<String>,
    dialects: Vec<&'static str>,
}

struct Class {
    name: String,
    cases: Vec<Row>,
}

struct Row {
    id: String,
    title: String,
    from: &'static str,
    source: String,
}

/// What is looked for.
struct Wanted {
    q: String,
    class: String,
    from: String,
}

impl Wanted {
    fn of(asked: &Asked) -> Self {
        let field = |name| asked.field(name).unwrap_or_default();
        Self { q: field("q"), class: field("class"), from: field("from") }
    }

    /// Every word must be in what a case says of itself, its rules included.
    fn takes(&self, case: &Case) -> bool {
        if !(self.class.is_empty() || case.class == self.class)
            || !(self.from.is_empty() || case.from.name() == self.from)
        {
            return false;
        }
        let words: Vec<String> = self.q.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return true;
        }
        let mut text = format!("{}\n{}\n{}\n{}\n", case.id, case.title, case.class, case.from.name());
        for part in case.source.iter().chain(&case.tags).map(String::as_str).chain(rules_of(case)) {
            text.push_str(part);
            text.push('\n');
        }
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

fn rules_of(case: &Case) -> impl Iterator<Item = &str> {
    let expect = &case.expect;
    let own = expect.targets.values().filter_map(|target| target.repairs.as_ref());
    let lists = expect.repairs.iter().chain(own).chain(expect.check.values());
    lists.flatten().map(|repair| repair.rule.as_str())
}

/// The cases that are looked for, by class.
pub(super) fn list(site: &Site, asked: &Asked) -> Answer {
    let wanted = Wanted::of(asked);
    let mut classes: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    let mut found = 0;
    for case in site.cases.iter().filter(|case| wanted.takes(case)) {
        found += 1;
        classes.entry(&case.class).or_default().push(Row {
            id: case.id.clone(),
            title: visible(&case.title),
            from: case.from.name(),
            source: visible(case.source.first().map_or("", String::as_str)),
        });
    }
    let names: std::collections::BTreeSet<&str> = site.cases.iter().map(|case| case.class.as_str()).collect();
    let dialects: std::collections::BTreeSet<&str> = site.cases.iter().map(|case| case.from.name()).collect();
    Answer::page(
        200,
        &List {
            at: "corpus",
            wanted,
            found,
            all: site.cases.len(),
            classes: classes.into_iter().map(|(name, cases)| Class { name: name.to_owned(), cases }).collect(),
            names: names.into_iter().map(str::to_owned).collect(),
            dialects: dialects.into_iter().collect(),
        },
    )
}

#[derive(Template)]
#[template(path = "local/case.html")]
struct One<'c> {
    at: &'static str,
    case: &'c Case,
    title: String,
    /// Citation, where it can be read, and what happened there
    sources: Vec<(String, Option<String>, &'static str)>,
    tags: Vec<(&'c str, &'static str)>,
    notes: Vec<String>,
    from: &'static str,
    input: Vec<Shown>,
    length: usize,
    canonical: Option<Vec<Shown>>,
    reported: Vec<Ruled>,
    outputs: Vec<(&'c str, Vec<Shown>)>,
    judged: Vec<(&'c str, Vec<Ruled>)>,
    keeps: Vec<String>,
    refusals: Vec<(String, String)>,
}

fn find<'s>(site: &'s Site, id: &str) -> Option<&'s Case> {
    site.cases.iter().find(|case| case.id == id)
}

/// A rule, where, and what it says.
type Ruled = (String, String, String);

fn told_of(repair: &ExpectedRepair) -> Ruled {
    let place = match repair.input.as_deref() {
        None => "(added)".to_owned(),
        Some("") => "(the whole)".to_owned(),
        Some(pointer) => visible(pointer),
    };
    let statement = rule::by_id(&repair.rule).map_or("", |rule| rule.statement);
    (repair.rule.clone(), place, statement.to_owned())
}

/// One case.
pub(super) fn one(site: &Site, id: &str) -> Option<Answer> {
    let case = find(site, id)?;
    let expect = &case.expect;
    let pins: Vec<Pin<'_>> = expect
        .repairs
        .iter()
        .flatten()
        .filter_map(|repair| {
            let words = rule::by_id(&repair.rule).map_or("", |rule| rule.statement);
            Some(Pin { pointer: repair.input.as_deref()?, rule: &repair.rule, words })
        })
        .collect();
    let mut notes = Vec::new();
    if let Some(why) = &case.deviates {
        notes.push(format!("What is asked for here is not what the report asked for: {why}"));
    }
    if let Some(retired) = &case.retired {
        notes.push(format!("Retired in {}: {}", retired.version, retired.reason));
    }
    let mut refusals = Vec::new();
    if let Some(code) = expect.may_refuse.code() {
        refusals.push(("any target".to_owned(), code.to_owned()));
    }
    for (name, target) in &expect.targets {
        if let Some(code) = target.may_refuse.as_ref().and_then(|refusal| refusal.code()) {
            refusals.push((name.clone(), code.to_owned()));
        }
    }
    let outputs = expect.targets.iter().filter_map(|(name, target)| {
        Some((name.as_str(), lines(laid_out(target.output.as_deref()?.get().as_bytes(), &[]))))
    });
    let page = One {
        at: "corpus",
        case,
        title: visible(&case.title),
        sources: case
            .source
            .iter()
            .map(|source| (visible(source), address(source), happened(source).unwrap_or_default()))
            .collect(),
        tags: case
            .tags
            .iter()
            .map(|tag| (tag.as_str(), TAGS.iter().find(|(name, _)| name == tag).map_or("", |(_, says)| *says)))
            .collect(),
        notes: notes.iter().map(|note| visible(note)).collect(),
        from: case.from.name(),
        input: lines(laid_out(&case.input, &pins)),
        length: case.input.len(),
        canonical: expect.canonical.as_deref().map(|text| lines(laid_out(text.get().as_bytes(), &[]))),
        reported: expect.repairs.iter().flatten().map(told_of).collect(),
        outputs: outputs.collect(),
        judged: expect
            .check
            .iter()
            .map(|(target, list)| (target.as_str(), list.iter().map(told_of).collect()))
            .collect(),
        keeps: expect.must_keep.iter().map(|text| visible(&wirecanon_judge::plain::shorten(text, 200))).collect(),
        refusals,
    };
    Some(Answer::page(200, &page))
}

/// `GET /api/cases`: what is looked for, as `wirecanon list cases --format json` has it.
pub(super) fn listed(site: &Site, asked: &Asked) -> Answer {
    let wanted = Wanted::of(asked);
    let cases: Vec<Value> = site.cases.iter().filter(|case| wanted.takes(case)).map(item).collect();
    Answer::json(200, &json!(cases))
}

fn item(case: &Case) -> Value {
    json!({"id": case.id, "title": case.title, "class": case.class, "from": case.from.name(), "source": case.source,
        "tags": case.tags, "since": case.since})
}

/// `GET /api/cases/ID`.
pub(super) fn told(site: &Site, id: &str) -> Option<Answer> {
    let case = find(site, id)?;
    let mut told = item(case);
    told["bytes"] = json!(case.input.len());
    told["rules"] = super::rules::told(rules_of(case));
    if let Some(canonical) = case.expect.canonical.as_deref()
        && Json::parse(canonical.get(), &Limits::default()).is_ok()
    {
        told["canonical"] = serde_json::from_str(canonical.get()).unwrap_or(Value::Null);
    }
    Some(Answer::json(200, &told))
}

/// `GET /api/cases/ID/input`: its exact bytes.
pub(super) fn input(site: &Site, id: &str) -> Option<Answer> {
    find(site, id).map(|case| Answer::new(200, "application/octet-stream", case.input.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;

    #[test]
    fn cases_are_found_by_words_of_theirs() {
        let site = Site { runs: Vec::new(), cases: wirecanon_cases::corpus::load().unwrap(), limit: 1 };
        let found = |query: &str| {
            let asked = Asked { method: Method::Get, path: String::new(), query: query.to_owned(), body: Vec::new() };
            let answer = listed(&site, &asked);
            serde_json::from_slice::<Vec<Value>>(&answer.body).unwrap()
        };
        let all = found("").len();
        assert_eq!(all, site.cases.len());
        let one = &site.cases[0];
        assert!(found(&format!("q={}", one.id)).iter().any(|case| case["id"] == one.id.as_str()));
        let class = found("class=pairing");
        assert!(!class.is_empty() && class.iter().all(|case| case["class"] == "pairing"));
        let rule = found("q=orphan-tool-result&class=pairing");
        assert!(!rule.is_empty() && rule.len() < class.len());
        assert!(found("q=ORPHAN").len() >= rule.len());
        assert!(found("q=xyzzy").is_empty() && found("from=klingon").is_empty());
    }
}
