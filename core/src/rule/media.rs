//! Rules of the class `image-media-malformed`.

use super::{Class, Rule};

/// An image holds data: a non-empty base64 string.
pub static IMAGE_WITHOUT_DATA: Rule = Rule {
    id: "image-without-data",
    class: Class::Media,
    statement: "An image holds data: a non-empty base64 string.",
    sources: &["openclaw/openclaw#90710"],
    holds: &[],
    example: None,
};

/// The data of an image is base64.
pub static IMAGE_DATA_NOT_BASE64: Rule = Rule {
    id: "image-data-not-base64",
    class: Class::Media,
    statement: "The data of an image is base64.",
    sources: &["openclaw/openclaw#18212"],
    holds: &[],
    example: None,
};

/// The data of an image is base64 alone, without a data URL in front.
pub static IMAGE_DATA_URL_PREFIX: Rule = Rule {
    id: "image-data-url-prefix",
    class: Class::Media,
    statement: "The data of an image is base64 alone, without a data URL in front.",
    sources: &["openclaw/openclaw#18219"],
    holds: &[],
    example: None,
};

/// Base64 is spelled in the standard alphabet, padded, without white space or stray bits.
pub static IMAGE_BASE64_NOT_CANONICAL: Rule = Rule {
    id: "image-base64-not-canonical",
    class: Class::Media,
    statement: "Base64 is spelled in the standard alphabet, padded, without white space or stray bits.",
    sources: &["openclaw/openclaw#111235"],
    holds: &[],
    example: None,
};

/// An image says what kind it is.
pub static IMAGE_TYPE_MISSING: Rule = Rule {
    id: "image-type-missing",
    class: Class::Media,
    statement: "An image says what kind it is.",
    sources: &["openclaw/openclaw#18226"],
    holds: &[],
    example: None,
};

/// The declared kind of an image is what its bytes say.
pub static IMAGE_TYPE_MISMATCH: Rule = Rule {
    id: "image-type-mismatch",
    class: Class::Media,
    statement: "The declared kind of an image is what its bytes say.",
    sources: &["vybestack/llxprt-code#2130"],
    holds: &[],
    example: None,
};

/// The bytes of an image are a picture that a known header opens.
pub static IMAGE_NOT_AN_IMAGE: Rule = Rule {
    id: "image-not-an-image",
    class: Class::Media,
    statement: "The bytes of an image are a picture that a known header opens.",
    sources: &["anthropics/claude-code#55338"],
    holds: &[],
    example: None,
};

/// The target takes this kind of picture.
pub static IMAGE_TYPE_NOT_ACCEPTED: Rule = Rule {
    id: "image-type-not-accepted",
    class: Class::Media,
    statement: "The target takes this kind of picture.",
    sources: &["openclaw/openclaw#102323"],
    holds: &[],
    example: None,
};

/// The target takes this kind of file.
pub static FILE_NOT_ACCEPTED: Rule = Rule {
    id: "file-not-accepted",
    class: Class::Media,
    statement: "The target takes this kind of file.",
    sources: &["openclaw/openclaw#90728"],
    holds: &[],
    example: None,
};

pub(super) static MEDIA_RULES: &[&Rule] = &[
    &IMAGE_WITHOUT_DATA,
    &IMAGE_DATA_NOT_BASE64,
    &IMAGE_DATA_URL_PREFIX,
    &IMAGE_BASE64_NOT_CANONICAL,
    &IMAGE_TYPE_MISSING,
    &IMAGE_TYPE_MISMATCH,
    &IMAGE_NOT_AN_IMAGE,
    &IMAGE_TYPE_NOT_ACCEPTED,
    &FILE_NOT_ACCEPTED,
];
