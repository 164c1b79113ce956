//! Writes the seeds of every target into a folder each, and its dictionary beside it. `ci/seed-corpus.sh` calls it.
//!
//! ```text
//! cargo run -p wirecanon-fuzz --example seeds -- FOLDER           FOLDER/<target>/…, FOLDER/<target>.dict
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use wirecanon_fuzz::{dictionary, seeds};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::args_os().nth(1).ok_or("give the folder to write to")?);
    for target in seeds::TARGETS {
        let folder = root.join(target);
        fs::create_dir_all(&folder)?;
        let made = seeds::of(target)?;
        for (name, bytes) in &made {
            fs::write(folder.join(name), bytes)?;
        }
        if let Some(dictionary) = dictionary::of(target) {
            fs::write(folder.with_extension("dict"), dictionary)?;
        }
        eprintln!("{target}: {} seeds", made.len());
    }
    Ok(())
}
