//! What a moderator does, with all that follows at once in the running server: sockets end, games
//! are given up, chats fall silent.

use super::store;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{self, Moderator, Requester, Role};
use crate::people::moderation::sanctions::{self, PendingSanction};
use crate::people::moderation::{AccountAddresses, Person, audit, reports};
use crate::people::ratings;
use crate::play::journal::Annulment;
use crate::play::table::Action;
use crate::storage::records;
use crate::time;
use crate::wire::{NewSanction, Sanction, SanctionKind, WithReason};

/// The longest timed sanction: a year.
const LONGEST_MINUTES: u32 = 366 * 24 * 60;

/// Lays a sanction on a person.
///
/// # Errors
/// If the moderator may not act on them, or what is wanted makes no sense.
pub async fn apply_sanction(
    app: &App,
    moderator: &Moderator,
    from: ClientAddress,
    name_or_id: &str,
    wanted: NewSanction,
) -> Result<Sanction, Refusal> {
    let person = Person::find(&app.db, name_or_id).await?;
    let user = person.card.id.clone();
    moderator.check_may_act_on(&person)?;
    let mut new = PendingSanction::of(moderator.actor(), wanted.kind, Some(&user), &wanted.reason)?;
    new.report = known_report(app, wanted.report).await?;
    new.ends = ends(wanted.kind, wanted.minutes)?;
    match (wanted.kind, &wanted.address) {
        (SanctionKind::Annulled, _) => {
            return Err(Refusal::Bad("a rating is taken back at its game".into()));
        }
        (SanctionKind::AddressBan, Some(label)) => {
            let network = app.addresses.network_of(&app.db, &user, label).await?;
            if network == from.limit_key() {
                return Err(Refusal::Conflict("you are at this address yourself".into()));
            }
            let staff = app.addresses.staff_at(&app.db, &network).await?;
            for other in staff.into_iter().filter(|other| *other != moderator.user) {
                moderator.check_may_act_on(&Person::with_id(&app.db, &other).await?)?;
            }
            new.network = Some((network, label.clone()));
        }
        (SanctionKind::AddressBan, None) => {
            return Err(Refusal::Bad("name the address by its label".into()));
        }
        (_, Some(_)) => return Err(Refusal::Bad("only a ban of an address names one".into())),
        (_, None) => {}
    }
    let mut changes = app.db.begin().await?;
    sanctions::person(&mut changes, &user).await?;
    let id = sanctions::insert(&mut changes, &app.db, &new).await?;
    if matches!(new.kind, SanctionKind::Ban | SanctionKind::Closed) {
        sanctions::settle_ban(&mut changes, &user).await?;
    }
    if new.kind == SanctionKind::Closed {
        accounts::end_sessions(&mut changes, &user).await?;
        accounts::end_tokens(&mut changes, &user).await?;
    }
    changes.commit().await?;
    let sanction = sanctions::find(&app.db, &id).await?;
    take_effect(app, &sanction).await?;
    shown(app, sanction).await
}

/// The id of a report that led to something, if there is one of that id.
async fn known_report(app: &App, id: Option<String>) -> Result<Option<String>, Refusal> {
    let Some(id) = id else { return Ok(None) };
    if !reports::exists(&app.db, &id).await? {
        return Err(Refusal::Bad("there is no such report".into()));
    }
    Ok(Some(id))
}

fn ends(kind: SanctionKind, minutes: Option<u32>) -> Result<Option<i64>, Refusal> {
    let Some(minutes) = minutes else { return Ok(None) };
    if matches!(kind, SanctionKind::Closed | SanctionKind::Annulled) {
        return Err(Refusal::Bad("this has no end; it can be lifted".into()));
    }
    if !(1..=LONGEST_MINUTES).contains(&minutes) {
        return Err(Refusal::Bad(format!(
            "1 to {LONGEST_MINUTES} minutes, or without an end; not {minutes}"
        )));
    }
    Ok(Some(time::now() + i64::from(minutes) * 60_000))
}

/// Lets what is stored take effect in the running server.
async fn take_effect(app: &App, sanction: &Sanction) -> Result<(), Refusal> {
    let user = sanction.user.as_ref().map(|user| user.id.as_str()).unwrap_or_default();
    match sanction.kind {
        SanctionKind::ChatTimeout => app.tables.read_timeout(user).await?,
        SanctionKind::AddressBan => {
            app.addresses.bans_changed(&app.db, app.tables.exchange()).await?;
            app.changes.tell_everybody();
        }
        SanctionKind::Ban | SanctionKind::Closed => {
            app.changes.tell(user);
            // Who comes back finds the games that have begun; for those who do not, others need
            // not wait.
            if sanction.active {
                give_up_games(app, user, sanction.ends.is_none()).await?;
            }
        }
        SanctionKind::Annulled => {}
    }
    Ok(())
}

