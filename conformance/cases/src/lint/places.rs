//! Places: a repair is expected where the input has something.

use wirecanon_core::json::resolve;
use wirecanon_judge::case::{Case, ExpectedRepair};
use wirecanon_judge::meaning;

use super::{Entry, Found};

pub(super) fn repairs(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let text = String::from_utf8_lossy(&case.input);
    let Some(json) = meaning::parse(text.trim_start_matches('\u{feff}')) else { return };
    for (pointer, repair) in expected_repairs(case) {
        if let Some(place) = repair.input.as_deref().filter(|place| resolve(json.root(), place).is_none()) {
            let message = format!("the input has nothing at {place}");
            let cure = "give a JSON Pointer into the input, or null for what stands nowhere in it";
            found.under(entry, &format!("{pointer}/in"), message, cure);
        }
    }
}

/// Yields the repairs that a case expects, and the violations, each with its pointer.
pub(super) fn expected_repairs(case: &Case) -> impl Iterator<Item = (String, &ExpectedRepair)> {
    let expect = &case.expect;
    let own = expect
        .targets
        .iter()
        .filter_map(|(name, target)| Some((format!("/expect/targets/{name}/repairs"), target.repairs.as_ref()?)));
    let shared = expect.repairs.iter().map(|list| ("/expect/repairs".to_owned(), list));
    let judged = expect.check.iter().map(|(name, list)| (format!("/expect/check/{name}"), list));
    let lists = shared.chain(own).chain(judged);
    lists.flat_map(|(place, list)| list.iter().enumerate().map(move |(at, repair)| (format!("{place}/{at}"), repair)))
}
