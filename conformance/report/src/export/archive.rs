//! A package as one archive, with the same bytes wherever and whenever it is made.

use std::io::{self, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use wirecanon_judge::exit::Stop;

use super::{NAME, Package};
use crate::outfile::OutFile;

/// The bytes that every gzip file opens with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

pub(super) fn write(package: &Package, path: &Path) -> Result<(), Stop> {
    let shown = path.display().to_string();
    let bytes = pack(package).map_err(|error| Stop::incomplete(format!("{shown}: {error}")))?;
    if path.is_file() && std::fs::read(path).is_ok_and(|old| !old.is_empty() && !old.starts_with(&GZIP)) {
        return Err(Stop::usage(format!("{shown}: this file is no archive; name another")));
    }
    let mut file = OutFile::create(path)?;
    file.write(|out| out.write_all(&bytes))?;
    file.finish()
}

/// No clock, no user, no machine: one folder, its files in their order, and fixed attributes.
fn pack(package: &Package) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    let root = format!("{NAME}-{}", env!("CARGO_PKG_VERSION"));
    for (path, bytes) in &package.files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, format!("{root}/{path}"), bytes.as_slice())?;
    }
    let mut gzip = tar.into_inner()?;
    gzip.flush()?;
    gzip.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use wirecanon_judge::exit::Exit;

    fn small() -> Package {
        let files = vec![("a/b.json".to_owned(), b"one".to_vec()), ("z.txt".to_owned(), vec![b'x'; 2000])];
        Package { files, sha256: String::new() }
    }

    #[test]
    fn an_archive_holds_the_files_and_nothing_of_the_machine() {
        let bytes = pack(&small()).expect("an archive");
        assert_eq!(bytes, pack(&small()).expect("an archive"));
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut seen = Vec::new();
        for entry in tar.entries().expect("entries") {
            let mut entry = entry.expect("an entry");
            assert_eq!(entry.header().mtime().ok(), Some(0));
            assert_eq!((entry.header().uid().ok(), entry.header().mode().ok()), (Some(0), Some(0o644)));
            let mut text = Vec::new();
            entry.read_to_end(&mut text).expect("its bytes");
            seen.push((entry.path().expect("a path").display().to_string(), text.len()));
        }
        let root = format!("{NAME}-{}", env!("CARGO_PKG_VERSION"));
        assert_eq!(seen, [(format!("{root}/a/b.json"), 3), (format!("{root}/z.txt"), 2000)]);
    }

    #[test]
    fn an_archive_takes_the_place_of_an_archive_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("corpus.tar.gz");
        write(&small(), &path).expect("a new file");
        write(&small(), &path).expect("an earlier archive");
        std::fs::write(&path, "years of work").expect("a file");
        assert_eq!(write(&small(), &path).expect_err("no archive").exit, Exit::Usage);
        assert_eq!(std::fs::read(&path).expect("the file"), b"years of work");
    }
}
