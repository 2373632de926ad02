//! Two-ply values to learn from: what a turn is worth after every draw and the best reply to it.
//!
//! The games are played and valued by the net that a run starts from, so what one game teaches follows
//! from the configuration, that net and the game's number alone. Labels are kept as moves and values.

use super::TrainedEdition;
use super::config::Config;
use super::self_play::{RandomTurns, draw_softly, seed_of_game};
use crate::gradient::Target;
use crate::inputs::{InputReader, NetInput};
use crate::net::{Net, Prediction};
use crate::one_ply::OnePly;
use crate::value::Learned;
use carcassonne::{AllSets, Base, Edition, ExpandedSetup, Move, Options, Position};
use game::{Game, Player, Random, Turn, ignore};
use search::play_turn;
use std::sync::Arc;

/// Of how many turns one is labelled.
const ONE_OF: u32 = 8;
/// How many turns of a position are labelled beside the best.
const OTHERS: usize = 3;
/// Among how many of the next best they are chosen: what a net is to learn is to tell these apart.
const AMONG: usize = 7;
/// Of how many positions one gets one turn more that may be worse, so that those are not forgotten.
const ONE_WORSE_OF: u32 = 4;
/// How much worse that may be, in points.
const WORSE_TEMPERATURE: f32 = 3.0;

/// A turn and what it is worth to the player who takes it.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnLabel {
    /// The moves of the turn.
    pub moves: Vec<Move>,
    /// What the net said of its end.
    pub said: Prediction,
    /// The mean over all draws of what the best reply leaves the player.
    pub two_ply: Prediction,
}

/// Some turns of one position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionLabels {
    /// How many moves of the game come before it.
    pub at: usize,
    /// The turns.
    pub turns: Vec<TurnLabel>,
}

/// The labels of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameLabels {
    /// Its setup.
    pub setup: ExpandedSetup,
    /// All its moves.
    pub moves: Vec<Move>,
    /// The positions that were labelled.
    pub positions: Vec<PositionLabels>,
}

/// What a game's labels teach.
pub(super) struct LabelSamples {
    /// Some turns of each position: their ends with what they are worth.
    pub(super) positions: Vec<Vec<(NetInput, Target)>>,
    /// The mean final score of the seats.
    pub(super) score: f32,
}

/// Plays games and labels turns of theirs.
pub(super) struct Labeller<E: TrainedEdition> {
    learned: Learned<E>,
    one_ply: OnePly<E>,
    replies: OnePly<E>,
}

impl<E: TrainedEdition> Labeller<E> {
    pub(super) fn new(net: Arc<Net>) -> Self {
        Self { learned: Learned::new(net), one_ply: OnePly::default(), replies: OnePly::default() }
    }

    /// Plays the game with this number of the run and labels some of its turns.
    pub(super) fn label(&mut self, config: &Config, number: u64) -> GameLabels {
        let (setup, mut random) = setup_of_game(config, number);
        let mut game = Position::<E>::new(&E::setup_of(&setup));
        let mut random_turns = RandomTurns::of(config, &mut random);
        let mut labels = GameLabels { setup, moves: Vec::new(), positions: Vec::new() };
        loop {
            match game.turn() {
                Turn::Over => return labels,
                Turn::Chance => {
                    let draw = game.sample_outcome(&mut random).expect("a tile is left");
                    game.play_unchecked(draw, ignore);
                    labels.moves.push(draw);
                }
                Turn::Player(_) if random_turns.any_left() => {
                    labels.moves.extend(random_turns.play(&mut game, &mut random));
                }
                Turn::Player(player) => {
                    let at = self.turn(config, &game, player, &mut random, &mut labels);
                    labels.moves.extend_from_slice(self.one_ply.moves(at));
                    game.clone_from(self.one_ply.end(at));
                }
            }
        }
    }

