//! `cohere.v2`, and the target `cohere`.

use super::{broken, open_ended, valid};

/// A user message, and a turn with a call `a`.
const ASKED: &str = r#"{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;

/// A call and its result with this content.
fn answered(content: &str) -> String {
    format!(r#"[{ASKED},{{"role":"tool","tool_call_id":"a","content":{content}}}]"#)
}

/// A conversation with this turn in it.
fn turn(turn: &str) -> String {
    format!(r#"[{{"role":"user","content":"q"}},{{"role":"assistant",{turn}}},{{"role":"user","content":"q"}}]"#)
}

#[test]
fn valid_transcripts() {
    let texts = [
        r#"{"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG","detail":"high"}},{"type":"image_url","image_url":{"url":"https://x.test/a.png"}}]}],"tools":[]}"#.to_owned(),
        turn(r#""content":"a""#),
        turn(r#""tool_plan":"p""#),
        turn(r#""content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a"}],"tool_calls":null,"citations":[{"start":0,"end":1,"text":"a","sources":[]}]"#),
        answered(r#""r""#),
        answered(r#"[{"type":"text","text":"r"},{"type":"document","document":{"data":{"a":1},"id":"d"}},{"type":"document","document":{"data":{}}},{"type":"document","document":{"data":"{}"}}]"#),
    ];
    for text in &texts {
        valid("cohere.v2", &[text]);
        valid("cohere", &[text]);
    }
    open_ended("cohere", &["[]", &format!("[{ASKED}]")]);
}

#[test]
fn messages() {
    broken(
        "cohere.v2",
        &[
            (r#"[{"role":"developer","content":"s"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":null}]"#, &[("content-missing", "/0/content")]),
            (r#"[{"role":"user","content":"q","name":"n"}]"#, &[("unknown-field", "/0/name")]),
            (
                r#"[{"role":"user","content":[{"type":"text","text":"q","id":1}]}]"#,
                &[("unknown-field", "/0/content/0/id")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"thinking","thinking":"t"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (r#"[{"role":"user","content":[{"type":"file","file":{}}]}]"#, &[("foreign-block-shape", "/0/content/0")]),
            (
                r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}]}]"#,
                &[("image-without-data", "/0/content/0/image_url/url")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test","detail":"most"}}]}]"#,
                &[("unknown-field", "/0/content/0/image_url/detail")],
            ),
            (&turn(r#""content":null"#), &[("empty-message", "/1/content")]),
            (&turn(r#""tool_plan":"""#), &[("empty-message", "/1")]),
            (&turn(r#""content":"a","tool_plan":1"#), &[("unknown-field", "/1/tool_plan")]),
            (&turn(r#""content":"a","citations":{}"#), &[("unknown-field", "/1/citations")]),
            (&turn(r#""content":"a","tool_calls":[]"#), &[("empty-tool-calls", "/1/tool_calls")]),
            (
                &turn(r#""content":[{"type":"image_url","image_url":{"url":"https://x.test"}}]"#),
                &[("block-in-wrong-role", "/1/content/0")],
            ),
        ],
    );
    broken("cohere", &[(r#"{"messages":[]}"#, &[("no-messages", "/messages")])]);
}

#[test]
fn calls_and_results() {
    let called = |call: &str| {
        format!(
            "[{}]",
            answered(r#""r""#)
                .replace(r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#, call)
                .trim_matches(['[', ']'])
        )
    };
    broken(
        "cohere.v2",
        &[
            (
                &called(r#"{"id":"a","type":"function","function":{"name":"f","arguments":{}}}"#),
                &[("tool-call-arguments-not-a-string", "/1/tool_calls/0/function/arguments")],
            ),
            (
                &called(r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#),
                &[("unknown-field", "/1/tool_calls/0/index")],
            ),
            (
                &called(r#"{"id":"a","function":{"name":"f","arguments":"{}"}}"#),
                &[("foreign-block-shape", "/1/tool_calls/0")],
            ),
            (&answered("[]"), &[("empty-tool-result", "/2/content")]),
            (&answered(r#"[{"type":"document","document":{"data":7}}]"#), &[("unknown-block", "/2/content/0")]),
            (
                &answered(r#"[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]"#),
                &[("media-in-tool-result", "/2/content/0")],
            ),
            (
                r#"[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"b","content":"r"}]"#,
                &[("orphan-tool-result", "/1")],
            ),
            (&answered(r#""r","name":"f""#), &[("unknown-field", "/2/name")]),
            (
                &format!(r#"[{ASKED},{{"role":"user","content":"q"}}]"#),
                &[("tool-call-without-result", "/1/tool_calls/0")],
            ),
        ],
    );
}
