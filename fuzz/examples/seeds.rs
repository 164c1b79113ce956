//! Writes the seeds of every target into a folder each, and the dictionaries. `ci/seed-corpus.sh` calls it.
//!
//! ```text
//! cargo run -p wirecanon-fuzz --example seeds -- FOLDER           FOLDER/<target>/…, FOLDER/<target>.dict
//! cargo run -p wirecanon-fuzz --example seeds -- --dictionaries FOLDER
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use wirecanon_fuzz::{dictionary, seeds};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let first = args.next().ok_or("give the folder to write to")?;
    if first == "--dictionaries" {
        let folder = PathBuf::from(args.next().ok_or("give the folder to write to")?);
        fs::create_dir_all(&folder)?;
        for (name, text) in dictionary::all()? {
            fs::write(folder.join(format!("{name}.dict")), text)?;
        }
        return Ok(());
    }
    for target in seeds::TARGETS {
        let folder = PathBuf::from(&first).join(target);
        fs::create_dir_all(&folder)?;
        let made = seeds::of(target)?;
        for (name, bytes) in &made {
            fs::write(folder.join(name), bytes)?;
        }
        if let Some((_, name)) = dictionary::OF_TARGETS.iter().find(|(of, _)| *of == target) {
            let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("dictionaries").join(format!("{name}.dict"));
            fs::copy(from, folder.with_extension("dict"))?;
        }
        eprintln!("{target}: {} seeds", made.len());
    }
    Ok(())
}
