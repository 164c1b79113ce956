//! Pictures and documents beyond the number that the target takes in one request. A replayed history collects them until
//! every later request is refused, so the oldest ones go: the model needs what it saw last.

use crate::adapt::files::is_document;
use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let (documents, all) = (writer.target.media.max_documents, writer.target.media.max_media);
    if let Some(most) = documents {
        leave_out(transcript, most, |medium| medium == Medium::Document, "documents", writer);
    }
    if let Some(most) = all {
        leave_out(transcript, most, |_| true, "images and documents", writer);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Medium {
    Picture,
    Document,
}

/// What a block is written as, if it counts: recordings and films do not.
fn medium(block: &Block<'_>, dialect: Dialect) -> Option<Medium> {
    match &block.kind {
        BlockKind::Image(_) | BlockKind::Link(_) => Some(Medium::Picture),
        BlockKind::File(file) => is_document(file).then_some(Medium::Document),
        BlockKind::Opaque(opaque) if opaque.dialect == dialect.name() => {
            let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
            let kind = json.root().get("type").and_then(Value::as_str);
            let is = |name: &str| kind.as_deref() == Some(name) || json.root().get(name).is_some();
            if is("image") { Some(Medium::Picture) } else { is("document").then_some(Medium::Document) }
        }
        BlockKind::Text(_) => block.native_of(dialect.name()).iter().find_map(|(key, _)| match &**key {
            "image" => Some(Medium::Picture),
            "document" => Some(Medium::Document),
            _ => None,
        }),
        _ => None,
    }
}

fn leave_out<'a>(
    transcript: &mut Transcript<'a>,
    most: usize,
    counts: impl Fn(Medium) -> bool,
    what: &str,
    writer: &mut Writer<'a, '_>,
) {
    let dialect = writer.target.dialect;
    let counted = |block: &Block<'_>| medium(block, dialect).filter(|medium| counts(*medium));
    let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
    let mut surplus = blocks.filter(|block| counted(block).is_some()).count().saturating_sub(most);
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        if surplus == 0 {
            return;
        }
        let Some(medium) = counted(block) else { continue };
        surplus -= 1;
        let said = format!("the target takes {most} {what} in one request; this one, of the oldest, was left out");
        let words = BlockKind::Text(words(block, medium).into());
        writer.replace(&rule::TOO_MANY_MEDIA, Severity::Loss, block, words, said);
    }
}

/// What stands in its place.
fn words(block: &Block<'_>, medium: Medium) -> String {
    match &block.kind {
        BlockKind::Text(words) => words.clone().into_owned(),
        BlockKind::Link(link) => link.url.clone().into_owned(),
        BlockKind::Image(image) => text::image_left_out(text::TOO_MANY, image.mime_type.as_deref()),
        BlockKind::File(file) => text::file_left_out(file.name.as_deref(), &file.mime_type),
        _ if medium == Medium::Picture => text::image_left_out(text::TOO_MANY, None),
        _ => text::file_left_out(None, "document"),
    }
}
