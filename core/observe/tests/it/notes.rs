//! Notes, marks, labels and fillers: what programs may write around a conversation, and what looks like it and says something.

use wirecanon_json::quote;
use wirecanon_observe::Reason;

use crate::support::comparing::{PNG, compared};

const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/// The reasons of the differences.
fn reasons(expected: (&str, &str), answer: (&str, &str)) -> Vec<Reason> {
    compared(expected, answer).differences.iter().map(|difference| difference.reason).collect()
}

/// Checks what may be said in an answer, and what may not, with the reason that is found first.
fn check(
    expected: (&str, &str),
    target: &str,
    answer: impl Fn(&str) -> String,
    same: &[&str],
    other: &[(&str, Reason)],
) {
    let mut failures = Vec::new();
    for words in same {
        let found = reasons(expected, (target, &answer(words)));
        if !found.is_empty() {
            failures.push(format!("{words:?} to {target}: expected no difference, got {found:?}"));
        }
    }
    for (words, reason) in other {
        let found = reasons(expected, (target, &answer(words)));
        if !found.contains(reason) {
            failures.push(format!("{words:?} to {target}: expected {reason:?}, got {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

const CALL: &str = r#"{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}"#;

fn chat_result(words: &str) -> String {
    let words = quote(words);
    format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[
        {{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c1","content":{words}}}]"#
    )
}

fn failed(text: &str) -> String {
    let text = quote(text);
    format!(
        r#"[{CALL},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":{text}}}]}}]"#
    )
}

#[test]
fn marks_of_errors_say_nothing_else() {
    check(
        ("anthropic.messages", &failed("deleted")),
        "openai.chat",
        chat_result,
        &[
            "deleted",
            "Error: deleted",
            "[error] deleted",
            "[tool error]\ndeleted",
            "Error executing tool f: deleted",
            "Error calling tool 'f': deleted",
            "Error invoking tool f: deleted",
            "Failed to execute tool f: deleted",
            "Failed to call f: deleted",
            "<error>deleted</error>",
            "<tool_use_error>deleted</tool_use_error>",
        ],
        &[
            ("Error: not deleted", Reason::ResultChanged),
            ("no error: deleted", Reason::ResultChanged),
            ("Error: deleted not", Reason::ResultChanged),
            ("<error>deleted", Reason::ResultChanged),
            ("Error calling tool 'g': deleted", Reason::ResultChanged),
            ("Failed to not execute tool f: deleted", Reason::ResultChanged),
            ("To execute tool f: deleted", Reason::ResultChanged),
            ("<tool_use>deleted</tool_use>", Reason::ResultChanged),
            ("<tool_use_error>deleted", Reason::ResultChanged),
        ],
    );
    check(
        ("anthropic.messages", &failed("42 rows")),
        "openai.chat",
        chat_result,
        &["error: 42 rows"],
        &[
            ("error 142 rows", Reason::ResultChanged),
            ("error: 1 42 rows", Reason::ResultChanged),
            ("error: -42 rows", Reason::ResultChanged),
        ],
    );
}

#[test]
fn marks_of_instructions_say_nothing_else() {
    let expected = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"},{"role":"system","content":"Answer in French."},{"role":"user","content":"go"}]"#;
    let answer = |words: &str| {
        let words = quote(words);
        format!(
            r#"[{{"role":"user","content":"hi"}},{{"role":"assistant","content":"yes"}},
            {{"role":"user","content":[{{"type":"text","text":{words}}},{{"type":"text","text":"go"}}]}}]"#
        )
    };
    check(
        ("openai.chat", expected),
        "anthropic.messages",
        answer,
        &[
            "System: Answer in French.",
            "[system message] Answer in French.",
            "[System note: Answer in French.]",
            "<system-reminder>\nAnswer in French.\n</system-reminder>",
            "<system>Answer in French.</system>",
            "[system]\nAnswer in French.\n[end of system message]",
        ],
        &[
            ("System: not Answer in French.", Reason::SpeakerChanged),
            ("No system message: Answer in French.", Reason::SpeakerChanged),
            ("System: do not Answer in French.", Reason::SpeakerChanged),
            ("System 7: Answer in French.", Reason::SpeakerChanged),
            ("Answer in French.", Reason::InstructionsDemoted),
        ],
    );
}

#[test]
fn calls_and_results_that_are_text_say_nothing_else() {
    let expected = r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{\"a\":1}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"5 rows"}]"#;
    let prompt = |speaker: &str, call: &str, result: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":"go"}}}},{{"role":"assistant","content":{{"type":"text","text":{}}}}},
            {{"role":"{speaker}","content":{{"type":"text","text":{}}}}}]}}"#,
            quote(call),
            quote(result)
        )
    };
    check(
        ("openai.chat", expected),
        "mcp.prompt",
        |call| prompt("user", call, "[tool result c1 (run)] 5 rows"),
        &[
            "[tool call c1 (run)] {\"a\": 1}",
            "[Calling tool run with arguments {\"a\":1}]",
            "<tool_call>{\"name\":\"run\",\"arguments\":{\"a\":1}}</tool_call>",
            "<tool_use name=\"run\">{\"a\":1}</tool_use>",
            "I called the tool run with arguments {\"a\":1}",
            "[Tool call: run({\"a\":1})]",
        ],
        &[
            ("[tool call c1 (run)] not {\"a\":1}", Reason::CallMissing),
            ("[no tool call c1 (run)] {\"a\":1}", Reason::CallMissing),
            ("[user call c1 (run)] {\"a\":1}", Reason::CallMissing),
            ("[tool result c1 (run)] {\"a\":1}", Reason::CallMissing),
            ("[tool call c1 (run)] {\"a\":2}", Reason::CallMissing),
            ("[tool call c1 (walk)] {\"a\":1}", Reason::CallMissing),
            ("<tool_call>{\"name\":\"walk\",\"arguments\":{\"a\":1}}</tool_call>", Reason::CallMissing),
            ("<tool_call>{\"name\":\"run\",\"arguments\":{\"a\":1},\"note\":\"x\"}</tool_call>", Reason::CallMissing),
            ("<tool_call>{\"name\":\"run\",\"arguments\":{\"a\":1}}", Reason::CallMissing),
        ],
    );
    check(
        ("openai.chat", expected),
        "mcp.prompt",
        |result| prompt("user", "[tool call c1 (run)] {\"a\":1}", result),
        &[
            "[tool result c1 (run)] 5 rows",
            "[Tool result: 5 rows]",
            "Result of run: 5 rows",
            "<tool_result id=\"c1\">5 rows</tool_result>",
            "Tool result:\n```\n5 rows\n```",
        ],
        &[
            ("[tool result c1 (run)] not 5 rows", Reason::ResultMissing),
            ("[tool result c1 (run)] 15 rows", Reason::ResultMissing),
            ("[no tool result c1 (run)] 5 rows", Reason::ResultMissing),
            ("[tool call c1 (run)] 5 rows", Reason::ResultMissing),
            ("[tool result c2 (run)] 5 rows", Reason::ResultMissing),
            ("[error of tool result c1 (run)] 5 rows", Reason::ErrorFlagInvented),
        ],
    );
    check(
        ("openai.chat", expected),
        "mcp.prompt",
        |result| prompt("assistant", "[tool call c1 (run)] {\"a\":1}", result),
        &[],
        &[("[tool result c1 (run)] 5 rows", Reason::SpeakerChanged)],
    );
}

#[test]
fn fillers_say_nothing() {
    let opening = |words: &str| {
        format!(
            r#"[{{"role":"user","content":{}}},{{"role":"assistant","content":"yes"}},{{"role":"user","content":"go"}}]"#,
            quote(words)
        )
    };
    check(
        ("openai.chat", r#"[{"role":"assistant","content":"yes"},{"role":"user","content":"go"}]"#),
        "anthropic.messages",
        opening,
        &["Please continue.", "...", "Hello", "Let's begin.", "(no content)", "[conversation continues]", "Continue"],
        &[
            ("Do not continue", Reason::TextInvented),
            ("Proceed with the tool", Reason::TextInvented),
            ("The conversation does not start", Reason::TextInvented),
            ("OK", Reason::TextInvented),
            ("Yes, delete it.", Reason::TextInvented),
            ("42", Reason::TextInvented),
        ],
    );
    let closing = |words: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"yes"}},{{"role":"user","content":{}}}]"#,
            quote(words)
        )
    };
    let closed = r#"[{"role":"user","content":"go"},{"role":"assistant","content":"yes"}]"#;
    check(("openai.chat", closed), "anthropic.messages", closing, &["Continue"], &[("Yes", Reason::TextInvented)]);
    check(("openai.chat", closed), "openai.chat", closing, &[], &[("Continue", Reason::FillerNotDemanded)]);
    let reply = |words: &str| {
        let words = quote(words);
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"","tool_calls":[{{"id":"c1aaaaaaa","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},
            {{"role":"tool","tool_call_id":"c1aaaaaaa","name":"f","content":"x"}},{{"role":"assistant","content":{words}}},{{"role":"user","content":"next"}}]"#
        )
    };
    let answered = r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"x"},{"role":"user","content":"next"}]"#;
    check(
        ("openai.chat", answered),
        "mistral",
        reply,
        &["OK.", "Understood.", "[continue]", "..."],
        &[("Not understood.", Reason::TextInvented), ("OK, deleted.", Reason::TextInvented)],
    );
}

