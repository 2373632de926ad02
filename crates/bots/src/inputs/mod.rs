//! What the net looks at: each claimed feature as a row of small numbers, and the whole position.
//!
//! The numbers are seen by one player ("me"). `docs/net.md` lists every input; a change of
//! their meaning raises [`VERSION`], and nets of another version are refused. Version 2 is version 1
//! with the numbers of the sets behind it, which are zero in the base game: nets of version 1 are
//! read as nets that do not see the sets.

mod base;
mod claims;
mod fits;
mod sets;
mod survey;

use carcassonne::{Base, Edition, Position, Terrain};
use claims::{Claim, stake};
use fits::Fits;
use game::Player;
use survey::Survey;

/// The version of the inputs.
pub const VERSION: u32 = 2;
/// Numbers for each claimed feature in the base game: those of version 1.
pub const BASE_FEATURE_INPUTS: usize = 40;
/// Numbers for each claimed feature.
pub const FEATURE_INPUTS: usize = 52;
/// Numbers for the whole position in the base game: those of version 1.
pub const BASE_GLOBAL_INPUTS: usize = 64;
/// Numbers for the whole position.
pub const GLOBAL_INPUTS: usize = 160;
/// A feature is mine, theirs, or shared by me and others.
pub const OWNERS: usize = 3;

/// A claimed feature as the net sees it.
#[derive(Clone, Copy)]
pub struct FeatureInput {
    /// Which net reads it: city, road, field, monastery (also for a garden).
    pub terrain: Terrain,
    /// 0 mine, 1 theirs, 2 shared.
    pub owner: u8,
    /// The numbers.
    pub inputs: [f32; FEATURE_INPUTS],
}

/// A position as the net sees it.
#[derive(Clone)]
pub struct NetInput {
    /// The claimed features.
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
}

impl<E: Edition> Default for InputReader<E> {
    fn default() -> Self {
        Self { fits: Fits::default(), survey: Survey::default(), claims: Vec::new() }
    }
}

impl<E: Edition> InputReader<E> {
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
        let best = projected.iter().filter(|(p, _)| *p != me).map(|(_, s)| *s).max();
        game.for_each_claimed(|feature, terrain, counts| {
            let mut inputs = match terrain {
                Terrain::Monastery | Terrain::Garden => self.monastery_inputs(game, feature),
                Terrain::Field => self.field_inputs(game, feature),
                Terrain::City | Terrain::Road => self.scoring_inputs(game, feature, counts),
            };
            inputs[28..36].copy_from_slice(&whole);
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
            inputs[39] = 1.0;
            if E::EXPANDED {
                self.set_feature(game, me, (feature, terrain), &input.globals, &mut inputs);
            }
            let terrain = match terrain {
                Terrain::Garden => Terrain::Monastery,
                other => other,
            };
            input.features.push(FeatureInput { terrain, owner, inputs });
        });
    }
}
