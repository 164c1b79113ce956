//! What a request asks for, without what HTTP says beside it.

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Something is to be shown
    Get,
    /// Something is given
    Post,
}

/// A request that may be answered.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is to be done; `HEAD` is as `GET`
    pub method: Method,
    /// The path of the address, as it was sent
    pub path: String,
    /// What stands behind its question mark
    pub query: String,
    /// The body
    pub body: Vec<u8>,
}

impl Asked {
    /// The value of a field; of one that comes again the last counts, and an empty one is none.
    pub fn field(&self, name: &str) -> Option<String> {
        let fields = form_urlencoded::parse(self.query.as_bytes());
        let last = fields.filter(|(key, _)| key == name).last();
        last.map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.field(name).is_some_and(|value| value != "0" && value != "false")
    }

    /// The first field that nobody reads here: a misspelt one must not be silently ignored.
    pub fn unknown(&self, known: &[&str]) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .map(|(key, _)| key.into_owned())
            .find(|key| !known.contains(&key.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded_and_the_last_counts() {
        let asked = |query: &str| Asked {
            method: Method::Get,
            path: "/".to_owned(),
            query: query.to_owned(),
            body: Vec::new(),
        };
        let one = asked("q=a%20b+c&to=&redact=1&q=%C3%B6&raw=%ff");
        assert_eq!(one.field("q").as_deref(), Some("ö"));
        assert_eq!((one.field("to"), one.field("none")), (None, None));
        assert_eq!(one.field("raw").as_deref(), Some("\u{fffd}"));
        assert!(one.is_on("redact") && !asked("redact=0").is_on("redact") && !asked("").is_on("redact"));
        assert_eq!(one.unknown(&["q", "to", "raw"]).as_deref(), Some("redact"));
    }
}