    /// Labels some turns of the position, perhaps; says which is played.
    fn turn(
        &mut self,
        config: &Config,
        game: &Position<E>,
        player: Player,
        random: &mut Random,
        labels: &mut GameLabels,
    ) -> usize {
        self.one_ply.list(game, &mut self.learned);
        let best = self.one_ply.best(random);
        let explored = random.unit() < f64::from(config.explore);
        let played = match explored {
            true => draw_softly(self.one_ply.values(), best, config.temperature, random),
            false => best,
        };
        let chosen = random.below(ONE_OF) == 0 && self.one_ply.end(best).tiles_left() > 0;
        if chosen && self.one_ply.values().len() > 1 {
            let siblings = self.siblings(best, random);
            let turns = siblings.into_iter().map(|turn| self.label_turn(turn, player)).collect();
            labels.positions.push(PositionLabels { at: labels.moves.len(), turns });
        }
        played
    }

    /// The best turn and some others, no turn twice.
    fn siblings(&self, best: usize, random: &mut Random) -> Vec<usize> {
        let values = self.one_ply.values();
        let mut others: Vec<usize> = (0..values.len()).filter(|turn| *turn != best).collect();
        others.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
        others.truncate(AMONG);
        random.shuffle(&mut others);
        others.truncate(OTHERS);
        let mut chosen = vec![best];
        chosen.append(&mut others);
        if random.below(ONE_WORSE_OF) == 0 {
            let worse = draw_softly(values, best, WORSE_TEMPERATURE, random);
            if !chosen.contains(&worse) {
                chosen.push(worse);
            }
        }
        chosen
    }

    fn label_turn(&mut self, turn: usize, player: Player) -> TurnLabel {
        let end = self.one_ply.end(turn).clone();
        TurnLabel {
            moves: self.one_ply.moves(turn).to_vec(),
            said: self.learned.predict(&end, player),
            two_ply: self.two_ply(&end, player),
        }
    }

    /// What the end of a turn is worth to a player: the mean over all draws of what the best reply leaves to
    /// that player. A draw that fits nowhere is drawn again, so it does not count.
    fn two_ply(&mut self, end: &Position<E>, me: Player) -> Prediction {
        let mut draws = Vec::new();
        end.moves(&mut draws);
        let (mut total, mut margin, mut win) = (0.0, 0.0, 0.0);
        for draw in draws {
            let mut next = end.clone();
            next.play_unchecked(draw, ignore);
            let Turn::Player(mover) = next.turn() else { continue };
            let odds = f64::from(end.odds(draw));
            let [points, wins] = self.after_best_reply(&next, mover, me);
            total += odds;
            margin += odds * points;
            win += odds * wins;
        }
        if total == 0.0 {
            return self.learned.predict(end, me);
        }
        Prediction { margin: (margin / total) as f32, win: (win / total) as f32 }
    }

    /// What a player holds, as margin and odds, when the mover has taken the turn that is best for the mover.
    fn after_best_reply(&mut self, game: &Position<E>, mover: Player, me: Player) -> [f64; 2] {
        self.replies.list(game, &mut self.learned);
        let values = self.replies.values();
        let best = (0..values.len()).reduce(|a, b| if values[b] > values[a] { b } else { a });
        let end = self.replies.end(best.expect("a player has a turn"));
        // Of two players one loses what the other wins; of more each holds something else. A builder may let me
        // move again.
        let looks = if game.players() == 2 { mover } else { me };
        let said = self.learned.predict(end, looks);
        let [points, wins] = [f64::from(said.margin), f64::from(said.win)];
        if looks == me { [points, wins] } else { [-points, 1.0 - wins] }
    }
}

/// The setup of the game with this number of the run, and the chance that plays it.
fn setup_of_game(config: &Config, number: u64) -> (ExpandedSetup, Random) {
    let mut random = Random::new(seed_of_game(config, number));
    (config.setup(random.unit()), random)
}

impl GameLabels {
    /// Whether the game with this number of the run has their setup.
    pub(super) fn are_of(&self, config: &Config, number: u64) -> bool {
        self.setup == setup_of_game(config, number).0
    }

