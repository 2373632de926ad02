//! What the net looks at: features as rows of small numbers, and the whole position.
//!
//! The numbers are seen by one player ("me"). `docs/net.md` lists every input; a change of
//! their meaning raises [`VERSION`], and nets of another version are refused. Version 2 is version 1
//! with the numbers of the sets behind it, which are zero in the base game: nets of version 1 are
//! read as nets that do not see the sets. Version 3 is version 2 with the unclaimed cities and roads beside
//! the claimed features; they are read for nets alone that see them.

mod base;
mod claims;
mod fits;
mod growing;
mod key;
mod sets;
mod survey;

use carcassonne::{Base, Edition, Position, Terrain};
use claims::{Claim, stake};
use fits::Fits;
use game::Player;
use key::Key;
use survey::{Entry, Survey};

/// The version of the inputs of a net that sees claimed features alone.
pub const VERSION: u32 = 2;
/// The version of the inputs of a net that sees unclaimed cities and roads too.
pub const UNCLAIMED_VERSION: u32 = 3;
/// Numbers for each feature in the base game: those of version 1.
pub const BASE_FEATURE_INPUTS: usize = 40;
/// Numbers for each feature.
pub const FEATURE_INPUTS: usize = 52;
/// Numbers for the whole position in the base game: those of version 1.
pub const BASE_GLOBAL_INPUTS: usize = 64;
/// Numbers for the whole position.
pub const GLOBAL_INPUTS: usize = 160;
/// A claimed feature is mine, theirs, or shared by me and others.
pub const OWNERS: usize = 3;
/// The owner of a city or road that nobody claimed: behind all others.
pub const UNCLAIMED: u8 = OWNERS as u8;

/// A feature as the net sees it.
#[derive(Clone, Copy)]
pub struct FeatureInput {
    /// Which net reads it: city, road, field, monastery (also for a garden).
    pub terrain: Terrain,
    /// 0 mine, 1 theirs, 2 shared, 3 ([`UNCLAIMED`]) nobody's.
    pub owner: u8,
    /// The numbers.
    pub inputs: [f32; FEATURE_INPUTS],
    /// What features with other numbers do not have.
    pub(crate) key: Key,
}

/// A position as the net sees it.
#[derive(Clone)]
pub struct NetInput {
    /// The claimed features, and behind them the unclaimed cities and roads if they are read.
    pub features: Vec<FeatureInput>,
    /// The whole position.
    pub globals: [f32; GLOBAL_INPUTS],
    /// My lead over the best of the others if the game ended now.
    pub projected_margin: f32,
    /// Tiles left to draw.
    pub tiles_left: u8,
}

impl Default for NetInput {
    fn default() -> Self {
        Self {
            features: Vec::with_capacity(16),
            globals: [0.0; GLOBAL_INPUTS],
            projected_margin: 0.0,
            tiles_left: 0,
        }
    }
}

/// Makes [`NetInput`]s; keeps from one position to the next what depends on the bag or on the tiles
/// alone.
pub struct InputReader<E: Edition = Base> {
    fits: Fits<E>,
    survey: Survey<E>,
    /// Whose each entry of the survey is.
    claims: Vec<Claim>,
    reads_unclaimed: bool,
}

impl<E: Edition> Default for InputReader<E> {
    fn default() -> Self {
        Self {
            fits: Fits::default(),
            survey: Survey::default(),
            claims: Vec::new(),
            reads_unclaimed: false,
        }
    }
}

impl<E: Edition> InputReader<E> {
    /// Whether unclaimed cities and roads are read from now on: they take time, and not every net sees them.
    pub fn read_unclaimed(&mut self, reads: bool) {
        self.reads_unclaimed = reads;
    }

    /// Looks at a position through a player's eyes.
    pub fn read(&mut self, game: &Position<E>, me: Player, input: &mut NetInput) {
        self.survey.make(&mut self.fits, game);
        self.read_again(game, me, input);
    }

