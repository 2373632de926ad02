//! Games between two bots, reviewed: loss, accuracy and mistakes of each, luck and rest of the games.
//!
//! ```text
//! cargo run --release -p bots --example review_games -- bots=best,mason games=20 nodes=20000,1000
//! ```
//!
//! Arguments: `bots` (one plays against itself), `games`, `nodes` (a move, one number or one a bot),
//! `depth` (quick or deep), `setup`, `seed` (of the first deck), `from` (the first game's number, to go on
//! where a run ended), `threads`. The same arguments give the same games and the same reviews. A line is
//! printed for each game, the summary at the end.

mod support;

use bots::review::{Category, Depth, Review, Step, review};
use bots::roster::{BotSpec, Playable};
use carcassonne::{AllSets, Base, ExpandedSetup, Options};
use search::{Moments, Stop};
use std::error::Error;
use std::ops::Range;
use support::{Args, Pairing, in_order};

/// Stages of a game, of equally many draws and decisions.
const STAGES: usize = 5;

struct Study {
    pairing: Pairing,
    games: Range<usize>,
    threads: usize,
    depth: Depth,
    setup: ExpandedSetup,
}

fn main() -> Result<(), Box<dyn Error>> {
    let known = ["bots", "games", "nodes", "depth", "setup", "seed", "from", "threads"];
    let args = Args::read(&known)?;
    let bots: Vec<BotSpec> = args.list("bots", "best")?;
    let nodes: Vec<u64> = args.list("nodes", "1000")?;
    let from: usize = args.or("from", "0")?;
    let study = Study {
        pairing: Pairing {
            bots: [bots[0].clone(), bots[bots.len() - 1].clone()],
            nodes: [nodes[0], nodes[nodes.len() - 1]],
            seed: args.or("seed", "1")?,
        },
        games: from..from + args.or::<usize>("games", "20")?,
        threads: args.or("threads", "1")?,
        depth: args.or("depth", "quick")?,
        setup: args.or("setup", "players=2")?,
    };
    match study.setup.sets().is_empty() {
        true => study.run::<Base>(study.setup.rules()),
        false => study.run::<AllSets>(&study.setup),
    }
    Ok(())
}

impl Study {
    fn run<E: Playable>(&self, setup: &E::Setup) {
        let reviewed = |number| {
            let record = self.pairing.play::<E>(setup, number).expect("a bot by name");
            review(&record, self.depth, &Stop::new(), &mut |_, _, _| {})
                .expect("bots play legal moves")
        };
        let mut sides: [Side; 2] = Default::default();
        let mut games = Games::default();
        in_order(self.games.clone(), self.threads, reviewed, |number, review| {
            let mut line = format!("game {number}:");
            for (seat, player) in review.players.iter().enumerate() {
                let side = Pairing::bot_at(number, seat);
                let measured = sides[side].add(&review, seat);
                line += &format!(
                    " {} {:+.1} loss {measured:.2} accuracy {:.1} rest {:+.2};",
                    self.pairing.bots[side],
                    player.result.margin,
                    player.accuracy,
                    player.rest.margin
                );
            }
            println!("{line}");
            games.add(&review, number);
        });
        self.print(sides, &games);
    }

    fn print(&self, sides: [Side; 2], games: &Games) {
        println!(
            "bot            games  measured loss     shown  accuracy (sd)  inacc. mistakes blunders"
        );
        let [a, b] = &self.pairing.bots;
        let both = if self.pairing.is_self_play() {
            vec![(a, sides[0].merged(&sides[1]))]
        } else {
            vec![(a, sides[0].clone()), (b, sides[1].clone())]
        };
        for (name, side) in &both {
            side.print(&name.to_string());
        }
        games.print(&self.pairing);
    }
}

/// What one bot did in its games.
#[derive(Clone, Default)]
struct Side {
    measured: Vec<f64>,
    shown: Vec<f64>,
    accuracy: Vec<f64>,
    counts: [f64; Category::ALL.len()],
    /// The measured loss of each game, by stage.
    stages: [Vec<f64>; STAGES],
    /// How many decisions were not the engine's.
    other: f64,
}

