//! Games that are not over, as their rows have them: what lists show of those that sleep.

use super::{parse, seats, word};
use crate::error::Refusal;
use crate::play::table::residency::Asleep;
use crate::storage::db::Db;
use crate::wire::{GameInfo, GameSummary, Occupant, SeatInfo, Status, UserRef};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which games are listed, the newest first.
#[derive(Clone, Debug)]
pub(in crate::play::table) enum GameFilter {
    /// Public ones with an open seat.
    Waiting,
    /// Those in which a seat is kept for a user.
    Inviting(String),
    /// One by its id.
    One(String),
    /// Those that a user made or plays, from a place in the list on.
    Of(String, Cursor),
}

/// A place in a list of games, from which a page begins: when a game was made, and its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::play::table) struct Cursor {
    created: i64,
    id: String,
}

impl Cursor {
    /// The top of a list.
    pub(in crate::play::table) const fn top() -> Self {
        Self { created: i64::MAX, id: String::new() }
    }

    /// The place of a game.
    pub(in crate::play::table) fn of(summary: &GameSummary) -> Self {
        Self { created: summary.info.created, id: summary.info.id.clone() }
    }

    /// A place as a page told it.
    ///
    /// # Errors
    /// If no page told it so.
    pub(in crate::play::table) fn read(text: &str) -> Result<Self, Refusal> {
        let read = text.split_once('-').and_then(|(created, id)| {
            let plain = id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            Some(Self { created: created.parse().ok()?, id: id.to_owned() }).filter(|_| plain)
        });
        let why = "'before' is what the page before gave as 'next'";
        read.ok_or_else(|| Refusal::Bad(why.to_owned()))
    }

    /// As pages tell it.
    pub(in crate::play::table) fn text(&self) -> String {
        format!("{}-{}", self.created, self.id)
    }
}

/// How many games with our bots a user made or plays that are not over.
pub(in crate::play::table) async fn bot_games_of(db: &Db, user: &str) -> Result<usize, Refusal> {
    let sql = "SELECT COUNT(*) FROM games g WHERE g.status <> 'over' AND g.id IN \
               (SELECT s.game_id FROM seats s WHERE s.user_id = $1 AND s.kind = 'user' \
               UNION SELECT h.id FROM games h WHERE h.host = $1 AND h.status <> 'over') \
               AND EXISTS (SELECT 1 FROM seats b WHERE b.game_id = g.id AND b.kind = 'bot')";
    let count: i64 = sqlx::query_scalar(sql).bind(user).fetch_one(&db.pool).await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Which of these games are over.
pub(in crate::play::table) async fn over(
    db: &Db,
    games: &[String],
) -> Result<BTreeSet<String>, Refusal> {
    if games.is_empty() {
        return Ok(BTreeSet::new());
    }
    let places: Vec<String> = (1..=games.len()).map(|place| format!("${place}")).collect();
    let sql =
        format!("SELECT id FROM games WHERE status = 'over' AND id IN ({})", places.join(", "));
    let mut query = sqlx::query_scalar(AssertSqlSafe(sql));
    for game in games {
        query = query.bind(game);
    }
    Ok(query.fetch_all(&db.pool).await?.into_iter().collect())
}

impl GameFilter {
    /// The ids of the games, as a query whose last value is how many.
    const fn ids(&self) -> &'static str {
        match self {
            Self::Waiting => {
                "SELECT g.id FROM games g WHERE g.status = 'waiting' AND g.visibility = 'public' \
                 AND EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.kind = 'open') \
                 ORDER BY g.created DESC, g.id DESC LIMIT $1"
            }
            Self::Inviting(_) => {
                "SELECT g.id FROM games g WHERE g.status = 'waiting' AND g.id IN \
                 (SELECT s.game_id FROM seats s WHERE s.user_id = $1 AND s.kind = 'invited') \
                 ORDER BY g.created DESC, g.id DESC LIMIT $2"
            }
            Self::One(_) => {
                "SELECT g.id FROM games g WHERE g.id = $1 AND g.status <> 'over' LIMIT $2"
            }
            Self::Of(..) => {
                "SELECT g.id FROM games g WHERE g.status <> 'over' AND g.id IN \
                 (SELECT s.game_id FROM seats s WHERE s.user_id = $1 AND s.kind = 'user' \
                 UNION SELECT h.id FROM games h WHERE h.host = $1 AND h.status <> 'over') \
                 AND (g.created < $2 OR (g.created = $2 AND g.id < $3)) \
                 ORDER BY g.created DESC, g.id DESC LIMIT $4"
            }
        }
    }

    fn query<'q>(&self, sql: &'q str, most: usize) -> Query<'q, Any, AnyArguments> {
        let query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        let query = match self {
            Self::Waiting => query,
            Self::Inviting(text) | Self::One(text) => query.bind(text.clone()),
            Self::Of(user, place) => {
                query.bind(user.clone()).bind(place.created).bind(place.id.clone())
            }
        };
        query.bind(most as i64)
    }

    /// The ids of the first of these games.
    pub(in crate::play::table) async fn first(
        &self,
        db: &Db,
        most: usize,
    ) -> Result<Vec<String>, sqlx::Error> {
        let rows = self.query(self.ids(), most).fetch_all(&db.pool).await?;
        rows.iter().map(|row| row.try_get(0)).collect()
    }

    /// The ratings in games of two of those who made the first of these games, by user; who has
    /// none is left out.
    pub(in crate::play::table) async fn host_ratings(
        &self,
        db: &Db,
        most: usize,
    ) -> Result<BTreeMap<String, i32>, sqlx::Error> {
        let ids = self.ids();
        let sql = format!(
            "SELECT g.host, r.rating FROM games g JOIN ratings r ON r.subject = 'user:' || g.host \
             WHERE r.pool = 'two' AND r.games > 0 AND g.id IN (SELECT id FROM ({ids}) AS chosen)"
        );
        let rows = self.query(&sql, most).fetch_all(&db.pool).await?;
        let rating = |row: &AnyRow| {
            let rating: f64 = row.try_get("rating")?;
            Ok((row.try_get("host")?, rating.round() as i32))
        };
        rows.iter().map(rating).collect()
    }

    /// The first of these games, as lists show them.
    pub(in crate::play::table) async fn read(
        &self,
        db: &Db,
        most: usize,
    ) -> Result<Vec<GameSummary>, Refusal> {
        let ids = self.ids();
        let games = format!(
            "SELECT g.id, g.game, g.setup, g.options, g.status, g.rated, g.visibility, g.clock, \
             g.pass_and_play, g.host, u.name AS host_name, g.seed_given, g.commitment, g.created, \
             g.started, g.rematch_of, g.rematch, g.help, g.sleep, g.from_ply, g.laid \
             FROM games g \
             JOIN users u ON u.id = g.host \
             WHERE g.id IN (SELECT id FROM ({ids}) AS chosen) ORDER BY g.created DESC, g.id DESC"
        );
        let seats = format!(
            "SELECT s.game_id, s.seat, s.kind, s.user_id, s.bot, s.bot_account, s.out_reason, \
             COALESCE(u.name, s.name) AS name FROM seats s LEFT JOIN users u ON u.id = s.user_id \
             WHERE s.game_id IN (SELECT id FROM ({ids}) AS chosen) ORDER BY s.game_id, s.seat"
        );
        let games = self.query(&games, most).fetch_all(&db.pool).await?;
        let mut by_game: HashMap<String, Vec<SeatInfo>> = HashMap::new();
        for row in self.query(&seats, most).fetch_all(&db.pool).await? {
            by_game.entry(row.try_get("game_id")?).or_default().push(seat(&row)?);
        }
        let summary = |row: &AnyRow| {
            let id: String = row.try_get("id")?;
            summary(row, by_game.remove(&id).unwrap_or_default())
        };
        games.iter().map(summary).collect()
    }
}

