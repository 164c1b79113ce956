//! What only certain dialects know.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Fields;

/// Fields that only certain dialects know: dialect name, then key and exact JSON text of each field.
///
/// ```
/// use wirecanon_core::transcript::Native;
///
/// let mut native = Native::default();
/// native.add("openai.chat", "name", r#""ann""#);
/// native.add_all("openai.chat", [("name".into(), r#""bob""#.into()), ("refusal".into(), "null".into())]);
/// assert_eq!(native.of("openai.chat").len(), 2, "the first value of a key stays");
/// *native.get_mut("openai.chat", "name").unwrap() = r#""eve""#.into();
/// assert_eq!(native.get("openai.chat", "name"), Some(r#""eve""#));
/// assert!(native.remove("openai.chat", "refusal") && !native.remove("openai.chat", "refusal"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Native<'a> {
    /// In the order of the source
    pub dialects: Vec<(Cow<'a, str>, Fields<'a>)>,
}

impl<'a> Native<'a> {
    /// The fields of one dialect.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add("openai.chat", "name", r#""ann""#);
    /// assert_eq!(native.of("openai.chat"), [("name".into(), r#""ann""#.into())]);
    /// assert!(native.of("anthropic.messages").is_empty());
    /// ```
    pub fn of(&self, dialect: &str) -> &[(Cow<'a, str>, Cow<'a, str>)] {
        self.dialects.iter().find(|(name, _)| name == dialect).map_or(&[], |(_, fields)| fields)
    }

    /// The JSON text of one field of one dialect.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add("anthropic.messages", "cache_control", r#"{"type":"ephemeral"}"#);
    /// assert_eq!(native.get("anthropic.messages", "cache_control"), Some(r#"{"type":"ephemeral"}"#));
    /// ```
    pub fn get(&self, dialect: &str, key: &str) -> Option<&str> {
        self.of(dialect).iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }

    /// One field of one dialect.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add("openai.chat", "name", r#""ann""#);
    /// native.get_mut("openai.chat", "name").into_iter().for_each(|name| *name = r#""bob""#.into());
    /// assert_eq!(native.get("openai.chat", "name"), Some(r#""bob""#));
    /// ```
    pub fn get_mut(&mut self, dialect: &str, key: &str) -> Option<&mut Cow<'a, str>> {
        let (_, fields) = self.dialects.iter_mut().find(|(name, _)| name == dialect)?;
        fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Takes one field of one dialect out; true if it was there.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add("openai.chat", "name", r#""ann""#);
    /// assert!(native.remove("openai.chat", "name") && !native.remove("openai.chat", "name"));
    /// ```
    pub fn remove(&mut self, dialect: &str, key: &str) -> bool {
        let Some((_, fields)) = self.dialects.iter_mut().find(|(name, _)| name == dialect) else { return false };
        let before = fields.len();
        fields.retain(|(name, _)| name != key);
        fields.len() != before
    }

    /// Adds a field of one dialect; the first value of a key stays.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add("openai.chat", "name", r#""ann""#);
    /// native.add("openai.chat", "name", r#""bob""#);
    /// assert_eq!(native.get("openai.chat", "name"), Some(r#""ann""#));
    /// ```
    pub fn add(
        &mut self,
        dialect: impl Into<Cow<'a, str>>,
        key: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) {
        self.add_all(dialect, std::iter::once((key.into(), value.into())));
    }

    /// Adds fields of one dialect; the first value of a key stays. Linear in the fields that are there and those that come.
    ///
    /// ```
    /// use wirecanon_core::transcript::Native;
    ///
    /// let mut native = Native::default();
    /// native.add_all("openai.chat", [("name".into(), r#""ann""#.into()), ("refusal".into(), "null".into())]);
    /// assert_eq!(native.of("openai.chat").len(), 2);
    /// ```
    pub fn add_all(
        &mut self,
        dialect: impl Into<Cow<'a, str>>,
        members: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) {
        // More than this are looked up, fewer are compared with each other.
        const FEW: usize = 16;
        let mut members = members.into_iter().peekable();
        if members.peek().is_none() {
            return;
        }
        let dialect = dialect.into();
        let fields = match self.dialects.iter().position(|(name, _)| *name == dialect) {
            Some(found) => &mut self.dialects[found].1,
            None => {
                self.dialects.push((dialect, Vec::new()));
                let last = self.dialects.len() - 1;
                &mut self.dialects[last].1
            }
        };
        for (key, value) in members.by_ref().take(FEW) {
            if fields.iter().all(|(name, _)| *name != key) {
                fields.push((key, value));
            }
        }
        if members.peek().is_some() {
            let mut known: HashSet<Cow<'a, str>> = fields.iter().map(|(name, _)| name.clone()).collect();
            fields.extend(members.filter(|(key, _)| known.insert(key.clone())));
        }
    }
}
