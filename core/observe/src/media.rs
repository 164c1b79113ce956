//! Media: what data URLs say, and whether two media have the same bytes.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use crate::observation::{Media, MediaKind, Source};

/// Splits a data URL into its media type and its base64; `None` for any other text.
pub(crate) fn data_url(url: &str) -> Option<(&str, &str)> {
    let scheme = url.get(..5)?;
    if !scheme.eq_ignore_ascii_case("data:") {
        return None;
    }
    let (head, data) = url[5..].split_once(',')?;
    let mut parameters = head.split(';');
    let media_type = parameters.next().unwrap_or_default();
    parameters.any(|parameter| parameter.trim().eq_ignore_ascii_case("base64")).then_some((media_type, data))
}

/// Returns whether a text is an absolute URL that is no data URL.
pub(crate) fn is_url(text: &str) -> bool {
    let scheme = text.find(':').map(|end| &text[..end]).unwrap_or_default();
    scheme.len() > 1
        && !scheme.eq_ignore_ascii_case("data")
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

impl<'a> Media<'a> {
    /// Creates a medium without a type and without a name.
    pub(crate) fn new(kind: MediaKind, source: Source<'a>) -> Self {
        Self { kind, source, media_type: None, name: None }
    }

    /// Creates a medium of base64 bytes. The head of a data URL in front of them is none of the bytes.
    pub(crate) fn base64(kind: MediaKind, data: Cow<'a, str>, media_type: Option<Cow<'a, str>>) -> Self {
        let data = without_heads(data);
        let kind = kind_of_bytes(kind, &data, media_type.as_deref());
        Self::new(kind, Source::Base64(data)).with_type(media_type)
    }

    /// Creates a medium from an address: a data URL holds the bytes.
    pub(crate) fn url(kind: MediaKind, url: Cow<'a, str>) -> Self {
        let Some((media_type, data)) = data_url(&url) else {
            return Self::new(kind, Source::Url(url));
        };
        let (head, from) = (media_type.len(), url.len() - data.len());
        let media_type = (head > 0).then(|| part(&url, 5, 5 + head));
        Self::new(kind, Source::base64(part(&url, from, url.len()))).with_type(media_type)
    }

    /// Creates a medium from a text that is an address, a data URL or base64.
    pub(crate) fn url_or_base64(kind: MediaKind, text: Cow<'a, str>, media_type: Option<Cow<'a, str>>) -> Self {
        if data_url(&text).is_some() || is_url(&text) {
            return Self::url(kind, text).with_type(media_type);
        }
        Self::base64(kind, text, media_type)
    }

    /// Creates a medium from the id of an uploaded file.
    pub(crate) fn file(kind: MediaKind, id: Cow<'a, str>) -> Self {
        Self::new(kind, Source::File(id))
    }

    /// Sets the media type, where the source has not said one.
    pub(crate) fn with_type(mut self, media_type: Option<Cow<'a, str>>) -> Self {
        self.media_type = self.media_type.or(media_type);
        self
    }

    /// Sets the name of the file.
    pub(crate) fn named(mut self, name: Option<Cow<'a, str>>) -> Self {
        self.name = self.name.or(name);
        self
    }

    /// Returns the text of a document that is text.
    pub(crate) fn as_text(&self) -> Option<Cow<'_, str>> {
        match &self.source {
            Source::Text(text) => Some(Cow::Borrowed(text)),
            Source::Base64(_) | Source::Bytes(_) => {
                let text = String::from_utf8(self.bytes()?).ok()?;
                let is_text = !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'));
                is_text.then_some(Cow::Owned(text))
            }
            _ => None,
        }
    }

    /// Returns the bytes, if the document holds them.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        match &self.source {
            Source::Base64(data) => decode(data),
            Source::Text(text) => Some(text.as_bytes().to_vec()),
            Source::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// Returns whether two media are the same: equal bytes, or the same address or id.
    pub(crate) fn is_same(&self, other: &Media<'_>) -> bool {
        match (&self.source, &other.source) {
            (Source::Base64(a), Source::Base64(b)) => {
                a == b || digits(a).eq(digits(b)) || decode(a).is_some_and(|a| decode(b).is_some_and(|b| a == b))
            }
            (Source::Url(a), Source::Url(b)) => a == b || address(a) == address(b),
            (Source::File(a), Source::File(b)) => a == b,
            (Source::Items(a), Source::Items(b)) => {
                let text =
                    |items: &[crate::Item<'_>]| -> String { items.iter().filter_map(|item| item.as_text()).collect() };
                text(a) == text(b)
            }
            _ => self.bytes().is_some_and(|a| other.bytes().is_some_and(|b| a == b)),
        }
    }

    /// Returns whether the bytes of two media are spelled alike.
    pub(crate) fn is_spelled_like(&self, other: &Media<'_>) -> bool {
        match (&self.source, &other.source) {
            (Source::Base64(a), Source::Base64(b))
            | (Source::Text(a), Source::Text(b))
            | (Source::Url(a), Source::Url(b))
            | (Source::File(a), Source::File(b)) => a == b,
            (Source::Bytes(a), Source::Bytes(b)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// A number that is equal for media that are the same, and seldom for others.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        match &self.source {
            Source::Base64(_) | Source::Text(_) | Source::Bytes(_) => self.bytes().hash(&mut hasher),
            Source::Url(url) => address(url).hash(&mut hasher),
            Source::File(id) => id.hash(&mut hasher),
            Source::Items(items) => items.len().hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl<'a> Source<'a> {
    /// Creates the source of base64 bytes, without the heads of data URLs in front of them.
    pub(crate) fn base64(data: Cow<'a, str>) -> Self {
        Self::Base64(without_heads(data))
    }
}

/// Returns base64 without the heads of data URLs in front of it.
fn without_heads(data: Cow<'_, str>) -> Cow<'_, str> {
    let mut rest = &*data;
    while let Some((_, inner)) = data_url(rest) {
        rest = inner;
    }
    let start = data.len() - rest.len();
    if start == 0 { data } else { part(&data, start, data.len()) }
}

/// Returns the kind of a file in a block for images or audio: a PDF is a document, and a file of another declared type is what its
/// type says, unless its bytes are an image, or a recording in a block for audio.
fn kind_of_bytes(kind: MediaKind, data: &str, media_type: Option<&str>) -> MediaKind {
    const IMAGES: [&[u8]; 4] = [b"\x89PNG", b"\xFF\xD8\xFF", b"GIF8", b"RIFF"];
    const RECORDINGS: [&[u8]; 3] = [b"OggS", b"ID3", b"fLaC"];
    if !matches!(kind, MediaKind::Image | MediaKind::Audio) {
        return kind;
    }
    let end = data.char_indices().nth(8).map_or(data.len(), |(at, _)| at);
    let head = decode(&data[..end]).unwrap_or_default();
    if head.starts_with(b"%PDF-") {
        return MediaKind::Document;
    }
    if kind == MediaKind::Audio && RECORDINGS.iter().any(|recording| head.starts_with(recording)) {
        return kind;
    }
    let declared = media_type.map(|media_type| media_type.split(';').next().unwrap_or_default().trim());
    match declared
        .filter(|declared| declared.contains('/') && !declared.eq_ignore_ascii_case("application/octet-stream"))
    {
        Some(declared) if !IMAGES.iter().any(|image| head.starts_with(image)) => MediaKind::of_type(declared),
        _ => kind,
    }
}

/// A part of a text, borrowed if the text is.
fn part<'a>(text: &Cow<'a, str>, start: usize, end: usize) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[start..end]),
        Cow::Owned(text) => Cow::Owned(text[start..end].to_owned()),
    }
}

/// An address with its scheme and its host in small letters: their case does not count, and that of all else does.
fn address(url: &str) -> String {
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let start = rest[..end].rfind('@').map_or(0, |at| at + 1);
    let host = rest[start..end].to_ascii_lowercase();
    format!("{}://{}{host}{}", scheme.to_ascii_lowercase(), &rest[..start], &rest[end..])
}

/// The digits of base64, in the standard alphabet and without padding and white space.
fn digits(data: &str) -> impl Iterator<Item = u8> {
    data.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    })
}

