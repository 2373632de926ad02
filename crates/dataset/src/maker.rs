//! Makes a dataset, shard by shard, on all threads.

use crate::description::{DescribedSource, Description};
use crate::error::DatasetError;
use crate::game_rows::{GameRows, rows_of};
use crate::judge::Judge;
use crate::{npz, shard, shard_seed};
use bots::roster::{self, Playable};
use carcassonne::tensor::{Numbering, numbering_of, with_side};
use carcassonne::{
    AllSets, Base, BoardSize, ExpandedSetup, Move, Options, Position, Setup, interpret_any,
};
use search::arena::{Contestant, deal_from, play_game};
use search::{Limits, Stop};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a dataset is made of.
#[derive(Clone, Debug)]
pub struct Request {
    /// A setup that learners play ([`carcassonne::tensor::read_setup`]).
    pub setup: ExpandedSetup,
    /// Where the games come from.
    pub source: Source,
    /// Nodes a move, for the bots that play and the one that judges.
    pub nodes: Option<u64>,
    /// What a bot says of the games, if one is asked.
    pub judging: Option<Judging>,
    /// How many games a shard has. In self-play it is raised until every deck is played from all seats.
    pub games_per_shard: u64,
}

/// Where the games of a dataset come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// Games of one bot or two, which take every seat in turn.
    SelfPlay {
        /// Their names.
        bots: Vec<String>,
        /// How many games.
        games: u64,
        /// What decks come from.
        seed: u64,
    },
    /// The `.txt` and `.json` records of a folder, one a file.
    Records(PathBuf),
}

/// What a bot says of the games.
#[derive(Clone, Debug)]
pub struct Judging {
    /// Its name.
    pub bot: String,
    /// Whether what every action is worth is kept.
    pub policy: bool,
    /// Whether what the draws were worth is kept.
    pub luck: bool,
}

/// Nodes a move where nothing was said.
const NODES: u64 = 1000;

/// A dataset that is being made.
#[derive(Debug)]
pub struct Maker {
    folder: PathBuf,
    request: Request,
    numbering: Numbering,
    per_shard: u64,
    /// How many games there are in all.
    games: u64,
    /// The records, if games come from them.
    files: Vec<PathBuf>,
}

impl Maker {
    /// Takes a folder: a new one, or one in which the same was asked for.
    ///
    /// # Errors
    /// If there are no such bots or records, or the folder holds another dataset. Nothing is written then.
    pub fn new(folder: &Path, request: Request) -> Result<Self, DatasetError> {
        let (setup, players) = (request.setup, request.setup.rules().players() as u64);
        let numbering = numbering_of(&setup, None)?;
        let at_least = |name: &str, number: u64| match number {
            0 => Err(DatasetError::Request(format!("{name}=0: expected 1 or more"))),
            _ => Ok(number),
        };
        let mut per_shard = at_least("games_per_shard", request.games_per_shard)?;
        let mut files = Vec::new();
        let games = match &request.source {
            Source::SelfPlay { bots, games, .. } => {
                if !(1..=2).contains(&bots.len()) {
                    let reason = format!("{} bots: expected one or two", bots.len());
                    return Err(DatasetError::Request(reason));
                }
                bots.iter().try_for_each(|bot| check_bot(bot, &setup))?;
                // Every deck is played once from each seat.
                per_shard = per_shard.saturating_add(players - 1) / players * players;
                at_least("games", *games)?
            }
            Source::Records(folder) => {
                files = records_in(folder)?;
                files.len() as u64
            }
        };
        request.judging.iter().try_for_each(|judging| check_bot(&judging.bot, &setup))?;
        let maker = Self { folder: folder.to_owned(), request, numbering, per_shard, games, files };
        maker.description().keep_in(folder)?;
        Ok(maker)
    }

