//! `bastide match`: two sides on the same decks, and what that says about their strength.

use crate::arena::{
    Ending, GivenPaces, Kept, Paces, Plan, Progress, SIDES, Store, check_all_writable,
    check_appendable, is_kept_at, parse_sprt, play_by_others, run_part as play, take_off_luck,
    write_records, write_whole,
};
use crate::external::{ProgramOptions, Timeouts};
use crate::hand_out::{HandOut, first_and_last};
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::{answer_time, count, search_time, threads};
use anyhow::ensure;
use bots::levels::LEVELS;
use carcassonne::ExpandedSetup;
use search::Stop;
use search::arena::Sprt;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// More than anybody can play, and few enough to be listed in memory.
pub(super) const MOST_PAIRS: u64 = 1_000_000;

/// Play a match: the same decks with the seats swapped.
///
/// Two games on one deck with the seats swapped are a pair. Among more than two players, A sits on
/// one seat and B on all others, and a round is one deck with A on every seat once. The margin is
/// A's points less the mean of the others', and its standard error comes from the pairs. Without
/// --movetime, --gametime or --nodes, each side has 100ms a move.
#[derive(clap::Args)]
#[command(after_help = help())]
pub(crate) struct Args {
    /// The side the match is about
    a: String,
    /// The side it plays against
    b: String,
    /// How many pairs of games; rounds among more than two players
    #[arg(long, default_value_t = 200, value_name = "N", visible_alias = "rounds",
          value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    pairs: u64,
    #[command(flatten)]
    common: Common,
    /// Stop as soon as it is clear which of two differences in Elo is true:
    /// ELO0,ELO1[,ALPHA,BETA]
    #[arg(long, value_name = "TEST", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the games to this file as records
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Keep the games in this folder; the same command resumes where it was stopped
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play only these pairs, such as 101-200; others are played elsewhere
    #[arg(long, value_name = "FIRST-LAST", value_parser = only, allow_hyphen_values = true, requires = "out",
          conflicts_with_all = ["sprt", "luck_adjusted", "hand_out"])]
    only: Option<Range<u64>>,
    /// Let other machines play, so many pairs at a time: what python -m bastide.cluster uses
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = |text: &str| count::<u64>("pairs", text))]
    hand_out: Option<u64>,
    /// Also say what the margin is without the luck of the draws, as the net estimates it: the same
    /// mean with a smaller error, for about a second of CPU a game
    #[arg(long)]
    luck_adjusted: bool,
}

/// Some of the pairs: the first and the last, counted from 1.
fn only(text: &str) -> Result<Range<u64>, String> {
    let range = first_and_last(text).filter(|range| range.start > 0);
    let range = range.map(|range| range.start - 1..range.end - 1);
    range.ok_or_else(|| {
        "expected the first and the last pair, counted from 1, as 101-200".to_owned()
    })
}

/// The options that a match and a ladder share.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Time a move, for both sides or each: 200ms, or 0.1s,0.05s; '-' leaves a side to --nodes, 'none'
    /// lets a program think as long as it likes
    #[arg(long, value_name = "TIME", value_parser = GivenPaces::times, allow_hyphen_values = true)]
    pub(crate) movetime: Option<GivenPaces>,
    /// Time for all moves of a game, for both sides or each, with what a move adds: 4s, or 4s+20ms,8s;
    /// a side decides itself how much of it a move gets
    #[arg(long, value_name = "TIME", value_parser = GivenPaces::game_times, allow_hyphen_values = true)]
    pub(crate) gametime: Option<GivenPaces>,
    /// Nodes a move, for both sides or each: 1000, or 1000,500; then games can be repeated exactly
    #[arg(long, value_name = "N", value_parser = GivenPaces::nodes, allow_hyphen_values = true)]
    pub(crate) nodes: Option<GivenPaces>,
    /// What --movetime and --gametime are taken by: the clock on the wall, or processor time, which is fair on a machine
    /// that does other things too: of the thread that plays the game, or of a program and its children
    #[arg(long, value_enum, default_value_t = TimeOf::Wall)]
    pub(crate) clock: TimeOf,
    /// The setup, such as "players=3 farmers=off sets=inns,traders"
    #[arg(long, default_value = "players=2")]
    pub(crate) setup: ExpandedSetup,
    /// What the decks come from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games at the same time; as many as cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// How long an outside program may take to answer anything but a search
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = answer_time,
          allow_negative_numbers = true)]
    pub(crate) answer_time: Duration,
    /// How long an outside program may take for a search that has no limit of time, as with --nodes
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = search_time,
          allow_negative_numbers = true)]
    pub(crate) search_time: Duration,
    /// Add what outside programs write to standard error to this file, instead of passing it on
    #[arg(long, value_name = "FILE")]
    pub(crate) stderr: Option<PathBuf>,
    /// Add the dialogue with outside programs to this file, line by line with time, side and game
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// What time a move is taken by.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeOf {
    Wall,
    Cpu,
}

impl Common {
    /// How long each side may think: as was said, or so long.
    ///
    /// # Errors
    /// If a side has no limit or two, or the clock has nothing to take.
    pub(crate) fn paces_or(&self, default: Paces) -> anyhow::Result<Paces> {
        let options = [self.movetime, self.gametime, self.nodes];
        let given: Vec<GivenPaces> = options.into_iter().flatten().collect();
        let paces = if given.is_empty() { default } else { Paces::of(&given)? };
        if self.clock == TimeOf::Cpu { paces.by_cpu() } else { Ok(paces) }
    }

