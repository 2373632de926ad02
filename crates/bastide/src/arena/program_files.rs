//! The files that an outside program is started from, so that a changed one is noticed.
//!
//! A command names the program and, among its arguments, files and folders. What of these the program
//! reads and what it writes is not known here. So one is watched if it was there before the trial start
//! and is the same after it: a log is usually opened at the start. The program itself is always watched.

use super::store::{FINGERPRINT_OF_NOTHING, fingerprint_on};
use crate::external::command_line::split_command;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files that a command names, as they were before the trial start.
pub(super) struct NamedFiles {
    program: Option<PathBuf>,
    files: BTreeMap<PathBuf, Stamp>,
    too_large: Vec<PathBuf>,
}

/// The files of a program, each with a number that another content does not have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WatchedFiles {
    files: BTreeMap<String, (Stamp, String)>,
    too_large: Vec<PathBuf>,
}

/// What changes with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// Larger folders are not watched.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 256 << 20;

impl NamedFiles {
    /// The files that a command names, and those in folders that it names; without what lies in `own`,
    /// which is written here.
    pub(super) fn of(command: &str, own: &[PathBuf]) -> Self {
        let words = split_command(command).unwrap_or_default();
        let program = words.first().and_then(|word| find_program(word));
        let own: Vec<PathBuf> = own.iter().filter_map(|path| absolute(path)).collect();
        let mut named = Self { program, files: BTreeMap::new(), too_large: Vec::new() };
        for path in words.iter().skip(1).flat_map(|word| paths_in(word)) {
            match fs::metadata(&path) {
                Ok(found) if found.is_dir() => match files_in(&path) {
                    Some(files) => named.files.extend(files),
                    None => named.too_large.push(path),
                },
                Ok(found) => drop(named.files.insert(path, Stamp::of(&found))),
                Err(_) => {}
            }
        }
        let is_own = |path: &Path| {
            absolute(path).is_some_and(|path| own.iter().any(|own| path.starts_with(own)))
        };
        named.files.retain(|path, _| !is_log(path) && !is_own(path));
        named
    }

    /// Those that the trial start left as they were.
    pub(super) fn after_trial(self) -> WatchedFiles {
        let now = |path: &Path| fs::metadata(path).ok().map(|found| Stamp::of(&found));
        let same = self.files.into_iter().filter(|(path, before)| now(path) == Some(*before));
        let same = same.map(|(path, _)| path).chain(self.program);
        let numbered = same.filter_map(|path| {
            let numbered = (now(&path)?, number_of(&path)?);
            Some((path.display().to_string(), numbered))
        });
        WatchedFiles { files: numbered.collect(), too_large: self.too_large }
    }
}

impl WatchedFiles {
    /// The number of each file.
    pub(super) fn numbers(&self) -> BTreeMap<String, String> {
        self.files.iter().map(|(path, (_, number))| (path.clone(), number.clone())).collect()
    }

    /// Those that have changed since.
    pub(super) fn changed(&self) -> impl Iterator<Item = &str> {
        let same = |path: &Path, stamp: &Stamp, number: &str| {
            fs::metadata(path).is_ok_and(|found| Stamp::of(&found) == *stamp)
                || number_of(path).is_some_and(|now| now == number)
        };
        let changed = self
            .files
            .iter()
            .filter(move |(path, (stamp, number))| !same(Path::new(path.as_str()), stamp, number));
        changed.map(|(path, _)| path.as_str())
    }

    /// What is to be said of folders that are not watched.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.too_large.iter().map(|path| {
            format!(
                "the folder {} has more than {MOST_FILES} files or {} MB: that its files change is \
                 not noticed",
                path.display(),
                MOST_BYTES >> 20
            )
        })
    }
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self { bytes: found.len(), modified: found.modified().ok() }
    }
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

