//! `bastide mine`: positions with one clear best turn, found in games.

use super::replay;
use super::settings::Place;
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::{count, threads};
use anyhow::{Context, anyhow};
use bots::levels::LEVELS;
use bots::puzzle::{
    Games, MineError, MinedFile, Mining, MiningError, Puzzle, SelfPlay, check, read_all, write_all,
};
use bots::roster::BotSpec;
use carcassonne::{Expanded, ExpandedSetup};
use game::Record;
use search::Stop;
use server::storage::records::whole_public_games;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Mine puzzles: positions with one clear best turn, from games of bots or from records.
///
/// The best turn is found by a search, confirmed by one with ten times the nodes, and measured by playing on: it is at
/// least two points better than every other, with two standard errors taken off. Levels try each puzzle, which gives
/// its rating. The file grows game by game; after Ctrl-C the same command goes on. See docs/puzzles.md.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide mine --out puzzles.txt --count 50               games of bots, two players
  bastide mine --out puzzles.txt --setup 'players=3 sets=inns' --seed 7
  bastide mine --out puzzles.txt --records game1.txt game2.json
  bastide mine --out puzzles.txt --database sqlite:data/bastide.db
  bastide mine --out puzzles.txt --bus nats://localhost   by workers ('bastide worker'), while there are any
  bastide mine --check puzzles.txt --count 200            do the answers hold?
  bastide mine --sort puzzles.txt                         sorted by id, as the shipped ones are")]
