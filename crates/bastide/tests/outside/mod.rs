//! Outside programs for tests: small engines in Python, and the command that plays them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn bastide(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// An engine in Python that plays like the sample, and does this with every line before it answers.
pub(crate) fn engine(folder: &Path, then: &str) -> String {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let text = format!(
        "import os, signal, sys, time\nsys.path.insert(0, {sample:?})\n\
         import random_engine as sample\nposition, turns = sample.Position([]), 0\n\
         for line in sys.stdin:\n    line = line.strip()\n    turns += line.startswith('go')\n    \
         if line == 'quit':\n        break\n    {then}\n    \
         text, position = sample.answer(line, position)\n    print(text, flush=True)\n"
    );
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join("engine.py");
    std::fs::write(&path, text).unwrap();
    format!("cmd:python3 {}", path.display())
}

pub(crate) fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("bastide-match-{name}-{}", std::process::id()))
}

/// Runs to its end, or fails: a match must never hang.
pub(crate) fn finished(mut child: Child) -> Output {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}
