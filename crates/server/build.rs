//! Puts the page and the migrations into the program, and builds again when they change, so that those in
//! the binary are never old. The page is kept compressed, as it is sent: a third of its size.

use std::env::var_os;
use std::fmt::Write as _;
use std::fs::{self, Metadata, metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

const PAGE: &str = "../../web/dist";
const MIGRATIONS: &str = "migrations";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={MIGRATIONS}");
    wait_for_the_page();
    // To name a folder that is not there would mean to build again every time; the Makefile
    // touches this file when it makes the first page.
    if Path::new(PAGE).exists() {
        println!("cargo:rerun-if-changed={PAGE}");
    }
    let out = PathBuf::from(var_os("OUT_DIR").expect("cargo names it"));
    fs::write(out.join("page.rs"), page()?)?;
    fs::write(out.join("migrations.rs"), migrations()?)
}

/// In the first build the Makefile makes the page beside the program, and marks it while it does.
/// A mark from long ago was left by a build that was killed.
fn wait_for_the_page() {
    let is_recent = |mark: Metadata| {
        mark.modified()
            .is_ok_and(|since| since.elapsed().unwrap_or_default() < Duration::from_secs(600))
    };
    while metadata("../../web/.page-is-being-built").is_ok_and(is_recent) {
        sleep(Duration::from_millis(200));
    }
}

/// A list of the page's files, each by its path, its bytes, and whether these are packed: what the page's
/// build packed (`FILE.br`) is kept so alone.
fn page() -> io::Result<String> {
    let mut list = String::from("&[");
    let files = files(Path::new(PAGE))?;
    for file in files.iter().filter(|file| file.extension().is_none_or(|ends| ends != "br")) {
        let packed = PathBuf::from(format!("{}.br", file.display()));
        let is_packed = files.contains(&packed);
        let kept = fs::canonicalize(if is_packed { &packed } else { file })?;
        let path = file.strip_prefix(PAGE).expect("it lies there").to_string_lossy();
        let _ = write!(list, "({path:?}, include_bytes!({kept:?}), {is_packed}),");
    }
    Ok(list + "]")
}

/// A list of the migrations, each by the name of its file and its text, in the order of their numbers.
fn migrations() -> io::Result<String> {
    let mut list = String::from("&[");
    for file in files(Path::new(MIGRATIONS))? {
        let name = file.file_name().expect("it is a file").to_string_lossy();
        let _ = write!(list, "({name:?}, include_str!({:?})),", fs::canonicalize(&file)?);
    }
    Ok(list + "]")
}

/// All files within a folder, sorted; none if it is not there.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}
