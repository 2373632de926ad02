//! The files that an outside program is started from, so that a changed one is noticed.

use super::store::{FINGERPRINT_OF_NOTHING, fingerprint_on};
use crate::external::command_line::split_command;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files that a command names, the program first of all, each with a number that another content
/// does not have. What a program reads beside them is not known here.
pub(super) fn program_files(command: &str) -> BTreeMap<String, String> {
    let words = split_command(command).unwrap_or_default();
    let paths = words.iter().enumerate().filter_map(|(index, word)| match index {
        0 => find_program(word),
        _ => Some(PathBuf::from(word)).filter(|path| path.is_file()),
    });
    let numbered = paths.filter_map(|path| {
        let number = fingerprint_of(&path).ok()?;
        Some((path.display().to_string(), format!("{number:016x}")))
    });
    numbered.collect()
}

/// The file that is started: a path, or a name that is looked for where programs lie.
fn find_program(word: &str) -> Option<PathBuf> {
    let is_path = Path::new(word).components().count() > 1;
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(word));
    match is_path {
        true => Some(PathBuf::from(word)).filter(|path| path.is_file()),
        false => found.find(|path| path.is_file()),
    }
}

/// Reads in parts: a program may be given a large file.
fn fingerprint_of(path: &Path) -> io::Result<u64> {
    const PART: u64 = 1 << 20;
    let (mut file, mut number) = (File::open(path)?, FINGERPRINT_OF_NOTHING);
    loop {
        let mut part = Vec::new();
        if file.by_ref().take(PART).read_to_end(&mut part)? == 0 {
            return Ok(number);
        }
        number = fingerprint_on(number, &part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::fingerprint;

    #[test]
    fn the_program_and_the_files_in_its_arguments_are_numbered() {
        let folder = std::env::temp_dir().join(format!("bastide-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [program, weights] = ["a program", "weights"].map(|name| folder.join(name));
        std::fs::write(&program, "run").unwrap();
        std::fs::write(&weights, vec![7; (1 << 20) + 5]).unwrap();
        let command =
            format!("'{}' --fast {} {}", program.display(), weights.display(), folder.display());
        let files = program_files(&command);
        let number = |path: &Path| format!("{:016x}", fingerprint(&std::fs::read(path).unwrap()));
        let expected = [&program, &weights].map(|path| (path.display().to_string(), number(path)));
        assert_eq!(files, BTreeMap::from(expected));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(program_files(&command).is_empty());
        assert!(program_files("'open").is_empty() && program_files("").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_name_is_looked_for_where_programs_lie() {
        let files = program_files("sh -c true");
        assert!(files.keys().any(|path| path.ends_with("/sh")) && files.len() == 1, "{files:?}");
    }
}
