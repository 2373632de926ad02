//! A graph file held against the rules: it holds a whole graph and nothing else.

use super::npz::{Array, MAGIC, arrays, chunks};
use crate::progress::{Progress, ProgressTicker};
use crate::{Counts, Graph, Setup, SetupError, TableError};
use std::error::Error;
use std::fmt;
use std::io::{Read, Seek, SeekFrom};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// Checks a file that [`write`](super::write) made, against the rules: it holds a whole graph and
/// nothing else. Gives that graph.
///
/// # Errors
/// What is wrong with the file, and where; or the graph would take more than `memory` bytes.
pub fn check_npz(
    file: &mut (impl Read + Seek),
    memory: u64,
    progress: &mut Progress,
) -> Result<Graph, FileError> {
    check_directory_len(file)?;
    let mut archive = ZipArchive::new(file)?;
    check_layout(&mut archive)?;
    let setup = read_setup(&mut archive)?;
    let counts = Counts::of(setup, progress).map_err(TableError::from)?;
    // A file of another size is refused before a graph is made to compare it with.
    let found = member(&mut archive, "actions.npy")?.size();
    if u128::from(found).checked_sub(counts.transitions).is_none_or(|rest| rest > 256) {
        let error = ArrayError::Transitions { found, setup, expected: counts.transitions };
        return Err(FileError::array("actions.npy", error));
    }
    let (graph, solution) = match archive.index_for_name("value.npy") {
        Some(_) => {
            let (graph, solution) = Graph::with_solution(setup, &counts, memory, progress)?;
            (graph, Some(solution))
        }
        None => (Graph::with_counts(setup, &counts, memory, progress)?, None),
    };
    let arrays = arrays(&graph, solution.as_ref());
    for name in archive.file_names_raw() {
        if !arrays.iter().any(|array| array.file_name().as_bytes() == name) {
            return Err(FileError::Foreign(String::from_utf8_lossy(name).into_owned()));
        }
    }
    let total = arrays.iter().map(|array| array.rows as u64).sum();
    let mut meter = ProgressTicker::new("checking", total, 0, progress);
    let mut done = 0;
    for array in &arrays {
        check_array(&mut archive, array, |rows| {
            done += rows as u64;
            Ok(meter.at(done).map_err(TableError::from)?)
        })?;
    }
    drop(arrays);
    Ok(graph)
}

/// Refuses an archive whose end gives its directory another length: Python finds the members by it,
/// and the crate does not compare it. An archive in the 64-bit form has it elsewhere.
fn check_directory_len(file: &mut (impl Read + Seek)) -> Result<(), FileError> {
    const END: u64 = 22;
    const ELSEWHERE: u32 = u32::MAX;
    let file_len = file.seek(SeekFrom::End(0)).map_err(ZipError::Io)?;
    let Some(at) = file_len.checked_sub(END) else { return Ok(()) };
    let mut end = [0; END as usize];
    file.seek(SeekFrom::Start(at)).map_err(ZipError::Io)?;
    file.read_exact(&mut end).map_err(ZipError::Io)?;
    let number = |at: usize| u32::from_le_bytes([end[at], end[at + 1], end[at + 2], end[at + 3]]);
    let (len, start) = (number(12), number(16));
    match end.starts_with(b"PK\x05\x06") && len != ELSEWHERE && start != ELSEWHERE {
        true if u64::from(start) + u64::from(len) != at => Err(FileError::Gaps),
        _ => Ok(()),
    }
}

/// Refuses an archive whose parts contradict each other, or with bytes that belong to no member.
fn check_layout(archive: &mut ZipArchive<impl Read + Seek>) -> Result<(), FileError> {
    archive.validate_header_consistency()?;
    let mut spans = Vec::new();
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index)?;
        if member.compression() != CompressionMethod::Stored {
            let name = String::from_utf8_lossy(member.name_raw()).into_owned();
            return Err(FileError::Array { name, error: ArrayError::Compressed });
        }
        let end = member.data_start().and_then(|start| start.checked_add(member.size()));
        spans.push((member.header_start(), end.ok_or(FileError::Gaps)?));
    }
    spans.sort_unstable();
    let reached = spans.into_iter().try_fold(0, |at, (from, to)| (at == from).then_some(to));
    match reached == Some(archive.central_directory_start()) && archive.comment().is_empty() {
        true => Ok(()),
        false => Err(FileError::Gaps),
    }
}

fn member<'a, R: Read + Seek>(
    archive: &'a mut ZipArchive<R>,
    name: &str,
) -> Result<zip::read::ZipFile<'a, R>, FileError> {
    archive.by_name(name).map_err(|error| match error {
        ZipError::FileNotFound => FileError::Missing(name.to_owned()),
        error => FileError::Archive(error),
    })
}

