//! Trees of the sources, and what cargo makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde_json::Value;

use crate::guard::{self, Placed};
use crate::mutant::Mutant;

/// Says which mutant is on.
pub const SWITCH: &str = "//! Which mutant is on.
static ON: std::sync::LazyLock<usize> = std::sync::LazyLock::new(|| {
    std::env::var(\"WIRECANON_MUTANT\").ok().and_then(|on| on.parse().ok()).unwrap_or(0)
});

#[inline]
pub(crate) fn on(mutant: usize) -> bool {
    *ON == mutant
}
";
/// The packages that are mutated, and their sources.
pub const MUTATED: [(&str, &str); 5] = [
    ("wirecanon-json", "core/json/src"),
    ("wirecanon-model", "core/model/src"),
    ("wirecanon-check", "core/check/src"),
    ("wirecanon-convert", "core/convert/src"),
    ("wirecanon-invariants", "core/invariants/src"),
];

/// Lints would refuse what some mutants compute.
const ALLOWED: &str = "#![allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]\n";

/// A package, the test programs that cargo is asked for, and which of their tests run.
pub type Package = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Those whose tests are asked, what is quick and catches much before what takes long: of core everything but the properties,
/// and then these.
pub const PROGRAMS: [Package; 6] = [
    ("wirecanon-json", &["--lib", "--test=it"], &[]),
    ("wirecanon-check", &["--lib"], &[]),
    ("wirecanon-convert", &["--lib"], &[]),
    ("wirecanon-core", &["--test=it"], &["--skip=properties::"]),
    ("wirecanon", &["--test=it"], &["spec::", "reference::", "identity::"]),
    ("wirecanon-core", &["--test=it"], &["properties::"]),
];

/// A test program, which of its tests run, and the folder in which it runs.
pub struct Program {
    /// Of the program and its tests: no other has it
    pub name: String,
    pub file: PathBuf,
    pub tests: &'static [&'static str],
    pub folder: PathBuf,
}

/// A tree of all sources, with another core.
pub struct Tree {
    /// The last commit, unchanged
    pub commit: PathBuf,
    /// Where this one stands
    pub root: PathBuf,
    /// What cargo makes
    pub target: PathBuf,
    /// Whether it is built again and again with little changed
    pub again: bool,
}

/// The files below a folder. What a symbolic link names stands elsewhere, and is one of them if it is committed.
fn files(folder: &Path, below: &Path, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            files(folder, &path, found)?;
        } else if kind.is_file() {
            found.insert(path);
        }
    }
    Ok(())
}

