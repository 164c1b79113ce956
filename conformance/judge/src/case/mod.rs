//! Cases: one fault, where it was reported, and what must come out.
//!
//! A case is one JSON file. Unknown fields are refused, so that a misspelt expectation cannot be silently ignored.

pub mod digest;
mod facts;
pub mod layout;
mod png;
pub mod shape;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{CheckOptions, Dialect, Target, Violation, check};

pub use facts::{Facts, Known};

use crate::problem::Problem;
use crate::utf8;

/// Codes of refusals that a case can allow.
pub const REFUSAL_CODES: [&str; 5] = ["invalid-arguments", "unsupported-content", "unpaired", "limit", "other"];

/// The code of a refusal that no case has to allow: the input breaks a rule of its dialect, and the types of the tested package cannot hold
/// it. So the package is not asked.
pub const UNREPRESENTABLE_INPUT: &str = "unrepresentable-input";

/// Returns whether an answer can refuse with this code.
pub fn is_refusal_code(code: &str) -> bool {
    REFUSAL_CODES.contains(&code) || code == UNREPRESENTABLE_INPUT
}

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
    /// The exact bytes; of an `input`, without its white space
    pub input: Vec<u8>,
    /// How the file gives them
    pub form: Form,
    /// What must come out
    pub expect: Expect,
    /// Why the outcome differs from what the source asked for
    pub deviates: Option<String>,
    /// Why the input is not cut down further
    pub whole: Option<String>,
    /// Words to select by
    pub tags: Vec<String>,
    /// Version that brought it
    pub since: String,
    /// Why it is run no more
    pub retired: Option<Retired>,
    /// What a person has still to do before it counts
    pub review: Option<String>,
}

/// Why a case is run no more. It keeps its file, its id and its digest, so that old suites stay whole.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// Version that retired it
    #[serde(rename = "in")]
    pub version: String,
    /// What was wrong with it
    pub reason: String,
    /// Id of the case that stands for it now
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

crate::named! {
    /// How a file gives the input.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form(key) {
        /// `input`: JSON whose white space does not count
        Json = "input";
        /// `input_text`: the exact text
        Text = "input_text";
        /// `input_base64`: the exact bytes
        Base64 = "input_base64";
    }
}

/// Words that cases are selected by, each with what it says.
pub const TAGS: [(&str, &str); 8] = [
    ("identity", "the input is valid: its own dialect must give back the same bytes, with no repairs"),
    ("poisoned-history", "sent as it is, the provider refuses this request and every later one"),
    ("silent-loss", "a program in the wild drops something here and says nothing"),
    ("over-repair", "a program in the wild changes what was right"),
    ("model-switch", "the fault shows when a history goes to another provider"),
    ("projection", "blocks that canonical content has no kind for are shown as text"),
    ("limits", "sizes, lengths, numbers out of range"),
    ("ambiguous", "there are two ways to mend it, and SPEC.md says which"),
];

/// What must come out.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// The exact canonical document, or fragment
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<Box<RawValue>>,
    /// What reading and repairing must report on the way to canonical
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Vec<ExpectedRepair>>,
    /// Texts and media that must survive in every output
    pub must_keep: Vec<String>,
    /// The refusal that is right too
    pub may_refuse: MayRefuse,
    /// What single targets ask for beyond their rules
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub targets: BTreeMap<String, TargetExpect>,
    /// What the judge must say of the input itself, for a target of its dialect: these rules at these places, and no other
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub check: BTreeMap<String, Vec<ExpectedRepair>>,
    /// The acceptable outcomes of broken rules that this case accepts, by their ids; `None`: all that its rules have
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<String>>,
    /// Facts on the input, once they were needed
    #[serde(skip)]
    pub facts: Known,
}

/// What one target asks for beyond its rules.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct TargetExpect {
    /// The exact outcome
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<RawValue>>,
    /// What the whole conversion must report
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Vec<ExpectedRepair>>,
    /// The refusal that is right too
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_refuse: Option<MayRefuse>,
}

/// One entry that the report must have.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

impl Serialize for MayRefuse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.code() {
            Some(code) => serializer.serialize_str(code),
            None => serializer.serialize_bool(false),
        }
    }
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

    /// A case that a program made, with what it expects.
    pub fn made(id: &str, title: &str, class: &str, from: Dialect, input: Vec<u8>, expect: Expect) -> Self {
        let form = if std::str::from_utf8(&input).is_ok() { Form::Text } else { Form::Base64 };
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            class: class.to_owned(),
            source: Vec::new(),
            from,
            input,
            form,
            expect,
            deviates: None,
            whole: None,
            tags: Vec::new(),
            since: env!("CARGO_PKG_VERSION").to_owned(),
            retired: None,
            review: None,
        }
    }

    /// What a target says of the input, as [`violations`].
    pub fn violations(&self, target: &Target) -> Option<Vec<Violation>> {
        violations(&self.input, target, self.is_fragment())
    }

    /// The key that the file has the input under.
    pub fn input_key(&self) -> &'static str {
        self.form.key()
    }

    /// Whether the input is valid in its own dialect and must come back as the same bytes.
    pub fn is_identity(&self) -> bool {
        self.tags.iter().any(|tag| tag == "identity")
    }

    /// Whether the input is a lone tool result, which is exempt from pairing: one of MCP, or a message that reads to a
    /// canonical fragment.
    pub fn is_fragment(&self) -> bool {
        self.from == Dialect::McpToolResult
            || self.expect.canonical.as_deref().is_some_and(|canonical| {
                let inside = canonical.get().trim_start_matches('{').trim_start();
                !inside.starts_with("\"messages\"")
                    && Json::parse(canonical.get(), &Limits::default())
                        .is_ok_and(|json| json.root().get("role").is_some_and(|role| role.is_str("toolResult")))
            })
    }
}

