//! Finished games in lists.

use super::{parsed, word};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{
    GameInfo, GameResult, GameSummary, Library, NotRated, Offers, Reason, SeatInfo, Sitter, Status,
    UserRef,
};
use sqlx::Row;
use sqlx::any::AnyRow;

/// Which finished games are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Who asks: sees their own games beside public ones.
    pub asker: Option<String>,
    /// Only games in which this user sits.
    pub user: Option<String>,
    /// Only games in which this user sits too.
    pub opponent: Option<String>,
    /// Only games in which this bot of ours sits.
    pub bot: Option<String>,
    /// Only games that ended so for `user`.
    pub outcome: Option<Outcome>,
    /// Only games for two, or only those for more.
    pub duel: Option<bool>,
    /// Only games that ended at this time (Unix milliseconds) or later.
    pub since: Option<i64>,
    /// Only games that ended before this time.
    pub until: Option<i64>,
    /// Only games of this type.
    pub game: Option<String>,
    /// Only rated ones, or only others.
    pub rated: Option<bool>,
    /// Only those played elsewhere, or only others.
    pub imported: Option<bool>,
    /// Where the page before ended.
    pub before: Option<String>,
    /// How many.
    pub limit: usize,
}

/// How a game ended for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Alone at the top.
    Won,
    /// At the top with others.
    Tied,
    /// Not at the top.
    Lost,
}

/// The most games on a page.
const LONGEST_PAGE: usize = 50;

/// A page of finished games, the latest first.
///
/// # Errors
/// If `before` is not what a page told.
pub async fn library(db: &Db, filter: &Filter) -> Result<Library, Refusal> {
    let limit = filter.limit.clamp(1, LONGEST_PAGE);
    let (ended, id) = match &filter.before {
        None => (i64::MAX, String::new()),
        Some(before) => cursor(before)?,
    };
    let outcome = filter.outcome.map(|outcome| match outcome {
        Outcome::Won => 1_i64,
        Outcome::Tied => 2,
        Outcome::Lost => 3,
    });
    let sql = "SELECT g.id, g.ended FROM games g WHERE g.status = 'over' \
        AND (g.visibility = 'public' OR g.host = $1 OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $1)) \
        AND (CAST($2 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $2)) \
        AND (CAST($3 AS TEXT) IS NULL OR g.game = $3) \
        AND (CAST($4 AS BIGINT) IS NULL OR g.rated = $4) \
        AND (CAST($5 AS BIGINT) IS NULL OR g.imported = $5) \
        AND (g.ended < $6 OR (g.ended = $6 AND g.id < $7)) \
        AND (CAST($9 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $9)) \
        AND (CAST($10 AS TEXT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.bot = $10)) \
        AND (CAST($11 AS BIGINT) IS NULL OR $11 = (SELECT CASE COUNT(*) WHEN 2 THEN 1 ELSE 0 END \
            FROM seats s WHERE s.game_id = g.id)) \
        AND (CAST($12 AS BIGINT) IS NULL OR g.ended >= $12) \
        AND (CAST($13 AS BIGINT) IS NULL OR g.ended < $13) \
        AND (CAST($14 AS BIGINT) IS NULL OR EXISTS \
            (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $2 \
             AND $14 = CASE WHEN s.place > 1 THEN 3 WHEN s.place IS NULL THEN 0 WHEN \
                 (SELECT COUNT(*) FROM seats o WHERE o.game_id = g.id AND o.place = 1) > 1 \
                 THEN 2 ELSE 1 END)) \
        ORDER BY g.ended DESC, g.id DESC LIMIT $8";
    let rows = sqlx::query(sql)
        .bind(filter.asker.clone().unwrap_or_default())
        .bind(filter.user.clone())
        .bind(filter.game.clone())
        .bind(filter.rated.map(i64::from))
        .bind(filter.imported.map(i64::from))
        .bind(ended)
        .bind(id)
        .bind(limit as i64 + 1)
        .bind(filter.opponent.clone())
        .bind(filter.bot.clone())
        .bind(filter.duel.map(i64::from))
        .bind(filter.since)
        .bind(filter.until)
        .bind(outcome)
        .fetch_all(&db.pool)
        .await?;
    let mut games = Vec::new();
    let mut next = None;
    for row in &rows[..rows.len().min(limit)] {
        let (id, ended): (String, i64) = (row.try_get("id")?, row.try_get("ended")?);
        games.push(summary(db, &id).await?);
        next = Some(format!("{ended}-{id}"));
    }
    Ok(Library { games, next: next.filter(|_| rows.len() > limit) })
}

fn cursor(text: &str) -> Result<(i64, String), Refusal> {
    let read = text.split_once('-').and_then(|(ended, id)| {
        let plain = id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some((ended.parse().ok()?, id.to_owned())).filter(|_| plain)
    });
    read.ok_or_else(|| Refusal::Bad("'before' is what the page before gave as 'next'".to_owned()))
}

