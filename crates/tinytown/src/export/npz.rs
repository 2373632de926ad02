//! The graph as numpy arrays, written and checked.
//!
//! One list of arrays serves both: a file is checked by making again what should be in it.

use super::zip::{self, Member, Summed, ZipWriter};
use super::{WriteError, tell};
use crate::progress::{Meter, Progress};
use crate::{Counts, Graph, Phase, Setup, Solution, Unfit};
use std::error::Error;
use std::fmt;
use std::io::{Read, Seek, Write};
use std::ops::Range;

/// Writes the arrays of a graph, with those of its values if they are given.
pub(super) fn write(
    graph: &Graph,
    solution: Option<&Solution>,
    out: &mut (impl Write + Seek),
    progress: &mut Progress,
) -> Result<(), WriteError> {
    let arrays = arrays(graph, solution);
    let total = arrays.iter().map(|array| array.rows).sum();
    let mut done = 0;
    let mut zip = ZipWriter::new(out);
    for array in &arrays {
        let header = array.header();
        let len = header.len() as u64 + array.rows as u64 * array.width() as u64;
        zip.member(&array.file_name(), len, |body| {
            body.write_all(&header)?;
            let mut bytes = Vec::new();
            for rows in chunks(array.rows) {
                tell(progress, done, total)?;
                done += rows.len();
                bytes.clear();
                (array.fill)(rows, &mut bytes);
                body.write_all(&bytes)?;
            }
            Ok::<(), WriteError>(())
        })?;
    }
    Ok(zip.finish()?)
}

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
    let members = zip::directory(file)?;
    let setup = read_setup(file, &members)?;
    let counts = Counts::of(setup, progress).map_err(Unfit::from)?;
    // A file of another size is refused before a graph is made to compare it with.
    let actions = find(&members, "actions.npy")?;
    if u128::from(actions.len).checked_sub(counts.transitions).is_none_or(|rest| rest > 256) {
        let (found, expected) = (actions.len, counts.transitions);
        let reason =
            format!("actions.npy has {found} bytes, but {setup} has {expected} transitions");
        return Err(FileError::Wrong(reason));
    }
    let with_values = members.iter().any(|member| member.name == "value.npy");
    let (graph, solution) = match with_values {
        true => {
            let (graph, solution) = Graph::with_solution(setup, &counts, memory, progress)?;
            (graph, Some(solution))
        }
        false => (Graph::with_counts(setup, &counts, memory, progress)?, None),
    };
    let arrays = arrays(&graph, solution.as_ref());
    for member in &members {
        if !arrays.iter().any(|array| array.file_name() == member.name) {
            return Err(FileError::Wrong(format!("{:.40} does not belong in it", member.name)));
        }
    }
    let total = arrays.iter().map(|array| array.rows as u64).sum();
    let mut meter = Meter::new("checking", total, 0, progress);
    let mut done = 0;
    for array in &arrays {
        check_array(file, find(&members, &array.file_name())?, array, |rows| {
            done += rows as u64;
            Ok(meter.at(done).map_err(Unfit::from)?)
        })?;
    }
    drop(arrays);
    Ok(graph)
}

fn find<'a>(members: &'a [Member], name: &str) -> Result<&'a Member, FileError> {
    let found = members.iter().find(|member| member.name == name);
    found.ok_or_else(|| FileError::Wrong(format!("{name} is missing")))
}

fn check_array(
    file: &mut (impl Read + Seek),
    member: &Member,
    array: &Array,
    mut checked: impl FnMut(usize) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let name = &member.name;
    let wrong = |reason: &str| FileError::Wrong(format!("{name} {reason}"));
    member.open(file)?;
    let mut body = Summed::new(file);
    let header = read_header(&mut body).map_err(|reason| wrong(&reason))?;
    let expected = array.describe();
    if header != expected {
        return Err(wrong(&format!("is {header:.80}, expected {expected}")));
    }
    if member.len != body.len + array.rows as u64 * array.width() as u64 {
        return Err(wrong("has not the length that its header says"));
    }
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for rows in chunks(array.rows) {
        expected.clear();
        (array.fill)(rows.clone(), &mut expected);
        found.resize(expected.len(), 0);
        body.read_exact(&mut found).map_err(|_| wrong("ends too early"))?;
        if let Some(at) = expected.iter().zip(&found).position(|(a, b)| a != b) {
            let row = rows.start + at / array.width();
            return Err(wrong(&format!("is not what the rules give, first in row {row}")));
        }
        checked(rows.len())?;
    }
    if !member.is_sum(body.crc()) {
        return Err(wrong("has a wrong checksum"));
    }
    Ok(())
}

