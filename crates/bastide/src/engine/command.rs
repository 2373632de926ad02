//! The commands: from a line to what is meant.

use crate::limits::{self, LimitError};
use anyhow::anyhow;
use bots::review::Depth;
use bots::roster::MOST_THREADS;
use search::Limits;
use std::time::Duration;

/// What a client asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command<'a> {
    Hello,
    Help,
    IsReady,
    Set(&'a str, &'a str),
    Game(&'a str),
    /// A record on the same line, or on the lines that follow.
    Record(Option<&'a str>),
    /// A chosen outcome, or one by the odds.
    Draw(Option<&'a str>),
    Play(&'a str),
    Undo(usize),
    Moves,
    Turns,
    Show,
    Board,
    Search(Task),
    Ponder(Thinker),
    Review(Depth),
    /// The seat that an arena gives to this engine, as text.
    Seat(&'a str),
    /// How a game ended that an arena let this engine play, as text.
    Result(&'a str),
    Stop,
    Wait,
    Quit,
}

impl Command<'_> {
    /// Whether it would change the position, an option or the search.
    pub(super) const fn changes_something(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::Game(_)
                | Self::Record(Some(_))
                | Self::Draw(_)
                | Self::Play(_)
                | Self::Undo(_)
                | Self::Search(_)
                | Self::Ponder(_)
                | Self::Review(_)
        )
    }
}

/// A search that is asked for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Task {
    pub(super) limits: Limits,
    /// What is left on the clock of who is to move, and what a turn adds; the limit of time comes from it.
    pub(super) clock: Option<(Duration, Duration)>,
    pub(super) who: Thinker,
    /// How many lines are reported; with it, progress is reported too.
    pub(super) top: Option<usize>,
}

/// Who thinks, where it is not who is set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Thinker {
    pub(super) bot: Option<String>,
    pub(super) threads: Option<usize>,
}

impl Thinker {
    /// Takes a word and its value; false if the word says nothing of who thinks.
    fn take<'a>(
        &mut self,
        key: &str,
        value: impl FnOnce() -> anyhow::Result<&'a str>,
    ) -> anyhow::Result<bool> {
        match key {
            "bot" => self.bot = Some(value()?.to_owned()),
            "threads" => self.threads = Some(threads(value()?)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// How long a search takes that is given no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The lines that `analyse` prints without `top`.
const DEFAULT_TOP: usize = 5;

/// Every command with what it does.
const COMMANDS: [(&str, &str); 20] = [
    ("hello", "who this is: protocol, version, games, bots, options"),
    ("help", "this list"),
    ("isready", "answers readyok, also while a search runs"),
    ("set bot NAME | set threads N | set seed N", "what holds for the searches to come"),
    ("game NAME [SETUP]", "a new game, such as: game carcassonne players=3 farmers=off"),
    ("record [TEXT]", "a whole game: on this line with ';', or on lines of its own until 'end'"),
    ("draw [OUTCOME]", "what chance draws: chosen, or by the odds without OUTCOME"),
    ("play MOVE[; MOVE…]", "moves of any player, and draws; all of them or none"),
    ("undo [N]", "takes the last N moves back, draws counted; 1 without N"),
    ("moves", "the legal moves, or the outcomes that chance may take with their odds"),
    ("turns", "the whole turns of the player to move"),
    ("show", "the position, as 'key: value' lines"),
    ("board", "the position as a picture"),
    (
        "go [movetime T | clock T [increment T]] [nodes N] [depth N] [infinite] [bot NAME] [threads N]",
        "searches, then prints the best turn; 1 s without a limit",
    ),
    ("analyse [top N] [as go]", "searches, then prints the N best turns with their values"),
    (
        "review [quick | deep]",
        "what every move so far was worth and what was luck; quick without a depth",
    ),
    (
        "seat N | result scores POINTS… [forfeit SEAT]",
        "what an arena tells its players: where one sits, how the game ended",
    ),
    ("ponder [bot NAME] [threads N]", "thinks ahead until something changes, for the next go"),
    ("stop | wait", "ends the search at once | answers ok when the search has ended"),
    ("quit", "ends; so does the end of the input"),
];

/// All commands, a line each.
pub(super) fn help() -> String {
    COMMANDS.iter().map(|(usage, about)| format!("{usage}: {about}\n")).collect()
}

/// What a line means.
///
/// # Errors
/// Says what was found and what is allowed.
pub(super) fn parse(line: &str) -> anyhow::Result<Command<'_>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let some = (!rest.is_empty()).then_some(rest);
    let alone = |command| match rest.is_empty() {
        true => Ok(command),
        false => Err(anyhow!("'{word}' takes nothing, found '{}'", shorten(rest))),
    };
    match word {
        "hello" => alone(Command::Hello),
        "help" => alone(Command::Help),
        "isready" => alone(Command::IsReady),
        "set" => match rest.split_once(char::is_whitespace) {
            Some((key, value)) => Ok(Command::Set(key, value.trim())),
            None => Err(anyhow!("expected 'set bot NAME', 'set threads N' or 'set seed N'")),
        },
        "game" => Ok(Command::Game(rest)),
        "record" => Ok(Command::Record(some)),
        "draw" => Ok(Command::Draw(some)),
        "play" => Ok(Command::Play(rest)),
        "undo" => match some.map_or(Ok(1), str::parse) {
            Ok(count) if count > 0 => Ok(Command::Undo(count)),
            _ => Err(anyhow!("undo takes a number of moves from 1, found '{}'", shorten(rest))),
        },
        "moves" => alone(Command::Moves),
        "turns" => alone(Command::Turns),
        "show" => alone(Command::Show),
        "board" => alone(Command::Board),
        "go" => task(rest, false).map(Command::Search),
        "analyse" | "analyze" => task(rest, true).map(Command::Search),
        "ponder" => thinker(rest).map(Command::Ponder),
        "review" => some
            .map_or(Ok(Depth::Quick), str::parse)
            .map(Command::Review)
            .map_err(|error| anyhow!("{error}")),
        "seat" => Ok(Command::Seat(rest)),
        "result" => Ok(Command::Result(rest)),
        "stop" => alone(Command::Stop),
        "wait" => alone(Command::Wait),
        "quit" => alone(Command::Quit),
        _ => Err(anyhow!(
            "no command is called '{}'; known: hello, help, isready, set, game, record, draw, \
             play, undo, moves, turns, show, board, go, analyse, ponder, review, seat, result, stop, wait, \
             quit",
            shorten(word)
        )),
    }
}

/// Reads words, each at most once, and of those that have a value the value.
fn each_word<'a>(
    text: &'a str,
    mut read: impl FnMut(&'a str, &mut dyn FnMut() -> anyhow::Result<&'a str>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut words = text.split_whitespace();
    let mut seen = Vec::new();
    while let Some(key) = words.next() {
        if seen.contains(&key) {
            return Err(anyhow!("'{}' is given twice", shorten(key)));
        }
        seen.push(key);
        read(key, &mut || words.next().ok_or_else(|| anyhow!("'{}' needs a value", shorten(key))))?;
    }
    Ok(())
}

fn thinker(text: &str) -> anyhow::Result<Thinker> {
    let mut who = Thinker::default();
    each_word(text, |key, value| match who.take(key, value)? {
        true => Ok(()),
        false => {
            let key = shorten(key);
            Err(anyhow!("'{key}' is not known here; allowed: bot NAME, threads N"))
        }
    })?;
    Ok(who)
}

fn task(text: &str, analyse: bool) -> anyhow::Result<Task> {
    let (mut limits, mut infinite) = (Limits::NONE, false);
    let (mut clock, mut increment) = (None, None);
    let (mut who, mut top) = (Thinker::default(), analyse.then_some(DEFAULT_TOP));
    each_word(text, |key, value| {
        match key {
            "movetime" => limits.time = Some(limits::duration("movetime", value()?)?),
            "clock" if !analyse => clock = Some(limits::duration("clock", value()?)?),
            "increment" if !analyse => increment = Some(limits::duration("increment", value()?)?),
            "nodes" => limits.nodes = Some(limits::count("nodes", value()?)?),
            "depth" => limits.depth = Some(limits::count("depth", value()?)?),
            "infinite" => infinite = true,
            "top" if analyse => top = Some(limits::count("top", value()?)?),
            _ if who.take(key, &mut *value)? => {}
            _ => {
                let more = if analyse { "top N, " } else { "clock T, increment T, " };
                return Err(anyhow!(
                    "'{}' is not known here; allowed: {more}movetime T, nodes N, depth N, \
                     infinite, bot NAME, threads N",
                    shorten(key)
                ));
            }
        }
        Ok(())
    })?;
    if infinite && (limits != Limits::NONE || clock.is_some()) {
        return Err(anyhow!("'infinite' goes with no other limit"));
    }
    if clock.is_some() && limits.time.is_some() {
        return Err(anyhow!("'movetime' is for one turn and 'clock' for all; give one of them"));
    }
    if increment.is_some() && clock.is_none() {
        return Err(anyhow!("'increment' goes with 'clock'"));
    }
    if !infinite && limits == Limits::NONE && clock.is_none() {
        limits.time = Some(DEFAULT_TIME);
    }
    let clock = clock.map(|left| (left, increment.unwrap_or_default()));
    Ok(Task { limits, clock, who, top })
}

/// Checks a seat of a game with so many players.
///
/// # Errors
/// If there is no such seat.
pub(super) fn check_seat(text: &str, players: usize) -> anyhow::Result<()> {
    let last = players.saturating_sub(1);
    match text.parse::<usize>() {
        Ok(seat) if seat <= last => Ok(()),
        _ => Err(anyhow!("seat: a number from 0 to {last}, found '{}'", shorten(text))),
    }
}

/// Checks how a game of so many players ended: `scores 91 64`, `scores 9 20 forfeit 0`.
///
/// # Errors
/// If it is something else.
pub(super) fn check_result(text: &str, players: usize) -> anyhow::Result<()> {
    let mut words = text.split_whitespace();
    let scores = words.next() == Some("scores")
        && words.by_ref().take(players).filter(|word| word.parse::<i32>().is_ok()).count()
            == players;
    let rest: Vec<&str> = words.collect();
    let forfeit = match rest[..] {
        [] => true,
        ["forfeit", seat] => check_seat(seat, players).is_ok(),
        _ => false,
    };
    match scores && forfeit {
        true => Ok(()),
        false => Err(anyhow!(
            "expected 'result scores' with a number for each of the {players} seats, and \
             'forfeit SEAT' if a seat gave up"
        )),
    }
}

/// Reads a number of threads.
///
/// # Errors
/// If it is none.
pub(super) fn threads(text: &str) -> Result<usize, LimitError> {
    match text.parse() {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(LimitError::Threads { most: MOST_THREADS, found: shorten(text) }),
    }
}

/// The start of a text that may be hostile and long, for a message.
pub(super) fn shorten(text: &str) -> String {
    game::excerpt(text, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task_of(line: &str) -> Task {
        match parse(line) {
            Ok(Command::Search(task)) => task,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let task = task_of("go nodes 500 bot greedy movetime 1.5s threads 2");
        assert_eq!(task.limits.nodes, Some(500));
        assert_eq!(task.limits.time, Some(Duration::from_millis(1500)));
        assert_eq!((task.who.bot.as_deref(), task.who.threads), (Some("greedy"), Some(2)));
        assert_eq!(task.top, None);
        let who = Thinker { bot: Some("best".to_owned()), threads: None };
        assert_eq!(parse("ponder bot best").unwrap(), Command::Ponder(who));
        assert_eq!(task_of("go").limits, Limits::time(DEFAULT_TIME));
        assert_eq!(task_of("go infinite").limits, Limits::NONE);
        let clock = task_of("go clock 1m increment 2s").clock;
        assert_eq!(clock, Some((Duration::from_secs(60), Duration::from_secs(2))));
        assert_eq!(task_of("go clock 5s").limits, Limits::NONE);
        assert_eq!(task_of("analyse top 3 depth 2").top, Some(3));
        assert_eq!(task_of("analyse").top, Some(DEFAULT_TOP));
    }

    #[test]
    fn a_wrong_line_says_what_is_allowed() {
        for (line, expected) in [
            ("fly", "no command is called 'fly'; known: hello, help"),
            ("go movetime -5", "movetime: a time such as"),
            ("go movetime", "'movetime' needs a value"),
            ("go nodes -1", "nodes: a whole number from 1 to "),
            ("go nodes 1 nodes 2", "'nodes' is given twice"),
            ("go top 3", "'top' is not known here; allowed: clock T, increment T, movetime T"),
            ("go clock 1s movetime 1s", "'movetime' is for one turn and 'clock' for all"),
            ("go increment 1s", "'increment' goes with 'clock'"),
            ("go infinite clock 1s", "goes with no other limit"),
            ("go clock fast", "clock: a time such as"),
            ("analyse clock 1s", "'clock' is not known here; allowed: top N"),
            ("go infinite nodes 3", "goes with no other limit"),
            ("go threads 0", "threads: a number from 1 to 256"),
            ("ponder nodes 5", "'nodes' is not known here; allowed: bot NAME"),
            ("ponder bot best bot net", "'bot' is given twice"),
            ("undo 0", "undo takes a number of moves from 1"),
            ("moves all", "'moves' takes nothing, found 'all'"),
            ("review long", "depth 'long': quick or deep"),
            ("set bot", "expected 'set bot NAME'"),
        ] {
            let error = parse(line).expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
