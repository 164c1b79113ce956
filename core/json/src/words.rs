//! Words that stay in the spelling of the text that they were read from until somebody asks for them.

use std::borrow::Cow;

use super::text::{characters, decode, decodes_to, quote_into};

/// Words: as somebody said them, or as a JSON text spells them. Most words of a transcript are only carried from one text
/// into another, and those are neither decoded nor escaped again.
///
/// ```
/// use wirecanon_json::{Json, Limits, Words};
///
/// let json = Json::parse(r#""two\nlines""#, &Limits::default())?;
/// let words = json.root().words().ok_or("no string")?;
/// assert_eq!(words, Words::from("two\nlines"));
/// assert!(words == "two\nlines" && words.starts_with("two\n") && !words.is_blank() && !words.is_empty());
/// assert_eq!(words.get().lines().count(), 2);
/// assert_eq!(words.into_owned(), "two\nlines");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Words<'a>(Form<'a>);

#[derive(Clone)]
enum Form<'a> {
    Said(Cow<'a, str>),
    /// The inside of a JSON string, spelled as [`quote_into`] would spell it. It holds no NUL
    Spelled(&'a str),
}

impl<'a> Words<'a> {
    /// The inside of a proved JSON string that is spelled as [`quote_into`] would spell it, and holds no NUL.
    pub(super) fn spelled(inner: &'a str) -> Self {
        Self(Form::Spelled(inner))
    }

    /// The words. Decodes them each time where something is escaped.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#""two\nlines""#, &Limits::default())?;
    /// let words = json.root().words().ok_or("no string")?;
    /// assert_eq!(words.get(), "two\nlines");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self) -> Cow<'_, str> {
        match &self.0 {
            Form::Said(words) => Cow::Borrowed(words),
            Form::Spelled(inner) => decode(inner),
        }
    }

    /// The words, borrowed for as long as the text that they were read from, where nothing is escaped.
    fn into_cow(self) -> Cow<'a, str> {
        match self.0 {
            Form::Said(words) => words,
            Form::Spelled(inner) => decode(inner),
        }
    }

    /// The words.
    ///
    /// ```
    /// use wirecanon_json::Words;
    ///
    /// assert_eq!(Words::from("a cat").into_owned(), "a cat".to_owned());
    /// ```
    pub fn into_owned(self) -> String {
        self.into_cow().into_owned()
    }

    /// Whether there are none.
    ///
    /// ```
    /// use wirecanon_json::Words;
    ///
    /// assert!(Words::from("").is_empty() && !Words::from(" ").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Form::Said(text) => text.is_empty(),
            Form::Spelled(text) => text.is_empty(),
        }
    }

    /// Whether they are white space. Nearly all show at their first character that they are not.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"[" \n", "a cat"]"#, &Limits::default())?;
    /// let blank: Vec<_> = json.root().items().filter_map(|item| item.words()).map(|words| words.is_blank()).collect();
    /// assert_eq!(blank, [true, false]);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_blank(&self) -> bool {
        let spelling: &str = match &self.0 {
            Form::Said(words) => words,
            Form::Spelled(inner) => inner,
        };
        // Code is indented.
        let first = spelling.bytes().find(|byte| *byte != b' ');
        if first.is_some_and(|first| first.is_ascii_graphic() && first != b'\\') {
            return false;
        }
        match &self.0 {
            Form::Said(words) => words.chars().all(char::is_whitespace),
            Form::Spelled(inner) => characters(inner).all(char::is_whitespace),
        }
    }

    /// Whether they open with this. Takes no longer than `start` is long.
    ///
    /// ```
    /// use wirecanon_json::Words;
    ///
    /// assert!(Words::from("[wirecanon: tool error] no such file").starts_with("[wirecanon: "));
    /// ```
    pub fn starts_with(&self, start: &str) -> bool {
        match &self.0 {
            Form::Said(words) => words.starts_with(start),
            Form::Spelled(inner) => {
                let mut words = characters(inner);
                start.chars().all(|character| words.next() == Some(character))
            }
        }
    }

    /// Whether a NUL is among them.
    #[doc(hidden)]
    pub fn has_nul(&self) -> bool {
        match &self.0 {
            Form::Said(words) => memchr::memchr(0, words.as_bytes()).is_some(),
            Form::Spelled(_) => false,
        }
    }

    /// Appends them as a JSON string with its quotes.
    #[doc(hidden)]
    pub fn quote_into(&self, out: &mut String) {
        match &self.0 {
            Form::Said(words) => quote_into(out, words),
            Form::Spelled(inner) => {
                out.push('"');
                out.push_str(inner);
                out.push('"');
            }
        }
    }
}

