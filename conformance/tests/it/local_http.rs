//! The local page over plain HTTP: who may ask, what is answered, and that it says what the command line says.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wirecanon::corpus;

use crate::support::local::Server;
use crate::support::running::{self, run_in};

const SESSION: &str = r#"{"messages":[{"role":"user","content":"go, hunter2"},{"role":"assistant","content":null,"tool_calls":[{"id":"zz_call_one","type":"function","function":{"name":"look","arguments":{"n":9007199254740993}}}]},{"role":"tool","tool_call_id":"zz_call_two","content":"xylophone"}]}"#;

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name).display().to_string()
}

fn start(args: &[&str]) -> (tempfile::TempDir, Server) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), args);
    (folder, server)
}

#[test]
fn every_page_is_there_with_what_holds_it() {
    let (head, base) = (fixture("head.ndjson"), fixture("base.ndjson"));
    let (folder, server) = start(&[&head, &base]);
    let id = corpus::load().expect("the corpus")[0].id.clone();
    for (path, words) in [
        ("/", "What is wrong with a session".to_owned()),
        ("/?case=x", "What is wrong with a session".to_owned()),
        ("/corpus", id.clone()),
        (&format!("/corpus/{id}"), "What must come out".to_owned()),
        ("/corpus?q=%3Cb%3E%22&class=pairing", "&#60;b&#62;&#34;".to_owned()),
        ("/runs", "head.ndjson".to_owned()),
        ("/runs/1", "Where it fails".to_owned()),
        ("/runs/1?base=2&redact=1", "Since base.ndjson".to_owned()),
    ] {
        let said = server.get(path);
        assert_eq!(said.status, 200, "{path}: {}", said.text());
        assert!(said.text().contains(&words), "{path} does not say {words}");
        assert_eq!(said.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert_eq!(said.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(said.header("cache-control"), Some("no-store"), "{path}");
        let policy = said.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"), "{policy}");
        if !path.starts_with("/runs/") {
            let text = said.text();
            for inline in ["<style", " style=", " onclick", " onload", "javascript:", "<script>"] {
                assert!(!text.contains(inline), "{path} has {inline}");
            }
        }
        let short = server.ask("HEAD", path, &[], b"");
        assert_eq!((short.status, short.body.len()), (200, 0), "{path}");
        assert_eq!(short.header("content-length"), Some(said.body.len().to_string().as_str()), "{path}");
    }
    let page = server.get("/").text();
    let files: Vec<&str> = page.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(files.len(), 8, "{files:?}");
    for file in files {
        let said = server.get(&format!("/assets/{file}"));
        assert!(said.status == 200 && said.body.len() > 100, "{file}");
    }
    let about = server.get("/api/about").json();
    assert_eq!((&about["limit"], about["runs"].as_array().map(Vec::len)), (&json!(64 << 20), Some(2)));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "a file was written");
}

#[test]
fn nothing_else_is_there() {
    let (_folder, server) = start(&[&fixture("head.ndjson")]);
    for path in [
        "/index.html",
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/",
        "/assets/../page.css",
        "/assets/%2e%2e%2fpage.css",
        "/assets/page.css/",
        "/assets/page.css%00",
        "/runs/0",
        "/runs/2",
        "/runs/-1",
        "/runs/+1x",
        "/runs/99999999999999999999",
        "/runs/1/..",
        "/runs/../runs/1",
        "/runs/1?base=7",
        "/runs//etc/passwd",
        "/corpus/",
        "/corpus/no-such-case",
        "/corpus/../corpus",
    ] {
        let said = server.get(path);
        assert_eq!(said.status, 404, "{path}: {}", said.text());
        assert!(said.text().contains("There is nothing at this address") && !said.text().contains("root:"), "{path}");
    }
    for path in ["/api/", "/api/no", "/api/cases/no", "/api/cases/../about", "/api/cases/no/input"] {
        let said = server.get(path);
        assert_eq!((said.status, &said.json()["error"]["kind"]), (404, &json!("not-found")), "{path}");
    }
    for (method, path, allow) in [
        ("PUT", "/", "GET, HEAD, POST"),
        ("DELETE", "/runs/1", "GET, HEAD, POST"),
        ("OPTIONS", "/api/fix", "GET, HEAD, POST"),
        ("TRACE", "/", "GET, HEAD, POST"),
        ("BREW", "/", "GET, HEAD, POST"),
        ("GET", "/api/fix", "POST"),
        ("HEAD", "/api/check", "POST"),
        ("POST", "/", "GET, HEAD"),
        ("POST", "/corpus", "GET, HEAD"),
    ] {
        let said = server.ask(method, path, &[("Content-Type", "application/json")], b"");
        assert_eq!((said.status, said.header("allow")), (405, Some(allow)), "{method} {path}");
    }
}

#[test]
fn only_pages_of_this_place_may_ask() {
    let (_folder, server) = start(&[]);
    let here = format!("127.0.0.1:{}", server.port);
    let elsewhere = format!("evil.example:{}", server.port);
    for host in [elsewhere.as_str(), "evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"] {
        for path in ["/", "/api/about", "/assets/make.js", "/corpus"] {
            let said = server.ask("GET", path, &[("Host", host)], b"");
            assert_eq!(said.status, 403, "{host} {path}");
            assert!(said.text().contains(&format!("http://127.0.0.1:{}/", server.port)), "{}", said.text());
        }
    }
    for host in [format!("localhost:{}", server.port), format!("[::1]:{}", server.port), here.clone()] {
        assert_eq!(server.ask("GET", "/", &[("Host", host.as_str())], b"").status, 200, "{host}");
    }
    assert_eq!(server.raw(&[b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"]).status, 400);
    assert_eq!(server.raw(&[b"GET / HTTP/1.0\r\n\r\n"]).status, 400);
    let twice = format!("GET / HTTP/1.1\r\nHost: {here}\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(server.raw(&[twice.as_bytes()]).status, 400);
    let json = ("Content-Type", "application/json");
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let said = server.ask("POST", "/api/fix", &[json, ("Origin", origin)], SESSION.as_bytes());
        assert_eq!((said.status, &said.json()["error"]["kind"]), (403, &json!("wrong-origin")), "{origin}");
        assert!(said.header("access-control-allow-origin").is_none());
    }
    let own = format!("http://{here}");
    assert_eq!(server.ask("POST", "/api/fix", &[json, ("Origin", &own)], SESSION.as_bytes()).status, 200);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"] {
        let said = server.ask("POST", "/api/fix", &[("Content-Type", kind)], SESSION.as_bytes());
        assert_eq!(said.status, 415, "{kind}");
    }
    let cross = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "script")];
    assert_eq!(server.ask("GET", "/assets/make.js", &cross, b"").status, 403);
}

#[test]
fn a_body_has_a_limit_and_the_server_lives_on() {
    let (_folder, server) = start(&["--limit", "1"]);
    let large = vec![b' '; 3 << 20];
    let said = server.post("/api/fix", &large);
    assert_eq!((said.status, &said.json()["error"]["kind"]), (413, &json!("too-large")));
    let message = said.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(message.contains("1 MiB") && message.contains("--limit"), "{message}");
    // Whoever asks before it sends need not send.
    let head = format!(
        "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n",
        server.port
    );
    assert_eq!(server.raw(&[head.as_bytes()]).status, 413);
    // Of unknown length.
    let head = format!(
        "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.port
    );
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 19, " ".repeat(1 << 19));
    let chunks =
        [head.as_bytes(), chunk.as_bytes(), chunk.as_bytes(), chunk.as_bytes(), chunk.as_bytes(), b"0\r\n\r\n"];
    assert_eq!(server.raw(&chunks).status, 413);
    let whole = format!("{SESSION}{}", " ".repeat((1 << 20) - SESSION.len()));
    assert_eq!(server.post("/api/fix", whole.as_bytes()).status, 200, "exactly as much as is taken");
    // What is no HTTP.
    for wrong in [&b"nonsense\r\n\r\n"[..], b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"] {
        assert_eq!(server.raw(&[wrong]).status, 400);
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", "a".repeat(200_000), server.port);
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    // It may be closed before all is sent.
    let _ = std::io::Write::write_all(&mut stream, long.as_bytes());
    assert_eq!(server.get("/api/about").status, 200);
}

/// The head says that the body is too large: there is nothing to wait for.
#[test]
fn a_length_above_the_limit_is_refused_at_once() {
    use std::io::{Read, Write};
    use std::time::{Duration, Instant};
    let (_folder, server) = start(&["--limit", "1"]);
    for length in ["1048577", "70000000", "999999999999"] {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
        let head =
            format!("POST /api/fix HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n", server.port);
        let clock = Instant::now();
        write!(stream, "{head}Content-Length: {length}\r\n\r\n{{").expect("a head");
        let mut start = [0; 13];
        stream.read_exact(&mut start).expect("an answer");
        assert_eq!(String::from_utf8_lossy(&start), "HTTP/1.1 413 ", "{length}");
        assert!(clock.elapsed() < Duration::from_secs(5), "{length}: {:?}", clock.elapsed());
        // Whoever sends nothing more does not keep the connection.
        stream.read_to_end(&mut Vec::new()).expect("an end, not a wait");
        assert!(clock.elapsed() < Duration::from_secs(10), "{length}: {:?}", clock.elapsed());
    }
}

#[test]
fn it_says_what_the_command_line_says() {
    let (folder, server) = start(&[]);
    let mut texts: Vec<Vec<u8>> =
        corpus::load().expect("the corpus").into_iter().step_by(61).map(|case| case.input).collect();
    texts.push(SESSION.as_bytes().to_vec());
    texts.push(format!("{SESSION}\n\n{SESSION}\n").into_bytes());
    texts.push(
        b"{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"b\"}\n"
            .to_vec(),
    );
    texts.push(b"\xef\xbb\xbf{\"messages\":[{\"role\":\"user\",\"content\":\"\xff \xc3\xb6\"}]}".to_vec());
    let (mut judged, mut mended) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let name = format!("{at}.json");
        fs::write(folder.path().join(&name), text).expect("a file");
        let command = run_in(folder.path(), &["check", "--format", "json", &name]);
        let said = server.post("/api/check", text);
        if command.code == 2 {
            assert_eq!(said.status, 422, "{}: {}", command.err, said.text());
            let message = said.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
            assert!(command.err.contains(&message), "{}: {message}", command.err);
        } else {
            judged += 1;
            let lines: Vec<Value> = command.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            let told = said.json();
            let sessions = told["texts"].as_array().expect("texts");
            assert_eq!(lines.len(), sessions.len());
            for (mut line, session) in lines.into_iter().zip(sessions) {
                let mut session = session.clone();
                let members = session.as_object_mut().expect("an object");
                line.as_object_mut().expect("an object").remove("file");
                if let Some(number) = members.remove("session") {
                    members.insert("line".to_owned(), number);
                }
                for violation in members["violations"].as_array_mut().expect("a list") {
                    assert!(violation.as_object_mut().expect("an object").remove("range").is_some());
                }
                // The page marks what it shows, in which such bytes do not stand; the command line says where they are.
                for told in [&mut line, &mut session] {
                    for found in told["violations"].as_array_mut().expect("a list") {
                        if found["rule"] == "invalid-utf-8" {
                            found.as_object_mut().expect("an object").retain(|key, _| key != "line" && key != "column");
                        }
                    }
                }
                assert_eq!(line, session);
            }
        }
        for (to, mode) in [("anthropic", "request"), ("canonical", "history")] {
            let args = ["fix", "--to", to, "--for", mode, "--report", "report", &name];
            let command = run_in(folder.path(), &args);
            let said = server.post(&format!("/api/fix?to={to}&for={mode}"), text);
            let bytes = server.post(&format!("/api/fix?as=bytes&to={to}&for={mode}"), text);
            if command.code == 2 {
                assert_eq!((said.status, bytes.status), (422, 422), "{}", said.text());
                continue;
            }
            mended += 1;
            let told = said.json();
            assert_eq!(told["output"].as_str(), Some(command.out.as_str()), "{name}");
            assert_eq!(bytes.text(), command.out, "{name}");
            assert_eq!(bytes.header("content-type"), Some("application/octet-stream"));
            let report: Value =
                serde_json::from_slice(&fs::read(folder.path().join("report")).expect("a report")).expect("JSON");
            match report["sessions"].as_array() {
                Some(sessions) => {
                    for (session, text) in sessions.iter().zip(told["texts"].as_array().expect("texts")) {
                        assert_eq!((&session["report"], &session["line"]), (&text["report"], &text["session"]));
                    }
                }
                None => assert_eq!(report, told["texts"][0]["report"], "{name}"),
            }
        }
    }
    assert!(judged > 10 && mended > 20, "{judged}, {mended}");
}

