//! Words: titles, what must survive, and strings that are too long to be read.

use wirecanon_core::json::Kind;
use wirecanon_judge::case::Case;
use wirecanon_judge::loss;
use wirecanon_judge::plain::is_obeyed;

use super::{Entry, Found};

/// Characters that a title may have.
const LONG_TITLE: usize = 200;

/// Characters in a row that repeat one, two or three others, and that a shape would say better.
const LONG_RUN: usize = 40;

/// What base64 repeats, as white space does in the text of an input.
const FILLERS: &str = "A/_-=";

pub(super) fn title(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let title = case.title.trim();
    let cure = "say in one sentence what must happen, for a maintainer who does not know this project";
    if title != case.title || !title.ends_with(['.', '!']) {
        found.under(entry, "/title", "the title is no sentence with a full stop", cure);
    } else if title.contains(is_obeyed) {
        found.under(entry, "/title", "the title holds a character that is not shown, or ends a line", cure);
    } else if title.chars().count() > LONG_TITLE {
        found.under(entry, "/title", format!("the title has more than {LONG_TITLE} characters"), cure);
    } else if title.split(' ').next().is_some_and(|word| word.chars().all(char::is_lowercase)) {
        found.under(entry, "/title", "the title does not start as a sentence does", cure);
    }
}

/// What an outcome shall hold must come from somewhere.
pub(super) fn kept(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let text = String::from_utf8_lossy(&case.input);
    let text = text.trim_start_matches('\u{feff}');
    // A drawing that becomes its text, or data in another spelling, is first seen in the outcome.
    let outcome = case.expect.canonical.as_ref().map_or("null", |canonical| canonical.get());
    for (at, word) in case.expect.must_keep.iter().enumerate() {
        let lost = |text: &str| !loss::lost(text, std::slice::from_ref(word)).is_empty();
        if lost(text) && lost(outcome) && !text.contains(word.as_str()) {
            let message = format!("`{}` does not stand in the input", wirecanon_judge::plain::shorten(word, 60));
            let cure = "what must survive is a text, a number or the data of a picture as the input has it";
            found.under(entry, &format!("/expect/must_keep/{at}"), message, cure);
        }
        if case.expect.must_keep[..at].contains(word) {
            found.under(entry, &format!("/expect/must_keep/{at}"), "it stands here twice", "take one away");
        }
    }
}

/// A long run is hard to count and hard to review.
pub(super) fn runs(entry: &Entry<'_>, _: &Case, found: &mut Found<'_>) {
    for index in 0..entry.json.len() as u32 {
        let value = entry.json.value(index);
        if value.kind() == Kind::String
            && let Some(run) = value.as_str().and_then(|text| longest_run(&text))
            && !run.0.chars().all(|c| c.is_whitespace() || FILLERS.contains(c))
        {
            let message = format!("{} characters in a row repeat `{}`", run.1, run.0.escape_debug());
            found.at(entry, value, message, "say it with `$text`, alone or in a `$join`");
        }
    }
}

/// The longest run of up to three characters again and again, where it is over [`LONG_RUN`].
fn longest_run(text: &str) -> Option<(String, usize)> {
    if text.len() <= LONG_RUN {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut best: Option<(usize, usize, usize)> = None;
    for unit in 1..=3 {
        let mut length = unit;
        for at in unit..chars.len() {
            length = if chars[at] == chars[at - unit] { length + 1 } else { unit };
            if length > LONG_RUN && best.is_none_or(|(_, _, longest)| length > longest) {
                best = Some((at + 1 - length, unit, length));
            }
        }
    }
    best.map(|(start, unit, length)| (chars[start..start + unit].iter().collect(), length))
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn runs_are_found_with_what_they_repeat() {
        assert_eq!(longest_run(&format!("id_{}-", "ab".repeat(30))), Some(("ab".to_owned(), 60)));
        assert_eq!(longest_run(&"x".repeat(65)), Some(("x".to_owned(), 65)));
        assert_eq!(longest_run(&"x".repeat(40)), None);
        assert_eq!(longest_run("a sentence that is longer than forty characters, but says something"), None);
    }
}
