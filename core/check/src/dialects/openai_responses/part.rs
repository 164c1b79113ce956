//! The parts of a Responses message, and of an output, and who may say which.

use crate::dialects::openai_chat::part::web;
use crate::judge::{Judge, blank, filled};
use crate::{media, shape};
use wirecanon_json::Value;
use wirecanon_model::rule;

/// Judges a list of parts in a message of `role`, or in an output.
pub(crate) fn list(judge: &mut Judge<'_>, list: Value<'_>, role: &str) {
    for piece in list.items() {
        if let Some(kind) = shape::kind(judge, piece) {
            part(judge, piece, &kind, role);
        }
    }
}

fn part(judge: &mut Judge<'_>, part: Value<'_>, kind: &str, role: &str) {
    let assistant = role == "assistant";
    shape::fields(judge, part, kind);
    match kind {
        "output_text" if assistant => shape::text_block(judge, part),
        "input_text" if !assistant => shape::text_block(judge, part),
        "refusal" if assistant => {
            shape::text(judge, part, "refusal");
        }
        "input_image" if matches!(role, "user" | "output") => image(judge, part),
        "input_file" if matches!(role, "user" | "output") => file(judge, part),
        // "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."
        "input_text" | "output_text" | "refusal" | "input_image" | "input_file" => {
            shape::misplaced(judge, part, kind, role);
        }
        _ => shape::unknown(judge, part, kind),
    }
}

/// Returns whether none of these members says where a medium is.
fn is_nowhere(part: Value<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| filled(part, key).is_none_or(|text| blank(&text)))
}

fn image(judge: &mut Judge<'_>, part: Value<'_>) {
    let url = part.get("image_url").filter(|url| !url.is_null());
    let Some(url) = url else {
        if is_nowhere(part, &["file_id"]) {
            judge.say(&rule::IMAGE_WITHOUT_DATA, part, "the picture has neither data nor address nor id");
        }
        return;
    };
    if url.is_object() {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, url, "`image_url` is an object, not a string");
        return;
    }
    let Some(text) = url.as_str().filter(|text| !blank(text)) else {
        // Beside an id it is a member of the wrong type.
        if is_nowhere(part, &["file_id"]) {
            judge.say(&rule::IMAGE_WITHOUT_DATA, url, "the picture has neither data nor address");
        }
        return;
    };
    if media::is_data_url(&text) {
        media::data_url(judge, url, &text);
        if !text.starts_with("data:") {
            judge.say(&rule::IMAGE_DATA_URL_PREFIX, url, "the scheme of the data URL is not in small letters");
        }
    } else if !web(&text) {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url, "this is neither a data URL nor an address on the web");
    }
}

fn file(judge: &mut Judge<'_>, part: Value<'_>) {
    if let Some((url, text)) = part.get("file_url").and_then(|url| Some((url, url.as_str()?))) {
        if media::is_data_url(&text) {
            judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url, "`file_url` is a data URL, not an address");
        } else if part.get("file_data").is_none_or(Value::is_null) && media::bare_base64(judge, url) {
            return;
        } else if let Some(kind) = media::type_by_ending(&text).filter(|_| !judge.target.is_dialect()) {
            media::accepted_file(judge, url, kind);
        }
    }
    let Some(data) = part.get("file_data").filter(|data| !data.is_null()) else {
        if is_nowhere(part, &["file_id", "file_url"]) {
            judge.say(&rule::FILE_WITHOUT_DATA, part, "the file has neither data nor address nor id");
        }
        return;
    };
    let Some(text) = data.as_str().filter(|text| !blank(text)) else {
        // Beside an id or an address it is a member of the wrong type.
        if is_nowhere(part, &["file_id", "file_url"]) {
            judge.say(&rule::FILE_WITHOUT_DATA, data, "the file has no data");
        }
        return;
    };
    // The data is a data URL, or base64 alone.
    if !media::is_data_url(&text) {
        media::file_data(judge, part, "file_data");
        return;
    }
    match media::split_data_url(&text) {
        Some((_, inner)) if blank(inner) => judge.say(&rule::FILE_WITHOUT_DATA, data, "the file has no data"),
        Some(("", _)) => {
            judge.say(&rule::FILE_TYPE_MISSING, data, "the data URL does not say what kind of file it holds");
        }
        Some((kind, inner)) if media::is_file_base64(judge, inner) => {
            if !judge.target.is_dialect() {
                media::accepted_file(judge, data, kind);
            }
            media::pdf(judge, data, kind, inner);
        }
        _ => judge.say(&rule::FILE_DATA_NOT_BASE64, data, "the data is not base64 in its standard spelling"),
    }
}
