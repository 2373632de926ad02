//! Carcassonne as the engine hosts it.

use super::command::shorten;
use super::engine_game::EngineGame;
use super::session::spaced;
use anyhow::{anyhow, bail};
use bots::levels::LEVELS;
use bots::roster::{self, BotSpec, NAMES};
use carcassonne::{Carcassonne, KINDS, LEGEND, Setup, Tile, interpret_with};
use game::{Game, Record, Turn};
use search::Agent;

impl EngineGame for Carcassonne {
    const DEFAULT_BOT: &'static str = "best";

    fn default_setup() -> Setup {
        Setup::default()
    }

    fn bots() -> Vec<(&'static str, &'static str)> {
        LEVELS.iter().map(|level| (level.name, level.about)).chain(NAMES).collect()
    }

    fn bot(name: &str, threads: usize, setup: &Setup) -> anyhow::Result<Box<dyn Agent<Self>>> {
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
        Ok(roster::make(&spec, setup.players())?)
    }

    fn read(text: &str, setup: &Setup) -> anyhow::Result<Record<Self>> {
        Ok(interpret_with(text, setup)?.record)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let over = self.turn() == Turn::Over;
        let player = if over { "none".to_owned() } else { self.player().to_string() };
        vec![
            ("phase", self.phase().to_string()),
            ("player", player),
            ("tile", self.tile_in_hand().map_or("none".to_owned(), |tile| tile.to_string())),
            ("projected", spaced(self.projected_scores().as_slice())),
            ("supply", spaced(self.supply().as_slice())),
            ("tiles-left", self.tiles_left().to_string()),
            ("bag", kinds(self.bag())),
            ("set-aside", kinds(&self.discards())),
            (
                "tiles",
                listed(self.tiles().map(|t| format!("{} {} {}", t.tile, t.cell, t.rotation))),
            ),
            (
                "meeples",
                listed(self.meeples().map(|m| format!("{} {} {}", m.player, m.cell, m.segment))),
            ),
        ]
    }

    fn board(&self) -> String {
        format!("{}{LEGEND}\n", self.picture())
    }
}

/// So many tiles of each kind: `A2 B4`.
fn kinds(counts: &[u8; KINDS]) -> String {
    let some = Tile::all().filter(|tile| counts[tile.index()] > 0);
    let text: Vec<_> = some.map(|tile| format!("{tile}{}", counts[tile.index()])).collect();
    if text.is_empty() { "none".to_owned() } else { text.join(" ") }
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
