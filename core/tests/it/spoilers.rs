//! A conversation that was changed on purpose is seen as changed, with the right reason, on every wire.
//!
//! Each spoiler changes the canonical conversation. Both the original and the spoiled one are written for every target, and what is
//! written is observed and compared.

use serde_json::{Value, json};
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::observe::{Grade, Reason, compare, observe_for};
use wirecanon_core::{Dialect, From, Options, Target, fix};

const RED: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BLUE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEklEQVR42mNgYPgPRAwwBggAABvgA/1rKq8mAAAAAElFTkSuQmCC";
const GREEN: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAYAAABWKLW/AAAAEUlEQVR42mNk+M/wn4EIwAgABQ8B/bXh+N8AAAAASUVORK5CYII=";

fn conversation() -> Value {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    json!({
        "tools": [
            {"name": "read", "description": "Reads a file", "parameters": schema},
            {"name": "shot", "description": "Takes a screenshot", "parameters": schema},
            {"name": "drop", "description": "Drops a table", "parameters": schema},
        ],
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
            {"role": "user", "content": [
                {"type": "text", "text": "Compare the file with the window."}, {"type": "image", "data": RED, "mimeType": "image/png"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I look at both."},
                {"type": "toolCall", "id": "call_aaaaa1", "name": "read", "arguments": "{\"path\":\"a.txt\",\"lines\":10}"},
                {"type": "toolCall", "id": "call_aaaaa2", "name": "shot", "arguments": "{\"window\":3,\"deep\":{\"on\":true}}"}]},
            {"role": "toolResult", "toolCallId": "call_aaaaa1", "toolName": "read", "isError": false, "content": [
                {"type": "text", "text": "alpha line"}, {"type": "image", "data": GREEN, "mimeType": "image/png"}]},
            {"role": "toolResult", "toolCallId": "call_aaaaa2", "toolName": "shot", "isError": false, "content": [
                {"type": "text", "text": "beta window"}, {"type": "image", "data": BLUE, "mimeType": "image/png"}]},
            {"role": "assistant", "content": [
                {"type": "toolCall", "id": "call_aaaaa3", "name": "drop", "arguments": "{\"table\":9007199254740993}"}]},
            {"role": "toolResult", "toolCallId": "call_aaaaa3", "toolName": "drop", "isError": true, "content": [
                {"type": "text", "text": "the table is locked"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "The table cannot be dropped."}]},
            {"role": "user", "content": [{"type": "text", "text": "Thanks. What is next?"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Nothing else."}]},
            {"role": "user", "content": [{"type": "text", "text": "Goodbye then."}]},
        ],
    })
}

/// What a wire must have for the reason to be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Tools,
    Definitions,
    Images,
    ErrorFlag,
    Instructions,
}

struct Spoiler {
    name: &'static str,
    needs: Needs,
    reasons: &'static [Reason],
    spoil: fn(&mut Value),
}

fn content(value: &mut Value, message: usize) -> &mut Vec<Value> {
    value["messages"][message]["content"].as_array_mut().expect("a list")
}

fn messages(value: &mut Value) -> &mut Vec<Value> {
    value["messages"].as_array_mut().expect("a list")
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

const SPOILERS: &[Spoiler] = &[
    Spoiler {
        name: "arguments emptied",
        needs: Needs::Tools,
        reasons: &[Reason::ArgumentsChanged],
        spoil: |value| value["messages"][2]["content"][1]["arguments"] = json!("{}"),
    },
    Spoiler {
        name: "arguments extended",
        needs: Needs::Tools,
        reasons: &[Reason::ArgumentsChanged],
        spoil: |value| {
            value["messages"][2]["content"][1]["arguments"] = json!(r#"{"path":"a.txt","lines":10,"force":true}"#);
        },
    },
    Spoiler {
        name: "one value of the arguments changed",
        needs: Needs::Tools,
        reasons: &[Reason::ArgumentsChanged],
        spoil: |value| value["messages"][2]["content"][2]["arguments"] = json!(r#"{"window":3,"deep":{"on":false}}"#),
    },
    Spoiler {
        name: "a number rounded",
        needs: Needs::Tools,
        reasons: &[Reason::NumberRounded],
        spoil: |value| value["messages"][5]["content"][0]["arguments"] = json!(r#"{"table":9007199254740992}"#),
    },
    Spoiler {
        name: "a tool renamed",
        needs: Needs::Tools,
        reasons: &[Reason::CallRenamed],
        spoil: |value| {
            value["messages"][5]["content"][0]["name"] = json!("delete");
            value["messages"][6]["toolName"] = json!("delete");
            value["tools"][2]["name"] = json!("delete");
        },
    },
    Spoiler {
        name: "results exchanged",
        needs: Needs::Tools,
        reasons: &[Reason::ResultMisattributed],
        spoil: |value| {
            let first = value["messages"][3]["content"].take();
            let second = value["messages"][4]["content"].take();
            value["messages"][3]["content"] = second;
            value["messages"][4]["content"] = first;
        },
    },
    Spoiler {
        name: "a call and its result invented",
        needs: Needs::Tools,
        reasons: &[Reason::CallInvented],
        spoil: |value| {
            content(value, 5)
                .push(json!({"type": "toolCall", "id": "call_aaaaa4", "name": "drop", "arguments": "{\"table\":2}"}));
            let result = json!({"role": "toolResult", "toolCallId": "call_aaaaa4", "toolName": "drop", "isError": false,
                "content": [{"type": "text", "text": "dropped"}]});
            messages(value).insert(7, result);
        },
    },
    Spoiler {
        name: "a call and its result dropped",
        needs: Needs::Tools,
        reasons: &[Reason::CallMissing],
        spoil: |value| {
            content(value, 2).remove(2);
            messages(value).remove(4);
        },
    },
    Spoiler {
        name: "a call flattened into text",
        needs: Needs::Tools,
        reasons: &[Reason::CallMissing],
        spoil: |value| {
            content(value, 2)[2] = text("shot({\"window\":3,\"deep\":{\"on\":true}})");
            messages(value).remove(4);
        },
    },
    Spoiler {
        name: "calls exchanged",
        needs: Needs::Tools,
        reasons: &[Reason::TurnOrderChanged],
        spoil: |value| {
            content(value, 2).swap(1, 2);
            messages(value).swap(3, 4);
        },
    },
    Spoiler {
        name: "parallel calls made one after the other",
        needs: Needs::Tools,
        reasons: &[Reason::TurnOrderChanged],
        spoil: |value| {
            let second = content(value, 2).remove(2);
            messages(value).insert(4, json!({"role": "assistant", "content": [second]}));
        },
    },
    Spoiler {
        name: "words of the user said by the assistant",
        needs: Needs::Nothing,
        reasons: &[Reason::SpeakerChanged],
        spoil: |value| {
            let said = content(value, 8).remove(0);
            content(value, 8).push(text("So."));
            content(value, 7).push(said);
        },
    },
    Spoiler {
        name: "words moved to another turn of the same speaker",
        needs: Needs::Nothing,
        reasons: &[Reason::TextMoved, Reason::TextMissing, Reason::TextChanged],
        spoil: |value| {
            let said = content(value, 10).remove(0);
            content(value, 10).push(text("So."));
            content(value, 8).push(said);
        },
    },
    Spoiler {
        name: "words of two turns exchanged",
        needs: Needs::Nothing,
        reasons: &[Reason::TextMoved],
        spoil: |value| {
            let first = content(value, 8).remove(0);
            let second = content(value, 10).remove(0);
            content(value, 8).push(second);
            content(value, 10).push(first);
        },
    },
    Spoiler {
        name: "words doubled",
        needs: Needs::Nothing,
        reasons: &[Reason::TextRepeated],
        spoil: |value| {
            let twin = content(value, 7)[0].clone();
            content(value, 7).push(twin);
        },
    },
    Spoiler {
        name: "words cut",
        needs: Needs::Nothing,
        reasons: &[Reason::TextChanged],
        spoil: |value| content(value, 7)[0] = text("The table cannot"),
    },
    Spoiler {
        name: "words invented",
        needs: Needs::Nothing,
        reasons: &[Reason::TextInvented],
        spoil: |value| content(value, 7).push(text("Shall I force it?")),
    },
    Spoiler {
        name: "words dropped",
        needs: Needs::Nothing,
        reasons: &[Reason::TextMissing],
        spoil: |value| {
            content(value, 2).remove(0);
        },
    },
    Spoiler {
        name: "the words of a result cut",
        needs: Needs::Tools,
        reasons: &[Reason::ResultChanged],
        spoil: |value| content(value, 6)[0] = text("the table"),
    },
    Spoiler {
        name: "the mark of a failure dropped",
        needs: Needs::ErrorFlag,
        reasons: &[Reason::ErrorFlagLost],
        spoil: |value| value["messages"][6]["isError"] = json!(false),
    },
    Spoiler {
        name: "a mark of a failure set",
        needs: Needs::ErrorFlag,
        reasons: &[Reason::ErrorFlagInvented],
        spoil: |value| value["messages"][3]["isError"] = json!(true),
    },
    Spoiler {
        name: "an image replaced",
        needs: Needs::Images,
        reasons: &[Reason::MediaReplaced],
        spoil: |value| value["messages"][1]["content"][1]["data"] = json!(GREEN),
    },
    Spoiler {
        name: "an image dropped",
        needs: Needs::Images,
        reasons: &[Reason::MediaMissing],
        spoil: |value| {
            content(value, 1).remove(1);
        },
    },
    Spoiler {
        name: "images of two results exchanged",
        needs: Needs::Images,
        reasons: &[Reason::ResultChanged, Reason::MediaMisattributed, Reason::MediaMoved],
        spoil: |value| {
            value["messages"][3]["content"][1]["data"] = json!(BLUE);
            value["messages"][4]["content"][1]["data"] = json!(GREEN);
        },
    },
    Spoiler {
        name: "the last turn dropped",
        needs: Needs::Nothing,
        reasons: &[Reason::TextMissing],
        spoil: |value| {
            messages(value).truncate(9);
        },
    },
    Spoiler {
        name: "instructions made text of the user",
        needs: Needs::Instructions,
        reasons: &[Reason::SpeakerChanged, Reason::InstructionsDemoted],
        spoil: |value| {
            let said = messages(value).remove(0)["content"][0].take();
            content(value, 0).insert(0, said);
        },
    },
    Spoiler {
        name: "instructions dropped",
        needs: Needs::Instructions,
        reasons: &[Reason::TextMissing],
        spoil: |value| {
            messages(value).remove(0);
        },
    },
    Spoiler {
        name: "definitions dropped",
        needs: Needs::Definitions,
        reasons: &[Reason::ToolMissing],
        spoil: |value| {
            value.as_object_mut().expect("an object").remove("tools");
        },
    },
    Spoiler {
        name: "a definition emptied",
        needs: Needs::Definitions,
        reasons: &[Reason::ToolChanged],
        spoil: |value| value["tools"][0]["parameters"] = json!({"type": "object", "properties": {}}),
    },
    Spoiler {
        name: "everything flattened into one text",
        needs: Needs::Nothing,
        reasons: &[Reason::TextChanged, Reason::TextMissing, Reason::SpeakerChanged, Reason::TextInvented],
        spoil: |value| {
            let all = value.to_string();
            value["messages"] = json!([{"role": "user", "content": [text(&all)]}]);
        },
    },
];

/// Dialects without definitions of tools.
const NO_DEFINITIONS: [Dialect; 6] = [
    Dialect::LangChain,
    Dialect::AiSdkModel,
    Dialect::AiSdkUi,
    Dialect::OpenViking,
    Dialect::LosslessClaw,
    Dialect::OpenClaw,
];

fn has(target: &Target, needs: Needs) -> bool {
    let tools = target.content.tools;
    match needs {
        Needs::Nothing => true,
        Needs::Tools => tools,
        Needs::Definitions => tools && !NO_DEFINITIONS.contains(&target.dialect),
        Needs::Images => target.media.takes_picture("image/png") && target.media.in_user && tools,
        Needs::ErrorFlag => tools && target.content.error_flag,
        Needs::Instructions => !matches!(target.dialect, Dialect::OpenViking | Dialect::McpPrompt),
    }
}

fn written(value: &Value, target: &Target) -> String {
    let options = Options { from: From::Dialect(Dialect::Canonical), to: Some(target), ..Options::default() };
    let text = value.to_string();
    let fixed = fix(text.as_bytes(), &options).expect("a conversation");
    String::from_utf8(fixed.output.into_owned()).expect("UTF-8")
}

fn wires() -> impl Iterator<Item = &'static Target> {
    Target::all().iter().filter(|target| !target.dialect.is_fragment())
}

fn differences(expected: &str, answer: &str, target: &Target) -> Vec<(Reason, String)> {
    let limits = Limits::default();
    let (left, right) = (Json::parse(expected, &limits).expect("JSON"), Json::parse(answer, &limits).expect("JSON"));
    let expected =
        observe_for(&left, target.dialect, target.dialect).unwrap_or_else(|error| panic!("{}: {error}", target.name));
    let answer =
        observe_for(&right, target.dialect, target.dialect).unwrap_or_else(|error| panic!("{}: {error}", target.name));
    let comparison = compare(&expected, &answer, target);
    let weighty = comparison.differences.iter().filter(|difference| difference.reason.grade() > Grade::Setting);
    weighty.map(|difference| (difference.reason, difference.to_string())).collect()
}

#[test]
fn every_spoiler_is_seen_on_every_wire_for_its_reason() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for target in wires() {
        let right = written(&conversation(), target);
        assert_eq!(differences(&right, &right, target), [], "{}", target.name);
        for spoiler in SPOILERS {
            let mut spoiled = conversation();
            (spoiler.spoil)(&mut spoiled);
            let answer = written(&spoiled, target);
            if answer == right {
                // The wire has no place for what was changed.
                assert!(!has(target, spoiler.needs), "{}: {} changes nothing", target.name, spoiler.name);
                continue;
            }
            let found = differences(&right, &answer, target);
            seen += 1;
            let is_right = found.iter().any(|(reason, _)| spoiler.reasons.contains(reason));
            let is_demanded = has(target, spoiler.needs);
            // Words of an error are content, and definitions mean nothing where there are no tools.
            let may_be_unseen = matches!(spoiler.needs, Needs::ErrorFlag | Needs::Definitions);
            if found.is_empty() && (is_demanded || !may_be_unseen) || is_demanded && !is_right {
                wrong.push(format!("{}: {}: {found:?}", target.name, spoiler.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {seen} are not seen for the right reason:\n{}", wrong.len(), wrong.join("\n"));
    assert!(seen > 1200, "{seen} spoiled answers");
}
