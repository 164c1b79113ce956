//! Style and scripts that all pages have.

/// Colours and elements.
pub const STYLE: &str = include_str!("../../assets/page/page.css");

/// Makes elements.
pub const MAKE: &str = include_str!("../../assets/page/make.js");

/// Light and dark.
pub const THEME: &str = include_str!("../../assets/page/theme.js");

/// Lines of code with their differences.
pub const CODE: &str = include_str!("../../assets/page/code.js");
