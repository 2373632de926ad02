//! The games that the engine hosts.

use super::command::shorten;
use super::engine_game::EngineGame;
use super::for_carcassonne;
use super::session::{GameSession, Session};
use anyhow::anyhow;
use carcassonne::Carcassonne;
use tinytown::Tinytown;

/// Every game, the one that a client finds first. A new game is one more entry here and an
/// implementation of [`EngineGame`]. Carcassonne has two: the setup says which one is needed.
const GAMES: [Entry; 2] = [
    Entry { open: for_carcassonne::open, read: for_carcassonne::read, ..entry::<Carcassonne>() },
    entry::<Tinytown>(),
];

/// A game without its type.
struct Entry {
    name: &'static str,
    /// A new game with a setup, which may be empty.
    open: fn(&str) -> anyhow::Result<Box<dyn Session>>,
    /// A recorded game; the second text is the setup for forms that do not name theirs.
    read: fn(&str, &str) -> anyhow::Result<Box<dyn Session>>,
    list: fn() -> String,
}

const fn entry<G: EngineGame>() -> Entry {
    Entry { name: G::NAME, open: open_game::<G>, read: read_game::<G>, list: list_game::<G> }
}

/// The session that a client finds: the first game with its default setup.
pub(super) fn first() -> Box<dyn Session> {
    Box::new(GameSession::<Carcassonne>::new(Carcassonne::default_setup()))
}

/// A new game from its name and setup.
///
/// # Errors
/// If the game or its setup is not known; says what is.
pub(super) fn open(text: &str) -> anyhow::Result<Box<dyn Session>> {
    let (name, setup) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (named(name)?.open)(setup.trim())
}

/// A game from its record; one in a form that names no game is read as one of the session's.
///
/// # Errors
/// If it is none; says where and why.
pub(super) fn read(text: &str, session: &dyn Session) -> anyhow::Result<Box<dyn Session>> {
    if text.trim_start().starts_with(['[', '{']) {
        return (named(session.game())?.read)(text, &session.setup());
    }
    let lines = text.split_inclusive('\n').map(|line| line.split('#').next().unwrap_or_default());
    let starts = text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end - line.len())
    });
    let head = lines.zip(starts).find(|(line, _)| !line.trim().is_empty());
    let (head, start) = head.ok_or_else(|| {
        let name = GAMES[0].name;
        anyhow!("the record is empty; it starts with a game and its setup: '{name} SETUP'")
    })?;
    let entry = named(head.trim().split([' ', '\t', ';']).next().unwrap_or_default())?;
    // On one line the setup ends where the first move begins.
    match head.find(';').map(|at| text.split_at(start + at)) {
        Some((setup, moves)) => (entry.read)(&format!("{setup}\n{}", &moves[1..]), ""),
        None => (entry.read)(text, ""),
    }
}

/// All games with their default setups and their bots, a line each.
pub(super) fn listed() -> String {
    GAMES.iter().map(|entry| (entry.list)()).collect()
}

fn named(name: &str) -> anyhow::Result<&'static Entry> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|entry| entry.name).collect();
        anyhow!("no game is called '{}'; known: {}", shorten(name), known.join(", "))
    })
}

fn open_game<G: EngineGame>(setup: &str) -> anyhow::Result<Box<dyn Session>> {
    Ok(Box::new(GameSession::<G>::new(setup_of::<G>(setup)?)))
}

fn read_game<G: EngineGame>(text: &str, setup: &str) -> anyhow::Result<Box<dyn Session>> {
    Ok(Box::new(GameSession::<G>::of(G::read(text, &setup_of::<G>(setup)?)?)?))
}

fn setup_of<G: EngineGame>(text: &str) -> anyhow::Result<G::Setup> {
    match text {
        "" => Ok(G::default_setup()),
        text => text.parse().map_err(|error| anyhow!("{error}")),
    }
}

fn list_game<G: EngineGame>() -> String {
    let mut text = format!("game {} {}\n", G::NAME, G::default_setup());
    for (name, about) in G::bots() {
        text += &format!("bot {} {name} {about}\n", G::NAME);
    }
    text
}
