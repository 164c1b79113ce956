//! The differences in form that do not change what a model is told.

use wirecanon_model::rule::{self, Rule};

/// A difference in form between two conversations that tell a model the same.
///
/// The table is part 10 of SPEC.md; a test holds both to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Equivalence {
    /// Ids of calls
    Ids,
    /// Names that the target does not accept
    Names,
    /// The spelling of numbers
    Numbers,
    /// The layout of JSON
    JsonLayout,
    /// Turns of one speaker, joined or split
    Turns,
    /// Texts, joined or split
    Texts,
    /// Empty texts and turns
    EmptyText,
    /// Texts and calls of one turn
    TextsAndCalls,
    /// Results of parallel calls
    ResultOrder,
    /// Empty results
    EmptyResult,
    /// The place of the instructions
    Instructions,
    /// Instructions in the conversation
    MarkedInstructions,
    /// JSON in results
    ResultJson,
    /// Media of results
    ResultMedia,
    /// The spelling of bytes
    Bytes,
    /// Media that the target does not accept
    MediaNote,
    /// Documents of text
    DocumentText,
    /// Media by address
    Address,
    /// Error flags
    ErrorText,
    /// Resources and links
    Resource,
    /// Structured content
    StructuredContent,
    /// Reasoning
    Reasoning,
    /// Items of one provider
    ProviderItem,
    /// Fillers
    Filler,
    /// Tools as text
    ToolsAsText,
    /// Custom tools
    CustomTool,
    /// Results that stand in for missing ones
    StandIn,
    /// Definitions of tools
    Definitions,
    /// Characters that the target does not accept
    Characters,
    /// Names of files
    FileNames,
    /// Settings of items and requests
    Settings,
    /// Arguments that are no JSON object
    RawArguments,
    /// Texts that a program adds
    AddedText,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The equivalence
    pub equivalence: Equivalence,
    /// The number in SPEC.md: `Q` and this number
    pub number: usize,
    /// The name in reports
    pub id: &'static str,
    /// The differences in form that do not count
    pub statement: &'static str,
    /// The rules by which servers demand the other form, each with its sources. Empty where none demands it
    pub demanded_by: &'static [&'static Rule],
}

macro_rules! table {
    ($($variant:ident = $number:literal, $id:literal, $statement:literal, [$($rule:ident),*];)+) => {
        impl Equivalence {
            /// All equivalences, by their numbers.
            pub const ALL: [Row; [$($number),+].len()] = [$(Row {
                equivalence: Self::$variant,
                number: $number,
                id: $id,
                statement: $statement,
                demanded_by: &[$(&rule::$rule),*],
            }),+];
        }
    };
}

