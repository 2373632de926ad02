//! Games between two bots, reviewed: loss, accuracy and mistakes of each, luck and rest of the games.
//!
//! ```text
//! cargo run --release -p bots --example review_games -- best mason 20 2000 quick
//! ```
//!
//! Arguments: two bots, how many games, nodes a move, quick or deep, and optionally the setup and the
//! first deck's seed. The same arguments give the same games and the same reviews.

use bots::review::{Category, Depth, Review, Step, review};
use bots::roster::{BotSpec, Playable, make};
use carcassonne::{AllSets, Base, ExpandedSetup, Options, Position};
use game::{Game, Random, Record, Turn, ignore};
use search::{Limits, Moments, Stop};
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Study {
    names: [String; 2],
    games: usize,
    nodes: u64,
    depth: Depth,
    setup: ExpandedSetup,
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [a, b, games, nodes, depth, rest @ ..] = args.as_slice() else {
        return Err("A B GAMES NODES quick|deep [SETUP [SEED]]".into());
    };
    let study = Study {
        names: [a.clone(), b.clone()],
        games: games.parse()?,
        nodes: nodes.parse()?,
        depth: depth.parse()?,
        setup: rest.first().map_or("players=2", String::as_str).parse()?,
        seed: rest.get(1).map_or(Ok(1), |seed| seed.parse())?,
    };
    let reviews = match study.setup.sets().is_empty() {
        true => study.run::<Base>(study.setup.rules()),
        false => study.run::<AllSets>(&study.setup),
    };
    study.print(&reviews);
    Ok(())
}

impl Study {
    fn run<E: Playable>(&self, setup: &E::Setup) -> Vec<Review> {
        let next = AtomicUsize::new(0);
        let reviews = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= self.games {
                            break;
                        }
                        let record = self.play::<E>(setup, game);
                        let done = review(&record, self.depth, &Stop::new(), &mut |_, _, _| {});
                        let done = done.expect("bots play legal moves");
                        reviews.lock().expect("nobody panics").push((game, done));
                    }
                });
            }
        });
        let mut reviews = reviews.into_inner().expect("nobody panics");
        reviews.sort_by_key(|(game, _)| *game);
        reviews.into_iter().map(|(_, review)| review).collect()
    }

    /// Which bot sits where: they change seats from game to game.
    fn bot_at(game: usize, seat: usize) -> usize {
        (game + seat) % 2
    }

    fn play<E: Playable>(&self, setup: &E::Setup, number: usize) -> Record<Position<E>> {
        let mut game = Position::<E>::new(setup);
        let mut record = Record::new(*setup);
        let mut random = Random::new(self.seed.wrapping_add(number as u64 / 2));
        let mut bots: Vec<_> = (0..game.players())
            .map(|seat| {
                let spec: BotSpec = self.names[Self::bot_at(number, seat)].parse().expect("a bot");
                let mut bot = make::<E>(&spec, setup).expect("a bot by name");
                bot.new_game(&game, self.seed.wrapping_add(number as u64));
                bot
            })
            .collect();
        loop {
            let turn = match game.turn() {
                Turn::Over => return record,
                Turn::Chance => vec![game.sample_outcome(&mut random).expect("something is left")],
                Turn::Player(player) => {
                    let limits = Limits::nodes(self.nodes);
                    bots[player.index()].search(&game, &limits, &Stop::new()).turn
                }
            };
            for m in turn {
                for bot in &mut bots {
                    bot.observe(&game, m);
                }
                game.play_unchecked(m, ignore);
                record.moves.push(m);
            }
        }
    }

    fn print(&self, reviews: &[Review]) {
        println!(
            "bot            games  measured loss     shown  accuracy (sd)  inacc. mistakes blunders"
        );
        let same = usize::from(self.names[0] != self.names[1]);
        for (index, name) in self.names.iter().enumerate().take(1 + same) {
            let (mut measured, mut shown, mut accuracy) =
                (Moments::default(), Moments::default(), Moments::default());
            let mut counts = [0.0; Category::ALL.len()];
            for (game, review) in reviews.iter().enumerate() {
                for (seat, player) in review.players.iter().enumerate() {
                    if Self::bot_at(game, seat) != index && same == 1 {
                        continue;
                    }
                    let of = |step: &Step| match step {
                        Step::Decision(d) if d.player == seat => d.measured[seat].margin,
                        _ => 0.0,
                    };
                    measured.add(review.steps.iter().map(of).sum());
                    shown.add(player.loss.margin);
                    accuracy.add(player.accuracy);
                    counts.iter_mut().zip(player.categories).for_each(|(a, b)| *a += b as f64);
                }
            }
            let [_, _, inaccuracies, mistakes, blunders] =
                counts.map(|c| c / measured.count() as f64);
            println!(
                "{name:<14} {:>5}  {:>6.1} ± {:<5.1} {:>8.1}  {:>8.1} ({:.1})  {inaccuracies:>6.1} \
                 {mistakes:>8.1} {blunders:>8.1}",
                measured.count(),
                measured.mean(),
                measured.error(),
                shown.mean(),
                accuracy.mean(),
                accuracy.deviation()
            );
        }
        let (mut luck, mut rest, mut margin) =
            (Moments::default(), Moments::default(), Moments::default());
        let mut off: f64 = 0.0;
        for review in reviews {
            for player in &review.players {
                let sum = player.start.plus(player.luck, 1.0).plus(player.skill, 1.0);
                let sum = sum.plus(player.rest, 1.0);
                off = off.max((sum.margin - player.result.margin).abs());
            }
            let first = &review.players[0];
            margin.add(first.result.margin);
            luck.add(first.luck.margin);
            rest.add(first.rest.margin);
        }
        for (what, of) in [("margin", &margin), ("luck", &luck), ("rest", &rest)] {
            println!(
                "{what:<7} of the first seat: {:+.2} ± {:.2}, standard deviation {:.2}",
                of.mean(),
                of.error(),
                of.deviation()
            );
        }
        println!("start + luck + skill + rest is off the margin by {off:.1e} at most");
    }
}
