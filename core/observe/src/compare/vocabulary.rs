//! The neutral words of notes, by what the notes are about.

use hashbrown::HashSet;

use crate::observation::MediaKind;

/// The subject of a note or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Content that is not there, or that follows
    Content,
    /// A medium of this kind that is not there
    Medium(MediaKind),
    /// Media that follow
    Label,
    /// The failure of a tool
    Error,
    /// Instructions within the conversation
    System,
    /// A turn of the user that a server demands
    Filler,
    /// A turn of the assistant that a server demands
    Reply,
    /// An empty result
    Empty,
    /// A result that never came
    StandIn,
    /// A tool call that is text
    Call,
    /// A tool result that is text
    Result,
    /// Content of a broken place that is text
    Quote,
}

/// A set of words.
#[derive(Clone, Copy)]
pub(crate) struct List(pub(crate) fn() -> &'static HashSet<&'static str>);

impl List {
    pub(crate) fn has(self, word: &str) -> bool {
        (self.0)().contains(word)
    }

    /// All of its words, in no order.
    pub(super) fn words(self) -> impl Iterator<Item = &'static str> {
        (self.0)().iter().copied()
    }
}

/// Declares sets of words.
macro_rules! lists {
    ($($(#[$doc:meta])+ $name:ident = $words:literal;)+) => {
        $($(#[$doc])+ pub(super) const $name: $crate::compare::List = $crate::compare::List(|| {
            static WORDS: std::sync::LazyLock<hashbrown::HashSet<&'static str>> =
                std::sync::LazyLock::new(|| $words.split_ascii_whitespace().collect());
            &WORDS
        });)+
    };
}
pub(crate) use lists;

lists! {
    /// Words that say nothing in any note
    COMMON = "a an and are as at be been being by for from has have here id in is it its message messages name of on or s that the this to \
        type was were wirecanon with";
    /// Words for tools
    TOOLS = "function tool tools";
    /// Words that may stand between a negation and what it negates
    LIGHT = "a an any be been by for function in is its longer of that the this to tool was were yet";
    /// Negations
    NEGATIONS = "can't cannot couldn't didn't doesn't don't isn't neither never no none nor not nothing wasn't weren't without won't";
    /// The units of sizes
    UNITS = "b byte bytes characters chars gb gib kb kib mb mib page pages pixels px";
    /// Words for images
    IMAGES = "image images photo photos picture pictures screenshot screenshots";
    /// Words for documents
    DOCUMENTS = "document documents pdf";
    /// Words for recordings
    RECORDINGS = "audio recording recordings sound";
    /// Words for videos
    VIDEOS = "video videos";
    /// Words for media of any kind
    FILES = "attachment attachments binary blob data file filedata filename files inlinedata media medium resource";
    /// Words for content that is not there, and why
    ABSENT = "above accept accepted accepts added address after ai allowed annotations anthropic api apis as assistant attached \
        available base64 bedrock below block blocks call calls can cannot canonical chat claw cohere content contents context converse \
        could description displayed do does dropped embedded empty encoded fetch fetched follow following follows form format \
        forwarded gemini generated history included index inline input invalid item items json kind langchain large left limit link \
        linked lossless mcp mediatype meta mime mimetype mimetypes missing mistral model more moved next null object octet ollama \
        omitted only opaque openai openclaw openviking out output part parts payload placeholder produced provided provider reached \
        read receive received receives redacted reference removed rendered represented resources response responses result results \
        returned role sampling sdk see sent separately session shown size skipped source stored stream string structured \
        structuredcontent successfully support supported supports take taken takes target text than title too turn ui unavailable \
        unknown unnamed unreadable unsupported uploaded uri url user v2 value";
    /// Words for content that a negation may deny
    ABSENT_DENIED = "accept accepted accepts address allowed available base64 content contents data embedded fetch fetched form format \
        here included inline link linked media name part parts provided read receive received receives reference returned role sent \
        shown source stored support supported supports take taken takes text uri url";
    /// Words for media that follow
    LABEL = "above added after attached below call calls content executed follow following follows generated included next output \
        outputs produced provided pyai response result results returned see separately shown successfully uploaded user";
    /// Words around the words of an error
    ERROR = "call calling content ended error errors exception execute executing execution failed failure following invoke invoking \
        iserror occurred output result returned run running status true unsuccessful use using while";
    /// Words around instructions
    SYSTEM = "begin context developer end instruction instructions note notice prompt reminder role system update";
    /// Words of fillers
    FILLER = "assistant attached begin beginning begins content context continue continued continues continuing conversation document \
        documents empty file files go hello hi history input let's next none output placeholder please proceed provided resume see \
        speaks start started starts text turn us user";
    /// Words of fillers that the assistant says
    REPLY = "acknowledged i noted ok okay understood";
    /// Words for an empty result
    EMPTY = "call command completed content data empty executed executing execution finished mcp none nothing omitted output ran response \
        result results returned returning returns run successfully text value";
    /// Words for a result that never came
    STAND_IN = "aborted another answer answered available before call calls came canceled cancelled claw complete completed content \
        conversation could did does dropped due ended error executed execution exist failed failure finish finished found got history \
        incomplete inserted interrupted lossless lost missing never openclaw out output placeholder produced provided reached received \
        recorded removed repair response result results returned run session skipped stored synthetic terminated timed transcript \
        unavailable unknown while yet";
    /// Words around the name and the arguments of a call
    CALL = "am args argument arguments assistant call called calling calls execute executing i input invocation invoke invoked \
        invoking json parameters request requested run running unknown unnamed use used using will";
    /// Words around the content of a result
    RESULT = "call calls content for json output outputs response result results returned unknown unnamed";
    /// Words that say that a tool failed
    FAILURES = "error errors exception failed failure";
    /// Other words that say so in the mark of an error
    FLAGS = "iserror unsuccessful";
    /// Words of keys around a result
    WRAPPER = "content data function output outputs response result results return returned text tool value";
    /// Words of notes for media that follow
    PROMISES = "attached below follow following follows next separately";
    /// Words for a call
    CALLS = "call calls";
    /// Words for a result
    RESULTS = "content output outputs response result results returned";
    /// Words of which a mark of instructions has one
    INSTRUCTIONS = "context developer instruction instructions note notice prompt reminder system update";
    /// Words that a negation in a filler may deny
    FILLER_DENIED = "content context input output text";
    /// Words of which a note for an empty result has one, if it has no negation
    EMPTINESS = "empty";
    /// Words that a negation in a note for an empty result may deny
    EMPTY_DENIED = "content data output response result results returned returning text value";
    /// Words of which a stand-in has one, if it has no negation
    ABSENCE = "aborted before canceled cancelled dropped error failed failure incomplete interrupted lost missing placeholder removed \
        skipped synthetic terminated timed unavailable unknown";
    /// Words that a negation in a stand-in may deny
    STAND_IN_DENIED = "answer answered available complete completed content executed exist finish finished found output produced \
        provided reached received recorded response result results returned run stored";
    /// Words around the content of a broken place
    QUOTE = "broken corresponding cut dangling duplicate earlier error errors failed following historical invalid malformed matching \
        original orphan orphaned parsed partial previous quoted raw recovered stale state stray truncated unanswered unmatched unpaired \
        unparsable untrusted wrong";
    /// Words that a negation in such a mark may deny
    QUOTE_DENIED = "answer answered available call calls complete completed corresponding executed found known matching parsed \
        provided recorded response result results stored valid";
    /// Words that a stand-in has behind a negation alone
    OUTCOMES = "answer answered available complete completed executed exist finish finished found produced provided reached received \
        recorded returned stored";
}

/// All words for media.
pub(super) const KINDS: Lists = &[IMAGES, DOCUMENTS, RECORDINGS, VIDEOS, FILES];

/// Several lists.
pub(super) type Lists = &'static [List];

/// Returns whether one of the lists has a word.
pub(super) fn has_in(lists: Lists, word: &str) -> bool {
    lists.iter().any(|list| list.has(word))
}

/// What a note of one kind is made of.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary {
    pub(super) words: Lists,
    /// Words of which every note has one; empty where it needs none
    pub(super) demanded: Lists,
    /// Words that a negation may deny; `None` where there is no negation
    pub(super) denied: Option<List>,
    /// Words that stand behind a negation alone
    pub(super) outcomes: Lists,
}

