//! `bastide calibrate`: whether a net's odds of winning and its margins come true.

use crate::arena::{PlayedEdition, Progress, check_all_writable, write_whole};
use crate::chart::{Chart, Series};
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::{count, threads};
use bots::calibration::{Calibration, HEADER};
use bots::net::Net;
use bots::one_ply::OnePly;
use bots::value::Learned;
use carcassonne::{AllSets, Base, ExpandedSetup, Options, Position};
use game::{Game, Player, Random, Turn, ignore};
use search::{Moments, Stop};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

/// Compare a net's odds of winning and its margins with what happens in self-play.
///
/// The net plays against itself, one turn deep and without exploration. After each turn its odds and
/// its margin are kept; at the end they are compared with what came.
///
/// Ctrl-C ends it after the games that are being played: what is known by then is printed, and no
/// file is written.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games are played
    #[arg(long, default_value_t = 500, value_parser = |text: &str| count::<u64>("games", text))]
    games: u64,
    /// The setup, such as "players=2 sets=inns"
    #[arg(long, default_value = "players=2")]
    setup: ExpandedSetup,
    /// A net file; without it the net that comes with the program
    #[arg(long)]
    net: Option<PathBuf>,
    /// The seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at the same time; as many as cores by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Take off the margins what the table that comes with the net says: what is left should be 0
    #[arg(long)]
    corrected: bool,
    /// Write the plot of the odds here, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write the plot of the margins here, as SVG: by how much they are too high, as the net says them
    /// and corrected by the table that comes with it
    #[arg(long, value_name = "FILE")]
    margin_plot: Option<PathBuf>,
    /// Write by how much the margins are off here, as a table that corrects them
    #[arg(long, value_name = "FILE", conflicts_with = "corrected")]
    out: Option<PathBuf>,
}

/// Parts of the odds, and stages of a game.
const PARTS: usize = 10;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    check_all_writable([&args.plot, &args.margin_plot, &args.out])?;
    match args.setup.sets().is_empty() {
        true => run_on::<Base>(&args),
        false => run_on::<AllSets>(&args),
    }
}

