//! Lines and columns of many places in one text.

/// Characters are counted once for each so many bytes, so that no place is searched from the start of its line.
const STRIDE: usize = 1024;

/// Lines and columns of places in a text, each found in constant time after one walk over the text.
///
/// ```
/// use wirecanon::report::positions::Positions;
///
/// let positions = Positions::of("{\n \"rôle\": 1}");
/// assert_eq!((positions.of_byte(0), positions.of_byte(12)), ((1, 1), (2, 10)));
/// ```
pub struct Positions<'t> {
    text: &'t str,
    /// Where lines begin
    starts: Vec<usize>,
    /// How many characters begin before each [`STRIDE`] of bytes
    counts: Vec<usize>,
}

impl<'t> Positions<'t> {
    /// Walks over a text.
    pub fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut all = 0;
        let counts = text.as_bytes().chunks(STRIDE).map(|chunk| {
            let before = all;
            all += characters(chunk);
            before
        });
        Self { text, counts: counts.collect(), starts }
    }

    /// Returns line and column, both from 1, of a byte; the column in characters, without a byte order mark.
    pub fn of_byte(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or_default();
        let mark = usize::from(start < at && self.text.get(start..).is_some_and(|rest| rest.starts_with('\u{feff}')));
        (line, self.count(at) - self.count(start) - mark + 1)
    }

    /// How many characters begin before a byte.
    fn count(&self, at: usize) -> usize {
        let stride = at / STRIDE;
        let before = self.counts.get(stride).copied();
        match before {
            Some(before) => before + characters(&self.text.as_bytes()[stride * STRIDE..at]),
            // The end of a text that fills its last stride.
            None => self.counts.last().map_or(0, |before| before + characters(&self.text.as_bytes()[at - STRIDE..at])),
        }
    }
}

fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_far_into_a_line_is_found_as_one_near_its_start() {
        let slow = |text: &str, at: usize| {
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let line = text[..at].matches('\n').count() + 1;
            (line, text[start..at].trim_start_matches('\u{feff}').chars().count() + 1)
        };
        let texts = [
            String::new(),
            "x".repeat(STRIDE),
            "ä".repeat(STRIDE),
            format!("\u{feff}{}", "a\näöü\n".repeat(400)),
            "\n".repeat(3000),
        ];
        for text in &texts {
            let positions = Positions::of(text);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                assert_eq!(positions.of_byte(at), slow(text, at), "{at} of {}", text.len());
            }
        }
    }
}
