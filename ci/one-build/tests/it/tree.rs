//! A tree is the last commit with some files changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use wirecanon_one_build::build::Tree;

#[test]
fn a_tree_has_what_is_committed_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (commit, root) = (folder.path().join("commit"), folder.path().join("one"));
    for (file, text) in [("core/src/lib.rs", "old"), ("ci/run", "step")] {
        fs::create_dir_all(commit.join(file).parent().expect("a folder")).expect("a folder");
        fs::write(commit.join(file), text).expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("ci", commit.join(".linked")).expect("a link to a folder");
    let tree = Tree { commit, root: root.clone(), target: folder.path().join("target"), again: false };
    let changed = BTreeMap::from(
        [("core/src/lib.rs", "new"), ("core/src/switch.rs", "on")]
            .map(|(file, text)| (PathBuf::from(file), text.to_owned())),
    );
    tree.write(&changed).expect("a tree");
    let text = |file: &str| fs::read_to_string(root.join(file)).ok();
    assert_eq!(
        ["core/src/lib.rs", "core/src/switch.rs", "ci/run"].map(text),
        ["new", "on", "step"].map(|text| Some(text.to_owned()))
    );
    tree.write(&BTreeMap::new()).expect("a tree");
    assert_eq!(["core/src/lib.rs", "core/src/switch.rs"].map(text), [Some("old".to_owned()), None]);
}
