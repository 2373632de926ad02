//! How people use their time: one line for each person and finished game.

use super::store;
use sqlx::AnyConnection;
use std::collections::BTreeMap;

/// Turns of less than this are instant, in milliseconds.
const INSTANT: i64 = 500;

/// Sums up the thinking times of a game that has just ended.
pub(super) async fn summarise(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    let mut times: BTreeMap<(i64, String), Vec<i64>> = BTreeMap::new();
    let mut ended = 0;
    for turn in store::turn_times(to, game).await? {
        ended = turn.ended;
        times.entry((turn.seat, turn.user)).or_default().push(turn.spent);
    }
    for ((seat, user), times) in times {
        store::keep_thinking(to, game, (seat, &user), ended, &Summary::of(&times)).await?;
    }
    Ok(())
}

/// How a person used their time in a game.
#[derive(PartialEq, Debug)]
pub(super) struct Summary {
    pub(super) turns: i64,
    /// In milliseconds, as the deviation.
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// Turns of less than half a second.
    pub(super) instant: i64,
}

impl Summary {
    fn of(times: &[i64]) -> Self {
        let turns = times.len() as f64;
        let mean = times.iter().sum::<i64>() as f64 / turns;
        let squares = times.iter().map(|time| (*time as f64 - mean).powi(2)).sum::<f64>();
        let instant = times.iter().filter(|time| **time < INSTANT).count();
        Self {
            turns: times.len() as i64,
            mean,
            deviation: (squares / turns).sqrt(),
            instant: instant as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_deviation_and_instant_turns() {
        let summary = Summary::of(&[100, 1100, 2100, 3100]);
        assert_eq!((summary.turns, summary.instant), (4, 1));
        assert!((summary.mean - 1600.0).abs() < 1e-9);
        assert!((summary.deviation - 1118.034).abs() < 0.001, "{summary:?}");
    }
}