fn check_array(
    archive: &mut ZipArchive<impl Read + Seek>,
    array: &Array<'_>,
    mut checked: impl FnMut(usize) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let name = array.file_name();
    let wrong = |error| FileError::array(&name, error);
    let mut body = member(archive, &name)?;
    let (found, head_len) = read_header(&mut body).map_err(wrong)?;
    let expected = array.describe();
    if found != expected {
        return Err(wrong(ArrayError::Header { found, expected }));
    }
    if body.size() != head_len as u64 + array.rows as u64 * array.width() as u64 {
        return Err(wrong(ArrayError::Length));
    }
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for rows in chunks(array.rows) {
        expected.clear();
        (array.fill)(rows.clone(), &mut expected);
        found.resize(expected.len(), 0);
        body.read_exact(&mut found).map_err(|_| wrong(ArrayError::EndsEarly))?;
        if let Some(at) = expected.iter().zip(&found).position(|(a, b)| a != b) {
            return Err(wrong(ArrayError::Row(rows.start + at / array.width())));
        }
        checked(rows.len())?;
    }
    // The sum is compared when the end is read.
    match body.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) | Err(_) => Err(wrong(ArrayError::Checksum)),
    }
}

/// The setup's text, the only array that says what the others must be.
fn read_setup(archive: &mut ZipArchive<impl Read + Seek>) -> Result<Setup, FileError> {
    let mut body = member(archive, "setup.npy")?;
    let wrong = |error| FileError::array("setup.npy", error);
    if body.size() > 1024 {
        return Err(wrong(ArrayError::TooLong));
    }
    read_header(&mut body).map_err(wrong)?;
    // What its sum says is compared later, with all others.
    let mut text = vec![0; 1024];
    let len = body.read(&mut text).map_err(|_| wrong(ArrayError::EndsEarly))?;
    let text = String::from_utf8_lossy(&text[..len]);
    text.trim_end_matches('\0').parse().map_err(|error| wrong(ArrayError::Setup(error)))
}

/// The dictionary of an array's header, without blanks, and the bytes of the whole header.
fn read_header(body: &mut impl Read) -> Result<(String, usize), ArrayError> {
    let mut head = [0; 10];
    body.read_exact(&mut head).map_err(|_| ArrayError::EndsEarly)?;
    if &head[..8] != MAGIC {
        return Err(ArrayError::NoArray);
    }
    let mut header = vec![0; u16::from_le_bytes([head[8], head[9]]).into()];
    body.read_exact(&mut header).map_err(|_| ArrayError::EndsEarly)?;
    let text = String::from_utf8_lossy(&header).split_whitespace().collect();
    Ok((text, head.len() + header.len()))
}

/// Why a file is no graph.
#[derive(Debug)]
pub enum FileError {
    /// It is no npz file, or a damaged one.
    Archive(ZipError),
    /// There are bytes in it that belong to no array.
    Gaps,
    /// An array is missing.
    Missing(String),
    /// A member is no array of a graph.
    Foreign(String),
    /// An array is not what the rules give.
    Array {
        /// The array's file.
        name: String,
        /// What is wrong with it.
        error: ArrayError,
    },
    /// It could not be checked.
    Table(TableError),
}

/// What is wrong with an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArrayError {
    /// It is compressed; only stored arrays are read.
    Compressed,
    /// It is longer than a setup.
    TooLong,
    /// It ends before what its header announces.
    EndsEarly,
    /// It does not start as numpy's arrays do.
    NoArray,
    /// Its type or shape is another.
    Header {
        /// The header's dictionary.
        found: String,
        /// The one that the rules ask for.
        expected: String,
    },
    /// Its length is not the one that its header says.
    Length,
    /// The first row that differs.
    Row(usize),
    /// The checksum does not match.
    Checksum,
    /// It is no setup.
    Setup(SetupError),
    /// It has another number of transitions than the setup.
    Transitions {
        /// The bytes of the array.
        found: u64,
        /// The file's setup.
        setup: Setup,
        /// The transitions of that setup.
        expected: u128,
    },
}

impl FileError {
    fn array(name: &str, error: ArrayError) -> Self {
        Self::Array { name: name.to_owned(), error }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => return write!(f, "cannot be checked: {error}"),
            _ => f.write_str("not a valid graph file: ")?,
        }
        match self {
            Self::Archive(error) => write!(f, "it is no npz file, or damaged: {error}"),
            Self::Gaps => f.write_str("it has bytes that belong to no array"),
            Self::Missing(name) => write!(f, "{name} is missing"),
            Self::Foreign(name) => write!(f, "{name:.40} does not belong in it"),
            Self::Array { name, error } => write!(f, "{name:.40} {error}"),
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed => f.write_str("is compressed: only stored arrays are read"),
            Self::TooLong => f.write_str("is too long"),
            Self::EndsEarly => f.write_str("ends too early"),
            Self::NoArray => f.write_str("is no numpy array"),
            Self::Header { found, expected } => write!(f, "is {found:.80}, expected {expected}"),
            Self::Length => f.write_str("has not the length that its header says"),
            Self::Row(row) => write!(f, "is not what the rules give, first in row {row}"),
            Self::Checksum => f.write_str("has a wrong checksum"),
            Self::Setup(error) => write!(f, "is no setup: {error}"),
            Self::Transitions { found, setup, expected } => {
                write!(f, "has {found} bytes, but {setup} has {expected} transitions")
            }
        }
    }
}