/// The setup's text, the only array that says what the others must be.
fn read_setup(file: &mut (impl Read + Seek), members: &[Member]) -> Result<Setup, FileError> {
    let member = find(members, "setup.npy")?;
    let wrong = |reason: &str| FileError::Wrong(format!("setup.npy {reason}"));
    member.open(file)?;
    if member.len > 1024 {
        return Err(wrong("is too long"));
    }
    let mut bytes = vec![0; member.len as usize];
    file.read_exact(&mut bytes).map_err(|_| wrong("ends too early"))?;
    let mut rest = bytes.as_slice();
    read_header(&mut rest).map_err(|reason| wrong(&reason))?;
    let text = String::from_utf8_lossy(rest);
    text.trim_end_matches('\0').parse().map_err(|error| wrong(&format!("is no setup: {error}")))
}

/// The dictionary of an array's header, without blanks.
fn read_header(body: &mut impl Read) -> Result<String, String> {
    let mut head = [0; 10];
    body.read_exact(&mut head).map_err(|_| "ends too early")?;
    if &head[..8] != MAGIC {
        return Err("is no numpy array".to_owned());
    }
    let mut header = vec![0; u16::from_le_bytes([head[8], head[9]]).into()];
    body.read_exact(&mut header).map_err(|_| "ends too early")?;
    Ok(String::from_utf8_lossy(&header).split_whitespace().collect())
}

/// One array: what it is called, how it looks, and its bytes by rows.
struct Array<'a> {
    name: &'static str,
    /// Numpy's name of the type.
    kind: String,
    bytes: usize,
    rows: usize,
    /// Entries in a row; `None` for an array of one dimension.
    cols: Option<usize>,
    /// Appends the bytes of some rows.
    fill: Fill<'a>,
}

type Fill<'a> = Box<dyn Fn(Range<usize>, &mut Vec<u8>) + 'a>;

const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

impl<'a> Array<'a> {
    fn new<const N: usize>(
        name: &'static str,
        kind: &str,
        rows: usize,
        entry: impl Fn(usize) -> [u8; N] + 'a,
    ) -> Self {
        let fill = move |rows: Range<usize>, out: &mut Vec<u8>| {
            for row in rows {
                out.extend_from_slice(&entry(row));
            }
        };
        let kind = kind.to_owned();
        Self { name, kind, bytes: N, rows, cols: None, fill: Box::new(fill) }
    }

    /// Ids and offsets: 32 bits where they fit, since scipy wants both of one signed type.
    fn index(
        name: &'static str,
        wide: bool,
        rows: usize,
        entry: impl Fn(usize) -> u32 + 'a,
    ) -> Self {
        match wide {
            false => Self::new(name, "<i4", rows, move |row| entry(row).to_le_bytes()),
            true => Self::new(name, "<i8", rows, move |row| u64::from(entry(row)).to_le_bytes()),
        }
    }

    fn file_name(&self) -> String {
        format!("{}.npy", self.name)
    }

    /// The bytes of a row.
    fn width(&self) -> usize {
        self.bytes * self.cols.unwrap_or(1)
    }

    /// The dictionary of the header, without blanks.
    fn describe(&self) -> String {
        self.dictionary().split_whitespace().collect()
    }

    fn dictionary(&self) -> String {
        let shape = match (self.cols, self.kind.starts_with("|S")) {
            (_, true) => "()".to_owned(),
            (None, _) => format!("({},)", self.rows),
            (Some(cols), _) => format!("({}, {cols})", self.rows),
        };
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", self.kind)
    }

    fn header(&self) -> Vec<u8> {
        let mut text = self.dictionary();
        // Numpy wants the data to start at a multiple of 64, after a line end.
        let filler = 63 - (MAGIC.len() + 2 + text.len()) % 64;
        text.extend(std::iter::repeat_n(' ', filler));
        text.push('\n');
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes
    }
}

/// The arrays of a graph, in the order of the file.
fn arrays<'a>(graph: &'a Graph, solution: Option<&'a Solution>) -> Vec<Array<'a>> {
    let (states, edges) = (graph.states(), graph.transitions());
    let wide = states.max(edges) > i32::MAX as usize;
    let setup = graph.setup().to_string().into_bytes();
    let cells = graph.setup().size.cells();
    let mut arrays = vec![
        Array {
            name: "setup",
            kind: format!("|S{}", setup.len()),
            bytes: setup.len(),
            rows: 1,
            cols: None,
            fill: Box::new(move |_, out| out.extend_from_slice(&setup)),
        },
        Array {
            name: "states",
            kind: "|u1".to_owned(),
            bytes: 1,
            rows: states,
            cols: Some(cells + 1),
            fill: Box::new(|rows, out| {
                for id in rows {
                    let town = graph.state(id as u32);
                    out.extend(town.cells());
                    out.push(u8::from(town.phase() == Phase::Building));
                }
            }),
        },
        Array::index("indptr", wide, states + 1, |row| graph.starts()[row]),
        Array::index("indices", wide, edges, |row| graph.targets()[row]),
        Array::new("actions", "|u1", edges, |row| [graph.actions()[row]]),
        Array::new("rewards", "|i1", edges, |row| graph.rewards()[row].to_le_bytes()),
    ];
    if let Some(solution) = solution {
        let of = move |row: usize| solution.of_rank(graph.rank(row as u32));
        arrays.extend([
            Array::new("value", "|i1", states, move |row| of(row).0.to_le_bytes()),
            Array::new("uniform_value", "<f8", states, move |row| of(row).1.to_le_bytes()),
            Array::new("shortest", "|u1", states, move |row| [of(row).2]),
            Array::new("longest", "|u1", states, move |row| [of(row).3]),
            Array {
                name: "optimal",
                kind: "|b1".to_owned(),
                bytes: 1,
                rows: edges,
                cols: None,
                fill: Box::new(move |rows, out| fill_optimal(graph, solution, rows, out)),
            },
        ]);
    }
    arrays
}