    /// What they teach a net of a version. `None` if the moves are no whole game.
    pub(super) fn samples(&self, version: u32) -> Option<LabelSamples> {
        match self.setup.sets().is_empty() {
            true => self.samples_in::<Base>(version),
            false => self.samples_in::<AllSets>(version),
        }
    }

    fn samples_in<E: TrainedEdition>(&self, version: u32) -> Option<LabelSamples> {
        let mut reader = InputReader::default();
        reader.read_for(version);
        let mut game = Position::<E>::new(&E::setup_of(&self.setup));
        let mut played = 0;
        let mut positions = Vec::with_capacity(self.positions.len());
        for position in &self.positions {
            play_all(&mut game, self.moves.get(played..position.at)?)?;
            played = position.at;
            let Turn::Player(player) = game.turn() else { return None };
            // A turn that is not over would be seen as no net is asked.
            let end_of = |label: &TurnLabel| {
                play_turn(&game, &label.moves).filter(|end| end.turn() != Turn::Player(player))
            };
            let ends: Vec<_> = position.turns.iter().map(end_of).collect::<Option<_>>()?;
            let goes_on: Vec<bool> = ends.iter().map(Position::is_second_part).collect();
            let sample = |(end, target): (&Position<E>, Target)| {
                let mut input = NetInput::default();
                reader.read(end, player, &mut input);
                (input, target)
            };
            positions.push(ends.iter().zip(position.targets(&goes_on)).map(sample).collect());
        }
        play_all(&mut game, self.moves.get(played..)?)?;
        let scores = game.scores();
        let total: i32 = scores.as_slice().iter().sum();
        let score = total as f32 / scores.len() as f32;
        (game.turn() == Turn::Over).then_some(LabelSamples { positions, score })
    }
}

fn play_all<E: Edition>(game: &mut Position<E>, moves: &[Move]) -> Option<()> {
    moves.iter().try_for_each(|m| game.play(*m, ignore).ok())
}

impl PositionLabels {
    /// What each turn is to be worth: two plies settle how turns differ. The level stays what the net said that
    /// made the labels: values of best replies are too good for who replies. So a turn that a builder doubles, after
    /// which the same player moves again, has a level apart: beside the others it would be too good by two replies.
    fn targets(&self, goes_on: &[bool]) -> Vec<Target> {
        let level = |doubled: bool| {
            let alike = || self.turns.iter().zip(goes_on).filter(move |(_, on)| **on == doubled);
            let mean = |value: fn(&TurnLabel) -> f32| {
                alike().map(|(turn, _)| value(turn)).sum::<f32>() / alike().count() as f32
            };
            mean(|turn| turn.said.margin) - mean(|turn| turn.two_ply.margin)
        };
        let levels = [level(false), level(true)];
        let target = |(turn, doubled): (&TurnLabel, &bool)| Target {
            margin: turn.two_ply.margin + levels[usize::from(*doubled)],
            win: turn.two_ply.win,
        };
        self.turns.iter().zip(goes_on).map(target).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_after_which_another_moves_keep_a_level_of_their_own() {
        let label = |said: f32, two_ply: f32| TurnLabel {
            moves: Vec::new(),
            said: Prediction { margin: said, win: 0.5 },
            two_ply: Prediction { margin: two_ply, win: 0.25 },
        };
        // What the first and the last leave is the reply of another, in the middle my own.
        let turns = vec![label(4.0, -8.0), label(5.0, 9.0), label(2.0, -7.0)];
        let position = PositionLabels { at: 0, turns };
        let margins = |goes_on: &[bool]| -> Vec<f32> {
            position.targets(goes_on).iter().map(|target| target.margin).collect()
        };
        assert_eq!(margins(&[false, true, false]), [2.5, 5.0, 3.5]);
        let level = 11.0 / 3.0 + 2.0;
        let all = margins(&[false; 3]);
        assert!((all[1] - 9.0 - level).abs() < 1e-5, "of one level they keep their mean: {all:?}");
        assert_eq!(position.targets(&[true; 3])[0].win, 0.25);
    }
}
