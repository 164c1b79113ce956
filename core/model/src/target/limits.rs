//! Limits that a target file may set: those that its dialect has, with values that can be kept.

use super::{Target, file};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind};

/// The sections of a target file that hold limits.
const SECTIONS: [&str; 7] = ["ids", "names", "media", "order", "content", "reasoning", "protocol"];

/// The least length that a file may allow ids and names: shorter ones could not be told apart.
const LEAST_LENGTH: usize = 8;

/// Members without which a message, a call or a block says nothing, by where `[fields]` lists them.
const NEEDED: [(&str, &[&str]); 20] = [
    ("system", &["role", "content"]),
    ("developer", &["role", "content"]),
    ("user", &["role", "content"]),
    ("assistant", &["role", "content"]),
    ("tool", &["role", "content", "tool_call_id"]),
    ("call", &["id", "type", "function"]),
    ("call-function", &["name", "arguments"]),
    ("text", &["type", "text"]),
    ("image_url", &["type", "image_url"]),
    ("input_audio", &["type", "input_audio"]),
    ("document_url", &["type", "document_url", "document_name"]),
    ("thinking", &["type", "thinking"]),
    ("function_call", &["type", "call_id", "name", "arguments"]),
    ("function_call_output", &["type", "call_id", "output"]),
    ("custom_tool_call", &["type", "call_id", "name", "input"]),
    ("custom_tool_call_output", &["type", "call_id", "output"]),
    ("input_file", &["type", "file_data", "filename"]),
    ("input_image", &["type", "image_url"]),
    ("input_text", &["type", "text"]),
    ("output_text", &["type", "text"]),
];

/// Members of the model's messages without which some of them say nothing: calls, in dialects where they stand in a message, and the
/// mark of a message that is to be gone on with.
fn needed_of_the_model(target: &Target) -> Vec<&'static str> {
    let has_calls = target.content.tools && target.dialect != Dialect::OpenAiResponses;
    let has_mark = target.order.prefill && target.dialect == Dialect::MistralChat;
    has_calls.then_some("tool_calls").into_iter().chain(has_mark.then_some("prefix")).collect()
}

/// Limits of a dialect that no server speaks: `check` judges by these and `fix` obeys them. All others are those of servers.
const OF_ANY_DIALECT: [&str; 11] = [
    "ids.also",
    "ids.length",
    "ids.max_length",
    "names.also",
    "names.max_length",
    "names.opens_with_letter",
    "content.nul",
    "order.needs_message",
    "order.opens_with_user",
    "order.prefill",
    "order.trailing_white_space",
];

/// Reads a target file that a user wrote. In a dialect that no server speaks, a limit that the file does not name is that of
/// the dialect's own target.
pub(super) fn read(text: &str) -> Result<Target, Error> {
    let target = file::read(text)?;
    let target = if target.dialect.is_of_provider() { target } else { over_dialect(text, &target)? };
    judge(&target)?;
    for switch in &target.switches {
        for value in &switch.values {
            judge(&target.with_value(switch, value)?)?;
        }
    }
    Ok(target)
}

fn over_dialect(text: &str, target: &Target) -> Result<Target, Error> {
    let broken = |error: &dyn std::fmt::Display| Error::new(ErrorKind::BadTarget, error.to_string());
    let own = table(Target::of_dialect(target.dialect))?;
    let mut given: toml::Table = toml::from_str(text).map_err(|error| broken(&error))?;
    for section in SECTIONS {
        let Some(mut limits) = own.get(section).and_then(toml::Value::as_table).cloned() else { continue };
        if let Some(toml::Value::Table(named)) = given.remove(section) {
            limits.extend(named);
        }
        given.insert(section.to_owned(), toml::Value::Table(limits));
    }
    given.try_into().map_err(|error| broken(&error))
}

fn table(target: &Target) -> Result<toml::Table, Error> {
    toml::Table::try_from(target).map_err(|error| Error::new(ErrorKind::BadTarget, error.to_string()))
}

