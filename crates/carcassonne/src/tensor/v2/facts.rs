//! What is known of a feature, for every cell that it covers.
//!
//! A tile has 14 *slots*: the four sides, where a city or road lies, the eight half edges and the
//! inside, where fields lie, and the middle for a monastery or garden.

use crate::edition::Edition;
use crate::event::FeatureId;
use crate::game::Position;
use crate::geometry::{Cell, Rotation};
use crate::tile::{ALL_KINDS, MOST_SEGMENTS, Terrain, Tile};
use game::{Game, MAX_PLAYERS, Player};

pub(super) const SIDES: usize = 4;
pub(super) const INSIDE: usize = 12;
pub(super) const MIDDLE: usize = 13;
const SLOTS: usize = 14;

/// The slots as names end with them.
pub(super) const SLOT_NAMES: [&str; SLOTS] = [
    "the city or road N",
    "the city or road E",
    "the city or road S",
    "the city or road W",
    "the field NL",
    "the field NR",
    "the field EL",
    "the field ER",
    "the field SL",
    "the field SR",
    "the field WL",
    "the field WR",
    "the field inside",
    "the monastery or garden",
];

/// A byte for each fact: meeples by relative seat, owners by relative seat, then these.
pub(super) type Facts = [u8; 16];
const OWNERS: usize = MAX_PLAYERS;
const OPEN: usize = 12;
const POINTS: usize = 13;
const FINISHED: usize = 14;
const SPECIAL: usize = 15;

/// The slots that each segment of a turned kind covers, a bit for each.
pub(super) static COVERS: [[u16; MOST_SEGMENTS]; ALL_KINDS * 4] = covers();

/// The facts that a slot has planes for, beside those by seat.
const fn facts_of(slot: usize) -> &'static [usize] {
    match slot {
        0..SIDES => &[OPEN, POINTS, FINISHED, SPECIAL],
        MIDDLE => &[OPEN, POINTS, FINISHED],
        _ => &[POINTS],
    }
}

/// How many planes a slot has.
const fn width(slot: usize, players: usize) -> usize {
    2 * players + facts_of(slot).len()
}

/// How many planes all slots have.
pub(super) const fn fact_planes(players: usize) -> usize {
    first_plane(SLOTS, players)
}

/// How many planes the slots before this one have.
const fn first_plane(slot: usize, players: usize) -> usize {
    let (mut planes, mut before) = (0, 0);
    while before < slot {
        planes += width(before, players);
        before += 1;
    }
    planes
}

/// The plane of a fact among those of facts, if the slot has one for it.
pub(super) fn plane_of(slot: usize, fact: usize, players: usize) -> Option<usize> {
    let at = match fact {
        0..OWNERS => fact,
        OWNERS..OPEN => players + fact - OWNERS,
        _ => 2 * players + facts_of(slot).iter().position(|own| *own == fact)?,
    };
    Some(first_plane(slot, players) + at)
}

/// What each plane of facts is, in order.
pub(super) fn names(players: usize) -> Vec<String> {
    let mut names = Vec::new();
    for (slot, place) in SLOT_NAMES.iter().enumerate() {
        names.extend((0..players).map(|s| format!("meeples of relative seat {s} on {place}")));
        names.extend((0..players).map(|s| format!("relative seat {s} owns {place}")));
        names.extend(facts_of(slot).iter().map(|fact| match *fact {
            OPEN => format!("open sides of {place}"),
            POINTS => format!("points of {place}"),
            FINISHED => format!("finished: {place}"),
            _ => format!("inn or cathedral of {place}"),
        }));
    }
    names
}

/// The facts of a feature as the viewer sees them; the cell is that of a monastery or garden.
pub(super) fn facts<E: Edition>(
    game: &Position<E>,
    feature: FeatureId,
    terrain: Terrain,
    cell: Cell,
    viewer: Player,
) -> Facts {
    let (record, players) = (game.features.record(feature), game.players());
    let mut facts = [0; 16];
    if record.claimed() {
        let owners = record.owners();
        for relative in 0..players {
            let seat = Player::new((viewer.index() + relative) % players);
            facts[relative] = record.meeples(seat);
            facts[OWNERS + relative] = owners.contains(seat).into();
        }
    }
    let points = match terrain {
        Terrain::City | Terrain::Road => {
            facts[OPEN] = record.open();
            facts[FINISHED] = (record.open() == 0).into();
            facts[SPECIAL] = game.features.marks(feature).special().into();
            game.worth_now(terrain, feature).points
        }
        Terrain::Field => game.worth_now(terrain, feature).points,
        Terrain::Monastery | Terrain::Garden => {
            let neighbours = game.board.neighbours(cell);
            facts[OPEN] = 8 - neighbours;
            facts[FINISHED] = (neighbours == 8).into();
            1 + u16::from(neighbours)
        }
    };
    facts[POINTS] = points.min(u8::MAX.into()) as u8;
    facts
}

const fn covers() -> [[u16; MOST_SEGMENTS]; ALL_KINDS * 4] {
    let mut table = [[0; MOST_SEGMENTS]; ALL_KINDS * 4];
    let mut at = 0;
    while at < table.len() {
        if let Some(tile) = Tile::of_any_set(at / 4) {
            let (segments, mut place) = (tile.printed().segments, 0);
            let rotation = Rotation::new((at % 4) as u8);
            while place < segments.len() {
                let segment = &segments[place];
                table[at][place] = match segment.terrain {
                    Terrain::City | Terrain::Road => segment.sides_turned(rotation) as u16,
                    Terrain::Field if segment.halves == 0 => 1 << INSIDE,
                    Terrain::Field => (segment.halves_turned(rotation) as u16) << SIDES,
                    Terrain::Monastery | Terrain::Garden => 1 << MIDDLE,
                };
                place += 1;
            }
        }
        at += 1;
    }
    table
}
