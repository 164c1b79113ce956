//! Lists every file of the findings for `src/lib.rs`, and of the kit for `src/kit.rs`, which embed them.

fn main() -> std::io::Result<()> {
    wirecanon_embed::files("findings", "findings.rs", |_| true)?;
    wirecanon_embed::files("kit", "kit.rs", |_| true)
}
