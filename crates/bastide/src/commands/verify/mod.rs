//! `bastide verify`: replays reference games of an independent engine and compares everything.

mod compare;
mod end;
mod location;
mod reference;
mod source;

use anyhow::Context;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replay reference games and compare every turn with this engine.
///
/// A file holds one game a line as JSON (.jsonl), gzipped or not. For every turn the set of legal
/// placements, the set of meeple spots, tiles set aside, points with their names, scores and
/// supply are compared; at the end all features with their places and owners, the city segments
/// that each field touches, the meeples that stand and the final points.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide verify games/base2.jsonl.gz
  bastide verify games/base*.jsonl.gz games/tiny2.jsonl.gz
  zcat games/base2.jsonl.gz | head -1 | bastide verify -

The last line is 'N games, N turns, N differences'. The exit status is 0 only if every file could
be read, every game uses a set that is supported, and there is no difference.")]
pub(crate) struct Args {
    /// The files; '-' reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How many differences to print in full before only counting them
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut tally = Tally { show: args.show, ..Tally::default() };
    for file in &args.files {
        let name = file.display().to_string();
        let read = open(file).and_then(|input| tally.file(&name, input, &mut out));
        if let Err(error) = read {
            tally.troubles += 1;
            writeln!(out, "{name}: {error:#}")?;
        }
    }
    Ok(if tally.close(&mut out)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    Ok(Box::new(File::open(file).context("cannot be opened")?))
}

/// How many lines of a file that cannot be compared are named before they are only counted.
const TROUBLES_SHOWN: usize = 3;

/// What was compared so far.
#[derive(Default)]
struct Tally {
    show: usize,
    games: usize,
    turns: usize,
    differences: usize,
    /// Files that cannot be read and games that cannot be compared.
    troubles: usize,
}

impl Tally {
    /// Compares the games of one file.
    ///
    /// # Errors
    /// If the file cannot be read to its end, or holds no game. A line that is no game, and a
    /// game of a set that is not supported, are reported and the next line is read.
    fn file(&mut self, name: &str, input: impl Read, out: &mut impl Write) -> anyhow::Result<()> {
        let mut lines = source::Lines::new(input)?;
        let mut empty = true;
        let mut troubles = 0;
        while let Some((number, line)) = lines.next_line()? {
            empty = false;
            match reference::Game::parse(&line).and_then(|game| compare::game(&game)) {
                Ok(compared) => {
                    self.games += 1;
                    self.turns += compared.turns;
                    for difference in compared.differences {
                        self.differences += 1;
                        if self.differences <= self.show {
                            writeln!(out, "{name} line {number}: {difference}")?;
                        }
                    }
                }
                Err(trouble) => {
                    self.troubles += 1;
                    troubles += 1;
                    if troubles <= TROUBLES_SHOWN {
                        writeln!(out, "{name} line {number}: {trouble}")?;
                    }
                }
            }
        }
        if troubles > TROUBLES_SHOWN {
            writeln!(out, "{name}: {} more such lines", troubles - TROUBLES_SHOWN)?;
        }
        anyhow::ensure!(!empty, "the file holds no game");
        Ok(())
    }

    /// Writes the closing line and tells whether all is well.
    fn close(&self, out: &mut impl Write) -> std::io::Result<bool> {
        let hidden = self.differences.saturating_sub(self.show);
        if hidden > 0 {
            writeln!(out, "and {hidden} more differences (--show prints more)")?;
        }
        if self.troubles > 0 {
            writeln!(out, "{} games or files could not be compared", self.troubles)?;
        }
        let Self { games, turns, differences, .. } = self;
        writeln!(out, "{games} games, {turns} turns, {differences} differences")?;
        out.flush()?;
        Ok(self.differences == 0 && self.troubles == 0)
    }
}

#[cfg(test)]
mod tests;
