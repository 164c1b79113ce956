//! Pictures: base64, data URLs, and what the first bytes say.

pub(crate) mod size;

use std::borrow::Cow;

use wirecanon_model::rule::{self, Rule};

/// A picture as the canonical transcript has it, and what had to be done.
///
/// ```
/// use wirecanon_core::media::{Mended, mend};
///
/// let mended = Mended { data: "iVBORw0KGgo=".into(), mime_type: "image/png".into(), prefix: true, respelled: true };
/// assert_eq!(mend("data:image/jpeg;base64,iVBORw0KGgo"), Ok(mended));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended<'a> {
    /// Padded base64 in the standard alphabet, not empty
    pub data: Cow<'a, str>,
    /// What the bytes say
    pub mime_type: Cow<'static, str>,
    /// A data URL stood in front
    pub prefix: bool,
    /// The base64 was spelled in another way
    pub respelled: bool,
}

/// Why a picture could not be kept.
///
/// ```
/// use wirecanon_core::media::{Unusable, mend};
///
/// assert_eq!(mend(""), Err(Unusable::NoData));
/// assert_eq!(mend("no base64!").unwrap_err().reason(), "data is not base64");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Nothing there
    NoData,
    /// Not base64
    NotBase64,
    /// Base64 of something else
    NotAPicture,
    /// The canonical base64 of a document
    Pdf(String),
    /// The text of a drawing, which is text
    Svg(String),
}

impl Unusable {
    /// The reason, as the text in its place gives it.
    ///
    /// ```
    /// use wirecanon_core::media::{Unusable, mend};
    ///
    /// let unusable = mend("JVBERi0xLjc=").unwrap_err();
    /// assert_eq!(unusable, Unusable::Pdf("JVBERi0xLjc=".into()));
    /// assert_eq!(unusable.reason(), "not a picture");
    /// ```
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NoData => "no data",
            Self::NotBase64 => "data is not base64",
            Self::NotAPicture | Self::Pdf(_) | Self::Svg(_) => "not a picture",
        }
    }

    /// The rule that is broken.
    pub(crate) fn rule(&self) -> &'static Rule {
        match self {
            Self::NoData => &rule::IMAGE_WITHOUT_DATA,
            Self::NotBase64 => &rule::IMAGE_DATA_NOT_BASE64,
            Self::NotAPicture | Self::Pdf(_) | Self::Svg(_) => &rule::IMAGE_NOT_AN_IMAGE,
        }
    }
}

/// The scheme that a text opens with, and what stands behind its colon (RFC 3986, section 3.1). Looks no further than the
/// scheme goes, since most texts that are asked about are base64 of some megabytes, which has no colon.
pub(crate) fn scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'))?;
    let rest = text[end..].strip_prefix(':')?;
    text.starts_with(|first: char| first.is_ascii_alphabetic()).then_some((&text[..end], rest))
}