/// Decodes base64 in any alphabet, padded or not; bits that are left over at its end are ignored.
pub(crate) fn decode(data: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits(data).collect();
    base64_simd::forgiving_decode_to_vec(&digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(data: &str) -> Media<'_> {
        Media::base64(MediaKind::Image, Cow::Borrowed(data), None)
    }

    #[test]
    fn the_spelling_of_base64_does_not_count() {
        for same in ["/+8=", "_-8=", "/+8", " /+\n8=", "/+9="] {
            assert!(image("/+8=").is_same(&image(same)), "{same}");
            assert_eq!(image("/+8=").fingerprint(), image(same).fingerprint(), "{same}");
        }
        for other in ["/+4=", "/+8A", ""] {
            assert!(!image("/+8=").is_same(&image(other)), "{other}");
        }
    }

    #[test]
    fn data_urls_are_taken_apart() {
        let media = Media::url(MediaKind::Image, Cow::Borrowed("data:image/png;base64,AAAA"));
        assert!(matches!(&media.source, Source::Base64(data) if data == "AAAA"));
        assert_eq!(media.media_type.as_deref(), Some("image/png"));
        let media = Media::url(MediaKind::Image, Cow::Borrowed("https://example.com/a.png"));
        assert!(matches!(media.source, Source::Url(_)));
        for twice in ["data:image/png;base64,AAAA", "data:image/png;base64,data:image/png;base64,AAAA"] {
            let media = Media::base64(MediaKind::Image, Cow::Borrowed(twice), None);
            assert!(matches!(&media.source, Source::Base64(data) if data == "AAAA"), "{twice}");
        }
        assert!(data_url("data:text/plain,hi").is_none() && data_url("dat").is_none() && data_url("daß").is_none());
    }
}