#[test]
fn documents_and_notes_say_nothing_else() {
    let expected = r#"[{"role":"user","content":[{"type":"document","title":"a.txt","context":"From the archive.","source":{"type":"text","media_type":"text/plain","data":"Never pay."}},{"type":"text","text":"read"}]}]"#;
    let answer = |words: &str| {
        format!(
            r#"[{{"role":"user","content":[{{"type":"text","text":{}}},{{"type":"text","text":"read"}}]}}]"#,
            quote(words)
        )
    };
    check(
        ("anthropic.messages", expected),
        "openai.chat",
        answer,
        &[
            "Never pay.",
            "[document a.txt]\nNever pay.",
            "<document title=\"a.txt\">\nNever pay.\n</document>",
            "Content of a.txt:\n```\nNever pay.\n```",
            "[document: Never pay.]",
            "Title: a.txt\nContext: From the archive.\n\nNever pay.",
            "# a.txt\n\nNever pay.",
            "<document index=\"1\">\n<source>a.txt</source>\n<document_content>\nNever pay.\n</document_content>\n</document>",
        ],
        &[
            ("document not Never pay.", Reason::TextInvented),
            ("no document: Never pay.", Reason::TextInvented),
            ("document: not Never pay.", Reason::TextInvented),
            ("<document>Never pay.", Reason::TextInvented),
            ("Title: b.txt\nNever pay.", Reason::TextInvented),
            ("Context: The archive.\nNever pay.", Reason::TextInvented),
            ("Context: From the archive. Not\nNever pay.", Reason::TextInvented),
            ("<document index=\"1\">\n<document_content>\nNever pay.\n</document>", Reason::TextInvented),
            ("<document number=\"1\">\nNever pay.\n</document>", Reason::TextInvented),
        ],
    );
    let file = r#"[{"role":"assistant","content":"see"},{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}},{"type":"text","text":"read"}]}]"#;
    let noted = |words: &str| {
        format!(
            r#"[{{"role":"assistant","content":"see"}},{{"role":"user","content":[{{"type":"text","text":{}}},{{"type":"text","text":"read"}}]}}]"#,
            quote(words)
        )
    };
    check(
        ("anthropic.messages", file),
        "kimi",
        noted,
        &["[file left out (application/pdf)]", "[document: not supported]", "(pdf, 9 bytes)"],
        &[
            ("[image left out]", Reason::TextInvented),
            ("audio file", Reason::TextInvented),
            ("No document", Reason::TextInvented),
            ("[document: 7]", Reason::TextInvented),
            ("[left out]", Reason::TextInvented),
        ],
    );
}