/// Gets a user up from games that have not begun, calls off those of them that are the user's own, and
/// resigns those that are being played if this is for good.
pub(crate) async fn give_up_games(app: &App, user: &str, for_good: bool) -> Result<(), Refusal> {
    let games = store::unfinished_games(&app.db, user).await?;
    let user = accounts::find_user_by_id(&app.db, user).await?;
    let who = Requester::of(&user);
    for (game, status) in games {
        let actions: &[Action] = match status.as_str() {
            "playing" if for_good => &[Action::Resign],
            "playing" => &[],
            // Only who made a table may call it off.
            _ => &[Action::Abort, Action::Leave],
        };
        for action in actions {
            match app.tables.act(&game, &who, None, action.clone()).await {
                // It has begun or ended meanwhile, or the seat had given up.
                Ok(_) | Err(Refusal::Conflict(_) | Refusal::Forbidden(_)) => {}
                Err(refusal) => tracing::error!(game, %refusal, "a banned user's game goes on"),
            }
        }
    }
    Ok(())
}

/// Lifts a sanction.
///
/// # Errors
/// If there is none, it does not hold any more, or the moderator may not act on its user.
pub async fn lift(
    app: &App,
    moderator: &Moderator,
    id: &str,
    because: &WithReason,
) -> Result<Sanction, Refusal> {
    let sanction = sanctions::find(&app.db, id).await?;
    if sanction.kind == SanctionKind::Annulled {
        return Err(Refusal::Conflict("ratings were settled without that game since".into()));
    }
    if let Some(user) = &sanction.user {
        moderator.check_may_act_on(&Person::with_id(&app.db, &user.id).await?)?;
    }
    if let Some(author) = sanction.author.as_ref().filter(|author| author.id != moderator.user) {
        let author = Person::with_id(&app.db, &author.id).await?;
        if author.role == Role::Administrator && moderator.role != Role::Administrator {
            return Err(Refusal::Forbidden(
                "an administrator laid this: only an administrator may lift it".into(),
            ));
        }
    }
    let mut changes = app.db.begin().await?;
    sanctions::lift(&mut changes, &app.db, &moderator.actor(), &sanction, &because.reason).await?;
    changes.commit().await?;
    let sanction = sanctions::find(&app.db, id).await?;
    take_effect(app, &sanction).await?;
    shown(app, sanction).await
}

/// Takes back what a game did to ratings, and recomputes what came after it.
///
/// # Errors
/// If the game was not rated or was taken back already, or the moderator played it.
pub async fn annul(
    app: &App,
    moderator: &Moderator,
    game: &str,
    because: &WithReason,
) -> Result<(), Refusal> {
    let missing = || Refusal::NotFound(format!("there is no game '{}'", game::excerpt(game, 40)));
    let players = records::players_of(&app.db, game).await?.ok_or_else(missing)?;
    for user in &players {
        if *user == moderator.user {
            return Err(Refusal::Forbidden("you played this game yourself".into()));
        }
        moderator.check_may_act_on(&Person::with_id(&app.db, user).await?)?;
    }
    ratings::check_annullable(&app.db, game).await?;
    let mut sanction =
        PendingSanction::of(moderator.actor(), SanctionKind::Annulled, None, &because.reason)?;
    sanction.game = Some(game.to_owned());
    sanction.report = known_report(app, because.report.clone()).await?;
    app.tables.annul(game, Annulment { game: game.to_owned(), sanction }).await
}

/// A sanction as moderators see it.
async fn shown(app: &App, mut sanction: Sanction) -> Result<Sanction, Refusal> {
    sanctions::hide_address(&app.db, &app.addresses, &mut sanction).await?;
    Ok(sanction)
}

/// What holds now.
///
/// # Errors
/// If the database fails.
pub async fn active(app: &App) -> Result<Vec<Sanction>, Refusal> {
    let mut shown_all = Vec::new();
    for sanction in sanctions::active(&app.db).await? {
        shown_all.push(shown(app, sanction).await?);
    }
    Ok(shown_all)
}

/// How long reports that were dealt with, and addresses that were not seen again, are kept.
const KEPT_DAYS: i64 = 180;
const ADDRESSES_KEPT_DAYS: i64 = 90;

/// Removes what is old, and lets in again those whose bans have ended.
pub(crate) async fn tidy(app: &App) -> Result<(), Refusal> {
    reports::remove_old(&app.db, time::now() - KEPT_DAYS * time::DAY).await?;
    AccountAddresses::forget_before(&app.db, time::now() - ADDRESSES_KEPT_DAYS * time::DAY).await
}

/// The audit log's rows before a number, the latest first.
///
/// # Errors
/// If the database fails.
pub async fn log(app: &App, before: Option<i64>) -> Result<Vec<audit::AuditEntry>, Refusal> {
    audit::latest(&app.db, before, None, 100).await
}