fn run_on<E: PlayedEdition>(args: &Args) -> anyhow::Result<ExitCode> {
    let setup = E::setup_of(&args.setup);
    let chosen = bots::nets::for_setup(&setup);
    let net = match &args.net {
        None => chosen.net,
        Some(path) => Arc::new(Net::load(path)?),
    };
    let stop = stop_on_ctrl_c()?;
    let tallies = play_all::<E>(args, &setup, &net, &chosen.calibration, &stop);
    let tally = if args.corrected { &tallies.corrected } else { &tallies.plain };
    print!("{}", tally.odds_table());
    println!();
    print!("{}", tally.stages_table());
    if tallies.games < args.games {
        eprintln!("stopped after {} of {} games; no file was written", tallies.games, args.games);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(path) = &args.plot {
        let ideal = Series { name: "ideal".into(), points: vec![(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)] };
        let points = tally.odds_points();
        let series = vec![Series { name: format!("{} games", args.games), points }, ideal];
        let chart = Chart {
            title: "Odds of winning: said and come true".into(),
            x: "predicted".into(),
            y: "won".into(),
            series,
            above: Vec::new(),
        };
        write_whole(path, &chart.svg())?;
    }
    if let Some(path) = &args.margin_plot {
        let line =
            |name: &str, tally: &Tally| Series { name: name.into(), points: tally.margin_points() };
        let chart = Chart {
            title: "Expected margin: points too high for who moved".into(),
            x: "tiles left".into(),
            y: "points, ± 2 standard errors".into(),
            series: vec![line("the net", &tallies.plain), line("corrected", &tallies.corrected)],
            above: Vec::new(),
        };
        write_whole(path, &chart.svg())?;
    }
    if let Some(path) = &args.out {
        write_whole(path, &tally.correction())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the net said in all games, and what came.
#[derive(Default)]
struct Tallies {
    games: u64,
    plain: Tally,
    /// With the table that comes with the net taken off the margins.
    corrected: Tally,
}

/// Plays all games on some threads, until it is stopped. Games are added up in their order, so that
/// the sums are the same for any number of threads.
fn play_all<E: PlayedEdition>(
    args: &Args,
    setup: &E::Setup,
    net: &Arc<Net>,
    correction: &Calibration,
    stop: &Stop,
) -> Tallies {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores);
    let next = AtomicU64::new(0);
    let mut tallies = Tallies::default();
    let mut progress = Progress::new(String::new());
    progress.start(0, args.games);
    std::thread::scope(|scope| {
        let (played, games) = mpsc::sync_channel(threads);
        for _ in 0..threads {
            let (played, next) = (played.clone(), &next);
            scope.spawn(move || {
                let mut learned = Learned::<E>::new(Arc::clone(net));
                while !stop.is_stopped() {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    let seed = args.seed.wrapping_add(game.wrapping_mul(0x9e37_79b9));
                    if game >= args.games
                        || played
                            .send((game, self_play(setup, &mut learned, seed, correction)))
                            .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(played);
        // Games that ended before one that began before them.
        let mut early = BTreeMap::new();
        for (game, said) in games {
            early.insert(game, said);
            while let Some(said) = early.remove(&tallies.games) {
                tallies.plain.add(&said, false);
                tallies.corrected.add(&said, true);
                tallies.games += 1;
                progress.step(String::new);
            }
        }
    });
    progress.end();
    tallies
}

/// What the net said of a position to one player, and what came.
struct Said {
    tiles_left: usize,
    /// Whether it was the player who had just moved.
    mover: bool,
    margin: f64,
    /// What the table takes off the margin.
    correction: f64,
    win: f64,
    came_margin: f64,
    came_win: f64,
}

/// One game of the net against itself.
fn self_play<E: PlayedEdition>(
    setup: &E::Setup,
    learned: &mut Learned<E>,
    seed: u64,
    correction: &Calibration,
) -> Vec<Said> {
    let mut random = Random::new(seed);
    let mut game = Position::<E>::new(setup);
    let mut one_ply = OnePly::default();
    let mut said: Vec<(Player, Said)> = Vec::new();
    loop {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let draw = game.sample_outcome(&mut random).expect("chance has an outcome");
                game.play_unchecked(draw, ignore);
            }
            Turn::Player(player) => {
                one_ply.play(&mut game, learned, &mut random);
                let tiles_left = game.tiles_left();
                if tiles_left == 0 {
                    continue;
                }
                let off = correction.at(tiles_left);
                // Two players: what one is told is what the other is not.
                let seats = if game.players() == 2 { 1 } else { game.players() };
                for seat in (0..seats).map(|n| Player::new((player.index() + n) % game.players())) {
                    let told = learned.predict(&game, seat);
                    let mover = seat == player;
                    let came = Said {
                        tiles_left,
                        mover,
                        margin: told.margin.into(),
                        correction: f64::from(if mover { off.0 } else { off.1 }),
                        win: told.win.into(),
                        came_margin: 0.0,
                        came_win: 0.0,
                    };
                    said.push((seat, came));
                }
            }
        }
    }
    let values = search::final_values(&game.scores());
    let with_end = |(player, said): (Player, Said)| Said {
        came_margin: values[player].margin.into(),
        came_win: values[player].win.into(),
        ..said
    };
    said.into_iter().map(with_end).collect()
}

/// Sums over the games.
#[derive(Default)]
struct Tally {
    /// By tenth of the odds: how often, what was said, what came.
    odds: [(u64, f64, f64); PARTS],
    stages: [Stage; PARTS],
    most_tiles: usize,
}

/// Sums over the positions of a stage of the game.
#[derive(Clone, Copy, Default)]
struct Stage {
    tiles: f64,
    brier: f64,
    /// For who moved last, and for the others.
    off: [Off; 2],
}

/// How far margins are off: the mean over games of the mean of a game, since positions of one game say
/// much the same.
#[derive(Clone, Copy, Default)]
struct Off {
    positions: u64,
    by_game: Moments,
}

impl Tally {
    fn add(&mut self, game: &[Said], corrected: bool) {
        self.most_tiles = game.first().map_or(1, |said| said.tiles_left).max(self.most_tiles);
        let mut sums = [[(0u64, 0.0); 2]; PARTS];
        for said in game {
            let part = &mut self.odds[((said.win * PARTS as f64) as usize).min(PARTS - 1)];
            *part = (part.0 + 1, part.1 + said.win, part.2 + said.came_win);
            let at = ((said.tiles_left - 1) * PARTS / self.most_tiles).min(PARTS - 1);
            let stage = &mut self.stages[at];
            stage.tiles += said.tiles_left as f64;
            stage.brier += (said.win - said.came_win).powi(2);
            let sum = &mut sums[at][usize::from(!said.mover)];
            let margin = said.margin - if corrected { said.correction } else { 0.0 };
            *sum = (sum.0 + 1, sum.1 + margin - said.came_margin);
        }
        for (stage, sums) in self.stages.iter_mut().zip(sums) {
            for (off, (positions, sum)) in stage.off.iter_mut().zip(sums) {
                if positions > 0 {
                    off.positions += positions;
                    off.by_game.add(sum / positions as f64);
                }
            }
        }
    }

    fn odds_points(&self) -> Vec<(f64, f64, f64)> {
        let seen = self.odds.iter().filter(|(count, ..)| *count > 0);
        seen.map(|(count, said, came)| (said / *count as f64, came / *count as f64, 0.0)).collect()
    }

    /// By tiles left: how many points the margin is too high for who moved, and twice its error.
    fn margin_points(&self) -> Vec<(f64, f64, f64)> {
        let seen = self.stages.iter().filter(|stage| stage.off[0].positions > 0);
        let point = |stage: &Stage| {
            let positions = stage.off.iter().map(|off| off.positions).sum::<u64>() as f64;
            let off = &stage.off[0].by_game;
            (stage.tiles / positions, off.mean(), 2.0 * off.error())
        };
        seen.map(point).collect()
    }

    fn odds_table(&self) -> String {
        let mut text = "said    came    positions\n".to_owned();
        let counts = self.odds.iter().map(|(count, ..)| *count).filter(|count| *count > 0);
        for ((said, came, _), count) in self.odds_points().iter().zip(counts) {
            let _ = writeln!(text, "{said:.3}   {came:.3}   {count}");
        }
        let positions: u64 = self.odds.iter().map(|(count, ..)| count).sum();
        let brier: f64 = self.stages.iter().map(|stage| stage.brier).sum();
        let brier = brier / positions.max(1) as f64;
        let _ = writeln!(text, "Brier score {brier:.4} over {positions} positions");
        text
    }

    fn stages_table(&self) -> String {
        let mut text =
            "tiles left   Brier   margin too high: for who moved      for others\n".to_owned();
        for stage in self.stages.iter().rev() {
            let [mover, others] = stage.off;
            let positions = (mover.positions + others.positions) as f64;
            if positions == 0.0 {
                continue;
            }
            let off = |off: &Off| match off.positions {
                0 => String::new(),
                _ if off.by_game.count() < 2 => format!("{:+.2} ± unknown", off.by_game.mean()),
                _ => format!("{:+.2} ± {:.2}", off.by_game.mean(), off.by_game.error()),
            };
            let _ = writeln!(
                text,
                "{:>10.1}  {:.4}   {:>30}  {:>14}",
                stage.tiles / positions,
                stage.brier / positions,
                off(&mover),
                off(&others)
            );
        }
        text
    }

    /// The table that takes off what the margins are off by.
    fn correction(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for Stage { tiles, off: [mover, others], .. } in &self.stages {
            let positions = (mover.positions + others.positions) as f64;
            if positions > 0.0 {
                // Of two players the other one is told the opposite.
                let of_mover = mover.by_game.mean();
                let of_others =
                    if others.positions == 0 { -of_mover } else { others.by_game.mean() };
                let left = tiles / positions;
                let _ = writeln!(text, "{left:.1},{of_mover:.2},{of_others:.2}");
            }
        }
        text
    }
}
