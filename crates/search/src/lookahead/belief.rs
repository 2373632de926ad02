//! What playing on is believed to change of the difference between two candidates.
//!
//! Playing on is looked at level by level: what the first turns change, what the next ones change beyond that,
//! and so on. What a level changes is taken to be a normal number about zero, of a deviation that is known
//! beforehand; levels beside each other agree in part, for what begins to show goes on. A mean over some rounds is
//! such a number and the noise of these rounds. Measured for two players of Carcassonne (docs/history/strength.md);
//! in a game of more or fewer points all deviations are larger or smaller alike, and what is believed is the same.

use crate::math::exp;

/// Turns that are played on, and what is known of them beforehand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Level {
    /// After how many turns it ends.
    pub(super) turns: u32,
    /// How far, in points, it moves a difference between two candidates, as a rule.
    pub(super) trust: f64,
    /// The variance of one round's difference, before any was played.
    pub(super) noise: f64,
}

/// Turns that are played on, level by level, at most so many: each level ends with one of the mover's own
/// turns, each further one after about twice as many.
pub(super) fn levels(turns_on: u32, trust: f32, players: usize) -> Vec<Level> {
    /// Behind so many turns little is left to be found out.
    const FAR: u32 = 7;
    const FAR_TRUST: f64 = 0.6;
    let turns = std::iter::successors(Some(players as u32), |turns| turns.checked_mul(2));
    let turns = turns.map(|turns| turns - 1).skip_while(|turns| *turns == 0);
    let turns = turns.take_while(|turns| *turns < turns_on);
    let last = (turns_on > 0).then_some(turns_on);
    let mut before = 0;
    let level = |turns| {
        let far = if before >= FAR { FAR_TRUST } else { 1.0 };
        let noise = noise_until(turns) - noise_until(before);
        before = turns;
        Level { turns, trust: f64::from(trust) * far, noise }
    };
    turns.chain(last).map(level).collect()
}

/// The variance of the difference that a round of so many turns finds: it grows faster than they do.
fn noise_until(turns: u32) -> f64 {
    let turns = f64::from(turns);
    2.0 * turns * (1.0 + turns / 20.0)
}

/// What one level showed: the mean difference over some rounds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Seen {
    pub(super) rounds: u32,
    pub(super) mean: f64,
}

/// A number that is known in part.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Belief {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// More levels are not looked at: they would be more than a thousand turns away.
const MOST: usize = 10;

/// How much two levels beside each other agree, as a correlation; those further apart agree the less.
const AGREE: f64 = 0.4;

/// What is believed of the change on all levels together, from what some of them showed.
pub(super) fn believed(levels: &[Level], seen: &[Seen]) -> Belief {
    let levels = &levels[..levels.len().min(MOST)];
    let (mut means, mut shared) = ([0.0; MOST], [[0.0; MOST]; MOST]);
    for (i, one) in levels.iter().enumerate() {
        let mut agree = 1.0;
        for (j, other) in levels.iter().enumerate().skip(i) {
            shared[i][j] = one.trust * other.trust * agree;
            shared[j][i] = shared[i][j];
            agree *= AGREE;
        }
    }
    for (at, (level, seen)) in levels.iter().zip(seen).enumerate() {
        let known = shared[at];
        let total = known[at] + level.noise / f64::from(seen.rounds);
        if seen.rounds == 0 || total <= 0.0 {
            continue;
        }
        let off = seen.mean - means[at];
        for i in 0..levels.len() {
            let gain = known[i] / total;
            means[i] += gain * off;
            for (shared, known) in shared[i].iter_mut().zip(known) {
                *shared -= gain * known;
            }
        }
    }
    let variance = shared.as_flattened().iter().sum::<f64>();
    Belief { mean: means.iter().sum(), variance: variance.max(0.0) }
}