impl std::fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

impl Default for Words<'_> {
    fn default() -> Self {
        Self::from("")
    }
}

impl<'a> From<Cow<'a, str>> for Words<'a> {
    fn from(words: Cow<'a, str>) -> Self {
        Self(Form::Said(words))
    }
}

impl<'a> From<&'a str> for Words<'a> {
    fn from(words: &'a str) -> Self {
        Cow::Borrowed(words).into()
    }
}

impl From<String> for Words<'_> {
    fn from(words: String) -> Self {
        Cow::<str>::Owned(words).into()
    }
}

impl PartialEq<str> for Words<'_> {
    fn eq(&self, other: &str) -> bool {
        match &self.0 {
            Form::Said(words) => words == other,
            // An escape is longer than what it stands for, and six bytes stand for one at most.
            Form::Spelled(inner) => (other.len()..=other.len() * 6).contains(&inner.len()) && decodes_to(inner, other),
        }
    }
}

impl PartialEq<&str> for Words<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Words<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // What is spelled in one way alone is the same where its spelling is.
            (Form::Spelled(one), Form::Spelled(other)) => std::ptr::eq(*one, *other) || one == other,
            (Form::Said(words), _) => *other == **words,
            (_, Form::Said(words)) => *self == **words,
        }
    }
}

impl Eq for Words<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Json, Limits, quote};

    /// Whatever stands there: the words are the same as if they had been decoded at once, and they are written as those are.
    #[test]
    fn a_spelling_is_kept_only_where_it_is_ours() {
        let pieces = [
            "",
            " ",
            "a",
            "é",
            "\u{3000}",
            "\u{feff}",
            r"\n",
            r"\t",
            r"\r",
            r"\b",
            r"\f",
            r#"\""#,
            r"\\",
            r"\/",
            r"\u0000",
            r"\u0001",
            r"\u0008",
            r"\u000a",
            r"\u000c",
            r"\u000d",
            r"\u0009",
            r"\u001b",
            r"\u001B",
            r"\u001f",
            r"\u0020",
            r"\u007f",
            r"\u00e9",
            r"\u00E9",
            r"\u3000",
            r"\ud83d\ude00",
            r"\ud83d",
            r"\ude00",
            r"\\u0000",
            r"\\u001B",
        ];
        let (step, least) = if cfg!(miri) { (12, 50) } else { (1, 900) };
        let mut kept = 0;
        for one in pieces {
            for other in pieces.into_iter().step_by(step) {
                for inner in [format!("{one}{other}"), format!("{one}b{other}"), format!("{one} {other}\\n")] {
                    let text = format!("[\"x\",\"{inner}\"]");
                    let json = Json::parse(&text, &Limits::default()).unwrap();
                    let value = json.root().items().nth(1).unwrap();
                    let (words, said) = (value.words().unwrap(), value.as_str().unwrap());
                    kept += usize::from(matches!(words.0, Form::Spelled(_)));
                    assert_eq!(words.get(), said, "{inner}");
                    let decoded = Words::from(said.clone());
                    let mut written = String::new();
                    words.quote_into(&mut written);
                    assert_eq!(written, quote(&said), "{inner}");
                    assert_eq!(words.is_blank(), said.trim().is_empty(), "{inner}");
                    assert_eq!((words.is_empty(), words.has_nul()), (said.is_empty(), said.contains('\0')), "{inner}");
                    for start in said.char_indices().map(|(at, _)| &said[..at]).chain([&*said]) {
                        assert!(words.starts_with(start) && !words.starts_with(&format!("{start}#")), "{inner}");
                        assert_eq!(words == start, start == said, "{inner}");
                    }
                    assert_eq!(words, decoded, "{inner}");
                    assert_eq!(decoded, words, "{inner}");
                    assert!(words != "#", "{inner}");
                    assert_eq!(words.clone().into_cow(), said);
                }
            }
        }
        assert!(kept > least, "{kept}");
    }
}
