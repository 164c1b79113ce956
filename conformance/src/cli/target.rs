//! Which target is meant: one of the library by its name, or one of a file; with its switches as they were set.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use wirecanon_core::Target;
use wirecanon_judge::exit::Stop;

use super::config::Own;
use super::{of_file, revision};

#[derive(Debug, clap::Args)]
pub(super) struct Choice {
    /// A target of one's own, in the form of the files in core/model/targets
    #[arg(long, value_name = "FILE")]
    target_file: Option<String>,
    /// Change one limit of the target, as `wirecanon list targets --format json` has them: `prefill=refuse`; may be given
    /// again
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Model of a request whose body names none: its profile of the target applies
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

impl Choice {
    /// The target that `name` means, that of the file where there is no name; `flag` is how the name is given.
    pub(super) fn target(&self, name: Option<&str>, flag: &str) -> Result<Option<Cow<'static, Target>>, Stop> {
        let own = self.target_file.as_deref().map(read).transpose()?;
        let target = match (name, own) {
            (Some(name), Some(own)) if own.name == name => Cow::Owned(own),
            (Some(name), _) => match NAMED.get().and_then(|named| named.get(name)) {
                Some(own) => named(name, own)?,
                None => Cow::Borrowed(revision::to_write(name)?),
            },
            (None, Some(own)) => Cow::Owned(own),
            (None, None) => {
                return match self.set.first() {
                    Some(set) => Err(Stop::usage(format!("`--set {set}` needs a target: give `{flag}` too"))),
                    None => Ok(None),
                };
            }
        };
        let target = self.set.iter().try_fold(target, |target, set| switched(&target, set))?;
        Ok(Some(match &self.model {
            Some(model) => Cow::Owned(target.for_model(model)),
            None => target,
        }))
    }
}

/// Targets that a project has named.
static NAMED: OnceLock<BTreeMap<String, Own>> = OnceLock::new();

/// Says once what names of targets stand for.
pub(super) fn name(targets: BTreeMap<String, Own>) {
    // Who names them a second time is too late.
    let _ = NAMED.set(targets);
}

/// The target that a project has named.
fn named(name: &str, own: &Own) -> Result<Cow<'static, Target>, Stop> {
    let target = match (&own.file, &own.base) {
        (Some(file), _) => Cow::Owned(read(file)?),
        (None, base) => Cow::Borrowed(revision::to_write(base.as_deref().unwrap_or(name))?),
    };
    own.set.iter().try_fold(target, |target, set| switched(&target, set))
}

fn switched(target: &Target, set: &str) -> Result<Cow<'static, Target>, Stop> {
    let (key, value) = set.split_once('=').unwrap_or((set, ""));
    let target = target.with(key, value).map_err(|error| Stop::usage(format!("`--set {set}`: {error}")))?;
    Ok(Cow::Owned(target))
}

fn read(path: &str) -> Result<Target, Stop> {
    let text = fs::read_to_string(path).map_err(|error| Stop::unread(Path::new(path), &error))?;
    Target::from_toml(&text).map_err(|error| of_file(path, &error))
}
