//! Instructions beside the list: what `check` says of them, and what `fix` to the same dialect makes of what it refuses.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::Dialect;

const AI_SDK: &str = r#""messages":[{"role":"user","content":"go"}]}"#;
const UI: &str = r#""messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]}]}"#;
const BEDROCK: &str = r#""messages":[{"role":"user","content":[{"text":"go"}]}]}"#;
const GEMINI: &str = r#""contents":[{"role":"user","parts":[{"text":"go"}]}]}"#;
const RESPONSES: &str = r#""input":[{"role":"user","content":"go"}]}"#;
/// One string in place of the list.
const WORDS: &str = r#""input":"go"}"#;

/// A dialect, a body, and the rule that `check` names; none where the body holds.
const BODIES: [(Dialect, &str, &str, Option<&str>); 40] = {
    use Dialect::{AiSdkModel, AiSdkUi, AnthropicMessages, BedrockConverse, GeminiContents, OpenAiResponses};
    [
        (AiSdkModel, r#"{"system":"a","#, AI_SDK, None),
        (AiSdkModel, r#"{"system":"","#, AI_SDK, None),
        (AiSdkModel, r#"{"system":[],"#, AI_SDK, None),
        (AiSdkModel, r#"{"system":null,"#, AI_SDK, None),
        (AiSdkModel, r#"{"system":{"role":"system","content":"a"},"#, AI_SDK, None),
        (AiSdkModel, r#"{"instructions":[{"role":"system","content":"a"}],"#, AI_SDK, None),
        (AiSdkModel, r#"{"system":7,"instructions":"b","#, AI_SDK, None),
        (AiSdkModel, r#"{"system":"a","instructions":7,"#, AI_SDK, Some("content-not-a-list")),
        (AiSdkModel, r#"{"system":"a","instructions":null,"#, AI_SDK, None),
        (AiSdkModel, r#"{"system":7,"#, AI_SDK, Some("content-not-a-list")),
        (AiSdkModel, r#"{"system":{},"#, AI_SDK, Some("unknown-role")),
        (AiSdkModel, r#"{"system":{"content":"a"},"#, AI_SDK, Some("unknown-role")),
        (AiSdkModel, r#"{"system":[{"type":["audio"],"system":"be brief"}],"#, AI_SDK, Some("unknown-role")),
        (AiSdkModel, r#"{"system":["a"],"#, AI_SDK, Some("message-not-an-object")),
        (AiSdkModel, r#"{"system":{"role":"user","content":"a"},"#, AI_SDK, Some("role-alias")),
        (AiSdkModel, r#"{"system":{"role":"system"},"#, AI_SDK, Some("content-missing")),
        (
            AiSdkModel,
            r#"{"system":[{"role":"system","content":[{"type":"text","text":"a"}]}],"#,
            AI_SDK,
            Some("content-not-a-list"),
        ),
        (AiSdkUi, r#"{"system":"a","#, UI, None),
        (AiSdkUi, r#"{"instructions":{"role":"assistant","content":"a"},"#, UI, Some("role-alias")),
        (AiSdkUi, r#"{"system":[7],"#, UI, Some("message-not-an-object")),
        (AnthropicMessages, r#"{"system":null,"#, AI_SDK, None),
        (AnthropicMessages, r#"{"system":[],"#, AI_SDK, None),
        (AnthropicMessages, r#"{"system":7,"#, AI_SDK, Some("content-not-a-list")),
        (AnthropicMessages, r#"{"system":{"type":"text","text":"a"},"#, AI_SDK, Some("content-not-a-list")),
        (BedrockConverse, r#"{"system":null,"#, BEDROCK, None),
        (BedrockConverse, r#"{"system":{"text":"a"},"#, BEDROCK, Some("content-not-a-list")),
        (BedrockConverse, r#"{"system":[{}],"#, BEDROCK, Some("unknown-block")),
        (GeminiContents, r#"{"systemInstruction":null,"#, GEMINI, None),
        (GeminiContents, r#"{"systemInstruction":7,"#, GEMINI, Some("content-not-a-list")),
        (GeminiContents, r#"{"system_instruction":{"parts":["a"]},"#, GEMINI, Some("unknown-block")),
        (OpenAiResponses, r#"{"instructions":"","#, RESPONSES, None),
        (OpenAiResponses, r#"{"instructions":null,"#, RESPONSES, None),
        (OpenAiResponses, r#"{"instructions":7,"#, RESPONSES, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":["a"],"#, RESPONSES, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":[],"#, RESPONSES, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":[{"role":"user","content":"a"}],"#, RESPONSES, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":"a","#, WORDS, None),
        (OpenAiResponses, r#"{"instructions":7,"#, WORDS, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":[],"#, WORDS, Some("text-not-a-string")),
        (OpenAiResponses, r#"{"instructions":[{"role":"user","content":"a"}],"#, WORDS, Some("text-not-a-string")),
    ]
};

#[test]
fn what_check_refuses_fix_mends_and_what_it_takes_fix_leaves() {
    for (dialect, head, rest, refused) in BODIES {
        let body = format!("{head}{rest}");
        let name = dialect.name();
        let found = broken(name, &body);
        assert_eq!(found.first().copied(), refused, "{body}: {found:?}");
        let (text, rules) = fixed(name, name, &body);
        match refused {
            None => assert_eq!(text, body),
            Some(_) => {
                let left = broken(name, &text);
                assert!(left.is_empty(), "{body}: {text} has {left:?}");
                assert!(!rules.is_empty(), "{body}: nothing is reported of {text}");
            }
        }
    }
}

#[test]
fn the_instructions_of_the_sdk_count_where_system_stands_too() {
    let body = format!(r#"{{"system":"a","instructions":"b",{AI_SDK}"#);
    let (text, rules) = fixed("ai-sdk.model", "openai.chat", &body);
    assert_eq!(text, r#"{"messages":[{"role":"system","content":"b"},{"role":"user","content":"go"}]}"#);
    assert_eq!(rules, ["native-field-left-out"]);
}

#[test]
fn a_list_of_items_in_place_of_the_instructions_comes_before_the_input() {
    let items = r#"[{"type":"message","role":"developer","content":[{"type":"input_text","text":"a"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}]"#;
    for rest in [RESPONSES, WORDS] {
        let body = format!(r#"{{"instructions":{items},{rest}"#);
        let (text, rules) = fixed("openai.responses", "openai.chat", &body);
        assert_eq!(
            text,
            r#"{"messages":[{"role":"system","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"go"}]}"#
        );
        assert_eq!(rules.first(), Some(&"text-not-a-string"));
    }
}

#[test]
fn no_picture_stands_among_instructions() {
    let anthropic = format!(
        r#"{{"system":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}}}],{AI_SDK}"#
    );
    let gemini = format!(
        r#"{{"systemInstruction":{{"parts":[{{"inlineData":{{"mimeType":"image/png","data":"{PICTURE}"}}}}]}},{GEMINI}"#
    );
    let bedrock = format!(r#"{{"system":[{{"image":{{"format":"png","source":{{"bytes":"{PICTURE}"}}}}}}],{BEDROCK}"#);
    for (dialect, body) in
        [("anthropic.messages", anthropic), ("gemini.contents", gemini), ("bedrock.converse", bedrock)]
    {
        assert_ne!(broken(dialect, &body), Vec::<&str>::new(), "{dialect}");
        let (text, _) = fixed(dialect, dialect, &body);
        assert!(!text.contains(PICTURE) || text.find(PICTURE) > text.find("\"user\""), "{text}");
    }
}

#[test]
fn blank_instructions_within_a_conversation_are_left_out() {
    for blank in [r#"{"role":"system"}"#, r#"{"role":"system","content":""}"#, r#"{"role":"system","content":" "}"#] {
        let history = format!(
            r#"{{"messages":[{{"role":"user","content":"think"}},{blank},{{"role":"assistant","content":"a"}},{{"role":"user","content":"b"}}]}}"#
        );
        for target in ["bedrock", "anthropic", "gemini", "vertex"] {
            let (text, rules) = fixed("ollama.chat", target, &history);
            assert!(!text.contains("wirecanon") && !text.contains("system"), "{target}: {text}");
            assert!(rules.iter().any(|rule| ["blank-text", "empty-message"].contains(rule)), "{target}: {rules:?}");
        }
    }
}
