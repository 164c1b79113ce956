//! Names, and the characters that they are made of.

use serde::{Deserialize, Serialize};

/// What a tool name may be.
///
/// ```
/// use wirecanon_core::target::Names;
///
/// let names = Names { also: Some("_-".into()), max_length: Some(64), opens_with_letter: true, ..Names::default() };
/// assert!(names.accepts("read_file") && !names.accepts("read.file") && !names.accepts("2fa"));
/// ```
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Names {
    /// Characters allowed beside ASCII letters and digits; `None` allows every character
    pub also: Option<String>,
    /// Most characters
    pub max_length: Option<usize>,
    /// The first character is an ASCII letter or `_`
    pub opens_with_letter: bool,
    /// No two tools of a request have one name
    pub unique: bool,
}

impl Names {
    /// Whether the target takes this name.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let names = &Target::by_name("mistral")?.names;
    /// assert!(names.accepts("mcp__fs__read-file") && !names.accepts("fs.read") && !names.accepts(""));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn accepts(&self, name: &str) -> bool {
        let badly = name.is_empty() || (self.opens_with_letter && opens_badly(name));
        !badly && charset(self.also.as_deref(), name) && self.max_length.is_none_or(|max| name.chars().count() <= max)
    }
}

/// Whether a name opens with something else than an ASCII letter or `_`.
#[doc(hidden)]
pub fn opens_badly(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether every character is an ASCII letter, a digit, or one of `also`; `None` allows every character.
#[doc(hidden)]
pub fn charset(also: Option<&str>, text: &str) -> bool {
    also.is_none_or(|also| text.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c)))
}

/// The nearest name of a document: a hyphen for each character that is refused, no white space twice in a row, at most `max`
/// characters, `document` where nothing is left.
#[doc(hidden)]
pub fn document_name(name: &str, also: Option<&str>, max: usize) -> String {
    let kept = |c: char| charset(also, c.encode_utf8(&mut [0; 4]));
    let respelled: String = name.chars().map(|c| if kept(c) { c } else { '-' }).collect();
    let words: Vec<_> = respelled.split_whitespace().collect();
    let cut: String = words.join(" ").chars().take(max).collect();
    let cut = cut.trim_end();
    if cut.is_empty() { "document".to_owned() } else { cut.to_owned() }
}