#[test]
fn notes_of_files_say_that_they_are_files() {
    let document = |title: &str, target: &str, same: &[&str], other: &[&str]| {
        let expected = format!(
            r#"[{{"role":"user","content":[{{"type":"document","title":"{title}","source":{{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}}}},{{"type":"text","text":"read"}}]}}]"#
        );
        let answer = |words: &str| {
            format!(
                r#"[{{"role":"user","content":[{{"type":"text","text":{}}},{{"type":"text","text":"read"}}]}}]"#,
                quote(words)
            )
        };
        let other: Vec<_> = other.iter().map(|words| (*words, Reason::TextInvented)).collect();
        check(("anthropic.messages", &expected), target, answer, same, &other);
    };
    document(
        "contract.txt",
        "kimi",
        &["contract.txt", "[contract.txt left out]", "(file contract.txt omitted)", "file: contract txt"],
        &["contract", "[contract]", "txt", "[left out]"],
    );
    document("sky.txt", "kimi", &["The file sky.txt is unavailable"], &["The sky is", "The sky"]);
    document(
        "delete all.txt",
        "kimi",
        &["[file: delete_all.txt]"],
        &["delete all files", "delete all.txt not", "all files"],
    );
}

#[test]
fn addresses_are_whole() {
    let expected = r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://example.com/1"}}]}]"#;
    let answer = |words: &str| {
        format!(
            r#"[{{"role":"user","content":[{{"type":"text","text":"look"}},{{"type":"text","text":{}}}]}}]"#,
            quote(words)
        )
    };
    check(
        ("openai.chat", expected),
        "kimi",
        answer,
        &["image: https://example.com/1", "[image: https://example.com/1]", "The image is at https://example.com/1."],
        &[
            ("image: https://example.com/15", Reason::MediaMissing),
            ("image: https://example.com/1/2", Reason::MediaMissing),
            ("image: https://example.com/1?2", Reason::MediaMissing),
            ("no image: https://example.com/1", Reason::MediaMissing),
        ],
    );
}

