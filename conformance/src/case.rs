//! Cases: one fault, where it was reported, and what must come out.
//!
//! A case is one JSON file. Unknown fields are refused, so that a misspelt expectation cannot be silently ignored.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use wirecanon_core::rule::{self, Class};
use wirecanon_core::{Dialect, Target};

/// Codes that a refusal can carry.
pub const REFUSAL_CODES: [&str; 5] = ["invalid-arguments", "unsupported-content", "unpaired", "limit", "other"];

/// One fault and its expected outcome.
#[derive(Clone, Debug)]
pub struct Case {
    /// Kebab-case, for ever
    pub id: String,
    /// One sentence that a maintainer of any project understands
    pub title: String,
    /// Slug of the class of fault
    pub class: String,
    /// Public reports, specification sections, vendors' error texts
    pub source: Vec<String>,
    /// Dialect of the input
    pub from: Dialect,
    /// The exact bytes
    pub input: Vec<u8>,
    /// What must come out
    pub expect: Expect,
    /// Why the outcome differs from what the source asked for
    pub deviates: Option<String>,
    /// Words to select by
    pub tags: Vec<String>,
    /// Version that brought it
    pub since: String,
}

/// What must come out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The exact canonical document, or fragment
    #[serde(default)]
    pub canonical: Option<Box<RawValue>>,
    /// What reading and repairing must report on the way to canonical
    #[serde(default)]
    pub repairs: Option<Vec<ExpectedRepair>>,
    /// Texts and media that must survive in every output
    #[serde(default)]
    pub must_keep: Vec<String>,
    /// The refusal that is right too
    #[serde(default)]
    pub may_refuse: MayRefuse,
    /// What single targets ask for beyond their rules
    #[serde(default)]
    pub targets: BTreeMap<String, TargetExpect>,
    /// What the judge must say of the input itself, for a target of its dialect: these rules at these places, and no other
    #[serde(default)]
    pub check: BTreeMap<String, Vec<ExpectedRepair>>,
}

/// What one target asks for beyond its rules.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetExpect {
    /// The exact outcome
    #[serde(default)]
    pub output: Option<Box<RawValue>>,
    /// What the whole conversion must report
    #[serde(default)]
    pub repairs: Option<Vec<ExpectedRepair>>,
    /// The refusal that is right too
    #[serde(default)]
    pub may_refuse: Option<MayRefuse>,
}

/// One entry that the report must have.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRepair {
    /// Rule id
    pub rule: String,
    /// JSON Pointer into the input; `null` where the input has no such place
    #[serde(rename = "in")]
    pub input: Option<String>,
}

/// `false`, or the code of the refusal that is right too.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum MayRefuse {
    /// Never; written `false`
    #[default]
    Never,
    /// `false` or, wrongly, `true`
    Flag(bool),
    /// With this code
    With(String),
}

impl MayRefuse {
    /// The code that is allowed.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::With(code) => Some(code),
            Self::Never | Self::Flag(_) => None,
        }
    }
}

impl Case {
    /// The refusal that is right for a target.
    pub fn may_refuse(&self, target: &Target) -> Option<&str> {
        match self.expect.targets.get(&target.name).and_then(|expect| expect.may_refuse.as_ref()) {
            Some(own) => own.code(),
            None => self.expect.may_refuse.code(),
        }
    }

    /// The exact outcome for a target, where the case pins one.
    pub fn expected_output(&self, target: &Target) -> Option<&str> {
        let own = self.expect.targets.get(&target.name).and_then(|expect| expect.output.as_deref());
        let shared = (target.dialect == Dialect::Canonical).then_some(self.expect.canonical.as_deref()).flatten();
        own.or(shared).map(RawValue::get)
    }

