//! A text in pieces: what was made, and what stands in the input already.

use std::borrow::Cow;
use std::io::{self, IoSlice, Write};

use wirecanon_model::report::Report;

/// What [`fix_in_pieces`](crate::pipeline::fix_in_pieces) made.
///
/// ```
/// use wirecanon_core::{Dialect, Options, fix_in_pieces};
///
/// let clean = br#"[{"role":"user","content":"hi"}]"#;
/// let fixed = fix_in_pieces(clean, &Options::new().from(Dialect::OpenAiChat))?;
/// assert!(!fixed.report.changed);
/// assert_eq!(fixed.output.iter().collect::<Vec<_>>(), [clean]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedInPieces<'a> {
    /// The mended text
    pub output: Pieces<'a>,
    /// Every change
    pub report: Report<'a>,
}

/// A text, long parts of which were not copied: where little was mended, nearly all of it stands in the input. Whoever writes it
/// somewhere need not have it in one piece.
///
/// ```
/// use wirecanon_core::{Options, Target, fix_in_pieces};
///
/// let long = "word ".repeat(2000);
/// let late = r#"{"role":"tool","tool_call_id":"x","content":"late"}"#;
/// let history = format!(r#"[{{"role":"user","content":"{long}"}},{late},{{"role":"user","content":"{long}"}}]"#);
/// let fixed = fix_in_pieces(history.as_bytes(), &Options::new().to(Target::by_name("openai.chat")?))?;
/// let pieces: Vec<&[u8]> = fixed.output.iter().collect();
/// assert!(pieces.len() > 1 && pieces[0].as_ptr() == history.as_ptr(), "what stands in front of the fault is the input's own");
///
/// let mut written = Vec::new();
/// fixed.output.write_to(&mut written)?;
/// assert_eq!(written.len(), fixed.output.len());
/// assert!(!fixed.output.is_empty() && written == *fixed.output.into_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    made: String,
    /// Parts of the input, each behind so many bytes of what was made
    parts: Vec<(usize, &'a [u8])>,
}

/// Pieces that are handed to the system at once.
const TOGETHER: usize = 64;

impl<'a> Pieces<'a> {
    /// The input as it is.
    pub(crate) fn all_of(input: &'a [u8]) -> Self {
        Self { made: String::new(), parts: vec![(0, input)] }
    }

    /// What was made, with these parts of the input in between.
    pub(crate) fn of(made: String, parts: Vec<(usize, &'a [u8])>) -> Self {
        Self { made, parts }
    }

    /// The pieces in order, none of them empty.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let made = self.made.as_bytes();
        let starts = std::iter::once(0).chain(self.parts.iter().map(|(at, _)| *at));
        let ends = self.parts.iter().map(|(at, _)| *at).chain([made.len()]);
        let own = starts.zip(ends).map(move |(start, end)| &made[start..end]);
        let parts = self.parts.iter().map(|(_, part)| *part).chain([&[][..]]);
        own.zip(parts).flat_map(|(own, part)| [own, part]).filter(|piece| !piece.is_empty())
    }

