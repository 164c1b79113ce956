//! Blocks of Bedrock Converse that programs spell or place in another way than the service does.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

const MARK: &str = r#"{"cachePoint":{"type":"default"}}"#;
const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoKdHJhaWxlcjw8Pj4KJSVFT0YK";

/// A call, its result with these blocks, and these blocks of the user behind it.
fn answered(content: &str, behind: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"t","content":[{content}]}}}}{behind}]}}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{"type":"object"}}}}}}}}]}}}}"#
    )
}

#[test]
fn a_document_whose_bytes_stand_beside_their_type_is_one() {
    for (member, name) in [
        (r#""media_type":"application/pdf","data""#, "document"),
        (r#""format":"pdf","bytes""#, "document"),
        (r#""title":"a_b","media_type":"application/pdf","data""#, "a_b"),
    ] {
        let flat = format!(r#"{{"document":{{"type":"base64",{member}:"{PDF}"}}}}"#);
        let whole =
            [format!(r#""name":"{name}""#), r#""format":"pdf""#.to_owned(), format!(r#""source":{{"bytes":"{PDF}"}}"#)];
        let asked = format!(r#"{{"messages":[{{"role":"user","content":[{flat},{{"text":"q"}}]}}]}}"#);
        let picture = format!(r#",{{"image":{{"format":"png","source":{{"bytes":"{PICTURE}"}}}}}}"#);
        for request in [asked, answered(&format!("{flat}{picture}"), "")] {
            assert!(broken("bedrock", &request).contains(&"file-without-data"), "{request}");
            let (text, rules) = fixed("bedrock.converse", "bedrock", &request);
            assert!(whole.iter().all(|part| text.contains(part)) && !text.contains("left out"), "{text}");
            assert!(rules.contains(&"foreign-block-shape") && !rules.contains(&"file-without-data"), "{rules:?}");
            let canonical = fixed("bedrock.converse", "canonical", &request).0;
            assert!(fixed("canonical", "bedrock", &canonical).0.contains(&whole[2]), "{canonical}");
        }
    }
    // What has no bytes either is lost, and says so.
    let empty = r#"{"messages":[{"role":"user","content":[{"document":{"type":"base64","data":" "}},{"text":"q"}]}]}"#;
    assert_eq!(fixed("bedrock.converse", "bedrock", empty).1, ["file-without-data"]);
    // A type that the API does not know is not guessed.
    let odd = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"document":{{"media_type":"a/b","data":"{PDF}"}}}},{{"text":"q"}}]}}]}}"#
    );
    assert!(fixed("bedrock.converse", "bedrock", &odd).1.contains(&"file-type-missing"));
}

#[test]
fn a_cache_mark_right_behind_reasoning_goes() {
    let thought = r#"{"reasoningContent":{"reasoningText":{"text":"hm","signature":"EqQBCgIYAhIM"}}}"#;
    let sealed = r#"{"reasoningContent":{"redactedContent":"AAAA"}}"#;
    let said = r#"{"text":"a"}"#;
    let asked = |blocks: &[&str]| {
        let blocks = blocks.join(",");
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{blocks}]}},{{"role":"user","content":[{{"text":"on"}}]}}]}}"#
        )
    };
    for (blocks, left) in [
        (vec![thought, MARK, said], vec![thought, said]),
        (vec![said, thought, MARK], vec![said, thought]),
        (vec![sealed, MARK, said, MARK], vec![sealed, said, MARK]),
    ] {
        let request = asked(&blocks);
        for target in ["bedrock.converse", "bedrock"] {
            assert_eq!(broken(target, &request), ["cache-marker-misplaced"], "{request}");
            let (text, rules) = fixed("bedrock.converse", target, &request);
            assert_eq!((text, rules), (asked(&left), vec!["cache-marker-misplaced"]));
        }
        let canonical = fixed("bedrock.converse", "canonical", &request).0;
        assert_eq!(
            fixed("canonical", "bedrock", &canonical).0.matches("cachePoint").count(),
            left.join("").matches("cachePoint").count()
        );
    }
    let fine = asked(&[thought, said, MARK]);
    assert_eq!(fixed("bedrock.converse", "bedrock", &fine), (fine.clone(), vec![]));
}

#[test]
fn a_model_that_takes_no_words_beside_results_gets_a_turn_between_the_two() {
    let target = Target::by_name("bedrock").unwrap().with("words-beside-results", "refuse").unwrap();
    let judged = |request: &str| {
        let options = CheckOptions { target: &target, mode: Mode::Request, fragment: false, limits: Limits::default() };
        let found = check(request.as_bytes(), &options).unwrap().violations;
        found.into_iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    let together = answered(r#"{"text":"r"}"#, r#",{"text":"and tomorrow?"}"#);
    let apart = together.replace(r#"},{"text":"and"#, r#"}]},{"role":"user","content":[{"text":"and"#);
    assert_eq!(broken("bedrock", &together), [""; 0]);
    assert_eq!(judged(&together), ["user-after-tool-result"]);
    for request in [&together, &apart] {
        let options =
            Options { from: From::Dialect(Dialect::BedrockConverse), to: Some(&target), ..Options::default() };
        let done = fix(request.as_bytes(), &options).unwrap();
        let text = String::from_utf8(done.output.to_vec()).unwrap();
        assert_eq!(judged(&text), [""; 0], "{text}");
        assert!(text.contains("the user speaks next") && text.contains("and tomorrow?"), "{text}");
        assert_eq!(done.report.repairs.iter().map(|entry| entry.rule).collect::<Vec<_>>(), ["user-after-tool-result"]);
    }
    // A mark behind the result is none of the user's.
    assert_eq!(judged(&answered(r#"{"text":"r"}"#, &format!(",{MARK}"))), [""; 0]);
}