impl Error for FileError {}

impl From<ZipError> for FileError {
    fn from(error: ZipError) -> Self {
        Self::Archive(error)
    }
}

impl From<TableError> for FileError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solution;
    use crate::export::{Format, write};
    use crate::without_progress;
    use game::Random;
    use std::io::Cursor;

    fn file(setup: &str, values: bool) -> Vec<u8> {
        let setup = setup.parse().unwrap();
        let graph = Graph::new(setup, u64::MAX, &mut without_progress).unwrap();
        let solution = Solution::new(setup, u64::MAX, &mut without_progress).unwrap();
        let mut out = Cursor::new(Vec::new());
        let solution = values.then_some(&solution);
        write(&graph, solution, Format::Npz, &mut out, &mut without_progress).unwrap();
        out.into_inner()
    }

    fn check(bytes: &[u8]) -> Result<Graph, String> {
        check_npz(&mut Cursor::new(bytes), 1 << 20, &mut without_progress)
            .map_err(|e| e.to_string())
    }

    #[test]
    fn what_is_written_is_valid() {
        for (setup, values) in [("1x1", false), ("2x2", true), ("2x2 older", true), ("2x3", false)]
        {
            let graph = check(&file(setup, values)).unwrap();
            assert_eq!(graph.setup().to_string(), setup);
        }
    }

    #[test]
    fn a_damaged_file_gets_a_clear_error_and_never_a_panic() {
        let whole = file("2x2", true);
        let mut random = Random::new(9);
        let mut unnoticed = 0;
        for _ in 0..4_000 {
            let mut bytes = whole.clone();
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] ^= 1 << random.below(8);
            unnoticed += usize::from(check(&bytes).is_ok());
        }
        // Dates, versions and attributes in the archive's headers mean nothing here.
        assert!(unnoticed < 120, "{unnoticed}");
        for len in (0..whole.len()).step_by(97) {
            assert!(check(&whole[..len]).is_err());
        }
        let mut ends = whole.clone();
        for at in whole.len() - 1200..whole.len() {
            for byte in [0, 0x7f, 0xff] {
                ends[at] = byte;
                let _ = check(&ends);
                ends[at] = whole[at];
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |bytes: &[u8]| check(bytes).err().unwrap_or_default();
        assert!(error(b"").contains("it is no npz file"));
        assert!(error(&[7; 100]).contains("it is no npz file"));
        let whole = file("2x2", false);
        let at = |needle: &[u8]| whole.windows(needle.len()).position(|w| w == needle).unwrap();
        let mut other = whole.clone();
        other[at(b"2x2")] = b'3';
        assert!(error(&other).contains("but 3x2 has 30168 transitions"), "{}", error(&other));
        other[at(b"2x2")] = b'9';
        assert!(error(&other).contains("but 9x2"), "{}", error(&other));
        other[at(b"2x2")] = b'x';
        assert!(error(&other).contains("is no setup"), "{}", error(&other));
        let whole = file("2x2", true);
        let renamed = |places: usize| {
            let mut other = whole.clone();
            for _ in 0..places {
                let at = other.windows(11).position(|w| w == b"rewards.npy").unwrap();
                other[at..at + 11].copy_from_slice(b"actions.npy");
            }
            error(&other)
        };
        assert!(renamed(1).contains("header inconsistency"), "{}", renamed(1));
        assert!(renamed(2).contains("duplicate file names"), "{}", renamed(2));
        let changed = |back: usize, byte: u8| {
            let mut other = whole.clone();
            let at = other.len() - back;
            other[at] ^= byte;
            error(&other)
        };
        // The disks, the members, the directory's length and place, the comment's length.
        for back in [18, 16, 14, 12, 10, 9, 6, 5, 2] {
            assert!(changed(back, 1).contains("not a valid graph file"), "{back}");
        }
        let local = at(b"states.npy");
        // The local header's sum and its sizes.
        for place in [14, 30 + 10 + 4] {
            let mut other = whole.clone();
            other[local - 30 + place] ^= 1;
            assert!(error(&other).contains("damaged: "), "{place}: {}", error(&other));
        }
        let enough = check_npz(&mut Cursor::new(&whole), 1 << 20, &mut without_progress);
        assert!(enough.is_ok());
        let counts = Counts::of("2x2".parse().unwrap(), &mut without_progress).unwrap();
        let graph_alone = Graph::bytes("2x2".parse().unwrap(), &counts) as u64;
        let refused = check_npz(&mut Cursor::new(&whole), graph_alone, &mut without_progress);
        let refused = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused.contains("the graph with its values"), "{refused}");
        let mut other = whole.clone();
        let states = at(b"states.npy") + 300;
        other[states] ^= 1;
        assert!(error(&other).contains("states.npy is not what the rules give, first in row"));
    }
}