    /// How many shards it has when it is whole.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.games.div_ceil(self.per_shard)
    }

    /// How many games it has when it is whole.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Makes a shard, unless it is there.
    ///
    /// # Errors
    /// If a record is none, a file cannot be written, or it was stopped. The shard is not there then.
    pub fn make(&self, shard: u64, threads: usize, stop: &Stop) -> Result<(), DatasetError> {
        let path = self.folder.join(format!("shard-{shard:05}.npz"));
        let first = shard.saturating_mul(self.per_shard);
        let games = first..first.saturating_add(self.per_shard).min(self.games);
        if path.exists() || games.is_empty() {
            return Ok(());
        }
        let rows = match self.request.setup.sets().is_empty() {
            true => self.rows::<Base>(games, threads, stop)?,
            false => self.rows::<AllSets>(games, threads, stop)?,
        };
        let players = self.request.setup.rules().players();
        let judging = self.request.judging.as_ref();
        npz::write(&path, &shard::arrays(&rows, players, self.numbering.version(), judging))
    }

    fn description(&self) -> Description<'_> {
        let Request { setup, source, nodes, judging, .. } = &self.request;
        let name = |path: &PathBuf| path.file_name().map_or_else(String::new, lossy);
        let source = match source {
            Source::SelfPlay { bots, games, seed } => {
                DescribedSource::SelfPlay { bots, games: *games, seed: *seed, nodes: *nodes }
            }
            Source::Records(_) => {
                DescribedSource::Records { records: self.files.iter().map(name).collect() }
            }
        };
        Description {
            version: 1,
            setup: setup.to_string(),
            values: judging.as_ref().map(|judging| judging.bot.as_str()),
            shard: self.per_shard,
            source,
            policy: judging.as_ref().is_some_and(|judging| judging.policy),
            luck: judging.as_ref().is_some_and(|judging| judging.luck),
        }
    }

    /// The rows of these games, in their order, made on some threads. What is wrong with several of them is said
    /// of the first.
    fn rows<E: OfSetup>(
        &self,
        games: Range<u64>,
        threads: usize,
        stop: &Stop,
    ) -> Result<Vec<GameRows>, DatasetError> {
        let (next, failed) = (AtomicU64::new(games.start), AtomicBool::new(false));
        let work = || -> Result<Vec<(u64, GameRows)>, (u64, DatasetError)> {
            let mut worker = Worker::<E>::new(self, stop).map_err(|e| (games.start, e))?;
            let mut done = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games.end {
                    break;
                }
                // A game that was begun is done to its end, so all before one that fails are looked at.
                done.push((game, worker.rows(game).map_err(|e| (game, e))?));
            }
            Ok(done)
        };
        let work = || work().inspect_err(|_| failed.store(true, Ordering::Relaxed));
        let threads = (games.end - games.start).min(threads as u64);
        let finished: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined
                .map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let (mut rows, mut errors) = (Vec::new(), Vec::new());
        for done in finished {
            match done {
                Ok(done) => rows.extend(done),
                Err(error) => errors.push(error),
            }
        }
        if let Some((_, error)) = errors.into_iter().min_by_key(|(game, _)| *game) {
            return Err(error);
        }
        rows.sort_by_key(|(game, _)| *game);
        Ok(rows.into_iter().map(|(_, rows)| rows).collect())
    }
}

/// An edition and its part of a setup.
trait OfSetup: Playable {
    fn of(setup: &ExpandedSetup) -> Self::Setup;
}

impl OfSetup for Base {
    fn of(setup: &ExpandedSetup) -> Setup {
        *setup.rules()
    }
}

impl OfSetup for AllSets {
    fn of(setup: &ExpandedSetup) -> ExpandedSetup {
        *setup
    }
}

/// What one thread makes games with.
struct Worker<'a, E: OfSetup> {
    maker: &'a Maker,
    setup: E::Setup,
    limits: Limits,
    judge: Option<Judge<'a, E>>,
    stop: &'a Stop,
}

impl<'a, E: OfSetup> Worker<'a, E> {
    fn new(maker: &'a Maker, stop: &'a Stop) -> Result<Self, DatasetError> {
        let (request, setup) = (&maker.request, E::of(&maker.request.setup));
        let limits = Limits::nodes(request.nodes.unwrap_or(NODES));
        let judge = |judging: &Judging| Judge::new(&judging.bot, &setup, limits, stop);
        let judge = request.judging.as_ref().map(judge).transpose()?;
        Ok(Self { maker, setup, limits, judge, stop })
    }