    /// The report that is asked of the reference for a target, and whether only the stages before writing count.
    pub fn expected_repairs(&self, target: &Target) -> Option<(&[ExpectedRepair], bool)> {
        let own = self.expect.targets.get(&target.name).and_then(|expect| expect.repairs.as_deref());
        match own {
            Some(own) => Some((own, false)),
            None if target.dialect == Dialect::Canonical => self.expect.repairs.as_deref().map(|list| (list, true)),
            None => None,
        }
    }

    /// Whether the input is valid in its own dialect and must come back as the same bytes.
    pub fn is_identity(&self) -> bool {
        self.tags.iter().any(|tag| tag == "identity")
    }

    /// Whether the input is a lone tool result, which is exempt from pairing.
    pub fn is_fragment(&self) -> bool {
        self.from == Dialect::McpToolResult
    }
}

/// Why a file is no case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The file
    pub file: String,
    /// What is wrong
    pub message: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

impl std::error::Error for CaseError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    id: String,
    title: String,
    class: String,
    source: Vec<String>,
    from: Dialect,
    #[serde(default)]
    input: Option<Box<RawValue>>,
    #[serde(default)]
    input_text: Option<String>,
    #[serde(default)]
    input_base64: Option<String>,
    expect: Expect,
    #[serde(default)]
    deviates: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    since: String,
}

/// Reads one case. `file` is its path below the corpus, `<class>/<id>.json`, or a bare name.
///
/// # Errors
///
/// The text is not JSON, has a field too many or too few, or contradicts itself or its path.
pub fn parse(file: &str, text: &[u8]) -> Result<Case, CaseError> {
    let fail = |message: String| CaseError { file: file.to_owned(), message };
    let wire: Wire = serde_json::from_slice(text).map_err(|error| fail(error.to_string()))?;
    let input = match (wire.input, wire.input_text, wire.input_base64) {
        (Some(value), None, None) => value.get().as_bytes().to_vec(),
        (None, Some(text), None) => text.into_bytes(),
        (None, None, Some(base64)) => {
            base64_simd::STANDARD.decode_to_vec(base64).map_err(|_| fail("`input_base64` is not base64".to_owned()))?
        }
        _ => return Err(fail("exactly one of `input`, `input_text` and `input_base64` must be given".to_owned())),
    };
    let case = Case {
        id: wire.id,
        title: wire.title,
        class: wire.class,
        source: wire.source,
        from: wire.from,
        input,
        expect: wire.expect,
        deviates: wire.deviates,
        tags: wire.tags,
        since: wire.since,
    };
    lint(file, &case).map_err(fail)?;
    Ok(case)
}

