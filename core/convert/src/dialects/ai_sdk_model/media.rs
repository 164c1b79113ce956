//! How the Vercel AI SDK holds bytes: in base64, in a data URL, or by an address, all in one field.

use std::borrow::Cow;

use crate::media;
use crate::read::bytes::base64_of;
use wirecanon_json::Value;

/// Whether a text is base64 with nothing to mend, in a data URL or without.
pub(crate) fn sound(text: &str) -> bool {
    let (_, data) = media::split_data_url(text);
    let data = if media::is_data_url(text) { data } else { Some(text) };
    data.is_some_and(|data| !data.is_empty() && media::is_canonical(data))
}

/// The SDK takes a string for an address when it parses as one; base64 never does.
pub(crate) fn is_address(text: &str) -> bool {
    !media::is_data_url(text) && media::scheme(text).is_some_and(|(_, rest)| !rest.trim().is_empty())
}

/// The base64 text of a data URL, or the text itself, and the type that the URL says.
pub(crate) fn bytes_of<'a>(text: &Cow<'a, str>) -> (Option<String>, Cow<'a, str>) {
    if !media::is_data_url(text) {
        return (None, text.clone());
    }
    let (mime, data) = media::split_data_url(text);
    let mime = mime.map(str::to_owned);
    match (text, data) {
        (Cow::Borrowed(text), Some(_)) => (mime, Cow::Borrowed(text.split_once(',').map_or("", |(_, data)| data))),
        (_, Some(data)) => (mime, Cow::Owned(data.to_owned())),
        (_, None) => (mime, text.clone()),
    }
}

/// The base64, data URL or address that a part holds: as it stands, or by what version 7 of the SDK calls it
/// (`{"type":"data","data":…}`, `{"type":"url","url":…}`; vercel/ai#14733).
pub(crate) fn held(data: Value<'_>) -> Option<Cow<'_, str>> {
    match tag(data) {
        Some("data") => base64_of(data.get("data")?),
        Some("url") => data.get("url")?.as_str(),
        Some(_) => None,
        None => base64_of(data),
    }
}

/// The value in which the bytes stand.
pub(crate) fn holder(data: Value<'_>) -> Value<'_> {
    data.get("data").filter(|_| tag(data) == Some("data")).unwrap_or(data)
}

/// The words of a file that is text.
pub(crate) fn words(data: Value<'_>) -> Option<Cow<'_, str>> {
    data.get("text").and_then(Value::as_str).filter(|_| tag(data) == Some("text"))
}

fn tag(data: Value<'_>) -> Option<&'static str> {
    let kind = data.get("type")?;
    ["data", "url", "text", "reference"].into_iter().find(|known| kind.is_str(known))
}

/// The type that a part says, if it is a whole one: version 7 also takes `image` and `image/*` for any picture.
pub(crate) fn whole_type<'a>(said: Option<Cow<'a, str>>, data: &str) -> Option<Cow<'a, str>> {
    let open = |mime: &str| mime == "image" || mime == "image/*";
    match said {
        Some(mime) if open(&mime) => media::sniff_base64(data).map(Cow::Borrowed),
        said => said,
    }
}