/// Whether each edge is one that perfect play may take.
fn fill_optimal(graph: &Graph, solution: &Solution, rows: Range<usize>, out: &mut Vec<u8>) {
    let starts = graph.starts();
    let mut source = starts.partition_point(|start| *start as usize <= rows.start) - 1;
    for edge in rows {
        while starts[source + 1] as usize <= edge {
            source += 1;
        }
        let value = |id: u32| solution.of_rank(graph.rank(id)).0;
        let then = value(graph.targets()[edge]) + graph.rewards()[edge];
        out.push(u8::from(then == value(source as u32)));
    }
}

/// Rows in handfuls: large enough to be quick, small enough to need no memory.
fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    const ROWS: usize = 1 << 12;
    (0..rows.div_ceil(ROWS)).map(move |chunk| chunk * ROWS..rows.min((chunk + 1) * ROWS))
}

/// Why a file is no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// It is damaged, or not one of these files.
    Wrong(String),
    /// It could not be checked.
    Unfit(Unfit),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(reason) => write!(f, "not a valid graph file: {reason}"),
            Self::Unfit(unfit) => write!(f, "cannot be checked: {unfit}"),
        }
    }
}

impl Error for FileError {}

impl From<String> for FileError {
    fn from(reason: String) -> Self {
        Self::Wrong(reason)
    }
}

impl From<Unfit> for FileError {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Format, write};
    use crate::unwatched;
    use game::Random;
    use std::io::Cursor;

    fn file(setup: &str, values: bool) -> Vec<u8> {
        let setup = setup.parse().unwrap();
        let graph = Graph::new(setup, u64::MAX, &mut unwatched).unwrap();
        let solution = Solution::new(setup, u64::MAX, &mut unwatched).unwrap();
        let mut out = Cursor::new(Vec::new());
        let solution = values.then_some(&solution);
        write(&graph, solution, Format::Npz, &mut out, &mut unwatched).unwrap();
        out.into_inner()
    }

    fn check(bytes: &[u8]) -> Result<Graph, String> {
        check_npz(&mut Cursor::new(bytes), 1 << 20, &mut unwatched).map_err(|e| e.to_string())
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
        assert!(renamed(1).contains("another name"), "{}", renamed(1));
        assert!(renamed(2).contains("actions.npy is in it twice"), "{}", renamed(2));
        let changed = |back: usize, byte: u8| {
            let mut other = whole.clone();
            let at = other.len() - back;
            other[at] ^= byte;
            error(&other)
        };
        // The disks, the directory's length and place, the locator's disks.
        for back in [18, 16, 22 + 20 + 56 - 16, 22 + 20 + 56 - 40, 22 + 20 + 56 - 48, 22 + 4] {
            assert!(changed(back, 1).contains("not a valid graph file"), "{back}");
        }
        let local = at(b"states.npy");
        for (place, what) in [(14, "sum"), (30 + 10 + 4, "sizes"), (30 + 10 + 2, "extra fields")] {
            let mut other = whole.clone();
            other[local - 30 + place] ^= 1;
            assert!(error(&other).contains(what), "{place}: {}", error(&other));
        }
        let enough = check_npz(&mut Cursor::new(&whole), 1 << 20, &mut unwatched);
        assert!(enough.is_ok());
        let counts = Counts::of("2x2".parse().unwrap(), &mut unwatched).unwrap();
        let graph_alone = Graph::bytes("2x2".parse().unwrap(), &counts) as u64;
        let refused = check_npz(&mut Cursor::new(&whole), graph_alone, &mut unwatched);
        let refused = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused.contains("the graph with its values"), "{refused}");
        let mut other = whole.clone();
        let states = at(b"states.npy") + 300;
        other[states] ^= 1;
        assert!(error(&other).contains("states.npy is not what the rules give, first in row"));
    }
}
