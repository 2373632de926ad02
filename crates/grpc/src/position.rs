//! A position of any game, kept between requests.

use crate::proto::{
    Action, ActionList, AiViewOptions, AiViewResponse, Analysis, InitialStateRequest, Play,
    Position, ReviewEvent, SearchTask, State, Turn, View,
};
use crate::status::status;
use crate::thinking::Job;
use crate::{told, views};
use bots::review::{Depth, ReviewError};
use game::{Random, Record};
use search::{Limits, Stop, deepen};
use server::engine::analysis::{MOST_LINES, USUAL};
use server::error::Refusal;
use server::games::{Hosted, WithGame, game_types, read_any_record, with_game};
use std::time::Duration;
use tonic::Status;

/// A position of a game that is known only by its name. A request that is refused changes nothing.
pub(crate) trait AnyPosition: Send + Sync {
    /// The id of the game.
    fn game(&self) -> &'static str;

    /// The game so far.
    fn record(&self) -> String;

    /// The state in short.
    fn state(&self) -> State;

    /// What can be played.
    fn actions(&self) -> ActionList;

    /// Plays actions, all or none.
    fn play(&mut self, play: &Play, random: &mut Random) -> Result<State, Refusal>;

    /// Takes so many moves back.
    fn undo(&mut self, count: u32) -> Result<State, Refusal>;

    /// What a player sees, or a spectator.
    fn view(&self, player: Option<u32>) -> Result<View, Refusal>;

    /// What a program on a seat sees.
    fn ai_view(&self, options: &AiViewOptions) -> Result<AiViewResponse, Refusal>;

    /// A search from here.
    fn analysis(&self, task: &SearchTask, longest: Duration) -> Result<Job<Analysis>, Refusal>;

    /// A review of the game so far.
    fn review(&self, depth: Depth, longest: Duration) -> Job<ReviewEvent>;
}

/// A game that begins.
///
/// # Errors
/// If the game or its setup is not known; says what is.
pub(crate) fn open(asked: &InitialStateRequest) -> Result<Box<dyn AnyPosition>, Refusal> {
    let InitialStateRequest { game, setup } = asked;
    if setup.contains(['\n', '\r']) {
        return Err(Refusal::Bad("a setup is one line".to_owned()));
    }
    with_game(game, Read { record: format!("{game} {setup}"), ply: None })?
}

/// A recorded game up to a ply.
///
/// # Errors
/// If it is none, or is not legal; says where and why.
pub(crate) fn read(position: Option<Position>) -> Result<Box<dyn AnyPosition>, Refusal> {
    let Position { record, ply } =
        position.ok_or_else(|| Refusal::Bad("a position is needed: a record".to_owned()))?;
    let (game, record) = read_any_record(&record)?;
    with_game(game, Read { record, ply })?
}

struct Read {
    record: String,
    ply: Option<u32>,
}

impl WithGame for Read {
    type Out = Result<Box<dyn AnyPosition>, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let mut record = G::read_record(&self.record)?;
        let last = record.moves.len();
        let ply = self.ply.map_or(last, |ply| ply as usize);
        if ply > last {
            return Err(Refusal::Bad(format!("ply {ply}: the record has {last} plies")));
        }
        record.moves.truncate(ply);
        let (game, tally) = replayed(&record)?;
        Ok(Box::new(Kept::<G> { record, game, tally }))
    }
}

fn replayed<G: Hosted>(record: &Record<G>) -> Result<(G, G::Tally), Refusal> {
    let mut tally = G::Tally::default();
    let game = record.replay_to(record.moves.len(), |_, event| G::count(&mut tally, &event));
    Ok((game.map_err(|error| Refusal::IllegalMove(error.to_string()))?, tally))
}

/// A position with how it was reached.
struct Kept<G: Hosted> {
    record: Record<G>,
    game: G,
    tally: G::Tally,
}

/// A search of more than this tells what it has after half a second, and again whenever it has searched twice as long.
const LONG: Duration = Duration::from_secs(2);

/// A list of more than this many actions would be longer than any game.
const MOST_ACTIONS: usize = 4096;

