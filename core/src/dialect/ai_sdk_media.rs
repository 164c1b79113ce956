//! How the Vercel AI SDK holds bytes: in base64, in a data URL, or by an address, all in one field.

use std::borrow::Cow;

use crate::media;

/// Whether a text is base64 with nothing to mend, in a data URL or without.
pub(super) fn sound(text: &str) -> bool {
    let (_, data) = media::split_data_url(text);
    let data = if media::is_data_url(text) { data } else { Some(text) };
    data.is_some_and(|data| !data.is_empty() && media::is_canonical(data))
}

/// The SDK takes a string for an address when it parses as one; base64 never does.
pub(super) fn is_address(text: &str) -> bool {
    !media::is_data_url(text) && media::scheme(text).is_some_and(|(_, rest)| !rest.trim().is_empty())
}

/// The base64 text of a data URL, or the text itself, and the type that the URL says.
pub(super) fn bytes_of<'a>(text: &Cow<'a, str>) -> (Option<String>, Cow<'a, str>) {
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
