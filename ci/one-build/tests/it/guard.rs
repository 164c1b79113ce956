//! A mutant that is switched on does what the changed source does; with none on, the source does what it did.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use wirecanon_one_build::build::SWITCH;
use wirecanon_one_build::guard::guarded;
use wirecanon_one_build::mutant::Mutant;

const SOURCE: &str = r#"
#[derive(Clone, Debug)]
struct Point { x: i32, y: i32, z: i32 }
const ORIGIN: Point = Point { x: 0, y: 0, z: 0 };
const SIZE: usize = 2 + 1;
fn sum(numbers: &[i32]) -> i32 { let mut sum = 0; for n in numbers { sum += n; } sum }
fn precedence(a: i32, b: i32, c: i32) -> i32 { a - b * c }
fn once(said: &mut Vec<i32>, n: i32) -> i32 { said.push(n); n }
fn kind(n: i32) -> &'static str { match n { 0 => "none", n if n < 0 && n != -7 => "less", 1 | 2 => "few", _ => "many" } }
fn moved(y: i32) -> Point { Point { y, x: 7, ..ORIGIN.clone() } }
fn beside(n: Option<i32>, yes: bool) -> bool { if yes && let Some(n) = n && n == 4 { true } else { !yes || n.is_none() } }
fn early(n: Option<i32>) -> Option<i32> { let n = -n? + { if n == Some(9) { return None } 1 }; Some(n) }
fn counts() -> impl Iterator<Item = i32> { 0..3 }
fn first(n: Option<Result<i32, i32>>) -> i32 { match n { Some(n) if let Ok(2) = n => 5, other => { assert!(other.is_some() || n == None); 0 } } }
fn main() {
    let mut said = Vec::new();
    println!("{} {}", sum(&[4, 5, 6]), precedence(1, 2, 3));
    let long = once(&mut said, 2) + once(&mut said, 4) > 5 || said.len() > 2;
    println!("{long} {said:?} {:?}", [-7, -1, 0, 1, 3].map(kind));
    println!("{:?} {:?}", moved(5), [[0; SIZE].len(), counts().count()]);
    println!("{:?}", [(None, true), (Some(4), true), (Some(3), true), (Some(4), false)].map(|(n, yes)| beside(n, yes)));
    println!("{:?} {:?}", [Some(3), Some(9), None].map(early), [Some(Ok(2)), Some(Err(3)), None].map(first));
}
"#;

/// Genre, the line, what is changed (the marked part of it) and what stands there instead.
const CHANGES: [(&str, &str, &str); 22] = [
    ("FnValue", "sum(numbers: &[i32]) -> i32 { «let mut sum = 0; for n in numbers { sum += n; } sum» }", "1"),
    ("BinaryOperator", "sum «+=» n", "-="),
    ("BinaryOperator", "a «-» b", "+"),
    // Not `a - (b + c)`: the operators around bind otherwise.
    ("BinaryOperator", "b «*» c", "+"),
    ("BinaryOperator", "2) «+» once", "-"),
    ("BinaryOperator", "4) «>» 5", "=="),
    ("BinaryOperator", "5 «||» said", "&&"),
    ("MatchArm", "«0 => \"none\",»", ""),
    ("MatchArm", "«1 | 2 => \"few\",»", ""),
    ("MatchArmGuard", "n if «n < 0 && n != -7» =>", "true"),
    ("MatchArmGuard", "n if «n < 0 && n != -7» =>", "false"),
    ("BinaryOperator", "n «!=» -7", "=="),
    ("UnaryOperator", "n != «-»7", ""),
    ("StructField", "{ «y,» x", ""),
    ("StructField", "y, «x: 7,» ..", ""),
    ("BinaryOperator", "n «==» 4", "!="),
    ("UnaryOperator", "«!»yes", ""),
    ("UnaryOperator", "= «-»n?", ""),
    ("BinaryOperator", "? «+» {", "*"),
    ("BinaryOperator", "n «==» Some(9)", "!="),
    ("FnValue", "-> Option<i32> { «let n = -n? + { if n == Some(9) { return None } 1 }; Some(n)» }", "Some(0)"),
    ("MatchArmGuard", "if «let Ok(2) = n» =>", "false"),
];