impl<G: Hosted> AnyPosition for Kept<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn record(&self) -> String {
        self.record.to_string()
    }

    fn state(&self) -> State {
        let (turn, player) = turn_of(&self.game);
        State {
            game: G::NAME.to_owned(),
            ply: self.record.moves.len() as u32,
            turn: turn.into(),
            player,
            scores: self.game.scores().as_slice().to_vec(),
            phase: self.game.phase(),
            ..State::default()
        }
    }

    fn actions(&self) -> ActionList {
        let (turn, player) = turn_of(&self.game);
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        let odds = |m: G::Move| if turn == Turn::Chance { self.game.odds(m) } else { 0 };
        let action = |m: &G::Move| Action { text: m.to_string(), odds: odds(*m) };
        ActionList { turn: turn.into(), player, actions: moves.iter().map(action).collect() }
    }

    fn play(&mut self, play: &Play, random: &mut Random) -> Result<State, Refusal> {
        let mut next =
            Turned { game: self.game.clone(), tally: self.tally.clone(), events: vec![] };
        let mut played = read_actions::<G>(&play.actions)?;
        for (index, m) in played.iter().enumerate() {
            next.play(*m, play.events).map_err(|reason| match played.len() {
                1 => Refusal::IllegalMove(reason),
                _ => Refusal::IllegalMove(format!("action {} {reason}", index + 1)),
            })?;
        }
        let (mut drawn, mut drawing) = (Vec::new(), random.clone());
        while play.draw
            && let Some(outcome) = next.game.sample_outcome(&mut drawing)
        {
            next.play(outcome, play.events).map_err(Refusal::IllegalMove)?;
            drawn.push(outcome.to_string());
            played.push(outcome);
        }
        *random = drawing;
        (self.game, self.tally) = (next.game, next.tally);
        self.record.moves.extend(played);
        let actions = play.list_actions.then(|| self.actions());
        Ok(State { drawn, events_json: next.events, actions, ..self.state() })
    }

    fn undo(&mut self, count: u32) -> Result<State, Refusal> {
        let all = self.record.moves.len();
        let left = all.checked_sub(count as usize).filter(|_| count > 0).ok_or_else(|| {
            Refusal::Bad(format!("undo {count}: {all} moves have been played; from 1 to {all}"))
        })?;
        let record = self.record.up_to(left);
        (self.game, self.tally) = replayed(&record)?;
        self.record = record;
        Ok(self.state())
    }

    fn view(&self, player: Option<u32>) -> Result<View, Refusal> {
        views::view(&self.record.setup, &self.game, &self.tally, player, self.state())
    }

    fn ai_view(&self, options: &AiViewOptions) -> Result<AiViewResponse, Refusal> {
        views::ai_view(&self.record.setup, &self.game, options, self.state())
    }

    fn analysis(&self, task: &SearchTask, longest: Duration) -> Result<Job<Analysis>, Refusal> {
        let seat = match self.game.turn() {
            game::Turn::Player(player) => player.index(),
            game::Turn::Chance => {
                return Err(Refusal::Conflict("no player is to move: chance draws first".into()));
            }
            game::Turn::Over => {
                return Err(Refusal::Conflict("no player is to move: the game is over".into()));
            }
        };
        let described = game_types().iter().find(|game| game.id == G::NAME);
        let strongest = described.map_or("random", |game| game.strongest.as_str());
        let bot = task.bot.clone().unwrap_or_else(|| strongest.to_owned());
        G::check_bot(&bot, &self.record.setup)?;
        let time = task.time_ms.map(|ms| Duration::from_millis(ms.max(1).into()));
        let time =
            time.or(task.nodes.is_none().then_some(USUAL)).map_or(longest, |t| t.min(longest));
        let limits = match task.nodes {
            // Here and in a long search the time is kept by stopping it.
            Some(nodes) => Limits::nodes(nodes.max(1)),
            None if time > LONG => Limits::NONE,
            None => Limits::time(time),
        };
        let top = if task.top == 0 { 5 } else { (task.top as usize).min(MOST_LINES) };
        let (setup, position, seed) = (self.record.setup.clone(), self.game.clone(), task.seed);
        let work = move |stop: &Stop, each: &mut dyn FnMut(Analysis)| {
            let agent = G::bot(&bot, &setup).map_err(|error| status(&error.into()));
            let mut agent = agent?;
            agent.new_game(&position, seed);
            let told = |report: &_, last| told::analysis::<G>(report, seat, top, last);
            let report = deepen(agent.as_mut(), &position, &limits, stop, |report| {
                each(told(report, false));
            });
            each(told(&report, true));
            Ok(())
        };
        // More than the steps of `search::deepen`.
        Ok(Job { work: Box::new(work), most_told: 32, longest: time })
    }

    fn review(&self, depth: Depth, longest: Duration) -> Job<ReviewEvent> {
        let record = self.record.clone();
        let plies = record.moves.len();
        let work = move |stop: &Stop, each: &mut dyn FnMut(ReviewEvent)| {
            let mut step = |step: &_, done, plies| each(told::step(step, done, plies));
            match G::review(&record, depth, stop, &mut step) {
                Some(Ok(review)) => {
                    each(told::summary(&review, plies));
                    Ok(())
                }
                Some(Err(ReviewError::Record(error))) => {
                    Err(Status::invalid_argument(error.to_string()))
                }
                Some(Err(ReviewError::Stopped)) => {
                    Err(Status::cancelled("the review was stopped before its end"))
                }
                None => {
                    let reason = format!("games of {} are not reviewed", G::NAME);
                    Err(Status::unimplemented(reason))
                }
            }
        };
        Job { work: Box::new(work), most_told: plies + 2, longest }
    }
}

/// A game that is played on, until everything is known to be legal.
struct Turned<G: Hosted> {
    game: G,
    tally: G::Tally,
    events: Vec<String>,
}

impl<G: Hosted> Turned<G> {
    fn play(&mut self, m: G::Move, tells: bool) -> Result<(), String> {
        let Self { game, tally, events } = self;
        let mut happened = Vec::new();
        game.play(m, |event| {
            G::count(tally, &event);
            if tells {
                happened.push(event);
            }
        })
        .map_err(|illegal| illegal.to_string())?;
        events.extend(happened.iter().map(|event| game.event(event).to_string()));
        Ok(())
    }
}

fn read_actions<G: Hosted>(texts: &[String]) -> Result<Vec<G::Move>, Refusal> {
    if texts.len() > MOST_ACTIONS {
        let count = texts.len();
        return Err(Refusal::Bad(format!("{count} actions at once; at most {MOST_ACTIONS}")));
    }
    let read = |(index, text): (usize, &String)| {
        text.trim().parse::<G::Move>().map_err(|error| {
            let found = game::excerpt(text, 60);
            Refusal::Bad(format!("action {} '{found}': {error}", index + 1))
        })
    };
    texts.iter().enumerate().map(read).collect()
}

fn turn_of(game: &impl Hosted) -> (Turn, Option<u32>) {
    match game.turn() {
        game::Turn::Player(player) => (Turn::Player, Some(player.index() as u32)),
        game::Turn::Chance => (Turn::Chance, None),
        game::Turn::Over => (Turn::Over, None),
    }
}
