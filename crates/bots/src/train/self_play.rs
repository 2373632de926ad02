//! One game against oneself, and what each position of it turned out to be worth.

use super::TrainedEdition;
use super::config::Config;
use crate::gradient::Target;
use crate::inputs::{InputReader, NetInput};
use crate::net::Net;
use crate::one_ply::OnePly;
use crate::value::Learned;
use carcassonne::{Edition, Move, Position};
use game::{ByPlayer, Game, Player, Random, Turn, ignore};
use search::math::exp;
use std::sync::Arc;

/// The most random turns a game starts with.
const MOST_RANDOM_TURNS: u32 = 7;

/// Positions with what they turned out to be worth.
pub(crate) struct Samples {
    pub(crate) positions: Vec<(NetInput, Target)>,
    /// The mean final score of the seats.
    pub(crate) score: f32,
}

/// Plays games against itself.
pub(super) struct SelfPlay<E: Edition> {
    learned: Learned<E>,
    one_ply: OnePly<E>,
    reader: InputReader<E>,
}

/// A turn of the game.
struct Step {
    player: Player,
    input: NetInput,
    /// The position through the eyes of another seat, if that is learned too.
    other: Option<(Player, NetInput)>,
    /// What the net says of the position reached.
    value: f32,
    /// What it says of the best position that could have been reached.
    best: f32,
    explored: bool,
}

impl<E: TrainedEdition> SelfPlay<E> {
    pub(crate) fn new(net: Arc<Net>) -> Self {
        let mut reader = InputReader::default();
        reader.read_for(net.version());
        Self { learned: Learned::new(net), one_ply: OnePly::default(), reader }
    }

    /// Plays the game with this number of the run.
    pub(crate) fn play(&mut self, config: &Config, number: u64) -> Samples {
        let mut random = Random::new(seed_of_game(config, number));
        let setup = E::setup_of(&config.setup(random.unit()));
        let mut game = Position::<E>::new(&setup);
        let mut random_turns = RandomTurns::of(config, &mut random);
        let mut steps = Vec::with_capacity(E::TILES);
        loop {
            match game.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let draw = game.sample_outcome(&mut random).expect("a tile is left");
                    game.play_unchecked(draw, ignore);
                }
                Turn::Player(_) if random_turns.any_left() => {
                    random_turns.play(&mut game, &mut random);
                }
                Turn::Player(player) => {
                    steps.push(self.turn(config, &mut game, player, &mut random));
                }
            }
        }
        samples(config, steps, &game.scores())
    }

    fn turn(
        &mut self,
        config: &Config,
        game: &mut Position<E>,
        player: Player,
        random: &mut Random,
    ) -> Step {
        self.one_ply.list(game, &mut self.learned);
        let best_at = self.one_ply.best(random);
        let best = self.one_ply.values()[best_at];
        let explored = random.unit() < f64::from(config.explore);
        let at = match explored {
            true => draw_softly(self.one_ply.values(), best_at, config.temperature, random),
            false => best_at,
        };
        let value = self.one_ply.values()[at];
        game.clone_from(self.one_ply.end(at));
        let mut input = NetInput::default();
        self.reader.read(game, player, &mut input);
        let other = (config.other_views && game.players() > 2).then(|| {
            let seat = random.below(game.players() as u32 - 1) as usize + 1 + player.index();
            let seat = Player::new(seat % game.players());
            let mut input = NetInput::default();
            self.reader.read(game, seat, &mut input);
            (seat, input)
        });
        Step { player, input, other, value, best, explored: at != best_at }
    }
}

/// The seed of all that chance does in a game of a run.
pub(super) fn seed_of_game(config: &Config, number: u64) -> u64 {
    config.seed ^ number.wrapping_mul(0xd134_2543_de82_ef95)
}

/// One of the turns with these values, picked the more often the better it is.
pub(super) fn draw_softly(
    values: &[f32],
    best: usize,
    temperature: f32,
    random: &mut Random,
) -> usize {
    let best = values[best];
    let chance = |value: f32| exp(f64::from((value - best) / temperature));
    let total: f64 = values.iter().map(|value| chance(*value)).sum();
    let mut at = random.unit() * total;
    let picked = values.iter().position(|value| {
        at -= chance(*value);
        at < 0.0
    });
    picked.unwrap_or(0)
}

/// The random turns with which a game starts, if it is one of those that do.
pub(super) struct RandomTurns(u32);

impl RandomTurns {
    pub(super) fn of(config: &Config, random: &mut Random) -> Self {
        match random.unit() < f64::from(config.random_start) {
            true => Self(random.below(MOST_RANDOM_TURNS + 1)),
            false => Self(0),
        }
    }

    pub(super) const fn any_left(&self) -> bool {
        self.0 > 0
    }

    /// Plays one of them; gives its moves.
    pub(super) fn play<E: Edition>(
        &mut self,
        game: &mut Position<E>,
        random: &mut Random,
    ) -> [Move; 2] {
        self.0 -= 1;
        let mut moves = Vec::new();
        std::array::from_fn(|_| {
            game.moves(&mut moves);
            let m = *random.pick(&moves).expect("a player has a move");
            game.play_unchecked(m, ignore);
            m
        })
    }
}

/// Works the result back through each seat's own turns: a turn is worth a mixture of what the
/// net said at the seat's next turn and of what came after it; where that turn was explored, of
/// the best it could have had.
fn samples(config: &Config, steps: Vec<Step>, scores: &ByPlayer<i32>) -> Samples {
    let won = |player: Player| match (scores.margin(player), scores.leaders().len()) {
        (margin, _) if margin > 0 => 1.0,
        (0, tied) => 1.0 / tied as f32,
        _ => 0.0,
    };
    // What the coming turn of each seat makes of the position before it.
    let mut ahead = scores.map(|_| 0.0f32);
    for (seat, value) in ahead.as_mut_slice().iter_mut().enumerate() {
        *value = scores.margin(Player::new(seat)) as f32;
    }
    let mut positions = Vec::with_capacity(steps.len() * 2);
    for step in steps.into_iter().rev() {
        let result = ahead[step.player];
        positions.push((step.input, Target { margin: result, win: won(step.player) }));
        if let Some((seat, input)) = step.other {
            positions.push((input, Target { margin: ahead[seat], win: won(seat) }));
        }
        ahead[step.player] = match step.explored {
            true => step.best,
            false => (1.0 - config.lambda) * step.value + config.lambda * result,
        };
    }
    let total: i32 = scores.as_slice().iter().sum();
    Samples { positions, score: total as f32 / scores.len() as f32 }
}
