//! Order of keys and lists, and layout of the file: what `case lint --fix` mends.

use wirecanon_judge::case::layout::{Order, first_out_of_order, laid_out};
use wirecanon_judge::problem::Problem;

use super::{Entry, Found};

const CURE: &str = "`wirecanon case lint --fix` mends it";

pub(super) fn order(entry: &Entry<'_>, found: &mut Found<'_>) {
    if let Some((before, after)) = first_out_of_order(entry.json) {
        let short = |value: wirecanon_core::json::Value<'_>| wirecanon_judge::plain::shorten(value.raw(), 60);
        found.at(entry, after, format!("{} stands after {}", short(after), short(before)), CURE);
    }
}

pub(super) fn layout(entry: &Entry<'_>, found: &mut Found<'_>) {
    let text = entry.json.text();
    let neat = laid_out(entry.json, Order::Kept);
    if text != neat {
        let offset = text.bytes().zip(neat.bytes()).take_while(|(one, other)| one == other).count();
        found.push(
            entry,
            Problem::in_text(entry.json.text(), offset, "the file is not laid out as all are from here on", CURE),
        );
    }
}
