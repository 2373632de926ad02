//! What a position is worth: every evaluation of Carcassonne answers this.

use crate::inputs::{InputReader, NetInput};
use crate::net::{EmbeddingCache, Net, Pooling, Prediction};
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
    /// All but the features, which are added up as they are seen.
    input: NetInput,
    cache: EmbeddingCache,
}

impl<E: Edition> Learned<E> {
    /// An evaluation by this net.
    #[must_use]
    pub fn new(net: Arc<Net>) -> Self {
        let mut reader = InputReader::default();
        reader.read_for(net.version());
        Self { net, reader, input: NetInput::default(), cache: EmbeddingCache::default() }
    }

    /// What the net says of a position to a player.
    pub fn predict(&mut self, game: &Position<E>, me: Player) -> Prediction {
        let mut pooling = Pooling::new(&self.net, &mut self.cache);
        self.reader.look(game, me, &mut self.input, &mut pooling);
        self.net.predict(&self.input, &pooling.pools)
    }

    /// The same for a position whose tiles and bag are those of the position valued last.
    pub fn predict_again(&mut self, game: &Position<E>, me: Player) -> Prediction {
        let mut pooling = Pooling::new(&self.net, &mut self.cache);
        self.reader.look_again(game, me, &mut self.input, &mut pooling);
        self.net.predict(&self.input, &pooling.pools)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::UNCLAIMED;
    use crate::one_ply::OnePly;
    use carcassonne::{AllSets, Carcassonne, Expanded, Setup};
    use game::{Random, Turn, ignore};

    /// Calls `look` with every end of a turn of a game that a net plays, and with whether its tiles are those
    /// of the end before.
    fn for_ends<E: Edition>(
        mut game: Position<E>,
        net: &Arc<Net>,
        mut look: impl FnMut(&Position<E>, Player, bool),
    ) {
        let mut learned = Learned::new(Arc::clone(net));
        let mut random = Random::new(9);
        let mut one_ply = OnePly::default();
        loop {
            match game.turn() {
                Turn::Over => return,
                Turn::Chance => {
                    let draw = game.sample_outcome(&mut random).unwrap();
                    game.play_unchecked(draw, ignore);
                }
                Turn::Player(me) => {
                    one_ply.list(&game, &mut learned);
                    let mut before = None;
                    for turn in 0..one_ply.values().len() {
                        let end = one_ply.end(turn);
                        look(end, me, before.is_some() && before == end.last_placed());
                        before = end.last_placed();
                    }
                    game.clone_from(one_ply.end(one_ply.best(&mut random)));
                }
            }
        }
    }

    fn bits(said: Prediction) -> [u32; 2] {
        [said.margin.to_bits(), said.win.to_bits()]
    }

    fn with_all_sets() -> Expanded {
        Expanded::new(&"players=3 sets=inns,traders,river,gardens".parse().unwrap())
    }

    /// A net that makes something of all that it sees.
    fn seeing() -> Arc<Net> {
        let mut net = (*crate::nets::for_setup(&Setup::default()).net).clone().with_threats();
        let mut random = Random::new(2);
        for weight in net.weights.iter_mut().filter(|weight| **weight == 0.0) {
            *weight = random.unit() as f32 * 0.1 - 0.05;
        }
        Arc::new(net)
    }

    fn a_widened_net_says_the_same<E: Edition>(game: Position<E>) {
        // The net that `two.net` began from sees claimed features alone.
        let net = Arc::new(Net::read(include_bytes!("../nets/two-returns.net")).unwrap());
        let mut plain = Learned::<E>::new(Arc::clone(&net));
        let mut wide = Learned::<E>::new(Arc::new((*net).clone().with_threats()));
        assert!(wide.net.sees_threats() && !plain.net.sees_unclaimed());
        let (mut seen, mut input) = (0, NetInput::default());
        for_ends(game, &net, |end, me, _| {
            assert_eq!(bits(wide.predict(end, me)), bits(plain.predict(end, me)));
            wide.reader.read(end, me, &mut input);
            seen += input.features.iter().filter(|feature| feature.owner == UNCLAIMED).count();
        });
        assert!(seen > 1000, "{seen} unclaimed features");
    }

    #[test]
    fn eyes_for_more_change_nothing_until_they_are_trained() {
        a_widened_net_says_the_same(Carcassonne::new(&Setup::default()));
        a_widened_net_says_the_same::<AllSets>(with_all_sets());
    }

    /// What is kept from one position to the next changes nothing: embeddings, and what depends on the tiles.
    fn what_is_kept_changes_nothing<E: Edition>(game: Position<E>) {
        let net = seeing();
        let mut kept = Learned::<E>::new(Arc::clone(&net));
        let (mut ends, mut again) = (0, 0);
        for_ends(game, &net, |end, me, same_tiles| {
            let said = match same_tiles {
                true => kept.predict_again(end, me),
                false => kept.predict(end, me),
            };
            let mut fresh = Learned::<E>::new(Arc::clone(&net));
            assert_eq!(bits(said), bits(fresh.predict(end, me)));
            ends += 1;
            again += usize::from(same_tiles);
        });
        assert!(ends > 1000 && again > 500, "{ends} ends, {again} of them seen again");
    }

    #[test]
    fn what_is_kept_of_other_positions_changes_nothing() {
        what_is_kept_changes_nothing(Carcassonne::new(&Setup::default()));
        what_is_kept_changes_nothing::<AllSets>(with_all_sets());
    }
}
