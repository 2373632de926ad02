//! Numbers of cities, roads and fields that can still grow. Most of them follow from the tiles and the bag alone
//! and are kept while only meeples and scores differ.

use super::fits::LOGS;
use super::key::Key;
use super::survey::{Entry, NOT_MADE, Survey};
use super::{BESIDE_INPUTS, Numbers};
use carcassonne::{Edition, Position, Terrain};

/// How many numbers of a feature, from the first on, follow from the tiles and the bag; the points, which
/// are among them, are left out.
const TILE_NUMBERS: usize = 15;

/// What the tiles and the bag say of something that can grow.
pub(super) struct TileNumbers {
    numbers: [f32; TILE_NUMBERS],
    /// What tiles beside its open cells may do, for nets that are told.
    pub(super) beside: [f32; BESIDE_INPUTS],
    pub(super) key: Key,
}

impl TileNumbers {
    fn of<E: Edition>(survey: &Survey<E>, game: &Position<E>, entry: &Entry) -> Self {
        let numbers = match entry.terrain {
            Terrain::Field => of_field(survey, game, entry),
            _ => of_city_or_road(game, entry),
        };
        let key = Key::default().with_all(&numbers);
        match survey.sees_threats {
            true => {
                let beside = entry.beside.inputs(game.tiles_left() as f32);
                Self { numbers, beside, key: key.with_all(&beside) }
            }
            false => Self { numbers, beside: [0.0; BESIDE_INPUTS], key },
        }
    }

    /// Writes them to their places.
    pub(super) fn write(&self, x: &mut Numbers) {
        x[..TILE_NUMBERS].copy_from_slice(&self.numbers);
    }
}

impl<E: Edition> Survey<E> {
    /// Where the numbers of an entry are; they are made when they are first asked for.
    #[inline]
    pub(super) fn tile_numbers(&mut self, game: &Position<E>, at: usize) -> usize {
        let known = self.entries[at].numbers;
        if known != NOT_MADE {
            return known.into();
        }
        let (numbers, place) = (TileNumbers::of(self, game, &self.entries[at]), self.numbers.len());
        self.entries[at].numbers = place as u16;
        self.numbers.push(numbers);
        place
    }
}

fn of_city_or_road<E: Edition>(game: &Position<E>, entry: &Entry) -> [f32; TILE_NUMBERS] {
    let mut x = [0.0; TILE_NUMBERS];
    let counts = game.counts(entry.feature);
    let finished = game.points_finished(entry.terrain, entry.feature);
    let left = game.tiles_left() as f32;
    x[0] = f32::from(counts.tiles()) / 8.0;
    x[1] = f32::from(counts.pennants()) / 3.0;
    x[3] = f32::from(finished) / 10.0;
    x[5] = f32::from(counts.open_sides()) / 4.0;
    of_cells(entry, &mut x);
    x[10] = entry.all_close;
    x[11] = LOGS[entry.most_close as usize & 127];
    x[12] = LOGS[entry.least_close as usize & 127];
    x[13] = if entry.cells == 1 { f32::from(entry.sum_close) / left } else { 0.0 };
    x[14] = f32::from(entry.sum_close) / left;
    x
}

fn of_field<E: Edition>(
    survey: &Survey<E>,
    game: &Position<E>,
    entry: &Entry,
) -> [f32; TILE_NUMBERS] {
    let mut x = [0.0; TILE_NUMBERS];
    let (mut finished, mut open, mut likely, mut nearly, mut hopeless) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (city, counts) in game.cities_of(entry.feature) {
        if counts.open_sides() == 0 {
            finished += 1.0;
            continue;
        }
        open += 1.0;
        if let Some(city) = survey.place_of(city).map(|at| &survey.entries[at]) {
            likely += city.all_close;
            nearly += f32::from(u8::from(city.cells == 1));
            hopeless += f32::from(u8::from(city.dead_cells > 0));
        }
    }
    x[0] = finished / 4.0;
    x[1] = open / 4.0;
    x[3] = likely / 2.0;
    of_cells(entry, &mut x);
    x[4] = f32::from(entry.cells) / 8.0;
    x[10] = nearly / 2.0;
    x[11] = hopeless / 2.0;
    x
}

/// The numbers that open cells give.
fn of_cells(entry: &Entry, x: &mut [f32; TILE_NUMBERS]) {
    x[4] = f32::from(entry.cells) / 4.0;
    x[6] = f32::from(entry.dead_cells.min(2));
    x[7] = LOGS[entry.least_fit as usize & 127];
    x[8] = entry.sum_log_fit / f32::from(entry.cells.max(1));
    x[9] = entry.all_fit;
}
