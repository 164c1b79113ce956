//! Places: a repair is expected where the input has something.

use wirecanon_core::json::{Json, Limits, parse_lines, resolve};
use wirecanon_judge::case::Case;

use super::{Entry, Found};

pub(super) fn repairs(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let text = String::from_utf8_lossy(&case.input);
    let text = text.trim_start_matches('\u{feff}');
    let limits = Limits::default();
    let Ok(json) = Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)) else { return };
    let own = case.expect.targets.iter().flat_map(|(name, target)| {
        let list = target.repairs.iter().flatten().enumerate();
        list.map(move |(at, repair)| (format!("/expect/targets/{name}/repairs/{at}/in"), repair))
    });
    let shared = case.expect.repairs.iter().flatten().enumerate();
    let shared = shared.map(|(at, repair)| (format!("/expect/repairs/{at}/in"), repair));
    let judged = case.expect.check.iter().flat_map(|(name, list)| {
        list.iter().enumerate().map(move |(at, repair)| (format!("/expect/check/{name}/{at}/in"), repair))
    });
    for (pointer, repair) in shared.chain(own).chain(judged) {
        if let Some(place) = repair.input.as_deref().filter(|place| resolve(json.root(), place).is_none()) {
            let message = format!("the input has nothing at {place}");
            let cure = "give a JSON Pointer into the input, or null for what stands nowhere in it";
            found.under(entry, &pointer, message, cure);
        }
    }
}
