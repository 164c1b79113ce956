//! Pictures: mended and kept where the bytes allow it, a text in their place where they do not.

use std::borrow::Cow;

use crate::media::{self, Mended, Unusable};
use crate::read::carried_document::text_of_file;
use crate::repair::{Repairs, trimmed};
use wirecanon_json::quote;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Native, Role, Transcript};
use wirecanon_model::{Dialect, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, repairs: &mut Repairs<'a, '_>) {
    let dialect = transcript.dialect;
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            if repairs.steps.repair("media/addresses") && by_address(block, message.role, repairs) {
                continue;
            }
            match block.kind {
                BlockKind::Image(_) if repairs.steps.repair("media/images") => {
                    mend(block, message.role, dialect, repairs);
                }
                BlockKind::File(_) if repairs.steps.repair("media/files") => {
                    respell_file(block, repairs);
                    no_pdf(block, repairs);
                }
                _ => {}
            }
        }
    }
}

/// Where an address stands in place of the bytes, a picture of the user is a link, and anything else is the address as text;
/// true if that was so.
fn by_address<'a>(block: &mut Block<'a>, role: Role, repairs: &mut Repairs<'a, '_>) -> bool {
    let (kind, what) = match &mut block.kind {
        BlockKind::Image(image) if image.data.as_deref().is_some_and(media::is_address) => {
            let url = trimmed(image.data.take().unwrap_or_default());
            if role == Role::User {
                let mime_type = image.mime_type.take();
                (BlockKind::Link(Box::new(Link { url, mime_type })), "an image; it was kept as a link")
            } else {
                (BlockKind::Text(url.into()), "an image; it was kept as text")
            }
        }
        BlockKind::File(file) if media::is_address(&file.data) => {
            (BlockKind::Text(trimmed(std::mem::take(&mut file.data)).into()), "a file; it was kept as text")
        }
        _ => return false,
    };
    let what = format!("an address stood where the bytes belong of {what}");
    repairs.replace(&rule::MEDIA_BY_ADDRESS, Severity::Mend, block, kind, what);
    true
}

