//! Random play with a bent, so that games see what uniform play hardly reaches: finished
//! monasteries, empty hands, shared features, tiles that fit nowhere.

use super::simple::play::{Move, Phase, Simple};
use game::Random;

/// How somebody plays at random.
#[derive(Debug)]
pub(crate) struct Style {
    /// Of how many random placements the one with the most neighbours is taken.
    looks: u32,
    /// How many turns of a hundred put a meeple down if they can.
    meeples: u32,
    /// What the figures prefer to be or to stand on.
    prefers: &'static str,
    /// How many draws of a hundred look for a tile that fits nowhere.
    unlucky: u32,
}

const PREFERENCES: [&str; 12] = [
    "",
    "",
    "city",
    "road",
    "field",
    "monastery",
    "big",
    "builder",
    "pig",
    "abbot",
    "recall",
    "garden",
];

impl Style {
    pub(crate) fn random(random: &mut Random) -> Self {
        let any = "the list is not empty";
        Self {
            looks: *random.pick(&[1, 1, 3, 10, 40]).expect(any),
            meeples: *random.pick(&[10, 50, 90, 100]).expect(any),
            prefers: random.pick(&PREFERENCES).expect(any),
            unlucky: *random.pick(&[0, 0, 0, 5, 50]).expect(any),
        }
    }

    /// One of the legal moves.
    pub(crate) fn pick(&self, game: &Simple, moves: &[Move], random: &mut Random) -> Move {
        match game.phase {
            Phase::Draw => self.pick_draw(game, moves, random),
            Phase::Place(_) => self.pick_place(game, moves, random),
            _ => self.pick_meeple(moves, random),
        }
    }

    fn pick_draw(&self, game: &Simple, moves: &[Move], random: &mut Random) -> Move {
        if random.below(100) < self.unlucky {
            let discarded = |m: &&Move| {
                let mut after = game.clone();
                after.play(**m);
                !matches!(after.phase, Phase::Place(_))
            };
            if let Some(m) = moves.iter().find(discarded) {
                return *m;
            }
        }
        let tiles = moves.iter().filter_map(|m| match m {
            Move::Draw(name) => Some(std::iter::repeat_n(*m, game.bag[name] as usize)),
            _ => None,
        });
        let tiles: Vec<Move> = tiles.flatten().collect();
        *random.pick(&tiles).expect("the bag is not empty")
    }

    fn pick_place(&self, game: &Simple, moves: &[Move], random: &mut Random) -> Move {
        let looked = (0..self.looks).filter_map(|_| random.pick(moves).copied());
        let neighbours = |m: &Move| match m {
            Move::Place(cell, _) => game.land.neighbours(*cell),
            _ => 0,
        };
        looked.max_by_key(neighbours).expect("the tile fits somewhere")
    }

    fn pick_meeple(&self, moves: &[Move], random: &mut Random) -> Move {
        let spots = &moves[..moves.len() - 1];
        if spots.is_empty() || random.below(100) >= self.meeples {
            return Move::Pass;
        }
        let liked = |m: &&Move| m.to_string().contains(self.prefers);
        let liked: Vec<Move> = spots.iter().filter(liked).copied().collect();
        *random.pick(&liked).or(random.pick(spots)).expect("there is a spot")
    }
}
