//! The tiles that lie, and the features they form, flooded anew whenever they are asked for.

use super::tiles::{Exit, Kind, Part, Terrain};
use std::collections::{BTreeSet, HashMap};

/// x grows east, y grows north.
pub(crate) type Cell = (i32, i32);

/// The neighbours to the north, east, south and west.
pub(crate) fn beside((x, y): Cell) -> [Cell; 4] {
    [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]
}

/// The eight neighbours.
pub(crate) fn around((x, y): Cell) -> Vec<Cell> {
    let steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    steps.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
}

#[derive(Clone, Copy)]
pub(crate) struct Laid {
    pub(crate) cell: Cell,
    pub(crate) kind: &'static Kind,
    pub(crate) quarters: usize,
    /// How many segments lay on the board before this tile: its first segment's number.
    pub(crate) first: usize,
}

/// The tiles on the board, in the order they were laid.
#[derive(Clone, Default)]
pub(crate) struct Land {
    pub(crate) tiles: Vec<Laid>,
    at: HashMap<Cell, usize>,
    segments: usize,
}

/// A connected whole.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    pub(crate) terrain: Terrain,
    /// The numbers of its segments, counted over the board in the order they were laid.
    pub(crate) segments: BTreeSet<usize>,
    pub(crate) tiles: BTreeSet<Cell>,
    pub(crate) pennants: i32,
    /// Whether it has an inn or a cathedral.
    pub(crate) special: bool,
    /// Tokens of wine, grain and cloth printed on it.
    pub(crate) goods: [i32; 3],
    /// Sides without a neighbour; for a monastery its neighbours that are missing.
    pub(crate) open: usize,
    /// For a field: the numbers of the city segments it touches.
    pub(crate) touches: BTreeSet<usize>,
}

impl Feature {
    /// A feature is called by the number of its oldest segment.
    pub(crate) fn id(&self) -> usize {
        *self.segments.first().expect("a feature has a segment")
    }

    pub(crate) fn finished(&self) -> bool {
        self.terrain != Terrain::Field && self.open == 0
    }
}

/// All features of a board.
pub(crate) struct Features {
    pub(crate) all: Vec<Feature>,
    /// For each segment number the place of its feature in the list.
    of: Vec<usize>,
}

impl Features {
    pub(crate) fn of(&self, segment: usize) -> &Feature {
        &self.all[self.of[segment]]
    }

    /// The cities a field touches, by their ids.
    pub(crate) fn cities(&self, field: &Feature) -> BTreeSet<usize> {
        field.touches.iter().map(|city| self.of(*city).id()).collect()
    }

    /// How many finished cities a field touches.
    pub(crate) fn finished_cities(&self, field: &Feature) -> usize {
        self.cities(field).into_iter().filter(|city| self.of(*city).finished()).count()
    }
}

impl Land {
    pub(crate) fn get(&self, cell: Cell) -> Option<&Laid> {
        self.at.get(&cell).map(|number| &self.tiles[*number])
    }

    pub(crate) fn lay(&mut self, kind: &'static Kind, cell: Cell, quarters: usize) {
        self.at.insert(cell, self.tiles.len());
        self.tiles.push(Laid { cell, kind, quarters, first: self.segments });
        self.segments += kind.segments.len();
    }

    /// Where the segment with this number lies, and its name.
    pub(crate) fn segment(&self, number: usize) -> (Cell, &'static str) {
        let mut tiles = self.tiles.iter().rev();
        let laid = tiles.find(|laid| laid.first <= number).expect("the segment lies");
        (laid.cell, &laid.kind.segments[number - laid.first].name)
    }

    /// Whether the tile's edges are like those around the cell, which must touch a tile.
    pub(crate) fn fits(&self, kind: &Kind, cell: Cell, quarters: usize) -> bool {
        let mut touches = false;
        for (side, next) in beside(cell).into_iter().enumerate() {
            if let Some(laid) = self.get(next) {
                touches = true;
                if laid.kind.edge((side + 2) % 4, laid.quarters) != kind.edge(side, quarters) {
                    return false;
                }
            }
        }
        touches && self.get(cell).is_none()
    }

    /// Whether a river tile goes on with the river, and leaves it room to go on from there.
    pub(crate) fn flows(&self, kind: &Kind, cell: Cell, quarters: usize) -> bool {
        let wet = (0..4).filter(|side| kind.edge(*side, quarters) == 'W');
        let (joined, open): (Vec<usize>, Vec<usize>) =
            wet.partition(|side| self.get(beside(cell)[*side]).is_some());
        let room = |side: usize| {
            let ahead = beside(cell)[side];
            let further = beside(ahead)[side];
            let sideways = [(side + 1) % 4, (side + 3) % 4];
            let around = sideways.map(|side| [beside(ahead)[side], beside(further)[side]]);
            let mut six = around.into_iter().flatten().chain([ahead, further]);
            six.all(|cell| self.get(cell).is_none())
        };
        !joined.is_empty() && open.into_iter().all(room)
    }

    /// The empty cells beside a tile.
    pub(crate) fn open_cells(&self) -> BTreeSet<Cell> {
        let cells = self.tiles.iter().flat_map(|laid| beside(laid.cell));
        cells.filter(|cell| self.get(*cell).is_none()).collect()
    }

    /// How many of a cell's eight neighbours lie.
    pub(crate) fn neighbours(&self, cell: Cell) -> usize {
        around(cell).into_iter().filter(|next| self.get(*next).is_some()).count()
    }

    pub(crate) fn features(&self) -> Features {
        let mut features = Features { all: Vec::new(), of: vec![usize::MAX; self.segments] };
        for laid in &self.tiles {
            for index in 0..laid.kind.segments.len() {
                if features.of[laid.first + index] == usize::MAX {
                    let feature = self.flood(laid, index);
                    for segment in &feature.segments {
                        features.of[*segment] = features.all.len();
                    }
                    features.all.push(feature);
                }
            }
        }
        features
    }

    /// Everything that can be walked to from a segment without leaving its terrain.
    fn flood(&self, start: &Laid, index: usize) -> Feature {
        let mut feature = Feature {
            terrain: start.kind.segments[index].terrain,
            segments: BTreeSet::from([start.first + index]),
            tiles: BTreeSet::new(),
            pennants: 0,
            special: false,
            goods: [0; 3],
            open: 0,
            touches: BTreeSet::new(),
        };
        let mut to_visit = vec![(start, index)];
        while let Some((laid, index)) = to_visit.pop() {
            let segment = &laid.kind.segments[index];
            feature.tiles.insert(laid.cell);
            feature.pennants += segment.pennants;
            feature.special |= segment.special;
            for (all, own) in feature.goods.iter_mut().zip(segment.goods) {
                *all += own;
            }
            feature.touches.extend(segment.touches.iter().map(|city| laid.first + city));
            for exit in &segment.exits {
                let side = (exit.side + laid.quarters) % 4;
                match self.get(beside(laid.cell)[side]) {
                    Some(next) => {
                        let met = Exit { side: (side + 2) % 4, part: exit.part.met() };
                        let there = next.kind.segment_at(met, next.quarters);
                        let there = there.expect("touching edges are alike");
                        if feature.segments.insert(next.first + there) {
                            to_visit.push((next, there));
                        }
                    }
                    None if exit.part == Part::Middle => feature.open += 1,
                    None => {}
                }
            }
        }
        if matches!(feature.terrain, Terrain::Monastery | Terrain::Garden) {
            feature.open = 8 - self.neighbours(start.cell);
        }
        feature
    }
}