/// What a target says of a text that is to be sent; `None` where it is no transcript.
pub fn violations(input: &[u8], target: &Target, fragment: bool) -> Option<Vec<Violation>> {
    let options = CheckOptions { fragment, ..CheckOptions::new(target).as_request() };
    check(input, &options).ok().map(|checked| checked.violations)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    id: String,
    title: String,
    class: String,
    source: Vec<String>,
    from: Dialect,
    input: Option<Box<RawValue>>,
    input_text: Option<String>,
    input_base64: Option<String>,
    expect: Expect,
    deviates: Option<String>,
    whole: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    since: String,
    retired: Option<Retired>,
    review: Option<String>,
}

/// Reads one case, with its shapes written out. What it says is not looked into: that is what the lint of `wirecanon-cases` is for.
///
/// # Errors
///
/// The text is not JSON, has a field too many or too few, or a shape that is none.
pub fn parse(file: &str, text: &[u8]) -> Result<Case, Problem> {
    let fail = |message: String, cure: &str| Problem::of_file(file, message, cure);
    let text =
        utf8::text(text).map_err(|found| fail(found.to_string(), "give bytes that are not text as `input_base64`"))?;
    let json =
        Json::parse(text, &Limits::default()).map_err(|error| fail(error.to_string(), "a case is one JSON object"))?;
    let text = shape::written_out(&json).map_err(|problem| problem.in_file(file))?;
    let wire: Wire = serde_json::from_str(&text)
        .map_err(|error| fail(error.to_string(), "`wirecanon schema case` has its fields"))?;
    let (input, form) = match (wire.input, wire.input_text, wire.input_base64) {
        (Some(value), None, None) => (value.get().as_bytes().to_vec(), Form::Json),
        (None, Some(text), None) => (text.into_bytes(), Form::Text),
        (None, None, Some(base64)) => {
            let bytes = base64_simd::STANDARD
                .decode_to_vec(base64)
                .map_err(|_| fail("`input_base64` is not base64".to_owned(), "encode the bytes of the input"))?;
            (bytes, Form::Base64)
        }
        _ => {
            let message = "exactly one of `input`, `input_text` and `input_base64` must be given".to_owned();
            return Err(fail(message, "keep the one that shows the message best"));
        }
    };
    Ok(Case {
        id: wire.id,
        title: wire.title,
        class: wire.class,
        source: wire.source,
        from: wire.from,
        input,
        form,
        expect: wire.expect,
        deviates: wire.deviates,
        whole: wire.whole,
        tags: wire.tags,
        since: wire.since,
        retired: wire.retired,
        review: wire.review,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"id":"a-b","title":"t","class":"pairing","source":["s"],"from":"openai.chat","input":[],
        "expect":{"canonical":{"messages":[]}},"since":"0.1.0"}"#;

    #[test]
    fn a_case_is_read_with_its_shapes_written_out() {
        let text = GOOD.replace("[],", r#"[1.0, {"$text": {"of": "a", "length": 3}}],"#);
        let case = parse("pairing/a-b.json", text.as_bytes()).unwrap();
        assert_eq!(case.input, br#"[1.0,"aaa"]"#);
        assert_eq!(case.expected_output(Target::of_dialect(Dialect::Canonical)), Some(r#"{"messages":[]}"#));
        assert_eq!(case.expected_output(Target::of_dialect(Dialect::OpenAiChat)), None);
        let text = GOOD.replace(r#""input":[]"#, r#""input_text":{"$join":["[ ",{"$text":{"of":"a","length":3}}]}"#);
        assert_eq!(parse("pairing/a-b.json", text.as_bytes()).unwrap().input, b"[ aaa");
    }

    #[test]
    fn what_is_no_case_is_refused() {
        for (from, to, message) in [
            (r#""title""#, r#""titel""#, "unknown field `titel`"),
            (r#""input":[]"#, r#""input":[],"input_text":"""#, "exactly one of"),
            (r#""input":[]"#, r#""input_base64":"*""#, "not base64"),
            (r#""input":[]"#, r#""input":[{"$txt":1}]"#, "(at /input/0/$txt)"),
            (r#""id":"a-b""#, r#""id":"a-b","id":"a-b""#, "duplicate field `id`"),
        ] {
            let error = parse("pairing/a-b.json", GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        assert!(parse("a.json", b"\xff").unwrap_err().message.contains("UTF-8"));
    }
}
