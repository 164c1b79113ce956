//! Pictures and documents that are not what they say.

use super::dialects::{canonical, document_fields, documents, image_fields, images, typed_images};
use super::place::{outcome_part, part};
use super::{Defect, exact};
use crate::Draw;
use crate::node::{Node, object};
use crate::outcome::words;
use crate::plan::{Document, Field, Image, Part, Plan};

const CLASS: &str = "image-media-malformed";
const WITHOUT: &[&str] = &["image-without-data"];
const NOT_BASE64: &[&str] = &["image-data-not-base64"];
const OTHER_SPELLING: &[&str] = &["image-base64-not-canonical"];
const FILE_NOT_BASE64: &[&str] = &["file-data-not-base64"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "image-data-missing", WITHOUT, "A picture has no data.", images, |draw, plan, _| {
        gone(draw, plan, "no data", |_| Field::Missing)
    }),
    exact(CLASS, "image-data-null", WITHOUT, "A picture's data is null.", image_fields, |draw, plan, _| {
        gone(draw, plan, "no data", |_| Field::Instead(Node::Null))
    }),
    exact(CLASS, "image-data-empty", WITHOUT, "A picture's data is an empty string.", images, |draw, plan, _| {
        gone(draw, plan, "no data", |_| Field::Instead(Node::from("")))
    }),
    exact(CLASS, "image-data-not-base64", NOT_BASE64, "A picture's data is not base64.", images, |draw, plan, _| {
        gone(draw, plan, "data is not base64", |_| Field::Instead(Node::from("!!not base64!!")))
    }),
    exact(CLASS, "image-data-object", WITHOUT, "A picture's data is an object.", image_fields, |draw, plan, _| {
        gone(draw, plan, "no data", |_| {
            Field::Instead(object([("type", Node::from("Buffer")), ("data", Node::Array(vec![]))]))
        })
    }),
    exact(
        CLASS,
        "image-data-cut-off",
        NOT_BASE64,
        "A picture's base64 ends in the middle of a group.",
        image_fields,
        |draw, plan, _| gone(draw, plan, "data is not base64", |base64| Field::Instead(Node::from(&base64[..5]))),
    ),
    exact(
        CLASS,
        "image-of-something-else",
        &["image-not-an-image"],
        "A picture's data is base64 of something else.",
        images,
        |draw, plan, _| gone(draw, plan, "not a picture", |_| Field::Instead(Node::from("bm90IGEgcGljdHVyZQ=="))),
    ),
    exact(
        CLASS,
        "image-data-url",
        &["image-data-url-prefix"],
        "A picture's data is a data URL.",
        image_fields,
        |draw, plan, _| {
            mended(draw, plan, |image, _| {
                image.data =
                    Field::Instead(Node::from(format!("data:{};base64,{}", image.picture.mime, image.picture.base64)));
                Some(())
            })
        },
    ),
    exact(CLASS, "image-unpadded", OTHER_SPELLING, "A picture's base64 lacks its padding.", images, |draw, plan, _| {
        mended(draw, plan, |image, _| {
            let bare = image.picture.base64.trim_end_matches('=');
            (bare != image.picture.base64).then(|| image.data = Field::Instead(Node::from(bare)))
        })
    }),
    exact(
        CLASS,
        "image-url-safe",
        OTHER_SPELLING,
        "A picture is in the URL-safe alphabet.",
        images,
        |draw, plan, _| {
            mended(draw, plan, |image, _| {
                let safe = image.picture.base64.replace('+', "-").replace('/', "_");
                (safe != image.picture.base64).then(|| image.data = Field::Instead(Node::from(safe)))
            })
        },
    ),
    exact(
        CLASS,
        "image-line-break",
        OTHER_SPELLING,
        "A line break stands in a picture's base64.",
        images,
        |draw, plan, _| {
            mended(draw, plan, |image, draw| {
                let base64 = &image.picture.base64;
                let (front, back) = base64.split_at(1 + draw.up_to(base64.len() - 2));
                image.data = Field::Instead(Node::from(format!("{front}\n{back}")));
                Some(())
            })
        },
    ),
    exact(
        CLASS,
        "image-type-missing",
        &["image-type-missing"],
        "A picture does not say its type.",
        image_fields,
        |draw, plan, _| {
            mended(draw, plan, |image, _| {
                image.mime = Field::Missing;
                Some(())
            })
        },
    ),
    exact(
        CLASS,
        "image-type-wrong",
        &["image-type-mismatch"],
        "A picture's bytes are of another type.",
        typed_images,
        |draw, plan, _| {
            mended(draw, plan, |image, draw| {
                let others: Vec<_> = ["image/webp", "image/png", "image/jpeg", "image/gif"]
                    .into_iter()
                    .filter(|mime| *mime != image.picture.mime)
                    .collect();
                image.mime = Field::Instead(Node::from(draw.pick(&others)));
                Some(())
            })
        },
    ),
    exact(
        CLASS,
        "image-type-of-no-image",
        &["image-type-mismatch"],
        "A picture is said to be bytes or a text.",
        canonical,
        |draw, plan, _| {
            mended(draw, plan, |image, draw| {
                let mime = draw.pick(&["application/octet-stream", "text/plain", "png"]);
                image.mime = Field::Instead(Node::from(mime));
                Some(())
            })
        },
    ),
    exact(
        CLASS,
        "document-line-break",
        FILE_NOT_BASE64,
        "A line break stands in a document's base64.",
        documents,
        |draw, plan, _| {
            respelled(draw, plan, |document, draw| {
                let (front, back) = document.base64.split_at(1 + draw.up_to(document.base64.len() - 2));
                Some(format!("{front}\n{back}"))
            })
        },
    ),
    exact(
        CLASS,
        "document-unpadded",
        FILE_NOT_BASE64,
        "A document's base64 lacks its padding.",
        document_fields,
        |draw, plan, _| {
            respelled(draw, plan, |document, _| {
                let bare = document.base64.trim_end_matches('=');
                (bare != document.base64).then(|| bare.to_owned())
            })
        },
    ),
    exact(
        CLASS,
        "document-data-url",
        FILE_NOT_BASE64,
        "A document's data is a data URL, where base64 belongs.",
        document_fields,
        |draw, plan, _| {
            respelled(draw, plan, |document, _| Some(format!("data:application/pdf;base64,{}", document.base64)))
        },
    ),
];

