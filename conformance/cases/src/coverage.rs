//! What the corpus proves: which case is about which rule, which class stands on how much, and which decision of SPEC.md has a
//! case.
//!
//! Rules are looked up in what the reference reports and the judge says of every case. The decisions and texts of SPEC.md
//! stand in `corpus/decisions.toml`, each with its rules, with cases of its own, or with the reason why it has none; a test
//! holds that list against SPEC.md.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::rule::{self, Class};
use wirecanon_core::{Options, Stage, fix};
use wirecanon_judge::case::Case;

use crate::conversion::targets_of;
use crate::parallel;

/// The embedded list of decisions.
const DECISIONS: &str = wirecanon_corpus::DECISIONS;

/// What a row is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A rule of the catalogue
    #[default]
    Rule,
    /// A class of rules
    Class,
    /// A numbered decision of SPEC.md
    Decision,
    /// A text of SPEC.md, part 6
    Text,
}

/// What stands for one thing that the corpus should prove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Rule, class, number of the decision, or the text
    pub id: String,
    /// In words
    pub title: String,
    /// What it is
    pub kind: Kind,
    /// Cases that say what must come of it: they pin the report, or the outcome of a run that reports it
    pub cases: Vec<String>,
    /// Of rules: cases where the reference reports it in some run
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<Vec<String>>,
    /// Of rules: cases where the judge says it of the input
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<Vec<String>>,
    /// Of classes: what their cases stand on
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<String>>,
    /// Of decisions: rules that it names
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// Why it needs no case
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Row {
    /// Whether nothing stands for it: neither a case nor a reason.
    pub fn is_bare(&self) -> bool {
        self.cases.is_empty() && self.reason.is_none()
    }
}

/// A numbered decision of SPEC.md.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its number
    pub id: String,
    /// What it is about, in a few words
    pub says: String,
    /// Rules that it names
    #[serde(default)]
    pub rules: Vec<String>,
    /// Cases that show it, beside those of rules that no other decision names
    #[serde(default)]
    pub cases: Vec<String>,
    /// Why it needs no case
    pub reason: Option<String>,
}

/// A text that stands in part 6 of SPEC.md. Words of capitals in it stand for something else.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The text
    pub text: String,
    /// Cases that show it, beside those whose expected outcome holds it
    #[serde(default)]
    pub cases: Vec<String>,
    /// Why it needs no case
    pub reason: Option<String>,
}

/// Why a rule needs no case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excuse {
    /// The rule
    pub id: String,
    /// Why
    pub reason: String,
}

/// All that SPEC.md decides, as far as cases can show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// By number
    #[serde(default)]
    pub decision: Vec<Decision>,
    /// In the order of part 6
    #[serde(default)]
    pub text: Vec<Text>,
    /// Rules without a case
    #[serde(default)]
    pub rule: Vec<Excuse>,
}

/// Reads the embedded list, and holds it against the cases and the catalogue.
///
/// # Errors
///
/// As [`parse`].
pub fn decisions(cases: &[Case]) -> Result<Decisions, String> {
    parse(DECISIONS, cases)
}

