//! One game between agents.

use crate::seeds::stream;
use crate::turns::play_turn;
use crate::{Agent, ClockKind, GameClock, Limits, Report, Stop};
use game::{ByPlayer, Game, Player, Random, Record, Turn, ignore};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Who sits at a seat, and how long they may think about a turn.
pub struct Contestant<'a, G: Game> {
    /// Who plays.
    pub agent: &'a mut dyn Agent<G>,
    /// Limits for each turn.
    pub limits: Limits,
    /// Time for the whole game, in place of these limits.
    pub game_time: Option<GameTime<G>>,
}

/// Time for all turns of a seat.
#[derive(Clone, Copy, Debug)]
pub struct GameTime<G> {
    /// Time at the beginning.
    pub time: Duration,
    /// What each turn adds when it is over.
    pub increment: Duration,
    /// How many turns are to come for who is to move, this one included.
    pub turns_left: fn(&G) -> u32,
}

impl<G: Game> Contestant<'_, G> {
    /// The limits of the turn to play, for a seat that spent so much.
    fn limits_now(&self, game: &G, spent: &ResourceUse) -> Limits {
        let Some(GameTime { time, increment, turns_left }) = self.game_time else {
            return self.limits;
        };
        let given = time.saturating_add(increment.saturating_mul(spent.turns));
        let left = given.saturating_sub(spent.time);
        let clock = GameClock { left, increment, turns: turns_left(game) };
        Limits { by: self.limits.by, ..Limits::game_clock(clock) }
    }
}

/// What a seat spent on a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResourceUse {
    /// Turns taken.
    pub turns: u32,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
    /// Time of the longest.
    pub longest: Duration,
    /// Turns that came late.
    pub late: u32,
}

/// A game that was played to its end.
pub struct FinishedGame<G: Game> {
    /// All its moves.
    pub record: Record<G>,
    /// The final scores.
    pub scores: ByPlayer<i32>,
    /// What each seat spent.
    pub spent: ByPlayer<ResourceUse>,
}

/// Why a game was not played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There are not as many agents as seats.
    Seats,
    /// The dealer had no outcome, or none that is possible.
    Deal,
    /// An agent's turn was empty or not legal: the text of its moves.
    Illegal(Player, String),
    /// The game was stopped.
    Stopped,
}

/// A game that was not played to its end.
pub struct GameFailed<G: Game> {
    /// The moves up to there.
    pub record: Record<G>,
    /// What happened then.
    pub reason: Reason,
    /// What each seat spent up to there, on the answer that was not legal too. In a box, so that a
    /// result is not as large as its rare error.
    pub spent: Box<ByPlayer<ResourceUse>>,
}

impl<G: Game> fmt::Debug for GameFailed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<G: Game> fmt::Display for GameFailed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Seats => write!(f, "not as many agents as seats"),
            Reason::Deal => write!(f, "the deck has no possible outcome, after\n{}", self.record),
            Reason::Illegal(player, moves) => {
                write!(
                    f,
                    "player {player} answered '{moves}', no legal turn, after\n{}",
                    self.record
                )
            }
            Reason::Stopped => write!(f, "stopped after {} moves", self.record.moves.len()),
        }
    }
}

impl<G: Game> Error for GameFailed<G> {}

