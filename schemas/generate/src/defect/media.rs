//! Pictures and documents that are not what they say.

use super::dialects::{canonical, document_fields, documents, image_fields, images, typed_images};
use super::place::{outcome_part, part};
use super::{Defect, Site, exact, instead};
use crate::Draw;
use crate::media::Picture;
use crate::node::{Node, object};
use crate::outcome::words;
use crate::plan::{Field, Image, Part};

const WITHOUT: &[&str] = &["image-without-data"];
const NOT_BASE64: &[&str] = &["image-data-not-base64"];
const OTHER_SPELLING: &[&str] = &["image-base64-not-canonical"];
const MISMATCH: &[&str] = &["image-type-mismatch"];
const FILE_NOT_BASE64: &[&str] = &["file-data-not-base64"];
const NO_IMAGE: &[&str] = &["image-not-an-image"];

pub(super) const ROWS: &[Defect] = &[
    exact("image-data-missing", WITHOUT, "A picture has no data.", images, |on| {
        gone(on, "no data", |_| Field::Missing)
    }),
    exact("image-data-null", WITHOUT, "A picture's data is null.", image_fields, |on| {
        gone(on, "no data", |_| instead(Node::Null))
    }),
    exact("image-data-empty", WITHOUT, "A picture's data is an empty string.", images, |on| {
        gone(on, "no data", |_| instead(""))
    }),
    exact("image-data-not-base64", NOT_BASE64, "A picture's data is not base64.", images, |on| {
        gone(on, "data is not base64", |_| instead("!!not base64!!"))
    }),
    exact("image-data-object", WITHOUT, "A picture's data is an object.", image_fields, |on| {
        gone(on, "no data", |_| instead(object([("type", Node::from("Buffer")), ("data", Node::Array(vec![]))])))
    }),
    exact("image-data-cut-off", NOT_BASE64, "A picture's base64 ends in the middle of a group.", image_fields, |on| {
        gone(on, "data is not base64", |base64| instead(&base64[..5]))
    }),
    exact("image-of-something-else", NO_IMAGE, "A picture's data is base64 of something else.", images, |on| {
        gone(on, "not a picture", |_| instead("bm90IGEgcGljdHVyZQ=="))
    }),
    exact("image-data-url", &["image-data-url-prefix"], "A picture's data is a data URL.", image_fields, |on| {
        mended(on, |picture, _| Some(format!("data:{};base64,{}", picture.mime, picture.base64)))
    }),
    exact("image-unpadded", OTHER_SPELLING, "A picture's base64 lacks its padding.", images, |on| {
        mended(on, |picture, _| unpadded(&picture.base64))
    }),
    exact("image-url-safe", OTHER_SPELLING, "A picture is in the URL-safe alphabet.", images, |on| {
        mended(on, |picture, _| {
            Some(picture.base64.replace('+', "-").replace('/', "_")).filter(|safe| *safe != picture.base64)
        })
    }),
    exact("image-line-break", OTHER_SPELLING, "A line break stands in a picture's base64.", images, |on| {
        mended(on, |picture, draw| Some(with_line_break(&picture.base64, draw)))
    }),
    exact("image-type-missing", &["image-type-missing"], "A picture does not say its type.", image_fields, |on| {
        retyped(on, |_, _| Field::Missing)
    }),
    exact("image-type-wrong", MISMATCH, "A picture's bytes are of another type.", typed_images, |on| {
        retyped(on, |mime, draw| {
            let mut others = vec!["image/webp", "image/png", "image/jpeg", "image/gif"];
            others.retain(|other| *other != mime);
            instead(draw.pick(&others))
        })
    }),
    exact("image-type-of-no-image", MISMATCH, "A picture is said to be bytes or a text.", canonical, |on| {
        retyped(on, |_, draw| instead(draw.pick(&["application/octet-stream", "text/plain", "png"])))
    }),
    exact("document-line-break", FILE_NOT_BASE64, "A line break stands in a document's base64.", documents, |on| {
        respelled(on, |base64, draw| Some(with_line_break(base64, draw)))
    }),
    exact("document-unpadded", FILE_NOT_BASE64, "A document's base64 lacks its padding.", document_fields, |on| {
        respelled(on, |base64, _| unpadded(base64))
    }),
    exact(
        "document-data-url",
        FILE_NOT_BASE64,
        "A document's data is a data URL, where base64 belongs.",
        document_fields,
        |on| respelled(on, |base64, _| Some(format!("data:application/pdf;base64,{base64}"))),
    ),
];

fn unpadded(base64: &str) -> Option<String> {
    base64.ends_with('=').then(|| base64.trim_end_matches('=').to_owned())
}

fn with_line_break(base64: &str, draw: &mut Draw<'_, '_>) -> String {
    let (front, back) = base64.split_at(1 + draw.up_to(base64.len() - 2));
    format!("{front}\n{back}")
}

/// A document whose bytes are spelled otherwise, and stay.
fn respelled(on: &mut Site<'_, '_>, spell: impl FnOnce(&str, &mut Draw<'_, '_>) -> Option<String>) -> Option<()> {
    let is_whole = |part: &Part| matches!(part, Part::Document(document) if document.data == Field::Natural);
    let (place, part) = part(on, |_, part| is_whole(part))?;
    let Part::Document(document) = &mut on.plan.messages[place].parts[part] else { return None };
    document.data = instead(spell(&document.base64, &mut on.draw)?);
    Some(())
}

/// A picture with nothing wrong yet.
fn an_image(on: &mut Site<'_, '_>) -> Option<(usize, usize)> {
    let is_whole = |image: &Image| image.data == Field::Natural && image.mime == Field::Natural;
    part(on, |_, part| matches!(part, Part::Image(image) if is_whole(image)))
}

/// A picture whose data can be made whole again.
fn mended(on: &mut Site<'_, '_>, spell: impl FnOnce(&Picture, &mut Draw<'_, '_>) -> Option<String>) -> Option<()> {
    let (place, part) = an_image(on)?;
    let Part::Image(image) = &mut on.plan.messages[place].parts[part] else { return None };
    image.data = instead(spell(&image.picture, &mut on.draw)?);
    Some(())
}

/// A picture whose type its bytes say.
fn retyped(on: &mut Site<'_, '_>, spell: impl FnOnce(&str, &mut Draw<'_, '_>) -> Field) -> Option<()> {
    let (place, part) = an_image(on)?;
    let Part::Image(image) = &mut on.plan.messages[place].parts[part] else { return None };
    image.mime = spell(image.picture.mime, &mut on.draw);
    Some(())
}

/// A picture that nobody can make whole: a text says so in its place.
fn gone(on: &mut Site<'_, '_>, reason: &str, data: impl FnOnce(&str) -> Field) -> Option<()> {
    let (place, part) = an_image(on)?;
    let Part::Image(image) = &mut on.plan.messages[place].parts[part] else { return None };
    let base64 = image.picture.base64.clone();
    image.data = data(&base64);
    let text = format!("[wirecanon: image left out: {reason} ({})]", image.picture.mime);
    on.plan.forget(&base64);
    *outcome_part(on.plan, place, part)? = Part::Raw(words(&text), String::new());
    Some(())
}
