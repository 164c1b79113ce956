//! The ways in which two conversations differ.

/// The weight of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// A setting that the model is not told
    Setting,
    /// The model is told less, or in a weaker form
    Lossy,
    /// The model is told something else
    Altered,
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident = $id:literal, $grade:ident;)+) => {
        /// A way in which an answer differs from what is expected.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $variant,)+
        }

        impl Reason {
            /// All reasons.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// Returns the name in reports.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// Returns the weight of the difference.
            pub fn grade(self) -> Grade {
                match self { $(Self::$variant => Grade::$grade,)+ }
            }
        }
    };
}

reasons! {
    /// A tool call is missing
    CallMissing = "call-missing", Altered;
    /// A tool call was never made
    CallInvented = "call-invented", Altered;
    /// A tool call has another name
    CallRenamed = "call-renamed", Altered;
    /// A tool call has other arguments
    ArgumentsChanged = "arguments-changed", Altered;
    /// The arguments of a tool call cannot be parsed
    ArgumentsUnparsable = "arguments-unparsable", Altered;
    /// A number lost digits
    NumberRounded = "number-rounded", Lossy;
    /// A tool result is missing
    ResultMissing = "result-missing", Altered;
    /// A tool result was never given
    ResultInvented = "result-invented", Altered;
    /// A tool result has other content
    ResultChanged = "result-changed", Altered;
    /// A tool result answers another call
    ResultMisattributed = "result-misattributed", Altered;
    /// A tool result does not follow its call
    ResultMoved = "result-moved", Altered;
    /// A text is missing
    TextMissing = "text-missing", Altered;
    /// A text was never said
    TextInvented = "text-invented", Altered;
    /// A text is another one
    TextChanged = "text-changed", Altered;
    /// A text is said twice
    TextRepeated = "text-repeated", Altered;
    /// A text is at another place of the conversation
    TextMoved = "text-moved", Altered;
    /// A text is said by another speaker
    SpeakerChanged = "speaker-changed", Altered;
    /// Turns are in another order, or joined across others
    TurnOrderChanged = "turn-order-changed", Altered;
    /// An image, a recording, a video or a document is missing
    MediaMissing = "media-missing", Altered;
    /// Media that were never there
    MediaInvented = "media-invented", Altered;
    /// Other media are in place of the expected ones
    MediaReplaced = "media-replaced", Altered;
    /// Media are at another place of the conversation
    MediaMoved = "media-moved", Altered;
    /// Media belong to another result
    MediaMisattributed = "media-misattributed", Altered;
    /// Media are base64 in a text
    MediaAsText = "media-as-text", Lossy;
    /// A failed result is not marked as one
    ErrorFlagLost = "error-flag-lost", Lossy;
    /// A result is marked as failed, and did not
    ErrorFlagInvented = "error-flag-invented", Altered;
    /// A result that stands in for a missing one is not an error
    StandInNotAnError = "stand-in-not-an-error", Altered;
    /// Reasoning has another text or signature
    ReasoningChanged = "reasoning-changed", Altered;
    /// Reasoning is left out although the dialect has a place for it
    ReasoningDropped = "reasoning-dropped", Lossy;
    /// Reasoning is a text of the model
    ReasoningAsText = "reasoning-as-text", Lossy;
    /// An item of the provider is missing in its own dialect
    ProviderItemMissing = "provider-item-missing", Altered;
    /// An item refers to another one that is not there
    ReferenceDangling = "reference-dangling", Altered;
    /// Instructions within the conversation are in front of it
    InstructionsMoved = "instructions-moved", Lossy;
    /// Instructions are text of the user without a mark
    InstructionsDemoted = "instructions-demoted", Lossy;
    /// The definition of a tool is missing
    ToolMissing = "tool-missing", Altered;
    /// A tool was never defined
    ToolInvented = "tool-invented", Altered;
    /// The definition of a tool has another name
    ToolRenamed = "tool-renamed", Altered;
    /// The definition of a tool says something else
    ToolChanged = "tool-changed", Altered;
    /// A filler is where no server demands one
    FillerNotDemanded = "filler-not-demanded", Altered;
    /// A setting is missing
    AttributeMissing = "attribute-missing", Setting;
    /// A setting has another value
    AttributeChanged = "attribute-changed", Setting;
    /// The answer can be read in two ways
    AnswerAmbiguous = "answer-ambiguous", Altered;
    /// The answer cannot be read
    AnswerUnreadable = "answer-unreadable", Altered;
}
