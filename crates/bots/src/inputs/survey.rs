//! What can still grow, gathered from the open cells: it depends on the tiles and the bag alone.

use super::fits::{Fits, LOGS, UNKNOWN, half_to_the};
use super::growing::TileNumbers;
use carcassonne::{Cell, Constraint, Edition, FeatureId, Position, Side, Terrain};

/// The cities, roads and fields that can still grow.
pub(super) struct Survey<E: Edition> {
    pub(super) entries: Vec<Entry>,
    /// For each feature its place in `entries`, or [`NO_ENTRY`].
    entry_of: E::PerSegment<u16>,
    /// Pairs of entries of the same terrain that reach the same open cell.
    pub(super) links: Vec<Link>,
    pub(super) open_cells: u32,
    pub(super) dead_cells: u32,
    /// Whether the cells beside the open ones are looked at too: it takes time, and not every net sees threats.
    pub(super) sees_threats: bool,
    /// The numbers of those entries of which they were asked for.
    pub(super) numbers: Vec<TileNumbers>,
}

const NO_ENTRY: u16 = u16::MAX;
/// No place among the numbers.
pub(super) const NOT_MADE: u16 = u16::MAX;

/// Two entries of the same terrain that reach the same open cell.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) one: u16,
    pub(super) other: u16,
    constraint: Constraint,
    /// Where each of them reaches the cell, a bit for each place.
    places: (u16, u16),
    /// How many tiles of the bag would join them; [`UNKNOWN`] if not counted yet.
    joining: u8,
}

impl Link {
    /// How many tiles of the bag would join the two, which are counted when this is first asked for.
    #[inline]
    pub(super) fn joining<E: Edition>(&mut self, fits: &Fits<E>) -> u8 {
        if self.joining == UNKNOWN {
            self.joining = fits.join(self.constraint, self.places.0, self.places.1);
        }
        self.joining
    }
}

/// What tiles may do that are placed beside the open cells of an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Beside {
    /// How many of them bring the same terrain to such a cell, so that somebody else may come in.
    pub(super) near: u16,
    /// How many of them leave nothing that fits there.
    pub(super) kill: u16,
    /// Each of them counted as the part of the tiles that close it there which no longer do.
    pub(super) spoil: f32,
}

/// A city, road or field that can still grow, gathered from the open cells it reaches.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) feature: FeatureId,
    pub(super) terrain: Terrain,
    pub(super) cells: u8,
    pub(super) dead_cells: u8,
    pub(super) least_fit: u8,
    pub(super) sum_log_fit: f32,
    pub(super) all_fit: f32,
    pub(super) all_close: f32,
    pub(super) most_close: u8,
    pub(super) least_close: u8,
    pub(super) sum_close: u16,
    pub(super) beside: Beside,
    /// The place of its numbers, once they are made.
    pub(super) numbers: u16,
}

impl<E: Edition> Default for Survey<E> {
    fn default() -> Self {
        Self {
            entries: Vec::with_capacity(64),
            entry_of: carcassonne::Array::filled(NO_ENTRY),
            links: Vec::with_capacity(64),
            open_cells: 0,
            dead_cells: 0,
            sees_threats: false,
            numbers: Vec::with_capacity(64),
        }
    }
}

impl<E: Edition> Survey<E> {
    /// Gathers what can grow from the open cells.
    pub(super) fn make(&mut self, fits: &mut Fits<E>, game: &Position<E>) {
        fits.keep_bag(game.bag());
        self.entries.clear();
        self.links.clear();
        self.numbers.clear();
        self.entry_of.as_mut().fill(NO_ENTRY);
        (self.open_cells, self.dead_cells) = (0, 0);
        for (cell, constraint) in game.frontier() {
            let fit = self.visit_cell(fits, game, cell, constraint);
            self.open_cells += 1;
            self.dead_cells += u32::from(fit == 0);
        }
    }

    /// A feature's place among the entries, if it can still grow.
    pub(super) fn place_of(&self, feature: FeatureId) -> Option<usize> {
        let at = self.entry_of[E::at(feature.0)];
        (at != NO_ENTRY).then_some(at as usize)
    }

    fn entry_for(&mut self, feature: FeatureId, terrain: Terrain) -> u16 {
        let known = self.entry_of[E::at(feature.0)];
        if known != NO_ENTRY {
            return known;
        }
        let index = self.entries.len() as u16;
        self.entry_of[E::at(feature.0)] = index;
        self.entries.push(Entry {
            feature,
            terrain,
            cells: 0,
            dead_cells: 0,
            least_fit: UNKNOWN,
            sum_log_fit: 0.0,
            all_fit: 1.0,
            all_close: 1.0,
            most_close: 0,
            least_close: UNKNOWN,
            sum_close: 0,
            beside: Beside::default(),
            numbers: NOT_MADE,
        });
        index
    }

