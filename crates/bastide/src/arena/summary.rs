//! What a match says: as text for a person, and as JSON.

use super::Plan;
use super::forfeit::Forfeit;
use super::game_runner::Effort;
use super::match_progress::MatchProgress;
use super::store::Store;
use search::Moments;
use search::arena::{Estimate, Tally};
use serde::Serialize;
use std::fmt;

/// What a match says. Numbers that are not known yet are `null` in JSON.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// Changes when readers of older ones could go wrong.
    format: u32,
    a: SideSummary,
    b: SideSummary,
    setup: String,
    players: usize,
    seed: u64,
    /// Rounds that were asked for.
    rounds_wanted: u64,
    /// Rounds that count: between two players, pairs of games.
    rounds: u64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Games in which A was first alone, and first with others.
    first: u64,
    shared_first: u64,
    /// Rounds by A's points in them; between two players from two losses to two wins.
    results: Vec<u64>,
    margin: Mean,
    /// A's share of the points, from 0 to 1.
    score: Mean,
    elo: Elo,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtSummary>,
    /// The games that count, in order.
    results_by_game: Vec<GameSummary>,
    /// What is left when the luck of the draws is taken off, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) luck: Option<LuckSummary>,
    #[serde(skip)]
    tally: Tally,
}

/// A match without the luck of its draws.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LuckSummary {
    /// The margin less the luck.
    pub(crate) margin: Mean,
    /// The luck itself: its mean is near zero.
    pub(crate) luck: Mean,
    /// The variance of the margin less the luck, over that of the plain margin.
    pub(crate) variance_ratio: f64,
    /// How long it took to estimate.
    pub(crate) seconds: f64,
}

/// What a side is and spent.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SideSummary {
    pub(crate) name: String,
    /// What it is called in tables: its name, or what a program calls itself.
    pub(crate) label: String,
    pub(crate) limit: String,
    pub(crate) forfeits: u64,
    /// The mean of its points over the games that were played to their end, and over its seats.
    points_a_game: Option<f64>,
    #[serde(flatten)]
    pub(crate) effort: Effort,
    pub(crate) ms_a_move: Option<f64>,
    pub(crate) longest_ms: f64,
    pub(crate) nodes_a_move: Option<f64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Mean {
    mean: f64,
    error: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Elo {
    low: f64,
    mean: f64,
    high: f64,
}

#[derive(Clone, Debug, Serialize)]
struct SprtSummary {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    low: f64,
    high: f64,
    verdict: String,
}

#[derive(Clone, Debug, Serialize)]
struct GameSummary {
    /// The round, from 0.
    round: u64,
    /// A's seat.
    seat: usize,
    scores: Vec<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up_by: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit: Option<Forfeit>,
}

impl Summary {
    pub(super) fn new(plan: &Plan, store: &Store, standing: &MatchProgress) -> Self {
        let tally = standing.tally();
        let labels = plan.labels();
        let mut sides = [0, 1].map(|side| SideSummary {
            label: labels[side].clone(),
            ..SideSummary::new(plan.sides[side].clone(), plan.paces[side].to_string())
        });
        let mut points = [Moments::default(); 2];
        let mut results_by_game = Vec::new();
        for game in store.games().filter(|game| standing.counts(game.round)) {
            for (side, effort) in sides.iter_mut().zip(&game.spent) {
                side.spend(effort);
            }
            match game.forfeited_by() {
                Some(side) => sides[side].forfeits += 1,
                None => game.scores.iter().enumerate().for_each(|(seat, score)| {
                    points[usize::from(seat != game.seat)].add((*score).into());
                }),
            }
            results_by_game.push(GameSummary {
                round: game.round,
                seat: game.seat,
                scores: game.scores.clone(),
                given_up_by: game.forfeit.as_ref().map(|forfeit| forfeit.seat),
                forfeit: game.forfeit.clone(),
            });
        }
        for (side, points) in sides.iter_mut().zip(points) {
            side.points_a_game = (points.count() > 0).then(|| points.mean());
        }
        let [a, b] = sides;
        // Before the first round nothing is known, which JSON calls null.
        let known = |number: f64| if tally.rounds() > 0 { number } else { f64::NAN };
        let (elo, score, margin) = (tally.elo(), tally.score(), tally.margin());
        Self {
            format: 1,
            a,
            b,
            setup: plan.setup.to_string(),
            players: plan.seats(),
            seed: plan.seed,
            rounds_wanted: plan.rounds,
            rounds: tally.rounds(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            first: tally.first,
            shared_first: tally.shared,
            results: tally.results.clone(),
            margin: Mean { mean: known(margin.mean), error: known(margin.error) },
            score: Mean { mean: known(score.mean), error: known(score.error) },
            elo: Elo { low: known(elo.low), mean: known(elo.mean), high: known(elo.high) },
            sprt: sprt_summary(plan, standing, &tally),
            results_by_game,
            luck: None,
            tally,
        }
    }

    /// What is left when the luck of the draws is taken off, where that was asked for.
    pub(crate) const fn luck(&self) -> Option<&LuckSummary> {
        self.luck.as_ref()
    }

    /// What was counted.
    pub(crate) const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What is to be said where a side gave up every game.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let all = [("A", &self.a), ("B", &self.b)]
            .into_iter()
            .filter(|(_, side)| self.games > 0 && side.forfeits == self.games);
        all.map(|(letter, side)| {
            format!(
                "{letter} ({}) gave up every game: the result says nothing about its play",
                side.name
            )
        })
    }

    /// Both sides.
    pub(crate) const fn sides(&self) -> [&SideSummary; 2] {
        [&self.a, &self.b]
    }

    /// Whether a round counts.
    pub(crate) fn counts(&self, round: u64) -> bool {
        // The games are in the order of their rounds.
        self.results_by_game.binary_search_by_key(&round, |game| game.round).is_ok()
    }

    /// The summary as JSON.
    ///
    /// # Errors
    /// None that can happen.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn sprt_summary(plan: &Plan, standing: &MatchProgress, tally: &Tally) -> Option<SprtSummary> {
    let sprt = plan.sprt?;
    let (low, high) = sprt.bounds();
    Some(SprtSummary {
        elo0: sprt.elo0,
        elo1: sprt.elo1,
        alpha: sprt.alpha,
        beta: sprt.beta,
        llr: sprt.llr(tally),
        low,
        high,
        verdict: standing.verdict().to_string(),
    })
}

impl From<Moments> for Mean {
    fn from(moments: Moments) -> Self {
        Self { mean: moments.mean(), error: moments.error() }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Estimate { mean: self.mean, error: self.error }.fmt(f)
    }
}

impl SideSummary {
    /// A side that has not moved yet.
    pub(crate) fn new(name: String, limit: String) -> Self {
        let effort = Effort::default();
        let (points_a_game, ms_a_move, nodes_a_move) = (None, None, None);
        let (label, forfeits, longest_ms) = (name.clone(), 0, 0.0);
        Self {
            name,
            label,
            limit,
            forfeits,
            points_a_game,
            effort,
            ms_a_move,
            longest_ms,
            nodes_a_move,
        }
    }

    /// Adds what it spent.
    pub(crate) fn spend(&mut self, effort: &Effort) {
        self.effort.add(effort);
        let turns = self.effort.turns as f64;
        let mean = |sum: u64| (turns > 0.0).then(|| sum as f64 / turns);
        self.ms_a_move = mean(self.effort.micros).map(|micros| micros / 1e3);
        self.longest_ms = self.effort.longest as f64 / 1e3;
        self.nodes_a_move = mean(self.effort.nodes);
    }
}

impl fmt::Display for SideSummary {
    /// `0.41 ms a move (longest 3.20 ms), 82 nodes a move`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(ms), Some(nodes)) = (self.ms_a_move, self.nodes_a_move) else {
            return f.write_str("no move");
        };
        write!(f, "{ms:.2} ms a move (longest {:.2} ms), {nodes:.0} nodes a move", self.longest_ms)
    }
}