#[test]
fn places_are_where_the_fault_is() {
    let (_folder, server) = start(&[]);
    let text = format!("{{\"x\":\"ö🙂\",\n{}", &SESSION[1..]);
    let units: Vec<u16> = text.encode_utf16().collect();
    let at = |range: &Value| {
        let [begin, end] = [0, 1].map(|side| usize::try_from(range[side].as_u64().expect("a place")).expect("small"));
        String::from_utf16(&units[begin..end]).expect("whole characters")
    };
    let told = server.post("/api/check?to=openai", text.as_bytes()).json();
    let violations = told["texts"][0]["violations"].as_array().expect("a list");
    let orphan = violations.iter().find(|one| one["rule"] == "orphan-tool-result").expect("one");
    assert_eq!(at(&orphan["range"]), r#"{"role":"tool","tool_call_id":"zz_call_two","content":"xylophone"}"#);
    assert_eq!(orphan["line"], 2);
    assert!(told["rules"]["orphan-tool-result"]["citations"][0].is_array(), "{told}");
    let told = server.post("/api/fix", text.as_bytes()).json();
    let places = told["texts"][0]["places"]["repairs"].as_array().expect("a list");
    let repairs = told["texts"][0]["report"]["repairs"].as_array().expect("a list");
    assert_eq!(places.len(), repairs.len());
    let number = repairs.iter().position(|one| one["rule"] == "tool-call-arguments-not-a-string");
    let number = number.unwrap_or_else(|| panic!("{repairs:?}"));
    let call = at(&places[number]["in"]["range"]);
    assert!(call.starts_with(r#"{"id":"zz_call_one""#) && call.ends_with(r#"{"n":9007199254740993}}}"#), "{call}");
    let output: Vec<u16> = told["output"].as_str().expect("a text").encode_utf16().collect();
    let range = &places[number]["out"]["range"];
    let [begin, end] = [0, 1].map(|side| usize::try_from(range[side].as_u64().expect("a place")).expect("small"));
    let mended = String::from_utf16(&output[begin..end]).expect("whole characters");
    assert!(mended.contains(r#""{\"n\":9007199254740993}""#), "{mended}");
    let diff = told["texts"][0]["diff"]["text"].as_str().expect("a diff");
    assert!(diff.lines().any(|line| line.starts_with('-')) && diff.lines().any(|line| line.starts_with('+')), "{diff}");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let (_folder, server) = start(&[]);
    let deep = format!("{{\"messages\":{}{}}}", "[".repeat(40_000), "]".repeat(40_000));
    let lone = r#"{"messages":[{"role":"user","content":"a\ud83d b"}]}"#;
    for (body, kind, line, column) in [
        (&b"{\"messages\":[\n  {\"role\": nope}\n]}"[..], "not-json", Some(2), Some(12)),
        (b"", "empty", None, None),
        (b" \n", "empty", None, None),
        (b"{\"messages\":[{\"role\":", "truncated", Some(1), Some(22)),
        (deep.as_bytes(), "too-deep", Some(1), None),
        (b"17", "not-a-transcript", None, None),
        (b"\xff\xfe\x00", "not-json", Some(1), Some(1)),
    ] {
        for path in ["/api/check", "/api/fix"] {
            let said = server.post(path, body);
            let error = &said.json()["error"];
            assert_eq!((said.status, &error["kind"]), (422, &json!(kind)), "{path}: {}", said.text());
            assert!(error["message"].as_str().is_some_and(|words| words.len() > 10), "{error}");
            if let Some(line) = line {
                assert_eq!(error["line"], line, "{error}");
                assert!(error["range"].is_array(), "{error}");
            }
            if let Some(column) = column {
                assert_eq!(error["column"], column, "{error}");
            }
        }
    }
    let said = server.post("/api/fix", lone.as_bytes());
    assert_eq!(said.status, 200, "{}", said.text());
    assert!(said.text().contains("lone-surrogate"), "{}", said.text());
    for (query, words) in [
        ("from=openai.chatt", "did you mean `openai.chat`?"),
        ("from=klingon", "there are: auto, canonical"),
        ("to=anthropicc", "did you mean `anthropic"),
        ("for=ever", "request or history"),
        ("form=openai.chat", "there is no field `form`"),
        ("as=pdf", "json or bytes"),
    ] {
        let said = server.post(&format!("/api/fix?{query}"), SESSION.as_bytes());
        assert_eq!((said.status, &said.json()["error"]["kind"]), (400, &json!("usage")), "{query}: {}", said.text());
        assert!(said.text().contains(words), "{query}: {}", said.text());
    }
    let result = br#"{"content":[{"type":"text","text":"seen"}]}"#;
    let said = server.post("/api/fix?from=mcp.tool-result&to=openai", result);
    assert_eq!((said.status, &said.json()["error"]["kind"]), (422, &json!("needs-call-id")), "{}", said.text());
    let said = server.post("/api/fix?from=mcp.tool-result&to=openai&call_id=call_7", result);
    assert!(said.status == 200 && said.json()["output"].as_str().is_some_and(|text| text.contains("call_7")));
}

#[test]
fn redacted_it_says_nothing_of_what_was_said() {
    let (_folder, server) = start(&[]);
    let lines = format!("{SESSION}\n{SESSION}\n");
    for body in [SESSION, &lines, "{\"messages\": [\"hunter2\", nope", "{\"hunter2\": 1}"] {
        for path in ["/api/check?redact=1", "/api/fix?redact=1", "/api/fix?redact=1&as=bytes"] {
            let said = server.post(path, body.as_bytes());
            for secret in ["hunter2", "zz_call_one", "9007199254740993", "xylophone"] {
                assert!(!said.text().contains(secret), "{path} says {secret}: {}", said.text());
            }
        }
    }
    let told = server.post("/api/fix?redact=1", SESSION.as_bytes()).json();
    let source = told["source"].as_str().expect("the redacted source");
    assert_eq!(source.chars().count(), SESSION.chars().count());
    let range = &told["texts"][0]["places"]["repairs"][0]["in"]["range"];
    let begin = usize::try_from(range[0].as_u64().expect("a place")).expect("small");
    assert!(source[begin..].starts_with('{'), "{source}");
}

#[test]
fn many_at_once_are_all_answered() {
    let (_folder, server) = start(&[]);
    std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..24)
            .map(|at| {
                let server = &server;
                scope.spawn(move || match at % 3 {
                    0 => server.get("/corpus").status,
                    1 => server.post("/api/fix?to=anthropic", SESSION.as_bytes()).status,
                    _ => server.post("/api/check", b"nope").status - 222,
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.join().expect("an answer"), 200);
        }
    });
}

#[test]
fn it_starts_and_ends_cleanly() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("no.ndjson"), "{}\n").expect("a file");
    for (args, code, words) in [
        (&["serve", "none.ndjson"][..], 2, "there is no such file"),
        (&["serve", "no.ndjson"], 2, "no.ndjson: "),
        (&["serve", "--corpus", "none"], 2, "none"),
        (&["serve", "--port", "70000"], 2, "70000"),
        (&["serve", "--limit", "0"], 2, "0"),
    ] {
        let said = run_in(at, args);
        assert!(said.code == code && said.err.contains(words) && said.out.is_empty(), "{args:?}: {}", said.err);
    }
    let first = Server::start(at, &[]);
    let said = run_in(at, &["serve", "--port", &first.port.to_string()]);
    assert_eq!((said.code, said.out.as_str()), (5, ""));
    let words = format!("port {} is in use", first.port);
    assert!(said.err.contains(&words) && said.err.contains("--port 0"), "{}", said.err);
    // A browser is what `xdg-open` says it is.
    let bin = at.join("bin");
    fs::create_dir(&bin).expect("a folder");
    let opened = at.join("opened");
    fs::write(bin.join("xdg-open"), format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display())).expect("a script");
    let mode = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    fs::set_permissions(bin.join("xdg-open"), mode).expect("it runs");
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::TERM] {
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
            .args(["serve", "--port", "0", "--open"])
            .current_dir(at)
            .env("PATH", path)
            .env_remove("BROWSER")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        std::io::BufRead::read_line(&mut out, &mut line).expect("an address");
        let url = line.trim().to_owned();
        let begun = Instant::now();
        while cfg!(target_os = "linux") && fs::read_to_string(&opened).unwrap_or_default().trim() != url {
            assert!(begun.elapsed() < Duration::from_mins(1), "no browser was opened");
            std::thread::sleep(Duration::from_millis(20));
        }
        // A connection that says nothing does not keep it.
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let _silent = std::net::TcpStream::connect(address).expect("a connection");
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, signal).expect("it is sent");
        let output = child.wait_with_output().expect("an end");
        let said = running::said(&output);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.err.contains(&format!("wirecanon is at {url}")) && said.err.contains("Ctrl-C"), "{}", said.err);
    }
}