pub(crate) struct Args {
    /// The file to which puzzles are added
    #[arg(long, value_name = "FILE", required_unless_present_any = ["check", "sort"])]
    out: Option<PathBuf>,
    /// End when the file has so many puzzles; with --check: look at the first so many
    #[arg(long, value_name = "N", value_parser = |text: &str| count::<usize>("count", text))]
    count: Option<usize>,
    /// The setup of the games that bots play, such as 'players=3 sets=inns'
    #[arg(long, value_name = "SETUP", default_value_t)]
    setup: ExpandedSetup,
    /// What the games of bots come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A bot that plays them; several take the seats by lot
    #[arg(long = "bot", value_name = "BOT", default_values = ["mason", "steward", "architect", "abbess"])]
    bots: Vec<BotSpec>,
    /// What a bot may spend on a turn
    #[arg(long, value_name = "N", default_value_t = 1_000,
          value_parser = |text: &str| count::<u64>("nodes", text))]
    nodes: u64,
    /// Take these games instead, in any form that 'bastide replay' reads
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["setup", "seed", "bots", "nodes"])]
    records: Vec<PathBuf>,
    /// Take the finished public games of a server's database instead, as sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME;
    /// the server may be running. Games that were imported or begin with a position are left out
    #[arg(long, value_name = "URL", conflicts_with_all = ["records", "setup", "seed", "bots", "nodes"])]
    database: Option<String>,
    /// Only positions with at most so many tiles left in the bag
    #[arg(long, value_name = "N")]
    tiles_left: Option<usize>,
    /// How many games or puzzles at the same time; it changes nothing in what is found
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Let workers on this NATS server mine; without any the threads of this command do
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", conflicts_with_all = ["check", "sort"])]
    bus: Option<String>,
    /// Check the puzzles of a file instead: by a search with 50 times the nodes, and by playing on to the end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "records", "database", "tiles_left", "sort"])]
    check: Option<PathBuf>,
    /// Print the puzzles of a file sorted by id, without comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "records", "database", "tiles_left", "count"])]
    sort: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.sort {
        let mut puzzles = read(path)?;
        puzzles.sort_by_key(Puzzle::id);
        write!(std::io::stdout().lock(), "{}", write_all(&puzzles))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.check {
        let mut puzzles = read(path)?;
        puzzles.truncate(args.count.unwrap_or(usize::MAX));
        return checked(&puzzles, args.threads);
    }
    let path = args.out.context("--out FILE says where the puzzles go")?;
    let games = match args.database {
        Some(url) => Games::Records(public_games(url)?),
        None if args.records.is_empty() => Games::SelfPlay(SelfPlay {
            setup: args.setup,
            bots: args.bots,
            nodes: args.nodes,
            seed: args.seed,
        }),
        None => Games::Records(
            args.records.iter().map(|file| read_record(file)).collect::<anyhow::Result<_>>()?,
        ),
    };
    let mining = Mining {
        games,
        tiles_left: args.tiles_left.unwrap_or(usize::MAX),
        count: args.count.unwrap_or(usize::MAX),
        threads: args.threads,
    };
    let name = path.display();
    let mut file = MinedFile::open(&path).with_context(|| format!("can't add to {name}"))?;
    let stop = stop_on_ctrl_c()?;
    let mut progress = Progress::new();
    let mut each = |file: &MinedFile| progress.show(&told(file));
    #[cfg(feature = "nats")]
    let done = match &args.bus {
        Some(url) => mined_on_bus(&mining, url, &mut file, &stop, &mut each)?,
        None => mining.run(&mut file, &stop, &mut each),
    };
    #[cfg(not(feature = "nats"))]
    let done = mining.run(&mut file, &stop, &mut each);
    progress.end();
    match done {
        Err(MiningError::Stopped) => {
            writeln!(std::io::stderr(), "stopped with {}; run again to go on", told(&file))?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
        done => done?,
    }
    writeln!(std::io::stdout(), "{name}: {}", told(&file))?;
    Ok(ExitCode::SUCCESS)
}

/// Hands games to workers while there are any, and to threads of this process when there are none.
#[cfg(feature = "nats")]
fn mined_on_bus(
    mining: &Mining,
    url: &str,
    file: &mut MinedFile,
    stop: &Stop,
    each: &mut dyn FnMut(&MinedFile),
) -> anyhow::Result<Result<(), MiningError>> {
    use server::bus::NatsBus;
    use server::engine::work::{QueuedMiners, WorkQueue, WorkThreads, hand_to_workers};
    let runtime = tokio::runtime::Runtime::new()?;
    let threads = WorkThreads { bots: 0, analyses: 0, reviews: 0, mining: mining.threads };
    let queue = WorkQueue::start(threads);
    runtime.block_on(async {
        let bus = NatsBus::connect(url, "work").await?;
        hand_to_workers(&queue, bus.work()).await
    })?;
    let handle = runtime.handle().clone();
    let mut miners = QueuedMiners::new(queue, mining.threads, stop.clone(), handle);
    Ok(mining.run_by(file, &mut miners, each))
}

fn told(file: &MinedFile) -> String {
    let (puzzles, positions, games) = (file.puzzles(), file.positions(), file.games());
    format!("{puzzles} puzzles from {positions} positions of {games} games")
}

fn read(path: &Path) -> anyhow::Result<Vec<Puzzle>> {
    read_all(&replay::read_text(path)?).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// A record by the name of its file.
fn read_record(path: &Path) -> anyhow::Result<(String, Record<Expanded>)> {
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let name: String = stem.chars().filter(|c| !c.is_control()).take(100).collect();
    Ok((name, replay::read(path, None)?.into_record()))
}

/// The finished public games of a server's database, by their ids.
fn public_games(url: String) -> anyhow::Result<Vec<(String, Record<Expanded>)>> {
    let file = url.strip_prefix("sqlite:").map(|file| file.trim_start_matches("//"));
    if let Some(file) = file.map(|file| file.split('?').next().unwrap_or_default()) {
        anyhow::ensure!(Path::new(file).exists(), "--database: there is no file {file}");
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let games = runtime.block_on(async {
        let db = Place::of_database(url).open().await?;
        let games = whole_public_games(&db).await?;
        db.pool.close().await;
        anyhow::Ok(games)
    })?;
    let read = |(id, text): (String, String)| {
        let record = text.parse().with_context(|| format!("the game {id} cannot be read"))?;
        Ok((id, record))
    };
    games.into_iter().map(read).collect()
}

/// Checks puzzles and tells how many hold, and how often levels solve them.
fn checked(puzzles: &[Puzzle], threads: usize) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let mut progress = Progress::new();
    let (mut by_search, mut to_the_end, mut both, mut done) = (0, 0, 0, 0);
    let mut text = String::new();
    for batch in puzzles.chunks(threads) {
        for (puzzle, held) in batch.iter().zip(checked_at_once(batch, &stop)) {
            let [searched, played] = match held {
                Err(MineError::Stopped) => {
                    progress.end();
                    return Ok(ExitCode::from(INTERRUPTED));
                }
                held => held?,
            };
            by_search += u32::from(searched);
            to_the_end += u32::from(played);
            both += u32::from(searched && played);
            done += 1;
            if !(searched && played) {
                let who = if searched { "playing on" } else { "the search" };
                let _ = writeln!(text, "{} is refuted by {who}", puzzle.id());
            }
            progress.show(&format!("{both} of {done} hold, of {}", puzzles.len()));
        }
    }
    progress.end();
    let share = |held: u32| 100.0 * f64::from(held) / f64::from(done).max(1.0);
    let _ = writeln!(text, "{done} puzzles");
    for (what, held) in [
        ("a search with 50 times the nodes agrees", by_search),
        ("playing on to the end agrees", to_the_end),
        ("both agree", both),
    ] {
        let _ = writeln!(text, "{what}: {held} ({:.1} %)", share(held));
    }
    for level in &LEVELS {
        let shares: Vec<f64> =
            puzzles.iter().filter_map(|puzzle| puzzle.share_solved(level.name)).collect();
        if !shares.is_empty() {
            let mean = 100.0 * shares.iter().sum::<f64>() / shares.len() as f64;
            let _ = writeln!(text, "{:<10} solves {mean:>5.1} %", level.name);
        }
    }
    write!(std::io::stdout().lock(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

fn checked_at_once(puzzles: &[Puzzle], stop: &Stop) -> Vec<Result<[bool; 2], MineError>> {
    std::thread::scope(|scope| {
        let look = |puzzle| scope.spawn(move || check(puzzle, stop));
        let workers: Vec<_> = puzzles.iter().map(look).collect();
        workers.into_iter().map(|worker| worker.join().expect("a check does not panic")).collect()
    })
}

/// One line that changes where somebody watches, a line each time in a log.
struct Progress {
    watched: bool,
}

impl Progress {
    fn new() -> Self {
        Self { watched: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, text: &str) {
        let (begin, end) = if self.watched { ("\r", "") } else { ("", "\n") };
        // Progress that cannot be shown is not missed.
        let _ = write!(std::io::stderr(), "{begin}{text}{end}");
    }

    fn end(&mut self) {
        if self.watched {
            let _ = writeln!(std::io::stderr());
        }
    }
}
