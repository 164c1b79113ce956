//! Lists every frozen suite for `lib.rs`, which embeds them.

fn main() -> std::io::Result<()> {
    wirecanon_embed::files("", "suites.rs", |file| {
        file.extension().is_some_and(|ending| ending == "json") && file.components().count() == 1
    })
}