/// Reads such a list, and holds it against the cases and the catalogue.
///
/// # Errors
///
/// It is no such list, something stands twice in it, or it names a case or a rule that is not there.
pub fn parse(text: &str, cases: &[Case]) -> Result<Decisions, String> {
    let fail = |why: String| format!("decisions.toml: {why}");
    let list: Decisions = toml::from_str(text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
    let mut seen = BTreeSet::new();
    let ids = list.decision.iter().map(|decision| &decision.id);
    for id in ids.chain(list.text.iter().map(|text| &text.text)).chain(list.rule.iter().map(|excuse| &excuse.id)) {
        if !seen.insert(id) {
            return Err(fail(format!("`{id}` stands twice")));
        }
    }
    let rules = list.decision.iter().flat_map(|decision| &decision.rules);
    for id in rules.chain(list.rule.iter().map(|excuse| &excuse.id)) {
        if rule::by_id(id).is_none() {
            return Err(fail(format!("no rule is called `{id}`")));
        }
    }
    let known: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let named = list.decision.iter().flat_map(|decision| &decision.cases);
    for id in named.chain(list.text.iter().flat_map(|text| &text.cases)) {
        if !known.contains(id.as_str()) {
            return Err(fail(format!("no case is called `{id}`")));
        }
    }
    let reasons = list.decision.iter().filter_map(|decision| decision.reason.as_ref());
    let reasons = reasons.chain(list.text.iter().filter_map(|text| text.reason.as_ref()));
    for reason in reasons.chain(list.rule.iter().map(|excuse| &excuse.reason)) {
        if reason.len() < 20 || !reason.ends_with('.') {
            return Err(fail(format!("the reason `{reason}` is not a sentence")));
        }
    }
    Ok(list)
}

/// What one case shows.
#[derive(Default)]
struct Shown {
    fired: BTreeSet<&'static str>,
    pinned: BTreeSet<String>,
    judged: BTreeSet<&'static str>,
}

/// What the corpus proves: rules, classes, decisions and texts, in this order.
pub fn of(cases: &[Case], decisions: &Decisions) -> Vec<Row> {
    let shown = parallel::map(cases, shown_by);
    let with = |is: &dyn Fn(&Shown) -> bool| -> Vec<String> {
        cases.iter().zip(&shown).filter(|(_, shown)| is(shown)).map(|(case, _)| case.id.clone()).collect()
    };
    let mut rows: Vec<Row> = rule::all()
        .map(|rule| Row {
            id: rule.id.to_owned(),
            title: rule.statement.to_owned(),
            kind: Kind::Rule,
            cases: with(&|shown| shown.pinned.contains(rule.id)),
            fired: Some(with(&|shown| shown.fired.contains(rule.id))),
            judged: Some(with(&|shown| shown.judged.contains(rule.id))),
            reason: decisions.rule.iter().find(|excuse| excuse.id == rule.id).map(|excuse| excuse.reason.clone()),
            ..Row::default()
        })
        .collect();
    let pinned: BTreeMap<String, Vec<String>> = rows.iter().map(|row| (row.id.clone(), row.cases.clone())).collect();
    rows.extend(Class::ALL.into_iter().map(|class| class_row(class, cases)));
    for decision in &decisions.decision {
        let alone = |rule: &&String| decisions.decision.iter().filter(|other| other.rules.contains(rule)).count() == 1;
        let of_rules = decision.rules.iter().filter(alone).filter_map(|rule| pinned.get(rule)).flatten();
        let ids: BTreeSet<_> = decision.cases.iter().chain(of_rules).cloned().collect();
        rows.push(Row {
            id: decision.id.clone(),
            title: decision.says.clone(),
            kind: Kind::Decision,
            cases: ids.into_iter().collect(),
            rules: Some(decision.rules.clone()),
            reason: decision.reason.clone(),
            ..Row::default()
        });
    }
    rows.extend(text_rows(decisions, cases));
    rows
}

fn class_row(class: Class, cases: &[Case]) -> Row {
    let own: Vec<&Case> = cases.iter().filter(|case| case.class == class.slug()).collect();
    let sources: BTreeSet<_> = own.iter().flat_map(|case| &case.source).cloned().collect();
    Row {
        id: class.slug().to_owned(),
        title: format!("{} cases on {} sources", own.len(), sources.len()),
        kind: Kind::Class,
        cases: own.iter().map(|case| case.id.clone()).collect(),
        sources: Some(sources.into_iter().collect()),
        ..Row::default()
    }
}

fn text_rows<'d>(decisions: &'d Decisions, cases: &[Case]) -> impl Iterator<Item = Row> + 'd {
    let words: Vec<(String, Vec<String>)> = cases.iter().map(|case| (case.id.clone(), pinned_words(case))).collect();
    decisions.text.iter().map(move |text| {
        let pattern = pieces(&text.text);
        let holds = |words: &Vec<String>| !pattern.is_empty() && words.iter().any(|word| is_in(&pattern, word));
        let found = words.iter().filter(|(_, words)| holds(words)).map(|(id, _)| id);
        let ids: BTreeSet<_> = text.cases.iter().chain(found).cloned().collect();
        Row {
            id: text.text.trim_end().to_owned(),
            title: "what wirecanon itself writes into a transcript, or knows again".to_owned(),
            kind: Kind::Text,
            cases: ids.into_iter().collect(),
            reason: text.reason.clone(),
            ..Row::default()
        }
    })
}