impl fmt::Display for Summary {
    /// The last line holds the margin.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b, rounds, rounds_wanted, games, .. } = self;
        let round = match (self.players, rounds_wanted) {
            (2, 1) => "pair",
            (2, _) => "pairs",
            (_, 1) => "round",
            _ => "rounds",
        };
        for (letter, side) in [("A", a), ("B", b)] {
            let name = match side.label == side.name {
                true => side.name.clone(),
                false => format!("{} ({})", side.label, side.name),
            };
            writeln!(f, "{letter}         {name}, {} a move", side.limit)?;
        }
        writeln!(f, "setup     {}, seed {}", self.setup, self.seed)?;
        writeln!(f, "played    {rounds} of {rounds_wanted} {round}, {games} games")?;
        self.write_results(f)?;
        match (a.points_a_game, b.points_a_game) {
            (Some(a), Some(b)) => writeln!(f, "points    A {a:.1}, B {b:.1} a game")?,
            _ => writeln!(f, "points    not known: no game was played to its end")?,
        }
        if let Some(sprt) = &self.sprt {
            let SprtSummary { elo0, elo1, llr, low, high, verdict, .. } = sprt;
            writeln!(
                f,
                "SPRT      [{elo0}, {elo1}] {verdict}, log-likelihood ratio {llr:+.2} \
                 between {low:+.2} and {high:+.2}"
            )?;
        }
        for (letter, side) in [("A", a), ("B", b)] {
            writeln!(f, "{letter} spent   {side}")?;
            let Effort { late, turns, .. } = side.effort;
            if late > 0 {
                writeln!(f, "{letter} late    {late} of {turns} moves")?;
            }
            match side.forfeits {
                0 => {}
                1 => writeln!(f, "{letter} forfeit 1 game")?,
                more => writeln!(f, "{letter} forfeit {more} games")?,
            }
        }
        if let Some(LuckSummary { margin, luck, variance_ratio, seconds }) = &self.luck {
            // Below two rounds there is no variance to compare.
            let ratio = match variance_ratio.is_finite() {
                true => format!(", {:.0} % of the variance", 100.0 * variance_ratio),
                false => String::new(),
            };
            writeln!(
                f,
                "luck      of A: {luck}; margin less luck {margin}{ratio} ({seconds:.0} s)"
            )?;
        }
        f.write_str("margin    of A over B in points a game: ")?;
        match rounds {
            0 => writeln!(f, "not known, no game counts yet"),
            _ => writeln!(f, "{}", self.tally.margin()),
        }
    }
}

impl Summary {
    fn write_results(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, first, shared_first, .. } = self;
        let (percent, elo) = (100.0 * self.score.mean, self.tally.elo());
        let nothing = self.rounds == 0;
        if self.players == 2 {
            writeln!(f, "results   A won {wins}, drew {draws}, lost {losses}")?;
            return match nothing {
                true => writeln!(f, "win rate  not known, no game counts yet"),
                false => writeln!(f, "win rate  {percent:.1} %, Elo {elo}"),
            };
        }
        let par = 100.0 / self.players as f64;
        writeln!(
            f,
            "results   A first {first} times, with others {shared_first} (par {par:.0} %)"
        )?;
        writeln!(
            f,
            "compared  A with each other seat: ahead {wins}, level {draws}, behind {losses}"
        )?;
        match nothing {
            true => writeln!(f, "score     not known, no game counts yet"),
            false => writeln!(f, "score     {percent:.1} % of the comparisons, Elo {elo}"),
        }
    }
}
