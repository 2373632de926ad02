//! Whether the luck of the draws is zero in the mean, whoever plays, and whether the values of a review's
//! graph come true: in sum and by stage of the game.
//!
//! ```text
//! cargo run --release -p bots --example review_luck -- bots=random,greedy,net games=1000 threads=2
//! ```
//!
//! Each bot plays so many games against itself. Luck and values are as in a quick review, by one turn of
//! the net. The values are those of good players: they come true for `net`, not for weak bots. A line after
//! every hundred games says what is known so far, so that it can be stopped at any time. Further arguments: `setup`, `seed` (of the first deck), `nodes` (a move, for bots that search).

mod support;

use bots::review::{DrawReview, draws};
use bots::roster::{BotSpec, Playable};
use carcassonne::{AllSets, Base, ExpandedSetup, Options};
use game::{Game, Player};
use search::{Moments, Stop, Values, final_values};
use std::error::Error;
use std::fmt;
use support::{Args, Pairing, in_order};

/// Stages of a game, by tiles left.
const STAGES: usize = 5;

struct Study {
    games: usize,
    threads: usize,
    setup: ExpandedSetup,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::read(&["bots", "games", "threads", "setup", "seed", "nodes"])?;
    let study = Study {
        games: args.or("games", "1000")?,
        threads: args.or("threads", "1")?,
        setup: args.or("setup", "players=2")?,
    };
    for bot in args.list::<BotSpec>("bots", "random,greedy,net")? {
        let nodes = args.or("nodes", "1000")?;
        let pairing =
            Pairing { bots: [bot.clone(), bot], nodes: [nodes; 2], seed: args.or("seed", "1")? };
        match study.setup.sets().is_empty() {
            true => study.run::<Base>(&pairing, study.setup.rules()),
            false => study.run::<AllSets>(&pairing, &study.setup),
        }
    }
    Ok(())
}

impl Study {
    fn run<E: Playable>(&self, pairing: &Pairing, setup: &E::Setup) {
        let bot = &pairing.bots[0];
        let luck_of = |number| {
            let record = pairing.play::<E>(setup, number).expect("a bot by name");
            let end = record.replay().expect("bots play legal moves");
            let came = final_values(&end.scores());
            (draws(&record, &Stop::new()).expect("bots play legal moves"), came)
        };
        let mut all = Luck::default();
        let mut stages = [Luck::default(); STAGES];
        in_order(0..self.games, self.threads, luck_of, |number, (draws, came)| {
            let most = draws.first().map_or(1, |draw| draw.tiles_left).max(1);
            let stage_of = |draw: &DrawReview| (most - draw.tiles_left) * STAGES / most;
            all.add(draws.iter(), &came);
            for (at, stage) in stages.iter_mut().enumerate() {
                let part = draws.iter().filter(|draw| stage_of(draw).min(STAGES - 1) == at);
                stage.add(part, &came);
            }
            if (number + 1) % 100 == 0 {
                println!("{bot}, {} games: {all}", number + 1);
            }
        });
        println!("{bot}, {} games in all: {all}", self.games);
        for (at, stage) in stages.iter().enumerate() {
            println!("{bot}, part {} of {STAGES}: {stage}", at + 1);
        }
    }
}

/// The luck of games, or of a part of each.
#[derive(Clone, Copy, Default)]
struct Luck {
    /// Points, seen from the first seat.
    first: Moments,
    /// Points, seen from who drew: what would favour the one who draws does not cancel here.
    drawer: Moments,
    /// Probability to win, seen from who drew.
    win: Moments,
    /// By how much the value before a draw is higher than what comes, for who draws: a game's mean.
    value: Moments,
    /// The squares of what the odds before a draw are off by: a game's mean.
    brier: Moments,
}

impl Luck {
    /// Adds a game that came out like this.
    fn add<'a>(&mut self, draws: impl Iterator<Item = &'a DrawReview>, came: &Values) {
        let (mut first, mut drawer, mut win) = (0.0, 0.0, 0.0);
        let (mut value, mut brier) = (Moments::default(), Moments::default());
        for draw in draws {
            let (said, came) = (draw.before[draw.player], came[Player::new(draw.player)]);
            value.add(said.margin - f64::from(came.margin));
            brier.add((said.win - f64::from(came.win)).powi(2));
            first += draw.luck[0].margin;
            drawer += draw.luck[draw.player].margin;
            win += draw.luck[draw.player].win;
        }
        self.first.add(first);
        self.drawer.add(drawer);
        self.win.add(win);
        self.value.add(value.mean());
        self.brier.add(brier.mean());
    }
}

impl fmt::Display for Luck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |of: &Moments, digits: usize| {
            let (mean, error) = (of.mean(), of.error());
            let errors = mean / error;
            format!("{mean:+.digits$} ± {error:.digits$} ({errors:+.1} errors)")
        };
        write!(
            f,
            "luck of the first seat {}, standard deviation {:.1}; of who drew {}, odds {}; value too high \
             for who draws {}, Brier score {:.4}",
            text(&self.first, 3),
            self.first.deviation(),
            text(&self.drawer, 3),
            text(&self.win, 5),
            text(&self.value, 2),
            self.brier.mean()
        )
    }
}
