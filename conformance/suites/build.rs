//! Lists every frozen suite for `lib.rs`, which embeds them.

fn main() -> std::io::Result<()> {
    wirecanon_embed::files("", "suites.rs", |name| name.ends_with(".json") && !name.contains('/'))
}