#[test]
fn labels_name_the_calls_of_their_media() {
    let expected = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}},
        {{"type":"tool_use","id":"c2","name":"g","input":{{}}}},{{"type":"tool_use","id":"c3","name":"h","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}]}},
        {{"type":"tool_result","tool_use_id":"c2","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/gif","data":"{GIF}"}}}}]}},
        {{"type":"tool_result","tool_use_id":"c3","content":"x"}}]}}]"#
    );
    let answer = |labels: &str| {
        let mut parts = Vec::new();
        for part in labels.split('|').map(str::trim) {
            parts.push(match part {
                "PNG" => format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}"#),
                "GIF" => format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/gif;base64,{GIF}"}}}}"#),
                text => format!(r#"{{"type":"text","text":{}}}"#, quote(text)),
            });
        }
        let call = |id: &str, name: &str| {
            format!(r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}"#)
        };
        let result = |id: &str, text: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{text}"}}"#);
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{},{},{}]}},{},{},{},{{"role":"user","content":[{}]}}]"#,
            call("c1", "f"),
            call("c2", "g"),
            call("c3", "h"),
            result("c1", "[image follows]"),
            result("c2", "(see attached image)"),
            result("c3", "x"),
            parts.join(",")
        )
    };
    check(
        ("anthropic.messages", &expected),
        "openai.chat",
        answer,
        &[
            "PNG | GIF",
            "image of c1 | PNG | image of c2 | GIF",
            "image of c1 | image of c2 | PNG | GIF",
            "images of c1 and c2 | PNG | GIF",
            "Attached image(s) from tool result: | PNG | GIF",
            "image 1 | PNG | image 2 | GIF",
            "first image | PNG | second image | GIF",
            "images of the tools f and g | PNG | GIF",
        ],
        &[
            ("image of c2 | PNG | image of c1 | GIF", Reason::MediaMisattributed),
            ("image of c2 | image of c1 | PNG | GIF", Reason::MediaMisattributed),
            ("images of c2 and c1 | PNG | GIF", Reason::MediaMisattributed),
            ("image of c2 | PNG | GIF", Reason::MediaMisattributed),
            ("image of c3 | PNG | GIF", Reason::MediaMisattributed),
            ("image of g | PNG | image of f | GIF", Reason::MediaMisattributed),
            ("image 2 | PNG | image 1 | GIF", Reason::TextInvented),
            ("third image | PNG | GIF", Reason::TextInvented),
            ("GIF | PNG", Reason::MediaMisattributed),
            ("No image of c1 | PNG | GIF", Reason::TextInvented),
            ("image of c9 | PNG | GIF", Reason::TextInvented),
        ],
    );
    let single = |stub: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},
            {{"role":"tool","tool_call_id":"c1","content":{}}},{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}]}}]"#,
            quote(stub)
        )
    };
    let one = format!(
        r#"[{CALL},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}]}}]}}]"#
    );
    check(
        ("anthropic.messages", &one),
        "openai.chat",
        single,
        &["[image follows]", "(see attached image)", "Tool call produced images, see the next user message."],
        &[("The image is not available", Reason::ResultChanged), ("42", Reason::ResultChanged)],
    );
}

