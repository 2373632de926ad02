//! What players stand out by, counted over their games. A query gives `id`, `name`, `value` and
//! `games`, how many games the figure is about; `$1` is the first moment that is looked at, `$2` the
//! figure from which a player is listed.

use crate::storage::db::Db;
use crate::wire::{SignKind, UserRef};
use sqlx::Row;

/// Players whose figure since a time is at least (or, where less stands out, at most) so much: each with
/// the figure and the number of games.
pub(in crate::people::fairplay) async fn players(
    db: &Db,
    kind: SignKind,
    since: i64,
    from: f64,
) -> Result<Vec<(UserRef, f64, u32)>, sqlx::Error> {
    let rows = sqlx::query(query(kind)).bind(since).bind(from).fetch_all(&db.pool).await?;
    let players = rows.iter().map(|row| {
        let user = UserRef { id: row.try_get("id")?, name: row.try_get("name")? };
        let games = u32::try_from(row.try_get::<i64, _>("games")?).unwrap_or(u32::MAX);
        Ok((user, row.try_get("value")?, games))
    });
    players.collect()
}

const fn query(kind: SignKind) -> &'static str {
    match kind {
        SignKind::Steady => STEADY,
        SignKind::Agreement => AGREEMENT,
        SignKind::Upsets => UPSETS,
        SignKind::Rise => RISE,
        SignKind::Pair => PAIR,
        SignKind::Exits => EXITS,
    }
}

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
