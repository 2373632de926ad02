//! What the net looks at: features as rows of small numbers, and the whole position.
//!
//! The numbers are seen by one player ("me"). `docs/net.md` lists every input; a change of
//! their meaning raises [`VERSION`], and nets of another version are refused. Version 2 is version 1
//! with the numbers of the sets behind it, which are zero in the base game: nets of version 1 are
//! read as nets that do not see the sets. Version 3 is version 2 with the unclaimed cities and roads beside
//! the claimed features, and version 4 that with what a tile to come may change of each; they are read for nets
//! alone that see them.

mod base;
mod claims;
mod fits;
mod growing;
mod key;
mod sets;
mod survey;
mod threats;

use base::entry_numbers;
use carcassonne::{Base, Edition, FeatureId, Position, Terrain};
use claims::{Claim, stake};
use fits::Fits;
use game::Player;
pub(crate) use key::Key;
use survey::{Entry, Survey};
use threats::note_threats;

/// The version of the inputs of a net that sees claimed features alone.
pub const VERSION: u32 = 2;
/// The version of the inputs of a net that sees unclaimed cities and roads too.
pub const UNCLAIMED_VERSION: u32 = 3;
/// The version of the inputs of a net that also sees what a tile to come may change of a feature.
pub const THREATS_VERSION: u32 = 4;
/// Numbers for each feature in the base game: those of version 1.
pub const BASE_FEATURE_INPUTS: usize = 40;
/// Numbers for each feature.
pub const FEATURE_INPUTS: usize = 52;
/// Those of them that are zero in the base game.
const SET_FEATURE_INPUTS: usize = FEATURE_INPUTS - BASE_FEATURE_INPUTS;
/// Numbers that say of a feature what a tile to come may change of it: one that joins it with another, and one
/// that is placed beside its open cells.
pub const THREAT_INPUTS: usize = JOIN_INPUTS + BESIDE_INPUTS;
/// Those of a tile that joins it with another.
pub(crate) const JOIN_INPUTS: usize = 7;
/// Those of a tile beside it.
const BESIDE_INPUTS: usize = 6;
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
    /// The numbers; those of threats come last.
    pub inputs: Numbers,
}

/// What takes the features of a position, one by one.
pub(crate) trait Features {
    /// Takes one. Features with other numbers, or of another terrain, have another key: who knows the key need not
    /// have the numbers made.
    fn take(&mut self, terrain: Terrain, owner: u8, key: Key, inputs: impl FnOnce() -> Numbers);
}

/// The numbers of a feature.
pub type Numbers = [f32; FEATURE_INPUTS + THREAT_INPUTS];

/// Those of one of which nothing is known.
const NO_NUMBERS: Numbers = [0.0; FEATURE_INPUTS + THREAT_INPUTS];

impl Features for Vec<FeatureInput> {
    fn take(&mut self, terrain: Terrain, owner: u8, _: Key, inputs: impl FnOnce() -> Numbers) {
        self.push(FeatureInput { terrain, owner, inputs: inputs() });
    }
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
    /// Reads what nets of a version see, from the next [`InputReader::read`] on: it takes time, and not every net sees
    /// all.
    pub fn read_for(&mut self, version: u32) {
        self.reads_unclaimed = version >= UNCLAIMED_VERSION;
        self.survey.sees_threats = version >= THREATS_VERSION;
    }

    /// Looks at a position through a player's eyes.
    pub fn read(&mut self, game: &Position<E>, me: Player, input: &mut NetInput) {
        self.survey.make(&mut self.fits, game);
        self.read_again(game, me, input);
    }

    /// The same for a position whose tiles and bag are those of the last one: only meeples and
    /// scores may differ.
    pub fn read_again(&mut self, game: &Position<E>, me: Player, input: &mut NetInput) {
        let mut features = std::mem::take(&mut input.features);
        features.clear();
        self.look_again(game, me, input, &mut features);
        input.features = features;
    }

    /// As [`InputReader::read`], with the features given to who takes them: those of the input are left alone.
    pub(crate) fn look(
        &mut self,
        game: &Position<E>,
        me: Player,
        input: &mut NetInput,
        features: &mut impl Features,
    ) {
        self.survey.make(&mut self.fits, game);
        self.look_again(game, me, input, features);
    }

