//! The command line. Each command is a module of its own; this file only names them.
//!
//! It is a library, so that it is compiled while the server is; `main.rs` only calls [`main`].

#![forbid(unsafe_code)]

mod arena;
mod chart;
mod commands;
mod engine;
mod external;
mod hand_out;
mod interrupt;
mod limits;
mod lines;
mod markup;
mod move_text;

use clap::{Parser, Subcommand};
use std::io::Write;
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
    Admin(commands::admin::Args),
    Analyse(commands::analyse::Args),
    Backup(commands::backup::Args),
    Bench(commands::bench::Args),
    Calibrate(commands::calibrate::Args),
    Dataset(commands::dataset::Args),
    Engine(commands::engine::Args),
    #[cfg(feature = "grpc")]
    Grpc(commands::grpc::Args),
    Ladder(commands::ladder::Args),
    Match(commands::match_bots::Args),
    Mine(commands::mine::Args),
    Perft(commands::perft::Args),
    Play(commands::play::Args),
    Replay(commands::replay::Args),
    Restore(commands::backup::RestoreArgs),
    Review(commands::review::Args),
    Serve(Box<commands::serve::Args>),
    Statespace(commands::statespace::Args),
    Tiles(commands::tiles::Args),
    Tinytown(commands::tinytown::Args),
    Train(commands::train::Args),
    Verify(commands::verify::Args),
    VerifyDeck(commands::verify_deck::Args),
    #[cfg(feature = "nats")]
    Worker(commands::worker::Args),
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    let done = match cli.command {
        Command::Admin(args) => commands::admin::run(args),
        Command::Analyse(args) => commands::analyse::run(args),
        Command::Backup(args) => commands::backup::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Calibrate(args) => commands::calibrate::run(args),
        Command::Dataset(args) => commands::dataset::run(args),
        Command::Engine(args) => commands::engine::run(args),
        #[cfg(feature = "grpc")]
        Command::Grpc(args) => commands::grpc::run(args),
        Command::Ladder(args) => commands::ladder::run(args),
        Command::Match(args) => commands::match_bots::run(args),
        Command::Mine(args) => commands::mine::run(args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Restore(args) => commands::backup::restore(args),
        Command::Review(args) => commands::review::run(args),
        Command::Serve(args) => commands::serve::run(*args),
        Command::Statespace(args) => commands::statespace::run(args),
        Command::Tiles(args) => commands::tiles::run(args),
        Command::Tinytown(args) => commands::tinytown::run(args),
        Command::Train(args) => commands::train::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::VerifyDeck(args) => commands::verify_deck::run(args),
        #[cfg(feature = "nats")]
        Command::Worker(args) => commands::worker::run(args),
    };
    match done {
        Ok(code) => code,
        Err(error) if commands::is_closed_pipe(&error) => ExitCode::FAILURE,
        Err(error) => {
            // Where not even this can be written, the exit status says it.
            let _ = writeln!(std::io::stderr(), "bastide: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a help text, or what is wrong with the arguments. The latter quotes them: shortened, and
/// without characters that a terminal would obey.
fn answer(error: &clap::Error) -> ExitCode {
    const LONGEST: usize = 400;
    let code = ExitCode::from(error.exit_code() as u8);
    // Where not even this can be written, the exit status says it.
    if !error.use_stderr() {
        let _ = error.print();
        return code;
    }
    let text = error.render().to_string();
    for line in text.lines() {
        let _ = writeln!(std::io::stderr(), "{}", game::excerpt(line, LONGEST));
    }
    code
}
