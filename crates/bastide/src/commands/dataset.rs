//! `bastide dataset`: games to learn from, in shards that Python reads.

use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::{count, threads};
use carcassonne::ExpandedSetup;
use carcassonne::tensor::read_setup;
use dataset::{DatasetError, Judging, Maker, Request, Source};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a dataset of games to learn from, which `bastide.Dataset` reads in Python.
///
/// Games are self-play of one bot or two, which take every seat in turn, or the records of a folder. They are
/// stored as moves, in shards (shard-00000.npz) that are whole or not there. After Ctrl-C the same command goes on;
/// it may also ask for more games. See docs/python.md.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder for the dataset
    folder: PathBuf,
    /// How many games to play
    #[arg(long, value_name = "N", value_parser = |text: &str| count::<u64>("games", text),
          required_unless_present = "records", conflicts_with = "records")]
    games: Option<u64>,
    /// A bot that plays; twice for two of them
    #[arg(long = "bot", value_name = "BOT", default_value = "greedy", conflicts_with = "records")]
    bots: Vec<String>,
    /// Take the games from this folder of .txt and .json records, one a file
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// The setup: a name such as standard, or options such as "players=3 sets=inns"; the board is 35x35 unless it is
    /// named
    #[arg(long, default_value = "standard", value_parser = read_setup)]
    setup: ExpandedSetup,
    /// What the decks come from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Nodes a move, for bots that search; 1000 by default
    #[arg(long, value_name = "N", value_parser = |text: &str| count::<u64>("nodes", text))]
    nodes: Option<u64>,
    /// A bot whose analysis of every decision is stored
    #[arg(long, value_name = "BOT")]
    values: Option<String>,
    /// Also store what that bot says every action is worth
    #[arg(long, requires = "values")]
    policy: bool,
    /// Also store what the tiles drawn were worth to that bot: about 20 times the work
    #[arg(long, requires = "values")]
    luck: bool,
    /// Games in a shard
    #[arg(long, value_name = "N", default_value_t = 64,
          value_parser = |text: &str| count::<u64>("games-per-shard", text))]
    games_per_shard: u64,
    /// How many games at the same time; as many as cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
}

const EXAMPLES: &str = "Examples:\n  \
    bastide dataset data/games --games 1000 --bot net --bot greedy --values net --policy\n  \
    bastide dataset data/mine --records my-records --values greedy\n\n\
    In Python: bastide.Dataset(\"data/games\").read(0). `bastide match --help` lists the bots.";

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Args { bots, seed, policy, luck, .. } = args;
    let request = Request {
        setup: args.setup,
        source: match (args.records, args.games) {
            (Some(folder), _) => Source::Records(folder),
            (None, games) => Source::SelfPlay { bots, games: games.unwrap_or(0), seed },
        },
        nodes: args.nodes,
        judging: args.values.map(|bot| Judging { bot, policy, luck }),
        games_per_shard: args.games_per_shard,
    };
    let maker = Maker::new(&args.folder, request)?;
    let threads =
        args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let (stop, watched) = (stop_on_ctrl_c()?, stderr().is_terminal());
    for shard in 0..maker.shards() {
        let all = maker.shards();
        match maker.make(shard, threads, &stop) {
            Err(DatasetError::Stopped) => {
                writeln!(stderr(), "stopped after {shard} of {all} shards; run again to go on")?;
                return Ok(ExitCode::from(INTERRUPTED));
            }
            made => made?,
        }
        // One line that changes where somebody watches, a line a shard in a log.
        let begin = if watched { "\r" } else { "" };
        let end = if watched && shard + 1 < all { "" } else { "\n" };
        write!(stderr(), "{begin}shard {} of {all}{end}", shard + 1)?;
    }
    let (games, name) = (maker.games(), args.folder.display());
    writeln!(stdout(), "{games} games in {} shards: {name}", maker.shards())?;
    Ok(ExitCode::SUCCESS)
}
