//! Lists every case, `<class>/<id>.json`, for `lib.rs`, which embeds them.

fn main() -> std::io::Result<()> {
    wirecanon_embed::files("", "corpus.rs", |file| {
        file.extension().is_some_and(|ending| ending == "json") && file.components().count() == 2
    })
}
