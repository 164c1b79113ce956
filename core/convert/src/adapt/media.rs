//! Pictures and files: what the target takes, and where.

use std::borrow::Cow;

use crate::adapt::documents::takes_files;
use crate::adapt::open_calls::answer_open;
use crate::media::{self, Unusable};
use crate::print::Writer;
use crate::read::carried_document::text_of_file;
use wirecanon_json::Value;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::Target;
use wirecanon_model::transcript::{self, Block, BlockKind, File, Message, Role, Transcript};
use wirecanon_model::{Dialect, text};

const PDF: &str = "application/pdf";

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let _ = unusable_reference(block, writer)
                || unfetched(block, message.role, writer)
                || as_its_bytes_say(block, writer)
                || kind(block, writer)
                || name(block, writer);
        }
        plain_error(message, writer);
    }
    if transcript.messages.iter().any(|message| must_move(message, writer)) {
        follow_up(transcript, writer);
    }
}

/// Replaces a block of the target's own dialect whose file the server cannot fetch: a data URL in place of an address becomes
/// the file that it holds, and a reference to audio or video that the target refuses becomes text.
fn unusable_reference<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    if writer.target.is_dialect() {
        return false;
    }
    let Some(own) = writer.own(block.source) else { return false };
    if writer.target.dialect == Dialect::OpenAiChat {
        return file_by_id(block, own, writer);
    }
    let (mime, address) = match writer.target.dialect {
        Dialect::OpenAiResponses => {
            let Some(address) = own.get("file_url").and_then(Value::as_str) else { return false };
            if address.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) {
                let (Some(mime), Some(data)) = media::split_data_url(&address) else { return false };
                let name = own.get("filename").and_then(Value::as_str).map(|name| Cow::Owned(name.into_owned()));
                let file = File { data: Cow::Owned(data.to_owned()), mime_type: Cow::Owned(mime.to_owned()), name };
                let file = BlockKind::File(Box::new(file));
                let what = "`file_url` was a data URL; the file was written as data";
                writer.replace(&rule::MEDIA_WITHOUT_ADDRESS, Severity::Adapt, block, file, what);
                return true;
            }
            (media::type_of_address(&address), Some(address))
        }
        Dialect::BedrockConverse if own.get("video").is_some_and(|video| video.get("source").is_some()) => {
            (Some("video/mp4"), None)
        }
        _ => return false,
    };
    let Some(mime) = mime.filter(|mime| !writer.target.media.takes_file(mime)) else { return false };
    let what = format!("the target takes no `{mime}`; the file was left out");
    let words = BlockKind::Text(text::file_left_out(address.as_deref(), mime).into());
    writer.replace(&rule::FILE_NOT_ACCEPTED, Severity::Loss, block, words, what);
    true
}

/// Replaces a file by its id on a server with text, where the target takes no files at all.
fn file_by_id<'a>(block: &mut Block<'a>, own: Value<'a>, writer: &mut Writer<'a, '_>) -> bool {
    if !matches!(block.kind, BlockKind::Opaque(_))
        || !writer.target.media.takes_no_files()
        || !own.get("type").is_some_and(|kind| kind.is_str("file"))
    {
        return false;
    }
    let name = own.get("file").and_then(|file| file.get("filename")).and_then(Value::as_str);
    let what = "the target takes no files; one by its id was left out";
    let words = BlockKind::Text(text::file_left_out(name.as_deref(), "file").into());
    writer.replace(&rule::FILE_NOT_ACCEPTED, Severity::Loss, block, words, what);
    true
}

/// Marks a file without a name as changed where the target asks for one: the renderer writes a name.
fn name<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    let BlockKind::File(file) = &block.kind else { return false };
    let has_data = |own: Value<'_>| own.get("file").is_some_and(|file| file.get("file_data").is_some());
    let is_unnamed = file.name.as_deref().is_none_or(str::is_empty);
    if !writer.target.media.named_files || !is_unnamed || !writer.own(block.source).is_some_and(has_data) {
        return false;
    }
    let what = "the target wants a file with data to have a name; `file` was written";
    writer.adapt(&rule::FILE_NAME_MISSING, block, what);
    true
}

