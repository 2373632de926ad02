//! This server's place among the nodes that share its database.

use crate::app::App;
use crate::storage::db::LEASE;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// How often it is noted that this node is there, and looked who else is.
const NOTE_EVERY: Duration = Duration::from_millis(500);

/// How long the database may take for that.
const ANSWER: Duration = Duration::from_secs(2);

/// How long a node that is gone may keep what it had begun, in one attempt to remove it.
const REMOVING: Duration = Duration::from_secs(1);

/// What nodes tell each other when one leaves.
const LEFT: &str = "node.left";

/// Notes again and again that this node is there, and takes the games of those that are not.
pub(super) async fn keep_place(app: App) {
    let exchange = app.tables.exchange().clone();
    let tables = app.tables.clone();
    let others = exchange.clone();
    exchange.on_news(LEFT, move |node: i64, _: ()| {
        let left = others.members().iter().copied().filter(|member| *member != node).collect();
        others.set_members(left);
        tables.take_up_games();
    });
    // Since when this node has been noted without a gap.
    let mut steady: Option<Instant> = None;
    loop {
        let begun = Instant::now();
        match timeout(ANSWER, app.fence.keep_place(&app.db)).await {
            Ok(Ok(members)) => {
                let since = *steady.get_or_insert(begun);
                let mut here = members.here;
                here.extend(&members.gone);
                // One at a time: this node's own place must be kept meanwhile.
                if let Some(gone) = members.gone.first().filter(|_| since.elapsed() > LEASE)
                    && remove(&app, *gone).await
                {
                    here.retain(|node| node != gone);
                }
                exchange.set_members(here);
            }
            Ok(Err(_)) | Err(_) => steady = None,
        }
        sleep(NOTE_EVERY.saturating_sub(begun.elapsed())).await;
    }
}

/// Takes the right of a node that is gone, and looks for its games.
async fn remove(app: &App, gone: i64) -> bool {
    match timeout(REMOVING, app.fence.remove(&app.db, gone)).await {
        Ok(Ok(removed)) => {
            if removed {
                tracing::warn!(node = gone, "a node is gone; its games are taken up");
                metrics::counter!("bastide_nodes_removed_total").increment(1);
            }
            app.tables.take_up_games();
            true
        }
        // It holds a transaction, or the database is away: the next look comes soon.
        Ok(Err(_)) | Err(_) => false,
    }
}

/// Gives up this node's place: others have its games at once.
pub(super) async fn leave(app: &App) {
    match timeout(ANSWER, app.fence.leave(&app.db)).await {
        Ok(Ok(())) => app.tables.exchange().publish(LEFT, &()),
        Ok(Err(error)) => tracing::warn!(%error, "the other nodes notice the end only later"),
        Err(_) => tracing::warn!("the other nodes notice the end only later"),
    }
}
