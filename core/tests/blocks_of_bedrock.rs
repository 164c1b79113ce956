//! Blocks of Bedrock Converse that programs spell or place in another way than the service does.

mod told;

use told::{PICTURE, broken, fixed};

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
        (r#""title":"a_b","media_type":"application/pdf","data""#, "a-b"),
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
