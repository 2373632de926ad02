//! The graph as numpy arrays: which there are, and how they are written.
//!
//! The same list serves [`check`](super::check): a file is checked by making again what should be
//! in it.

use super::{WriteError, tell};
use crate::progress::Progress;
use crate::{Graph, Phase, Solution};
use std::io::{self, Seek, Write};
use std::ops::Range;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes the arrays of a graph, with those of its values if they are given.
pub(super) fn write(
    graph: &Graph,
    solution: Option<&Solution>,
    out: &mut (impl Write + Seek),
    progress: &mut Progress,
) -> Result<(), WriteError> {
    let mut zip = ZipWriter::new(&mut *out);
    if let Err(error) = write_arrays(&arrays(graph, solution), &mut zip, progress) {
        // Dropped, it would end the archive, and print an error of its own if that fails too.
        std::mem::forget(zip);
        return Err(error);
    }
    zip.finish().map_err(io::Error::from)?;
    Ok(out.flush()?)
}

fn write_arrays(
    arrays: &[Array<'_>],
    zip: &mut ZipWriter<impl Write + Seek>,
    progress: &mut Progress,
) -> Result<(), WriteError> {
    // Stored, so that numpy can map it; always of one date, so that the same graph gives the same
    // file; sizes in 64 bits, since the largest graphs need them.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(true);
    let total = arrays.iter().map(|array| array.rows).sum();
    let (mut done, mut bytes) = (0, Vec::new());
    for array in arrays {
        zip.start_file(array.file_name(), options).map_err(io::Error::from)?;
        zip.write_all(&array.header())?;
        for rows in chunks(array.rows) {
            tell(progress, done, total)?;
            done += rows.len();
            bytes.clear();
            (array.fill)(rows, &mut bytes);
            zip.write_all(&bytes)?;
        }
    }
    Ok(())
}

/// One array: what it is called, how it looks, and its bytes by rows.
pub(super) struct Array<'a> {
    name: &'static str,
    /// Numpy's name of the type.
    kind: String,
    bytes: usize,
    pub(super) rows: usize,
    /// Entries in a row; `None` for an array of one dimension.
    cols: Option<usize>,
    /// Appends the bytes of some rows.
    pub(super) fill: Fill<'a>,
}

type Fill<'a> = Box<dyn Fn(Range<usize>, &mut Vec<u8>) + 'a>;

pub(super) const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

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

    pub(super) fn file_name(&self) -> String {
        format!("{}.npy", self.name)
    }

    /// The bytes of a row.
    pub(super) fn width(&self) -> usize {
        self.bytes * self.cols.unwrap_or(1)
    }

    /// The dictionary of the header, without blanks.
    pub(super) fn describe(&self) -> String {
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
pub(super) fn arrays<'a>(graph: &'a Graph, solution: Option<&'a Solution>) -> Vec<Array<'a>> {
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
pub(super) fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    const ROWS: usize = 1 << 12;
    (0..rows.div_ceil(ROWS)).map(move |chunk| chunk * ROWS..rows.min((chunk + 1) * ROWS))
}
