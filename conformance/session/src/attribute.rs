//! Which atom of the file each atom of a mended document was: the same bytes, the same id, or the same place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use wirecanon_core::json::{Json, Limits, Value, same};

/// An atom as it stands in a document, before or after.
pub(super) struct Seen<'t> {
    pub(super) role: Option<String>,
    pub(super) raw: Cow<'t, str>,
    /// Whether it is an item of a list of blocks
    pub(super) in_list: bool,
}

impl Seen<'_> {
    /// Whether both are the same but for white space and the order of members.
    pub(super) fn says_the_same(&self, other: &Seen<'_>, limits: Limits) -> bool {
        let equal = || match (Json::parse(&self.raw, &limits), Json::parse(&other.raw, &limits)) {
            (Ok(one), Ok(other)) => same(one.root(), other.root()),
            _ => false,
        };
        self.role == other.role && self.in_list == other.in_list && (self.raw == other.raw || equal())
    }
}

/// Keys that hold the id of a call, in the order in which they count.
const IDS: &[&str] = &["toolCallId", "tool_use_id", "call_id", "id"];

/// For each atom of `after` the one of `before` that it was.
pub(super) fn attribute(
    before: &[Seen<'_>],
    after: &[Seen<'_>],
    renamed: &[(&str, &str)],
    limits: Limits,
) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; after.len()];
    let mut free: HashSet<usize> = (0..before.len()).collect();
    let mut same: HashMap<(&str, Option<&str>), VecDeque<usize>> = HashMap::new();
    for (at, seen) in before.iter().enumerate() {
        same.entry((&seen.raw, seen.role.as_deref())).or_default().push_back(at);
    }
    let mut last = 0;
    for (at, seen) in after.iter().enumerate() {
        let Some(places) = same.get_mut(&(&*seen.raw, seen.role.as_deref())) else { continue };
        // Of equal ones the next that is further down, so that what did not move stays where it is.
        let next = places.iter().position(|place| *place >= last).unwrap_or(0);
        if let Some(place) = places.remove(next) {
            last = last.max(place);
            free.remove(&place);
            found[at] = Some(place);
        }
    }
    // Of several calls with one id the first keeps it, so an old id may have several new ones.
    let was: HashMap<&str, &str> = renamed.iter().map(|(old, new)| (*new, *old)).collect();
    let sign = |seen: &Seen<'_>| sign(seen, limits);
    let mut signs: HashMap<(String, String), VecDeque<usize>> = HashMap::new();
    let mut signed: HashSet<usize> = HashSet::new();
    for (at, seen) in before.iter().enumerate().filter(|(at, _)| free.contains(at)) {
        if let Some((kind, id)) = sign(seen) {
            signed.insert(at);
            signs.entry((kind, id)).or_default().push_back(at);
        }
    }
    for (at, seen) in after.iter().enumerate().filter(|(at, _)| found[*at].is_none()).collect::<Vec<_>>() {
        let Some((kind, id)) = sign(seen) else { continue };
        let old = was.get(id.as_str()).map(|old| (kind.clone(), (*old).to_owned()));
        let mut next = |sign: &(String, String)| signs.get_mut(sign)?.pop_front();
        let Some(place) = next(&(kind, id)).or_else(|| next(&old?)) else { continue };
        free.remove(&place);
        found[at] = Some(place);
    }
    let mut last = None;
    for at in 0..after.len() {
        if found[at].is_some() {
            last = found[at];
            continue;
        }
        let seen = &after[at];
        let gives = is_result(seen, limits);
        let alike = |place: &usize| {
            let other = &before[*place];
            free.contains(place)
                && other.role == seen.role
                && other.in_list == seen.in_list
                && is_result(other, limits) == gives
                && !(signed.contains(place) && sign(seen).is_some())
        };
        let from = last.map_or(0, |last| last + 1);
        let gap = (from..before.len()).take_while(|place| free.contains(place));
        if let Some(place) = gap.into_iter().find(alike) {
            free.remove(&place);
            found[at] = Some(place);
            last = Some(place);
        }
    }
    found
}

/// Whether an atom is what a tool gave: no word of anybody's becomes that, and it becomes nobody's words.
fn is_result(seen: &Seen<'_>, limits: Limits) -> bool {
    let json = Json::parse(&seen.raw, &limits).ok();
    let named = |key| json.as_ref()?.root().get(key)?.as_str().map(Cow::into_owned);
    matches!(named("role").as_deref(), Some("toolResult" | "tool"))
        || named("type").is_some_and(|kind| kind.ends_with("_output") || kind == "tool_result")
}

/// What an atom is, and the id that tells it from others of its kind. An empty one tells nothing.
fn sign(seen: &Seen<'_>, limits: Limits) -> Option<(String, String)> {
    let json = Json::parse(&seen.raw, &limits).ok()?;
    let root = json.root();
    let text = |value: Value<'_>| value.as_str().map(Cow::into_owned);
    let kind = root.get("type").or_else(|| root.get("role")).and_then(text)?;
    let own = IDS.iter().find_map(|key| root.get(key)).and_then(text);
    let of_call = || root.get("content")?.items().find_map(|block| block.get("id").and_then(text));
    own.or_else(of_call).filter(|id| !id.trim().is_empty()).map(|id| (kind, id))
}