/// Whether a text is the address of something elsewhere (RFC 3986, section 3).
///
/// ```
/// use wirecanon_core::media::is_address;
///
/// assert!(is_address("https://example.org/a.png") && !is_address("a.png"));
/// ```
pub fn is_address(text: &str) -> bool {
    let behind = scheme(text.trim()).and_then(|(_, rest)| rest.strip_prefix("//"));
    behind.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// Whether an address is a data URL; its scheme is read in any case (RFC 3986, section 3.1).
///
/// ```
/// use wirecanon_core::media::is_data_url;
///
/// assert!(is_data_url("DATA:image/png;base64,iVBORw0KGgo="));
/// ```
pub fn is_data_url(url: &str) -> bool {
    url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Returns the media type of audio, video and text by the ending of an address.
#[doc(hidden)]
pub fn type_of_address(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next()?;
    let (_, ending) = path.rsplit_once('/')?.1.rsplit_once('.')?;
    match &*ending.to_ascii_lowercase() {
        "mp3" => Some("audio/mpeg"),
        "wav" => Some("audio/wav"),
        "ogg" | "oga" | "opus" => Some("audio/ogg"),
        "flac" => Some("audio/flac"),
        "mp4" => Some("video/mp4"),
        "mov" => Some("video/quicktime"),
        "webm" => Some("video/webm"),
        "mkv" => Some("video/x-matroska"),
        "txt" => Some("text/plain"),
        "md" => Some("text/markdown"),
        "csv" => Some("text/csv"),
        _ => None,
    }
}

/// Media type and base64 of a data URL; `None` for the latter when it is not marked as base64.
///
/// ```
/// use wirecanon_core::media::split_data_url;
///
/// assert_eq!(split_data_url("data:image/png;base64,iVBORw0KGgo="), (Some("image/png"), Some("iVBORw0KGgo=")));
/// assert_eq!(split_data_url("data:text/plain,hi"), (Some("text/plain"), None));
/// ```
pub fn split_data_url(url: &str) -> (Option<&str>, Option<&str>) {
    let Some(rest) = url.get(5..).filter(|_| is_data_url(url)) else { return (None, None) };
    let Some((head, data)) = rest.split_once(',') else { return (None, None) };
    let mime = head.split(';').next().map(str::trim).filter(|mime| !mime.is_empty());
    let base64 = head.split(';').skip(1).any(|part| part.trim().eq_ignore_ascii_case("base64"));
    (mime, base64.then_some(data))
}

/// What stands behind the heads of data URLs of base64, or the whole text. Who puts one in front does not always look whether
/// it is there (mastra-ai/mastra#18066).
#[doc(hidden)]
pub fn behind_heads(text: &str) -> &str {
    let mut rest = text;
    while let (_, Some(base64)) = split_data_url(rest) {
        rest = base64;
    }
    rest
}

/// Whether a text says which bytes it is in base64, in whatever spelling.
pub(crate) fn is_readable(text: &str) -> bool {
    is_canonical(text) || respell(text).is_ok()
}

/// Returns base64 in its canonical spelling: the text itself where it has that, and `None` where it is no base64.
pub(crate) fn in_canonical_spelling(text: &str) -> Option<Cow<'_, str>> {
    if is_canonical(text) { Some(Cow::Borrowed(text)) } else { respell(text).ok().map(Cow::Owned) }
}

/// Whether a text is padded base64 in the standard alphabet, without stray bits, and not empty. Linear, by SIMD.
///
/// ```
/// use wirecanon_core::media::is_canonical;
///
/// assert!(is_canonical("iVBORw0KGgo="));
/// assert!(!is_canonical("iVBORw0KGgo") && !is_canonical(""));
/// ```
pub fn is_canonical(data: &str) -> bool {
    !data.is_empty() && base64_simd::STANDARD.check(data.as_bytes()).is_ok()
}

/// Mends what can be mended and says what cannot. Borrows when nothing had to be respelled. What type was declared is not believed:
/// the bytes alone say what they are.
///
/// # Errors
///
/// Why the picture cannot be kept.
///
/// ```
/// use wirecanon_core::media::mend;
///
/// let picture = mend("iVBORw0K\nGgo=").map_err(|unusable| unusable.reason())?;
/// assert_eq!((&*picture.data, &*picture.mime_type), ("iVBORw0KGgo=", "image/png"));
/// # Ok::<(), &str>(())
/// ```
pub fn mend(data: &str) -> Result<Mended<'_>, Unusable> {
    let mut text = data;
    let mut prefix = false;
    if text.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) {
        let (_, inner) = text.trim_start().split_once(',').ok_or(Unusable::NotBase64)?;
        text = inner;
        prefix = true;
    }
    if text.trim().is_empty() {
        return Err(Unusable::NoData);
    }
    let (data, respelled) =
        if is_canonical(text) { (Cow::Borrowed(text), false) } else { (Cow::Owned(respell(text)?), true) };
    match sniff_base64(&data) {
        Some(mime_type) => Ok(Mended { data, mime_type: Cow::Borrowed(mime_type), prefix, respelled }),
        None => Err(not_a_picture(&data)),
    }
}