    /// The same for a position whose tiles and bag are those of the last one: only meeples and
    /// scores may differ.
    pub fn read_again(&mut self, game: &Position<E>, me: Player, input: &mut NetInput) {
        input.features.clear();
        let projected = game.projected_scores();
        input.tiles_left = game.tiles_left() as u8;
        input.projected_margin = projected.margin(me) as f32;
        if input.tiles_left == 0 {
            return;
        }
        stake(&mut self.claims, &self.survey, game, me);
        let whole = self.globals(game, me, input, &projected);
        let whole = Whole { numbers: whole, key: Key::default().with_all(&whole) };
        let best = projected.iter().filter(|(p, _)| *p != me).map(|(_, s)| *s).max();
        game.for_each_claimed(|feature, terrain, counts| {
            let (mut inputs, key) = match terrain {
                Terrain::Monastery | Terrain::Garden => self.monastery_inputs(game, feature),
                _ => self.growing_inputs(game, feature),
            };
            let owners = counts.owners();
            let owner = match (owners.contains(me), owners.len()) {
                (true, 1) => 0,
                (false, _) => 1,
                _ => 2,
            };
            let ahead = owners.iter().filter(|p| *p != me).map(|p| projected[p]).max();
            inputs[38] = match (ahead, best) {
                (Some(ahead), Some(best)) => (best - ahead) as f32 / 20.0,
                _ => 0.0,
            };
            if E::EXPANDED {
                self.set_feature(game, me, (feature, terrain), &input.globals, &mut inputs);
            }
            let terrain = match terrain {
                Terrain::Garden => Terrain::Monastery,
                other => other,
            };
            input.features.push(whole.feature::<E>(terrain, owner, inputs, key));
        });
        if self.reads_unclaimed {
            self.add_unclaimed(game, me, &whole, input);
        }
    }

    /// Reads the cities and roads that can still grow and that nobody claimed.
    fn add_unclaimed(
        &mut self,
        game: &Position<E>,
        me: Player,
        whole: &Whole,
        input: &mut NetInput,
    ) {
        for at in 0..self.survey.entries.len() {
            let Entry { feature, terrain, .. } = self.survey.entries[at];
            if self.claims[at].claimed() || terrain == Terrain::Field {
                continue;
            }
            let (mut inputs, key) = self.entry_inputs(game, at);
            if E::EXPANDED {
                self.set_feature(game, me, (feature, terrain), &input.globals, &mut inputs);
            }
            input.features.push(whole.feature::<E>(terrain, UNCLAIMED, inputs, key));
        }
    }
}

/// What every feature sees of the whole position.
struct Whole {
    numbers: [f32; 8],
    key: Key,
}

impl Whole {
    /// A feature that sees it; `key` is that of the numbers that the tiles and the claims gave.
    #[inline(always)]
    fn feature<E: Edition>(
        &self,
        terrain: Terrain,
        owner: u8,
        mut inputs: [f32; FEATURE_INPUTS],
        key: Key,
    ) -> FeatureInput {
        inputs[28..36].copy_from_slice(&self.numbers);
        inputs[39] = 1.0;
        let mut key = key.with_key(self.key).with_both(inputs[38], terrain as u8 as f32);
        if E::EXPANDED {
            key = key.with_all(&inputs[BASE_FEATURE_INPUTS..]);
        }
        FeatureInput { terrain, owner, inputs, key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    /// The unclaimed cities and roads that a net sees after some moves, and how many claimed features.
    fn seen(moves: &str) -> (Vec<Terrain>, usize) {
        let text = format!("carcassonne players=2\n{moves}");
        let game = text.parse::<Record<carcassonne::Carcassonne>>().unwrap().replay().unwrap();
        let mut reader = InputReader::default();
        let mut input = NetInput::default();
        reader.read(&game, Player::new(0), &mut input);
        let claimed = input.features.len();
        reader.read_unclaimed(true);
        reader.read(&game, Player::new(0), &mut input);
        let (before, behind) = input.features.split_at(claimed);
        assert!(before.iter().all(|feature| feature.owner != UNCLAIMED));
        for feature in behind {
            assert_eq!(feature.owner, UNCLAIMED);
            let tiles_left = game.tiles_left() as f32;
            assert_eq!(feature.inputs[28], tiles_left / 72.0, "it sees the whole position too");
            assert_eq!(feature.inputs[15..28], [&[0.0; 11][..], &[1.0; 2]].concat(), "no meeples");
            assert_eq!(feature.inputs[38..40], [0.0, 1.0]);
        }
        (behind.iter().map(|feature| feature.terrain).collect(), claimed)
    }

    #[test]
    fn unclaimed_cities_and_roads_that_can_grow_are_seen() {
        use Terrain::{City, Road};
        assert_eq!(seen("").0.len(), 2, "the city and the road of the start tile");
        assert_eq!(seen("U; 1,0 r0; road0"), (vec![City], 1), "a claimed road is another's");
        assert_eq!(seen("U; 1,0 r0; field0").0.len(), 2, "a farmer claims neither");
        assert_eq!(seen("E; 0,1 r2; pass"), (vec![Road], 0), "a finished city is no more");
    }
}
