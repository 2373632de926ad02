//! Which stored games somebody may see.

use super::reports::may_look_into;
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::storage::db::Db;
use crate::storage::records::Stored;

/// A game that somebody may see, as its log has it now.
///
/// # Errors
/// If there is no such game, or it is private and the asker neither belongs to it nor judges it
/// as a moderator: both look alike.
pub async fn visible_game(db: &Db, id: &str, who: Option<&Requester>) -> Result<Stored, Refusal> {
    let Some(stored) = Stored::find(db, id).await? else { return Err(Refusal::no_game(id)) };
    if stored.is_open_to(who.map(|who| who.user.as_str())) {
        return Ok(stored);
    }
    match who {
        Some(who) if may_look_into(db, who, id, stored.rated).await? => Ok(stored),
        _ => Err(Refusal::no_game(id)),
    }
}