/// A document whose bytes are spelled otherwise, and stay.
fn respelled(
    draw: &mut Draw<'_, '_>,
    plan: &mut Plan,
    spell: impl FnOnce(&Document, &mut Draw<'_, '_>) -> Option<String>,
) -> Option<()> {
    let is_whole = |part: &Part| matches!(part, Part::Document(document) if document.data == Field::Natural);
    let (place, part) = part(draw, plan, |_, part| is_whole(part))?;
    let Part::Document(document) = &mut plan.messages[place].parts[part] else { return None };
    document.data = Field::Instead(Node::from(spell(document, draw)?));
    Some(())
}

fn is_image(part: &Part) -> bool {
    matches!(part, Part::Image(image) if image.data == Field::Natural && image.mime == Field::Natural)
}

/// A picture that can be made whole again.
fn mended(
    draw: &mut Draw<'_, '_>,
    plan: &mut Plan,
    spell: impl FnOnce(&mut Image, &mut Draw<'_, '_>) -> Option<()>,
) -> Option<()> {
    let (place, part) = part(draw, plan, |_, part| is_image(part))?;
    match &mut plan.messages[place].parts[part] {
        Part::Image(image) => spell(image, draw),
        _ => None,
    }
}

/// A picture that nobody can make whole: a text says so in its place.
fn gone(draw: &mut Draw<'_, '_>, plan: &mut Plan, reason: &str, data: impl FnOnce(&str) -> Field) -> Option<()> {
    let (place, part) = part(draw, plan, |_, part| is_image(part))?;
    let Part::Image(image) = &mut plan.messages[place].parts[part] else { return None };
    let base64 = image.picture.base64.clone();
    image.data = data(&base64);
    let text = format!("[wirecanon: image left out: {reason} ({})]", image.picture.mime);
    plan.forget(&base64);
    *outcome_part(plan, place, part)? = Part::Raw(words(&text), String::new());
    Some(())
}