/// A picture or file of the target's own dialect becomes its address where the server does not fetch it from there.
fn unfetched<'a>(block: &mut Block<'a>, role: Role, writer: &mut Writer<'a, '_>) -> bool {
    let target = writer.target;
    let Some(own) = writer.own(block.source) else { return false };
    let found = match target.dialect {
        Dialect::AnthropicMessages if !target.is_dialect() => of_the_web(own, target),
        Dialect::BedrockConverse => of_s3(own, role, target),
        _ => None,
    };
    let Some((address, rule, what)) = found else { return false };
    writer.replace(rule, Severity::Adapt, block, BlockKind::Text(address.into()), what);
    true
}

/// An address that the server does not fetch, the rule, and what became of it.
type Unfetched<'a> = (Cow<'a, str>, &'static Rule, &'static str);

/// Returns the address of a block of Anthropic's that the target does not fetch.
fn of_the_web<'a>(own: Value<'a>, target: &Target) -> Option<Unfetched<'a>> {
    let is = |name: &str| own.get("type").is_some_and(|kind| kind.is_str(name));
    let source = own.get("source").filter(|source| source.get("type").is_some_and(|kind| kind.is_str("url")))?;
    let address = source.get("url")?.as_str()?;
    if (is("image") || is("document")) && !target.media.links {
        return Some((address, &rule::MEDIA_BY_ADDRESS, "the target fetches nothing; the address became text"));
    }
    let what = "the target takes PDFs alone by their address; the address became text";
    (is("document") && media::type_of_address(&address).is_some()).then_some((address, &rule::FILE_NOT_ACCEPTED, what))
}

/// Returns the place in S3 of a block of Bedrock's that the target does not take from there.
fn of_s3<'a>(own: Value<'a>, role: Role, target: &Target) -> Option<Unfetched<'a>> {
    let refused = if role == Role::ToolResult { &target.media.no_s3_in_results } else { &target.media.no_s3 };
    let value = refused.iter().find_map(|member| own.get(member))?;
    let address = value.get("source")?.get("s3Location")?.get("uri")?.as_str()?;
    let what = "the target takes nothing by its place in S3; the address became text";
    Some((address, &rule::MEDIA_BY_ADDRESS, what))
}

/// A picture, an address or a file of a kind that the target does not take becomes text.
fn kind<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    let limits = &writer.target.media;
    let (rule, severity, words, what) = match &block.kind {
        BlockKind::Image(image) => {
            let mime = image.mime_type.as_deref().unwrap_or_default();
            if limits.takes_picture(mime) {
                return false;
            }
            let words = text::image_left_out("the target does not take this kind", Some(mime));
            let what = format!("the target takes no `{mime}`; the image was left out");
            (&rule::IMAGE_TYPE_NOT_ACCEPTED, Severity::Loss, words, what)
        }
        BlockKind::Link(link) if !limits.links || !on_the_web(&link.url) => (
            &rule::MEDIA_BY_ADDRESS,
            Severity::Adapt,
            link.url.clone().into_owned(),
            "the target fetches nothing; the address of the image became text".to_owned(),
        ),
        BlockKind::File(file) if judged(block, writer) && !limits.takes_file(&file.mime_type) => {
            let (severity, words, outcome) = match file_as_text(file) {
                Some(text) => (Severity::Adapt, text, "the file was kept as its text"),
                None => {
                    let words = text::file_left_out(file.name.as_deref(), &file.mime_type);
                    (Severity::Loss, words, "the file was left out")
                }
            };
            let what = format!("the target takes no `{}`; {outcome}", file.mime_type);
            (&rule::FILE_NOT_ACCEPTED, severity, words, what)
        }
        _ => return false,
    };
    writer.replace(rule, severity, block, BlockKind::Text(words.into()), what);
    true
}