#[test]
fn stand_ins_say_that_there_is_no_result() {
    let expected = format!("[{CALL},{}]", r#"{"role":"user","content":"next"}"#);
    let answer = |words: &str| {
        let words = quote(words);
        format!(
            r#"[{CALL},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":{words}}},{{"type":"text","text":"next"}}]}}]"#
        )
    };
    check(
        ("anthropic.messages", &expected),
        "anthropic.messages",
        answer,
        &[
            "No result provided",
            "[tool result missing]",
            "Tool execution was interrupted.",
            "Tool call f with id c1 was cancelled - another message came in before it could be completed.",
        ],
        &[
            ("The result was recorded", Reason::ResultInvented),
            ("was not interrupted", Reason::ResultInvented),
            ("result missing: 42", Reason::ResultInvented),
            ("user cancelled the call", Reason::ResultInvented),
            ("Aborted by the user", Reason::ResultInvented),
            ("OK, deleted.", Reason::ResultInvented),
        ],
    );
}

#[test]
fn items_of_others_are_not_denied_or_reordered() {
    let expected = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"cats chase dogs"}},
        {"type":"web_search_tool_result","tool_use_id":"s1","content":[]},{"type":"text","text":"found"}]}]"#;
    let answer = |words: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":"go"}}}},{{"role":"assistant","content":{{"type":"text","text":{}}}}},{{"role":"assistant","content":{{"type":"text","text":"found"}}}}]}}"#,
            quote(words)
        )
    };
    check(
        ("anthropic.messages", expected),
        "mcp.prompt",
        answer,
        &["[web_search: cats chase dogs]", "[tool call s1 (web_search)] {\"query\":\"cats chase dogs\"}"],
        &[
            ("[web_search: not cats chase dogs]", Reason::TextInvented),
            ("[web_search: dogs chase cats]", Reason::TextInvented),
        ],
    );
}

