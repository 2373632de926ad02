//! Builds again when the page or the migrations change, so that those in the binary are never old.

use std::fs::{Metadata, metadata};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=migrations");
    wait_for_the_page();
    // To name a folder that is not there would mean to build again every time; the Makefile
    // touches this file when it makes the first page.
    if Path::new("../../web/dist").exists() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
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
