//! Packs the shipped puzzles, so that they take a third of their size in the program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "puzzles")]
    puzzles::pack();
}

#[cfg(feature = "puzzles")]
mod puzzles {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;
    use std::path::Path;

    const SHIPPED: &str = "puzzles/shipped.txt";

    pub(crate) fn pack() {
        println!("cargo::rerun-if-changed={SHIPPED}");
        let text = std::fs::read(SHIPPED).expect("the shipped puzzles are part of the sources");
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&text).expect("memory can be written to");
        let packed = packed.finish().expect("memory can be written to");
        let folder = std::env::var_os("OUT_DIR").expect("cargo says where to write");
        std::fs::write(Path::new(&folder).join("shipped.txt.gz"), packed)
            .expect("the build's folder can be written to");
    }
}