#[test]
fn texts_for_items_are_made_of_whole_strings() {
    let chat = |words: &str| {
        format!(
            r#"[{{"role":"user","content":"Hi"}},{{"role":"assistant","content":{}}},{{"role":"user","content":"ok"}}]"#,
            quote(words)
        )
    };
    let item = |dialect: &str, item: &str, same: &[&str], other: &[&'static str]| {
        let expected = match dialect {
            "openai.responses" => format!(
                r#"{{"input":[{{"role":"user","content":"Hi"}},{item},{{"role":"assistant","content":"Hello."}},{{"role":"user","content":"ok"}}]}}"#
            ),
            "gemini.contents" => format!(
                r#"[{{"role":"user","parts":[{{"text":"Hi"}}]}},{{"role":"model","parts":[{item},{{"text":"Hello."}}]}},{{"role":"user","parts":[{{"text":"ok"}}]}}]"#
            ),
            _ => format!(
                r#"[{{"role":"user","content":"Hi"}},{{"role":"assistant","content":[{item},{{"type":"text","text":"Hello."}}]}},{{"role":"user","content":"ok"}}]"#
            ),
        };
        let answer = |words: &str| chat(&format!("{words}\nHello."));
        let other: Vec<_> = other.iter().map(|words| (*words, Reason::TextInvented)).collect();
        check((dialect, &expected), "openai.chat", answer, same, &other);
    };
    item(
        "openai.responses",
        r#"{"type":"file_search_call","id":"fs_1","status":"completed","queries":["do not pay the invoice"],"results":null}"#,
        &[
            "",
            "[file_search_call]",
            "[file search: do not pay the invoice]",
            "queries: do not pay the invoice",
            "[file_search_call fs_1] {\"queries\":[\"do not pay the invoice\"]}",
        ],
        &[
            "pay the invoice",
            "not",
            "do not",
            "search",
            "fs_1",
            "A",
            "do not pay the invoice do not pay the invoice",
            "not: do not pay the invoice",
            "[file search: pay the invoice]",
            "[file_search_call fs_1] {\"queries\":[\"pay the invoice\"]}",
        ],
    );
    item(
        "anthropic.messages",
        r#"{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","title":"You must not delete the files or say yes","url":"https://a.example/x","encrypted_content":"e"},
        {"type":"web_search_result","title":"Second","url":"https://b.example/y","encrypted_content":"f","page_age":"2 days ago"}]}"#,
        &[
            "[web_search_tool_result left out]",
            "You must not delete the files or say yes",
            "- [You must not delete the files or say yes](https://a.example/x)\n- [Second](https://b.example/y) (2 days ago)",
            "Title: You must not delete the files or say yes\nURL: https://a.example/x",
            "1. You must not delete the files or say yes\n2. Second",
            "[1] You must not delete the files or say yes",
        ],
        &[
            "delete the files",
            "yes",
            "the the the",
            "files the delete",
            "https://a.example/x",
            "s1",
            "(s1",
            "cannot say yes",
            "Second 7",
        ],
    );
    item(
        "gemini.contents",
        r#"{"executableCode":{"language":"PYTHON","code":"print('never delete')"}}"#,
        &["```python\nprint('never delete')\n```", "print('never delete')", "[executable code]"],
        &["delete", "never delete", "print", "python", "```python\nprint('never delete')"],
    );
    // The name of a tool is no content.
    item(
        "openai.responses",
        r#"{"type":"mcp_call","id":"mcp_1","name":"look up","server_label":"s","arguments":"{\"key\":\"not this one\"}","output":"Five rows."}"#,
        &[
            "not this one\nFive rows.",
            "{\"key\": \"not this one\"}\nFive rows.",
            "[mcp_call mcp_1 look up] {\"key\":\"not this one\"}\nFive rows.",
        ],
        &[
            "Five rows.",
            "Five rows.\nnot this one",
            "look up",
            "this one\nFive rows.",
            "{\"key\":\"this one\"}\nFive rows.",
        ],
    );
    // In a turn of the user, and in a result.
    let block = r#"{"type":"search_result","source":"https://a","title":"T","content":[{"type":"text","text":"You must not delete the files."},{"type":"text","text":"Never."}]}"#;
    let said = format!(r#"[{{"role":"user","content":[{block},{{"type":"text","text":"so?"}}]}}]"#);
    let answer = |words: &str| format!(r#"[{{"role":"user","content":{}}}]"#, quote(&format!("{words}\nso?")));
    let same = [
        "You must not delete the files.\nNever.",
        "T\nhttps://a\nYou must not delete the files.\nNever.",
        "[search result: T]\nYou must not delete the files.\nNever.",
        "<search_result source=\"https://a\">\nYou must not delete the files.\nNever.\n</search_result>",
        "[search_result left out]",
    ];
    let other = [
        "delete the files.",
        "You must not",
        "You must not delete the files.",
        "Never.\nYou must not delete the files.",
        "T",
        "https://a",
        "You must not delete the files.\nNever.\nT\nT",
        "<search_result>\nYou must not delete the files.\nNever.",
    ];
    let others: Vec<_> = other.iter().map(|words| (*words, Reason::TextInvented)).collect();
    check(("anthropic.messages", &said), "openai.chat", answer, &same, &others);
    let result = format!(
        r#"[{CALL},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{block}]}}]}}]"#
    );
    let others: Vec<_> = other.iter().map(|words| (*words, Reason::ResultChanged)).collect();
    check(("anthropic.messages", &result), "openai.chat", chat_result, &same, &others);
}

#[test]
fn items_of_unknown_dialects_are_items_of_others() {
    let item = r#"{"type":"opaque","dialect":"somebody.chat","value":{"type":"summary","content":"earlier work"}}"#;
    let expected =
        format!(r#"{{"messages":[{{"role":"assistant","content":[{item},{{"type":"text","text":"Hello."}}]}}]}}"#);
    check(
        ("canonical", &expected),
        "openai.chat",
        |words| format!(r#"[{{"role":"assistant","content":{}}}]"#, quote(&format!("{words}\nHello."))),
        &["", "earlier work", "[wirecanon: somebody.chat item summary left out]"],
        &[("later work", Reason::TextInvented), ("earlier", Reason::TextInvented)],
    );
    let other = expected.replace("somebody.chat", "openai.chat");
    assert_eq!(compared(("canonical", &expected), ("canonical", &expected)).differences.len(), 0);
    assert_ne!(compared(("canonical", &expected), ("canonical", &other)).differences.len(), 0);
}

#[test]
fn each_turn_without_a_word_may_have_one_filler() {
    let expected = r#"{"messages":[{"role":"user","content":""},{"role":"assistant","content":""},{"role":"user","content":"go"}]}"#;
    let turns = |turns: &[(&str, &str)]| {
        let turns = turns.iter().map(|(role, text)| format!(r#"{{"role":"{role}","parts":[{{"text":"{text}"}}]}}"#));
        format!(r#"{{"contents":[{}]}}"#, turns.collect::<Vec<_>>().join(","))
    };
    let filler = "[wirecanon: empty message]";
    let reasons = |given: &[(&str, &str)]| reasons(("ollama.chat", expected), ("gemini.contents", &turns(given)));
    let go = ("user", "go");
    assert_eq!(reasons(&[("user", filler), ("model", filler), go]), []);
    assert_eq!(reasons(&[("user", filler), go]), []);
    assert_eq!(reasons(&[go]), []);
    assert_eq!(reasons(&[("user", filler), ("user", filler), go]), [Reason::FillerNotDemanded]);
}

#[test]
fn names_of_resources_may_hold_brackets() {
    for name in ["repo{t", "a[1", "a]1", "f(x", "`x", "<b>"] {
        let link =
            format!(r#"{{"content":[{{"type":"resource_link","uri":"file:///r.pdf","name":{}}}]}}"#, quote(name));
        check(
            ("mcp.tool-result", &link),
            "mcp.tool-result@2024-11-05",
            |words| format!(r#"{{"content":[{{"type":"text","text":{}}}]}}"#, quote(words)),
            &[&format!("[{name}] file:///r.pdf"), &format!("{name}: file:///r.pdf"), "file:///r.pdf"],
            &[(&format!("[not {name}] file:///r.pdf"), Reason::ResultChanged)],
        );
    }
}

#[test]
fn labels_repeat_what_results_refer_to() {
    let image = |kind: &str, data: &str| {
        format!(r#"{{"type":"image","source":{{"type":"base64","media_type":"image/{kind}","data":"{data}"}}}}"#)
    };
    let expected = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"shot","input":{{}}}},
        {{"type":"tool_use","id":"c2","name":"shot","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{}]}},{{"type":"tool_result","tool_use_id":"c2","content":[{}]}}]}},
        {{"role":"assistant","content":"seen"}}]"#,
        image("png", PNG),
        image("gif", GIF)
    );
    // Two results and the parts of the message behind them.
    let answer = |words: &str| {
        let mut parts = words.split('|').map(str::trim);
        let results = [parts.next().unwrap_or_default(), parts.next().unwrap_or_default()].map(quote);
        let parts: Vec<_> = parts
            .map(|part| match part {
                "PNG" => format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}"#),
                "GIF" => format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/gif;base64,{GIF}"}}}}"#),
                text => format!(r#"{{"type":"text","text":{}}}"#, quote(text)),
            })
            .collect();
        let call =
            |id: &str| format!(r#"{{"id":"{id}","type":"function","function":{{"name":"shot","arguments":"{{}}"}}}}"#);
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{},{}]}},{{"role":"tool","tool_call_id":"c1","content":{}}},
            {{"role":"tool","tool_call_id":"c2","content":{}}},{{"role":"user","content":[{}]}},{{"role":"assistant","content":"seen"}}]"#,
            call("c1"),
            call("c2"),
            results[0],
            results[1],
            parts.join(",")
        )
    };
    let tagged = |first: [&str; 2], second: [&str; 2]| {
        let tag = |[call, file]: [&str; 2]| {
            format!("<pyai:tool_result tool_name=\"shot\" tool_call_id=\"{call}\" file_id=\"{file}\">")
        };
        format!(
            "See file 8a1b2c. | See file 9d0e1f. | {} | PNG | </pyai:tool_result> | {} | GIF | </pyai:tool_result>",
            tag(first),
            tag(second)
        )
    };
    let goose = "This tool result included an image that is uploaded in the next message.";
    let success = "Tool executed successfully and returned this image as a response";
    check(
        ("anthropic.messages", &expected),
        "openai.chat",
        answer,
        &[
            "See file 8a1b2c. | See file 9d0e1f. | This is file 8a1b2c: | PNG | This is file 9d0e1f: | GIF",
            &tagged(["c1", "8a1b2c"], ["c2", "9d0e1f"]),
            &format!("{goose} | {goose} | PNG | GIF"),
            "[image 1] | [image 2] | [image 1] | PNG | [image 2] | GIF",
            &format!("[image follows] | [image follows] | PNG | {success} | GIF | {success}"),
        ],
        &[
            (
                "See file 8a1b2c. | See file 9d0e1f. | This is file 9d0e1f: | PNG | This is file 8a1b2c: | GIF",
                Reason::MediaMisattributed,
            ),
            ("See file 8a1b2c. | See file 9d0e1f. | PNG | GIF", Reason::MediaMisattributed),
            ("See file 8a1b2c. | See file 9d0e1f. | This is file 8a1b2d: | PNG | GIF", Reason::TextInvented),
            (&tagged(["c2", "8a1b2c"], ["c1", "9d0e1f"]), Reason::MediaMisattributed),
            (&tagged(["c1", "9d0e1f"], ["c2", "8a1b2c"]), Reason::MediaMisattributed),
            ("[image 2] | [image 1] | [image 1] | PNG | [image 2] | GIF", Reason::MediaMisattributed),
            ("Do not see file 8a1b2c. | [image follows] | This is file 8a1b2c: | PNG | GIF", Reason::ResultChanged),
            ("[image follows] | [image follows] | PNG | GIF | image of c1", Reason::TextInvented),
            ("[image follows] | [image follows] | PNG | GIF | Tool executed, not returned", Reason::TextInvented),
            ("[image follows] | [image follows] | PNG | GIF | delete it", Reason::TextInvented),
        ],
    );
}

#[test]
fn of_equal_members_of_an_item_the_last_counts() {
    let item = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[
        {"type":"code_execution_tool_result","tool_use_id":"s1","content":{"type":"code_execution_result",
        "stdout":"early","stdout":"late\n","stderr":""}},{"type":"text","text":"done"}]}]"#;
    let chat = |words: &str| {
        let words = quote(words);
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"text","text":{words}}},{{"type":"text","text":"done"}}]}}]"#
        )
    };
    check(("anthropic.messages", item), "openai", chat, &["late\n"], &[("early", Reason::TextInvented)]);
}

