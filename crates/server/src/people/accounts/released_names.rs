//! Names that somebody had before: for a while nobody else may have them, so that nobody passes
//! for who had one; and nobody changes names every day.

use super::name_similarity::look_alike;
use super::{names, store};
use crate::error::Refusal;
use crate::time;
use sqlx::{Any, Transaction};

/// How long a name is kept for who had it.
pub(super) const KEPT: i64 = 30 * time::DAY;

/// How many names a user may give up in that time.
const MOST: usize = 3;

/// Refuses a name that somebody else had until lately.
pub(super) async fn refuse_kept(
    changes: &mut Transaction<'static, Any>,
    name: &str,
    user: &str,
) -> Result<(), Refusal> {
    let (key, since) = (names::key_of(name), time::now() - KEPT);
    if store::names::is_kept(&mut **changes, &key, user, since).await? {
        return Err(Refusal::Conflict(format!("the name '{name}' is taken")));
    }
    Ok(())
}

/// Refuses a name that looks like that of a moderator or an administrator.
pub(super) async fn refuse_like_staff(
    changes: &mut Transaction<'static, Any>,
    name: &str,
    user: &str,
) -> Result<(), Refusal> {
    let staff = store::users::names_of_staff(&mut **changes, user).await?;
    if staff.iter().any(|staff| look_alike(staff, name)) {
        return Err(Refusal::Conflict(format!("the name '{name}' looks like one that is taken")));
    }
    Ok(())
}

/// Notes that a user has a name no more; without a user the account is deleted.
pub(super) async fn note_freed(
    changes: &mut Transaction<'static, Any>,
    name: &str,
    user: &str,
) -> Result<(), Refusal> {
    Ok(store::names::free(&mut **changes, &names::key_of(name), user).await?)
}

/// Refuses a change of name to a user who had too many lately.
pub(super) async fn refuse_often(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<(), Refusal> {
    let lately = store::names::freed_by(&mut **changes, user, time::now() - KEPT).await?;
    refuse_beyond(&lately, MOST, KEPT)
}

/// The time in which a guest may change names [`MOST_OF_A_GUEST`] times.
const HOUR: i64 = 60 * 60 * 1000;

/// Guests choose a name, mistype it, choose another; whoever plays a name for each game is a nuisance.
const MOST_OF_A_GUEST: usize = 5;

/// Refuses a change of name to a guest who had too many lately. Their names are lent, and free at
/// once, so it is the history of names that counts here.
pub(super) async fn refuse_often_guest(
    changes: &mut Transaction<'static, Any>,
    guest: &str,
) -> Result<(), Refusal> {
    let lately = store::names::changed_by(&mut **changes, guest, time::now() - HOUR).await?;
    refuse_beyond(&lately, MOST_OF_A_GUEST, HOUR)
}

/// Refuses one more if as many as are allowed lie within a period; times are the latest first.
fn refuse_beyond(times: &[i64], most: usize, period: i64) -> Result<(), Refusal> {
    let Some(first) = times.get(most - 1) else { return Ok(()) };
    let seconds = u64::try_from((first + period - time::now()) / 1000).unwrap_or(0) + 1;
    Err(Refusal::TooMany { what: "new names".into(), seconds })
}
