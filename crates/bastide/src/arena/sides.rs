//! Who can play in a match: bots by name, and outside programs.

use super::Pace;
use super::program_files::{NamedFiles, WatchedFiles};
use crate::external::{External, NoTurn, Place, ProgramOptions, Trouble};
use anyhow::{Context, bail};
use bots::roster::{self, BotSpec, Playable};
use carcassonne::{AllSets, Base, ExpandedSetup, Move, Options, Position, Setup};
use game::{ByPlayer, Player};
use search::{Agent, ClockKind, Limits, Report, Stop};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// What a side may be, for help texts.
pub(crate) const SIDES: &str = "\
A side is a bot by name, with parameters after a colon (star:width=8,root=12), or an outside
program that speaks the engine protocol (\"cmd:PROGRAM ARGS\").";

/// What an outside program is called by.
const PROGRAM: &str = "cmd:";

/// The command of a side that is an outside program.
pub(super) fn program_of(text: &str) -> Option<&str> {
    text.strip_prefix(PROGRAM)
}

/// Whether a side is an outside program.
pub(crate) fn is_program(text: &str) -> bool {
    program_of(text).is_some()
}

/// An edition that matches play.
pub(crate) trait PlayedEdition: Playable {
    /// What a match's setup settles for a game of this edition.
    fn setup_of(setup: &ExpandedSetup) -> Self::Setup;
}

impl PlayedEdition for Base {
    fn setup_of(setup: &ExpandedSetup) -> Setup {
        *setup.rules()
    }
}

impl PlayedEdition for AllSets {
    fn setup_of(setup: &ExpandedSetup) -> ExpandedSetup {
        *setup
    }
}

/// Makes a side: the one place that knows what can play.
///
/// # Errors
/// If nothing is called so (the error says what is known), or the program cannot be started.
pub(crate) fn make_side<E: PlayedEdition>(
    text: &str,
    setup: &E::Setup,
    programs: &ProgramOptions,
) -> anyhow::Result<Box<dyn Agent<Position<E>>>> {
    if let Some(command) = program_of(text) {
        return Ok(Box::new(External::<E>::start(command, setup, programs, &Place::default())?));
    }
    let known = || format!("a side is a bot by name, or '{PROGRAM}PROGRAM ARGS'");
    let spec: BotSpec = text.parse().with_context(known)?;
    roster::make::<E>(&spec, setup).with_context(known)
}

/// Refuses a side that cannot play at a pace: by the processor's clock a bot that thinks on other
/// threads than the one that plays the game, and without a limit a bot, which would not end.
///
/// # Errors
/// If it is so.
fn check_pace(text: &str, pace: Pace) -> anyhow::Result<()> {
    let threads =
        |spec: BotSpec| spec.params.iter().any(|(key, value)| key == "threads" && value != "1");
    match pace {
        pace if pace.is_by_cpu() && text.parse().is_ok_and(threads) => {
            bail!("--clock cpu is for programs and for bots that think on one thread")
        }
        Pace::None if program_of(text).is_none() => {
            bail!("'none' is for programs, which know when to answer; give a bot a time or nodes")
        }
        _ => Ok(()),
    }
}

/// What the trial start of a side told, if it is a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tried {
    /// What it calls itself.
    pub(crate) name: Option<String>,
    /// The files that it consists of, as far as they are known.
    pub(crate) files: WatchedFiles,
}

/// Makes a side once and lets it go.
///
/// # Errors
/// If it cannot be made, or cannot play at this pace.
pub(crate) fn check_side(
    text: &str,
    setup: &ExpandedSetup,
    pace: Pace,
    programs: &ProgramOptions,
    place: &Place,
) -> anyhow::Result<Tried> {
    check_pace(text, pace)?;
    let base = setup.sets().is_empty();
    let Some(command) = program_of(text) else {
        match base {
            true => make_side::<Base>(text, setup.rules(), programs).map(drop)?,
            false => make_side::<AllSets>(text, setup, programs).map(drop)?,
        }
        return Ok(Tried::default());
    };
    let named = NamedFiles::of(command, &programs.own_files);
    let name = match base {
        true => name_of::<Base>(command, setup.rules(), programs, place)?,
        false => name_of::<AllSets>(command, setup, programs, place)?,
    };
    Ok(Tried { name, files: named.after_trial() })
}

/// Starts a program, lets it go and gives its name.
fn name_of<E: PlayedEdition>(
    command: &str,
    setup: &E::Setup,
    programs: &ProgramOptions,
    place: &Place,
) -> anyhow::Result<Option<String>> {
    let started = External::<E>::start(command, setup, programs, place)?;
    Ok(started.name().map(str::to_owned))
}

/// What sides are called in tables: a program by its own name if nothing else is called so, else by its
/// command.
pub(crate) fn labels(sides: &[String], tried: &[Tried]) -> Vec<String> {
    let names = || tried.iter().filter_map(|tried| tried.name.as_deref());
    let unique = |name: &str| {
        names().filter(|other| *other == name).count() == 1 && sides.iter().all(|side| side != name)
    };
    let label = |(side, tried): (&String, &Tried)| match &tried.name {
        Some(name) if unique(name) => name.clone(),
        _ => side.clone(),
    };
    sides.iter().zip(tried).map(label).collect()
}

