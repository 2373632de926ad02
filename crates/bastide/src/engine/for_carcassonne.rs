//! Carcassonne as the engine hosts it: the base game, and with any of the sets.

use super::command::shorten;
use super::engine_game::EngineGame;
use super::session::{GameSession, Session, spaced};
use crate::commands::replay::kinds;
use crate::limits::turns_left;
use anyhow::{anyhow, bail};
use bots::levels::LEVELS;
use bots::review::{self, Depth, Review, ReviewError, Step};
use bots::roster::{self, BotSpec, NAMES};
use carcassonne::{
    AllSets, AnyInterpreted, Base, Carcassonne, Edition, Expanded, ExpandedSetup, Figure, LEGEND,
    LEGEND_OF_SETS, Options, Position, Setup, interpret_any,
};
use game::{Game, Player, Record, Turn};
use search::{Agent, Stop};

/// A new game by the edition that its setup needs.
///
/// # Errors
/// If the setup is not known; says what is.
pub(super) fn open(setup: &str) -> anyhow::Result<Box<dyn Session>> {
    let setup: ExpandedSetup = setup.parse().map_err(|error| anyhow!("{error}"))?;
    Ok(match setup.sets().is_empty() {
        true => Box::new(GameSession::<Carcassonne>::new(*setup.rules())),
        false => Box::new(GameSession::<Expanded>::new(setup)),
    })
}

/// A recorded game by the edition that its setup needs; `setup` is for lists that name none.
///
/// # Errors
/// Names the first thing that is wrong, and what would have been right.
pub(super) fn read(text: &str, setup: &str) -> anyhow::Result<Box<dyn Session>> {
    let setup: ExpandedSetup = setup.parse().map_err(|error| anyhow!("{error}"))?;
    Ok(match interpret_any(text, &setup)? {
        AnyInterpreted::Base(read) => Box::new(GameSession::of(read.record)?),
        AnyInterpreted::Expanded(read) => Box::new(GameSession::of(read.record)?),
    })
}

impl EngineGame for Carcassonne {
    const DEFAULT_BOT: &'static str = "best";

    fn default_setup() -> Setup {
        Setup::default()
    }

    fn bots() -> Vec<(&'static str, &'static str)> {
        LEVELS.iter().map(|level| (level.name, level.about)).chain(NAMES).collect()
    }

    fn bot(name: &str, threads: usize, setup: &Setup) -> anyhow::Result<Box<dyn Agent<Self>>> {
        Ok(roster::make::<Base>(&spec(name, threads)?, setup)?)
    }

    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Result<Review, ReviewError> {
        review::review(record, depth, stop, each)
    }

    fn turns_left(&self) -> u32 {
        turns_left(self)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        facts(self)
    }

    fn board(&self) -> String {
        format!("{}{LEGEND}\n", self.picture())
    }
}

impl EngineGame for Expanded {
    const DEFAULT_BOT: &'static str = "best";

    fn default_setup() -> ExpandedSetup {
        ExpandedSetup::default()
    }

    fn bots() -> Vec<(&'static str, &'static str)> {
        Carcassonne::bots()
    }

    fn bot(
        name: &str,
        threads: usize,
        setup: &ExpandedSetup,
    ) -> anyhow::Result<Box<dyn Agent<Self>>> {
        Ok(roster::make::<AllSets>(&spec(name, threads)?, setup)?)
    }

    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Result<Review, ReviewError> {
        review::review(record, depth, stop, each)
    }

    fn turns_left(&self) -> u32 {
        turns_left(self)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let seats = || (0..self.players()).map(Player::new);
        let in_hand = |player: Player| {
            let figures =
                Figure::ALL.into_iter().skip(1).filter(|figure| self.has_figure(player, *figure));
            let names: Vec<_> = figures.map(Figure::name).collect();
            format!(
                "{player} {}",
                if names.is_empty() { "none".to_owned() } else { names.join(" ") }
            )
        };
        let mut all = facts(self);
        all.push(("second-part", if self.is_second_part() { "yes" } else { "no" }.to_owned()));
        all.push(("figures", listed(seats().map(in_hand))));
        all.push(("goods", listed(seats().map(|p| format!("{p} {}", self.goods(p))))));
        all
    }

    fn board(&self) -> String {
        format!("{}{LEGEND}\n{LEGEND_OF_SETS}\n", self.picture())
    }
}

/// A bot by name on so many threads.
fn spec(name: &str, threads: usize) -> anyhow::Result<BotSpec> {
    if name.len() > 300 {
        bail!("no bot is called '{}'", shorten(name));
    }
    let mut spec: BotSpec = name.parse()?;
    if let Some((_, path)) = spec.params.iter().find(|(key, _)| key == "file") {
        check_file(path)?;
    }
    if threads > 1 && !spec.params.iter().any(|(key, _)| key == "threads") {
        spec.params.push(("threads".to_owned(), threads.to_string()));
    }
    Ok(spec)
}

/// What there is to tell about a game of any edition.
fn facts<E: Edition>(game: &Position<E>) -> Vec<(&'static str, String)> {
    let over = game.turn() == Turn::Over;
    let player = if over { "none".to_owned() } else { game.player().to_string() };
    let tiles = game.tiles().map(|t| format!("{} {} {}", t.tile, t.cell, t.rotation));
    let meeples = game.meeples().map(|m| match m.figure() {
        Figure::Meeple => format!("{} {} {}", m.player, m.cell, m.segment),
        figure => format!("{} {} {figure} {}", m.player, m.cell, m.segment),
    });
    vec![
        ("phase", game.phase().to_string()),
        ("player", player),
        ("tile", game.tile_in_hand().map_or("none".to_owned(), |tile| tile.to_string())),
        ("projected", spaced(game.projected_scores().as_slice())),
        ("supply", spaced(game.supply().as_slice())),
        ("tiles-left", game.tiles_left().to_string()),
        ("bag", kinds(game.bag().as_ref())),
        ("set-aside", kinds(game.discards().as_ref())),
        ("tiles", listed(tiles)),
        ("meeples", listed(meeples)),
    ]
}

/// Several things in one line.
fn listed(things: impl Iterator<Item = String>) -> String {
    let text = things.collect::<Vec<_>>().join("; ");
    if text.is_empty() { "none".to_owned() } else { text }
}

/// Whether a file may be read as a net at all: a pipe would be waited for without end.
fn check_file(path: &str) -> anyhow::Result<()> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() => Err(anyhow!("file={path}: this is no file")),
        Ok(_) => Ok(()),
        Err(error) => Err(anyhow!("file={path}: {error}")),
    }
}
