//! Whether the verdicts of a quick review stand: of decisions that it calls mistakes, and of such
//! that it does not mark, what a much longer search says, and what comes of playing on to the end.
//!
//! ```text
//! cargo run --release -p bots --example review_verdicts -- out=verdicts.txt decisions=300 ended=60
//! ```
//!
//! Neighbours of the list `bots` play games, which are reviewed. From each game all mistakes are taken, and
//! as many decisions without a mark, until there are so many `decisions` of each.
//! Endings that the review solves are left out: both judges would solve them too.
//!
//! - The long search: `best` with `nodes` names the best turn; that and the one that was played are compared
//!   by `rounds` of playing on for `turns`, with draws of their own, and graded by what they measure.
//! - For the first `ended` mistakes and as many unmarked decisions, two turns are played on to the end of the
//!   game, `playouts` times with the same draws, by the one-ply net on all seats: the one that was played, and
//!   the one that the review names (the long search where the review has nothing to say).
//!
//! Each decision is a line in `out`, written as soon as it is judged. The same command goes on where it was
//! ended, and larger numbers add to what is there. The summary is made of the file.

mod support;

use bots::AnyEvaluator;
use bots::nets;
use bots::one_ply::play_out;
use bots::review::grade::shown;
use bots::review::{Category, DecisionReview, Depth, Step, Worth, review};
use bots::roster::{BotSpec, is_solved_at_once, make};
use bots::value::Learned;
use carcassonne::{Base, Move, Position, Setup, Tile};
use game::{ByPlayer, Game, Random, Record, Turn};
use search::lookahead::ComparedRounds;
use search::{Agent, Limits, Lookahead, LookaheadParams, Moments, Stop, Value};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use support::{Args, Pairing, in_order};

struct Study {
    bots: Vec<BotSpec>,
    seed: u64,
    /// How many decisions of each kind.
    decisions: usize,
    /// How many of each are played on to the end.
    ended: usize,
    threads: usize,
    nodes: u64,
    rounds: u32,
    turns: u32,
    playouts: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let known = [
        "out",
        "bots",
        "seed",
        "decisions",
        "ended",
        "threads",
        "nodes",
        "rounds",
        "turns",
        "playouts",
    ];
    let args = Args::read(&known)?;
    let study = Study {
        bots: args.list("bots", "peddler,mason,steward,architect")?,
        seed: args.or("seed", "1")?,
        decisions: args.or("decisions", "300")?,
        ended: args.or("ended", "60")?,
        threads: args.or("threads", "1")?,
        nodes: args.or("nodes", "250000")?,
        rounds: args.or("rounds", "400")?,
        turns: args.or("turns", "4")?,
        playouts: args.or("playouts", "200")?,
    };
    let path: String = args.or("out", "verdicts.txt")?;
    let mut verdicts = Vec::new();
    for line in std::fs::read_to_string(&path).unwrap_or_default().lines() {
        verdicts
            .push(Verdict::read(line).ok_or_else(|| format!("{path}: '{line}' is no verdict"))?);
    }
    let mut out = OpenOptions::new().create(true).append(true).open(&path)?;
    for game in 0.. {
        if Kind::ALL.iter().all(|kind| count(&verdicts, *kind) >= study.decisions) {
            break;
        }
        if verdicts.iter().any(|verdict| verdict.game > game) {
            continue;
        }
        study.game(game, &mut verdicts, &mut out)?;
    }
    summary(&verdicts);
    Ok(())
}

/// What the review said of a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A mistake or a blunder.
    Mistake,
    /// Nothing to be said.
    Unmarked,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Mistake, Self::Unmarked];

    /// Inaccuracies are neither.
    fn of(category: Category) -> Option<Self> {
        match category {
            Category::Best | Category::Good => Some(Self::Unmarked),
            Category::Inaccuracy => None,
            Category::Mistake | Category::Blunder => Some(Self::Mistake),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Mistake => "mistake",
            Self::Unmarked => "unmarked",
        }
    }
}

/// A number with its standard error.
type Measured = (f64, f64);

/// What the judges said of a decision.
struct Verdict {
    kind: Kind,
    game: usize,
    ply: usize,
    tiles_left: usize,
    /// What the review measured.
    quick: Measured,
    long: Measured,
    long_win: Measured,
    /// Played on to the end, where that was asked for.
    ended: Option<Measured>,
}

