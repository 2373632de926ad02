//! Routes of quick match: look for an opponent, hear how it stands, take a bot instead.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::games::deck::check_nonce;
use crate::limits::Limited;
use crate::people::accounts::Requester;
use crate::people::fairplay;
use crate::people::ratings::{Pool, Rating, rating_of};
use crate::people::statistics::bot_near;
use crate::play::seekers::{SeekCopy, SeekOptions, SeekStatus, Seeker};
use crate::play::table::{Action, check_clock, check_rated_by};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{NewGame, NewSeek, SeatRequest, Seek, Visibility};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

routes! {
    "/api/seek" => post seek, get ask, delete end;
    "/api/seek/bot" => post bot;
}

/// Looks for an opponent for a game of two, in place of the search before. The search lasts while
/// it is asked about.
#[cfg_attr(test, utoipa::path(post, path = "/api/seek", tag = "games", request_body = NewSeek,
    responses((status = OK, body = Seek), (status = FORBIDDEN, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn seek(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Json(new): Json<NewSeek>,
) -> Result<Json<Seek>, Refusal> {
    app.limits.take(Limited::NewGame, address, Some(&who.user))?;
    check_clock(new.clock)?;
    if new.rated {
        // What no game could be made of would be looked for in vain.
        check_rated_by(&who, new.clock)?;
        fairplay::check_wait(&app.db, &who.user).await?;
    }
    app.tables.addresses().note(&who.user, address);
    let NewSeek { clock, rated, range, nonce } = new;
    let checked = nonce.as_deref().map_or(Ok(()), check_nonce);
    checked.map_err(|error| Refusal::Bad(error.to_string()))?;
    let known = rating_of(&app.db, &format!("user:{}", who.user), Pool::TWO).await?;
    let rating = known.map_or(Rating::default().rating, |known| known.rating);
    let wish = SeekOptions { clock, rated, range, rating, nonce };
    let standing = at_the_first(&app, Search { who, step: Step::Begin(wish) }).await?;
    standing.map(Json).ok_or(Refusal::Internal)
}

/// How my search stands; `null` if there is none (any more). A search that nobody asks about ends
/// after twelve seconds.
#[cfg_attr(test, utoipa::path(get, path = "/api/seek", tag = "games",
    responses((status = OK, body = Option<Seek>)), security(("cookie" = []), ("token" = []))))]
async fn ask(State(app): State<App>, who: Requester) -> Result<Json<Option<Seek>>, Refusal> {
    Ok(Json(at_the_first(&app, Search { who, step: Step::Ask }).await?))
}

/// Ends my search; answers with it if a game was found at the same moment.
#[cfg_attr(test, utoipa::path(delete, path = "/api/seek", tag = "games",
    responses((status = OK, body = Option<Seek>)), security(("cookie" = []), ("token" = []))))]
async fn end(State(app): State<App>, who: Requester) -> Result<Json<Option<Seek>>, Refusal> {
    Ok(Json(at_the_first(&app, Search { who, step: Step::End }).await?))
}

/// Plays the bot that was offered, by the clock that was looked for.
#[cfg_attr(test, utoipa::path(post, path = "/api/seek/bot", tag = "games",
    responses((status = OK, body = Seek), (status = CONFLICT, body = Problem),
    (status = SERVICE_UNAVAILABLE, body = Problem,
        description = "rated games against this bot are not offered now")),
    security(("cookie" = []), ("token" = []))))]
async fn bot(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
) -> Result<Json<Seek>, Refusal> {
    let standing = at_the_first(&app, Search { who, step: Step::Bot(address) }).await?;
    let nobody = || Refusal::Conflict("the search is over; look again".to_owned());
    standing.map(Json).ok_or_else(nobody)
}

/// A step of somebody's search. All searches are on the oldest node, which others ask: who looks for
/// an opponent may be connected to any. That node tells the others how searches stand, so that the next oldest
/// can go on with them.
#[derive(Debug, Serialize, Deserialize)]
struct Search {
    who: Requester,
    step: Step,
}

#[derive(Debug, Serialize, Deserialize)]
enum Step {
    Begin(SeekOptions),
    Ask,
    End,
    Bot(ClientAddress),
}

/// What nodes ask each other: a step of a search.
const SEARCH: &str = "seek";

/// What the oldest node tells the others: how searches stand.
const STANDING: &str = "seek_copies";

#[derive(Debug, Serialize, Deserialize)]
enum Standing {
    /// These have changed, or go on.
    Go(Vec<SeekCopy>),
    /// The search of this user has ended.
    Ended(String),
}

/// Answers other nodes about searches.
pub(crate) fn listen(app: &App) {
    let weak = Arc::downgrade(&app.0);
    app.tables.exchange().on_news(STANDING, move |_, standing: Standing| {
        let Some(app) = weak.upgrade() else { return };
        match standing {
            Standing::Go(copies) => copies.into_iter().for_each(|copy| app.seekers.keep_copy(copy)),
            Standing::Ended(user) => app.seekers.drop_copy(&user),
        }
    });
    let weak = Arc::downgrade(&app.0);
    app.tables.exchange().answer(SEARCH, move |_, search: Search| {
        let app = weak.upgrade().map(App);
        async move {
            match app {
                Some(app) => here(&app, search).await,
                None => Err(Refusal::Unavailable("the server is stopping".to_owned())),
            }
        }
    });
}