    /// How outside programs are run, by a command that also writes these files and folders.
    pub(crate) fn programs<'a>(
        &'a self,
        written: impl IntoIterator<Item = &'a Option<PathBuf>>,
    ) -> ProgramOptions {
        let patience =
            Timeouts { answer: self.answer_time, search: self.search_time, ..Timeouts::default() };
        let (stderr, log) = (self.stderr.clone(), self.log.clone());
        let written = written.into_iter().chain([&self.stderr, &self.log]);
        ProgramOptions { patience, stderr, log, own_files: written.flatten().cloned().collect() }
    }

    /// Refuses files for what programs say to which nothing could be added, before any is started.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn check_files(&self) -> anyhow::Result<()> {
        [&self.stderr, &self.log].into_iter().flatten().try_for_each(|path| check_appendable(path))
    }

    /// How many games are played at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }
}

/// What bots there are.
pub(crate) fn help() -> String {
    let line = |(name, about)| format!("  {name:<10} {about}\n");
    let bots: String = bots::roster::NAMES.into_iter().map(line).collect();
    let levels: String = LEVELS.iter().map(|level| line((level.name, level.about))).collect();
    format!(
        "{SIDES}\n\nBots:\n{bots}\nLevels, the weakest first:\n{levels}\nExamples:\n  \
         bastide match net greedy --pairs 400\n  \
         bastide match best net --pairs 200 --movetime 100ms --clock cpu --out data/best-net\n  \
         bastide match best best --movetime 0.1s,0.05s --sprt 0,20\n  \
         bastide match best \"cmd:./mine\" --nodes 5000,- --movetime -,100ms --clock cpu\n  \
         bastide match net heuristic --setup \"players=3\" --nodes 1000\n  \
         bastide match greedy random --setup sets=inns,traders --nodes 1000\n\n\
         The last line of output holds the margin as '+12.3 ± 0.9'. See docs/arena.md."
    )
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let mut progress = Progress::new(String::new());
    let others = args.hand_out.map(|_| HandOut::standard());
    Ok(match args.play(&stop, others, &mut progress, &mut std::io::stdout())? {
        Ending::Stopped => ExitCode::from(INTERRUPTED),
        Ending::Complete | Ending::Decided => ExitCode::SUCCESS,
    })
}

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        Ok(Plan {
            setup: self.common.setup,
            sides: [self.a.clone(), self.b.clone()],
            paces: self.common.paces_or(Paces::DEFAULT)?.0,
            seed: self.common.seed,
            rounds: self.pairs,
            sprt: self.sprt,
            programs: self.common.programs([&self.out, &self.json, &self.games]),
            tried: Default::default(),
        })
    }

    /// Refuses a file that would be written into what the match is kept in.
    fn refuse_if_kept(&self, path: &Path) -> anyhow::Result<()> {
        ensure!(
            !self.out.as_deref().is_some_and(|folder| is_kept_at(folder, path)),
            "{} is where the match itself is kept; choose another name",
            path.display()
        );
        Ok(())
    }

    /// Plays the match, prints what came of it and writes its files.
    fn play(
        &self,
        stop: &Stop,
        others: Option<HandOut>,
        progress: &mut Progress,
        out: &mut impl Write,
    ) -> anyhow::Result<Ending> {
        let mut plan = self.plan()?;
        // Before the first program is started, which writes there.
        let written = [&self.common.stderr, &self.common.log];
        written.into_iter().flatten().try_for_each(|path| self.refuse_if_kept(path))?;
        self.common.check_files()?;
        plan.check()?;
        plan.notes().iter().for_each(|note| progress.say(note));
        let only = self.only.clone().unwrap_or(0..plan.rounds);
        let (last, rounds) = (only.end, plan.rounds);
        ensure!(last <= rounds, "--only: there is no pair {last}, the match has {rounds}");
        let store = match &self.out {
            None => Store::in_memory(),
            Some(folder) => Store::open(folder, &plan, |text| progress.say(&text))?,
        };
        for path in [&self.json, &self.games].into_iter().flatten() {
            self.refuse_if_kept(path)?;
        }
        check_all_writable([&self.json, &self.games])?;
        let mut kept = Kept { plan, store };
        if let Some((pairs, mut others)) = self.hand_out.zip(others) {
            play_by_others(&mut [&mut kept], pairs, &mut others, stop, progress)?;
        }
        let Kept { plan, mut store } = kept;
        let threads = self.common.threads();
        let (mut summary, ending) = play(&plan, only, &mut store, threads, stop, progress)?;
        if self.luck_adjusted {
            let done = take_off_luck(&plan, &store, &mut summary, threads, stop, progress)?;
            if !done {
                progress.say("stopped before the luck of all games was estimated");
            }
        }
        // The result comes first: it must not be lost with a file that cannot be written.
        out.write_all(summary.to_string().as_bytes())?;
        summary.notes().for_each(|note| progress.say(&note));
        if let Some(path) = &self.json {
            write_whole(path, &summary.json()?)?;
        }
        if let Some(path) = &self.games {
            write_whole(path, &write_records(&plan, &store, &summary))?;
        }
        if ending == Ending::Stopped {
            progress.say(match self.out {
                Some(_) => "stopped; the same command goes on",
                None => "stopped; with --out DIR the same command could go on",
            });
        }
        Ok(ending)
    }
}

#[cfg(test)]
#[path = "match_tests.rs"]
mod tests;