table! {
    Ids = 1, "ids",
        "Ids of calls may differ or be missing. A result belongs to its call by the structure of the conversation.",
        [TOOL_CALL_ID_CHARACTERS, TOOL_CALL_ID_LENGTH, DUPLICATE_TOOL_CALL_ID, TOOL_CALL_ID_REFUSED];
    Names = 2, "names",
        "A tool may have another name where the target refuses its name: the same new name everywhere, and one for each tool.",
        [TOOL_NAME_CHARACTERS, TOOL_NAME_LENGTH];
    Numbers = 3, "numbers", "Numbers in arguments and JSON are equal by their exact decimal value.", [];
    JsonLayout = 4, "json-layout",
        "Order of keys, white space and escapes of JSON do not count. Of repeated keys any value may stay.", [];
    Turns = 5, "turns",
        "Consecutive messages of one speaker are one turn, also where calls stand in several messages before their results. A message behind calls may stay a turn behind their results.",
        [ROLES_DO_NOT_ALTERNATE, SPLIT_MODEL_TURN, TOOL_RESULT_BESIDE_OTHER_CONTENT];
    Texts = 6, "texts",
        "Texts of one speaker may be joined with white space, or split at white space. Texts of one message of the assistant may also follow each other without white space. White space at their ends does not count, and CRLF is LF.", [CONTENT_NOT_A_STRING];
    EmptyText = 7, "empty-text", "Texts without a character that is not white space, and turns of nothing else, do not count.", [BLANK_TEXT, EMPTY_MESSAGE];
    TextsAndCalls = 8, "texts-and-calls",
        "Texts of a turn are in order, and so are its calls. Texts may stand before or after calls.", [WORDS_BEHIND_TOOL_CALL, WORDS_BESIDE_CALLS];
    ResultOrder = 9, "result-order",
        "Results of the calls of one turn may be in any order, in one message or in several. What the assistant says between a call and its result may stand behind the result.", [PARALLEL_RESULTS_OUT_OF_ORDER, SPLIT_TOOL_RESULTS];
    EmptyResult = 10, "empty-result", "An empty result may be an empty text, an empty list, `null`, or a note that says so: in another dialect, and where the target refuses the empty result. In another dialect such a note may be an empty result.", [EMPTY_TOOL_RESULT];
    Instructions = 11, "instructions",
        "System text before the conversation may be a message or a field of the request.", [MISPLACED_SYSTEM];
    MarkedInstructions = 12, "marked-instructions",
        "System text within the conversation may be text of the user with a mark, where the target has no such message.", [MISPLACED_SYSTEM];
    ResultJson = 13, "result-json",
        "JSON text in a result is the value; within one dialect a number, `true`, `false` and `null` are not text. A wrapper around a result does not count where the dialect of the input or of the answer demands an object: one key that says so, alone or beside the name of the tool. Texts may be a list of strings in that object.", [RESPONSE_NOT_AN_OBJECT, RESULT_JSON_NOT_AN_OBJECT];
    ResultMedia = 14, "result-media",
        "Media of results may follow in a message of the user after all results of the turn, where the target takes none in results: in order of the calls, with labels before or behind them, whose ids must be right: those of the calls, and those by which the results refer to the media. Images that the target takes from the user must follow; of other media a note may stand in the result.",
        [MEDIA_IN_TOOL_RESULT, ERROR_RESULT_WITH_MEDIA];
    Bytes = 15, "bytes", "Media are the same if their bytes are, or else their address or id. Their declared type may be corrected.", [IMAGE_TYPE_MISMATCH];
    MediaNote = 16, "media-note",
        "Media that the target does not accept there may be a text that names the kind, the type or the whole name of the file.", [IMAGE_TYPE_NOT_ACCEPTED, FILE_NOT_ACCEPTED, IMAGE_TOO_LARGE, TOO_MANY_MEDIA];
    DocumentText = 17, "document-text", "A document of text may be its text, with its title and its context in the mark.", [FILE_NOT_ACCEPTED];
    Address = 18, "address", "Media by address may be a text with the address, where the target does not fetch them.", [MEDIA_BY_ADDRESS];
    ErrorText = 19, "error-text",
        "An error may be said by a flag, an object with the error, or words, in all dialects alike. Where the target has no flag, nothing is demanded.", [ERROR_FLAG_AS_TEXT];
    Resource = 20, "resource", "A resource or a link to one may be a text with its text or address, its JSON without members that are `null`, or its media. In its own dialect it stays one, where the revision has it.", [RESOURCE_LINK_IN_TOOL_RESULT, RESOURCE_IN_TOOL_RESULT];
    StructuredContent = 21, "structured-content",
        "Structured content may be text or a value, beside texts, or instead of texts that say the same. In its own dialect all texts stay, and only a text that says it replaces it.", [STRUCTURED_CONTENT_NOT_AN_OBJECT];
    Reasoning = 22, "reasoning", "Reasoning may be left out for another dialect, and where the target refuses it or has none. It stays in its turn. A signature stays with its own reasoning, text or call.", [THINKING_LEFT_OUT, THINKING_WITHOUT_SIGNATURE];
    ProviderItem = 23, "provider-item",
        "An item that only one provider knows may be left out for others, be a note that names it, its JSON, a text made of its whole strings (each at most once, all of its content, in order), or a call with its result. For the provider itself it may be left out where one half of a pair or the content is missing, where the server stores nothing that it could refer to, or where the server does not know the field. What a request adds to its messages by reference (state of the server, documents) is such an item, and none may be added for another dialect. So is an item in a result.", [OPAQUE_ITEM_LEFT_OUT, PROVIDER_ITEM_WITHOUT_PARTNER];
    Filler = 24, "filler",
        "A neutral text may fill a turn that a server demands: before a leading turn of the assistant, between a result and the user, after a last turn of the assistant, beside a document, in an empty turn.",
        [LEADING_ASSISTANT, TRAILING_ASSISTANT, USER_AFTER_TOOL_RESULT, FILE_WITHOUT_WORDS, NO_MESSAGES];
    ToolsAsText = 25, "tools-as-text",
        "Calls and results may be text with name, arguments and content, where the target has no tools.", [TOOLS_NOT_ACCEPTED];
    CustomTool = 26, "custom-tool", "A custom tool may be a function, and a call of it a call of that function, with its text as `input`, its only argument.", [TOOL_CALL_ALIAS];
    StandIn = 27, "stand-in", "A result that stands in for a missing one may have any text that says so, and must be an error where the dialect has errors. It may be missing.", [TOOL_CALL_WITHOUT_RESULT];
    Definitions = 28, "definitions",
        "In its own dialect a definition is the same value by value. For another dialect, a schema may have types in another case, `null` as a type or as a flag, and references replaced by their schemas; it may lack keys that say nothing of the arguments (but not the schema of other properties), and for Gemini constraints. Tools that the conversation calls may be defined without properties, where the target demands definitions. Of several definitions of one name one may stand for all, where the target takes no more. Tools that a provider runs may be left out for others, and all definitions for a list of messages of LangChain or the AI SDK, which get them beside the messages.", [DUPLICATE_TOOL_NAME, TOOLS_NOT_DEFINED];
    Characters = 29, "characters", "NUL may be U+FFFD.", [NUL_CHARACTER];
    FileNames = 30, "file-names", "Names of files may be respelled, added or left out. In its own dialect a name may only lose what the server refuses.", [FILE_NAME_CHARACTERS, FILE_NAME_MISSING];
    Settings = 31, "settings",
        "Cache marks, statuses, image detail, sources of texts, names of speakers and settings of the request (choice of tools, format, reasoning, limit of tokens, sampling, stop texts, seed) are compared by their values, and only where both dialects have them. A limit of tokens may be added for another dialect. None of them makes two conversations differ. The title and the context of a document are text in its own dialect.", [CACHE_MARKER_MISPLACED];
    RawArguments = 32, "raw-arguments",
        "Arguments that are not a JSON object may be an object with their whole text under one key.",
        [TOOL_CALL_ARGUMENTS_INVALID];
    AddedText = 33, "added-text",
        "A constant text that a program adds to conversations by itself, and declares, does not count.", [];
}

impl Equivalence {
    /// Returns the row of the table.
    pub fn row(self) -> &'static Row {
        &Self::ALL[self as usize]
    }

    /// Returns the name in reports.
    pub fn id(self) -> &'static str {
        self.row().id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (at, row) in Equivalence::ALL.iter().enumerate() {
            assert_eq!((row.number, row.equivalence as usize), (at + 1, at), "{}", row.id);
            assert!(row.statement.ends_with('.'), "{}", row.id);
        }
    }
}
