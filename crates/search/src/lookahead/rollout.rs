//! One candidate played on by the one-turn player, and the draws that it is played with.

use crate::replies::{Ranking, Replies};
use crate::seeds::stream;
use crate::{Clock, Evaluator, LookaheadParams, Values, final_values};
use game::{Game, Player, Random, Turn, ignore};

/// The draws of all rounds of a search: the same for all candidates of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) seed: u64,
    /// Whether the rounds' draws are spread evenly over what may come, so that a few rounds see a fair
    /// sample of it. If not, those after the reply are independent from round to round.
    pub(super) spread: bool,
}

/// How far a round moves on in each of its first draws: the fractions of the golden ratio and of the roots
/// of 2, 3 and 7, whose multiples lie evenly between 0 and 1.
const STEPS: [f64; 4] = [
    0.618_033_988_749_894_9,
    0.414_213_562_373_095_1,
    0.732_050_807_568_877_2,
    0.645_751_311_064_590_7,
];

impl Draws {
    /// The point of a round's first draw, the one that is replied to.
    pub(super) fn first(self, round: u32) -> f64 {
        (stream(self.seed, 0).unit() + f64::from(round) * STEPS[0]) % 1.0
    }

    pub(super) fn of_round(self, round: u32) -> RoundDraws {
        let mut shifts = stream(self.seed, 0);
        let spread = STEPS.map(|step| (shifts.unit() + f64::from(round) * step) % 1.0);
        let spread = if self.spread { spread } else { [f64::NAN; STEPS.len()] };
        RoundDraws { spread, random: stream(self.seed, u64::from(round) + 1) }
    }
}

/// The draws of one round.
pub(super) struct RoundDraws {
    /// Points between 0 and 1, one for each of the first draws; not a number: by chance.
    spread: [f64; STEPS.len()],
    random: Random,
}

impl RoundDraws {
    /// What is drawn at a position for a turn of the round, the first being turn 0. A tile that is drawn
    /// again, because the first one fitted nowhere, comes by chance.
    fn draw<G: Game>(&mut self, position: &G, turn: usize, again: bool) -> Option<G::Move> {
        match self.spread.get(turn) {
            Some(point) if !again && !point.is_nan() => outcome_at(position, *point),
            _ => position.sample_outcome(&mut self.random),
        }
    }
}

/// The outcome at a point of all outcomes laid end to end.
fn outcome_at<G: Game>(position: &G, point: f64) -> Option<G::Move> {
    let mut outcomes = Vec::new();
    position.moves(&mut outcomes);
    let total: u32 = outcomes.iter().map(|m| position.odds(*m)).sum();
    let mut at = (f64::from(total) * point) as u32;
    let last = outcomes.last().copied();
    let found = outcomes.into_iter().find(|m| {
        let odds = position.odds(*m);
        let here = at < odds;
        at = at.saturating_sub(odds);
        here
    });
    found.or(last)
}

/// The first candidate's rankings in a round, turn by turn, with the player and the draw that they are for:
/// the other candidates of the round look at the best of those turns, and at all that are new.
pub(super) type Rankings<G> = Vec<(Player, Option<<G as Game>::Move>, Ranking<G>)>;

/// Where playing on begins.
pub(super) struct Start<'a, G> {
    pub(super) position: &'a G,
    /// What it is worth before any turn.
    pub(super) values: Values,
    /// How many draws of the round came before it.
    pub(super) draws: usize,
}

/// What plays on.
pub(super) struct Rollout<'a, G: Game, E> {
    pub(super) params: &'a LookaheadParams,
    pub(super) evaluator: &'a mut E,
    pub(super) clock: &'a mut Clock,
    /// Memory for the turns that are looked at.
    pub(super) replies: &'a mut Replies<G>,
}

impl<G: Game, E> Rollout<'_, G, E> {
    /// Fills `values`, which are empty, with what a position is worth after so many more turns, for each of these
    /// numbers; `None` if the time is over.
    pub(super) fn play_on(
        &mut self,
        from: Start<'_, G>,
        mut draws: RoundDraws,
        levels: &[u32],
        rankings: &mut Rankings<G>,
        values: &mut Vec<Values>,
    ) -> Option<()>
    where
        E: Evaluator<G>,
    {
        let mut position = from.position.clone();
        let mut drawn = None;
        let mut value = from.values;
        let (mut turns, mut level) = (0, 0);
        while level < levels.len() {
            if turns == levels[level] {
                values.push(value);
                level += 1;
                continue;
            }
            match position.turn() {
                Turn::Over => {
                    value = final_values(&position.scores());
                    values.resize(levels.len(), value);
                    return Some(());
                }
                Turn::Chance => {
                    let again = drawn.is_some();
                    drawn = draws.draw(&position, from.draws + turns as usize, again);
                    position.play_unchecked(drawn?, ignore);
                }
                Turn::Player(player) => {
                    let (turn, drawn, width) =
                        (turns as usize, drawn.take(), self.params.reply_width);
                    let known = rankings.get(turn).filter(|of| (of.0, of.1) == (player, drawn));
                    let near = known.map(|(_, _, ranking)| (ranking, width)).filter(|_| width > 0);
                    self.replies.look(self.evaluator, &position, self.params.aim, near);
                    if turn == rankings.len() && width > 0 {
                        rankings.push((player, drawn, self.replies.ranking()));
                    }
                    let (end, values) = self.replies.best(self.evaluator)?;
                    value = values;
                    position.clone_from(end);
                    turns += 1;
                    if self.clock.spend(self.replies.turns.len() as u64) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_draws_fill_every_side_evenly() {
        const ROUNDS: u32 = 64;
        let draws = Draws { seed: 5, spread: true };
        for turn in 0..STEPS.len() {
            let mut eighths = [0; 8];
            for round in 0..ROUNDS {
                let point = draws.of_round(round).spread[turn];
                assert!((0.0..1.0).contains(&point));
                eighths[(point * 8.0) as usize] += 1;
            }
            // By chance, eight rounds would fall into each with a deviation of 2.6.
            assert!(eighths.iter().all(|n| (6..=10).contains(n)), "turn {turn}: {eighths:?}");
        }
        assert_eq!(draws.first(7), draws.of_round(7).spread[0], "the reply's draw is the first");
    }

    #[test]
    fn draws_that_measure_have_no_order() {
        let draws = Draws { seed: 5, spread: false };
        assert!(draws.of_round(3).spread.iter().all(|point| point.is_nan()));
    }
}
