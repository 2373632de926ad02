//! Builds again when the page or the migrations change, so that those in the binary are never old.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=migrations");
    // To name a folder that is not there would mean to build again every time; the Makefile
    // touches this file when it makes the first page.
    if std::path::Path::new("../../web/dist").exists() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
