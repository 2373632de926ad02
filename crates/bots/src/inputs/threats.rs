//! What a tile to come may change of something that can grow: it joins it with another, comes in beside it, or
//! spoils what would have closed it.

use super::claims::Claim;
use super::fits::{Fits, LOGS, half_to_the};
use super::key::Key;
use super::survey::{Beside, Survey};
use super::{BESIDE_INPUTS, JOIN_INPUTS};
use carcassonne::{Edition, Terrain};
use std::cmp::Ordering;

/// What may come of an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Threats {
    /// What joining it with links would win me, in points of now, each weighted by 1 − 2⁻ⁿ for n tiles that join.
    win: f32,
    /// What it would lose me.
    lose: f32,
    /// The same for each tile that would do it.
    win_a_tile: f32,
    lose_a_tile: f32,
    /// How many tiles would join it with what is mine, theirs, free.
    mine: u8,
    theirs: u8,
    free: u8,
}

/// Notes what may come of all that can grow.
pub(super) fn note_threats<E: Edition>(
    claims: &mut [Claim],
    survey: &mut Survey<E>,
    fits: &Fits<E>,
) {
    for link in &mut survey.links {
        let (a, b) = (link.one as usize, link.other as usize);
        let (one, other) = (claims[a], claims[b]);
        let field = survey.entries[a].terrain == Terrain::Field;
        let seen = match field {
            true => one.claimed() && other.claimed(),
            false => one.claimed() || other.claimed(),
        };
        let joining = if seen { link.joining(fits) } else { 0 };
        if joining > 0 {
            let change = one.joined(&other).lead() - one.lead() - other.lead();
            claims[a].threats.add(&other, joining, change);
            claims[b].threats.add(&one, joining, change);
        }
    }
}

impl Claim {
    /// The two as one.
    fn joined(&self, other: &Self) -> Self {
        Self {
            mine: self.mine + other.mine,
            theirs: self.theirs + other.theirs,
            points: self.points + other.points,
            ..Self::default()
        }
    }

    /// By how many points it puts me ahead of them as it stands.
    fn lead(&self) -> f32 {
        match self.mine.cmp(&self.theirs) {
            Ordering::Greater => self.points,
            Ordering::Equal => 0.0,
            Ordering::Less => -self.points,
        }
    }
}

impl Threats {
    /// Adds what a number of tiles would change that join it with another.
    fn add(&mut self, other: &Claim, joining: u8, change: f32) {
        let (likely, tiles) = (1.0 - half_to_the(joining), f32::from(joining));
        let (all, each) = match change > 0.0 {
            true => (&mut self.win, &mut self.win_a_tile),
            false => (&mut self.lose, &mut self.lose_a_tile),
        };
        *all += change.abs() * likely;
        *each += change.abs() * tiles;
        let count = match (other.mine, other.theirs) {
            (0, 0) => &mut self.free,
            (mine, theirs) if mine >= theirs => &mut self.mine,
            _ => &mut self.theirs,
        };
        *count = count.saturating_add(joining);
    }

    /// The key with all that it tells.
    pub(super) fn add_to(&self, key: Key) -> Key {
        if self.mine | self.theirs | self.free == 0 {
            return key;
        }
        let counts = [self.mine, self.theirs, self.free, 0, 0, 0, 0, 0];
        key.with(u64::from_le_bytes(counts))
            .with_both(self.win, self.lose)
            .with_both(self.win_a_tile, self.lose_a_tile)
    }

    /// The inputs, so many tiles being left.
    pub(super) fn inputs(&self, left: f32) -> [f32; JOIN_INPUTS] {
        [
            self.win / 10.0,
            self.lose / 10.0,
            self.win_a_tile / left,
            self.lose_a_tile / left,
            log(self.mine.into()),
            log(self.theirs.into()),
            log(self.free.into()),
        ]
    }
}