/// The same bytes in padded standard base64: white space goes, the URL-safe alphabet is read, padding is added, and bits
/// that stand for no byte are cleared.
///
/// # Errors
///
/// The text is not base64.
///
/// ```
/// use wirecanon_core::media::respell;
///
/// assert_eq!(respell("_-8").as_deref(), Ok("/+8="));
/// assert!(respell("a").is_err());
/// ```
pub fn respell(text: &str) -> Result<String, Unusable> {
    let mut symbols = Vec::with_capacity(text.len());
    let mut padding = 0;
    for byte in text.bytes() {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'=' => padding += 1,
            _ if padding > 0 => return Err(Unusable::NotBase64),
            b'-' => symbols.push(b'+'),
            b'_' => symbols.push(b'/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => symbols.push(byte),
            _ => return Err(Unusable::NotBase64),
        }
    }
    let rest = symbols.len() % 4;
    if symbols.is_empty() {
        return Err(Unusable::NoData);
    }
    if rest == 1 || padding > 2 || (padding > 0 && (rest == 0 || padding > 4 - rest)) {
        return Err(Unusable::NotBase64);
    }
    if rest > 0 {
        // Two symbols carry one byte and four stray bits, three carry two bytes and two.
        let keep = if rest == 2 { 0b11_0000 } else { 0b11_1100 };
        if let Some(last) = symbols.last_mut() {
            *last = symbol(value(*last) & keep);
        }
        symbols.resize(symbols.len() + 4 - rest, b'=');
    }
    String::from_utf8(symbols).map_err(|_| Unusable::NotBase64)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn symbol(value: u8) -> u8 {
    ALPHABET[usize::from(value & 63)]
}

fn value(symbol: u8) -> u8 {
    ALPHABET.iter().position(|known| *known == symbol).unwrap_or_default() as u8
}

/// What a declared media type says of whether it is a picture. Nothing, where there is none, where it stands for any bytes
/// (`application/octet-stream`), or where it is no media type (`png`; charmbracelet/crush#995).
///
/// ```
/// use wirecanon_core::media::says_picture;
///
/// assert_eq!(["IMAGE/PNG", "application/pdf", "png"].map(says_picture), [Some(true), Some(false), None]);
/// ```
pub fn says_picture(declared: &str) -> Option<bool> {
    let (kind, rest) = declared.trim().split_once('/')?;
    let of_any =
        kind == "*" || rest.split(';').next().is_some_and(|rest| rest.trim().eq_ignore_ascii_case("octet-stream"));
    (!of_any).then(|| kind.eq_ignore_ascii_case("image"))
}

/// A media type in small letters and without its parameters: `Application/PDF; charset=binary` is `application/pdf`.
pub(crate) fn essence(declared: &str) -> Cow<'_, str> {
    let bare = declared.split(';').next().unwrap_or_default().trim();
    if bare.contains(|c: char| c.is_ascii_uppercase()) { bare.to_ascii_lowercase().into() } else { bare.into() }
}

/// Whether a declared media type is that of a PDF.
///
/// ```
/// use wirecanon_core::media::says_pdf;
///
/// assert!(says_pdf("Application/PDF") && !says_pdf("text/plain"));
/// ```
pub fn says_pdf(declared: &str) -> bool {
    declared.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/pdf"))
}

/// Whether canonical base64 is of a PDF: readers look for its header in the first 1024 bytes (ISO 32000-1, annex H.3).
///
/// ```
/// use wirecanon_core::media::is_pdf;
///
/// assert!(is_pdf("JVBERi0xLjc=") && !is_pdf("PGh0bWw+NDA0PC9odG1sPg=="));
/// ```
pub fn is_pdf(data: &str) -> bool {
    const LOOKED_AT: usize = 1024;
    let head = &data.as_bytes()[..data.len().min(LOOKED_AT.div_ceil(3) * 4)];
    let bytes = base64_simd::STANDARD.decode_to_vec(head).unwrap_or_default();
    bytes[..bytes.len().min(LOOKED_AT)].windows(5).any(|window| window == b"%PDF-")
}

/// Whether base64, or a data URL, is of a picture: by its declared type, or by its bytes where that says nothing.
///
/// ```
/// use wirecanon_core::media::is_picture;
///
/// assert!(is_picture(Some("png"), "iVBORw0KGgo=") && !is_picture(Some("application/pdf"), "iVBORw0KGgo="));
/// ```
pub fn is_picture(declared: Option<&str>, data: &str) -> bool {
    declared.and_then(says_picture).unwrap_or_else(|| mend(data).is_ok())
}

/// Returns the media type of an image or a PDF whose base64 stands alone where an address belongs, and `None` for any other
/// text. An address is never mistaken for one: it would have to be base64 that begins with such a header.
pub(crate) fn type_of_bare_base64(text: &str) -> Option<&'static str> {
    if text.len() < 16 {
        return None;
    }
    let data = in_canonical_spelling(text)?;
    let bytes = base64_simd::STANDARD.decode_to_vec(head_of(&data)).ok()?;
    sniff(&bytes).or_else(|| bytes.starts_with(b"%PDF-").then_some("application/pdf"))
}