impl Side {
    /// Adds the game of a seat; gives its measured loss.
    fn add(&mut self, review: &Review, seat: usize) -> f64 {
        let player = &review.players[seat];
        let mut stages = [0.0; STAGES];
        let plies = review.steps.len();
        for (at, step) in review.steps.iter().enumerate() {
            if let Step::Decision(decision) = step
                && decision.player == seat
            {
                stages[at * STAGES / plies] += decision.measured[seat].margin;
                self.other += f64::from(u8::from(decision.best != decision.played));
            }
        }
        self.stages.iter_mut().zip(stages).for_each(|(all, one)| all.push(one));
        let measured = stages.iter().sum();
        self.measured.push(measured);
        self.shown.push(player.loss.margin);
        self.accuracy.push(player.accuracy);
        self.counts.iter_mut().zip(player.categories).for_each(|(a, b)| *a += b as f64);
        measured
    }

    fn merged(&self, other: &Self) -> Self {
        let mut counts = self.counts;
        counts.iter_mut().zip(other.counts).for_each(|(a, b)| *a += b);
        Self {
            measured: [&self.measured[..], &other.measured].concat(),
            shown: [&self.shown[..], &other.shown].concat(),
            accuracy: [&self.accuracy[..], &other.accuracy].concat(),
            counts,
            stages: std::array::from_fn(|at| [&self.stages[at][..], &other.stages[at]].concat()),
            other: self.other + other.other,
        }
    }

    fn print(&self, name: &str) {
        let [measured, shown, accuracy] =
            [&self.measured, &self.shown, &self.accuracy].map(|all| moments(all));
        let [_, _, inaccuracies, mistakes, blunders] =
            self.counts.map(|count| count / measured.count() as f64);
        println!(
            "{name:<14} {:>5}  {:>6.2} ± {:<5.2} {:>8.2}  {:>8.1} ({:.1})  {inaccuracies:>6.2} \
             {mistakes:>8.2} {blunders:>8.2}",
            measured.count(),
            measured.mean(),
            measured.error(),
            shown.mean(),
            accuracy.mean(),
            accuracy.deviation()
        );
        let stages = self.stages.each_ref().map(|stage| {
            let of = moments(stage);
            format!("{:+.2} ± {:.2}", of.mean(), of.error())
        });
        let other = self.other / measured.count() as f64;
        println!("  by stage: {}; turns that are not the engine's: {other:.1}", stages.join(", "));
    }
}

/// What the games were made of, seen from the first seat.
#[derive(Default)]
struct Games {
    margin: Moments,
    luck: Moments,
    rest: Moments,
    /// What the engine learned from one draw to the next.
    looks: Moments,
    /// What the first bot won by, and by what its decisions were better, as measured.
    lead: Moments,
    better: Moments,
    /// The most that the parts are off the margin.
    off: f64,
}

impl Games {
    fn add(&mut self, review: &Review, number: usize) {
        for player in &review.players {
            let sum = player.start.plus(player.luck, 1.0).plus(player.skill, 1.0);
            let sum = sum.plus(player.rest, 1.0);
            self.off = self.off.max((sum.margin - player.result.margin).abs());
        }
        let first = &review.players[0];
        self.margin.add(first.result.margin);
        self.luck.add(first.luck.margin);
        self.rest.add(first.rest.margin);
        let mut expected = None;
        for step in &review.steps {
            match step {
                Step::Draw(draw) => {
                    self.looks.extend(expected.map(|expected| draw.before[0].margin - expected));
                    expected = Some(draw.after[0].margin);
                }
                Step::Decision(decision) => {
                    expected = expected.map(|expected| expected - decision.measured[0].margin);
                }
            }
        }
        if let Some(of_a) =
            (0..review.players.len()).find(|seat| Pairing::bot_at(number, *seat) == 0)
        {
            self.lead.add(review.players[of_a].result.margin);
            self.better.add(review.players[of_a].skill.margin);
        }
    }

    fn print(&self, pairing: &Pairing) {
        let a = &pairing.bots[0];
        for (what, of) in [
            ("margin of the first seat".to_owned(), &self.margin),
            ("luck of the first seat".to_owned(), &self.luck),
            ("rest of the first seat".to_owned(), &self.rest),
            ("its part from one draw to the next".to_owned(), &self.looks),
            (format!("margin of {a}"), &self.lead),
            (format!("what both's decisions were worth to {a}"), &self.better),
        ] {
            println!(
                "{what}: {:+.2} ± {:.2}, standard deviation {:.2} of {}",
                of.mean(),
                of.error(),
                of.deviation(),
                of.count()
            );
        }
        println!("start + luck + skill + rest is off the margin by {:.1e} at most", self.off);
    }
}

fn moments(numbers: &[f64]) -> Moments {
    let mut moments = Moments::default();
    moments.extend(numbers.iter().copied());
    moments
}
