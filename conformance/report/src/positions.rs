//! Lines and columns of many places in one text.

/// The number of bytes between two character counts, so that a column is not counted from the start of its line.
const STRIDE: usize = 1024;

/// Lines and columns of places in a text, each found in constant time after one walk over the text.
///
/// ```
/// use wirecanon_report::positions::Positions;
///
/// let positions = Positions::new("{\n \"rôle\": 1}");
/// assert_eq!((positions.of_byte(0), positions.of_byte(12)), ((1, 1), (2, 10)));
/// ```
pub struct Positions<'t> {
    text: &'t str,
    /// The first byte of each line
    starts: Vec<usize>,
    /// The number of characters that begin before each [`STRIDE`] of bytes
    counts: Vec<usize>,
}

impl<'t> Positions<'t> {
    /// Walks over a text.
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut all = 0;
        let mut counts = vec![0];
        for chunk in text.as_bytes().chunks(STRIDE) {
            all += characters(chunk);
            counts.push(all);
        }
        Self { text, starts, counts }
    }

    /// Returns line and column, both from 1, of a byte; the column in characters, without a byte order mark.
    pub fn of_byte(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or_default();
        let mark =
            usize::from(start < offset && self.text.get(start..).is_some_and(|rest| rest.starts_with('\u{feff}')));
        (line, self.count(offset) - self.count(start) - mark + 1)
    }

    /// Returns the number of characters that begin before a byte.
    fn count(&self, at: usize) -> usize {
        let stride = at / STRIDE;
        self.counts[stride] + characters(&self.text.as_bytes()[stride * STRIDE..at])
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
            let positions = Positions::new(text);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                assert_eq!(positions.of_byte(at), slow(text, at), "{at} of {}", text.len());
            }
        }
    }
}
