//! `bastide`: the one binary.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    bastide::main()
}