#[test]
fn the_next_text_may_be_a_word_of_a_note() {
    let pdf = r#"{"type":"file","file":{"filename":"report tax","file_data":"data:application/pdf;base64,JVBERi0="}}"#;
    for next in ["x", "tax", "report", "file", "(application", "wirecanon", "something else"] {
        let expected =
            format!(r#"[{{"role":"user","content":[{pdf}]}},{{"role":"assistant","content":{}}}]"#, quote(next));
        let answer = |note: &str| {
            format!(
                r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":{}}}}},{{"role":"assistant","content":{{"type":"text","text":{}}}}}]}}"#,
                quote(note),
                quote(next)
            )
        };
        check(
            ("openai.chat", &expected),
            "mcp.prompt",
            answer,
            &["[wirecanon: file left out: report tax (application/pdf)]"],
            &[("[wirecanon: file left out: report tax, delete it]", Reason::TextInvented)],
        );
    }
}

#[test]
fn a_mark_of_instructions_belongs_to_the_text_behind_it() {
    let expected = r#"[{"role":"system","content":[{"type":"text","text":"Be brief."},{"type":"text","text":"."}]},{"role":"user","content":"go"}]"#;
    let answer = |second: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":"[system message] Be brief."}}}},{{"role":"user","content":{{"type":"text","text":{}}}}},{{"role":"user","content":{{"type":"text","text":"go"}}}}]}}"#,
            quote(second)
        )
    };
    let other = [(".", Reason::InstructionsDemoted), ("[system message] !", Reason::TextInvented)];
    check(("openai.chat", expected), "mcp.prompt", answer, &["[system message] ."], &other);
}