impl Verdict {
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let [kind, game, ply, left, quick, q, long, l, win, w, ended, e] = words[..] else {
            return None;
        };
        let measured = |mean: &str, error: &str| Some((mean.parse().ok()?, error.parse().ok()?));
        Some(Self {
            kind: Kind::ALL.into_iter().find(|known| known.name() == kind)?,
            game: game.parse().ok()?,
            ply: ply.parse().ok()?,
            tiles_left: left.parse().ok()?,
            quick: measured(quick, q)?,
            long: measured(long, l)?,
            long_win: measured(win, w)?,
            ended: if ended == "-" { None } else { Some(measured(ended, e)?) },
        })
    }

    fn write(&self) -> String {
        let ended = self.ended.map_or("- -".to_owned(), |(mean, e)| format!("{mean:.3} {e:.3}"));
        format!(
            "{} {} {} {} {:.3} {:.3} {:.3} {:.3} {:.4} {:.4} {ended}",
            self.kind.name(),
            self.game,
            self.ply,
            self.tiles_left,
            self.quick.0,
            self.quick.1,
            self.long.0,
            self.long.1,
            self.long_win.0,
            self.long_win.1
        )
    }

    /// What the loss that the long search measured is called.
    fn category(&self) -> Category {
        let measured = Worth { margin: self.long.0, win: self.long_win.0 };
        let error = Worth { margin: self.long.1, win: self.long_win.1 };
        Category::of(shown(measured, error), Worth::default())
    }
}

fn count(verdicts: &[Verdict], kind: Kind) -> usize {
    verdicts.iter().filter(|verdict| verdict.kind == kind).count()
}

impl Study {
    /// Plays and reviews a game, and judges what is wanted of it.
    fn game(
        &self,
        number: usize,
        verdicts: &mut Vec<Verdict>,
        out: &mut impl Write,
    ) -> Result<(), Box<dyn Error>> {
        let setup: Setup = "players=2".parse()?;
        let pair = number % self.bots.len().saturating_sub(1).max(1);
        let pairing = Pairing {
            bots: [self.bots[pair].clone(), self.bots[self.bots.len().min(pair + 2) - 1].clone()],
            nodes: [1_000; 2],
            seed: self.seed.wrapping_add(number as u64),
        };
        let record = pairing.play::<Base>(&setup, number)?;
        let review = review(&record, Depth::Quick, &Stop::new(), &mut |_, _, _| {})?;
        let decisions = review.steps.iter().filter_map(|step| match step {
            Step::Decision(decision) => Some(&**decision),
            Step::Draw(_) => None,
        });
        let decisions: Vec<_> = decisions.filter(|d| d.choices > 1 && !d.exact).collect();
        let chosen = self.choose(&decisions, number, verdicts);
        let known = |d: &DecisionReview| {
            verdicts.iter().any(|verdict| verdict.game == number && verdict.ply == d.ply)
        };
        let todo: Vec<_> = chosen.into_iter().filter(|(_, d, _)| !known(d)).collect();
        let judged = |index: usize| {
            let (kind, decision, to_the_end) = todo[index];
            let judged = self.judge(&record, number, kind, decision, to_the_end);
            judged.map_err(|error| error.to_string())
        };
        let mut result = Ok(());
        in_order(0..todo.len(), self.threads, judged, |_, verdict| {
            let written = verdict.and_then(|verdict| {
                let line = verdict.write();
                println!("{line}");
                verdicts.push(verdict);
                writeln!(out, "{line}").map_err(|error| error.to_string())
            });
            if result.is_ok() {
                result = written;
            }
        });
        Ok(result?)
    }

    /// The decisions of a game that are judged, and whether each is played on to the end.
    fn choose<'a>(
        &self,
        decisions: &[&'a DecisionReview],
        number: usize,
        verdicts: &[Verdict],
    ) -> Vec<(Kind, &'a DecisionReview, bool)> {
        let of = |kind: Kind| {
            decisions.iter().filter(move |d| Kind::of(d.category) == Some(kind)).copied()
        };
        let marked = of(Kind::Mistake).count();
        let mut chosen = Vec::new();
        for kind in Kind::ALL {
            let mut all: Vec<_> = of(kind).collect();
            Random::new(self.seed ^ number as u64).shuffle(&mut all);
            all.truncate(marked);
            let before = verdicts.iter().filter(|v| v.kind == kind && v.game < number).count();
            let room = self.decisions.saturating_sub(before);
            let judged = all.into_iter().take(room).enumerate();
            chosen.extend(judged.map(|(i, d)| (kind, d, before + i < self.ended)));
        }
        chosen
    }

    fn judge(
        &self,
        record: &Record<Position<Base>>,
        game: usize,
        kind: Kind,
        decision: &DecisionReview,
        to_the_end: bool,
    ) -> Result<Verdict, Box<dyn Error>> {
        let before = decision.ply - 1;
        let position = record.replay_to(before, |_, _| {})?;
        let played = &record.moves[before..before + decision.played.len()];
        let seed = Random::new((game * 1_000 + before) as u64).bits();
        let turn = self.long_turn(&position, seed)?;
        let (long, long_win) = self.compare(&position, [&turn, played], seed)?;
        let named: Vec<Move> = match kind {
            Kind::Unmarked => turn,
            Kind::Mistake => decision.best.iter().map(|m| m.parse()).collect::<Result<_, _>>()?,
        };
        let ended = to_the_end.then(|| self.play_to_the_end(&position, [&named, played], seed));
        Ok(Verdict {
            kind,
            game,
            ply: decision.ply,
            tiles_left: position.tiles_left(),
            quick: (decision.measured[decision.player].margin, decision.error.margin),
            long,
            long_win,
            ended,
        })
    }

