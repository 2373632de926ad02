//! Routes about ratings and statistics: leaderboards, profiles, the site's numbers.

use super::routes;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{Requester, find_user};
use crate::people::moderation::sanctions;
use crate::people::ratings::{self, Pool};
use crate::people::statistics;
use crate::wire::{BotProfile, PoolInfo, Profile, Ranked, SiteStatistics, Stakes, StakesOf};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;

routes! {
    "/api/leaderboard" => get leaderboard;
    "/api/pools" => get pools;
    "/api/users/{name}" => get profile;
    "/api/bots/{name}" => get bot;
    "/api/stakes" => post stakes;
    "/api/statistics" => get site;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankingQuery {
    pool: Option<Pool>,
    limit: Option<usize>,
}

/// The longest leaderboard.
const LONGEST: usize = 200;

/// The best of a pool: `two` for games of two, `many` for three to six; people and our bots. Each
/// combination of sets has its own pools, such as `two-inns-traders`: the sets follow in the order
/// `inns`, `traders`, `river`, `gardens`.
#[cfg_attr(test, utoipa::path(get, path = "/api/leaderboard", tag = "statistics",
    params(("pool" = Option<String>, Query,
        pattern = "^(two|many)(-inns)?(-traders)?(-river)?(-gardens)?$"),
    ("limit" = Option<usize>, Query, minimum = 1, maximum = 200)),
    responses((status = OK, body = [Ranked])), security(())))]
async fn leaderboard(
    State(app): State<App>,
    Query(RankingQuery { pool, limit }): Query<RankingQuery>,
) -> Result<Json<Vec<Ranked>>, Refusal> {
    let limit = limit.unwrap_or(50).clamp(1, LONGEST);
    statistics::leaderboard(&app.db, pool.unwrap_or(Pool::TWO), limit).await.map(Json)
}

/// The pools in which somebody has a rating, with how many have; the base game's are always listed.
#[cfg_attr(test, utoipa::path(get, path = "/api/pools", tag = "statistics",
    responses((status = OK, body = [PoolInfo])), security(())))]
async fn pools(State(app): State<App>) -> Result<Json<Vec<PoolInfo>>, Refusal> {
    statistics::pools(&app.db).await.map(Json)
}

/// A user's public page.
#[cfg_attr(test, utoipa::path(get, path = "/api/users/{name}", tag = "statistics", params(("name" = String, Path)),
    responses((status = OK, body = Profile))))]
async fn profile(
    State(app): State<App>,
    who: Option<Requester>,
    Path(name): Path<String>,
) -> Result<Json<Profile>, Refusal> {
    let user = find_user(&app.db, &name).await?.ok_or_else(|| {
        Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(&name, 40)))
    })?;
    if user.banned && sanctions::is_closed(&app.db, &user.id).await? {
        return Err(Refusal::NotFound("this account is closed".into()));
    }
    let asker = who.as_ref().map(|who| who.user.as_str());
    statistics::profile(&app.db, &user, asker).await.map(Json)
}

/// A bot's public page: how strong it is, and how people and the asker fare against it.
#[cfg_attr(test, utoipa::path(get, path = "/api/bots/{name}", tag = "statistics", params(("name" = String, Path)),
    responses((status = OK, body = BotProfile))))]
async fn bot(
    State(app): State<App>,
    who: Option<Requester>,
    Path(name): Path<String>,
) -> Result<Json<BotProfile>, Refusal> {
    let asker = who.as_ref().map(|who| who.user.as_str());
    let found = statistics::bot_profile(&app.db, &app.site_numbers, &name, asker).await?;
    found.map(Json).ok_or_else(|| {
        Refusal::NotFound(format!("no bot is called '{}'", game::excerpt(&name, 40)))
    })
}

/// What a rated game at these seats would do to my rating: the formula of the ratings, asked
/// before the game.
#[cfg_attr(test, utoipa::path(post, path = "/api/stakes", tag = "statistics", request_body = StakesOf,
    responses((status = OK, body = Stakes)), security(("cookie" = []), ("token" = []))))]
async fn stakes(
    State(app): State<App>,
    who: Requester,
    Json(asked): Json<StakesOf>,
) -> Result<Json<Stakes>, Refusal> {
    ratings::stakes(&app.db, &who.user, &asked).await.map(Json)
}

/// The numbers that players like to look at, at most ten seconds old.
#[cfg_attr(test, utoipa::path(get, path = "/api/statistics", tag = "statistics",
    responses((status = OK, body = SiteStatistics)), security(())))]
async fn site(State(app): State<App>) -> Result<Json<SiteStatistics>, Refusal> {
    app.site_numbers.get(&app.db, statistics::AGE).await.map(Json)
}
