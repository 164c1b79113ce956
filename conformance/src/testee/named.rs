//! Adapters by their names.

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