    /// The turn that the long search chooses.
    fn long_turn(&self, position: &Position<Base>, seed: u64) -> Result<Vec<Move>, Box<dyn Error>> {
        let setup = *position.setup();
        let mut best = make::<Base>(&"best".parse()?, &setup)?;
        best.new_game(position, seed);
        Ok(best.search(position, &Limits::nodes(self.nodes), &Stop::new()).turn)
    }

    /// What the first turn is worth more than the second: points and odds.
    fn compare(
        &self,
        position: &Position<Base>,
        turns: [&[Move]; 2],
        seed: u64,
    ) -> Result<(Measured, Measured), Box<dyn Error>> {
        assert!(!is_solved_at_once(position), "solved decisions are left out");
        let Turn::Player(player) = position.turn() else { return Err("nobody is to move".into()) };
        let params = LookaheadParams { turns_on: self.turns, ..LookaheadParams::default() };
        let mut search = Lookahead::new(params, AnyEvaluator::of_setup(position.setup()));
        let rounds = ComparedRounds { choose: 0, measure: self.rounds };
        let compared = search.compare(position, turns, rounds, !seed, &Stop::new());
        let compared = compared.ok_or("two turns of the game")?;
        let Value { margin, win } = compared.difference[player];
        let error = compared.error;
        Ok(((margin.into(), error.margin.into()), (win.into(), error.win.into())))
    }

    /// What the first turn brings more than the second, played on to the end by the one-ply net.
    fn play_to_the_end(
        &self,
        position: &Position<Base>,
        turns: [&[Move]; 2],
        seed: u64,
    ) -> Measured {
        let Turn::Player(player) = position.turn() else { return (0.0, 0.0) };
        let mut learned = learned(position);
        let margin = |scores: ByPlayer<i32>| f64::from(scores.margin(player));
        let mut difference = Moments::default();
        for playout in 0..self.playouts {
            let deck = deck(position, &mut Random::new(seed.wrapping_add(playout)));
            let [first, second] = turns.map(|turn| {
                let after = search::play_turn(position, turn).expect("a legal turn");
                let mut ties = Random::new(playout);
                margin(play_out(after, &mut learned, &mut deck.clone(), &mut ties))
            });
            difference.add(first - second);
        }
        (difference.mean(), difference.error())
    }
}

fn learned(position: &Position<Base>) -> Learned<Base> {
    Learned::new(nets::for_setup(position.setup()).net)
}

/// The tiles that are left, in an order of chance.
fn deck(position: &Position<Base>, random: &mut Random) -> Vec<Move> {
    let left = |tile: Tile| position.bag().as_ref()[tile.index()];
    let of = |tile| std::iter::repeat_n(Move::draw(tile), left(tile).into());
    let mut deck: Vec<Move> = Position::<Base>::kinds().flat_map(of).collect();
    random.shuffle(&mut deck);
    deck
}

fn summary(verdicts: &[Verdict]) {
    for kind in Kind::ALL {
        let of: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.kind == kind).collect();
        let part = |what: &str, part: usize| {
            let percent = 100.0 * part as f64 / of.len().max(1) as f64;
            println!("  {what}: {part}, {percent:.1} %");
        };
        println!("{} decisions that the review calls {}:", of.len(), kind.name());
        for category in [Category::Mistake, Category::Inaccuracy, Category::Good] {
            let worse = of.iter().filter(|verdict| verdict.category() >= category).count();
            part(&format!("{} or worse for the long search", category.name()), worse);
        }
        line("loss by the review", of.iter().map(|verdict| verdict.quick));
        line("by the long search", of.iter().map(|verdict| verdict.long));
        let ended = || of.iter().filter_map(|verdict| verdict.ended);
        let both = || of.iter().filter(|verdict| verdict.ended.is_some());
        line("of those played on to the end, by the review", both().map(|verdict| verdict.quick));
        line("by the long search", both().map(|verdict| verdict.long));
        line("by what came at the end", ended());
        println!(
            "    the turn that was played is better there in {}, by more than two errors in {}; worse by \
             more than two errors in {}",
            ended().filter(|(mean, _)| *mean < 0.0).count(),
            ended().filter(|(mean, error)| *mean < -2.0 * error).count(),
            ended().filter(|(mean, error)| *mean > 2.0 * error).count()
        );
    }
}

/// The mean over decisions.
fn line(what: &str, all: impl Iterator<Item = Measured>) {
    let (mut means, mut errors) = (Moments::default(), Moments::default());
    for (mean, error) in all {
        means.add(mean);
        errors.add(error);
    }
    println!(
        "  {what}: {:+.2} ± {:.2} points, {} decisions, each ± {:.2}",
        means.mean(),
        means.error(),
        means.count(),
        errors.mean()
    );
}
