//! Whether the claims of a laid position could have been made one after the other.
//!
//! A meeple is put down on the tile just placed, on a feature that nobody has claimed. So among tiles with meeples
//! there is one that was placed last, and of what lay then its segment touched no other claim. All others may have
//! been placed later: they join what was apart. The tile that lies first is always there.

use crate::edition::Edition;
use crate::figure::Figure;
use crate::game::Position;
use crate::geometry::{Cell, Side};
use crate::layout::{LayoutError, wrong};
use crate::tables::{CITY, OrientedSide, ROAD};
use crate::views::PlacedMeeple;

/// A segment of a tile on the board: its cell, and its place in the list of the tile's kind.
type At = (Cell, u8);

impl<E: Edition> Position<E> {
    /// Refuses meeples on one feature of which none can have been the last to come.
    pub(crate) fn check_claims(&self) -> Result<(), LayoutError> {
        // Builders and pigs join meeples; an abbot stands where nothing is joined.
        let claims = |m: &PlacedMeeple| matches!(m.figure(), Figure::Meeple | Figure::Big);
        let mut claims: Vec<PlacedMeeple> = self.meeples().filter(claims).collect();
        loop {
            let later = |m: &&PlacedMeeple| m.cell != Cell::ORIGIN;
            let Some(example) = claims.iter().find(later) else { return Ok(()) };
            let free = |m: &PlacedMeeple| later(&m) && self.met(m, &claims).is_none();
            if let Some(last) = claims.iter().position(free) {
                claims.remove(last);
                continue;
            }
            let PlacedMeeple { cell, segment, player, .. } = *example;
            let other = self.met(example, &claims).map_or(cell, |other| other.cell);
            let (figure, seat) = (example.figure(), player.index());
            return wrong(format!(
                "{cell}: {figure} of player {seat}: {segment} and what is claimed at {other} are one \
                 feature without a tile that was placed after both; nobody claims what is claimed"
            ));
        }
    }

    /// Another claim that a claim touches if, beside the first tile, only tiles with claims lie.
    fn met<'a>(&self, own: &PlacedMeeple, claims: &'a [PlacedMeeple]) -> Option<&'a PlacedMeeple> {
        let lies = |cell: Cell| cell == Cell::ORIGIN || claims.iter().any(|m| m.cell == cell);
        let start = self.place_of(own)?;
        let mut seen = vec![start];
        let mut next = 0;
        while let Some((cell, place)) = seen.get(next).copied() {
            next += 1;
            for side in Side::ALL.into_iter().filter(|side| lies(cell.step(*side))) {
                for beside in self.joined((cell, place), side) {
                    if !seen.contains(&beside) {
                        seen.push(beside);
                    }
                }
            }
        }
        claims
            .iter()
            .find(|m| self.place_of(m).is_some_and(|place| place != start && seen.contains(&place)))
    }

    fn place_of(&self, meeple: &PlacedMeeple) -> Option<At> {
        let tile = self.tile_at(meeple.cell)?.tile;
        Some((meeple.cell, meeple.segment.index_on(tile)? as u8))
    }

    /// The segments of the tile on a side that a segment is joined with.
    fn joined(&self, (cell, place): At, side: Side) -> Vec<At> {
        let beside = cell.step(side);
        let oriented = |cell: Cell| {
            let number = self.board.tile_at(cell)?;
            Some(self.board.tiles()[number].oriented())
        };
        let (Some(ours), Some(theirs)) = (oriented(cell), oriented(beside)) else {
            return Vec::new();
        };
        let [ours, theirs] = [ours.sides[side as usize], theirs.sides[side.opposite() as usize]];
        pairs(ours, theirs)
            .into_iter()
            .filter(|(own, _)| *own == place)
            .map(|(_, other)| (beside, other))
            .collect()
    }
}

/// What meets what along an edge, as when a tile is placed.
fn pairs(ours: OrientedSide, theirs: OrientedSide) -> Vec<(u8, u8)> {
    let middles = (ours.middle, theirs.middle);
    let halves = [(ours.left, theirs.right), (ours.right, theirs.left)];
    match ours.code {
        CITY => vec![middles],
        ROAD => vec![middles, halves[0], halves[1]],
        _ => halves.to_vec(),
    }
}
