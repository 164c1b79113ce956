//! Adapters and commands by their names.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::Launch;
use crate::adapter::{self, Installation};

/// How the adapter of this name is started; `None` where no adapter is called so.
///
/// # Errors
///
/// It is not installed, or not as this program would install it.
pub(super) fn launch(name: &str) -> Result<Option<Launch>, String> {
    let Some(adapter) = adapter::by_name(name).map_err(|error| error.to_string())? else { return Ok(None) };
    let own = adapter.name.clone();
    let installation = Installation::new(adapter, &adapter::folder()).map_err(|error| error.to_string())?;
    if installation.is_done() {
        return Ok(Some(installation.launch(name)));
    }
    let state = if installation.is_stale() { "was installed with other files" } else { "is not installed" };
    Err(format!("the testee `{own}` {state}: run `wirecanon testee add {own}`"))
}

/// Names that a project gives its testees.
static NAMES: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// Says once what names of testees stand for.
pub fn name(names: BTreeMap<String, String>) {
    // Who names them a second time is too late.
    let _ = NAMES.set(names);
}

/// What a name stands for; anything else stands for itself.
pub(crate) fn meant(argument: &str) -> &str {
    NAMES.get().and_then(|names| names.get(argument)).map_or(argument, String::as_str)
}
