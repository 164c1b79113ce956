//! Installing an adapter: its files into a folder of its own, its packages beside them, nothing anywhere else.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Adapter, Language};
use crate::launch::Launch;
use crate::trust;

/// What says that an installation came to its end, and of what.
const STAMP: &str = ".installed";

/// An address that refuses at once: whoever needs the network to convert a message fails instead of waiting.
const NOWHERE: &str = "http://127.0.0.1:9";

/// An adapter and the folder that it is installed in.
#[derive(Clone, Debug)]
pub struct Installation {
    adapter: Adapter,
    folder: PathBuf,
}

/// One thing that installing does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Writes the adapter's own files
    Write(Vec<&'static str>),
    /// Runs a command in the folder
    Run(Vec<OsString>),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(files) => write!(f, "write {}", files.join(", ")),
            Self::Run(words) => {
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                write!(f, "run {}", words.join(" "))
            }
        }
    }
}

/// Why an adapter could not be installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InstallError {
    /// In words, with what mends it
    pub message: String,
}

fn wrong(message: impl Into<String>) -> InstallError {
    InstallError { message: message.into() }
}

impl Installation {
    /// Of this adapter, below this folder.
    ///
    /// # Errors
    ///
    /// The folder has no absolute path.
    pub fn new(adapter: Adapter, below: &Path) -> Result<Self, InstallError> {
        let below = std::path::absolute(below).map_err(|error| wrong(format!("{}: {error}", below.display())))?;
        Ok(Self { folder: below.join(&adapter.name), adapter })
    }

    /// The folder that the adapter is installed in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of the adapter.
    pub fn name(&self) -> &str {
        &self.adapter.name
    }

    /// Checks that no other user may have written it: its folder, the two folders above, and the files that are started.
    ///
    /// # Errors
    ///
    /// Another user owns one of them, or every user may write to it. The message names it, and the owner or the mode.
    pub fn check_owner(&self) -> Result<(), String> {
        let above = self.folder.ancestors().skip(1).take(2).collect::<Vec<_>>();
        above.into_iter().rev().try_for_each(trust::check)?;
        trust::check(&self.folder)?;
        // An interpreter may be a link to that of the system.
        trust::check_entry(&self.folder.join(STAMP))?;
        self.adapter.files().into_keys().try_for_each(|name| trust::check_entry(&self.folder.join(name)))?;
        let launch = self.launch(&self.adapter.name);
        let own = launch.command.iter().map(Path::new).filter(|word| word.starts_with(&self.folder));
        own.flat_map(|word| word.ancestors().take_while(|path| *path != self.folder)).try_for_each(trust::check_entry)
    }

    /// Whether it stands there whole, and with these files.
    pub fn is_done(&self) -> bool {
        self.stamp().is_some_and(|stamp| stamp == self.digest())
    }

    /// Whether another version of this program has installed it.
    pub fn is_stale(&self) -> bool {
        self.stamp().is_some_and(|stamp| stamp != self.digest())
    }

    fn stamp(&self) -> Option<String> {
        fs::read_to_string(self.folder.join(STAMP)).ok()
    }

    fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, text) in self.adapter.files() {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hash.finalize().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    /// What [`Self::install`] does, in order. Finds the language's program, and asks it for its version.
    ///
    /// # Errors
    ///
    /// The program is not there, or too old.
    pub fn steps(&self) -> Result<Vec<Step>, InstallError> {
        let program = self.program()?;
        let run = |words: &[&str]| {
            Step::Run(std::iter::once(program.clone()).chain(words.iter().map(OsString::from)).collect())
        };
        let mut steps = vec![Step::Write(self.adapter.files().into_keys().collect())];
        match self.adapter.language {
            Language::Python => {
                steps.push(run(&["-m", "venv", "venv"]));
                let pip = "-m pip install --disable-pip-version-check --no-input --quiet --only-binary :all: -r requirements.txt";
                let words = pip.split(' ').map(OsString::from);
                steps.push(Step::Run(std::iter::once(self.python().into_os_string()).chain(words).collect()));
            }
            Language::Node => {
                let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
                let words = "ci --ignore-scripts --no-audit --no-fund";
                let words = words.split(' ').map(OsString::from);
                steps.push(Step::Run(std::iter::once(OsString::from(npm)).chain(words).collect()));
            }
            Language::Rust => steps.push(run(&["build", "--release", "--locked"])),
        }
        Ok(steps)
    }

    /// Does these steps. What the commands print goes to this program's stderr.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or a command fails.
    pub fn install(&self, steps: &[Step], mut before: impl FnMut(&Step)) -> Result<(), InstallError> {
        let fault = |error: io::Error| wrong(format!("{}: {error}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(fault)?;
        if let Some(ignored) = self.folder.parent() {
            // Whatever repository this stands in: it is none of its files.
            fs::write(ignored.join(".gitignore"), "*\n").map_err(fault)?;
        }
        match fs::remove_file(self.folder.join(STAMP)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
            _ => {}
        }
        for step in steps {
            before(step);
            match step {
                Step::Write(_) => self.write().map_err(fault)?,
                Step::Run(words) => self.run(words)?,
            }
        }
        fs::write(self.folder.join(STAMP), self.digest()).map_err(fault)
    }

    fn write(&self) -> io::Result<()> {
        for (name, text) in self.adapter.files() {
            let path = self.folder.join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, text)?;
        }
        Ok(())
    }

    fn run(&self, words: &[OsString]) -> Result<(), InstallError> {
        let Some((program, rest)) = words.split_first() else { return Ok(()) };
        let step = Step::Run(words.to_vec()).to_string();
        let mut command = Command::new(program);
        command.args(rest).current_dir(&self.folder).stdin(Stdio::null()).stdout(io::stderr());
        let status = command.status().map_err(|error| wrong(format!("cannot {step}: {error}")))?;
        if status.success() {
            return Ok(());
        }
        Err(wrong(format!(
            "could not {step} ({status}): its own words stand above; the registry of the packages must be reachable. \
             The same command goes on where this one ended"
        )))
    }

    /// The language's program: that of its variable, or the first on the path that is new enough.
    fn program(&self) -> Result<OsString, InstallError> {
        let (variable, says, names): (_, _, &[&str]) = match self.adapter.language {
            Language::Python => {
                ("PYTHON", "Python ", &["python3", "python3.11", "python3.12", "python3.13", "python3.14", "python"])
            }
            Language::Node => ("NODE", "v", &["node"]),
            Language::Rust => ("CARGO", "cargo ", &["cargo"]),
        };
        let named = env::var_os(variable).filter(|name| !name.is_empty());
        let candidates: Vec<OsString> =
            named.map_or_else(|| names.iter().map(OsString::from).collect(), |name| vec![name]);
        let mut found = Vec::new();
        for candidate in candidates {
            let Ok(output) = Command::new(&candidate).arg("--version").stdin(Stdio::null()).output() else { continue };
            let said = String::from_utf8_lossy(&output.stdout);
            let Some(version) = said.strip_prefix(says).and_then(version_in) else { continue };
            if version >= version_in(&self.adapter.requires).unwrap_or_default() {
                return Ok(candidate);
            }
            let version: Vec<_> = version.iter().map(u32::to_string).collect();
            found.push(format!("{} is {}", candidate.to_string_lossy(), version.join(".")));
        }
        let found = if found.is_empty() { "none was found".to_owned() } else { found.join(", ") };
        Err(wrong(format!(
            "`{}` needs {} {} or newer: {found}; install one, or name it with the variable {variable}",
            self.adapter.name,
            self.adapter.language.name(),
            self.adapter.requires,
        )))
    }

    fn python(&self) -> PathBuf {
        let venv = self.folder.join("venv");
        if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") }
    }

    /// How it is started, under its own name or that of a variant. In the words of its command `{python}` is the interpreter of
    /// its environment, `{node}` the one on the path or of the variable `NODE`, and `{here}` its folder.
    pub fn launch(&self, name: &str) -> Launch {
        let node = env::var("NODE").ok().filter(|node| !node.is_empty()).unwrap_or_else(|| "node".to_owned());
        let command = self.adapter.command.iter().map(|word| {
            word.replace("{python}", &self.python().to_string_lossy())
                .replace("{node}", &node)
                .replace("{here}", &self.folder.to_string_lossy())
        });
        let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
        let mut environment: Vec<(String, String)> =
            proxies.iter().map(|proxy| ((*proxy).to_owned(), NOWHERE.to_owned())).collect();
        for local in ["NO_PROXY", "no_proxy"] {
            environment.push((local.to_owned(), "127.0.0.1,localhost".to_owned()));
        }
        environment.push(("WIRECANON_TESTEE".to_owned(), name.to_owned()));
        let own = self.adapter.variant(name).into_iter().flat_map(|variant| &variant.env);
        environment.extend(own.map(|(name, value)| (name.clone(), value.clone())));
        Launch {
            command: command.collect(),
            folder: Some(self.folder.clone()),
            environment,
            startup: self.adapter.startup_seconds.map(Duration::from_secs),
        }
    }
}

/// The first version number in a text.
fn version_in(text: &str) -> Option<Vec<u32>> {
    let from = text.find(|c: char| c.is_ascii_digit())?;
    let number: String = text[from..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    Some(number.split('.').filter_map(|part| part.parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version_in("Python 3.11.4\n"), Some(vec![3, 11, 4]));
        assert!(version_in("v24.2.0") > version_in("24"));
        assert!(version_in("Python 3.9.18") < version_in("3.11"));
        assert_eq!(version_in("none"), None);
    }

    #[test]
    fn an_installation_is_done_when_it_came_to_its_end() {
        let below = tempfile::tempdir().unwrap();
        let adapter = adapter::by_name("litellm").unwrap().unwrap();
        let installation = Installation::new(adapter, below.path()).unwrap();
        assert!(!installation.is_done() && !installation.is_stale());
        let files = Step::Write(vec!["adapter.py"]);
        let fails = Step::Run(vec!["/no/such/program".into()]);
        let error = installation.install(&[files.clone(), fails], |_| ()).unwrap_err();
        assert!(error.message.contains("/no/such/program"), "{error}");
        assert!(!installation.is_done());
        let mut told = Vec::new();
        installation.install(std::slice::from_ref(&files), |step| told.push(step.to_string())).unwrap();
        assert_eq!(told, ["write adapter.py"]);
        assert!(installation.is_done() && installation.folder().join("wirecanon_testee.py").is_file());
        assert_eq!(fs::read_to_string(below.path().join(".gitignore")).unwrap(), "*\n");
        fs::write(installation.folder().join(STAMP), "of another version").unwrap();
        assert!(!installation.is_done() && installation.is_stale());
    }

    #[test]
    fn a_variant_starts_with_its_own_variables() {
        let adapter = adapter::by_name("litellm").unwrap().unwrap();
        let installation = Installation::new(adapter, Path::new("/x")).unwrap();
        let plain = installation.launch("litellm");
        let variant = installation.launch("litellm-modify-params");
        assert_eq!(plain.command, variant.command);
        assert!(plain.command[0].starts_with("/x/litellm/venv"), "{:?}", plain.command);
        let is_set = |launch: &Launch| launch.environment.iter().any(|(name, _)| name.ends_with("MODIFY_PARAMS"));
        assert_eq!((is_set(&plain), is_set(&variant)), (false, true));
    }
}
