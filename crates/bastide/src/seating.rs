//! Players by name: a bot of the house, or an outside program.

use crate::external::External;
use anyhow::{Context, anyhow};
use bots::roster::{self, BotSpec, Player};
use carcassonne::Setup;

/// Makes a player from a bot's name with parameters, or from `cmd:PROGRAM ARGS`.
///
/// # Errors
/// If there is no such bot, or the program does not start and greet.
pub(crate) fn player(name: &str, setup: &Setup) -> anyhow::Result<Player> {
    if let Some(command) = name.strip_prefix("cmd:") {
        return Ok(Box::new(External::start(command, setup)?));
    }
    let spec: BotSpec = name.parse().map_err(|error: String| anyhow!(error))?;
    let made = roster::make(&spec, setup.players()).map_err(|error| anyhow!(error));
    made.with_context(|| format!("bot '{name:.100}'"))
}