fn shown_by(case: &Case) -> Shown {
    let mut shown = Shown::default();
    if case.retired.is_some() {
        return shown;
    }
    for target in targets_of(case) {
        if target.dialect == case.from {
            shown.judged.extend(case.violations(target).unwrap_or_default().iter().map(|violation| violation.rule));
        }
        let Ok(fixed) = fix(&case.input, &Options::new().from(case.from).to(target)) else { continue };
        let pins_outcome = case.expected_output(target).is_some();
        for entry in fixed.report.repairs.iter().chain(&fixed.report.notes) {
            shown.fired.insert(entry.rule);
            if pins_outcome || (entry.stage != Stage::Write && case.expect.canonical.is_some()) {
                shown.pinned.insert(entry.rule.to_owned());
            }
        }
    }
    let targets = case.expect.targets.values().filter_map(|target| target.repairs.as_deref());
    let reports = targets.chain(case.expect.repairs.as_deref()).chain(case.expect.check.values().map(Vec::as_slice));
    shown.pinned.extend(reports.flatten().map(|repair| repair.rule.clone()));
    shown
}

/// Every string of the outcomes that a case pins; of its input, where its own dialect must give it back.
fn pinned_words(case: &Case) -> Vec<String> {
    let outputs = case.expect.targets.values().filter_map(|target| target.output.as_deref());
    let texts = outputs.chain(case.expect.canonical.as_deref()).map(serde_json::value::RawValue::get);
    let own = std::str::from_utf8(&case.input).ok().filter(|_| case.is_identity());
    let mut words = Vec::new();
    for text in texts.chain(own) {
        let Ok(json) = Json::parse(text, &Limits::default()) else { continue };
        let mut todo = vec![json.root()];
        while let Some(value) = todo.pop() {
            todo.extend(value.items());
            todo.extend(value.members().map(|(_, member)| member));
            words.extend(value.as_str().map(std::borrow::Cow::into_owned));
        }
    }
    words
}

/// A text between its words of capitals, which stand for something else.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let capitals = rest.chars().take_while(char::is_ascii_uppercase).count();
        // `JSON` in a name is none: such a word stands alone.
        let after = rest[capitals..].chars().next();
        if (capitals > 1 && after != Some('_')) || first == '…' {
            pieces.push(String::new());
            rest = &rest[capitals.max(if first == '…' { first.len_utf8() } else { 0 })..];
        } else {
            let mut taken = first.len_utf8();
            if capitals > 1 {
                taken = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push_str(&rest[..taken]);
            }
            rest = &rest[taken..];
        }
    }
    if pieces.iter().all(|piece| piece.trim().is_empty()) { Vec::new() } else { pieces }
}

