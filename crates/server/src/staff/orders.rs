//! Orders from the command line, carried out by the server: it holds the games.

use super::moderate;
use super::store::{self, Order};
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts;
use crate::play::journal::Change;
use crate::wire::{GameResult, Reason};
use std::time::Duration;

/// How often it is looked for orders.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Carries out orders until the server stops.
pub(crate) async fn carry_out(app: App) {
    while !app.is_stopping() {
        // Of several nodes one does it; what it does reaches the others.
        if app.fence.is_first()
            && let Err(refusal) = all_open(&app).await
        {
            tracing::error!(%refusal, "orders could not be carried out");
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.stopped() => {}
        }
    }
}

async fn all_open(app: &App) -> Result<(), Refusal> {
    for Order { id, kind, subject } in store::open_orders(&app.db).await? {
        let answer = match kind.as_str() {
            "finish_game" => finish_game(app, &subject).await,
            "look_again" => look_again(app, &subject).await,
            kind => Err(Refusal::Bad(format!("'{kind}' is no order"))),
        };
        let answer = answer.unwrap_or_else(|refusal| format!("Refused: {refusal}"));
        tracing::info!(order = kind, subject, answer, "an order was carried out");
        store::answer_order(&app.db, &id, &answer).await?;
    }
    Ok(())
}

/// Something about a user was changed from outside: sockets and tables that know it otherwise are
/// told.
async fn look_again(app: &App, user: &str) -> Result<String, Refusal> {
    app.addresses.bans_changed(&app.db, app.tables.exchange()).await?;
    app.changes.tell(user);
    if accounts::is_banned_for_good(&app.db, user).await? {
        moderate::give_up_games(app, user, true).await?;
    }
    if let Some(name) = accounts::name_of(&app.db, user).await? {
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
    let change = Change { statements: vec![store::end_game(game, result)], ..Change::default() };
    app.tables.journal().write(change).await.map_err(|_| Refusal::Internal)
}
