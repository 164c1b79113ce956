//! P5: local.

use super::{Case, REFUSED, Verdict, Written, convert, violated};
use crate::normalizer::{Normalizer, Request};
use wirecanon_convert::From;
use wirecanon_json::{Json, Limits};
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Mode};

/// Repairing `A ++ B` repairs `A`, then `B`.
pub(super) fn local(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let Some(then) = case.then else { return Verdict::NotApplicable("there is no second transcript") };
    let canonical = Target::of_dialect(Dialect::Canonical);
    if case.from != From::Dialect(Dialect::Canonical) || case.fragment {
        return Verdict::NotApplicable("the transcript is not in the canonical dialect");
    }
    let (Some(first), Some(second)) = (messages(case.input), messages(then)) else {
        return Verdict::NotApplicable("there is no list of messages");
    };
    if !second.first().is_some_and(|message| opens_with_user(message)) {
        return Verdict::NotApplicable("the second transcript does not open with a user message");
    }
    let joined: Vec<_> = first.iter().chain(&second).map(String::as_str).collect();
    let joined = format!("{{\"messages\":[{}]}}", joined.join(","));
    // Sent, not stored: the open calls at the end of the first are closed either way.
    let request = |input| Request { input, from: case.from, to: canonical, mode: Mode::Request, call_id: None };
    let whole = request(joined.as_bytes());
    let (Some(one), Some(two), Some(both)) =
        (convert(normalizer, &request(case.input)), convert(normalizer, &request(then)), convert(normalizer, &whole))
    else {
        return REFUSED;
    };
    if [&one, &two, &both].into_iter().any(minted) {
        return Verdict::NotApplicable("ids were minted, and may differ");
    }
    let (Some(mut parts), Some(rest), Some(together)) =
        (messages(&one.bytes), messages(&two.bytes), messages(&both.bytes))
    else {
        return violated("P5", &whole, Some(&both.bytes), "an output has no list of messages");
    };
    parts.extend(rest);
    if parts == together {
        return Verdict::Held;
    }
    let place = parts.iter().zip(&together).take_while(|(alone, joined)| alone == joined).count();
    let message = format!(
        "{} and {} messages apart, {} together; number {place} differs: {} apart, {} together",
        parts.len() - messages(&two.bytes).map_or(0, |list| list.len()),
        messages(&two.bytes).map_or(0, |list| list.len()),
        together.len(),
        parts.get(place).map_or("nothing", String::as_str),
        together.get(place).map_or("nothing", String::as_str),
    );
    violated("P5", &whole, Some(&both.bytes), message)
}

fn opens_with_user(message: &str) -> bool {
    Json::parse(message, &Limits::default())
        .is_ok_and(|json| json.root().get("role").is_some_and(|role| role.is_str("user")))
}

fn minted(written: &Written) -> bool {
    written.report.as_ref().is_some_and(|report| !report.ids.is_empty())
}

/// The exact text of each message.
fn messages(bytes: &[u8]) -> Option<Vec<String>> {
    let json = Json::parse(std::str::from_utf8(bytes).ok()?, &Limits::default()).ok()?;
    let list = json.root().get("messages")?;
    list.is_array().then(|| list.items().map(|message| message.raw().to_owned()).collect())
}
