//! Builds again when the page changes, so that the one in the binary is never an old one.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // To name a folder that is not there would mean to build again every time; the Makefile
    // touches this file when it makes the first page.
    if std::path::Path::new("../../web/dist").exists() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
