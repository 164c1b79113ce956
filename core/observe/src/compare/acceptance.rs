//! Which media a target accepts, and where.

use wirecanon_json::{Kind as JsonKind, Value};
use wirecanon_model::Target;

use super::words::Names;
use crate::media::decode;
use crate::observation::{Attribute, Content, Item, Media, MediaKind, Observation, Source, Speaker};

/// The media that a target accepts of a conversation. Where it is not certain that it does, it does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acceptance<'t> {
    target: &'t Target,
    /// There are more media than the target accepts
    is_full: bool,
    /// There are so many images that they must be smaller
    has_many: bool,
}

impl<'t> Acceptance<'t> {
    pub(super) fn new(target: &'t Target, conversation: &Observation<'_>) -> Self {
        let limits = &target.media;
        let (mut images, mut documents) = (0, 0);
        let mut count = |item: &Item<'_>| match &item.content {
            Content::Media(media) if kind_of(media) == MediaKind::Image => images += 1,
            Content::Media(_) | Content::Resource(_) => documents += 1,
            _ => {}
        };
        for item in conversation.items() {
            match &item.content {
                Content::Result(result) => result.items.iter().for_each(&mut count),
                Content::Provider(provider) => provider.readable.iter().for_each(&mut count),
                _ => count(item),
            }
        }
        let is_more = |number: usize, limit: Option<usize>| limit.is_some_and(|limit| number > limit);
        Self {
            target,
            is_full: is_more(images + documents, limits.max_media) || is_more(documents, limits.max_documents),
            has_many: is_more(images, limits.many),
        }
    }

    /// Returns whether a medium may stand in a message of this speaker.
    pub(super) fn in_message(self, media: &Media<'_>, speaker: Speaker) -> bool {
        let limits = &self.target.media;
        if speaker != Speaker::User || !limits.in_user || self.is_full {
            return false;
        }
        let kind = kind_of(media);
        match &media.source {
            Source::Base64(data) => {
                if kind == MediaKind::Image {
                    sniffed(data).is_some_and(|kind| limits.takes_picture(kind)) && self.has_size(data)
                } else {
                    limits.takes_file(&essence(media.media_type.as_deref().unwrap_or_default()))
                }
            }
            // Servers fetch what the web serves, and nothing from the stores of others.
            Source::Url(url) => {
                limits.links
                    && kind == MediaKind::Image
                    && ["https://", "http://"].iter().any(|scheme| url.starts_with(scheme))
            }
            Source::Text(_) | Source::Bytes(_) | Source::File(_) | Source::Items(_) => false,
        }
    }

    /// Returns whether a medium of a tool result may stand in the result.
    pub(super) fn in_result(self, media: &Media<'_>, is_error: bool) -> bool {
        let limits = &self.target.media;
        let in_results = match kind_of(media) {
            MediaKind::Image => limits.in_results,
            MediaKind::Document => limits.files_in_results,
            MediaKind::Audio | MediaKind::Video => false,
        };
        in_results && (!is_error || limits.in_error_results) && self.in_message(media, Speaker::User)
    }

    /// Returns whether a medium of a tool result must follow in a message of the user, where it may not stand in the result: images must,
    /// other media may.
    pub(super) fn behind_results(self, media: &Media<'_>) -> bool {
        kind_of(media) == MediaKind::Image && self.in_message(media, Speaker::User)
    }

    /// Returns whether an image is as small as the target demands.
    fn has_size(self, base64: &str) -> bool {
        let limits = &self.target.media;
        if limits.max_base64.is_some_and(|most| base64.len() > most) {
            return false;
        }
        let most = if self.has_many { limits.max_side_of_many.or(limits.max_side) } else { limits.max_side };
        let Some(most) = most else { return true };
        let size = decode(base64).and_then(|bytes| imagesize::blob_size(&bytes).ok());
        size.is_some_and(|size| size.width.max(size.height) <= most as usize)
    }
}

/// The media type that the first bytes say.
pub(super) fn sniffed(base64: &str) -> Option<&'static str> {
    const HEADS: [(&[u8], &str); 9] = [
        (b"\x89PNG\r\n\x1A\n", "image/png"),
        (b"\xFF\xD8\xFF", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"%PDF-", "application/pdf"),
        (b"BM", "image/bmp"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"\0\0\x01\0", "image/x-icon"),
    ];
    // 16 digits are 12 bytes.
    let end = base64.char_indices().nth(16).map_or(base64.len(), |(at, _)| at);
    let bytes = decode(&base64[..end])?;
    if bytes.starts_with(b"RIFF") {
        return match bytes.get(8..12)? {
            b"WEBP" => Some("image/webp"),
            b"WAVE" => Some("audio/wav"),
            _ => None,
        };
    }
    HEADS.iter().find(|(head, _)| bytes.starts_with(head)).map(|(_, kind)| *kind)
}

/// The kind of a medium: what its bytes say counts more than a type that says nothing.
pub(super) fn kind_of(media: &Media<'_>) -> MediaKind {
    match &media.source {
        Source::Base64(data) if media.kind == MediaKind::Document => {
            sniffed(data).map_or(MediaKind::Document, MediaKind::of_type)
        }
        _ => media.kind,
    }
}

/// A media type without parameters, in small letters.
pub(super) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The words of a medium that a note may repeat.
pub(super) fn names_of(media: &Media<'_>, item: &Item<'_>) -> Names {
    let mut names = Names::default();
    add_names(&mut names, media, item);
    names
}

/// Adds the words of a medium that a note may repeat.
pub(super) fn add_names(names: &mut Names, media: &Media<'_>, item: &Item<'_>) {
    for (attribute, value) in &item.attributes {
        match attribute {
            Attribute::Title | Attribute::Context => names.add_whole(value),
            _ => names.add(value),
        }
    }
    for text in [&media.media_type, &media.name].into_iter().flatten() {
        names.add_whole(text);
    }
    names.add(media.media_type.as_deref().unwrap_or_default());
    if let Source::Url(text) | Source::File(text) = &media.source {
        names.add_whole(text);
        names.add_whole(text.rsplit('/').next().unwrap_or_default());
    }
    if let Source::Base64(data) = &media.source {
        names.add(sniffed(data).unwrap_or_default());
    }
}

/// The words of a resource that a mark before its text may repeat.
pub(super) fn names_of_resource(value: Value<'_>) -> Names {
    let mut names = Names::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        for (key, value) in value.members() {
            match value.kind() {
                JsonKind::Object => open.push(value),
                JsonKind::String if !["text", "blob", "data"].iter().any(|content| key.is_str(content)) => {
                    names.add(&value.as_str().unwrap_or_default());
                }
                _ => {}
            }
        }
    }
    names
}