    /// Notes an open cell with every feature that reaches it; gives how many tiles fit there.
    #[inline]
    fn visit_cell(
        &mut self,
        fits: &mut Fits<E>,
        game: &Position<E>,
        cell: Cell,
        constraint: Constraint,
    ) -> u8 {
        let fit = fits.fit(constraint);
        // Which entries reach the cell, and at which places.
        let mut here = [(0u16, 0u16); 12];
        let mut count = 0;
        game.for_each_open_side(cell, |side| {
            if let Some(feature) = side.scoring {
                let entry = self.entry_for(feature, side.terrain);
                note(&mut here, &mut count, entry, 1 << side.side as u8);
            }
            // What the neighbour has on its left is on the cell's right.
            for (field, half) in side.fields.into_iter().flatten().zip([1, 0]) {
                let entry = self.entry_for(field, Terrain::Field);
                note(&mut here, &mut count, entry, 1 << (4 + 2 * side.side as u8 + half));
            }
        });
        let mut closes = [0; 12];
        for i in 0..count {
            let (entry, places) = here[i];
            let sides = sides_of(places);
            closes[i] = if sides == 0 { 0 } else { fits.close(constraint, sides) };
            self.entries[entry as usize].visit(fit, closes[i]);
            let terrain = self.entries[entry as usize].terrain;
            for &(other, theirs) in &here[i + 1..count] {
                if self.entries[other as usize].terrain == terrain {
                    let places = (places, theirs);
                    let joining = UNKNOWN;
                    self.links.push(Link { one: entry, other, constraint, places, joining });
                }
            }
        }
        if self.sees_threats {
            self.look_beside(fits, game, (cell, constraint), here[..count].iter().zip(closes));
        }
        fit
    }

    /// Notes with every entry that reaches an open cell, of which so many tiles close it there, what tiles on the open
    /// cells beside it may do.
    fn look_beside<'a>(
        &mut self,
        fits: &mut Fits<E>,
        game: &Position<E>,
        (cell, constraint): (Cell, Constraint),
        here: impl Iterator<Item = (&'a (u16, u16), u8)> + Clone,
    ) {
        let fit = fits.fit(constraint);
        for side in Side::ALL {
            let Some(there) = game.constraint(cell.step(side)) else { continue };
            for terrain in [Terrain::City, Terrain::Road, Terrain::Field] {
                let tiles = fits.fit(there.with_edge(side.opposite(), terrain));
                if tiles == 0 {
                    continue;
                }
                let then = constraint.with_edge(side, terrain);
                let kills = fit > 0 && fits.fit(then) == 0;
                for ((entry, places), close) in here.clone() {
                    let entry = &mut self.entries[*entry as usize];
                    let beside = &mut entry.beside;
                    beside.near += u16::from(tiles) * u16::from(entry.terrain == terrain);
                    beside.kill += u16::from(tiles) * u16::from(kills);
                    if close > 0 {
                        let fewer = close.saturating_sub(fits.close(then, sides_of(*places)));
                        beside.spoil += f32::from(tiles) * f32::from(fewer) / f32::from(close);
                    }
                }
            }
        }
    }
}

/// The sides on which a city or road reaches a cell, of the places where something does.
const fn sides_of(places: u16) -> u8 {
    places as u8 & 15
}

/// Notes that an entry reaches the cell, once, with all its places.
#[inline]
fn note(here: &mut [(u16, u16); 12], count: &mut usize, entry: u16, places: u16) {
    match here[..*count].iter_mut().find(|(known, _)| *known == entry) {
        Some((_, known)) => *known |= places,
        None => {
            here[*count] = (entry, places);
            *count += 1;
        }
    }
}

impl Entry {
    fn visit(&mut self, fit: u8, close: u8) {
        self.cells += 1;
        self.dead_cells += u8::from(fit == 0);
        self.least_fit = self.least_fit.min(fit);
        self.sum_log_fit += LOGS[fit as usize & 127];
        self.all_fit *= 1.0 - half_to_the(fit);
        self.all_close *= 1.0 - half_to_the(close);
        self.most_close = self.most_close.max(close);
        self.least_close = self.least_close.min(close);
        self.sum_close += u16::from(close);
    }
}
