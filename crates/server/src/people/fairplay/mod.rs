//! Fair play: what a rated game counts for, who has to wait for the next one, how long people think,
//! and who stands out. `docs/fairplay.md` has the rules for players and moderators.

mod addresses;
mod exits;
mod standouts;
mod store;
mod thinking;
mod weight;

pub use addresses::SharedAddresses;
pub(crate) use exits::exit;
pub use exits::{check_wait, wait_of};
pub use standouts::standouts;
pub use weight::{TURNS_EACH, is_short, partly, weigh, weight_of};

use sqlx::AnyConnection;

/// Keeps what a game that has just ended tells about its players, in the transaction that ends it.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn on_game_over(to: &mut AnyConnection, game: &str) -> Result<(), sqlx::Error> {
    thinking::summarise(to, game).await
}