/// The first symbols of canonical base64: 64 of them are 48 bytes, enough for every header.
fn head_of(data: &str) -> &[u8] {
    &data.as_bytes()[..data.len().min(64)]
}

/// What the first bytes of canonical base64 say; `None` for no known picture.
///
/// ```
/// use wirecanon_core::media::sniff_base64;
///
/// assert_eq!(sniff_base64("iVBORw0KGgo="), Some("image/png"));
/// ```
pub fn sniff_base64(data: &str) -> Option<&'static str> {
    sniff(&base64_simd::STANDARD.decode_to_vec(head_of(data)).ok()?)
}

/// What the first bytes of a picture say; `None` for no known picture.
///
/// ```
/// use wirecanon_core::media::sniff;
///
/// assert_eq!(sniff(b"GIF89a..."), Some("image/gif"));
/// assert_eq!(sniff(b"%PDF-1.7"), None);
/// ```
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let brand = bytes.get(8..12);
    Some(match bytes {
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [b'B', b'M', rest @ ..] if rest.get(4..8).is_none_or(|reserved| reserved == [0; 4]) => "image/bmp",
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => "image/tiff",
        [0, 0, 1, 0, ..] => "image/x-icon",
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => match brand? {
            b"heic" | b"heix" | b"hevc" | b"hevx" | b"hevm" | b"hevs" | b"heim" | b"heis" => "image/heic",
            b"mif1" | b"msf1" if bytes.chunks_exact(4).skip(4).any(|brand| brand == b"avif") => "image/avif",
            b"mif1" | b"msf1" => "image/heif",
            b"avif" | b"avis" => "image/avif",
            _ => return None,
        },
        _ => return None,
    })
}

/// The kind of a recording, by its first bytes; `None` for no known one.
///
/// ```
/// use wirecanon_core::media::sniff_recording;
///
/// assert_eq!(sniff_recording("SUQzBAAA"), Some("audio/mpeg"));
/// ```
pub fn sniff_recording(data: &str) -> Option<&'static str> {
    let head = &data.as_bytes()[..data.len().min(16)];
    match base64_simd::STANDARD.decode_to_vec(head).ok()?.as_slice() {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E'] => Some("audio/wav"),
        [b'I', b'D', b'3', ..] | [0xFF, 0xE2..=0xFF, ..] => Some("audio/mpeg"),
        _ => None,
    }
}

/// Whether a declared type is another name for what the bytes say.
///
/// ```
/// use wirecanon_core::media::same_type;
///
/// assert!(same_type("image/heif", "image/heic") && !same_type("image/jpeg", "image/png"));
/// ```
pub fn same_type(declared: &str, sniffed: &str) -> bool {
    const HEIF: [&str; 4] = ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"];
    declared == sniffed
        || (sniffed == "image/x-icon" && declared == "image/vnd.microsoft.icon")
        || (HEIF.contains(&sniffed) && HEIF.contains(&declared))
}

/// The text that base64 holds; what in it is not UTF-8 becomes U+FFFD. `None` if it is not base64.
pub(crate) fn text_of(data: &str) -> Option<String> {
    let bytes = base64_simd::STANDARD.decode_to_vec(data.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn not_a_picture(data: &str) -> Unusable {
    // `%PDF-` and the first digit of a version.
    if data.starts_with("JVBERi0") {
        return Unusable::Pdf(data.to_owned());
    }
    // A drawing is a text; look at its start before decoding all of it.
    let head = &data.as_bytes()[..data.len().min(1024) / 4 * 4];
    let start = base64_simd::STANDARD.decode_to_vec(head).unwrap_or_default();
    let start = String::from_utf8_lossy(&start);
    let start = start.trim_start_matches('\u{FEFF}').trim_start();
    if (start.starts_with("<svg") || (start.starts_with("<?xml") && start.contains("<svg")))
        && let Some(text) =
            base64_simd::STANDARD.decode_to_vec(data.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok())
    {
        return Unusable::Svg(text);
    }
    Unusable::NotAPicture
}
