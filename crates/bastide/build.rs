//! Makes the released program smaller: without its symbol table, a fifth of its size, and with relocations
//! packed, where the system can read them. (Cargo does not pass `strip` on to a package with settings of its own.)

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
        let here = std::env::var("HOST").is_ok_and(|host| is("TARGET", &host));
        if here && is("CARGO_CFG_TARGET_ENV", "gnu") && reads_packed_relocations() {
            // A megabyte of addresses that are the same but for where the program lies.
            println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// Whether the C library of this machine is glibc 2.36 or newer: one before refuses to start the program.
fn reads_packed_relocations() -> bool {
    let Ok(asked) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let text = String::from_utf8_lossy(&asked.stdout);
    let numbers = text.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let Some((major, minor)) = numbers else { return false };
    matches!((major.parse::<u32>(), minor.parse::<u32>()), (Ok(2), Ok(36..)) | (Ok(3..), Ok(_)))
}
