//! Bots for either edition as one type, as the games are.

use carcassonne::{Carcassonne, Expanded, Move};
use search::{Agent, Limits, Report, Stop};
use views::AnyCarcassonne;

/// A bot for games of one edition, as a bot for games of any.
pub(super) enum AnyAgent {
    Base(Box<dyn Agent<Carcassonne>>),
    Expanded(Box<dyn Agent<Expanded>>),
}

/// Lets the bot do something with a position of its own edition.
macro_rules! with_agent {
    ($agent:expr, $position:expr, $bot:ident, $game:ident => $what:expr) => {
        match ($agent, $position) {
            (AnyAgent::Base($bot), AnyCarcassonne::Base($game)) => $what,
            (AnyAgent::Expanded($bot), AnyCarcassonne::Expanded(with_sets)) => {
                let $game = with_sets.position();
                $what
            }
            _ => unreachable!("a bot is made by the setup of the game it plays"),
        }
    };
}

impl Agent<AnyCarcassonne> for AnyAgent {
    fn new_game(&mut self, start: &AnyCarcassonne, seed: u64) {
        with_agent!(self, start, bot, game => bot.new_game(game, seed));
    }

    fn observe(&mut self, before: &AnyCarcassonne, played: Move) {
        with_agent!(self, before, bot, game => bot.observe(game, played));
    }

    fn heeds_depth(&self) -> bool {
        match self {
            Self::Base(bot) => bot.heeds_depth(),
            Self::Expanded(bot) => bot.heeds_depth(),
        }
    }

    fn search(&mut self, position: &AnyCarcassonne, limits: &Limits, stop: &Stop) -> Report<Move> {
        with_agent!(self, position, bot, game => bot.search(game, limits, stop))
    }
}
