//! How people use their time: one line for each person and finished game.

use sqlx::{AnyConnection, Row};
use std::collections::BTreeMap;

/// Turns of less than this are instant, in milliseconds.
const INSTANT: i64 = 500;

/// Sums up the thinking times of a game that has just ended.
pub(super) async fn summarise(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    let sql = "SELECT l.seat, l.spent, s.user_id, g.ended FROM log l \
               JOIN seats s ON s.game_id = l.game_id AND s.seat = l.seat \
               JOIN games g ON g.id = l.game_id \
               WHERE l.game_id = $1 AND l.spent IS NOT NULL AND s.user_id IS NOT NULL \
               ORDER BY l.ply";
    let rows = sqlx::query(sql).bind(game).fetch_all(&mut *to).await?;
    let mut times: BTreeMap<(i64, String), Vec<i64>> = BTreeMap::new();
    let mut ended = 0;
    for row in rows {
        ended = row.try_get::<Option<i64>, _>("ended")?.unwrap_or_default();
        let person = (row.try_get("seat")?, row.try_get("user_id")?);
        times.entry(person).or_default().push(row.try_get("spent")?);
    }
    for ((seat, user), times) in times {
        let Summary { turns, mean, deviation, instant } = Summary::of(&times);
        let sql = "INSERT INTO thinking \
                   (game_id, seat, user_id, ended, turns, mean_ms, deviation_ms, instant) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                   ON CONFLICT (game_id, seat) DO NOTHING";
        let insert = sqlx::query(sql).bind(game).bind(seat).bind(user).bind(ended).bind(turns);
        insert.bind(mean).bind(deviation).bind(instant).execute(&mut *to).await?;
    }
    Ok(())
}

#[derive(PartialEq, Debug)]
struct Summary {
    turns: i64,
    mean: f64,
    deviation: f64,
    instant: i64,
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
