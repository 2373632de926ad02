//! Routes about people: guests, accounts, sessions, tokens.

use crate::accounts::{User, Who, new_guest, new_session, session_cookie};
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::wire::{Me, Problem};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Routes about people.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(guest))
}

/// Play at once: becomes a guest and gets the session cookie. Who is known already stays so.
#[utoipa::path(post, path = "/api/guest", tag = "accounts", responses(
    (status = OK, body = Me), (status = TOO_MANY_REQUESTS, body = Problem)))]
async fn guest(
    State(app): State<App>,
    who: Option<Who>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    let _ = who;
    app.limits.take(Limited::Guest, address, None)?;
    let user = new_guest(&app.db).await?;
    let secret = new_session(&app.db, &user.id, &headers).await?;
    let cookie = session_cookie(&app.config, Some(&secret));
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Json(me(&user))))
}

fn me(user: &User) -> Me {
    Me {
        id: user.id.clone(),
        name: user.name.clone(),
        guest: user.guest,
        since: user.created,
        recovery_codes_left: 0,
    }
}
