//! `bastide calibrate`: whether a net's odds of winning come true.

use crate::arena::{check_writable, write_whole};
use crate::chart::{Chart, Series};
use crate::limits::count;
use bots::net::Net;
use bots::one_ply::OnePly;
use bots::value::Learned;
use carcassonne::{Carcassonne, Setup};
use game::{Game, Player, Random, Turn, ignore};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Compare a net's odds of winning with what happens in self-play.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games are played
    #[arg(long, default_value_t = 500, value_parser = |text: &str| count::<u64>("games", text))]
    games: u64,
    /// The setup, such as "players=2"
    #[arg(long, default_value = "players=2")]
    setup: Setup,
    /// A net file; without it the net that comes with the program
    #[arg(long)]
    net: Option<PathBuf>,
    /// The seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the plot here, as SVG
    #[arg(long)]
    plot: Option<PathBuf>,
}

const BUCKETS: usize = 10;

/// Predictions that lie in one tenth, and what came of them.
#[derive(Clone, Copy, Default)]
struct Bucket {
    count: u64,
    predicted: f64,
    happened: f64,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.plot.as_deref().map_or(Ok(()), check_writable)?;
    let net = match &args.net {
        None => bots::nets::for_setup(&args.setup).net,
        Some(path) => Arc::new(Net::load(path)?),
    };
    let mut learned = Learned::new(net);
    let mut buckets = [Bucket::default(); BUCKETS];
    let mut brier = (0.0, 0u64);
    for game in 0..args.games {
        let mut random = Random::new(args.seed.wrapping_add(game.wrapping_mul(0x9e37_79b9)));
        for (said, came) in self_play(&args.setup, &mut learned, &mut random) {
            let bucket = &mut buckets[((said * BUCKETS as f64) as usize).min(BUCKETS - 1)];
            bucket.count += 1;
            bucket.predicted += said;
            bucket.happened += came;
            brier = (brier.0 + (said - came) * (said - came), brier.1 + 1);
        }
    }
    println!("said    came    positions");
    let mut points = Vec::new();
    for bucket in buckets.iter().filter(|bucket| bucket.count > 0) {
        let count = bucket.count as f64;
        let (said, came) = (bucket.predicted / count, bucket.happened / count);
        println!("{said:.3}   {came:.3}   {}", bucket.count);
        points.push((said, came, 0.0));
    }
    println!("Brier score {:.4} over {} positions", brier.0 / brier.1.max(1) as f64, brier.1);
    if let Some(path) = &args.plot {
        let ideal = Series { name: "ideal".into(), points: vec![(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)] };
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
    Ok(ExitCode::SUCCESS)
}

/// One game of the net against itself: its odds after each turn, and what came of them.
fn self_play(setup: &Setup, learned: &mut Learned, random: &mut Random) -> Vec<(f64, f64)> {
    let mut game = Carcassonne::new(setup);
    let mut one_ply = OnePly::default();
    let mut said: Vec<(Player, f64)> = Vec::new();
    loop {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let draw = game.sample_outcome(random).expect("chance has an outcome");
                game.play_unchecked(draw, ignore);
            }
            Turn::Player(player) => {
                one_ply.play(&mut game, learned, random);
                if game.tiles_left() > 0 {
                    said.push((player, f64::from(learned.predict(&game, player).win)));
                }
            }
        }
    }
    let scores = game.scores();
    let leaders = scores.leaders();
    let came = |player: Player| match leaders.contains(player) {
        true => 1.0 / leaders.len() as f64,
        false => 0.0,
    };
    said.into_iter().map(|(player, odds)| (odds, came(player))).collect()
}