impl Vocabulary {
    const fn new(words: Lists) -> Self {
        Self { words, demanded: &[], denied: None, outcomes: &[] }
    }

    const fn demanding(self, demanded: Lists) -> Self {
        Self { demanded, ..self }
    }

    const fn denying(self, denied: List) -> Self {
        Self { denied: Some(denied), ..self }
    }

    /// Returns the words of a note about this.
    pub(super) fn of(about: About) -> Self {
        match about {
            About::Content => {
                Self::new(&[TOOLS, ABSENT, IMAGES, DOCUMENTS, RECORDINGS, VIDEOS, FILES]).denying(ABSENT_DENIED)
            }
            About::Medium(kind) => {
                let (words, demanded): (Lists, Lists) = match kind {
                    MediaKind::Image => (&[TOOLS, ABSENT, FILES, IMAGES], &[FILES, IMAGES]),
                    MediaKind::Document => (&[TOOLS, ABSENT, FILES, DOCUMENTS], &[FILES, DOCUMENTS]),
                    MediaKind::Audio => (&[TOOLS, ABSENT, FILES, RECORDINGS], &[FILES, RECORDINGS]),
                    MediaKind::Video => (&[TOOLS, ABSENT, FILES, VIDEOS], &[FILES, VIDEOS]),
                };
                Self::new(words).demanding(demanded).denying(ABSENT_DENIED)
            }
            About::Label => Self::new(&[TOOLS, LABEL, FILES, IMAGES, DOCUMENTS, RECORDINGS, VIDEOS]),
            About::Error => Self::new(&[TOOLS, ERROR]).demanding(&[FAILURES, FLAGS]),
            About::System => Self::new(&[SYSTEM]).demanding(&[INSTRUCTIONS]),
            About::Filler => Self::new(&[FILLER]).demanding(&[FILLER]).denying(FILLER_DENIED),
            About::Reply => Self::new(&[FILLER, REPLY]).demanding(&[FILLER, REPLY]).denying(FILLER_DENIED),
            About::Empty => Self::new(&[TOOLS, EMPTY]).demanding(&[EMPTINESS, NEGATIONS]).denying(EMPTY_DENIED),
            About::StandIn => {
                let stand_in = Self::new(&[TOOLS, STAND_IN]).demanding(&[ABSENCE, NEGATIONS]).denying(STAND_IN_DENIED);
                Self { outcomes: &[OUTCOMES], ..stand_in }
            }
            About::Call => Self::new(&[TOOLS, CALL]),
            About::Result => Self::new(&[TOOLS, RESULT, FAILURES, FLAGS]),
            About::Quote => {
                Self::new(&[TOOLS, ABSENT, STAND_IN, CALL, RESULT, IMAGES, DOCUMENTS, RECORDINGS, VIDEOS, FILES, QUOTE])
                    .denying(QUOTE_DENIED)
            }
        }
    }

    /// Returns whether a negation may deny a word. "not an image" says why there is none, and "no image" that there was none.
    pub(super) fn can_be_denied(&self, word: &str, negation: &str) -> bool {
        self.denied.is_some_and(|denied| denied.has(word)) || negation == "not" && has_in(KINDS, word)
    }
}
