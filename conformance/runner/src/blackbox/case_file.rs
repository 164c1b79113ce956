//! What was found, as a case file of the corpus.

use serde_json::{Value as Out, json};
use wirecanon_cases::draft::{Known, REVIEW, draft};
use wirecanon_cases::lint::is_citation;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{Dialect, Options, Target, fix, rule};
use wirecanon_judge::case::layout::{Order, laid_out};
use wirecanon_judge::case::violations;
use wirecanon_judge::plain::shorten;

use super::Symptom;
use super::progress::{Group, Seal, Small};
use crate::dice::digest;

/// Citations that are taken over from a rule.
const SOURCES: usize = 3;

/// A case of something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// Where it belongs below its folder
    pub file: String,
    /// Its text
    pub text: String,
}

/// The case of a group that was cut down; none if it was not, or if its input cannot stand in a case.
///
/// What must survive is known from how the input was made. What must come out is the reference's word, and the case says so,
/// but only where nothing else pins it down.
pub fn case_file(group: &Group, seal: &Seal) -> Option<CaseFile> {
    let small = group.small.as_ref()?;
    let symptom = &group.symptom;
    let input = base64_simd::STANDARD.decode_to_vec(&small.input).ok()?;
    let from = Dialect::by_name(&symptom.from)?;
    let broken = rule::by_id(&symptom.rule);
    let class = broken.map_or_else(|| class_of(group), |rule| rule.class.slug());
    let id = id(symptom, small);
    let known = Known {
        from: Some(from),
        id: Some(id.clone()),
        class: Some(class.to_owned()),
        title: Some(title(symptom, small, seal)),
        source: sources(symptom),
        ..Known::default()
    };
    let draft = draft(&input, &known).ok()?;
    // The texts of values are taken over as they are, so that digits and the order of keys stay.
    let proposed = Json::parse(&draft.text, &Limits::default()).ok()?;
    let proposed = proposed.root();
    let mut expect = vec![("must_keep", json!(small.must_keep).to_string())];
    let may_refuse = if small.may_refuse {
        // Whatever the refusal is called, it is right; the reference's own code stands for it.
        json!(fix(&input, &Options::new().from(from)).err().map_or("other", |error| error.kind().refusal_code()))
    } else {
        json!(false)
    };
    expect.push(("may_refuse", may_refuse.to_string()));
    let mut members = Vec::new();
    for key in ["id", "title", "class", "source", "from", "input", "input_text", "input_base64", "tags", "since"] {
        members.extend(proposed.get(key).map(|value| (key, value.raw().to_owned())));
    }
    match judged(&input, from) {
        // What the judge says of the input pins the case, and no word of the reference is needed.
        Some(violations) if symptom.to != Dialect::Canonical.name() => {
            expect.push(("check", json!({ from.name(): violations }).to_string()));
        }
        // Nothing need come out of what may be no transcript.
        None if small.may_refuse => {}
        _ => {
            for key in ["canonical", "repairs"] {
                let value = proposed.get("expect").and_then(|expect| expect.get(key));
                expect.extend(value.map(|value| (key, value.raw().to_owned())));
            }
            members.push(("review", json!(REVIEW).to_string()));
        }
    }
    let is_identity = proposed.get("tags").is_some_and(|tags| tags.raw().contains("\"identity\""));
    if !is_identity {
        let why = format!("It was cut down while {} still did wrong: what is left is needed for that.", seal.name);
        members.push(("whole", json!(why).to_string()));
    }
    members.push(("expect", object(&expect)));
    let text = object(&members);
    let neat = Json::parse(&text, &Limits::default()).ok()?;
    Some(CaseFile { file: format!("{class}/{id}.json"), text: laid_out(&neat, Order::Set) })
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// The same cause has the same name in every run.
fn id(symptom: &Symptom, small: &Small) -> String {
    let plain = |name: &str| -> String {
        let name = name.to_ascii_lowercase();
        let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        letters.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    };
    let own = digest([&*symptom.verdict, &symptom.rule, &symptom.shape, &symptom.from, &symptom.to]);
    let (from, to) = (plain(&symptom.from), plain(&small.to));
    format!("{}-{from}-to-{to}-{:06x}", plain(&symptom.rule), own & 0xff_ffff)
}

fn title(symptom: &Symptom, small: &Small, seal: &Seal) -> String {
    let way = format!("{} to {}", symptom.from, small.to);
    let name = shorten(&seal.name, 40);
    let what = match symptom.verdict.as_str() {
        "rejected" => format!("breaks `{}`", symptom.rule),
        _ if symptom.rule == "text-lost" => "loses a text".to_owned(),
        _ if symptom.rule == "media-lost" => "loses a picture or a file".to_owned(),
        "refused" => "refuses what it must convert".to_owned(),
        "crashed" => "fails".to_owned(),
        "hung" => "gives no answer".to_owned(),
        "garbage" => "gives what is no transcript".to_owned(),
        _ => "writes something else than it must".to_owned(),
    };
    format!("On the way from {way}, {name} {what} (run {} of seed {}).", small.run, seal.seed)
}

/// The citations of the rule, or the part of the specification that asks for what did not happen.
fn sources(symptom: &Symptom) -> Vec<String> {
    let of_rule: Vec<String> = rule::by_id(&symptom.rule)
        .map(|rule| rule.citations().filter(|source| is_citation(source)).take(SOURCES).map(str::to_owned).collect())
        .unwrap_or_default();
    if !of_rule.is_empty() {
        return of_rule;
    }
    let principle = match symptom.rule.as_str() {
        "text-lost" | "media-lost" => "P2 never lose",
        "outcome-differs" => "P1 never poison",
        _ => "P7 total",
    };
    vec![format!("SPEC.md, {principle}")]
}

fn class_of(group: &Group) -> &'static str {
    let defect = group.defects.first().and_then(|id| wirecanon_generate::defect::by_id(id));
    defect.map_or("pairing", |defect| defect.class)
}

/// What the judge says of the input in its own dialect; none where it is no transcript to it.
fn judged(input: &[u8], from: Dialect) -> Option<Vec<Out>> {
    let violations = violations(input, Target::of_dialect(from), from == Dialect::McpToolResult)?;
    Some(violations.into_iter().map(|one| json!({"rule": one.rule, "in": one.pointer})).collect())
}
