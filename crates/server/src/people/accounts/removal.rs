//! What goes away: accounts that are deleted, sessions and guests that are forgotten.

use super::{devices, released_names, store};
use crate::error::Refusal;
use crate::people::ratings;
use crate::storage::db::Db;
use crate::{ids, time};
use sqlx::{Any, Transaction};

/// Deletes an account: nobody can come in by it, nothing tells whose it was, and its name is free
/// after a while.
/// Its games stay, as they are the opponents' too, with a name that says nothing, which this gives.
///
/// # Errors
/// If the user sits in a game that is not over.
pub async fn delete_user(db: &Db, id: &str) -> Result<String, Refusal> {
    let mut changes = db.begin().await?;
    let name = delete_user_within(&mut changes, id).await?;
    changes.commit().await?;
    Ok(name)
}

/// The same within a transaction that does more.
///
/// # Errors
/// If the user sits in a game that is not over.
pub async fn delete_user_within(
    changes: &mut Transaction<'static, Any>,
    id: &str,
) -> Result<String, Refusal> {
    let running = store::users::unfinished_games(&mut **changes, id, 5).await?;
    if !running.is_empty() {
        let games = running.join(", ");
        return Err(Refusal::Conflict(format!(
            "you still sit in games that are not over ({games}); resign or leave them first"
        )));
    }
    store::sessions::end_others(&mut **changes, id, "").await?;
    store::tokens::end_all(&mut **changes, id).await?;
    store::credentials::remove_codes(&mut **changes, id).await?;
    store::credentials::remove_secret(&mut **changes, id).await?;
    store::sessions::forget_devices(&mut **changes, id).await?;
    store::names::forget_owner(&mut **changes, id).await?;
    store::names::forget_history(&mut **changes, id).await?;
    store::settings::remove(&mut **changes, id).await?;
    store::users::remove_traces(changes, id).await?;
    ratings::store::remove_user(changes, id).await?;
    let (before, guest) = store::users::name_and_guest(&mut **changes, id).await?;
    if !guest {
        released_names::note_freed(changes, &before, "").await?;
    }
    let name = format!("Deleted-{}", &ids::new_id()[..6]);
    store::users::mark_deleted(changes, id, &name).await?;
    store::users::name_on_seats(&mut **changes, id, &name).await?;
    Ok(name)
}

/// How long a token that has expired is still listed, so that its owner sees why it fails.
const EXPIRED_SHOWN: i64 = 30 * time::DAY;

/// Removes sessions that were not used for so many days, and guests who left nothing behind.
///
/// # Errors
/// If the database does not answer.
pub async fn remove_old(db: &Db, days: u32) -> Result<(), sqlx::Error> {
    let oldest = time::now() - i64::from(days) * time::DAY;
    let mut changes = db.begin().await?;
    store::sessions::end_old(&mut *changes, oldest).await?;
    store::users::remove_guests(&mut changes, oldest).await?;
    store::sessions::forget_old_devices(&mut changes, devices::oldest()).await?;
    store::names::release(&mut *changes, time::now() - released_names::KEPT).await?;
    store::tokens::remove_expired(&mut *changes, time::now() - EXPIRED_SHOWN).await?;
    changes.commit().await
}