fn judge(target: &Target) -> Result<(), Error> {
    let lengths = [
        ("ids.max_length", target.ids.max_length),
        ("ids.length", target.ids.length),
        ("names.max_length", target.names.max_length),
    ];
    if let Some((key, _)) = lengths.iter().find(|(_, length)| length.is_some_and(|length| length < LEAST_LENGTH)) {
        return Err(Error::new(ErrorKind::BadTarget, format!("`{key}` is less than {LEAST_LENGTH}"))
            .with_hint("shorter ids and names could not be told apart"));
    }
    let of_the_model = needed_of_the_model(target);
    for (holder, needed) in NEEDED.into_iter().chain([("assistant", &*of_the_model)]) {
        let Some(fields) = target.fields.get(holder) else { continue };
        if let Some(member) = needed.iter().find(|member| !fields.iter().any(|field| field == *member)) {
            let what = format!("`fields.{holder}` has no `{member}`");
            return Err(Error::new(ErrorKind::BadTarget, what).with_hint("nothing could be written without it: add it"));
        }
    }
    if !target.media.in_user && target.media.in_results {
        let what = "`media.in_user` is false and `media.in_results` is true";
        return Err(Error::new(ErrorKind::BadTarget, what)
            .with_hint("a target that takes no media from the user takes none in tool results: set both to false"));
    }
    let given = table(target)?;
    let of_dialect = Target::all().iter().filter(|known| known.dialect == target.dialect);
    let known: Vec<toml::Table> = of_dialect.map(table).collect::<Result<_, _>>()?;
    for section in SECTIONS {
        for (key, value) in given.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
            let limit = format!("{section}.{key}");
            let is_known = known.iter().any(|table| table.get(section).and_then(|own| own.get(key)) == Some(value));
            if !is_known && !has(target.dialect, &limit) {
                let what = format!("the dialect `{}` has no limit `{limit}`", target.dialect.name());
                return Err(Error::new(ErrorKind::BadTarget, what)
                    .with_hint("`check` would not judge by it; leave the line out"));
            }
        }
    }
    Ok(())
}

/// Returns whether targets of a dialect may have this limit.
fn has(dialect: Dialect, limit: &str) -> bool {
    let is_name = limit.starts_with("names.");
    match dialect {
        // Its calls are columns of a database, and so are its words.
        Dialect::LosslessClaw => matches!(limit, "order.needs_message" | "order.opens_with_user" | "order.prefill"),
        // The name of a tool is a part of the type of a block.
        Dialect::AiSdkUi => !is_name && OF_ANY_DIALECT.contains(&limit),
        Dialect::OpenAiChat | Dialect::OllamaChat | Dialect::MistralChat | Dialect::CohereV2 => true,
        dialect if dialect.is_of_provider() => {
            !matches!(limit, "content.assistant_parts" | "content.result_parts" | "content.system_parts")
        }
        _ => OF_ANY_DIALECT.contains(&limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(dialect: &str, lines: &str) -> Result<Target, Error> {
        read(&format!("name = \"mine\"\ndialect = \"{dialect}\"\ntitle = \"Mine\"\nsources = [\"me\"]\n{lines}"))
    }

    #[test]
    fn a_limit_that_the_dialect_does_not_have_is_refused() {
        for (dialect, lines, limit) in [
            ("openclaw", "[content]\nresult_parts = false\n", "content.result_parts"),
            ("langchain", "[order]\nalternates = true\n", "order.alternates"),
            ("ai-sdk.ui", "[names]\nmax_length = 64\n", "names.max_length"),
            ("canonical", "[media]\nimage_types = [\"image/jpeg\"]\n", "media.image_types"),
            ("lossless-claw", "[ids]\nmax_length = 40\n", "ids.max_length"),
            ("anthropic.messages", "[content]\nsystem_parts = false\n", "content.system_parts"),
            (
                "openclaw",
                "[[switch]]\nname = \"s\"\ntitle = \"S\"\n[[switch.values]]\nname = \"on\"\nsources = [\"x\"]\nset = { \"content.tools\" = false }\n",
                "content.tools",
            ),
        ] {
            let error = file(dialect, lines).expect_err(lines).to_string();
            assert!(error.contains(&format!("the dialect `{dialect}` has no limit `{limit}`")), "{error}");
        }
    }

    #[test]
    fn a_limit_that_no_output_could_keep_is_refused() {
        for (lines, words) in [
            ("[ids]\nmax_length = 0\n", "`ids.max_length`"),
            ("[ids]\nlength = 7\n", "`ids.length`"),
            ("[names]\nmax_length = 1\n", "`names.max_length`"),
            ("[media]\nin_user = false\n", "`media.in_user`"),
            ("[fields]\nuser = [\"role\"]\n", "`fields.user` has no `content`"),
            ("[fields]\nassistant = [\"role\", \"content\"]\n", "`fields.assistant` has no `tool_calls`"),
            ("[fields]\ncall = []\n", "`fields.call` has no `id`"),
        ] {
            let error = file("openai.chat", lines).expect_err(lines).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_file_of_a_program_begins_with_the_limits_of_its_dialect() {
        let target = file("langchain", "[ids]\nmax_length = 40\n").expect("a target");
        let own = Target::of_dialect(Dialect::LangChain);
        assert_eq!((target.ids.max_length, &target.media), (Some(40), &own.media));
    }

    #[test]
    fn a_target_of_the_library_can_be_a_file() {
        for target in Target::all() {
            let text = toml::to_string(target).expect("TOML");
            let read = read(&text).unwrap_or_else(|error| panic!("{}: {error}", target.name));
            assert_eq!(&read, target, "{}", target.name);
        }
    }
}