/// Returns the text of a file that is text, with its name in the first line.
pub(crate) fn file_as_text(file: &File<'_>) -> Option<String> {
    let data = media::in_canonical_spelling(&file.data)?;
    let text = text_of_file(&media::essence(&file.mime_type), &data)?;
    Some(match file.name.as_deref().filter(|name| !name.trim().is_empty()) {
        Some(name) if !text.starts_with(name) => format!("{name}\n{text}"),
        _ => text,
    })
}

/// A file of a kind that the target does not take, but whose bytes are a picture or a PDF that it does, is written as that,
/// unless its type says that it is something else.
fn as_its_bytes_say<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    let limits = &writer.target.media;
    let refused = judged(block, writer);
    let BlockKind::File(file) = &mut block.kind else { return false };
    if !refused || limits.takes_file(&file.mime_type) {
        return false;
    }
    // Small letters and no parameters are what servers compare with (maximhq/bifrost#5947).
    let essence = media::essence(&file.mime_type);
    if limits.takes_file(&essence) {
        file.mime_type = Cow::Owned(essence.into_owned());
        let what = "the target wants the type of a file in small letters and without parameters";
        writer.adapt(&rule::FILE_NOT_ACCEPTED, block, what);
        return true;
    }
    let (severity, what) = match media::mend(&file.data) {
        Ok(picture)
            if media::is_picture(Some(&file.mime_type), &file.data) && limits.takes_picture(&picture.mime_type) =>
        {
            let image =
                transcript::Media { mime_type: Some(picture.mime_type), data: Some(std::mem::take(&mut file.data)) };
            let named = file.name.is_some();
            block.kind = BlockKind::Image(Box::new(image));
            block.native = None;
            if named {
                (Severity::Loss, "the target takes no such file; the picture that it is was written, without its name")
            } else {
                (Severity::Adapt, "the target takes no such file; the picture that it is was written")
            }
        }
        Err(Unusable::Pdf(_)) if media::says_picture(&file.mime_type) != Some(false) && limits.takes_file(PDF) => {
            file.mime_type = Cow::Borrowed(PDF);
            (Severity::Adapt, "the target wants to know what a file is; it is a PDF")
        }
        _ => return false,
    };
    writer.change(&rule::FILE_NOT_ACCEPTED, severity, block, what);
    true
}

/// Whether the kind of a file is looked at: what stands as it was read may say it in a way that canonical content lacks.
fn judged(block: &Block<'_>, writer: &Writer<'_, '_>) -> bool {
    let is_server = !writer.target.is_dialect() && !writer.target.is_revision();
    let named_by_dialect = match writer.target.dialect {
        Dialect::BedrockConverse => true,
        Dialect::OpenAiChat => !writer.target.media.file_types.is_empty(),
        _ => false,
    };
    !writer.same || block.dirty || is_server || named_by_dialect
}

/// Servers fetch from the web alone.
fn on_the_web(url: &str) -> bool {
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// A result of text alone: what its own dialect would put beside the text stands in for itself as text.
fn plain_error<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    let Some(head) = &message.result else { return };
    let dialect = writer.target.dialect;
    let (rule, what) = match dialect {
        Dialect::AnthropicMessages | Dialect::BedrockConverse
            if head.is_error && !writer.target.media.in_error_results =>
        {
            (&rule::ERROR_RESULT_WITH_MEDIA, "an error result holds text alone; the block became its text")
        }
        Dialect::MistralChat if !writer.target.media.in_results => {
            (&rule::MEDIA_IN_TOOL_RESULT, "the target takes text alone in a result; the chunk became its text")
        }
        _ => return,
    };
    // A block of Bedrock's is named by its only member, and JSON is as good as text.
    let is_block = |key: &str| match dialect {
        Dialect::BedrockConverse => !matches!(key, "json" | "cachePoint"),
        _ => key == "type",
    };
    for block in &mut message.blocks {
        let native = block.projected
            && block.is_text()
            && block.source.is_some()
            && writer.own(block.source).is_some_and(|own| {
                own.is_object() && own.get("json").is_none() && own.get("type").is_none_or(|kind| !kind.is_str("text"))
            });
        let carried = block.native_of(dialect.name()).iter().any(|(key, _)| is_block(key));
        if native || (carried && block.is_text()) {
            writer.adapt(rule, block, what);
            block.native = None;
            block.projected = false;
        }
    }
}