fn summary(row: &AnyRow, seats: Vec<SeatInfo>) -> Result<GameSummary, Refusal> {
    let asleep = row.try_get::<Option<String>, _>("sleep")?.map(parse::<Asleep>).transpose()?;
    // A game that no table has shown yet since the server began has none.
    let asleep = asleep.unwrap_or_default();
    let status: Status = word(row.try_get("status")?)?;
    let rated = row.try_get::<i64, _>("rated")? != 0;
    let help = row.try_get::<i64, _>("help")? != 0;
    let playing = status == Status::Playing;
    let help_allowed = !playing || (!rated && (help || !people_play_people(&seats)));
    let scores = if asleep.scores.is_empty() { vec![0; seats.len()] } else { asleep.scores };
    let info = GameInfo {
        id: row.try_get("id")?,
        game: row.try_get("game")?,
        options: parse(row.try_get("options")?)?,
        setup: row.try_get("setup")?,
        status,
        seats,
        host: UserRef { id: row.try_get("host")?, name: row.try_get("host_name")? },
        rated,
        not_rated: None,
        rating_weight: None,
        visibility: word(row.try_get("visibility")?)?,
        clock: parse(row.try_get("clock")?)?,
        pass_and_play: row.try_get::<i64, _>("pass_and_play")? != 0,
        created: row.try_get("created")?,
        started: row.try_get("started")?,
        ended: None,
        result: None,
        offers: asleep.offers,
        spectators: 0,
        commit: row.try_get("commitment")?,
        seed_given: row.try_get::<i64, _>("seed_given")? != 0,
        rematch_of: row.try_get("rematch_of")?,
        rematch: row.try_get("rematch")?,
        help_allowed,
        help_agreed: help,
        from_ply: usize::try_from(row.try_get::<i64, _>("from_ply")?).unwrap_or_default(),
        laid: row.try_get::<Option<String>, _>("laid")?.is_some(),
        // Only what is over is handed in.
        offline: false,
    };
    Ok(GameSummary { info, scores, turn: asleep.turn, turns: asleep.turns, accuracy: None })
}

fn people_play_people(seats: &[SeatInfo]) -> bool {
    let people =
        seats.iter().filter(|seat| seat.out.is_none()).filter_map(|seat| match &seat.sitter {
            Occupant::User { user, .. } => Some(user),
            Occupant::Open | Occupant::Invited { .. } | Occupant::Bot { .. } => None,
        });
    people.collect::<BTreeSet<_>>().len() > 1
}

fn seat(row: &AnyRow) -> Result<SeatInfo, Refusal> {
    let sitter = seats::read_sitter(row)?;
    Ok(SeatInfo {
        seat: usize::try_from(row.try_get::<i64, _>("seat")?).unwrap_or_default(),
        online: matches!(sitter, Occupant::Bot { .. }),
        sitter,
        rating: None,
        rating_change: None,
        leaves_in_ms: None,
        claim_in_ms: None,
        out: row.try_get::<Option<String>, _>("out_reason")?.map(word).transpose()?,
    })
}