    /// As [`InputReader::read_again`], likewise.
    pub(crate) fn look_again(
        &mut self,
        game: &Position<E>,
        me: Player,
        input: &mut NetInput,
        features: &mut impl Features,
    ) {
        let projected = game.projected_scores();
        input.tiles_left = game.tiles_left() as u8;
        input.projected_margin = projected.margin(me) as f32;
        if input.tiles_left == 0 {
            return;
        }
        stake(&mut self.claims, &self.survey, game, me);
        if self.survey.sees_threats {
            note_threats(&mut self.claims, &mut self.survey, &self.fits);
        }
        let whole = self.globals(game, me, input, &projected);
        let whole = Whole { numbers: whole, key: Key::default().with_all(&whole) };
        let best = projected.iter().filter(|(p, _)| *p != me).map(|(_, s)| *s).max();
        game.for_each_claimed(|feature, terrain, counts| {
            let owners = counts.owners();
            let owner = match (owners.contains(me), owners.len()) {
                (true, 1) => 0,
                (false, _) => 1,
                _ => 2,
            };
            let ahead = owners.iter().filter(|p| *p != me).map(|p| projected[p]).max();
            let behind = match (ahead, best) {
                (Some(ahead), Some(best)) => (best - ahead) as f32 / 20.0,
                _ => 0.0,
            };
            let seen = Seen {
                terrain,
                owner,
                behind,
                sets: self.sets(game, me, (feature, terrain), input),
            };
            match terrain {
                Terrain::Monastery | Terrain::Garden => {
                    let (numbers, key) = self.monastery(game, feature);
                    whole.give::<E>(features, seen, key, || numbers);
                }
                _ => match self.survey.place_of(feature) {
                    Some(at) => self.give_growing(game, at, &whole, seen, features),
                    None => whole.give::<E>(features, seen, Key::default(), || NO_NUMBERS),
                },
            }
        });
        if self.reads_unclaimed {
            self.look_at_unclaimed(game, me, &whole, input, features);
        }
    }

    /// Gives the cities and roads that can still grow and that nobody claimed.
    fn look_at_unclaimed(
        &mut self,
        game: &Position<E>,
        me: Player,
        whole: &Whole,
        input: &NetInput,
        features: &mut impl Features,
    ) {
        for at in 0..self.survey.entries.len() {
            let Entry { feature, terrain, .. } = self.survey.entries[at];
            if self.claims[at].claimed() || terrain == Terrain::Field {
                continue;
            }
            let sets = self.sets(game, me, (feature, terrain), input);
            let seen = Seen { terrain, owner: UNCLAIMED, behind: 0.0, sets };
            self.give_growing(game, at, whole, seen, features);
        }
    }

    /// What sets add to a feature; zeros without them.
    #[inline]
    fn sets(
        &self,
        game: &Position<E>,
        me: Player,
        feature: (FeatureId, Terrain),
        input: &NetInput,
    ) -> [f32; SET_FEATURE_INPUTS] {
        match E::EXPANDED {
            true => self.set_feature(game, me, feature, &input.globals),
            false => [0.0; SET_FEATURE_INPUTS],
        }
    }

    /// Gives an entry of the survey.
    #[inline]
    fn give_growing(
        &mut self,
        game: &Position<E>,
        at: usize,
        whole: &Whole,
        seen: Seen,
        features: &mut impl Features,
    ) {
        let made = self.survey.tile_numbers(game, at);
        let (tiles, claim) = (&self.survey.numbers[made], &self.claims[at]);
        let mut key = claim.add_to(tiles.key);
        let sees_threats = self.survey.sees_threats;
        if sees_threats {
            key = claim.threats.add_to(key);
        }
        whole.give::<E>(features, seen, key, || {
            let mut x = entry_numbers(tiles, claim);
            if sees_threats {
                let (joins, beside) = x[FEATURE_INPUTS..].split_at_mut(JOIN_INPUTS);
                joins.copy_from_slice(&claim.threats.inputs(game.tiles_left() as f32));
                beside.copy_from_slice(&tiles.beside);
            }
            x
        });
    }
}

/// What is seen of a feature beside what its tiles, its claim and the whole position say.
struct Seen {
    terrain: Terrain,
    owner: u8,
    /// How far its owner is behind the best of the others.
    behind: f32,
    sets: [f32; SET_FEATURE_INPUTS],
}

/// What every feature sees of the whole position.
struct Whole {
    numbers: [f32; 8],
    key: Key,
}

impl Whole {
    /// Gives a feature that sees it; `key` is that of the numbers that the tiles and the claims gave.
    #[inline(always)]
    fn give<E: Edition>(
        &self,
        features: &mut impl Features,
        seen: Seen,
        key: Key,
        numbers: impl FnOnce() -> Numbers,
    ) {
        let Seen { terrain, owner, behind, sets } = seen;
        let terrain = if terrain == Terrain::Garden { Terrain::Monastery } else { terrain };
        let mut key = key.with_key(self.key).with_both(behind, terrain as u8 as f32);
        if E::EXPANDED {
            key = key.with_all(&sets);
        }
        features.take(terrain, owner, key, || {
            let mut x = numbers();
            x[28..36].copy_from_slice(&self.numbers);
            x[38] = behind;
            x[39] = 1.0;
            x[BASE_FEATURE_INPUTS..FEATURE_INPUTS].copy_from_slice(&sets);
            x
        });
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
        reader.read_for(UNCLAIMED_VERSION);
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