/// The paths in an argument: itself, or parts of it as in `--weights=FILE` or `FOLDER:FILE.jar`.
fn paths_in(word: &str) -> Vec<PathBuf> {
    match Path::new(word).exists() {
        true => vec![word.into()],
        false => word.split(['=', ':']).filter(|part| !part.is_empty()).map(Into::into).collect(),
    }
}

fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("log"))
}

/// The path of something that need not be there yet.
fn absolute(path: &Path) -> Option<PathBuf> {
    path.canonicalize().or_else(|_| std::path::absolute(path)).ok()
}

/// The files of a folder and of those in it, without hidden folders and links to folders; `None` if there
/// are too many.
fn files_in(folder: &Path) -> Option<BTreeMap<PathBuf, Stamp>> {
    let (mut files, mut bytes) = (BTreeMap::new(), 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.extend((!hidden).then(|| entry.path()));
            } else if let Some(found) = fs::metadata(entry.path()).ok().filter(Metadata::is_file) {
                bytes += found.len();
                files.insert(entry.path(), Stamp::of(&found));
            }
            if files.len() + folders.len() > MOST_FILES || bytes > MOST_BYTES {
                return None;
            }
        }
    }
    Some(files)
}

fn number_of(path: &Path) -> Option<String> {
    Some(format!("{:016x}", fingerprint_of(path).ok()?))
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

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("bastide-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn the_program_and_the_files_in_its_arguments_are_numbered() {
        let folder = folder("files");
        let [program, weights, log, jar] =
            ["a program", "weights", "own.log", "x.jar"].map(|name| folder.join(name));
        [&program, &log, &jar].iter().for_each(|path| fs::write(path, "run").unwrap());
        fs::write(&weights, vec![7; (1 << 20) + 5]).unwrap();
        let command = format!(
            "'{}' --fast {} {} --cp=none:{}",
            program.display(),
            weights.display(),
            log.display(),
            jar.display()
        );
        let of = |command: &str| NamedFiles::of(command, &[]).after_trial().numbers();
        let number = |path: &Path| format!("{:016x}", fingerprint(&fs::read(path).unwrap()));
        let expected =
            [&program, &weights, &jar].map(|path| (path.display().to_string(), number(path)));
        assert_eq!(of(&command), BTreeMap::from(expected));
        fs::remove_dir_all(&folder).unwrap();
        assert!(of(&command).is_empty());
        assert!(of("'open").is_empty() && of("").is_empty());
    }

    #[test]
    fn what_the_trial_start_changes_or_makes_is_not_watched() {
        let folder = folder("trial");
        let [kept, written, made, own] =
            ["kept", "written", "made", "out/games"].map(|name| folder.join(name));
        fs::create_dir_all(folder.join("out")).unwrap();
        [&kept, &written, &own].iter().for_each(|path| fs::write(path, "1").unwrap());
        let command = format!("./none {} {}", folder.display(), made.display());
        let named = NamedFiles::of(&command, &[folder.join("out")]);
        [&written, &made].iter().for_each(|path| fs::write(path, "12").unwrap());
        let watched = named.after_trial();
        let names: Vec<String> = watched.numbers().into_keys().collect();
        assert_eq!(names, [kept.display().to_string()]);
        assert_eq!(watched.changed().count(), 0);
        fs::write(&kept, "other").unwrap();
        assert_eq!(watched.changed().collect::<Vec<_>>(), [kept.to_str().unwrap()]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_too_large_is_told_of() {
        let folder = folder("large");
        File::create(folder.join("sparse")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        let watched = NamedFiles::of(&format!("./none {}", folder.display()), &[]).after_trial();
        fs::remove_dir_all(&folder).unwrap();
        assert!(watched.numbers().is_empty());
        assert!(watched.notes().next().unwrap().contains("256 MB"));
    }

    #[cfg(unix)]
    #[test]
    fn a_name_is_looked_for_where_programs_lie() {
        let files = NamedFiles::of("sh -c true", &[]).after_trial().numbers();
        assert!(files.keys().any(|path| path.ends_with("/sh")) && files.len() == 1, "{files:?}");
    }
}
