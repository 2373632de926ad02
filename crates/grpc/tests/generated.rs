//! The Rust code and the descriptors in `src/generated` are what `proto/` says.
//!
//! Run with `BLESS=1` to write them anew. Nobody who builds the program needs a compiler of Protocol Buffers.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use prost::Message;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROTO: &str = "bastide/v1/engine.proto";

#[test]
fn the_generated_code_is_that_of_the_protocol() {
    let proto = Path::new(ROOT).join("proto");
    let descriptors = protox::compile([proto.join(PROTO)], [&proto]).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    tonic_prost_build::configure()
        .build_transport(false)
        .out_dir(&folder)
        .compile_fds(descriptors.clone())
        .unwrap();
    let code = fs::read(folder.join("bastide.v1.rs")).unwrap();
    for (name, made) in [("bastide.v1.rs", code), ("engine.bin", descriptors.encode_to_vec())] {
        let path = Path::new(ROOT).join("src/generated").join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, made).unwrap();
        } else {
            assert!(
                fs::read(&path).is_ok_and(|there| there == made),
                "src/generated/{name} is not that of {PROTO}; write it anew:\n    \
                 BLESS=1 cargo test --workspace --locked --test generated"
            );
        }
    }
}

/// Whoever reads the protocol finds a sentence about everything in it.
#[test]
fn everything_in_the_protocol_is_explained() {
    let text = fs::read_to_string(Path::new(ROOT).join("proto").join(PROTO)).unwrap();
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        let declares = line.trim_end().ends_with(';') || line.trim_end().ends_with('{');
        let header = ["syntax", "package"].iter().any(|word| line.starts_with(word));
        if declares && !header && !line.trim_start().starts_with("//") {
            assert!(before.trim_start().starts_with("//"), "line {}: {line}", number + 1);
        }
        before = line;
    }
}