/// What is to be won on average by something that is so many points better (worse, below zero), give or take
/// the deviation, if it need not be taken where it is worse: the mean of a normal number's positive part.
pub(super) fn hope(better: f64, deviation: f64) -> f64 {
    let z = better / deviation;
    // So far away nothing is uncertain; nor is it without a deviation.
    if deviation <= 0.0 || z.abs() > 30.0 {
        return better.max(0.0);
    }
    let density = exp(-z * z / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
    // Abramowitz and Stegun 26.2.17: how much of a normal number lies beyond |z|.
    const SERIES: [f64; 5] =
        [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53];
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let beyond = density * t * SERIES.iter().fold(0.0, |sum, factor| sum * t + factor);
    let below = if z > 0.0 { 1.0 - beyond } else { beyond };
    (deviation * (density + z * below)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_with_the_movers_own_turns() {
        let turns = |on, players| -> Vec<u32> {
            levels(on, 0.5, players).iter().map(|level| level.turns).collect()
        };
        assert_eq!(turns(31, 2), [1, 3, 7, 15, 31]);
        assert_eq!(turns(31, 4), [3, 7, 15, 31]);
        assert_eq!(turns(31, 3), [2, 5, 11, 23, 31]);
        assert_eq!(turns(5, 2), [1, 3, 5], "no further than is asked for");
        assert_eq!(turns(2, 6), [2]);
        assert_eq!(turns(3, 1), [1, 3], "a game for one");
        assert_eq!(turns(0, 2), [0; 0]);
        assert_eq!(turns(u32::MAX, 3).len(), 32, "and no more turns than can be counted");
        let trusts: Vec<f64> = levels(31, 0.5, 2).iter().map(|level| level.trust).collect();
        assert_eq!(trusts, [0.5, 0.5, 0.5, 0.3, 0.3]);
        assert!(levels(u32::MAX, 0.5, 2).iter().all(|level| level.noise > 0.0));
    }

    fn seen(rounds: &[u32], mean: f64) -> Vec<Seen> {
        rounds.iter().map(|rounds| Seen { rounds: *rounds, mean }).collect()
    }

    #[test]
    fn a_difference_is_believed_as_far_as_it_is_certain() {
        let levels = levels(7, 0.5, 2);
        let nothing = believed(&levels, &seen(&[0, 0, 0], 1.0));
        assert_eq!(nothing.mean, 0.0);
        // Three deviations of a half, of which neighbours share 0.4, and the outer two 0.16.
        assert!((nothing.variance - 0.25 * (3.0 + 2.0 * 0.96)).abs() < 1e-12, "{nothing:?}");
        let few = believed(&levels, &seen(&[4, 4, 4], 1.0));
        let many = believed(&levels, &seen(&[4_000_000; 3], 1.0));
        assert!(0.2 < few.mean && few.mean < 1.5 && few.variance < nothing.variance, "{few:?}");
        assert!((many.mean - 3.0).abs() < 1e-3 && many.variance < 1e-3, "{many:?}");
    }

    #[test]
    fn what_begins_to_show_is_believed_to_go_on() {
        let levels = levels(7, 0.5, 2);
        let first = believed(&levels, &seen(&[1_000_000, 0, 0], 1.0));
        assert!((first.mean - 1.56).abs() < 1e-3, "a point, and 0.4 and 0.16 to come: {first:?}");
        let unlike = believed(&levels[..1], &seen(&[1_000_000], 1.0));
        assert!((unlike.mean - 1.0).abs() < 1e-3, "nothing is to come: {unlike:?}");
    }

    #[test]
    fn points_of_another_size_are_believed_alike() {
        let levels = levels(15, 0.5, 2);
        let rounds = seen(&[20, 12, 3, 0], 0.7);
        let tenfold: Vec<Level> = levels
            .iter()
            .map(|l| Level { trust: l.trust * 10.0, noise: l.noise * 100.0, ..*l })
            .collect();
        let (one, ten) = (believed(&levels, &rounds), believed(&tenfold, &rounds));
        assert!((one.mean - ten.mean).abs() < 1e-9);
        assert!((one.variance * 100.0 - ten.variance).abs() < 1e-9);
    }

    #[test]
    fn hope_is_the_mean_of_the_positive_part() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a}, not {b}");
        close(hope(0.0, 1.0), 0.398_942_280);
        close(hope(-1.0, 1.0), 0.083_315_471);
        close(hope(1.0, 1.0), 1.083_315_471);
        close(hope(-4.0, 2.0), 2.0 * 0.008_490_703);
        close(hope(-3.0, 0.0), 0.0);
        close(hope(3.0, 0.0), 3.0);
        assert!(hope(-1e6, 1e-9) == 0.0 && hope(1e6, 1e-9) == 1e6);
    }
}