    /// The rows of a game, by its number in the dataset.
    fn rows(&mut self, game: u64) -> Result<GameRows, DatasetError> {
        let Maker { request, numbering, files, per_shard, .. } = self.maker;
        let (name, moves) = match &request.source {
            Source::SelfPlay { bots, seed, .. } => {
                let seed = shard_seed::of(*seed, game / per_shard);
                (format!("game {game}"), self.play(bots, seed, game % per_shard)?)
            }
            Source::Records(_) => self.read(&files[game as usize])?,
        };
        let judge = request.judging.as_ref().zip(self.judge.as_mut());
        let rows = rows_of::<E>(&self.setup, &moves, *numbering, judge);
        // What a bot says that was stopped is worth nothing.
        match rows {
            _ if self.stop.is_stopped() => Err(DatasetError::Stopped),
            rows => rows.map_err(|reason| DatasetError::Record { name, reason }),
        }
    }

    /// Plays a game of a shard: a deck with the first bot on every seat once, then the next deck.
    fn play(&self, bots: &[String], seed: u64, game: u64) -> Result<Vec<Move>, DatasetError> {
        let players = self.setup.rules().players();
        let (round, first) = (game / players as u64, (game % players as u64) as usize);
        let mut agents = Vec::new();
        for seat in 0..players {
            let bot = if seat == first { &bots[0] } else { &bots[bots.len() - 1] };
            agents.push(roster::make::<E>(&bot.parse()?, &self.setup)?);
        }
        let limits = self.limits;
        let mut seats: Vec<Contestant<'_, Position<E>>> =
            agents.iter_mut().map(|agent| Contestant { agent, limits, game_time: None }).collect();
        let (deck, seeds) = bots::deck::of_round_in::<E>(&self.setup, seed, round);
        let (deal, ignored) = (deal_from(deck), |_: &_, _: &_| {});
        match play_game(&self.setup, &mut seats, seeds[first], self.stop, deal, ignored) {
            Ok(played) => Ok(played.record.moves),
            Err(_) if self.stop.is_stopped() => Err(DatasetError::Stopped),
            Err(failed) => Err(DatasetError::Game(failed.to_string())),
        }
    }

    /// The moves of a record, and its file's name. A record of a board without an edge is played on the dataset's.
    fn read(&self, path: &Path) -> Result<(String, Vec<Move>), DatasetError> {
        let name = path.file_name().map_or_else(String::new, lossy);
        let wrong = |reason: String| DatasetError::Record { name: name.clone(), reason };
        let bytes = fs::read(path).map_err(DatasetError::io(path))?;
        let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
        let read = interpret_any(&text, &ExpandedSetup::default());
        let record = read.map_err(|error| wrong(error.to_string()))?.into_record();
        record.must_begin_at_start().map_err(wrong)?;
        let (mut setup, moves) = (record.setup, record.moves);
        if setup.rules().board() == BoardSize::Unlimited {
            setup = with_side(&setup, self.maker.numbering.side())?;
        }
        let wanted = &self.maker.request.setup;
        match setup == *wanted {
            true => Ok((name, moves)),
            false => Err(wrong(format!("expected setup '{wanted}', found '{setup}'"))),
        }
    }
}

fn lossy(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().into_owned()
}

fn check_bot(bot: &str, setup: &ExpandedSetup) -> Result<(), DatasetError> {
    let spec = bot.parse()?;
    match setup.sets().is_empty() {
        true => roster::make::<Base>(&spec, setup.rules()).map(|_| ())?,
        false => roster::make::<AllSets>(&spec, setup).map(|_| ())?,
    }
    Ok(())
}

fn records_in(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let is_record =
        |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "txt" || suffix == "json");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(DatasetError::io(folder))? {
        files.push(entry.map_err(DatasetError::io(folder))?.path());
    }
    files.retain(is_record);
    files.sort();
    match files.is_empty() {
        true => {
            let name = folder.display();
            let reason = format!("records='{name}': there are no .txt or .json files in it");
            Err(DatasetError::Request(reason))
        }
        false => Ok(files),
    }
}