impl Tree {
    /// Writes the tree: what is changed as it is given, all else as it was committed. A file that is the same keeps its time, so
    /// that cargo builds nothing anew for it.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub fn write(&self, changed: &BTreeMap<PathBuf, String>) -> io::Result<()> {
        let (mut wanted, mut there) = (BTreeSet::new(), BTreeSet::new());
        files(&self.commit, Path::new(""), &mut wanted)?;
        fs::create_dir_all(&self.root)?;
        files(&self.root, Path::new(""), &mut there)?;
        wanted.extend(changed.keys().cloned());
        for gone in there.difference(&wanted) {
            fs::remove_file(self.root.join(gone))?;
        }
        for path in &wanted {
            let (file, committed) = (self.root.join(path), self.commit.join(path));
            let bytes = changed.get(path).map_or_else(|| fs::read(&committed), |text| Ok(text.clone().into_bytes()))?;
            if !fs::read(&file).is_ok_and(|old| old == bytes) {
                fs::create_dir_all(file.parent().unwrap_or(&self.root))?;
                fs::write(&file, bytes)?;
                if committed.exists() {
                    fs::set_permissions(&file, fs::metadata(&committed)?.permissions())?;
                }
            }
        }
        Ok(())
    }

    /// What cargo says of a command, as JSON, and whether it went well.
    fn cargo(&self, arguments: &[&str]) -> io::Result<(Vec<Value>, bool)> {
        let output = Command::new("cargo")
            .args(arguments)
            .arg("--message-format=json")
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .envs([
                ("CARGO_PROFILE_DEV_DEBUG", "0"),
                ("CARGO_PROFILE_TEST_DEBUG", "0"),
                ("CARGO_INCREMENTAL", if self.again { "1" } else { "0" }),
            ])
            .stderr(Stdio::inherit())
            .output()?;
        let lines = output.stdout.split(|byte| *byte == b'\n');
        Ok((lines.filter_map(|line| serde_json::from_slice(line).ok()).collect(), output.status.success()))
    }

    /// The test programs of a package, or none if core does not compile.
    ///
    /// # Errors
    ///
    /// Cargo cannot be started.
    pub fn programs(&self, (package, programs, tests): Package) -> io::Result<Option<Vec<Program>>> {
        let (messages, built) =
            self.cargo(&[&["test", "--quiet", "--no-run", "--package", package], programs].concat())?;
        let found = messages.iter().filter(|message| message["profile"]["test"] == true).filter_map(|message| {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
            Some(Program {
                name: format!("{package} {} {}", message["target"]["name"].as_str()?, tests.join(" ")),
                file: text(&message["executable"])?.into(),
                tests,
                folder,
            })
        });
        let mut found: Vec<Program> = found.collect();
        // The unit tests come behind the integration tests, which catch more in less time.
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(built.then_some(found))
    }

    /// Writes the tree with all these mutants but those that do not compile there, and says which those are: behind a switch,
    /// each is refused for its own text (true) or together with others (false). Some may be known from an earlier run.
    ///
    /// # Errors
    ///
    /// The mutants are not what does not compile.
    pub fn guard(
        &self,
        mutants: &[Mutant],
        mut left: BTreeMap<usize, bool>,
    ) -> Result<BTreeMap<usize, bool>, Box<dyn std::error::Error>> {
        loop {
            let mut sources: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
            for mutant in mutants.iter().filter(|mutant| !left.contains_key(&mutant.number)) {
                sources.entry(&mutant.file).or_default().push(mutant);
            }
            let switch = |(_, sources)| (Path::new(sources).join("mutant.rs"), SWITCH.to_owned());
            let mut changed: BTreeMap<_, _> = MUTATED.map(switch).into();
            let mut places: BTreeMap<&str, Vec<Placed>> = BTreeMap::new();
            for (file, mutants) in sources {
                let (text, placed, impossible) =
                    guard::guarded(&fs::read_to_string(self.commit.join(file))?, &mutants)?;
                for mutant in mutants {
                    if !placed.iter().any(|place| place.mutant == mutant.number) {
                        left.insert(mutant.number, impossible.contains(&mutant.number));
                    }
                }
                changed.insert(file.into(), text);
                places.insert(file, placed);
            }
            for (_, sources) in MUTATED {
                let top = Path::new(sources).join("lib.rs");
                let text = changed.remove(&top).map_or_else(|| fs::read_to_string(self.commit.join(&top)), Ok)?;
                changed.insert(top, format!("{ALLOWED}{text}\nmod mutant;\n"));
            }
            self.write(&changed)?;
            let (messages, built) = self.cargo(&["check", "--quiet", "--package", "wirecanon-core"])?;
            if built {
                return Ok(left);
            }
            let before = left.len();
            for message in messages.iter().filter(|message| message["message"]["level"] == "error") {
                for (mutant, own) in blamed(&message["message"], &places) {
                    left.entry(mutant).or_insert(own);
                }
            }
            eprintln!("one-build: {} mutants are left out, as they do not compile behind a switch", left.len());
            if left.len() == before {
                let first = messages.iter().find_map(|message| message["message"]["rendered"].as_str());
                return Err(format!("what does not compile is no mutant: {}", first.unwrap_or("?")).into());
            }
        }
    }
}

/// The mutants that an error of the compiler is about: the innermost in whose own text it stands (true), or if there is none,
/// all from the first of its places to the last (false).
fn blamed(error: &Value, places: &BTreeMap<&str, Vec<Placed>>) -> BTreeMap<usize, bool> {
    let mut around = BTreeMap::new();
    let mut spans: Vec<&Value> = error["spans"].as_array().into_iter().flatten().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    for span in &spans {
        let Some(placed) = span["file_name"].as_str().and_then(|file| places.get(file)) else { continue };
        let byte = |name: &str| span[name].as_u64().unwrap_or_default() as usize;
        let own = placed.iter().filter(|place| place.own.contains(&byte("byte_start")));
        if let Some(place) = own.min_by_key(|place| place.own.len()) {
            return BTreeMap::from([(place.mutant, true)]);
        }
        let same = spans.iter().filter(|other| other["file_name"] == span["file_name"]);
        let ends =
            |name: &'static str| same.clone().filter_map(move |other| other[name].as_u64()).map(|at| at as usize);
        let (first, last) = (ends("byte_start").min().unwrap_or_default(), ends("byte_end").max().unwrap_or_default());
        let between = placed.iter().filter(|place| (first..=last).contains(&place.own.start));
        around.extend(between.map(|place| (place.mutant, false)));
    }
    around
}
