//! What a position is worth: every evaluation of Carcassonne answers this.

use crate::inputs::{InputReader, NetInput};
use crate::net::{EmbeddingCache, Net, Prediction};
use carcassonne::{Base, Edition, Figure, Position, Terrain};
use game::{Game, Player};
use std::sync::Arc;

/// Values positions at the end of a turn.
pub trait MarginEvaluator<E: Edition = Base>: Send {
    /// What the position is worth to a player, in points of lead over the best of the others.
    fn margin(&mut self, game: &Position<E>, me: Player) -> f32;

    /// The same for a position whose tiles and bag are those of the position valued last: only
    /// meeples and scores may differ.
    fn margin_again(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.margin(game, me)
    }
}

/// One ply on the projected score: what would be counted if the game ended now.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    /// Points that a meeple in hand is worth.
    pub meeple: f32,
}

impl Default for Projection {
    fn default() -> Self {
        Self { meeple: 0.75 }
    }
}

impl Projection {
    /// What a position of any edition is worth to a player. A big meeple and an abbot in hand are
    /// worth a meeple; a builder and a pig nothing, so that they are put down when they can be.
    #[must_use]
    pub fn margin_of<E: Edition>(&self, game: &Position<E>, me: Player) -> f32 {
        let margin = game.projected_scores().margin(me) as f32;
        let mut in_hand = game.meeples_in_hand(me);
        if E::EXPANDED {
            let others = [Figure::Big, Figure::Abbot];
            in_hand += others.into_iter().filter(|f| game.has_figure(me, *f)).count() as u8;
        }
        margin + self.meeple * f32::from(in_hand)
    }
}

impl<E: Edition> MarginEvaluator<E> for Projection {
    fn margin(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.margin_of(game, me)
    }
}

/// A hand-made evaluation, kept as a baseline: hopes of finishing, meeples in hand, fields.
pub struct Heuristic<E: Edition = Base> {
    reader: InputReader<E>,
    input: NetInput,
}

impl<E: Edition> Default for Heuristic<E> {
    fn default() -> Self {
        Self { reader: InputReader::default(), input: NetInput::default() }
    }
}

impl<E: Edition> Clone for Heuristic<E> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<E: Edition> MarginEvaluator<E> for Heuristic<E> {
    fn margin(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.reader.read(game, me, &mut self.input);
        self.estimate(game, me)
    }

    fn margin_again(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.reader.read_again(game, me, &mut self.input);
        self.estimate(game, me)
    }
}

impl<E: Edition> Heuristic<E> {
    fn estimate(&self, game: &Position<E>, me: Player) -> f32 {
        let left = f32::from(self.input.tiles_left);
        let mut value = self.input.projected_margin;
        for feature in &self.input.features {
            let x = &feature.inputs;
            let sign = [1.0, -1.0, 0.0][feature.owner as usize];
            // The longer the game, the likelier the right tiles come in time.
            let time = (left / 20.0).min(1.0);
            let hope = match feature.terrain {
                Terrain::City | Terrain::Road => {
                    let finishes = 0.7 * time * x[10];
                    finishes * (10.0 * (x[3] - x[2]) + 1.5)
                }
                Terrain::Field => 0.6 * time * 3.0 * (2.0 * x[3]),
                Terrain::Monastery | Terrain::Garden => {
                    0.7 * time * x[9] * (10.0 * (0.9 - x[2]) + 1.0)
                }
            };
            value += sign * hope;
        }
        if left > 0.0 {
            let others = (0..game.players()).map(Player::new).filter(|player| *player != me);
            let theirs = others.map(|rival| game.meeples_in_hand(rival)).max().unwrap_or(0);
            let meeple = 2.0 * (left / 24.0).min(1.0);
            value += meeple * (worth_of_supply(game.meeples_in_hand(me)) - worth_of_supply(theirs));
        }
        value
    }
}

/// The first meeples in hand matter most.
fn worth_of_supply(supply: u8) -> f32 {
    [0.0, 1.6, 2.6, 3.4, 4.0, 4.5, 4.9, 5.2][supply as usize & 7]
}

/// The learned evaluation.
pub struct Learned<E: Edition = Base> {
    net: Arc<Net>,
    reader: InputReader<E>,
    input: NetInput,
    cache: EmbeddingCache,
}

impl<E: Edition> Learned<E> {
    /// An evaluation by this net.
    #[must_use]
    pub fn new(net: Arc<Net>) -> Self {
        Self {
            net,
            reader: InputReader::default(),
            input: NetInput::default(),
            cache: EmbeddingCache::default(),
        }
    }

    /// Puts another net in.
    pub fn set_net(&mut self, net: Arc<Net>) {
        self.net = net;
        self.cache.clear();
    }

    /// What the net says of a position to a player.
    pub fn predict(&mut self, game: &Position<E>, me: Player) -> Prediction {
        self.reader.read(game, me, &mut self.input);
        self.net.predict(&self.input, &mut self.cache)
    }

    /// The same for a position whose tiles and bag are those of the position valued last.
    pub fn predict_again(&mut self, game: &Position<E>, me: Player) -> Prediction {
        self.reader.read_again(game, me, &mut self.input);
        self.net.predict(&self.input, &mut self.cache)
    }

    /// What the net saw last.
    #[must_use]
    pub fn last_input(&self) -> &NetInput {
        &self.input
    }
}

impl<E: Edition> Clone for Learned<E> {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.net))
    }
}

impl<E: Edition> MarginEvaluator<E> for Learned<E> {
    fn margin(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.predict(game, me).margin
    }

    fn margin_again(&mut self, game: &Position<E>, me: Player) -> f32 {
        self.predict_again(game, me).margin
    }
}
