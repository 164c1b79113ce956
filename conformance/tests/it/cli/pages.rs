//! Command lines and their output: the Markdown files beside this one. `support/commands.rs` describes their format.

use std::fs;
use std::path::Path;

use crate::support::commands::assert_pages;

macro_rules! topics {
    ($($topic:ident)*) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];

        $(#[test]
        fn $topic() {
            assert_pages(stringify!($topic));
        })*
    };
}

topics! { case check config diff fix fuzz gate generate help list log sessions stream test usage }

#[test]
fn every_folder_is_a_topic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cli");
    let entries = fs::read_dir(folder).expect("the pages").map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
    let mut folders: Vec<_> = folders.map(|name| name.into_string().expect("a name")).collect();
    folders.sort();
    assert_eq!(folders, TOPICS);
}
