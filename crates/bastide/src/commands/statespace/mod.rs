//! `bastide statespace`: how large the game is, bounded, estimated and counted.

mod bound;
mod branching;
mod distinct;
mod lines;

use crate::arena::{Progress, check_writable, write_whole};
use crate::limits::count;
use anyhow::Context;
use bots::roster::BotSpec;
use branching::Branching;
use carcassonne::{Carcassonne, Setup};
use game::Game;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say how large the game is: bounds, branching by turn, lines of play, distinct positions.
///
/// Bounds come from the tiles alone. Branching is that of games between two copies of a bot. Lines of play
/// are estimated by random probing (Knuth, 1975) with a population of lines, from which those with
/// more continuations are drawn more often. Distinct positions are counted one by one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide statespace
  bastide statespace --setup 'players=2 farmers=off start=empty board=35x35' --plot branching.svg
  bastide statespace --bot net --games 200 --runs 0 --depth 0
")]
pub(crate) struct Args {
    /// The setup, of the base game
    #[arg(long, value_name = "SETUP", default_value = "players=2")]
    setup: Setup,
    /// Who plays the games that branching is taken of
    #[arg(long, default_value = "random")]
    bot: BotSpec,
    /// How many games; 0 for none
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// How many populations estimate the lines of play; 0 for none
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    runs: u32,
    /// How many lines a population has
    #[arg(long, default_value_t = 1_000, value_parser = |text: &str| count::<u32>("population", text))]
    population: u32,
    /// To how many plies distinct positions are counted; 0 for none. A turn has three plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=9))]
    depth: u32,
    /// What chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the plot of branching by turn here, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.plot.as_deref().map_or(Ok(()), check_writable)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} {}", Carcassonne::NAME, args.setup)?;
    writeln!(out, "\nBounds, as powers of ten")?;
    bound::write(&args.setup, &mut out)?;
    if args.games > 0 {
        let mut progress = Progress::new("branching ".to_owned());
        let branching =
            Branching::of_games(&args.setup, &args.bot, args.games, args.seed, &mut progress)
                .with_context(|| format!("--bot {}", args.bot))?;
        writeln!(
            out,
            "\nBranching in {} games of {}: mean (standard deviation)",
            args.games, args.bot
        )?;
        branching.write(&mut out)?;
        if let Some(path) = &args.plot {
            write_whole(path, &branching.chart(&args.bot).svg())?;
        }
    }
    if args.runs > 0 {
        let mut progress = Progress::of("lines of play ".to_owned(), "populations");
        let population = args.population as usize;
        let estimate =
            lines::estimate(&args.setup, args.runs, population, args.seed, &mut progress);
        writeln!(out, "\nLines of play, {} populations of {}", args.runs, args.population)?;
        estimate.write(&mut out)?;
    }
    if args.depth > 0 {
        writeln!(
            out,
            "\nDistinct positions (rotations that look alike are one), and lines to them"
        )?;
        for (depth, level) in distinct::levels(&args.setup, args.depth).enumerate() {
            let (depth, level) = (depth + 1, level?);
            writeln!(
                out,
                "depth {depth}: {:>10} positions {:>12} lines",
                level.positions, level.lines
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
