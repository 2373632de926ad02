//! What moderators know of a person, on one page.

use super::addresses::AccountAddresses;
use super::people::Person;
use super::{reports, sanctions};
use crate::error::Refusal;
use crate::people::accounts::{self, Moderator, Role};
use crate::people::ratings::{Pool, rating_of};
use crate::storage::db::Db;
use crate::storage::records::recent_of;
use crate::wire::PersonHistory;

/// Everything about a person, found by name or by id.
///
/// # Errors
/// If there is no such person.
pub async fn history(
    db: &Db,
    addresses: &AccountAddresses,
    moderator: &Moderator,
    name_or_id: &str,
) -> Result<PersonHistory, Refusal> {
    let person = Person::find(db, name_or_id).await?;
    let id = &person.card.id;
    let subject = format!("user:{id}");
    let (reports_made, reports_upheld) = reports::made_and_upheld(db, id).await?;
    let administrator = moderator.role == Role::Administrator;
    let may_act = *id != moderator.user && moderator.role.may_act_on(person.role);
    let mut done = sanctions::of_user(db, id).await?;
    for sanction in &mut done {
        sanctions::hide_address(db, addresses, sanction).await?;
    }
    Ok(PersonHistory {
        role: person.role,
        since: person.created,
        seen: person.seen,
        banned: person.banned,
        deleted: person.deleted,
        may_act: may_act && !person.deleted,
        names: accounts::former_names(db, id).await?,
        // Who reported a moderator is not for that moderator to know.
        reports: if may_act { reports::about(db, id).await? } else { Vec::new() },
        reports_made,
        reports_upheld,
        sanctions: done,
        rating_two: rating_of(db, &subject, Pool::TWO).await?,
        rating_many: rating_of(db, &subject, Pool::MANY).await?,
        games: recent_of(db, id, Some(id)).await?,
        addresses: if may_act {
            addresses.of_user(db, id, administrator).await?
        } else {
            Vec::new()
        },
        user: person.card,
    })
}
