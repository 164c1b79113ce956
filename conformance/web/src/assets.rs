//! The files that pages ask for: scripts and styles, each by its name and by no path.

use wirecanon_report::html::shared as page;

use super::answer::Answer;

const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

static FILES: &[(&str, &str, &str)] = &[
    ("page.css", STYLE, page::STYLE),
    ("local.css", STYLE, include_str!("../assets/local/local.css")),
    ("make.js", SCRIPT, page::MAKE),
    ("theme.js", SCRIPT, page::THEME),
    ("code.js", SCRIPT, page::CODE),
    ("view.js", SCRIPT, include_str!("../assets/local/view.js")),
    ("faults.js", SCRIPT, include_str!("../assets/local/faults.js")),
    ("mend.js", SCRIPT, include_str!("../assets/local/mend.js")),
];

/// The file of this name.
pub(super) fn file(name: &str) -> Option<Answer> {
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == name)?;
    Some(Answer::new(200, kind, *text))
}
