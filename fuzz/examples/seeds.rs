//! Writes the input of every case of the corpus into a folder, one file each, as seeds for the fuzzer.
//!
//! ```text
//! cargo run -p wirecanon-fuzz --example seeds -- FOLDER
//! ```

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Case {
    id: String,
    input: Option<Box<RawValue>>,
    input_text: Option<String>,
    input_base64: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("give the folder to write to")?);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/corpus");
    fs::create_dir_all(&folder)?;
    let mut written = 0;
    for class in fs::read_dir(&corpus).into_iter().flatten() {
        let class = class?.path();
        if !class.is_dir() {
            continue;
        }
        for file in fs::read_dir(class)? {
            let file = file?.path();
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = fs::read_to_string(&file)?;
            let case: Case = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
            let bytes = match (case.input, case.input_text, case.input_base64) {
                (Some(json), _, _) => json.get().as_bytes().to_vec(),
                (_, Some(text), _) => text.into_bytes(),
                (_, _, Some(base64)) => base64_simd::STANDARD.decode_to_vec(base64)?,
                _ => return Err(format!("{} has no input", file.display()).into()),
            };
            fs::write(folder.join(&case.id), bytes)?;
            written += 1;
        }
    }
    eprintln!("{written} inputs of cases written to {}", folder.display());
    Ok(())
}
