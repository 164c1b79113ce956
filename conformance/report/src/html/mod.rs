//! The run as a page: one file that needs nothing else, for people.
//!
//! `page.html` is read by the compiler, and what stands in it beside the data is the little that must be seen before a script
//! runs: the statement, the matrix, the trend. All else is data, a block of JSON that no text can end, from which the scripts
//! make elements whose texts are texts. The page's policy allows these scripts and this style by their digests, nothing from
//! anywhere else, and no text that becomes markup.

mod conversations;
mod data;
pub mod docs;
mod page;
pub mod shared;

use std::io::{self, Write};

use askama::Template;

use super::Told;
use page::Page;

/// Writes the page.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, told: &Told<'_>) -> io::Result<()> {
    out.write_all(page(told, None)?.as_bytes())
}

/// What holds the page: the scripts and the style by their digests, and nothing else. It stands in the page too.
pub fn policy() -> String {
    page::policy()
}

/// The page, with the address and the name of where it is shown from.
///
/// # Errors
///
/// A template that cannot be rendered.
pub fn page(told: &Told<'_>, home: Option<(&'static str, &'static str)>) -> io::Result<String> {
    let data = data::build(told);
    let page = Page::new(told, &data, home)?;
    let mut text = page.render().map_err(io::Error::other)?;
    text.push('\n');
    Ok(text)
}