/// Whether the pieces stand in a word in their order, with something without brackets between each two.
fn is_in(pieces: &[String], word: &str) -> bool {
    let starts: Vec<usize> = word.match_indices(&pieces[0]).map(|(at, found)| at + found.len()).collect();
    starts.into_iter().any(|start| {
        let mut rest = &word[start..];
        pieces[1..].iter().all(|piece| {
            let gap = rest.find(['[', ']', '(', ')']).unwrap_or(rest.len());
            if piece.is_empty() {
                let any = gap > 0;
                rest = &rest[gap..];
                return any;
            }
            let Some(found) = rest.find(piece.as_str()).filter(|found| *found > 0 && *found <= gap) else {
                return false;
            };
            rest = &rest[found + piece.len()..];
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case;

    fn holds(text: &str, word: &str) -> bool {
        is_in(&pieces(text), word)
    }

    #[test]
    fn words_of_capitals_stand_for_something_else() {
        assert!(holds("(no output)", "(no output)"));
        assert!(holds("[wirecanon: tool error] ", "[wirecanon: tool error] it broke"));
        assert!(holds(
            "[wirecanon: image left out: REASON (MIME)]",
            "see [wirecanon: image left out: no data (image/png)]"
        ));
        assert!(holds("[wirecanon: image left out: REASON]", "[wirecanon: image left out: no data]"));
        assert!(!holds("[wirecanon: image left out: REASON]", "[wirecanon: image left out: no data (image/png)]"));
        assert!(!holds("[wirecanon: image left out: REASON (MIME)]", "[wirecanon: image left out: no data]"));
        assert!(holds("{\"INVALID_JSON\":\"…\"}", "{\"INVALID_JSON\":\"half\"}"));
        assert!(holds("[audio MIME]", "[audio audio/wav]"));
        assert!(!holds("[audio MIME]", "[audio ]"));
        assert_eq!(pieces("URI"), Vec::<String>::new());
    }

    fn parsed(expect: &str) -> Case {
        let text = format!(
            r#"{{"id":"a","title":"t","class":"pairing","source":["s","t"],"from":"openai.chat","input":[
            {{"role":"user","content":"go"}},{{"role":"tool","tool_call_id":"x","content":"late"}}],
            "expect":{expect},"since":"0.1.0"}}"#
        );
        case::parse("a.json", text.as_bytes()).expect("a case")
    }

    #[test]
    fn a_rule_is_covered_where_a_case_says_what_must_come_of_it() {
        let row = |expect: &str| {
            let cases = [parsed(expect)];
            let rows = of(&cases, &Decisions::default());
            rows.into_iter().find(|row| row.id == "orphan-tool-result").expect("the rule")
        };
        let pinned = row(r#"{"repairs":[{"rule":"orphan-tool-result","in":"/1"}],"may_refuse":"other"}"#);
        assert_eq!((pinned.cases.len(), pinned.is_bare()), (1, false));
        let by_outcome = row(r#"{"canonical":{"messages":[]}}"#);
        assert_eq!(by_outcome.cases.len(), 1);
        let fired = row(r#"{"may_refuse":"other"}"#);
        assert_eq!((fired.cases.len(), fired.is_bare()), (0, true));
        assert_eq!((fired.fired.map(|list| list.len()), fired.judged.map(|list| list.len())), (Some(1), Some(1)));
    }

    #[test]
    fn a_decision_takes_the_cases_of_the_rules_that_it_alone_names() {
        let cases = [parsed(r#"{"canonical":{"messages":[]}}"#)];
        let list = r#"
            [[decision]]
            id = "R14"
            says = "a result without a call"
            rules = ["orphan-tool-result", "tool-call-alias"]
            [[decision]]
            id = "R1"
            says = "aliases"
            rules = ["tool-call-alias"]
            [[decision]]
            id = "R2"
            says = "named"
            cases = ["a"]
        "#;
        let decisions = parse(list, &cases).expect("a list");
        let rows = of(&cases, &decisions);
        let found = |id: &str| rows.iter().find(|row| row.id == id).map(|row| row.cases.len());
        assert_eq!((found("R14"), found("R1"), found("R2")), (Some(1), Some(0), Some(1)));
        let class = rows.iter().find(|row| row.id == "pairing").expect("the class");
        assert_eq!((class.cases.len(), class.sources.as_ref().map(Vec::len)), (1, Some(2)));
        for (wrong, why) in [
            (list.replace("\"orphan-tool-result\"", "\"no-rule\""), "no rule is called"),
            (list.replace("[\"a\"]", "[\"b\"]"), "no case is called"),
            (list.replace("R14", "R1"), "stands twice"),
            (list.replace("says = \"named\"", "say = \"named\""), "unknown field"),
            (format!("{list}reason = \"no\""), "not a sentence"),
        ] {
            let error = parse(&wrong, &cases).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }
}