impl Beside {
    /// The inputs, so many tiles being left.
    pub(super) fn inputs(&self, left: f32) -> [f32; BESIDE_INPUTS] {
        let Self { near, kill, spoil } = *self;
        [
            log(near),
            f32::from(near) / left / 4.0,
            log(kill),
            f32::from(kill) / left,
            spoil / left,
            spoil / (spoil + 4.0),
        ]
    }
}

fn log(count: u16) -> f32 {
    LOGS[count.min(127) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{
        AllSets, Base, Cell, Constraint, Expanded, FeatureId, Move, MoveKind, Position, Segment,
        Side,
    };
    use game::{Game, Player, Random, Record, Turn, ignore};
    use std::collections::{BTreeMap, BTreeSet};

    /// How a position goes on when one of the tiles is drawn, each with how many of them are left.
    fn draws<E: Edition>(game: &Position<E>) -> Vec<(u8, Position<E>)> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let next = |m: &Move| {
            let mut next = game.clone();
            next.play_unchecked(*m, ignore);
            let MoveKind::Draw(tile) = m.kind() else { return None };
            matches!(next.turn(), Turn::Player(_)).then(|| (game.bag()[tile.index()], next))
        };
        moves.iter().filter_map(next).collect()
    }

    /// The positions after a tile is placed on a cell, one for each rotation that fits.
    fn placed_on<E: Edition>(drawn: &Position<E>, at: Cell) -> Vec<Position<E>> {
        let mut moves = Vec::new();
        drawn.moves(&mut moves);
        let here = |m: &&Move| matches!(m.kind(), MoveKind::Place { cell, .. } if cell == at);
        let play = |m: &Move| {
            let mut next = drawn.clone();
            next.play_unchecked(*m, ignore);
            next
        };
        moves.iter().filter(here).map(play).collect()
    }

    /// Games of random moves, stopped where a tile is to be drawn.
    fn for_positions<E: Edition>(
        start: Position<E>,
        seeds: u64,
        mut look: impl FnMut(&Position<E>),
    ) {
        let mut moves = Vec::new();
        for seed in 0..seeds {
            let (mut game, mut random) = (start.clone(), Random::new(seed));
            let stop = 15 + random.below(35) as usize;
            while game.turn() != Turn::Over
                && !(game.turn() == Turn::Chance && game.tiles_left() < stop)
            {
                game.moves(&mut moves);
                let m = game.sample_outcome(&mut random).or_else(|| random.pick(&moves).copied());
                game.play_unchecked(m.unwrap(), ignore);
            }
            if game.turn() == Turn::Chance {
                look(&game);
            }
        }
    }

    /// The features that reach a cell.
    fn around<E: Edition>(game: &Position<E>, cell: Cell) -> Vec<(FeatureId, Terrain)> {
        let mut found = Vec::new();
        game.for_each_open_side(cell, |side| {
            found.extend(side.scoring.map(|id| (id, side.terrain)));
            found.extend(side.fields.into_iter().flatten().map(|id| (id, Terrain::Field)));
        });
        found.sort_by_key(|(id, _)| id.0);
        found.dedup();
        found
    }

    /// Whether a feature reaches a cell twice: on two sides, or as a field on both sides of one road.
    fn reaches_twice<E: Edition>(game: &Position<E>, cell: Cell, feature: FeatureId) -> bool {
        let mut times = 0;
        game.for_each_open_side(cell, |side| {
            let halves = side.fields.into_iter().flatten().filter(|id| *id == feature).count();
            times += match side.scoring {
                Some(road) => usize::from(road == feature) + halves,
                None => halves.min(1),
            };
        });
        times > 1
    }

    /// The tiles that join two features on one cell, found by placing them.
    fn joining_by_placing<E: Edition>(
        game: &Position<E>,
        cell: Cell,
        [one, other]: [(Cell, Segment); 2],
    ) -> u32 {
        let joins =
            |next: &Position<E>| next.feature_at(one.0, one.1) == next.feature_at(other.0, other.1);
        let drawn = draws(game).into_iter();
        drawn
            .filter(|(_, drawn)| placed_on(drawn, cell).iter().any(joins))
            .map(|d| u32::from(d.0))
            .sum()
    }

    fn surveyed<E: Edition>(game: &Position<E>) -> (Survey<E>, Fits<E>) {
        let (mut survey, mut fits) = (Survey::default(), Fits::default());
        survey.sees_threats = true;
        survey.make(&mut fits, game);
        (survey, fits)
    }

    fn links_are_joined_by_as_many_tiles_as_are_counted<E: Edition>(
        start: Position<E>,
        seeds: u64,
    ) {
        let (mut links, mut joined) = (0, 0);
        for_positions(start, seeds, |game| {
            let (mut survey, fits) = surveyed(game);
            let features: BTreeMap<u16, _> =
                game.features().into_iter().map(|f| (f.summary.id.0, f.segments[0])).collect();
            let mut counted: BTreeMap<(u16, u16), u32> = BTreeMap::new();
            for link in &mut survey.links {
                let ids = [link.one, link.other].map(|at| survey.entries[at as usize].feature.0);
                let pair = (ids[0].min(ids[1]), ids[0].max(ids[1]));
                *counted.entry(pair).or_default() += u32::from(link.joining(&fits));
            }
            let mut placed: BTreeMap<(u16, u16), u32> = BTreeMap::new();
            let mut through_others = BTreeSet::new();
            for (cell, _) in game.frontier() {
                let here = around(game, cell);
                for (at, (one, terrain)) in here.iter().enumerate() {
                    for (other, _) in here[at + 1..].iter().filter(|of| of.1 == *terrain) {
                        let segments = [features[&one.0], features[&other.0]];
                        *placed.entry((one.0, other.0)).or_default() +=
                            joining_by_placing(game, cell, segments);
                        // A third one that reaches the cell twice may join both to itself.
                        let third = |id: &FeatureId| {
                            id != one && id != other && reaches_twice(game, cell, *id)
                        };
                        if here.iter().any(|(id, _)| third(id)) {
                            through_others.insert((one.0, other.0));
                        }
                    }
                }
            }
            for (pair, tiles) in &placed {
                match through_others.contains(pair) {
                    true => assert!(counted[pair] <= *tiles),
                    false => assert_eq!(counted[pair], *tiles),
                }
            }
            assert_eq!(counted.len(), placed.len());
            links += placed.len() - through_others.len();
            joined += placed.values().filter(|tiles| **tiles > 0).count();
        });
        assert!(links > 100 && joined > 30 && joined < links, "{joined} of {links} can be joined");
    }

    #[test]
    fn tiles_that_join_are_those_that_do_when_they_are_placed() {
        links_are_joined_by_as_many_tiles_as_are_counted::<Base>(
            Position::new(&Default::default()),
            12,
        );
        let sets = "players=2 sets=inns,traders,gardens".parse().unwrap();
        links_are_joined_by_as_many_tiles_as_are_counted::<AllSets>(Expanded::new(&sets), 3);
    }

    /// What a tile beside a cell does to it, found by placing all that fit.
    fn beside_by_placing(game: &Position<Base>) -> BTreeMap<u16, (u32, u32)> {
        let fit = |constraint: Constraint| surveyed(game).1.fit(constraint);
        let mut found: BTreeMap<u16, (u32, u32)> = BTreeMap::new();
        for (cell, constraint) in game.frontier() {
            let here = around(game, cell);
            here.iter().for_each(|(id, _)| _ = found.entry(id.0).or_default());
            for beside in Side::ALL.map(|side| cell.step(side)) {
                if game.constraint(beside).is_none() {
                    continue;
                }
                for (tiles, drawn) in draws(game) {
                    // Turned differently a tile may do either.
                    let then: Vec<_> = placed_on(&drawn, beside)
                        .iter()
                        .map(|next| {
                            (
                                next.constraint(cell).expect("nothing was placed there"),
                                around(next, cell),
                            )
                        })
                        .collect();
                    for terrain in [Terrain::City, Terrain::Road, Terrain::Field] {
                        let side =
                            Side::ALL.into_iter().find(|side| cell.step(*side) == beside).unwrap();
                        let edge = constraint.with_edge(side, terrain);
                        if !then.iter().any(|(then, _)| *then == edge) {
                            continue;
                        }
                        for (id, of) in &here {
                            let sums = found.entry(id.0).or_default();
                            sums.0 += u32::from(tiles) * u32::from(*of == terrain);
                            sums.1 +=
                                u32::from(tiles) * u32::from(fit(constraint) > 0 && fit(edge) == 0);
                        }
                    }
                }
            }
        }
        found
    }

    #[test]
    fn tiles_beside_are_those_that_can_be_placed_there() {
        let (mut near, mut kill, mut spoil) = (0, 0, 0.0);
        for_positions(Position::<Base>::new(&Default::default()), 12, |game| {
            let (survey, _) = surveyed(game);
            let placed = beside_by_placing(game);
            for entry in &survey.entries {
                let Beside { near: comes, kill: ends, spoil: less } = entry.beside;
                assert_eq!((comes.into(), ends.into()), placed[&entry.feature.0]);
                assert!(less >= 0.0 && (entry.terrain != Terrain::Field || less == 0.0));
                (near, kill, spoil) = (near + comes, kill + ends, spoil + less);
            }
        });
        assert!(near > 500 && kill > 20 && spoil > 20.0, "{near} {kill} {spoil}");
    }

    /// The threats that a player sees for the claimed cities after some moves.
    fn cities(moves: &str, me: usize) -> Vec<[f32; JOIN_INPUTS]> {
        let text = format!("carcassonne players=2\n{moves}");
        let game = text.parse::<Record<carcassonne::Carcassonne>>().unwrap().replay().unwrap();
        let (mut survey, fits) = surveyed(&game);
        let mut claims = Vec::new();
        crate::inputs::claims::stake(&mut claims, &survey, &game, Player::new(me));
        note_threats(&mut claims, &mut survey, &fits);
        let left = game.tiles_left() as f32;
        let seen = survey.entries.iter().zip(&claims);
        let claimed = seen.filter(|(entry, of)| entry.terrain == Terrain::City && of.claimed());
        claimed.map(|(_, claim)| claim.threats.inputs(left)).collect()
    }

    #[test]
    fn joining_a_free_city_wins_for_its_owner_what_it_loses_for_the_other() {
        // Of a free city and that of the first player 18 tiles would make one, which has a point more.
        let moves = "E; 0,-1 r1; city0; D; 1,0 r2; pass";
        let [mine, theirs] = [0, 1].map(|me| cities(moves, me)[0]);
        let (a_tile, free) = (18.0 / 69.0, LOGS[18]);
        assert!((mine[0] - 0.1).abs() < 1e-5, "{mine:?}");
        assert_eq!((mine[1], mine[2], mine[3]), (0.0, a_tile, 0.0));
        assert_eq!((mine[4], mine[5], mine[6]), (0.0, 0.0, free));
        assert_eq!((theirs[1], theirs[3]), (mine[0], mine[2]), "the other loses as much");
        assert_eq!((theirs[0], theirs[2], theirs[6]), (0.0, 0.0, free));
    }

    #[test]
    fn joining_cities_with_a_meeple_each_shares_them() {
        let moves = "E; 0,-1 r1; city0; D; 1,0 r2; city0";
        let both = cities(moves, 0);
        assert_eq!(both.len(), 2);
        let sees =
            |mine: bool| both.iter().filter(|x| (x[4] > 0.0, x[5] > 0.0) == (mine, !mine)).count();
        assert_eq!((sees(true), sees(false)), (1, 1), "each sees the other: {both:?}");
        assert!(both.iter().all(|x| x[0] == 0.0 && x[1] == 0.0), "a point each before and after");
    }
}
