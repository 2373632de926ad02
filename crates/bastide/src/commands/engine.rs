//! `bastide engine`: the engine protocol on standard input and output.

use crate::engine;
use std::process::ExitCode;

/// Speak the engine protocol on standard input and output.
///
/// Lines in, lines out: set up a game, take moves and draws, list moves, search, analyse. The
/// command 'help' lists the commands; docs/engine-protocol.md describes them.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  printf 'draw U\\nanalyse top 3 movetime 200ms\\nwait\\n' | bastide engine")]
pub(crate) struct Args {}

pub(crate) fn run(_: Args) -> anyhow::Result<ExitCode> {
    engine::serve(std::io::stdin().lock(), std::io::stdout());
    Ok(ExitCode::SUCCESS)
}
