//! SARIF 2.1.0, which code scanning reads: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use wirecanon_core::observe::Reason;
use wirecanon_core::rule;
use wirecanon_judge::plain::shorten;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::RunResult;
use wirecanon_session as session;

use super::human::grouped;
use super::json::pretty;
use super::markdown::by_case;

/// What is told of one finding.
pub(super) struct Finding {
    /// Id of the rule, or the name of a verdict
    pub(super) rule: String,
    /// Level of SARIF: `error`, `warning` or `note`
    pub(super) level: &'static str,
    /// In words
    pub(super) message: String,
    /// Where: a path, and what it is relative to
    pub(super) file: Value,
    /// Line and column from 1, where they are known
    pub(super) place: Option<(usize, usize)>,
    /// JSON Pointer, or what else names the place
    pub(super) logical: String,
    /// What stays equal as long as it is the same finding
    pub(super) fingerprint: String,
    /// What else there is
    pub(super) properties: Value,
}

/// A run of the tool, with all that it found.
pub(super) fn document(findings: Vec<Finding>, whole: bool, bases: &Value) -> Value {
    let mut rules: Vec<Value> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let results: Vec<Value> = findings
        .into_iter()
        .map(|finding| {
            let at = *places.entry(finding.rule.clone()).or_insert_with(|| {
                rules.push(about(&finding.rule));
                rules.len() - 1
            });
            let mut physical = json!({"artifactLocation": finding.file});
            if let Some((line, column)) = finding.place {
                physical["region"] = json!({"startLine": line, "startColumn": column});
            }
            let mut location = json!({"physicalLocation": physical});
            if !finding.logical.is_empty() {
                location["logicalLocations"] = json!([{"fullyQualifiedName": finding.logical, "kind": "member"}]);
            }
            json!({
                "ruleId": finding.rule, "ruleIndex": at, "level": finding.level,
                "message": {"text": finding.message}, "locations": [location],
                "partialFingerprints": {"wirecanon/v1": finding.fingerprint}, "properties": finding.properties,
            })
        })
        .collect();
    let mut run = json!({
        "tool": {"driver": {
            "name": "wirecanon", "version": env!("CARGO_PKG_VERSION"), "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"), "rules": rules,
        }},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": whole}],
        "results": results,
    });
    if bases.is_object() {
        run["originalUriBaseIds"] = bases.clone();
    }
    json!({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})
}

fn about(id: &str) -> Value {
    if let Some(rule) = session::rule_by_id(id) {
        let help = format!("{} It stands on: {}.", rule.statement, rule.sources.join("; "));
        return json!({"id": id, "shortDescription": {"text": rule.statement}, "help": {"text": help}});
    }
    let Some(rule) = rule::by_id(id) else {
        let meaning = Verdict::ALL.iter().find(|verdict| verdict.name() == id).map_or("", |verdict| verdict.meaning());
        let is_reason = Reason::ALL.iter().any(|reason| reason.id() == id);
        let text = match meaning {
            "" if is_reason => "The answer tells the model something else than the case expects: SPEC.md, part 10.",
            "" => id,
            meaning => meaning,
        };
        return json!({"id": id, "shortDescription": {"text": text}});
    };
    json!({
        "id": id, "shortDescription": {"text": rule.statement},
        "help": {"text": format!("{} It stands on: {}. `wirecanon explain {id}` shows it mended.", rule.statement, rule.sources.join("; "))},
        "properties": {"tags": [rule.class.slug()]},
    })
}

/// A text with all bytes percent-encoded but letters, digits and these.
pub(super) fn percent_encoded(text: &str, kept: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte);
    text.bytes().map(|byte| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The path of a file as a URI.
pub(super) fn uri(path: &str) -> String {
    let out = percent_encoded(&path.replace('\\', "/"), "-._~/");
    if out.starts_with('/') { format!("file://{out}") } else { out.trim_start_matches("./").to_owned() }
}

/// Writes the whole run. A finding stands at its case, whose file is below the folder of the corpus.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let classes = log.classes();
    let mut findings = Vec::new();
    for run in &log.runs {
        for (case, results) in by_case(run.findings()) {
            let class = classes.get(case).copied().unwrap_or("case");
            let said = |result: &&RunResult| (result.judgement.verdict, result.from, reason::of(&result.judgement));
            for (_, alike) in grouped(results.into_iter(), said) {
                let targets: Vec<_> = alike.iter().map(|result| result.to.as_str()).collect();
                findings.push(finding(alike[0], class, &targets));
            }
        }
    }
    let whole = log.complete && log.start.void.is_none() && log.runs.iter().all(|run| run.hello.is_ok());
    let bases = json!({"CORPUS": {"description": {"text": "The folder of the corpus that was run"}}});
    pretty(out, &document(findings, whole, &bases))
}

fn finding(result: &RunResult, class: &str, targets: &[&str]) -> Finding {
    let judgement = &result.judgement;
    let broken = judgement.violations.first();
    let because = reason::of(judgement).join("; ");
    let more = if targets.len() > 3 { format!(" and {} more", targets.len() - 3) } else { String::new() };
    let shown = targets.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    let verdict = judgement.verdict.name();
    let from = result.from.name();
    let message =
        format!("{}: {verdict} for {from} → {shown}{more}: {because}. The case: {}", result.testee, result.title);
    Finding {
        rule: broken
            .map(|broken| broken.rule.as_str())
            .or(judgement.reasons.first().map(|reason| reason.kind.as_str()))
            .unwrap_or(verdict)
            .to_owned(),
        level: if result.scored { "error" } else { "note" },
        message: shorten(&message, 1000),
        file: json!({"uri": uri(&format!("{class}/{}.json", result.case)), "uriBaseId": "CORPUS"}),
        place: Some((1, 1)),
        logical: broken
            .map(|broken| broken.pointer.clone())
            .or_else(|| judgement.reasons.first()?.answer.clone())
            .unwrap_or_default(),
        fingerprint: format!("{}/{}/{from}/{verdict}/{}", result.testee, result.case, shorten(&because, 400)),
        properties: json!({"testee": result.testee, "case": result.case, "verdict": verdict, "from": from, "to": targets, "reasons": judgement.reasons,
            "allowed_by": judgement.allowed_by}),
    }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("./a b/ö#.json"), "a%20b/%C3%B6%23.json");
        assert_eq!(uri("/tmp/x.json"), "file:///tmp/x.json");
        assert_eq!(uri("a\\b.json"), "a/b.json");
    }
}