    /// All of it in one piece, which is copied where there are several.
    pub(crate) fn to_bytes(&self) -> Cow<'_, [u8]> {
        let mut pieces = self.iter();
        match (pieces.next(), pieces.next()) {
            (first, None) => Cow::Borrowed(first.unwrap_or_default()),
            (Some(first), Some(second)) => {
                let mut whole = Vec::with_capacity(self.len());
                [first, second].into_iter().chain(pieces).for_each(|piece| whole.extend_from_slice(piece));
                Cow::Owned(whole)
            }
            (None, Some(_)) => Cow::default(),
        }
    }

    /// Bytes of all pieces together.
    pub fn len(&self) -> usize {
        self.made.len() + self.parts.iter().map(|(_, part)| part.len()).sum::<usize>()
    }

    /// Whether there is not one byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes all of it, many pieces at once.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_to(&self, mut writer: impl Write) -> io::Result<()> {
        let mut pieces = self.iter().map(IoSlice::new).peekable();
        while pieces.peek().is_some() {
            let mut some: Vec<_> = pieces.by_ref().take(TOGETHER).collect();
            let mut left = &mut some[..];
            while !left.is_empty() {
                match writer.write_vectored(left) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(written) => IoSlice::advance_slices(&mut left, written),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// All of it in one piece: the input's own bytes where it is one part of them, what was made where it is nothing else, and
    /// otherwise a copy.
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        match self.parts.as_slice() {
            [] => Cow::Owned(self.made.into_bytes()),
            [(_, part)] if self.made.is_empty() => Cow::Borrowed(part),
            _ => {
                let mut whole = Vec::with_capacity(self.len());
                self.iter().for_each(|piece| whole.extend_from_slice(piece));
                Cow::Owned(whole)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that takes a few bytes of the first buffer at a time, and is interrupted now and then.
    struct Slow(Vec<u8>, usize);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let taken = bytes.len().min(5);
            self.0.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_pieces_are_written_in_order() {
        let parts: Vec<&[u8]> = vec![b"one part", b"", b"another", b"and the last"];
        let pieces = Pieces::of("0123456789".to_owned(), [0, 3, 3, 10].into_iter().zip(parts).collect());
        let whole = "one part012another3456789and the last";
        let mut slow = Slow(Vec::new(), 0);
        pieces.write_to(&mut slow).unwrap();
        assert_eq!(String::from_utf8(slow.0).unwrap(), whole);
        assert_eq!(pieces.len(), whole.len());
        assert_eq!(*pieces.into_bytes(), *whole.as_bytes());
        let many = Pieces::of("x".repeat(1000), (1..1000).map(|at| (at, &b"-"[..])).collect());
        let mut written = Vec::new();
        many.write_to(&mut written).unwrap();
        assert_eq!(written, *many.into_bytes());
        assert_eq!(written.len(), 1999);
    }

    /// Generated transcripts of every dialect, each to every other target, so that each pair comes up.
    #[test]
    fn pieces_are_the_whole_in_the_end() {
        use wirecanon_generate::Dialect as Generated;

        use crate::generated::transcript;
        use crate::pipeline::{From, Options, fix, fix_in_pieces_over};
        use wirecanon_model::{Mode, Target};

        let mut in_pieces = 0;
        for round in 0..220 {
            let dialect = Generated::ALL[round as usize % Generated::ALL.len()];
            let made = transcript(dialect, round, 700, 4);
            let targets = Target::all().iter().skip(round as usize / Generated::ALL.len() % 2).step_by(2);
            for (target, mode) in targets.flat_map(|to| [Mode::Request, Mode::History].map(|mode| (to, mode))) {
                for from in
                    [From::Auto, wirecanon_model::Dialect::by_name(dialect.name()).map_or(From::Auto, From::Dialect)]
                {
                    let options = Options { from, to: Some(target), mode, ..Options::default() };
                    match (fix(&made.bytes, &options), fix_in_pieces_over(&made.bytes, &options, 64)) {
                        (Ok(whole), Ok(pieces)) => {
                            in_pieces += usize::from(!pieces.output.parts.is_empty() && !pieces.output.made.is_empty());
                            assert_eq!(
                                pieces.output.into_bytes(),
                                whole.output,
                                "{}",
                                String::from_utf8_lossy(&made.bytes)
                            );
                            assert_eq!(pieces.report, whole.report);
                        }
                        (whole, pieces) => assert!(whole.is_err() && pieces.is_err()),
                    }
                }
            }
        }
        assert!(in_pieces > 1000, "{in_pieces}");
    }

    #[test]
    fn a_writer_that_takes_nothing_is_an_error() {
        let full: &mut [u8] = &mut [0; 4];
        let error = Pieces::all_of(b"12345").write_to(full).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero);
    }
}
