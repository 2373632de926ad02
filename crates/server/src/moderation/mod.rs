//! Moderation: what people report, what moderators do about it, and the log of all they did.

mod addresses;
pub mod audit;
pub mod desk;
pub mod history;
mod people;
pub mod reports;
pub mod sanctions;
mod words;

pub use addresses::Addresses;
pub use people::Person;

use crate::app::App;
use std::time::Duration;

/// How often it is looked for bans that are over.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Lets people in again when their bans are over, until the server stops.
pub(crate) async fn end_what_is_over(app: App) {
    while !app.is_stopping() {
        if let Err(refusal) = sanctions::end_bans(&app.db).await {
            tracing::error!(%refusal, "bans that are over could not be ended");
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.stopped() => {}
        }
    }
}