fn must_move(message: &Message<'_>, writer: &Writer<'_, '_>) -> bool {
    let Some(head) = &message.result else { return false };
    let limits = &writer.target.media;
    if is_an_output(message, writer) {
        return false;
    }
    let pictures = if head.is_error { limits.in_error_results } else { limits.in_results };
    let files = takes_files(message, limits);
    message.blocks.iter().any(|block| match block.kind {
        BlockKind::Image(_) => !pictures,
        BlockKind::File(_) => !files,
        _ => false,
    })
}

/// Whether a result goes back to the AI SDK as the output that it was, which may be the whole result of a tool of MCP: a
/// failure with its pictures.
fn is_an_output(message: &Message<'_>, writer: &Writer<'_, '_>) -> bool {
    matches!(writer.target.dialect, Dialect::AiSdkModel | Dialect::AiSdkUi)
        && writer.own(message.source).is_some_and(|part| part.get("output").is_some())
        && message.blocks.iter().all(|block| !block.dirty)
}

/// Takes the pictures and documents out of each batch of results and puts them into one user message right behind the batch, in call
/// order, labelled with call and tool.
fn follow_up<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let messages = std::mem::take(&mut transcript.messages);
    let mut placed = Vec::with_capacity(messages.len() + 1);
    let mut carried: Vec<Block<'a>> = Vec::new();
    for mut message in messages {
        if message.role != Role::ToolResult && !carried.is_empty() {
            placed.push(Message::new(transcript.mint(), Role::User, std::mem::take(&mut carried)));
        }
        if must_move(&message, writer) {
            take_media(transcript, &mut message, &mut carried, writer);
        }
        placed.push(message);
    }
    if !carried.is_empty() {
        // The last batch of a history may lack results. A message behind it ends it, so what is missing is said to be missing;
        // when the real result comes, it takes that place.
        let what = "media stand behind the batch, which ends it; an error result says that nothing answered this call";
        answer_open(transcript, &mut placed, what, writer, |calls| vec![true; calls.len()]);
        placed.push(Message::new(transcript.mint(), Role::User, carried));
    }
    transcript.messages = placed;
}

fn take_media<'a>(
    transcript: &mut Transcript<'a>,
    message: &mut Message<'a>,
    carried: &mut Vec<Block<'a>>,
    writer: &mut Writer<'a, '_>,
) {
    let (call, name, is_error) = match &message.result {
        Some(head) => (head.call_id.clone().unwrap_or_default(), head.tool_name.clone(), head.is_error),
        None => return,
    };
    let rule = if is_error && writer.target.media.in_results {
        &rule::ERROR_RESULT_WITH_MEDIA
    } else {
        &rule::MEDIA_IN_TOOL_RESULT
    };
    writer.adapt(rule, message, "the media of the result were moved into a user message behind the results");
    let label = text::media_label(&call, name.as_deref());
    let block = transcript.mint();
    writer.labels.push((block, message.id));
    carried.push(Block::new(block, BlockKind::Text(label.into())));
    for block in &mut message.blocks {
        let stub = match block.kind {
            BlockKind::Image(_) => text::IMAGE_FOLLOWS,
            BlockKind::File(_) => text::FILE_FOLLOWS,
            _ => continue,
        };
        let medium = std::mem::replace(&mut block.kind, BlockKind::Text(stub.into()));
        block.native = None;
        block.dirty = true;
        block.projected = false;
        carried.push(Block::new(transcript.mint(), medium));
    }
}
