//! Reading a target file, and saying what is wrong with one.

use super::Target;
use crate::error::{Error, ErrorKind};
use crate::json::position;

/// Reads a target file.
pub(super) fn read(text: &str) -> Result<Target, Error> {
    let target: Target = toml::from_str(text).map_err(|error| explain(text, &error))?;
    let empty = [("name", target.name.trim().is_empty()), ("sources", target.sources.is_empty())];
    if let Some((key, _)) = empty.iter().find(|(_, empty)| *empty) {
        return Err(Error::new(ErrorKind::BadTarget, format!("`{key}` is empty"))
            .with_hint("a target has a name, and says where its limits are documented or were observed"));
    }
    for switch in &target.switches {
        for value in &switch.values {
            target.with_value(switch, value)?;
        }
    }
    target.check_profiles()?;
    if let Some(id) = target.severity.keys().find(|id| crate::rule::by_id(id).is_none()) {
        return Err(Error::new(ErrorKind::BadTarget, format!("`severity`: no rule is called `{id}`"))
            .with_hint("`wirecanon list rules` lists the rules"));
    }
    Ok(target)
}

/// The error with its line and key, in one sentence.
fn explain(text: &str, error: &toml::de::Error) -> Error {
    let message = error.message().trim_end().replace('\n', ", ");
    let at = error.span().map(|span| span.start).filter(|start| *start > 0 || !message.starts_with("missing field"));
    let line = at.map(|start| line_at(text, start));
    let key = line.and_then(|line| line.split_once('=')).map(|(key, _)| key.trim()).filter(|key| !key.is_empty());
    let (what, hint) = if let Some(key) = message.strip_prefix("missing field ") {
        (format!("{} is missing", in_ticks(key)), format!("add the line `{} = …`", key.trim_matches('`')))
    } else if message.starts_with("unknown field") {
        (message, "correct its spelling, or take it out; docs/dialects.md has the keys".to_owned())
    } else if message.starts_with("unknown variant") {
        (with_key(key, &message), "write one of these".to_owned())
    } else if message.starts_with("invalid type") {
        (with_key(key, &message), "write a value of that type".to_owned())
    } else {
        (message, "a target file is TOML: `key = value` lines under `[section]` lines".to_owned())
    };
    let error = Error::new(ErrorKind::BadTarget, what).with_hint(hint);
    match at {
        Some(start) => error.at(position(text, start)),
        None => error,
    }
}

fn with_key(key: Option<&str>, message: &str) -> String {
    key.map_or_else(|| message.to_owned(), |key| format!("`{key}`: {message}"))
}

fn in_ticks(key: &str) -> String {
    if key.starts_with('`') { key.to_owned() } else { format!("`{key}`") }
}

fn line_at(text: &str, offset: usize) -> &str {
    let offset = offset.min(text.len());
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "name = \"mine\"\ndialect = \"openai.chat\"\ntitle = \"Mine\"\nsources = [\"me\"]\n";

    fn refused(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    #[test]
    fn a_whole_file_is_a_target() {
        let target = read(&format!("{WHOLE}[ids]\nmax_length = 12\n")).expect("a target");
        assert_eq!((target.name.as_str(), target.ids.max_length), ("mine", Some(12)));
    }

    #[test]
    fn a_malformed_file_says_key_line_and_remedy() {
        for (text, words) in [
            (format!("{WHOLE}[ids]\nmax_lenght = 12\n"), &["line 6", "unknown field `max_lenght`", "`max_length`"][..]),
            (format!("{WHOLE}[ids]\nmax_length = \"12\"\n"), &["line 6", "`max_length`", "invalid type"]),
            (format!("{WHOLE}[ids]\nunique = \"room\"\n"), &["line 6", "`unique`", "`room`", "`turn`"]),
            (WHOLE.replace("title", "titel"), &["line 3", "unknown field `titel`", "`title`"]),
            (WHOLE.replace("title = \"Mine\"\n", ""), &["`title` is missing", "add the line"]),
            (WHOLE.replace("\"me\"", ""), &["`sources` is empty"]),
            (WHOLE.replace("openai.chat", "openai"), &["line 2", "`dialect`", "`openai.chat`"]),
            (format!("{WHOLE}[ids\n"), &["line 5", "TOML"]),
        ] {
            let said = refused(&text);
            for word in words {
                assert!(said.contains(word), "no {word:?} in: {said}");
            }
            assert!(!said.contains('\n'), "{said}");
        }
    }

    #[test]
    fn a_switch_that_sets_nothing_that_exists_is_refused() {
        let switch = "[[switch]]\nname = \"s\"\ntitle = \"S\"\n[[switch.values]]\nname = \"on\"\nsources = [\"x\"]\n";
        let said = refused(&format!("{WHOLE}{switch}set = {{ \"order.nothing\" = true }}\n"));
        assert!(said.contains("`s=on`") && said.contains("nothing"), "{said}");
    }
}