#[test]
fn null_of_gemini_is_an_empty_result() {
    let expected = r#"[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","id":"c1","args":{}}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"f","id":"c1","response":{"output":null}}}]}]"#;
    check(
        ("gemini.contents", expected),
        "openai.chat",
        chat_result,
        &["(no output)", "null", ""],
        &[("done", Reason::ResultChanged), ("0", Reason::ResultChanged)],
    );
}

#[test]
fn a_link_without_an_address_is_told_by_its_name() {
    let result = r#"{"content":[{"type":"resource_link","uri":" ","name":"plan"},{"type":"text","text":"two words"}]}"#;
    let answer = |words: &str| chat_result(&format!("{words}\ntwo words"));
    let expected = format!(
        r#"[{{"role":"user","parts":[{{"type":"text","text":"go"}}],"id":"1"}},{{"role":"assistant","id":"2","parts":[{{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{{}},"output":{result}}}]}}]"#
    );
    check(
        ("ai-sdk.ui", &expected),
        "openai.chat",
        answer,
        &[r#"{"type":"resource_link","uri":" ","name":"plan"}"#, "[resource link: plan]"],
        &[("[resource link: map]", Reason::ResultChanged)],
    );
}

#[test]
fn a_row_of_lossless_claw_is_read_as_its_own_reader_does() {
    let rows = |row: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"","parts":[{{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"f","tool_input":"{{}}","metadata":"{{\"rawType\":\"toolCall\"}}"}}]}},
            {{"role":"tool","content":"","parts":[{row}]}}]"#
        )
    };
    let stored = rows(
        r#"{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"f","tool_output":"\"two words\"","metadata":"{\"originalRole\":\"toolResult\"}"}"#,
    );
    check(
        ("lossless-claw", &stored),
        "openai.chat",
        chat_result,
        &["two words"],
        &[("two", Reason::ResultChanged), ("three words", Reason::ResultChanged)],
    );
    let carried = rows(
        r#"{"part_type":"file","ordinal":0,"tool_call_id":"c1","tool_name":"f","session":"s1","text_content":"{}","metadata":"{\"originalRole\":\"toolResult\",\"raw\":{\"type\":\"resource_link\",\"uri\":\"file:///a.txt\",\"name\":\"a\"}}"}"#,
    );
    check(
        ("lossless-claw", &carried),
        "openai.chat",
        chat_result,
        &[r#"{"type":"resource_link","uri":"file:///a.txt","name":"a"}"#],
        &[("file:///b.txt", Reason::ResultChanged), ("{}", Reason::ResultChanged)],
    );
}