/// Takes a step of a search where all searches are.
async fn at_the_first(app: &App, search: Search) -> Result<Option<Seek>, Refusal> {
    let exchange = app.tables.exchange();
    let first = exchange.members()[0];
    if first == exchange.me() {
        return here(app, search).await;
    }
    let answer = exchange.ask::<Result<Option<Seek>, Refusal>>(first, SEARCH, &search).await;
    answer.unwrap_or_else(|silent| Err(Refusal::Unavailable(silent.to_string())))
}

/// Takes a step of a search on this node, and tells the others how searches stand then.
async fn here(app: &App, search: Search) -> Result<Option<Seek>, Refusal> {
    let (user, ends) = (search.who.user.clone(), matches!(search.step, Step::End));
    app.seekers.take_over(&user);
    let standing = step(app, search).await;
    let exchange = app.tables.exchange();
    if ends {
        exchange.publish(STANDING, &Standing::Ended(user));
    }
    let copies = app.seekers.untold();
    if !copies.is_empty() {
        exchange.publish(STANDING, &Standing::Go(copies));
    }
    standing
}

async fn step(app: &App, Search { who, step }: Search) -> Result<Option<Seek>, Refusal> {
    match step {
        Step::Begin(wish) => app.seekers.begin(&who, wish),
        Step::Ask => {}
        Step::Bot(address) => return play_bot(app, &who, address).await.map(Some),
        Step::End => {
            let standing = app.seekers.ask(&who.user);
            let found = app.seekers.end(&who.user).zip(standing);
            return Ok(found
                .map(|(game, standing)| shown(app, SeekStatus { game: Some(game), ..standing })));
        }
    }
    look(app, &who.user).await
}

/// Plays the bot that was offered.
async fn play_bot(app: &App, who: &Requester, address: ClientAddress) -> Result<Seek, Refusal> {
    let standing = look(app, &who.user).await?;
    let offered = standing.as_ref().and_then(|seek| seek.bot.clone());
    match (standing, offered) {
        // Somebody came at the same moment: a person goes before a bot.
        (Some(found), _) if found.game.is_some() => Ok(found),
        (Some(_), Some(offer)) => {
            let nobody = || Refusal::Conflict("the search is over; look again".to_owned());
            let wish = app.seekers.hold(&who.user).ok_or_else(nobody)?;
            let new = game_of(&wish, SeatRequest::Bot { bot: offer.name });
            match with_bot(app, who, address, new).await {
                Ok(id) => app.seekers.paired(&[&who.user], &id),
                Err(refusal) => {
                    app.seekers.not_paired(&[&who.user]);
                    return Err(refusal);
                }
            }
            look(app, &who.user).await?.ok_or_else(nobody)
        }
        _ => Err(Refusal::Conflict("no bot is offered yet".to_owned())),
    }
}

/// Makes a game against a bot, by the limits of any such game.
async fn with_bot(
    app: &App,
    who: &Requester,
    address: ClientAddress,
    new: NewGame,
) -> Result<String, Refusal> {
    let place = app.tables.take_bot_place(who, address, &new).await?;
    let id = app.tables.create(who, new).await?;
    place.keep(&id);
    Ok(id)
}

/// How a search stands, after an opponent was looked for once more.
async fn look(app: &App, user: &str) -> Result<Option<Seek>, Refusal> {
    while let Some((one, other)) = app.seekers.pair(user) {
        // A task of its own: who asked may be gone before the game is made.
        let seating = tokio::spawn(pair_up(app.clone(), one, other));
        seating.await.map_err(|_| Refusal::Internal)?;
    }
    Ok(app.seekers.ask(user).map(|standing| shown(app, standing)))
}

async fn pair_up(app: App, one: Seeker, other: Seeker) {
    let users = [one.who.user.as_str(), other.who.user.as_str()];
    match seat(&app, &one, &other).await {
        Ok(game) => app.seekers.paired(&users, &game),
        Err(refusal) => {
            tracing::info!(%refusal, "two who looked for a game could not be seated");
            app.seekers.not_paired(&users);
        }
    }
}

/// Makes the game of two: one makes it and keeps the seat for the other, who sits down. All rules
/// about who may play whom are those of any game.
async fn seat(app: &App, one: &Seeker, other: &Seeker) -> Result<String, Refusal> {
    let new = game_of(&one.wish, SeatRequest::User { name: other.who.name.clone() });
    let game = app.tables.create(&one.who, new).await?;
    let sit = Action::Join { nonce: other.wish.nonce.clone() };
    if let Err(refusal) = app.tables.act(&game, &other.who, None, sit).await {
        app.tables.call_off(&game).await?;
        return Err(refusal);
    }
    Ok(game)
}

fn game_of(wish: &SeekOptions, opponent: SeatRequest) -> NewGame {
    NewGame {
        game: "carcassonne".to_owned(),
        options: serde_json::Value::Null,
        seats: vec![SeatRequest::Me, opponent],
        shuffle_seats: true,
        rated: wish.rated,
        visibility: Visibility::Public,
        clock: wish.clock,
        help: false,
        seed: None,
        nonce: wish.nonce.clone(),
        from: None,
    }
}

/// A search as the page shows it.
fn shown(app: &App, standing: SeekStatus) -> Seek {
    let SeekStatus { wish, waited, others, game } = standing;
    let left = app.config.bot_offered_after.checked_sub(waited).filter(|left| !left.is_zero());
    let bot = match (&game, left) {
        (None, None) => bot_near(wish.rating),
        _ => None,
    };
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Seek {
        clock: wish.clock,
        rated: wish.rated,
        range: wish.range,
        rating: wish.rating,
        waited_ms: ms(waited),
        others,
        bot,
        bot_in_ms: left.filter(|_| game.is_none()).map(ms),
        game,
    }
}
