//! Writes the input of every case of the corpus into a folder, one file each, as seeds for the fuzzer.
//!
//! ```text
//! cargo run -p wirecanon-fuzz --example seeds -- FOLDER
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use wirecanon::corpus;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("give the folder to write to")?);
    fs::create_dir_all(&folder)?;
    let cases = corpus::load()?;
    for case in &cases {
        fs::write(folder.join(&case.id), &case.input)?;
    }
    eprintln!("{} inputs of cases written to {}", cases.len(), folder.display());
    Ok(())
}
