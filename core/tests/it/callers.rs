//! Code that called a tool, which calls and results of Anthropic name.

use crate::told::{PICTURE, broken, fixed};

/// A request whose server call of code is `code`, and whose search and client call name the code `id`.
fn request(code: &str, id: &str) -> String {
    let caller = format!(r#""caller":{{"type":"code_execution_20260120","tool_id":"{id}"}}"#);
    format!(
        r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{code}{{"type":"server_tool_use","id":"srvtoolu_w1","name":"web_search","input":{{"query":"x"}},{caller}}},{{"type":"web_search_tool_result","tool_use_id":"srvtoolu_w1","content":[],{caller}}},{{"type":"text","text":"Nine."}},{{"type":"tool_use","id":"toolu_1","name":"row","input":{{"n":1}},{caller}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_1","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}}}]}}]}}]}}"#
    )
}

fn code(id: &str) -> String {
    format!(
        r#"{{"type":"server_tool_use","id":"{id}","name":"code_execution","input":{{"code":"1"}}}},{{"type":"code_execution_tool_result","tool_use_id":"{id}","content":{{"type":"code_execution_result","stdout":"1","stderr":"","return_code":0,"content":[]}}}},"#
    )
}

#[test]
fn a_caller_goes_with_the_code_that_is_left_out_and_follows_one_that_is_renamed() {
    let open = code("srvtoolu_ce1");
    let open = open.split(r#"{"type":"code_execution_tool_result"#).next().expect("the call");
    // A call of code that waits for a client's call is in the request.
    let waiting = request(open, "srvtoolu_ce1");
    assert_eq!(fixed("anthropic.messages", "anthropic", &waiting).0, waiting);
    let over = waiting.replace("]}]}", r#"]},{"role":"user","content":"and?"}]}"#).replace(r#"{"type":"text","text":"Nine."},{"type":"tool_use""#, r#"{"type":"text","text":"Nine."}]},{"role":"user","content":"go on"},{"role":"assistant","content":[{"type":"tool_use""#);
    let (text, _) = fixed("anthropic.messages", "anthropic", &over);
    assert!(!text.contains("srvtoolu_ce1") && text.contains("srvtoolu_w1") && text.contains("toolu_1"), "{text}");

    let (text, _) = fixed("anthropic.messages", "anthropic", &request(&code("srvtoolu_c-1"), "srvtoolu_c-1"));
    assert_eq!(text.matches("srvtoolu_c_1").count(), 5, "{text}");
}

#[test]
fn code_that_waits_for_a_call_needs_a_container() {
    let open = code("srvtoolu_ce1");
    let open = open.split(r#"{"type":"code_execution_tool_result"#).next().expect("the call");
    let request = request(open, "srvtoolu_ce1");
    let body = |members: &str| request.replacen('{', &format!("{{{members}"), 1);
    for whole in [body(r#""model":"m","max_tokens":9,"container":"c","#), body("")] {
        assert_eq!(broken("anthropic", &whole), Vec::<&str>::new());
        assert_eq!(fixed("anthropic.messages", "anthropic", &whole).0, whole);
    }
    for without in [body(r#""model":"m","max_tokens":9,"#), body(r#""model":"m","max_tokens":9,"container":null,"#)] {
        assert!(broken("anthropic", &without).contains(&"provider-item-without-partner"), "{without}");
        let (text, _) = fixed("anthropic.messages", "anthropic", &without);
        assert!(!text.contains("srvtoolu_ce1") && text.contains("toolu_1"), "{text}");
    }
}
