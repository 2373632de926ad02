//! An outside program that speaks the engine protocol, as a player of Carcassonne.
//!
//! A program that is dead, silent or wrong never holds up a match: its answer is then an empty
//! turn, which no rules allow, and the reason goes to who asked for it, or to standard error. It is
//! started again for the next game.

pub(crate) mod command_line;
mod cpu_clock;
mod dialogue_log;
mod error_stream;
mod heard;
mod link;
mod options;
pub(crate) mod process;

pub(crate) use options::{Place, ProgramOptions, Timeouts};

use anyhow::{Context, bail, ensure};
use carcassonne::{Base, Edition, Move, Position};
use game::{ByPlayer, Game, Player, Record};
use link::{Link, Unreadable};
use search::{Agent, Limits, Report, Stop, even_values};
use std::io::{Write, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A player that is an outside program.
pub(crate) struct External<E: Edition = Base> {
    command: String,
    options: ProgramOptions,
    place: Place,
    /// `None` when the program is dead or was given up.
    link: Option<Link>,
    record: Record<Position<E>>,
    /// Where it sits, if that is known.
    seat: Option<Player>,
    /// How many of the moves the program has been sent.
    sent: usize,
    /// Who wants to know why it was given up.
    listener: Option<Trouble>,
}

/// Why a program was given up first, for somebody who shows it.
#[derive(Clone, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<NoTurn>>>);

/// Why there is no turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoTurn {
    /// What happened.
    Broken(String),
    /// An answer that is no list of moves.
    Unreadable(String),
}

impl Trouble {
    /// The reason, if there is one.
    pub(crate) fn take(&self) -> Option<NoTurn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn tell(&self, why: &anyhow::Error) {
        let why = match why.downcast_ref::<Unreadable>() {
            Some(unreadable) => NoTurn::Unreadable(unreadable.answer.clone()),
            None => NoTurn::Broken(format!("{why:#}")),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }
}

impl<E: Edition> External<E> {
    /// Starts a program and greets it. The command is split at spaces, quotes respected; no
    /// shell is involved.
    ///
    /// # Errors
    /// If it cannot be started, does not greet back in time, or does not know the setup.
    pub(crate) fn start(
        command: &str,
        setup: &E::Setup,
        options: &ProgramOptions,
        place: &Place,
    ) -> anyhow::Result<Self> {
        let context = || format!("engine '{command}'");
        let mut link = Link::open(command, options, place).with_context(context)?;
        link.new_game(setup, None).with_context(context)?;
        let (command, options, record) = (command.to_owned(), options.clone(), Record::new(*setup));
        let (link, place, seat, listener) = (Some(link), place.clone(), None, None);
        Ok(Self { command, options, place, link, record, seat, sent: 0, listener })
    }

    /// What the program calls itself.
    pub(crate) fn name(&self) -> Option<&str> {
        self.link.as_ref()?.name()
    }

    /// Tells why it is given up there, and no longer on standard error.
    pub(crate) fn heard_by(self, trouble: &Trouble) -> Self {
        Self { listener: Some(trouble.clone()), ..self }
    }

    /// Gives the program up and says why.
    fn give_up(&mut self, why: &anyhow::Error) {
        self.link = None;
        match &self.listener {
            Some(trouble) => trouble.tell(why),
            // Where not even this can be written, the empty turn says it.
            None => {
                let _ = writeln!(stderr(), "bastide: engine '{}': {why:#}", self.command);
            }
        }
    }

    fn try_new_game(&mut self, seed: u64) -> anyhow::Result<()> {
        if self.link.is_none() {
            self.link = Some(Link::open(&self.command, &self.options, &self.place)?);
        }
        match &mut self.link {
            Some(link) => link.new_game(&self.record.setup, Some(seed)),
            None => bail!("it does not run"),
        }
    }

    fn try_search(
        &mut self,
        position: &Position<E>,
        limits: &Limits,
        stop: &Stop,
    ) -> anyhow::Result<Report<Move>> {
        let known = self.record.replay().context("the moves it was sent are wrong")?;
        ensure!(is_same(&known, position), "it was not sent the moves that led here");
        let link = self.link.as_mut().context("it does not run")?;
        if let Some(moves) = unsent(&self.record.moves, self.sent) {
            link.ask(&moves)?;
            self.sent = self.record.moves.len();
        }
        link.search(position, limits, stop)
    }

    /// Tells the moves that were not sent yet, and how the game ended. What the program answers does
    /// not matter any more.
    fn tell_result(
        &mut self,
        scores: &ByPlayer<i32>,
        given_up_by: Option<Player>,
    ) -> anyhow::Result<()> {
        let Some(link) = &mut self.link else { return Ok(()) };
        let points: String = scores.iter().map(|(_, score)| format!(" {score}")).collect();
        let forfeit = given_up_by.map_or(String::new(), |player| format!(" forfeit {player}"));
        let result = format!("result scores{points}{forfeit}");
        if given_up_by.is_some() && given_up_by == self.seat {
            // It is ended next, and nobody waits for an answer of one that failed.
            return link.tell(&result);
        }
        if let Some(moves) = unsent(&self.record.moves, self.sent) {
            link.mention(&moves)?;
            self.sent = self.record.moves.len();
        }
        link.mention(&result)
    }
}

impl<E: Edition> Agent<Position<E>> for External<E> {
    fn new_game(&mut self, start: &Position<E>, seed: u64) {
        self.record = Record::new(*start.setup());
        self.sent = 0;
        if let Err(error) = self.try_new_game(seed) {
            self.give_up(&error);
        }
    }

    fn take_seat(&mut self, seat: Player) {
        self.seat = Some(seat);
        let told = self.link.as_mut().map_or(Ok(()), |link| link.mention(&format!("seat {seat}")));
        if let Err(error) = told {
            self.give_up(&error);
        }
    }

    fn game_over(&mut self, scores: &ByPlayer<i32>, given_up_by: Option<Player>) {
        // The game is counted already: a program that breaks down now is only started again.
        if self.tell_result(scores, given_up_by).is_err() {
            self.link = None;
        }
    }

    fn observe(&mut self, _before: &Position<E>, played: Move) {
        self.record.moves.push(played);
    }

    fn search(&mut self, position: &Position<E>, limits: &Limits, stop: &Stop) -> Report<Move> {
        let started = Instant::now();
        self.try_search(position, limits, stop).unwrap_or_else(|error| {
            // To end the program is no part of its time.
            let time = started.elapsed();
            self.give_up(&error);
            Report { time, ..Report::empty(even_values(position.players())) }
        })
    }
}

/// The line with the moves that a program has not been sent yet, if there are any.
fn unsent(moves: &[Move], sent: usize) -> Option<String> {
    let moves = moves.get(sent..).filter(|moves| !moves.is_empty())?;
    let text: Vec<_> = moves.iter().map(ToString::to_string).collect();
    Some(format!("play {}", text.join("; ")))
}

fn is_same<E: Edition>(a: &Position<E>, b: &Position<E>) -> bool {
    a.turn() == b.turn()
        && a.tile_in_hand() == b.tile_in_hand()
        && a.bag().as_ref() == b.bag().as_ref()
        && a.scores() == b.scores()
        && a.tiles().eq(b.tiles())
        && a.meeples().eq(b.meeples())
}
