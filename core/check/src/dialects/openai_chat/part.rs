//! The parts of Chat Completions content, and which role takes which.

use crate::judge::{Judge, blank, filled};
use crate::{media, shape};
use wirecanon_json::Value;
use wirecanon_model::rule;

/// Judges one part of a message of `role`.
pub(crate) fn judge(judge: &mut Judge<'_>, part: Value<'_>, kind: &str, role: &str) {
    match (kind, role) {
        ("text", _) => shape::text_block(judge, part),
        ("refusal", "assistant") => {
            shape::text(judge, part, "refusal");
        }
        ("image_url", _) => {
            may_stand(judge, part, kind, role);
            image(judge, part);
        }
        ("input_audio", _) => {
            may_stand(judge, part, kind, role);
            if judge.target.media.takes_no_files() {
                judge.say(&rule::FILE_NOT_ACCEPTED, part, "the target does not take audio");
            } else {
                audio(judge, part);
            }
        }
        ("file", _) => {
            may_stand(judge, part, kind, role);
            if judge.target.media.takes_no_files() {
                judge.say(&rule::FILE_NOT_ACCEPTED, part, "the target does not take files");
            } else {
                file(judge, part);
            }
        }
        ("video_url", "user") if judge.target.media.video_links => {
            let video = part.get("video_url").filter(|video| video.is_object());
            media::address(judge, video.unwrap_or(part), "url");
        }
        ("refusal", _) => shape::misplaced(judge, part, kind, role),
        _ => shape::unknown(judge, part, kind),
    }
}

/// Media stand in user messages; in results where the target says so.
fn may_stand(judge: &mut Judge<'_>, part: Value<'_>, kind: &str, role: &str) {
    let media = &judge.target.media;
    match role {
        "user" if media.in_user || kind != "image_url" => {}
        "user" => judge.say(&rule::IMAGE_TYPE_NOT_ACCEPTED, part, "the target takes no pictures"),
        "tool" | "function" if kind == "image_url" && media.in_results => {}
        "tool" | "function" => judge.say(&rule::MEDIA_IN_TOOL_RESULT, part, "the target takes no media in a result"),
        _ => shape::misplaced(judge, part, kind, role),
    }
}

fn image(judge: &mut Judge<'_>, part: Value<'_>) {
    let Some(holder) = part.get("image_url") else {
        judge.say(&rule::IMAGE_WITHOUT_DATA, part, "the picture has neither data nor address");
        return;
    };
    if holder.is_string() {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, holder, "`image_url` is a string, not an object with `url`");
        return;
    }
    judge.keys(holder);
    picture(judge, holder.get("url").unwrap_or(holder), holder);
}

/// A picture by the string in `url`: a data URL or an address.
pub(crate) fn picture(judge: &mut Judge<'_>, url: Value<'_>, holder: Value<'_>) {
    let Some(text) = url.as_str().filter(|text| !blank(text)) else {
        let place = if url.is_object() { holder } else { url };
        judge.say(&rule::IMAGE_WITHOUT_DATA, place, "the picture has neither data nor address");
        return;
    };
    if media::is_data_url(&text) {
        media::data_url(judge, url, &text);
        if !text.starts_with("data:") {
            judge.warn(&rule::IMAGE_DATA_URL_PREFIX, url, "the scheme of the data URL is not in lower case");
        }
    } else if !web(&text) {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url, "this is neither a data URL nor an address on the web");
    } else if !judge.target.media.links {
        judge.say(&rule::MEDIA_BY_ADDRESS, url, "the target does not fetch pictures");
    }
}

/// Whether it is an address on the web, the scheme in any case (RFC 3986, section 3.1).
pub(crate) fn web(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) && text.len() > scheme.len()
    })
}

fn audio(judge: &mut Judge<'_>, part: Value<'_>) {
    let holder = part.get("input_audio").filter(|holder| holder.is_object());
    let Some(holder) = holder else {
        judge.say(&rule::FILE_WITHOUT_DATA, part.get("input_audio").unwrap_or(part), "the recording has no data");
        return;
    };
    judge.keys(holder);
    media::file_data(judge, holder, "data");
    match holder.get("format") {
        Some(format) if format.is_str("wav") || format.is_str("mp3") => {}
        format => judge.say(&rule::FILE_TYPE_MISSING, format.unwrap_or(holder), "the format is neither wav nor mp3"),
    }
}

fn file(judge: &mut Judge<'_>, part: Value<'_>) {
    let holder = part.get("file").filter(|holder| holder.is_object());
    let Some(holder) = holder else {
        judge.say(&rule::FILE_WITHOUT_DATA, part.get("file").unwrap_or(part), "the file has no data");
        return;
    };
    judge.keys(holder);
    if let Some(data) =
        holder.get("data").filter(|data| !data.is_null() && holder.get("file_data").is_none_or(Value::is_null))
    {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, data, "the data of a file stands in `file_data`, not in `data`");
        return;
    }
    if judge.target.media.named_files && holder.get("file_data").is_some() && filled(holder, "filename").is_none() {
        judge.say(&rule::FILE_NAME_MISSING, holder, "the file has data and no `filename`");
    }
    let Some((data, text)) = holder.get("file_data").and_then(|data| Some((data, data.as_str()?))) else {
        if filled(holder, "file_id").is_none() || holder.get("file_data").is_some_and(|data| !data.is_null()) {
            let place = holder.get("file_data").unwrap_or(holder);
            judge.say(&rule::FILE_WITHOUT_DATA, place, "the file has neither data nor an id");
        }
        return;
    };
    if judge.target.media.file_links && web(&text) {
        return;
    }
    // The data is a data URL, or base64 alone.
    if !media::is_data_url(&text) {
        media::file_data(judge, holder, "file_data");
        return;
    }
    file_url(judge, data, &text);
}

/// A file as a data URL.
pub(crate) fn file_url(judge: &mut Judge<'_>, data: Value<'_>, text: &str) {
    match media::split_data_url(text) {
        Some((_, inner)) if blank(inner) => judge.say(&rule::FILE_WITHOUT_DATA, data, "the file has no data"),
        Some((kind, inner)) if media::is_file_base64(judge, inner) => {
            media::accepted_file(judge, data, kind);
            media::pdf(judge, data, kind, inner);
        }
        _ => judge.say(&rule::FILE_DATA_NOT_BASE64, data, "the data is not base64 in its standard spelling"),
    }
}
