//! Where things stand in a text: line and column for people, and units of UTF-16, in which scripts count.

use std::collections::BTreeMap;

use serde::Serialize;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_judge::pointer::nearest;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    /// From 1
    pub(super) line: usize,
    /// From 1, in characters
    pub(super) column: usize,
    /// Where it begins and ends, in units of UTF-16 from the beginning of the whole text
    pub(super) range: (usize, usize),
}

/// Where a text begins in a longer one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// Lines before it
    pub(super) lines: usize,
    /// Units of UTF-16 before it
    pub(super) units: usize,
}

impl Origin {
    /// Where the text behind this one begins.
    pub(super) fn after(self, text: &str) -> Self {
        Self {
            lines: self.lines + text.bytes().filter(|byte| *byte == b'\n').count(),
            units: self.units + text.encode_utf16().count(),
        }
    }
}

/// Where something begins and ends, in bytes.
pub(super) type Span = (usize, usize);

/// Where these values stand in a text; of a value that is not there, what it would stand in. Nothing where the text is no JSON.
pub(super) fn spans(text: &str, pointers: &[Option<&str>]) -> Vec<Option<Span>> {
    if pointers.iter().all(Option::is_none) {
        return vec![None; pointers.len()];
    }
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let limits = Limits::default();
    let Ok(json) = Json::parse(&text[mark..], &limits).or_else(|_| parse_lines(&text[mark..], &limits)) else {
        return vec![None; pointers.len()];
    };
    // A pointer comes often, and looking for one is linear in what stands before it.
    let mut found: BTreeMap<&str, Span> = BTreeMap::new();
    for pointer in pointers.iter().flatten() {
        found.entry(*pointer).or_insert_with(|| {
            let span = nearest(json.root(), pointer).span();
            (mark + span.start, mark + span.end)
        });
    }
    pointers.iter().map(|pointer| found.get((*pointer)?).copied()).collect()
}

/// The places of these stretches of a text.
pub(super) fn told(text: &str, origin: Origin, spans: &[Option<Span>]) -> Vec<Option<Place>> {
    let fits = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let spans: Vec<Option<Span>> =
        spans.iter().map(|span| span.map(|(begin, end)| (fits(begin), fits(end.max(begin))))).collect();
    let places = of_spans(text, origin, spans.iter().flatten().copied());
    spans.iter().map(|span| places.get(&(*span)?).copied()).collect()
}

/// The places of spans in bytes, in one way through the text.
fn of_spans(text: &str, origin: Origin, spans: impl Iterator<Item = Span>) -> BTreeMap<Span, Place> {
    let spans: Vec<_> = spans.collect();
    let mut stops: Vec<usize> = spans.iter().flat_map(|(begin, end)| [*begin, *end]).collect();
    stops.sort_unstable();
    stops.dedup();
    // A byte order mark is of no column.
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mut at, mut line, mut column, mut units) = (start, origin.lines + 1, 1, origin.units + usize::from(start > 0));
    let mut known: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
    for stop in stops {
        for c in text.get(at..stop).unwrap_or_default().chars() {
            units += c.len_utf16();
            if c == '\n' {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        at = at.max(stop);
        known.insert(stop, (line, column, units));
    }
    spans
        .into_iter()
        .filter_map(|(begin, end)| {
            let (line, column, first) = *known.get(&begin)?;
            let (.., last) = *known.get(&end)?;
            Some(((begin, end), Place { line, column, range: (first, last) }))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_values(text: &str, origin: Origin, pointers: &[Option<&str>]) -> Vec<Option<Place>> {
        told(text, origin, &spans(text, pointers))
    }

    #[test]
    fn a_place_is_line_column_and_units() {
        let text = "{\"messages\": [\n  {\"r🙂le\": 1, \"content\": [\"ö\"]}\n]}";
        let pointers = ["/messages/0/content", "/messages/0/gone/x", "", "/messages/0/content/0"];
        let pointers: Vec<Option<&str>> = pointers.into_iter().map(Some).chain([None]).collect();
        let found = of_values(text, Origin::default(), &pointers);
        let units: Vec<u16> = text.encode_utf16().collect();
        let said = |place: Option<Place>| {
            let place = place.unwrap();
            let text = String::from_utf16(&units[place.range.0..place.range.1]).unwrap();
            (place.line, place.column, text)
        };
        assert_eq!(said(found[0]), (2, 26, "[\"ö\"]".to_owned()));
        assert_eq!(said(found[1]), (2, 3, "{\"r🙂le\": 1, \"content\": [\"ö\"]}".to_owned()));
        assert_eq!(said(found[2]), (1, 1, text.to_owned()));
        assert_eq!(said(found[3]), (2, 27, "\"ö\"".to_owned()));
        assert_eq!(found[4], None);
        let moved = of_values(text, Origin { lines: 3, units: 100 }, &pointers);
        assert_eq!(moved[0].unwrap().line, 5);
        assert_eq!(moved[0].unwrap().range.0, found[0].unwrap().range.0 + 100);
    }

    #[test]
    fn lines_marks_and_texts_that_are_none() {
        let found = of_values("\u{feff}{\"a\":1}\n{\"a\":2}\n", Origin::default(), &[Some("/1/a"), Some("/0")]);
        assert_eq!(found[0].unwrap(), Place { line: 2, column: 6, range: (14, 15) });
        assert_eq!(found[1].unwrap(), Place { line: 1, column: 1, range: (1, 8) });
        assert_eq!(of_values("no", Origin::default(), &[Some("")]), [None]);
        let span = told("aö\nb", Origin::default(), &[Some((2, 99))]);
        assert_eq!(span[0].unwrap(), Place { line: 1, column: 2, range: (1, 4) });
        let after = Origin::default().after("a🙂\nb\n");
        assert_eq!((after.lines, after.units), (2, 6));
    }
}
