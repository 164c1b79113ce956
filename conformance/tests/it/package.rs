//! The corpus as a package, read by a program in another language that has nothing of ours.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::support::program::have;

/// Reads the package in Python with nothing but its standard library: every checksum, every case, and a judge that knows no
/// more than the package's own README.
const READER: &str = r##"
import base64, hashlib, json, pathlib, sys
root = pathlib.Path(sys.argv[1])
manifest = json.loads((root / "manifest.json").read_text("utf-8"))
sums = (root / "SHA256SUMS").read_bytes()
assert hashlib.sha256(sums).hexdigest() == manifest["sha256"], "the checksum of all"
listed = {}
for line in sums.decode().splitlines():
    digest, path = line.split("  ", 1)
    listed[path] = digest
    data = (root / path).read_bytes()
    assert hashlib.sha256(data).hexdigest() == digest, path
for entry in manifest["files"]:
    assert listed.pop(entry["path"]) == entry["sha256"] and (root / entry["path"]).stat().st_size == entry["bytes"]
assert not listed, listed
told = {report["source"] for report in json.loads((root / "reported.json").read_text("utf-8"))}
rules = {rule["id"] for rule in json.loads((root / "rules.json").read_text("utf-8"))}
targets = {target["id"] for target in json.loads((root / "targets.json").read_text("utf-8"))}
schema = json.loads((root / "schema/case.json").read_text("utf-8"))

def strings(value, depth=0):
    if isinstance(value, str):
        yield value
        if depth < 2 and value[:1] in "{[\"":
            try:
                yield from strings(json.loads(value), depth + 1)
            except ValueError:
                pass
    elif isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings(member, depth)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, depth)
    elif value is not None and not isinstance(value, bool):
        yield str(value)

cases = outcomes = identities = 0
for path in sorted(root.glob("cases/*/*.json")):
    case = json.loads(path.read_text("utf-8"))
    assert path.stem == case["id"] and path.parent.name == case["class"]
    assert set(case) <= set(schema["properties"]) and set(schema["required"]) <= set(case), path
    reports = {source for source in case["source"] if "#" in source and " " not in source}
    assert reports <= told, (path, reports - told)
    data = case["input_text"].encode("utf-8", "surrogatepass") if "input_text" in case else base64.b64decode(case["input_base64"])
    assert data
    expect = case["expect"]
    pinned = [expect["canonical"]] if "canonical" in expect else []
    for name, wanted in expect.get("targets", {}).items():
        assert name in targets, name
        pinned += [wanted["output"]] if "output" in wanted else []
    for repair in expect.get("repairs", []):
        assert repair["rule"] in rules, repair
    if "canonical" in expect:
        said = list(strings(expect["canonical"]))
        for word in expect["must_keep"]:
            assert any(word in text for text in said), (case["id"], word)
    outcomes += len(pinned)
    if "identity" in case["tags"]:
        identities += 1
        json.loads(case["input_text"])
    cases += 1
assert cases == manifest["cases"] == sum(manifest["classes"].values()), cases
print(cases, outcomes, identities)
"##;

fn export(to: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["list", "cases", "--export"])
        .arg(to)
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

fn read_by_python(package: &Path) -> (bool, String) {
    let output = Command::new("python3").arg("-c").arg(READER).arg(package).output().expect("python3");
    (
        output.status.success(),
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
    )
}

#[test]
fn a_program_in_another_language_reads_the_package() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("corpus");
    let (code, out, err) = export(&package);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("sha256 "), "{out}");
    if !have("python3", "python") {
        return;
    }
    let (fine, said) = read_by_python(&package);
    assert!(fine, "{said}");
    let counts: Vec<usize> = said.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    assert!(counts.len() == 3 && counts[0] > 400 && counts[1] > 400 && counts[2] > 100, "{said}");
    // The reader can say no.
    let case = package.join("cases/pairing/call-without-result.json");
    let text = fs::read_to_string(&case).expect("a case").replace("since", "sincf");
    fs::write(&case, text).expect("the case");
    let (fine, said) = read_by_python(&package);
    assert!(!fine && said.contains("call-without-result.json"), "{said}");
}

#[test]
fn the_archive_holds_what_the_folder_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, again) = (folder.path().join("one.tar.gz"), folder.path().join("two.tar.gz"));
    let package = folder.path().join("corpus");
    let sums: Vec<String> = [&archive, &again, &package]
        .map(|to| {
            let (code, out, err) = export(to);
            assert_eq!((code, err.as_str()), (0, ""), "{out}");
            out.lines().last().expect("a checksum").to_owned()
        })
        .into();
    assert!(sums.iter().all(|sum| *sum == sums[0] && sum.len() == "sha256 ".len() + 64), "{sums:?}");
    let bytes = fs::read(&archive).expect("the archive");
    assert_eq!(bytes, fs::read(&again).expect("the archive"));
    let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    let unpacked = folder.path().join("unpacked");
    tar.unpack(&unpacked).expect("a sound archive");
    let root = unpacked.join(format!("wirecanon-corpus-{}", env!("CARGO_PKG_VERSION")));
    assert_eq!(files(&root, &root), files(&package, &package));
}

/// Paths and bytes below a folder.
fn files(root: &Path, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(root, &path));
        } else {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            found.push((name, fs::read(&path).expect("its bytes")));
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_no_export_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let thesis = folder.path().join("thesis.txt");
    fs::write(&thesis, "years of work").expect("a file");
    let (code, out, err) = export(folder.path());
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("not empty"), "{err}");
    assert_eq!(fs::read(&thesis).expect("the file"), b"years of work");
}