/// Plays a game: agents take their turns, `deal` decides for chance, `watch` gets each report
/// with the position it is about. Agents are told their seats, and how a game ends that is not
/// stopped.
///
/// # Errors
/// If an agent or the dealer has no legal answer, or the game is stopped.
pub fn play_game<G: Game>(
    setup: &G::Setup,
    seats: &mut [Contestant<'_, G>],
    seed: u64,
    stop: &Stop,
    mut deal: impl FnMut(&G) -> Option<G::Move>,
    mut watch: impl FnMut(&G, &Report<G::Move>),
) -> Result<FinishedGame<G>, GameFailed<G>> {
    let mut game = G::new(setup);
    let mut record = Record::new(setup.clone());
    let mut spent = Box::new(ByPlayer::new(game.players(), ResourceUse::default()));
    if seats.len() != game.players() {
        return Err(GameFailed { record, reason: Reason::Seats, spent });
    }
    for (index, seat) in seats.iter_mut().enumerate() {
        seat.agent.new_game(&game, stream(seed, index as u64).bits());
        seat.agent.take_seat(Player::new(index));
    }
    loop {
        let moves = match game.turn() {
            Turn::Over => {
                let scores = game.scores();
                seats.iter_mut().for_each(|seat| seat.agent.game_over(&scores, None));
                return Ok(FinishedGame { record, scores, spent: *spent });
            }
            Turn::Chance => match deal(&game).filter(|m| game.odds(*m) > 0) {
                Some(m) => vec![m],
                None => return Err(GameFailed { record, reason: Reason::Deal, spent }),
            },
            Turn::Player(player) => {
                let seat = &mut seats[player.index()];
                let limits = seat.limits_now(&game, &spent[player]);
                let report = seat.agent.search(&game, &limits, stop);
                if stop.is_stopped() {
                    return Err(GameFailed { record, reason: Reason::Stopped, spent });
                }
                count(&mut spent[player], &report, &limits);
                if report.turn.is_empty() || play_turn(&game, &report.turn).is_none() {
                    let scores = game.scores();
                    seats.iter_mut().for_each(|seat| seat.agent.game_over(&scores, Some(player)));
                    let text: Vec<String> = report.turn.iter().map(ToString::to_string).collect();
                    let reason = Reason::Illegal(player, text.join("; "));
                    return Err(GameFailed { record, reason, spent });
                }
                watch(&game, &report);
                report.turn
            }
        };
        for m in moves {
            for seat in seats.iter_mut() {
                seat.agent.observe(&game, m);
            }
            game.play_unchecked(m, ignore);
            record.moves.push(m);
        }
    }
}

fn count<M>(spent: &mut ResourceUse, report: &Report<M>, limits: &Limits) {
    spent.turns += 1;
    spent.nodes += report.nodes;
    spent.time += report.time;
    spent.longest = spent.longest.max(report.time);
    spent.late += u32::from(is_late(report.time, limits));
}

/// Whether a turn took longer than its limit by more than a tenth of it and 10 ms. By processor time
/// nothing is late: what one turn had more may be taken off the next.
fn is_late(time: Duration, limits: &Limits) -> bool {
    const SLACK: Duration = Duration::from_millis(10);
    // Of a clock any turn may take all that is left.
    let most = limits.clock.map(|clock| clock.left).or(limits.time);
    limits.by == ClockKind::Wall && most.is_some_and(|most| time > most + most / 10 + SLACK)
}

/// A dealer who deals a deck: always the first outcome in it that is possible now.
pub fn deal_from<G: Game>(mut deck: Vec<G::Move>) -> impl FnMut(&G) -> Option<G::Move> {
    move |game| {
        let index = deck.iter().position(|m| game.odds(*m) > 0)?;
        Some(deck.remove(index))
    }
}

/// A dealer who draws by the odds.
pub fn deal_random<G: Game>(seed: u64) -> impl FnMut(&G) -> Option<G::Move> {
    let mut random = Random::new(seed);
    move |game| game.sample_outcome(&mut random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_is_more_than_a_tenth_and_ten_milliseconds() {
        let ms = Duration::from_millis;
        let by_wall = Limits::time(ms(100));
        assert!(!is_late(ms(120), &by_wall) && is_late(ms(121), &by_wall));
        assert!(!is_late(ms(900), &Limits::cpu_time(ms(100))));
        assert!(!is_late(ms(900), &Limits::nodes(1)));
        let clock = GameClock { left: ms(100), increment: ms(0), turns: 10 };
        let on_clock = Limits::game_clock(clock);
        assert!(!is_late(ms(120), &on_clock) && is_late(ms(121), &on_clock));
    }
}