/// What has no switch.
const LEFT: [(&str, &str, &str); 5] = [
    ("BinaryOperator", "2 «+» 1;", "-"),
    ("BinaryOperator", "yes «&&» let", "||"),
    ("BinaryOperator", "= n «&&» n", "||"),
    ("FnValue", "-> impl Iterator<Item = i32> { «0..3» }", "::std::iter::empty()"),
    ("MatchArmGuard", "if «let Ok(2) = n» =>", "true"),
];

fn mutants(changes: &[(&str, &str, &str)]) -> Vec<Mutant> {
    let place = |at: usize| {
        let before = &SOURCE[..at];
        json!({"line": before.split('\n').count(), "column": before.rsplit('\n').next().unwrap().chars().count() + 1})
    };
    let listed = changes.iter().map(|(genre, marked, replacement)| {
        let (before, rest) = marked.split_once('«').unwrap();
        let (what, after) = rest.split_once('»').unwrap();
        let text = [before, what, after].concat();
        assert_eq!(SOURCE.matches(&text).count(), 1, "{marked}");
        let start = SOURCE.find(&text).unwrap() + before.len();
        json!({
            "name": format!("main.rs:1:1: {marked}"), "file": "main.rs", "genre": genre, "replacement": replacement,
            "span": {"start": place(start), "end": place(start + what.len())},
        })
    });
    Mutant::read(json!(listed.collect::<Vec<_>>()).to_string().as_bytes()).unwrap()
}

/// What a program prints, with a mutant on.
fn printed(program: &Path, on: usize) -> String {
    let output = Command::new(program).env("WIRECANON_MUTANT", on.to_string()).output().unwrap();
    format!("{} {}", output.status, String::from_utf8_lossy(&output.stdout))
}

fn compiled(folder: &Path, name: &str, source: &str) -> std::path::PathBuf {
    let (file, program) = (folder.join(format!("{name}.rs")), folder.join(name));
    fs::write(&file, source).unwrap();
    let output = Command::new("rustc")
        .args(["--edition", "2024", "--cap-lints", "allow", "-o"])
        .args([&program, &file])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}\n{source}", String::from_utf8_lossy(&output.stderr));
    program
}

#[test]
fn a_mutant_that_is_on_does_what_the_changed_source_does() {
    let folder = tempfile::tempdir().unwrap();
    let mutants = mutants(&CHANGES);
    let (text, placed, _) = guarded(SOURCE, &mutants.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(placed.len(), mutants.len());
    fs::write(folder.path().join("mutant.rs"), SWITCH).unwrap();
    let one = compiled(folder.path(), "one", &format!("{text}\nmod mutant;\n"));
    let plain = printed(&compiled(folder.path(), "plain", SOURCE), 0);
    assert_eq!(printed(&one, 0), plain);
    for mutant in &mutants {
        let changed = printed(&compiled(folder.path(), "changed", &mutant.applied(SOURCE)), 0);
        assert_ne!(changed, plain, "{} changes nothing", mutant.name);
        assert_eq!(printed(&one, mutant.number), changed, "{}", mutant.name);
    }
}

#[test]
fn what_has_no_switch_leaves_the_source_as_it_is() {
    let mutants = mutants(&LEFT);
    let (text, placed, impossible) = guarded(SOURCE, &mutants.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!((text.as_str(), placed.len()), (SOURCE, 0));
    // `||` beside `let` is no Rust.
    assert_eq!(impossible, [2, 3]);
}

#[test]
fn what_is_the_same_twice_has_two_names() {
    let twice = mutants(&[CHANGES[1], CHANGES[2], CHANGES[1]]);
    let keys: Vec<_> = twice.iter().map(|mutant| mutant.key.as_str()).collect();
    assert_eq!(keys, ["main.rs: sum «+=» n", "main.rs: a «-» b", "main.rs: sum «+=» n #2"]);
}
