//! The JSON layer: what it accepts, where it says that it stopped, and that it agrees with an independent parser.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use wirecanon_json::ErrorKind;
use wirecanon_json::{
    Json, Kind, Limits, PointerCursor, decode, has_lone_surrogate, mend_surrogates, parse_lines, quote, resolve, same,
};

fn parse(text: &str) -> Result<Json<'_>, wirecanon_json::Error> {
    Json::parse(text, &Limits::default())
}

#[test]
fn what_javascript_writes_is_accepted_and_kept() {
    let text =
        r#"{"n":[1e999,-0,1.0,1e2,123456789012345678901234567890],"a":1,"a":2,"s":"\ud83d","t":"\u0000\ud83d\ude00"}"#;
    let json = parse(text).unwrap();
    let root = json.root();
    let numbers: Vec<_> = root.get("n").unwrap().items().map(|item| item.raw().to_owned()).collect();
    assert_eq!(numbers, ["1e999", "-0", "1.0", "1e2", "123456789012345678901234567890"]);
    assert_eq!(root.get("a").unwrap().raw(), "2");
    assert_eq!(root.get("s").unwrap().as_str().unwrap(), "\u{FFFD}");
    assert_eq!(root.get("t").unwrap().as_str().unwrap(), "\0\u{1F600}");
    assert!(json.has_lone_surrogates());
    assert!(!parse(r#"["\ud83d\ude00"]"#).unwrap().has_lone_surrogates());
}

#[test]
fn errors_say_where() {
    for (text, kind, line, column) in [
        ("", ErrorKind::Empty, None, None),
        (" \n ", ErrorKind::Empty, None, None),
        ("[1,\n 2,,]", ErrorKind::NotJson, Some(2), Some(4)),
        ("{\"a\" 1}", ErrorKind::NotJson, Some(1), Some(6)),
        ("[\"é\u{1}\"]", ErrorKind::NotJson, Some(1), Some(4)),
        ("[01]", ErrorKind::NotJson, Some(1), Some(3)),
        ("[\"\\x\"]", ErrorKind::NotJson, Some(1), Some(3)),
        ("[1] 2", ErrorKind::NotJson, Some(1), Some(5)),
        ("[tru]", ErrorKind::NotJson, Some(1), Some(2)),
        ("{\"a\":[1,\"b", ErrorKind::Truncated, Some(1), Some(11)),
        ("[tr", ErrorKind::Truncated, Some(1), Some(4)),
        ("[\"\\ud8", ErrorKind::Truncated, Some(1), Some(7)),
    ] {
        let error = parse(text).unwrap_err();
        let at = error.position();
        assert_eq!(
            (error.kind(), at.map(|at| at.line), at.map(|at| at.column)),
            (kind, line, column),
            "{text:?}: {error}"
        );
    }
}

#[test]
fn depth_is_a_limit_and_not_a_stack() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse(&deep(16_384)).is_ok());
    assert_eq!(parse(&deep(16_385)).unwrap_err().kind(), ErrorKind::TooDeep);
    let million = deep(1_000_000);
    let json = Json::parse(&million, &Limits { max_depth: usize::MAX }).unwrap();
    assert!(same(json.root(), json.root()));
}

#[test]
fn lines_are_a_list_of_values() {
    let json = parse_lines("{\"a\":1}\n\n [2]\n", &Limits::default()).unwrap();
    assert_eq!(json.root().kind(), Kind::Array);
    let lines: Vec<_> = json.root().items().map(|line| line.raw().to_owned()).collect();
    assert_eq!(lines, ["{\"a\":1}", "[2]"]);
    assert_eq!(json.root().items().nth(1).unwrap().items().next().unwrap().pointer(), "/1/0");
    for (text, line) in [("{}\n{\"a\":\n1}\n", 3), ("{}\n{} {}\n", 2), ("{}\n{", 2)] {
        let error = parse_lines(text, &Limits::default()).unwrap_err();
        assert_eq!(error.position().unwrap().line, line, "{text:?}: {error}");
    }
}

#[test]
fn surrogates_are_found_and_mended_one_by_one() {
    for (text, mended) in [
        (r#""\ud83d""#, r#""\ufffd""#),
        (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ude00x\ud83d""#, r#""\ufffdx\ufffd""#),
        (r#""\\ud83d""#, r#""\\ud83d""#),
        (r#"{"\udc00":["\ud83d\ude00"]}"#, r#"{"\ufffd":["\ud83d\ude00"]}"#),
    ] {
        assert_eq!(mend_surrogates(text), mended);
        assert_eq!(has_lone_surrogate(text), text != mended, "{text}");
    }
}

/// As the defaults are, but seeds of failures are kept beside those of other crates.
fn config() -> ProptestConfig {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/json.txt");
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// Accepts what serde_json accepts, with the same meaning, apart from what is documented: lone surrogates, big
    /// exponents and depth.
    #[test]
    fn agrees_with_serde_json(text in r#"([\[\]{}:, \n]|"[a\\"/bu0-9é]{0,4}"|-?[0-9.eE+]{1,4}|true|false|null){0,12}"#) {
        match (parse(&text), serde_json::from_str::<serde_json::Value>(&text)) {
            (Ok(json), Ok(value)) => {
                let printed = value.to_string();
                let again = parse(&printed).unwrap();
                prop_assert!(same(json.root(), again.root()), "{text} is not {printed}");
            }
            (Err(_), Err(_)) => {}
            (Ok(json), Err(error)) => {
                let known = json.has_lone_surrogates() || error.to_string().contains("out of range");
                prop_assert!(known, "accepted {text:?}: {error}");
            }
            (Err(error), Ok(_)) => prop_assert!(false, "refused {text:?}: {error}"),
        }
    }

    /// A quoted string decodes to itself, and is what serde_json reads.
    #[test]
    fn quoting_comes_back(text in any::<String>()) {
        let quoted = quote(&text);
        prop_assert_eq!(&decode(&quoted[1..quoted.len() - 1]), &text);
        prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
    }

    /// Every value is found again by its pointer, in whatever order the pointers are asked for.
    #[test]
    fn pointers_lead_back(order in proptest::collection::vec(0_u32..18, 0..40)) {
        let json = parse(r#"{"a/b":[1,{"~":[]},[[2],3]],"c":{"d":{"":null}},"e":[true,"x"]}"#).unwrap();
        let mut cursor = PointerCursor::default();
        for index in order {
            let value = json.value(index);
            let pointer = cursor.pointer(value);
            prop_assert_eq!(&pointer, &value.pointer());
            let found = resolve(json.root(), &pointer).unwrap();
            // A key has the pointer of its object.
            prop_assert!(found.index() == value.index() || found.members().any(|(key, _)| key.index() == value.index()));
        }
    }
}