fn lint(file: &str, case: &Case) -> Result<(), String> {
    let path = std::path::Path::new(file);
    if path.file_stem().is_some_and(|stem| stem != case.id.as_str()) {
        return Err(format!("the id `{}` differs from the file's name", case.id));
    }
    let folder = path.parent().and_then(|folder| folder.file_name());
    if folder.is_some_and(|folder| folder != case.class.as_str()) {
        return Err(format!("the class `{}` differs from the folder", case.class));
    }
    if case.id.is_empty()
        || !case.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    {
        return Err(format!("the id `{}` is not kebab-case", case.id));
    }
    if !Class::ALL.iter().any(|class| class.slug() == case.class) {
        return Err(format!("no class is called `{}`", case.class));
    }
    if case.source.is_empty() {
        return Err("`source` is empty: a case names the report or the specification it stands on".to_owned());
    }
    if case.title.is_empty() || case.since.is_empty() {
        return Err("`title` and `since` must say something".to_owned());
    }
    let pins = case.expect.canonical.is_some() || case.expect.may_refuse.code().is_some();
    if !pins && !case.is_identity() && case.expect.targets.is_empty() && case.expect.check.is_empty() {
        return Err("`expect` needs `canonical`, a target, `check`, or a code in `may_refuse`".to_owned());
    }
    let refusals = case.expect.targets.values().filter_map(|target| target.may_refuse.as_ref());
    for refusal in refusals.chain([&case.expect.may_refuse]) {
        match refusal {
            MayRefuse::Flag(true) => return Err("`may_refuse` is false or a code".to_owned()),
            MayRefuse::With(code) if !REFUSAL_CODES.contains(&code.as_str()) => {
                return Err(format!("no refusal has the code `{code}`; there are: {}", REFUSAL_CODES.join(", ")));
            }
            _ => {}
        }
    }
    for name in case.expect.targets.keys() {
        Target::by_name(name).map_err(|error| error.to_string())?;
    }
    for (name, found) in &case.expect.check {
        let target = Target::by_name(name).map_err(|error| error.to_string())?;
        if target.dialect != case.from {
            return Err(format!("`check` judges the input, and `{name}` does not speak {}", case.from.name()));
        }
        if found.iter().any(|violation| violation.input.is_none()) {
            return Err(format!("`check` of `{name}`: `in` is a JSON Pointer, never null"));
        }
    }
    let own = case.expect.targets.values().filter_map(|target| target.repairs.as_ref()).flatten();
    for repair in own.chain(case.expect.check.values().flatten()).chain(case.expect.repairs.iter().flatten()) {
        if rule::by_id(&repair.rule).is_none() {
            return Err(format!("no rule is called `{}`", repair.rule));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"id":"a-b","title":"t","class":"pairing","source":["s"],"from":"openai.chat","input":[],
        "expect":{"canonical":{"messages":[]}},"since":"0.1.0"}"#;

    #[test]
    fn a_case_is_read_with_its_input_as_it_stands() {
        let case = parse("pairing/a-b.json", GOOD.replace("[],", "[1.0, 1e2],").as_bytes()).unwrap();
        assert_eq!(case.input, b"[1.0, 1e2]");
        assert_eq!(case.expected_output(Target::of_dialect(Dialect::Canonical)), Some(r#"{"messages":[]}"#));
        assert_eq!(case.expected_output(Target::of_dialect(Dialect::OpenAiChat)), None);
    }

    #[test]
    fn what_contradicts_itself_is_no_case() {
        for (file, from, to, message) in [
            ("pairing/other.json", "x", "x", "differs from the file's name"),
            ("encoding/a-b.json", "x", "x", "differs from the folder"),
            ("pairing/a-b.json", r#""title""#, r#""titel""#, "unknown field `titel`"),
            ("pairing/a-b.json", r#""input":[]"#, r#""input":[],"input_text":"""#, "exactly one of"),
            ("pairing/a-b.json", r#""input":[]"#, r#""input_base64":"*""#, "not base64"),
            ("pairing/a-b.json", r#"["s"]"#, "[]", "`source` is empty"),
            (
                "pairing/a-b.json",
                r#""canonical":{"messages":[]}"#,
                r#""may_refuse":true,"canonical":{}"#,
                "false or a code",
            ),
            ("pairing/a-b.json", r#""canonical":{"messages":[]}"#, r#""may_refuse":"no""#, "no refusal has the code"),
            ("pairing/a-b.json", r#""canonical":{"messages":[]}"#, r#""must_keep":[]"#, "`expect` needs"),
            ("pairing/a-b.json", r#""canonical":"#, r#""targets":{"openia":{}},"canonical":"#, "`openia`"),
            (
                "pairing/a-b.json",
                r#""canonical":"#,
                r#""check":{"openai":[{"rule":"no","in":""}]},"canonical":"#,
                "no rule",
            ),
            ("pairing/a-b.json", r#""canonical":"#, r#""check":{"gemini":[]},"canonical":"#, "does not speak"),
            (
                "pairing/a-b.json",
                r#""canonical":"#,
                r#""check":{"openai":[{"rule":"no-messages","in":null}]},"canonical":"#,
                "never null",
            ),
            ("pairing/a-b.json", r#""canonical":"#, r#""repairs":[{"rule":"no","in":""}],"canonical":"#, "no rule"),
        ] {
            let error = parse(file, GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.message.contains(message), "{error}");
        }
    }
}
