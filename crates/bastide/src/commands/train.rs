//! `bastide train`: makes a net by self-play, and shows how it gets better.

mod batches;
mod labels;

use crate::chart::{Chart, Series};
use crate::hand_out::HandOut;
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::{count, threads};
use anyhow::{Context, bail, ensure};
use batches::round_by_others;
use bots::net::Net;
use bots::train::{Checkpoint, Config, Round, Targets, Trainer, Trial, Trials};
use labels::LabelFile;
use search::{Stop, arena::Estimate};
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, BufWriter, Read, Write, stdout};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Train a net by self-play from a configuration file.
///
/// The folder gets `checkpoint` (to resume from), `net` (the best so far), `curve.csv` (games,
/// hours, margins on the baselines), and `labels` for two-ply targets. Ctrl-C stops after the games
/// being played, with a snapshot; run the same command again to resume.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The configuration, such as nets/two-returns.toml
    config: PathBuf,
    /// The folder for the checkpoint, the net and the learning curve
    #[arg(long, default_value = "data/train")]
    out: PathBuf,
    /// Let other machines play, so many batches at a time: what python -m bastide.cluster uses
    #[arg(long, value_name = "BATCHES", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = |text: &str| count::<u32>("batches", text))]
    hand_out: Option<u32>,
    /// Play these games of a run for another machine, whole batches of one round, and learn nothing
    #[arg(long, value_name = "FIRST-LAST", value_parser = batches::games, allow_hyphen_values = true, requires_all = ["net", "gradient"],
          conflicts_with_all = ["hand_out", "minutes"])]
    games: Option<Range<u64>>,
    /// With --games: the net that plays
    #[arg(long, value_name = "FILE", requires = "games")]
    net: Option<PathBuf>,
    /// With --games: the file for what the games taught
    #[arg(long, value_name = "FILE", requires = "games")]
    gradient: Option<PathBuf>,
    /// How many threads play; all cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Stop after this many minutes
    #[arg(long, value_parser = minutes)]
    minutes: Option<Duration>,
    /// Games between two trials against the baselines
    #[arg(long, default_value_t = 20_000, value_parser = |text: &str| count::<u64>("games", text))]
    trial_every: u64,
    /// Decks a trial plays against each baseline
    #[arg(long, default_value_t = 100, value_parser = |text: &str| count::<u32>("decks", text))]
    trial_decks: u32,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map(|minutes| minutes * 60.0);
    seconds
        .ok()
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of minutes above 0".to_owned())
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(&args.config)
        .with_context(|| format!("can't read {}", args.config.display()))?;
    let config = Config::parse(&text).with_context(|| args.config.display().to_string())?;
    ensure!(
        config.targets == Targets::Returns || args.hand_out.is_none() && args.games.is_none(),
        "{}: targets = \"two-ply\" is trained on one machine, without --hand-out and --games; \
         other machines can play for targets = \"returns\"",
        args.config.display()
    );
    let threads =
        args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if let (Some(games), Some(net), Some(gradient)) = (&args.games, &args.net, &args.gradient) {
        return batches::play(&config, games.clone(), [net, gradient], threads);
    }
    let folder = Folder::take(&args.out)?;
    let from = read_checkpoint(&args.out.join("checkpoint"))?;
    let _mine = folder.keep(&text, &config, from.as_ref())?;
    let start = match &config.start {
        Some(path) => Some(Net::load(args.config.with_file_name(path))?),
        None => None,
    };
    let mut trainer = Trainer::new(config.clone(), start.as_ref(), from, threads);
    let labels = LabelFile::take_up(&args.out, &mut trainer)?;
    let stop = stop_on_ctrl_c()?;
    let before = seconds_before(&args.out)?;
    Run { args: &args, config: &config, threads, started: Instant::now(), before }.go(
        &mut trainer,
        labels,
        &stop,
    )
}

