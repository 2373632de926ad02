//! Players who stand out, for moderators to look at. No verdict follows from any of this: a figure
//! says where to look, a person decides.

use crate::storage::db::Db;
use crate::time::{self, DAY};
use crate::wire::{Sign, SignKind, Standout, UserRef};
use sqlx::Row;
use std::collections::BTreeMap;

/// Days that are looked at.
const DAYS: i64 = 30;

/// The most players that are listed.
const MOST: usize = 100;

/// Each kind of sign with the figure from which it is listed and its query. A query gives `id`,
/// `name`, `value` and `games`, how many games the figure is about; `$1` is the first moment that is
/// looked at, `$2` the figure.
const SIGNS: [(SignKind, f64, &str); 6] = [
    (SignKind::Steady, 0.25, STEADY),
    (SignKind::Agreement, 0.8, AGREEMENT),
    (SignKind::Upsets, 0.7, UPSETS),
    (SignKind::Rise, 300.0, RISE),
    (SignKind::Pair, 10.0, PAIR),
    (SignKind::Exits, 5.0, EXITS),
];

/// People think longer over some turns than over others. The deviation of a person's times as a part
/// of their mean, over at least five rated games: the lower, the steadier.
const STEADY: &str = "SELECT u.id, u.name, COUNT(*) AS games, \
    SUM(t.deviation_ms * t.turns) / SUM(t.mean_ms * t.turns) AS value \
    FROM thinking t JOIN games g ON g.id = t.game_id JOIN users u ON u.id = t.user_id \
    WHERE t.ended > $1 AND g.rated = 1 AND t.turns >= 10 AND u.deleted = 0 \
    GROUP BY u.id, u.name HAVING COUNT(*) >= 5 AND SUM(t.mean_ms * t.turns) > 0 \
    AND SUM(t.deviation_ms * t.turns) / SUM(t.mean_ms * t.turns) <= $2";

/// The share of turns that the engine would have played too, where reviews have told.
const AGREEMENT: &str = "SELECT u.id, u.name, COUNT(*) AS games, AVG(t.agreement) AS value \
    FROM thinking t JOIN games g ON g.id = t.game_id JOIN users u ON u.id = t.user_id \
    WHERE t.ended > $1 AND g.rated = 1 AND t.agreement IS NOT NULL AND u.deleted = 0 \
    GROUP BY u.id, u.name HAVING COUNT(*) >= 5 AND AVG(t.agreement) >= $2";

/// The share of rated games for two won against players who stood 200 points and more above.
const UPSETS: &str = "SELECT u.id, u.name, COUNT(*) AS games, \
    AVG(CAST(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END AS DOUBLE PRECISION)) AS value \
    FROM seats mine JOIN seats theirs \
    ON theirs.game_id = mine.game_id AND theirs.seat <> mine.seat \
    JOIN games g ON g.id = mine.game_id JOIN users u ON u.id = mine.user_id \
    WHERE g.ended > $1 AND g.rated = 1 AND theirs.rating >= mine.rating + 200.0 \
    AND mine.rating_change IS NOT NULL AND u.deleted = 0 \
    AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.seat > 1) \
    GROUP BY u.id, u.name HAVING COUNT(*) >= 5 \
    AND AVG(CAST(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END AS DOUBLE PRECISION)) >= $2";

/// Points gained.
const RISE: &str = "SELECT u.id, u.name, COUNT(*) AS games, SUM(s.rating_change) AS value \
    FROM seats s JOIN games g ON g.id = s.game_id JOIN users u ON u.id = s.user_id \
    WHERE g.ended > $1 AND g.rated = 1 AND s.rating_change IS NOT NULL AND u.deleted = 0 \
    GROUP BY u.id, u.name HAVING SUM(s.rating_change) >= $2";

/// Rated games with one and the same person, whether or not they counted.
const PAIR: &str = "SELECT u.id, u.name, COUNT(*) AS games, CAST(COUNT(*) AS DOUBLE PRECISION) AS value \
    FROM seats mine JOIN seats theirs \
    ON theirs.game_id = mine.game_id AND theirs.user_id <> mine.user_id \
    JOIN games g ON g.id = mine.game_id JOIN users u ON u.id = mine.user_id \
    WHERE g.ended > $1 AND g.rated = 1 AND g.status = 'over' AND u.deleted = 0 \
    GROUP BY u.id, u.name, theirs.user_id HAVING CAST(COUNT(*) AS DOUBLE PRECISION) >= $2";

/// Rated games left before they could count.
const EXITS: &str = "SELECT u.id, u.name, COUNT(*) AS games, CAST(COUNT(*) AS DOUBLE PRECISION) AS value \
    FROM early_exits e JOIN users u ON u.id = e.user_id \
    WHERE e.at > $1 AND u.deleted = 0 \
    GROUP BY u.id, u.name HAVING CAST(COUNT(*) AS DOUBLE PRECISION) >= $2";

/// Players who stand out in the last thirty days: those with the most kinds of signs first.
///
/// # Errors
/// If the database fails.
pub async fn standouts(db: &Db) -> Result<Vec<Standout>, sqlx::Error> {
    let since = time::now() - DAYS * DAY;
    let mut found: BTreeMap<String, Standout> = BTreeMap::new();
    for (kind, from, sql) in SIGNS {
        let rows = sqlx::query(sql).bind(since).bind(from).fetch_all(&db.pool).await?;
        for row in rows {
            let (id, name): (String, String) = (row.try_get("id")?, row.try_get("name")?);
            let games = u32::try_from(row.try_get::<i64, _>("games")?).unwrap_or(u32::MAX);
            let sign = Sign { kind, value: row.try_get("value")?, from, games };
            let standout = found
                .entry(id.clone())
                .or_insert_with(|| Standout { user: UserRef { id, name }, signs: Vec::new() });
            match standout.signs.iter_mut().find(|known| known.kind == kind) {
                // Of several opponents, the one most often met.
                Some(known) if known.value < sign.value => *known = sign,
                Some(_) => {}
                None => standout.signs.push(sign),
            }
        }
    }
    let mut all: Vec<Standout> = found.into_values().collect();
    all.sort_by_key(|standout| std::cmp::Reverse(standout.signs.len()));
    all.truncate(MOST);
    Ok(all)
}
