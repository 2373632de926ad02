//! `bastide bench`: how fast the rules are, and a signature that says whether they changed.

mod clock;
mod costs;
mod endings;
mod searches;

use carcassonne::{Carcassonne, Setup};
use clock::Clock;
use game::{Game, Random, Turn, ignore};
use std::io::Write;
use std::process::ExitCode;

/// Measure the engine on this machine, on one thread.
///
/// Prints a signature (a number that depends on every list of moves and every score of a fixed
/// set of random games: if it moves, the rules behave differently), one of the searches (what the
/// bots answer on fixed positions with fixed nodes), the speed of random games with full lists of
/// moves every turn, and what single operations cost.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide bench                               signature, speed and costs
  bastide bench --seconds 10                  the same, measured longer
  bastide bench --random-games 100 --seed 1   exactly 100 games and nothing else
  bastide bench --endings 100                 what exact endings cost, by tiles left

Instruction counts: run --random-games under valgrind --tool=callgrind for two numbers of games
and divide the difference ('make bench-instructions' does).")]
pub(crate) struct Args {
    /// Only play this many random games (two players, base game with farmers), so that
    /// instruction counts can be differenced
    #[arg(long, value_name = "N")]
    random_games: Option<u64>,
    /// Only solve this many endings of each length, and say what that takes
    #[arg(long, value_name = "N", conflicts_with_all = ["random_games", "seconds"])]
    endings: Option<usize>,
    /// The seed of the random games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How long to measure the speed, from 0.01 to 3600
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 3.0,
        conflicts_with = "random_games",
        value_parser = seconds
    )]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 3600".to_owned()),
    }
}

/// How many games the signature is made of.
const SIGNATURE_GAMES: u64 = 1_000;

/// How many games give the positions that costs are measured on.
const COST_GAMES: usize = 20;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if let Some(games) = args.random_games {
        let points = random_games(games, args.seed);
        writeln!(out, "{games} random games, signature {points:016x}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(count) = args.endings {
        endings::measure(count, args.seed, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let signature = random_games(SIGNATURE_GAMES, args.seed);
    writeln!(
        out,
        "signature   {signature:016x}   ({SIGNATURE_GAMES} random games, seed {})",
        args.seed
    )?;
    let clock = Clock::start();
    let (searches, nodes) = searches::signature();
    let seconds = clock.wall_seconds();
    writeln!(out, "searches    {searches:016x}   ({nodes} nodes in {seconds:.2} s)")?;
    writeln!(out, "state       {} bytes, no heap", size_of::<Carcassonne>())?;
    speed(&args, &mut out)?;
    writeln!(out)?;
    for cost in costs::measure(COST_GAMES, args.seed) {
        writeln!(out, "{:<44} {:>8.1} ns", cost.what, cost.nanoseconds)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays random games for a while and prints how many a second.
fn speed(args: &Args, out: &mut impl Write) -> std::io::Result<()> {
    const AT_ONCE: u64 = 500;
    let clock = Clock::start();
    let (mut games, mut seed) = (0, args.seed);
    while games == 0 || clock.wall_seconds() < args.seconds {
        seed += 1;
        std::hint::black_box(random_games(AT_ONCE, seed));
        games += AT_ONCE;
    }
    let (wall, cpu) = (clock.wall_seconds(), clock.cpu_seconds());
    writeln!(out, "games       {games} random games in {wall:.2} s")?;
    writeln!(out, "per second  {:.0} of wall time", games as f64 / wall)?;
    match cpu {
        Some(cpu) => writeln!(out, "per second  {:.0} of CPU time", games as f64 / cpu),
        None => writeln!(out, "per second of CPU time: this system does not tell"),
    }
}

/// Plays random games with full lists of moves and gives a number that depends on all of them.
fn random_games(games: u64, seed: u64) -> u64 {
    let setup = Setup::default();
    let mut random = Random::new(seed);
    let mut deck = bots::deck::ordered(&setup);
    let mut moves = Vec::with_capacity(256);
    let mut signature = 0u64;
    let fresh = Carcassonne::new(&setup);
    for _ in 0..games {
        random.shuffle(&mut deck);
        let mut draws = deck.iter().copied();
        let mut game = fresh.clone();
        loop {
            match game.turn() {
                Turn::Chance => match draws.next() {
                    Some(draw) => game.play_unchecked(draw, ignore),
                    None => break,
                },
                Turn::Player(_) => {
                    game.moves(&mut moves);
                    let m = moves[random.below(moves.len() as u32) as usize];
                    signature = signature.wrapping_mul(31).wrapping_add(moves.len() as u64);
                    game.play_unchecked(m, ignore);
                }
                Turn::Over => break,
            }
        }
        for score in game.scores().as_slice() {
            signature = signature.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(*score as u64);
        }
    }
    signature
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this moves, the rules, the order of moves or the generator changed: say so in the
    /// commit, and look at the perft fixtures and the reference games.
    #[test]
    fn the_signature_is_pinned() {
        assert_eq!(format!("{:016x}", random_games(SIGNATURE_GAMES, 1)), "dd6d8f7cbfadcbf2");
        assert_ne!(random_games(20, 1), random_games(20, 2));
    }
}