/// The latest finished games of a user that another may see.
///
/// # Errors
/// If the database fails.
pub async fn recent_of(
    db: &Db,
    user: &str,
    asker: Option<&str>,
) -> Result<Vec<GameSummary>, Refusal> {
    let filter = Filter {
        asker: asker.map(str::to_owned),
        user: Some(user.to_owned()),
        limit: 10,
        ..Filter::default()
    };
    Ok(library(db, &filter).await?.games)
}

/// A finished game as lists show it, whoever asks; `None` if there is none.
///
/// # Errors
/// If the database fails.
pub async fn finished(db: &Db, id: &str) -> Result<Option<GameSummary>, Refusal> {
    let sql = "SELECT id FROM games WHERE id = $1 AND status = 'over'";
    match sqlx::query(sql).bind(id).fetch_optional(&db.pool).await? {
        None => Ok(None),
        Some(_) => summary(db, id).await.map(Some),
    }
}

async fn summary(db: &Db, id: &str) -> Result<GameSummary, Refusal> {
    let sql = "SELECT g.id, g.game, g.setup, g.options, g.rated, g.visibility, g.clock, \
               g.pass_and_play, g.host, u.name AS host_name, g.seed_given, g.commitment, \
               g.created, g.started, g.ended, g.result, g.turns, g.rematch_of, g.rematch, \
               g.help, g.not_rated, g.rating_weight \
               FROM games g JOIN users u ON u.id = g.host WHERE g.id = $1";
    let row = sqlx::query(sql).bind(id).fetch_one(&db.pool).await?;
    let sql = "SELECT s.seat, s.kind, s.user_id, s.bot, s.bot_account, s.rating, s.out_reason, \
               s.rating_change, COALESCE(u.name, s.name) AS name \
               FROM seats s LEFT JOIN users u ON u.id = s.user_id \
               WHERE s.game_id = $1 ORDER BY s.seat";
    let seats = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    let seats = seats.iter().map(seat).collect::<Result<Vec<_>, _>>()?;
    let result: Option<String> = row.try_get("result")?;
    let result: Option<GameResult> = result.map(|text| parsed(&text)).transpose()?;
    let scores = result.as_ref().map(|result| result.scores.clone()).unwrap_or_default();
    let turns = usize::try_from(row.try_get::<i64, _>("turns")?).unwrap_or_default();
    Ok(GameSummary { info: info(&row, seats, result)?, scores, turn: None, turns })
}

fn info(
    row: &AnyRow,
    seats: Vec<SeatInfo>,
    result: Option<GameResult>,
) -> Result<GameInfo, Refusal> {
    let not_rated: Option<String> = row.try_get("not_rated")?;
    Ok(GameInfo {
        id: row.try_get("id")?,
        game: row.try_get("game")?,
        options: parsed(row.try_get("options")?)?,
        setup: row.try_get("setup")?,
        status: Status::Over,
        seats,
        host: UserRef { id: row.try_get("host")?, name: row.try_get("host_name")? },
        rated: row.try_get::<i64, _>("rated")? != 0,
        not_rated: not_rated.as_deref().and_then(NotRated::from_word),
        rating_weight: row.try_get("rating_weight")?,
        visibility: word(row.try_get("visibility")?)?,
        clock: parsed(row.try_get("clock")?)?,
        pass_and_play: row.try_get::<i64, _>("pass_and_play")? != 0,
        created: row.try_get("created")?,
        started: row.try_get("started")?,
        ended: row.try_get("ended")?,
        result,
        offers: Offers::default(),
        spectators: 0,
        commit: row.try_get("commitment")?,
        seed_given: row.try_get::<i64, _>("seed_given")? != 0,
        rematch_of: row.try_get("rematch_of")?,
        rematch: row.try_get("rematch")?,
        help_allowed: true,
        help_agreed: row.try_get::<i64, _>("help")? != 0,
    })
}

fn seat(row: &AnyRow) -> Result<SeatInfo, Refusal> {
    let user: Option<String> = row.try_get("user_id")?;
    let bot: Option<String> = row.try_get("bot")?;
    let (kind, name): (String, String) = (row.try_get("kind")?, row.try_get("name")?);
    let bot_account = row.try_get::<i64, _>("bot_account")? != 0;
    let sitter = match (kind.as_str(), bot) {
        ("bot", Some(bot)) => Sitter::Bot { bot },
        // A seat of a game that was played elsewhere has a name and nobody behind it.
        ("user", _) => Sitter::User { user: user.unwrap_or_default(), name, bot_account },
        ("invited", _) => Sitter::Invited { user: user.unwrap_or_default(), name },
        _ => Sitter::Open,
    };
    let out: Option<String> = row.try_get("out_reason")?;
    Ok(SeatInfo {
        seat: usize::try_from(row.try_get::<i64, _>("seat")?).unwrap_or_default(),
        sitter,
        rating: row.try_get("rating")?,
        rating_change: row.try_get("rating_change")?,
        online: false,
        leaves_in_ms: None,
        claim_in_ms: None,
        out: out.map(word::<Reason>).transpose()?,
    })
}
