//! Lists every file of the adapters for `lib.rs`, which embeds them.

fn main() -> std::io::Result<()> {
    // What stands beside the folders is of this package.
    wirecanon_embed::files("", "adapters.rs", |file| file.components().count() > 1)
}