/// A side at a seat: its time is taken around the whole answer, and if it breaks down it gives no
/// answers any more instead of taking the match with it.
pub(super) struct Seated<E: PlayedEdition> {
    agent: Box<dyn Agent<Position<E>>>,
    /// Whether it is expensive to make and is reused for the next game.
    program: bool,
    /// What it broke down with.
    trouble: Option<String>,
    /// Why it was given up, if it is a program.
    given_up: Trouble,
    /// Where it plays, for what is written down of a program.
    pub(super) place: Place,
}

impl<E: PlayedEdition> Seated<E> {
    pub(super) fn new(
        text: &str,
        setup: &E::Setup,
        programs: &ProgramOptions,
        place: Place,
    ) -> anyhow::Result<Self> {
        let given_up = Trouble::default();
        let program = program_of(text);
        let agent: Box<dyn Agent<Position<E>>> = match program {
            Some(command) => {
                let started = External::<E>::start(command, setup, programs, &place)?;
                Box::new(started.heard_by(&given_up))
            }
            None => make_side::<E>(text, setup, programs)?,
        };
        Ok(Self { agent, program: program.is_some(), trouble: None, given_up, place })
    }

    /// Why it has no answer, if that is known.
    pub(super) fn why(self) -> Option<NoTurn> {
        self.trouble.map(NoTurn::Broken).or_else(|| self.given_up.take())
    }

    /// An agent that is reused for the next game, like a program.
    #[cfg(test)]
    pub(super) fn guest(agent: impl Agent<Position<E>> + 'static) -> Self {
        let (agent, trouble, given_up) = (Box::new(agent), None, Trouble::default());
        Self { agent, program: true, trouble, given_up, place: Place::default() }
    }

    /// Whether it may play another game. Bots are made again, so that nothing of one game can
    /// change another; a program gets the new game.
    pub(super) fn stays(&self) -> bool {
        self.program && self.trouble.is_none()
    }

    fn guard<T>(&mut self, act: impl FnOnce(&mut dyn Agent<Position<E>>) -> T) -> Option<T> {
        if self.trouble.is_some() {
            return None;
        }
        let agent = self.agent.as_mut();
        match catch_unwind(AssertUnwindSafe(|| act(agent))) {
            Ok(answer) => Some(answer),
            Err(panic) => {
                self.trouble = Some(format!("it broke down: {}", message(panic.as_ref())));
                None
            }
        }
    }
}

impl<E: PlayedEdition> Agent<Position<E>> for Seated<E> {
    fn new_game(&mut self, start: &Position<E>, seed: u64) {
        self.guard(|agent| agent.new_game(start, seed));
    }

    fn take_seat(&mut self, seat: Player) {
        self.guard(|agent| agent.take_seat(seat));
    }

    fn game_over(&mut self, scores: &ByPlayer<i32>, given_up_by: Option<Player>) {
        self.guard(|agent| agent.game_over(scores, given_up_by));
    }

    fn observe(&mut self, before: &Position<E>, played: Move) {
        self.guard(|agent| agent.observe(before, played));
    }

    fn search(&mut self, position: &Position<E>, limits: &Limits, stop: &Stop) -> Report<Move> {
        let started = limits.by.now();
        let report = self.guard(|agent| agent.search(position, limits, stop)).unwrap_or_default();
        // The processor time of a program is not that of the thread that waits for it, and the time of one
        // that was given up is not that of ending it.
        let given_up = report.turn.is_empty() && report.time > Duration::ZERO;
        let known = self.program && (given_up || limits.by == ClockKind::ThreadCpu);
        let time = if known { report.time } else { started.elapsed() };
        Report { time, ..report }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Paces;

    fn error(text: &str) -> String {
        let pace = Paces::DEFAULT.0[0];
        let (setup, programs) = (ExpandedSetup::default(), ProgramOptions::default());
        format!("{:#}", check_side(text, &setup, pace, &programs, &Place::default()).unwrap_err())
    }

    #[test]
    fn an_unknown_side_says_what_is_known() {
        assert!(error("grumpy").contains("random, greedy"), "{}", error("grumpy"));
        assert!(error("grumpy").contains("'cmd:PROGRAM ARGS'"));
        assert!(error("mcts:depth=3").contains("it has: threads, c"));
        assert!(error("mcts:fast").contains("key=value"));
        assert!(error("cmd:./other --strong").contains("./other --strong"));
    }

    #[test]
    fn a_program_is_called_by_its_name_where_nothing_else_is() {
        let sides = ["greedy", "cmd:a", "cmd:b", "cmd:c", "cmd:d"].map(str::to_owned);
        let names = [None, Some("Ann"), Some("Twin"), Some("Twin"), Some("greedy")];
        let tried = names.map(|name| Tried { name: name.map(str::to_owned), ..Tried::default() });
        assert_eq!(labels(&sides, &tried), ["greedy", "Ann", "cmd:b", "cmd:c", "cmd:d"]);
    }

    #[test]
    fn a_side_that_cannot_play_at_a_pace_is_refused() {
        let cpu = Paces::DEFAULT.by_cpu().unwrap().0[0];
        for side in ["best", "best:threads=1", "cmd:./other"] {
            assert!(check_pace(side, cpu).is_ok(), "{side}");
        }
        let threads = check_pace("best:threads=2", cpu).unwrap_err().to_string();
        assert!(threads.contains("one thread"), "{threads}");
        assert!(check_pace("cmd:./other", Pace::None).is_ok());
        let endless = check_pace("best", Pace::None).unwrap_err().to_string();
        assert!(endless.contains("a time or nodes"), "{endless}");
    }
}