/// Mends one picture; true if anything changed.
fn mend<'a>(block: &mut Block<'a>, role: Role, dialect: Dialect, repairs: &mut Repairs<'a, '_>) {
    let BlockKind::Image(image) = &mut block.kind else { return };
    let declared = image.mime_type.clone();
    let mended = match image.data.as_deref() {
        None => Err(Unusable::NoData),
        Some(data) => media::mend(data).map(|mended| Mended {
            data: Cow::Owned(match mended.data {
                // Most pictures need nothing: do not copy them to find that out.
                Cow::Borrowed(same) if same.len() == data.len() => String::new(),
                other => other.into_owned(),
            }),
            ..mended
        }),
    };
    let mended = match mended {
        Ok(mended) => mended,
        Err(Unusable::Pdf(data)) if role == Role::User => {
            // A PDF where a picture belongs is a file (expectedparrot/edsl#2057).
            let mime_type = Cow::Borrowed("application/pdf");
            let file = BlockKind::File(Box::new(File { data: data.into(), mime_type, name: None }));
            let what = "the bytes are a PDF; it was kept as a file";
            return repairs.replace(&rule::IMAGE_NOT_AN_IMAGE, Severity::Mend, block, file, what);
        }
        Err(why) => {
            return match file_in_an_image(&why, image, role, dialect) {
                Some(file) => keep_file(block, file, role, dialect, repairs),
                None => give_up(block, &why, declared.as_deref(), repairs),
            };
        }
    };
    let mut faults: Vec<(&'static Rule, String)> = Vec::new();
    if mended.prefix {
        faults.push((&rule::IMAGE_DATA_URL_PREFIX, "a data URL stood in front of the base64; taken off".to_owned()));
    }
    if mended.respelled {
        let what = "the base64 was spelled anew, padded and in the standard alphabet";
        faults.push((&rule::IMAGE_BASE64_NOT_CANONICAL, what.to_owned()));
    }
    match declared.as_deref() {
        Some(declared) if media::same_type(declared, &mended.mime_type) => {}
        Some(declared) if !declared.trim().is_empty() => {
            let what = format!("declared as `{declared}`, but the bytes are `{}`", mended.mime_type);
            faults.push((&rule::IMAGE_TYPE_MISMATCH, what));
        }
        _ => faults
            .push((&rule::IMAGE_TYPE_MISSING, format!("no type was declared; the bytes are `{}`", mended.mime_type))),
    }
    if faults.is_empty() {
        return;
    }
    if !mended.data.is_empty() {
        image.data = Some(Cow::Owned(mended.data.into_owned()));
    }
    image.mime_type = Some(mended.mime_type);
    for (rule, what) in faults {
        repairs.mend(rule, block, what);
    }
}

/// Returns the file that an image block holds instead of an image: a PDF, or one whose declared type is no image. In a tool
/// result of the Model Context Protocol it may have any type, since the protocol has a block for it.
fn file_in_an_image(why: &Unusable, image: &Media<'_>, role: Role, dialect: Dialect) -> Option<File<'static>> {
    let declared = image.mime_type.as_deref().map(media::essence).unwrap_or_default();
    let says_image = media::says_picture(&declared);
    let is_mcp_result = role == Role::ToolResult && dialect.is_mcp();
    let (data, mime_type) = match why {
        Unusable::Pdf(data) => (data.clone(), "application/pdf".to_owned()),
        Unusable::NotAPicture if says_image == Some(false) || is_mcp_result => {
            let data = media::in_canonical_spelling(media::behind_heads(image.data.as_deref()?))?.into_owned();
            let is_type = declared.contains('/') && !media::says_pdf(&declared);
            (data, if is_type { declared.into_owned() } else { "application/octet-stream".to_owned() })
        }
        _ => return None,
    };
    let is_text = || text_of_file(&mime_type, &data).is_some();
    let has_place = matches!(role, Role::User | Role::ToolResult) || is_text();
    has_place.then(|| File { data: data.into(), mime_type: mime_type.into(), name: None })
}

/// Puts a file in the place of an image block. A tool result of the canonical transcript has no files, so that a text stands
/// for it there, and a resource of the Model Context Protocol is carried beside it.
fn keep_file<'a>(
    block: &mut Block<'a>,
    file: File<'static>,
    role: Role,
    dialect: Dialect,
    repairs: &mut Repairs<'a, '_>,
) {
    let mut native = None;
    let what = format!("the bytes are no image but `{}`", file.mime_type);
    let (kind, outcome) = match role {
        Role::User => (BlockKind::File(Box::new(file)), "a file"),
        Role::ToolResult => {
            let uri =
                if media::says_pdf(&file.mime_type) { "attachment:///document.pdf" } else { "attachment:///file" };
            let resource = format!(
                "{{\"uri\":{},\"mimeType\":{},\"blob\":{}}}",
                quote(uri),
                quote(&file.mime_type),
                quote(&file.data)
            );
            let carrier = if dialect.is_mcp() { dialect } else { Dialect::McpToolResult };
            let mut carried = Native::default();
            carried.add(carrier.name(), "type", "\"resource\"");
            carried.add(carrier.name(), "resource", resource);
            native = Some(Box::new(carried));
            let stand_in = if media::says_picture(&file.mime_type) == Some(true) {
                text::image_left_out(Unusable::NotAPicture.reason(), Some(&file.mime_type))
            } else {
                text::file_left_out(None, &file.mime_type)
            };
            (BlockKind::Text(stand_in.into()), "a resource")
        }
        _ => {
            let text = text_of_file(&file.mime_type, &file.data).unwrap_or_default();
            (BlockKind::Text(text.into()), "text")
        }
    };
    let what = format!("{what}; the block became {outcome}");
    repairs.replace(&rule::IMAGE_NOT_AN_IMAGE, Severity::Mend, block, kind, what);
    (block.projected, block.native) = (native.is_some(), native);
}

/// What says that it is a PDF and is none: its bytes are a picture, or it goes. Servers refuse it, and every later request
/// with it (anthropics/claude-code#25323).
fn no_pdf<'a>(block: &mut Block<'a>, repairs: &mut Repairs<'a, '_>) {
    let BlockKind::File(file) = &mut block.kind else { return };
    if !media::says_pdf(&file.mime_type) || media::is_pdf(&file.data) {
        return;
    }
    let (kind, severity, what) = if let Some(mime_type) = media::sniff_base64(&file.data) {
        let data = Some(std::mem::take(&mut file.data));
        let image = BlockKind::Image(Box::new(Media { mime_type: Some(mime_type.into()), data }));
        if file.name.is_some() {
            (image, Severity::Loss, "the bytes are no PDF but a picture; it was kept as an image, without its name")
        } else {
            (image, Severity::Mend, "the bytes are no PDF but a picture; it was kept as an image")
        }
    } else {
        let words = BlockKind::Text(text::file_left_out(file.name.as_deref(), &file.mime_type).into());
        (words, Severity::Loss, "a PDF whose bytes are none became a text that says so")
    };
    repairs.replace(&rule::FILE_NOT_A_PDF, severity, block, kind, what);
}

/// Mends the base64 of one file; true if anything changed.
fn respell_file<'a>(block: &mut Block<'a>, repairs: &mut Repairs<'a, '_>) {
    let BlockKind::File(file) = &mut block.kind else { return };
    if media::is_canonical(&file.data) {
        return;
    }
    match media::respell(media::behind_heads(&file.data)) {
        Ok(data) => {
            file.data = data.into();
            let what = "the base64 of the file was spelled anew";
            repairs.mend(&rule::FILE_DATA_NOT_BASE64, block, what);
        }
        Err(_) => {
            block.kind = BlockKind::Text(text::file_left_out(file.name.as_deref(), &file.mime_type).into());
            block.native = None;
            let what = "a file that is not base64 became a text that says so";
            repairs.change(&rule::FILE_DATA_NOT_BASE64, Severity::Loss, block, what);
        }
    }
}

/// Returns whether a block has a text among the members that only its dialect knows.
fn holds_more(block: &Block<'_>) -> bool {
    let fields = block.native.iter().flat_map(|native| &native.dialects).flat_map(|(_, fields)| fields);
    fields.into_iter().any(|(key, _)| key == "text")
}

fn give_up<'a>(block: &mut Block<'a>, why: &Unusable, declared: Option<&str>, repairs: &mut Repairs<'a, '_>) {
    let (words, severity, what) = match why {
        Unusable::Svg(drawing) => {
            (drawing.clone(), Severity::Mend, "an SVG drawing is text; it was kept as text".to_owned())
        }
        Unusable::NoData => (
            text::image_left_out(why.reason(), declared),
            if holds_more(block) { Severity::Loss } else { Severity::Mend },
            "an image without data became a text that says so".to_owned(),
        ),
        _ => (
            text::image_left_out(why.reason(), declared),
            Severity::Loss,
            format!("an image that cannot be mended ({}) became a text that says so", why.reason()),
        ),
    };
    repairs.replace(why.rule(), severity, block, BlockKind::Text(words.into()), what);
}
