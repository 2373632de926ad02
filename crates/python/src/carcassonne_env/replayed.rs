//! Games that were stored as numbers, played again into arrays: what each decision saw.

use super::{playable, read_setup};
use crate::arrays::{Cut, cut, listed, open_given};
use crate::errors::value_error;
use crate::numbers;
use crate::pool::Pool;
use carcassonne::tensor::{Numbering, Tensors, TensorsV1, TensorsV2, Version};
use carcassonne::{AllSets, Base, Edition, Move, Options, Position, Tile};
use game::{Game, Turn, ignore};
use numpy::{PyArrayDyn, PyReadonlyArray1};
use pyo3::prelude::*;

/// One game: its numbers, and a row of every array for each of its decisions.
struct Job<'a> {
    game: usize,
    numbers: &'a [i32],
    compact: Option<&'a mut [i16]>,
    planes: Option<&'a mut [u8]>,
    globals: Option<&'a mut [i16]>,
    mask: Option<&'a mut [i8]>,
    decisions: usize,
    failure: Option<String>,
}

/// Plays stored games again and writes what each decision saw, on all cores.
///
/// `history` are the numbers of all games (`CarcassonneState.history`), those of game i from
/// `offsets[i]`; its decisions have the rows from `rows[i]` of every array that is given.
#[pyfunction]
#[pyo3(signature = (setup, tensors, history, offsets, rows, *, compact=None, planes=None,
                    globals=None, mask=None, threads=None))]
#[allow(clippy::too_many_arguments, reason = "they are named where they are written, in Python")]
pub(crate) fn replay_into<'py>(
    py: Python<'py>,
    setup: &str,
    tensors: Option<&str>,
    history: PyReadonlyArray1<'py, i32>,
    offsets: PyReadonlyArray1<'py, i64>,
    rows: PyReadonlyArray1<'py, i64>,
    compact: Option<Bound<'py, PyArrayDyn<i16>>>,
    planes: Option<Bound<'py, PyArrayDyn<u8>>>,
    globals: Option<Bound<'py, PyArrayDyn<i16>>>,
    mask: Option<Bound<'py, PyArrayDyn<i8>>>,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
) -> PyResult<()> {
    let setup = read_setup(setup)?;
    let numbering = playable(&setup, tensors)?;
    let (version, players) = (numbering.version(), setup.rules().players());
    let (history, offsets, rows) = (listed(&history)?, listed(&offsets)?, listed(&rows)?);
    let (spans, counts) = (spans(offsets, history.len())?, lengths(rows)?);
    if spans.len() != counts.len() {
        let (games, found) = (spans.len(), counts.len());
        return Err(value_error(format!("rows: expected {games} games, found {found}")));
    }
    let total: usize = counts.iter().sum();
    let wide = version.plane_count(players) * numbering.cells();
    let open = |array: &Option<Bound<'py, PyArrayDyn<i16>>>, wide| {
        array.as_ref().map(|array| open_given(array, (total, wide))).transpose()
    };
    let mut compact = open(&compact, version.compact_len(players))?;
    let mut globals = open(&globals, version.globals_len(players))?;
    let mut planes = planes.map(|array| open_given(&array, (total, wide))).transpose()?;
    let mut mask =
        mask.map(|array| open_given(&array, (total, numbering.actions()))).transpose()?;
    let mut compact: Option<Cut<'_, i16>> = compact.as_mut().map(cut).transpose()?;
    let mut globals: Option<Cut<'_, i16>> = globals.as_mut().map(cut).transpose()?;
    let mut planes: Option<Cut<'_, u8>> = planes.as_mut().map(cut).transpose()?;
    let mut mask: Option<Cut<'_, i8>> = mask.as_mut().map(cut).transpose()?;
    let job = |(game, (span, decisions)): (usize, (std::ops::Range<usize>, usize))| Job {
        game,
        numbers: &history[span],
        compact: compact.as_mut().map(|rows| rows.next(decisions)),
        planes: planes.as_mut().map(|rows| rows.next(decisions)),
        globals: globals.as_mut().map(|rows| rows.next(decisions)),
        mask: mask.as_mut().map(|rows| rows.next(decisions)),
        decisions,
        failure: None,
    };
    let mut jobs: Vec<Job<'_>> = spans.into_iter().zip(counts).enumerate().map(job).collect();
    let mut pool = Pool::new(threads)?;
    let done = py.detach(|| {
        pool.each(&mut jobs, |job| {
            let played = match (setup.sets().is_empty(), version) {
                (true, Version::V1) => play::<Base, TensorsV1>(setup.rules(), numbering, job),
                (true, Version::V2) => play::<Base, TensorsV2>(setup.rules(), numbering, job),
                (false, _) => play::<AllSets, TensorsV2>(&setup, numbering, job),
            };
            job.failure = played.err();
        })
    });
    done.map_err(value_error)?;
    let failed = jobs.iter().find_map(|job| Some((job.game, job.failure.as_ref()?)));
    failed.map_or(Ok(()), |(game, reason)| Err(value_error(format!("game {game}: {reason}"))))
}

