//! How many draws, placements and whole turns there are, by turn.

use crate::arena::Progress;
use crate::chart::{Chart, Series};
use bots::roster::{BotSpec, make};
use carcassonne::{Base, Carcassonne, Move, Setup};
use game::{Game, Random, Turn, ignore};
use search::{Agent, Limits, Moments, Stop};
use std::io::Write;

/// What there was to choose from, by turn.
pub(super) struct Branching {
    turns: Vec<[Moments; 3]>,
}

/// What is counted of a turn.
const COUNTED: [&str; 3] = ["kinds to draw", "placements", "whole turns"];

/// Nodes of a bot that searches.
const NODES: u64 = 200;

impl Branching {
    /// What there was in games of two or more copies of a bot.
    ///
    /// # Errors
    /// If the bot cannot be made.
    pub(super) fn of_games(
        setup: &Setup,
        bot: &BotSpec,
        games: u64,
        seed: u64,
        progress: &mut Progress,
    ) -> anyhow::Result<Self> {
        let mut branching = Self { turns: Vec::new() };
        progress.start(0, games);
        for number in 0..games {
            let mut random = Random::new(seed.wrapping_add(number.wrapping_mul(0x9e37_79b9)));
            let mut player = make::<Base>(bot, setup)?;
            branching.add_game(setup, &mut *player, &mut random);
            progress.step(String::new);
        }
        progress.end();
        Ok(branching)
    }

    fn add_game(&mut self, setup: &Setup, bot: &mut dyn Agent<Carcassonne>, random: &mut Random) {
        let mut game = Carcassonne::new(setup);
        bot.new_game(&game, random.bits());
        let mut moves = Vec::new();
        let mut number = 0;
        let mut kinds = 0.0;
        loop {
            match game.turn() {
                Turn::Over => return,
                Turn::Chance => {
                    moves.clear();
                    game.moves(&mut moves);
                    kinds = moves.len() as f64;
                    let draw = game.sample_outcome(random).expect("chance has an outcome");
                    bot.observe(&game, draw);
                    game.play_unchecked(draw, ignore);
                }
                Turn::Player(_) => {
                    let (placements, turns) = choices(&game, &mut moves);
                    if self.turns.len() == number {
                        self.turns.push(<[Moments; 3]>::default());
                    }
                    let counts = [kinds, placements as f64, turns as f64];
                    for (moments, count) in self.turns[number].iter_mut().zip(counts) {
                        moments.add(count);
                    }
                    number += 1;
                    for m in bot.search(&game, &Limits::nodes(NODES), &Stop::new()).turn {
                        bot.observe(&game, m);
                        game.play_unchecked(m, ignore);
                    }
                }
            }
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "turn   {}", COUNTED.map(|what| format!("{what:>16}")).join("   "))?;
        let cells = |row: &[Moments; 3]| {
            row.map(|of| format!("{:>8.1} ({:>5.1})", of.mean(), of.deviation())).join("   ")
        };
        let last = self.turns.len();
        for (index, row) in self.turns.iter().enumerate() {
            if index < 3 || (index + 1) % 10 == 0 || index + 1 == last {
                writeln!(out, "{:>4}   {}", index + 1, cells(row))?;
            }
        }
        let mean = |at: usize| {
            let turns = self.turns.iter().map(|row| row[at].mean() * row[at].count() as f64);
            turns.sum::<f64>() / self.turns.iter().map(|row| row[at].count() as f64).sum::<f64>()
        };
        let means = [0, 1, 2].map(|at| format!("{:>16.1}", mean(at))).join("   ");
        writeln!(out, " all   {means}")
    }

    pub(super) fn chart(&self, bot: &BotSpec) -> Chart {
        let line = |at: usize| Series {
            name: COUNTED[at].into(),
            points: self
                .turns
                .iter()
                .enumerate()
                .map(|(turn, row)| ((turn + 1) as f64, row[at].mean(), row[at].deviation()))
                .collect(),
        };
        Chart {
            title: format!("Choices by turn in games of {bot}"),
            x: "turn".into(),
            y: "choices, ± standard deviation".into(),
            series: vec![line(0), line(1), line(2)],
            above: Vec::new(),
        }
    }
}

/// How many placements the player to move has, and how many whole turns.
fn choices(game: &Carcassonne, moves: &mut Vec<Move>) -> (usize, usize) {
    moves.clear();
    game.moves(moves);
    let mut rest = Vec::new();
    let turns = moves.iter().map(|m| {
        let mut next = game.clone();
        next.play_unchecked(*m, ignore);
        rest.clear();
        next.moves(&mut rest);
        rest.len()
    });
    (moves.len(), turns.sum())
}
