//! The adapter that wirecanon starts. It says what is converted; `conversion.rs` converts.

mod conversion;
mod wirecanon_testee;

use wirecanon_testee::Testee;

fn main() {
    // The name that reports use, and the version of the crate under test.
    let mut testee = Testee::new("my-testee", "0.1.0");

    // A line for each pair of dialects: the one that your crate reads, and the one that it writes. `wirecanon list dialects` has
    // all names. `&["openai", "groq"]` claims these servers alone (`wirecanon list targets`), an empty list every one.
    testee.converts("openai.chat", "openai.chat", &[], conversion::convert);

    testee.run();
}