/// Where the numbers of each game are.
fn spans(offsets: &[i64], length: usize) -> PyResult<Vec<std::ops::Range<usize>>> {
    let lengths = lengths(offsets)?;
    if lengths.iter().sum::<usize>() != length {
        return Err(value_error(format!("offsets: expected to end with {length}")));
    }
    let mut start = 0;
    let span = |length| {
        let span = start..start + length;
        start = span.end;
        span
    };
    Ok(lengths.into_iter().map(span).collect())
}

/// The lengths between offsets that begin with 0 and never fall.
fn lengths(offsets: &[i64]) -> PyResult<Vec<usize>> {
    let wrong = || value_error("offsets: expected to begin with 0 and never to fall");
    if offsets.first() != Some(&0) {
        return Err(wrong());
    }
    let length = |pair: &[i64]| usize::try_from(pair[1] - pair[0]).map_err(|_| wrong());
    offsets.windows(2).map(length).collect()
}

/// Plays a game and writes what its decisions saw.
fn play<E: Edition, T: Tensors<E>>(
    setup: &E::Setup,
    numbering: Numbering,
    job: &mut Job<'_>,
) -> Result<(), String> {
    let (mut game, mut moves) = (Position::<E>::new(setup), Vec::new());
    // What changes from decision to decision is little: one row is kept up to date and copied.
    let (mut seen, mut done) = (T::default(), 0);
    let width = |array: usize| array.checked_div(job.decisions).unwrap_or_default();
    let mut compact = vec![0; width(job.compact.as_ref().map_or(0, |rows| rows.len()))];
    let mut planes = vec![0; width(job.planes.as_ref().map_or(0, |rows| rows.len()))];
    for (ply, number) in job.numbers.iter().enumerate() {
        let found = match game.turn() {
            Turn::Over => return Err(format!("move {ply}: the game is over")),
            Turn::Chance => {
                usize::try_from(*number).ok().and_then(Tile::of_any_set).map(Move::draw)
            }
            Turn::Player(viewer) => {
                if done == job.decisions {
                    return Err(format!("more than {done} decisions, which have rows"));
                }
                moves.clear();
                game.moves(&mut moves);
                if let Some(rows) = &mut job.compact {
                    seen.compact(&game, viewer, numbering, &mut compact);
                    rows[done * compact.len()..][..compact.len()].copy_from_slice(&compact);
                }
                if let Some(rows) = &mut job.planes {
                    seen.planes(&game, viewer, numbering, &moves, &mut planes);
                    rows[done * planes.len()..][..planes.len()].copy_from_slice(&planes);
                }
                if let Some(rows) = &mut job.globals {
                    let wide = rows.len() / job.decisions;
                    seen.globals(&game, viewer, &mut rows[done * wide..][..wide]);
                }
                if let Some(rows) = &mut job.mask {
                    let wide = numbering.actions();
                    let row = &mut rows[done * wide..][..wide];
                    row.fill(0);
                    for m in &moves {
                        if let Some(action) = numbering.number(*m) {
                            row[action as usize] = 1;
                        }
                    }
                }
                done += 1;
                u32::try_from(*number).ok().and_then(|number| numbering.action(number))
            }
        };
        let legal = found.filter(|m| game.is_legal(*m));
        let m = legal.ok_or_else(|| format!("move {ply}: {number} is not legal"))?;
        game.play_unchecked(m, ignore);
    }
    match done == job.decisions {
        true => Ok(()),
        false => Err(format!("{done} decisions for {} rows", job.decisions)),
    }
}
