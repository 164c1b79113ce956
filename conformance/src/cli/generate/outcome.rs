//! What is known of a transcript that was made, for programs in any language.

use serde::Serialize;
use serde_json::value::RawValue;
use wirecanon_generate::{Form, Generated};
use wirecanon_judge::exit::Stop;

/// As `wirecanon schema generated` describes it.
#[derive(Serialize)]
struct Outcome<'m> {
    number: u64,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_text: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    defects: &'m [&'static str],
    effect: String,
    rules: &'m [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<Box<RawValue>>,
    must_keep: &'m [String],
    reasoning: &'m [String],
    calls: Vec<Call<'m>>,
    may_refuse: bool,
}

#[derive(Serialize)]
struct Call<'m> {
    id: &'m str,
    name: &'m str,
    arguments: &'m str,
    results: &'m [String],
}

/// With the input itself, on one line.
pub(super) fn with_input(number: u64, made: &Generated) -> Result<String, Stop> {
    let text = std::str::from_utf8(&made.bytes);
    let base64 = text.is_err().then(|| base64_simd::STANDARD.encode_to_string(&made.bytes));
    printed(&Outcome { input_text: text.ok(), input_base64: base64, ..known(number, made)? })
}

/// With the name of the file that has the input, on one line.
pub(super) fn of_file(number: u64, made: &Generated, file: &str) -> Result<String, Stop> {
    printed(&Outcome { file: Some(file), ..known(number, made)? })
}

fn known(number: u64, made: &Generated) -> Result<Outcome<'_>, Stop> {
    let canonical = made.canonical.clone().map(RawValue::from_string).transpose();
    let calls = made.calls.iter();
    Ok(Outcome {
        number,
        from: Form { dialect: made.dialect, revision: made.revision }.name(),
        file: None,
        input_text: None,
        input_base64: None,
        defects: &made.faults,
        effect: made.effect.to_string(),
        rules: &made.rules,
        canonical: canonical.map_err(|error| broken(number, &error))?,
        must_keep: &made.must_keep,
        reasoning: &made.reasoning,
        calls: calls
            .map(|call| Call { id: &call.id, name: &call.name, arguments: &call.arguments, results: &call.results })
            .collect(),
        may_refuse: made.may_refuse,
    })
}

fn printed(outcome: &Outcome<'_>) -> Result<String, Stop> {
    serde_json::to_string(outcome).map_err(|error| broken(outcome.number, &error))
}

/// The generator wrote what is no JSON: not the user's fault.
fn broken(number: u64, error: &serde_json::Error) -> Stop {
    Stop::incomplete(format!("number {number}: the outcome cannot be written: {error}"))
}
