//! Observers share nothing with readers, writers, repair and the check.

#[test]
fn the_crate_stands_on_the_json_layer_and_the_model_alone() {
    let manifest = include_str!("../../Cargo.toml");
    let own: Vec<_> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("wirecanon-"))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .collect();
    assert_eq!(own, ["json", "model"]);
}