/// Writes beside and renames, so that a kill never leaves half a file.
fn replace_file(
    path: &Path,
    fill: &dyn Fn(&mut BufWriter<File>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut file = BufWriter::new(File::create(&part)?);
    fill(&mut file)?;
    file.flush()?;
    fs::rename(&part, path)
}

/// The folder of a run, by its copy of the configuration: locked as long as this lives.
struct Folder {
    path: PathBuf,
    config: File,
}

impl Folder {
    /// Makes the folder if there is none.
    fn take(path: &Path) -> anyhow::Result<Self> {
        let (name, used) = (path.display(), path.join("config.toml"));
        fs::create_dir_all(path).with_context(|| format!("can't make {name}"))?;
        // Without its configuration nobody knows what a checkpoint is of.
        let new = !path.join("checkpoint").exists();
        let config = File::options().read(true).append(true).create(new).open(&used);
        let config = config.with_context(|| format!("can't open {}", used.display()))?;
        match config.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), config }),
            Err(TryLockError::WouldBlock) => bail!("another run is writing to {name}"),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("can't lock {}", used.display()))
            }
        }
    }

    /// Keeps the configuration, if it is that of the run up to the checkpoint.
    fn keep(
        mut self,
        text: &str,
        config: &Config,
        from: Option<&Checkpoint>,
    ) -> anyhow::Result<Self> {
        let (name, mut before) = (self.path.display(), String::new());
        self.config.read_to_string(&mut before).with_context(|| format!("can't read {name}"))?;
        if before.is_empty() && from.is_none() {
            self.config.write_all(text.as_bytes())?;
        } else if before != text {
            let played = from.map_or(0, |checkpoint| checkpoint.games);
            let same = Config::parse(&before).is_ok_and(|before| config.continues(&before, played));
            ensure!(same, "{name} holds a run of another configuration; choose another --out");
            self.config.set_len(0)?;
            self.config.write_all(text.as_bytes())?;
        }
        if let Some(checkpoint) = from {
            // The last round may reach beyond the games that were asked for.
            let most = config.games.saturating_add(config.round_games as u64);
            let (games, wanted) = (checkpoint.games, config.games);
            ensure!(
                games < most,
                "the checkpoint in {name} is damaged: it has {games} games, the run only {wanted}"
            );
        }
        Ok(self)
    }
}

struct Run<'a> {
    args: &'a Args,
    config: &'a Config,
    threads: usize,
    started: Instant,
    /// Seconds that the run took before it was stopped.
    before: f64,
}

/// The columns of `curve.csv` that are read back.
const COLUMNS: &str = "games,seconds,threads,greedy,greedy_se,heuristic,heuristic_se";
const GAMES: usize = 0;
const SECONDS: usize = 1;
const ON_GREEDY: usize = 3;
const ON_HEURISTIC: usize = 5;

