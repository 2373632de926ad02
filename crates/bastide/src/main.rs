//! `bastide`: the one binary. Each command is a module of its own; this file only names them.

mod commands;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tile-laying games: rules, players, measurements.
#[derive(Parser)]
#[command(version, about, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Tinytown(commands::tinytown::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Tinytown(args) => commands::tinytown::run(args),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bastide: {error:#}");
            ExitCode::FAILURE
        }
    }
}
