//! The bar of what takes long: how far it is, how fast it goes, and what is left.

use std::fmt::Write;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A bar on stderr, if that is a terminal. Without a length it goes on until somebody ends it.
pub(super) fn bar(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{msg} {wide_bar} {pos}/{len} {rate} {eta} left"),
        None => (ProgressBar::new_spinner(), "{msg} {pos} {rate} {elapsed}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // Where nothing can be written, nothing is shown.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}
