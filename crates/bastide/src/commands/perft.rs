//! `bastide perft`: counts all lines of play to a depth, which any change of the rules moves.

use anyhow::Context;
use carcassonne::{
    AnyInterpreted, Carcassonne, Edition, Expanded, ExpandedSetup, Interpreted, Move, Options,
    Position,
};
use game::{Game, ignore};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Count all lines of play to a depth.
///
/// Every move counts as one ply, a drawn tile too: a turn is three plies. Equal drawn tiles are
/// one outcome; rotations that look alike are different moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide perft                                     depths 1 to 4 from the start
  bastide perft --depth 6 --setup 'players=3 farmers=off'
  bastide perft --depth 5 --setup sets=inns,traders
  bastide perft --depth 2 --divide                  the count behind each first move
  bastide perft --record game.txt --ply 90          from a position of a game
")]
pub(crate) struct Args {
    /// The greatest depth
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: u32,
    /// The setup, such as 'players=3 farmers=off board=35x35 sets=inns,river'
    #[arg(long, value_name = "SETUP")]
    setup: Option<ExpandedSetup>,
    /// Start from a game: a text record or a JSON list of moves ('-' reads standard input)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How many plies of the record to play first; all if it is not given
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,
    /// Show the count behind each first move, at the greatest depth
    #[arg(long)]
    divide: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Some(file) = &args.record else {
        let setup = args.setup.unwrap_or_default();
        return match setup.sets().is_empty() {
            true => count(&args, &Carcassonne::new(setup.rules())),
            false => count(&args, &Expanded::new(&setup)),
        };
    };
    match super::replay::read(file, args.setup.as_ref())? {
        AnyInterpreted::Base(read) => count(&args, &position(&args, &read)?),
        AnyInterpreted::Expanded(read) => count(&args, &position(&args, &read)?),
    }
}

/// The position of a record from which lines are counted.
fn position<E: Edition>(args: &Args, read: &Interpreted<E>) -> anyhow::Result<Position<E>> {
    let plies = args.ply.unwrap_or(read.record.moves.len());
    read.record.replay_to(plies, |_, _| {}).context("the record does not reach that ply")
}

fn count<E: Edition>(args: &Args, game: &Position<E>) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} {}", Carcassonne::NAME, game.setup())?;
    if args.divide {
        divide(game, args.depth, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for depth in args.depth.min(1)..=args.depth {
        let started = Instant::now();
        let count = Counter::new().count(game, depth);
        let seconds = started.elapsed().as_secs_f64();
        writeln!(out, "depth {depth}: {count:>15}   {seconds:.2} s")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn divide<E: Edition>(game: &Position<E>, depth: u32, out: &mut impl Write) -> std::io::Result<()> {
    if depth == 0 {
        return writeln!(out, "total: 1");
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut total = 0;
    for m in moves {
        let mut next = game.clone();
        next.play_unchecked(m, ignore);
        let count = Counter::new().count(&next, depth - 1);
        writeln!(out, "{m}: {count}")?;
        total += count;
    }
    writeln!(out, "total: {total}")
}

/// Counts lines of play, and reports progress on standard error when it takes long.
struct Counter {
    /// A list of moves for each depth, used again and again.
    lists: Vec<Vec<Move>>,
    counted: u64,
    started: Instant,
    reported: Duration,
}

const REPORT_EVERY: Duration = Duration::from_secs(5);

impl Counter {
    fn new() -> Self {
        let (started, reported) = (Instant::now(), Duration::ZERO);
        Self { lists: Vec::new(), counted: 0, started, reported }
    }

    /// The number of lines of exactly this many plies; games that end earlier do not count.
    fn count<E: Edition>(&mut self, game: &Position<E>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        game.moves(&mut moves);
        let mut count = 0;
        if depth == 1 {
            count = moves.len() as u64;
            self.counted += count;
        } else {
            for m in &moves {
                let mut next = game.clone();
                next.play_unchecked(*m, ignore);
                count += self.count(&next, depth - 1);
            }
            self.tell();
        }
        self.lists.push(moves);
        count
    }

    fn tell(&mut self) {
        let elapsed = self.started.elapsed();
        if elapsed >= self.reported + REPORT_EVERY {
            self.reported = elapsed;
            eprintln!("perft: {} lines so far, {:.0} s", self.counted, elapsed.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by the trait alone, without sharing anything with `Counter`.
    fn slow(game: &Carcassonne, depth: u32) -> u64 {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let after = |m: &Move| {
            let mut next = game.clone();
            next.play(*m, |_| {}).expect("a listed move is legal");
            next
        };
        if depth == 0 { 1 } else { moves.iter().map(|m| slow(&after(m), depth - 1)).sum() }
    }

    #[test]
    fn counts_are_those_of_the_slow_way() {
        for setup in ["players=2", "players=6 start=empty farmers=off", "board=4x4"] {
            let game = Carcassonne::new(&setup.parse().unwrap());
            for depth in 0..=4 {
                let count = Counter::new().count(&game, depth);
                assert_eq!(count, slow(&game, depth), "{setup} depth {depth}");
            }
        }
    }

    #[test]
    fn the_first_plies_by_hand() {
        let game = Carcassonne::new(&carcassonne::Setup::default());
        assert_eq!(Counter::new().count(&game, 1), 24);
        let inns = Expanded::new(&"sets=inns".parse().unwrap());
        assert_eq!(Counter::new().count(&inns, 3), 1_967);
    }
}
