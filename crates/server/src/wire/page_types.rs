//! Holds the page's types in `web/src/wire` against those of this crate.
//!
//! `BLESS=1 cargo test --workspace --lib export_bindings` writes them anew. Without `BLESS` the
//! tests that `ts-rs` adds for each type write below `target`, so that a test run changes nothing
//! that is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use ts_rs::{Config, TS};

const OF_THE_PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire");

/// What players see is declared in a crate of its own.
#[test]
fn export_bindings_of_views() {
    super::CarcassonneView::export_all(&Config::from_env()).unwrap();
    super::LegalMove::export_all(&Config::from_env()).unwrap();
}

#[test]
fn export_bindings_are_those_of_the_page() {
    let folder = env::temp_dir().join(format!("bastide_wire_{}", crate::ids::new_id()));
    // The export tests of this very program, into a folder of their own.
    let exported = Command::new(env::current_exe().unwrap())
        .args(["export_bindings_", "--skip", "export_bindings_are_those_of_the_page"])
        .env("TS_RS_EXPORT_DIR", &folder)
        .output()
        .unwrap();
    assert!(exported.status.success(), "{exported:?}");
    let made = files(&folder);
    fs::remove_dir_all(&folder).unwrap();
    assert!(made.len() > 100, "only {} types", made.len());
    let stored = files(Path::new(OF_THE_PAGE));
    if env::var_os("BLESS").is_some() {
        for name in stored.keys().filter(|name| !made.contains_key(*name)) {
            fs::remove_file(Path::new(OF_THE_PAGE).join(name)).unwrap();
        }
        for (name, text) in made.iter().filter(|(name, text)| stored.get(*name) != Some(*text)) {
            fs::write(Path::new(OF_THE_PAGE).join(name), text).unwrap();
        }
        return;
    }
    let differs = |name: &&String| made.get(*name) != stored.get(*name);
    let stale: BTreeSet<&String> = made.keys().chain(stored.keys()).filter(differs).collect();
    assert!(
        stale.is_empty(),
        "run `BLESS=1 cargo test --workspace --lib export_bindings`; not as the server has it: {stale:?}"
    );
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(&path).unwrap())
    });
    named.collect()
}