impl Run<'_> {
    fn go(
        &self,
        trainer: &mut Trainer,
        mut labels: Option<LabelFile>,
        stop: &Stop,
    ) -> anyhow::Result<ExitCode> {
        let first = trainer.checkpoint().games;
        // A run that ended is not tried a second time.
        let mut tried = curve(&self.args.out)?.last().map(|row| row[GAMES] as u64);
        let mut reported = Instant::now();
        let mut others = self.args.hand_out.map(|_| HandOut::standard());
        let by = match others {
            Some(_) => "other machines".to_owned(),
            None => format!("{} threads", self.threads),
        };
        writeln!(stdout(), "training from {first} games on {by}")?;
        while !trainer.finished() && !self.out_of_time() {
            let before = trainer.checkpoint().games;
            let played = match others.as_mut().zip(self.args.hand_out) {
                Some((others, batches)) => {
                    round_by_others(self.args, batches as usize, trainer, others, stop)?
                }
                None => trainer.round(stop),
            };
            if let Some(labels) = &mut labels {
                labels.add(trainer)?;
            }
            let Some(round) = played else {
                self.save(trainer)?;
                writeln!(stdout(), "stopped at {before} games; run again to go on")?;
                return Ok(ExitCode::from(INTERRUPTED));
            };
            if reported.elapsed() > Duration::from_secs(10) {
                reported = Instant::now();
                self.tell(&round, first)?;
            }
            if before / self.args.trial_every < round.games / self.args.trial_every {
                self.trial(trainer)?;
                self.save(trainer)?;
                tried = Some(round.games);
            }
        }
        if tried != Some(trainer.checkpoint().games) {
            self.trial(trainer)?;
        }
        self.save(trainer)?;
        let (games, net) = (trainer.checkpoint().games, self.args.out.join("net"));
        let more = if trainer.finished() { "" } else { "; run again to go on" };
        writeln!(
            stdout(),
            "{games} of {} games; the net is {}{more}",
            self.config.games,
            net.display()
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn tell(&self, round: &Round, first: u64) -> anyhow::Result<()> {
        let rate = (round.games - first) as f64 / self.started.elapsed().as_secs_f64();
        let Round { games, error, score, rate: learning, .. } = round;
        writeln!(
            stdout(),
            "{games} of {} games, {rate:.0} a second, error {error:.2}, mean score {score:.1}, \
             rate {learning:.6}",
            self.config.games
        )?;
        Ok(())
    }

    /// How long the run took so far, with the time before it was stopped.
    fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    fn out_of_time(&self) -> bool {
        self.args.minutes.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    fn trial(&self, trainer: &Trainer) -> anyhow::Result<()> {
        let setup = self.config.setups[0].setup.parse()?;
        let net = Arc::new(trainer.net());
        let trials =
            Trials::play(&net, &setup, self.args.trial_decks as usize, 1_000_000, self.threads);
        let games = trainer.checkpoint().games;
        writeln!(
            stdout(),
            "{games} games: {} on greedy, {} on heuristic",
            estimate(trials.greedy),
            estimate(trials.heuristic)
        )?;
        let path = self.args.out.join("curve.csv");
        let fresh = !path.exists();
        let mut curve = File::options().append(true).create(true).open(path)?;
        if fresh {
            writeln!(curve, "{COLUMNS}")?;
        }
        writeln!(
            curve,
            "{games},{:.0},{},{:.2},{:.2},{:.2},{:.2}",
            self.seconds(),
            self.threads,
            trials.greedy.margin,
            trials.greedy.error,
            trials.heuristic.margin,
            trials.heuristic.error
        )?;
        Ok(())
    }

    fn save(&self, trainer: &Trainer) -> anyhow::Result<()> {
        let write = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> std::io::Result<()>| {
            replace_file(&self.args.out.join(name), fill)
        };
        write("checkpoint", &|file| trainer.checkpoint().write(file))?;
        let net: Net = trainer.net();
        write("net", &|file| net.write(file))?;
        write("seconds", &|file| writeln!(file, "{:.0}", self.seconds()))?;
        self.plot()
    }

    /// Draws the learning curve from the trials so far.
    fn plot(&self) -> anyhow::Result<()> {
        let rows = curve(&self.args.out)?;
        if rows.is_empty() {
            return Ok(());
        }
        let series = |name: &str, at: usize| Series {
            name: name.to_owned(),
            points: rows.iter().map(|row| (row[GAMES], row[at], row[at + 1])).collect(),
        };
        let chart = Chart {
            title: "One ply with the net: points a game over the baselines".to_owned(),
            x: "games of self-play".to_owned(),
            y: "paired margin".to_owned(),
            series: vec![series("on greedy", ON_GREEDY), series("on heuristic", ON_HEURISTIC)],
            above: hours(&rows),
        };
        fs::write(self.args.out.join("curve.svg"), chart.svg())?;
        Ok(())
    }
}

fn estimate(trial: Trial) -> Estimate {
    Estimate { mean: trial.margin.into(), error: trial.error.into() }
}

/// The hours a run took until some of its trials, for the upper edge of the curve.
fn hours(rows: &[Vec<f64>]) -> Vec<(f64, String)> {
    const MARKS: usize = 6;
    let every = rows.len().div_ceil(MARKS).max(1);
    let last_of_each = rows.rchunks(every).filter_map(<[_]>::last);
    last_of_each.map(|row| (row[GAMES], format!("{:.1} h", row[SECONDS] / 3600.0))).collect()
}

/// How long a run took before it was stopped.
fn seconds_before(folder: &Path) -> anyhow::Result<f64> {
    let path = folder.join("seconds");
    if !path.exists() {
        return Ok(curve(folder)?.last().map_or(0.0, |row| row[SECONDS]));
    }
    let text = fs::read_to_string(&path)?;
    let read = text.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite());
    read.with_context(|| format!("{} holds no number of seconds", path.display()))
}

/// The rows of a run's learning curve so far.
fn curve(folder: &Path) -> anyhow::Result<Vec<Vec<f64>>> {
    let path = folder.join("curve.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    let row = |line: &str| line.split(',').map_while(|number| number.parse().ok()).collect();
    let whole = |row: &Vec<f64>| row.len() == COLUMNS.split(',').count();
    Ok(text.lines().skip(1).map(row).filter(whole).collect())
}

fn read_checkpoint(path: &Path) -> anyhow::Result<Option<Checkpoint>> {
    if !path.exists() {
        return Ok(None);
    }
    let file = File::open(path).with_context(|| format!("can't open {}", path.display()))?;
    let checkpoint = Checkpoint::read(BufReader::new(file))
        .with_context(|| format!("can't read {}", path.display()))?;
    Ok(Some(checkpoint))
}
