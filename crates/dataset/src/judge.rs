//! What a bot says of the decisions and the draws of a game.

use crate::error::DatasetError;
use bots::roster::{self, BoxedAgent, Playable};
use carcassonne::tensor::Numbering;
use carcassonne::{Move, Position};
use game::{Game, Turn, ignore};
use search::{Agent, Limits, Report, Stop};

/// A bot that values positions, each as if it had just been made.
pub(crate) struct Judge<'a, E: Playable> {
    agent: BoxedAgent<E>,
    start: Position<E>,
    limits: Limits,
    stop: &'a Stop,
}

impl<'a, E: Playable> Judge<'a, E> {
    pub(crate) fn new(
        bot: &str,
        setup: &E::Setup,
        limits: Limits,
        stop: &'a Stop,
    ) -> Result<Self, DatasetError> {
        let agent = roster::make::<E>(&bot.parse()?, setup)?;
        Ok(Self { agent, start: Position::new(setup), limits, stop })
    }

    /// What it says of a decision.
    pub(crate) fn report(&mut self, position: &Position<E>) -> Report<Move> {
        self.agent.new_game(&self.start, 0);
        self.agent.search(position, &self.limits, self.stop)
    }

    /// What a draw was worth to every seat, against the mean of all that could have come.
    pub(crate) fn draw(&mut self, before: &Position<E>, drawn: Move) -> Vec<f64> {
        let players = before.players();
        let mut outcomes = Vec::new();
        before.moves(&mut outcomes);
        let (mut total, mut mean, mut came) = (0.0, vec![0.0; players], None);
        for outcome in outcomes {
            let mut after = before.clone();
            after.play_unchecked(outcome, ignore);
            // A tile that fits nowhere is set aside: it is worth what the others are in the mean.
            let Turn::Player(_) = after.turn() else { continue };
            let odds = f64::from(before.odds(outcome));
            let margins = margins(&self.report(&after));
            total += odds;
            for (mean, margin) in mean.iter_mut().zip(&margins) {
                *mean += odds * f64::from(*margin);
            }
            if outcome == drawn {
                came = Some(margins);
            }
        }
        let worth = |(margin, mean): (f32, f64)| f64::from(margin) - mean / total;
        match came {
            None => vec![0.0; players],
            Some(margins) => margins.into_iter().zip(mean).map(worth).collect(),
        }
    }
}

/// What the position is worth to every seat.
pub(crate) fn margins(report: &Report<Move>) -> Vec<f32> {
    report.values.as_slice().iter().map(|value| value.margin).collect()
}

/// What the actions are worth that a turn can begin with: what the best turn is that begins so.
pub(crate) fn worth_of_actions(report: &Report<Move>, numbering: Numbering) -> Vec<(i32, f32)> {
    let mut best: Vec<(i32, f32)> = Vec::new();
    for line in &report.lines {
        let first = line.moves.first().and_then(|m| numbering.number(*m));
        let Some(action) = first.map(|number| number as i32) else { continue };
        match best.iter_mut().find(|(known, _)| *known == action) {
            Some((_, worth)) => *worth = worth.max(line.value.margin),
            None => best.push((action, line.value.margin)),
        }
    }
    best
}
