//! Adapters and commands by their names.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

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
    check_found(&installation)?;
    if installation.is_done() {
        return Ok(Some(installation.launch(name)));
    }
    let state = if installation.is_stale() { "was installed with other files" } else { "is not installed" };
    Err(format!("the testee `{own}` {state}: run `wirecanon testee add {own}`"))
}

/// Whether nothing may be started that was found in the current folder.
static REFUSES_FOUND: AtomicBool = AtomicBool::new(false);

/// Refuses every installation in [`adapter::FOLDER`] of the current folder from now on.
pub fn refuse_found() {
    REFUSES_FOUND.store(true, Ordering::Relaxed);
}

/// Checks that an installation may be started. Whoever names the folder of installations trusts it; the one that is found in the
/// current folder must be this user's own.
///
/// # Errors
///
/// Found installations are refused, or another user may have written this one.
pub fn check_found(installation: &Installation) -> Result<(), String> {
    if adapter::is_folder_named() {
        return Ok(());
    }
    let (folder, variable) = (adapter::FOLDER, adapter::FOLDER_VARIABLE);
    if REFUSES_FOUND.load(Ordering::Relaxed) {
        return Err(format!(
            "`--no-config` starts nothing from {folder}: leave it out if you trust that folder, or name a folder of installations \
             with the variable {variable}"
        ));
    }
    installation.check_owner().map_err(|why| {
        let name = installation.name();
        format!(
            "{why}; nothing is started from there: take the folder for your own (`chown`, `chmod o-w`) if you trust it, or name \
             another one with the variable {variable} and run `wirecanon testee add {name}`"
        )
    })
}

/// Names that a project gives its testees.
static NAMES: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// Says once what names of testees stand for.
pub fn name(names: BTreeMap<String, String>) {
    // Who names them a second time is too late.
    let _ = NAMES.set(names);
}

/// What a name stands for; anything else stands for itself.
pub fn meant(argument: &str) -> &str {
    NAMES.get().and_then(|names| names.get(argument)).map_or(argument, String::as_str)
}
