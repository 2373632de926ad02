//! Orders from the command line, carried out by the server: it holds the games.

use crate::app::App;
use crate::error::Refusal;
use crate::staff::desk;
use crate::storage::db::journal::{Change, Statement};
use crate::time;
use crate::wire::{GameResult, Reason};
use sqlx::Row;
use std::time::Duration;

/// How often it is looked for orders.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Carries out orders until the server stops.
pub(crate) async fn carry_out(app: App) {
    while !app.is_stopping() {
        if let Err(refusal) = all_open(&app).await {
            tracing::error!(%refusal, "orders could not be carried out");
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.stopped() => {}
        }
    }
}

async fn all_open(app: &App) -> Result<(), Refusal> {
    let sql = "SELECT id, kind, subject FROM orders WHERE done IS NULL ORDER BY created LIMIT 20";
    for row in sqlx::query(sql).fetch_all(&app.db.pool).await? {
        let (id, kind, subject): (String, String, String) =
            (row.try_get("id")?, row.try_get("kind")?, row.try_get("subject")?);
        let answer = match kind.as_str() {
            "finish_game" => finish_game(app, &subject).await,
            "look_again" => look_again(app, &subject).await,
            kind => Err(Refusal::Bad(format!("'{kind}' is no order"))),
        };
        let answer = answer.unwrap_or_else(|refusal| format!("Refused: {refusal}"));
        tracing::info!(order = kind, subject, answer, "an order was carried out");
        let done = sqlx::query("UPDATE orders SET done = $1, answer = $2 WHERE id = $3");
        done.bind(time::now()).bind(answer).bind(id).execute(&app.db.pool).await?;
    }
    Ok(())
}

/// Something about a user was changed from outside: sockets and tables that know it otherwise are
/// told.
async fn look_again(app: &App, user: &str) -> Result<String, Refusal> {
    app.changes.tell(user);
    let sql = "SELECT COUNT(*) FROM users WHERE id = $1 AND banned = 1 AND banned_until IS NULL";
    if sqlx::query_scalar::<_, i64>(sql).bind(user).fetch_one(&app.db.pool).await? > 0 {
        desk::give_up_games(app, user).await?;
    }
    let name = sqlx::query_scalar::<_, String>("SELECT name FROM users WHERE id = $1").bind(user);
    if let Some(name) = name.fetch_optional(&app.db.pool).await? {
        app.tables.renamed(user, &name).await;
    }
    Ok(format!("What the server knows of {user} is as it is stored."))
}

async fn finish_game(app: &App, game: &str) -> Result<String, Refusal> {
    match app.tables.call_off(game).await {
        Ok(()) => Ok(format!("The game {game} is called off.")),
        // A game that cannot be rebuilt from its log has no table that could end it.
        Err(Refusal::Internal) => {
            close_unreadable(app, game).await?;
            Ok(format!("The game {game} cannot be rebuilt; it is marked as called off."))
        }
        Err(refusal) => Err(refusal),
    }
}

async fn close_unreadable(app: &App, game: &str) -> Result<(), Refusal> {
    let result = GameResult {
        winners: Vec::new(),
        scores: Vec::new(),
        places: Vec::new(),
        reason: Reason::Abort,
    };
    let result = serde_json::to_string(&result).map_err(|_| Refusal::Internal)?;
    let close = Statement::guarded(
        "UPDATE games SET status = 'over', ended = $1, result = $2, sleep = NULL, wake = NULL \
         WHERE id = $3 AND status <> 'over'",
        vec![time::now().into(), result.into(), game.into()],
    );
    let change = Change { statements: vec![close], ..Change::default() };
    app.tables.journal().write(change).await.map_err(|_| Refusal::Internal)
}
