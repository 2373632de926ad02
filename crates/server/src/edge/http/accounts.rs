//! Routes about the account: becoming a guest or a user, coming in, changing, leaving for good.

use super::body::OptionalJson;
use super::routes;
use super::second_factor::check_code;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::metrics::{self, WrongSecret};
use crate::people::accounts::{
    self, LoggedIn, NewUser, Requester, User, check_name, check_password, codes_left, find_user,
    find_user_by_id, has_second_factor, known_device, new_session, refuse_banned, remember_device,
    session_cookie, take_from_guest,
};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{
    AccountChange, Credentials, Login, Me, PasswordOnly, Recovery, RecoveryCodes, Registered,
};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::AppendHeaders;

routes! {
    "/api/guest" => post guest;
    "/api/register" => post register;
    "/api/login" => post login;
    "/api/logout" => post logout;
    "/api/recover" => post recover;
    "/api/session" => get session;
    "/api/me" => get me, patch change, delete delete;
    "/api/me/recovery-codes" => post recovery_codes;
}

/// Cookies to set.
type SetCookie = AppendHeaders<Vec<(HeaderName, HeaderValue)>>;

/// A cookie to set, and a body.
type WithCookie<T> = (SetCookie, T);

/// Play at once: become a guest and get the session cookie. Who is known already stays who they are.
#[cfg_attr(test, utoipa::path(post, path = "/api/guest", tag = "accounts",
    responses((status = OK, body = Me), (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn guest(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<Result<WithCookie<Json<Me>>, Json<Me>>, Refusal> {
    if let Some(who) = who {
        return Ok(Err(Json(about(&app, &who.user).await?)));
    }
    app.limits.take(Limited::Guest, address, None)?;
    let user = accounts::new_guest(&app.db).await?;
    let secret = new_session(&app.db, &user.id, &headers).await?;
    Ok(Ok((cookie(&app, Some(&secret)), Json(about(&app, &user.id).await?))))
}

/// Make an account. A guest becomes its user and keeps all games.
#[cfg_attr(test, utoipa::path(post, path = "/api/register", tag = "accounts", request_body = Credentials,
    responses((status = OK, body = Registered), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn register(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    headers: HeaderMap,
    Json(wanted): Json<Credentials>,
) -> Result<WithCookie<Json<Registered>>, Refusal> {
    check_name(&wanted.name)?;
    check_password(&wanted.password)?;
    if who.as_ref().is_some_and(|who| !who.guest) {
        return Err(Refusal::Conflict("you have an account already; sign out first".into()));
    }
    if find_user(&app.db, &wanted.name).await?.is_some_and(|user| !user.guest) {
        return Err(Refusal::Conflict(format!("the name '{}' is taken", wanted.name)));
    }
    app.limits.take(Limited::SignUp, address, None)?;
    let password = app.passwords.hash(wanted.password).await?;
    let mut changes = app.db.begin().await?;
    let guest = who.as_ref().map(|who| who.user.as_str());
    let lent = take_from_guest(&mut changes, &wanted.name, guest.unwrap_or_default()).await?;
    let new = NewUser { guest, name: &wanted.name, password: &password };
    let id = accounts::become_user(&mut changes, new).await?;
    let recovery_codes = accounts::new_codes(&mut changes, &id).await?;
    // A guest's cookie may have been seen by others; the user's is a new one.
    accounts::end_sessions(&mut changes, &id).await?;
    changes.commit().await?;
    tell_renamed(&app, lent).await;
    tell_renamed(&app, Some((id.clone(), wanted.name))).await;
    let (cookie, Json(me)) = come_in(&app, &id, &headers).await?;
    Ok((cookie, Json(Registered { me, recovery_codes })))
}

/// Log in with a name and a password, and get the session cookie. An account with a second factor
/// needs its code too.
#[cfg_attr(test, utoipa::path(post, path = "/api/login", tag = "accounts", request_body = Login,
    responses((status = OK, body = Me), (status = UNAUTHORIZED, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn login(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    Json(given): Json<Login>,
) -> Result<WithCookie<Json<Me>>, Refusal> {
    let account = key_for_limits(&given.name);
    let user = find_user(&app.db, &given.name).await?.filter(|user| !user.guest);
    let device = match &user {
        Some(user) => known_device(&app.db, &app.config, &user.id, &headers).await?,
        None => None,
    };
    app.limits.take_login(address, &account, device.as_deref())?;
    let stored = user.as_ref().and_then(|user| user.password.as_deref());
    let right = app.passwords.is_right(given.password, stored).await?;
    let Some(user) = user.filter(|_| right) else {
        metrics::count_wrong_secret(WrongSecret::Login);
        return Err(Refusal::Unknown("no such name, or not its password".into()));
    };
    refuse_banned(&app.db, &user.id, user.banned).await?;
    if has_second_factor(&app.db, &user.id).await? {
        let mut changes = app.db.begin().await?;
        let code = given.code.as_deref();
        check_code(&app, &mut changes, &user.id, code, device.as_deref()).await?;
        changes.commit().await?;
    }
    come_in(&app, &user.id, &headers).await
}

/// End this session.
#[cfg_attr(test, utoipa::path(post, path = "/api/logout", tag = "accounts", responses((status = NO_CONTENT))))]
async fn logout(
    State(app): State<App>,
    session: Option<Requester>,
) -> Result<WithCookie<StatusCode>, Refusal> {
    if let Some(Requester { user, session: Some(session), .. }) = session {
        accounts::end_session(&app.db, &user, &session).await?;
        app.changes.tell(&user);
    }
    Ok((cookie(&app, None), StatusCode::NO_CONTENT))
}

/// Come in with a recovery code and set a new password. The code is used up; all other sessions
/// end, and so do the tokens of programs unless they are asked to stay. An account with a second
/// factor needs its code too, or another recovery code.
#[cfg_attr(test, utoipa::path(post, path = "/api/recover", tag = "accounts", request_body = Recovery,
    responses((status = OK, body = Me), (status = UNAUTHORIZED, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn recover(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    Json(given): Json<Recovery>,
) -> Result<WithCookie<Json<Me>>, Refusal> {
    check_password(&given.password)?;
    // Codes are too long to be guessed from anywhere: strangers cannot use this up for others.
    app.limits.take(Limited::Login, address, None)?;
    let refused = || {
        metrics::count_wrong_secret(WrongSecret::Recovery);
        Refusal::Unknown("no such name, or no unused code of its".into())
    };
    let password = app.passwords.hash(given.password).await?;
    let user = find_user(&app.db, &given.name).await?.ok_or_else(refused)?;
    let mut changes = app.db.begin().await?;
    if !accounts::use_code(&mut changes, &user.id, &given.code).await? {
        return Err(refused());
    }
    refuse_banned(&app.db, &user.id, user.banned).await?;
    check_code(&app, &mut changes, &user.id, given.second.as_deref(), None).await?;
    accounts::set_password(&mut changes, &user.id, &password).await?;
    accounts::end_sessions(&mut changes, &user.id).await?;
    if given.end_tokens.unwrap_or(true) {
        accounts::end_tokens(&mut changes, &user.id).await?;
    }
    changes.commit().await?;
    app.changes.tell(&user.id);
    come_in(&app, &user.id, &headers).await
}

/// Who I am.
#[cfg_attr(test, utoipa::path(get, path = "/api/me", tag = "accounts", responses((status = OK, body = Me)),
    security(("cookie" = []), ("token" = []))))]
async fn me(State(app): State<App>, who: Requester) -> Result<Json<Me>, Refusal> {
    Ok(Json(about(&app, &who.user).await?))
}

/// Who is here, for pages that greet everybody: `null` if nobody is known. The browser keeps its
/// cookie for as long again.
#[cfg_attr(test, utoipa::path(get, path = "/api/session", tag = "accounts",
    responses((status = OK, body = Option<Me>))))]
async fn session(
    State(app): State<App>,
    who: Option<Requester>,
    headers: HeaderMap,
) -> Result<(Option<SetCookie>, Json<Option<Me>>), Refusal> {
    let Some(who) = who else { return Ok((None, Json(None))) };
    let secret = who.session.as_ref().and_then(|_| accounts::secret_of(&app.config, &headers));
    let kept = secret.map(|secret| cookie(&app, Some(secret)));
    Ok((kept, Json(Some(about(&app, &who.user).await?))))
}

/// Change my name, my password or both. A new password ends all other sessions. A guest may
/// choose a name, without a password; it is lent until somebody registers with it.
#[cfg_attr(test, utoipa::path(patch, path = "/api/me", tag = "accounts", request_body = AccountChange,
    responses((status = OK, body = Me), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []))))]
async fn change(
    State(app): State<App>,
    here: LoggedIn,
    address: ClientAddress,
    Json(wanted): Json<AccountChange>,
) -> Result<Json<Me>, Refusal> {
    wanted.new_name.as_deref().map_or(Ok(()), check_name)?;
    wanted.new_password.as_deref().map_or(Ok(()), check_password)?;
    if here.who.guest && wanted.new_password.is_none() {
        app.limits.take(Limited::Guest, address, Some(&here.who.user))?;
    } else {
        check_present(&app, &here, address, wanted.password).await?;
    }
    let password = match wanted.new_password {
        Some(password) => Some(app.passwords.hash(password).await?),
        None => None,
    };
    let user = &here.who.user;
    let mut changes = app.db.begin().await?;
    let mut lent = None;
    if let Some(name) = &wanted.new_name {
        if here.who.guest {
            accounts::name_guest(&mut changes, user, name, app.config.limits).await?;
        } else {
            lent = take_from_guest(&mut changes, name, user).await?;
            accounts::rename(&mut changes, user, name, app.config.limits).await?;
        }
    }
    if let Some(hash) = &password {
        accounts::set_password(&mut changes, user, hash).await?;
        accounts::end_other_sessions(&mut changes, user, &here.session).await?;
    }
    changes.commit().await?;
    app.changes.tell(user);
    tell_renamed(&app, lent).await;
    tell_renamed(&app, wanted.new_name.map(|name| (user.clone(), name))).await;
    Ok(Json(about(&app, user).await?))
}

/// Delete my account for good. My games stay, without my name. A guest needs no password.
#[cfg_attr(test, utoipa::path(delete, path = "/api/me", tag = "accounts", request_body = Option<PasswordOnly>,
    responses((status = NO_CONTENT), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []))))]
async fn delete(
    State(app): State<App>,
    here: LoggedIn,
    address: ClientAddress,
    OptionalJson(PasswordOnly { password }): OptionalJson<PasswordOnly>,
) -> Result<WithCookie<StatusCode>, Refusal> {
    if !here.who.guest {
        check_present(&app, &here, address, password).await?;
    }
    let user = &here.who.user;
    app.tables.decline_all(&here.who).await?;
    let name = accounts::delete_user(&app.db, user).await?;
    app.changes.tell(user);
    app.tables.renamed(user, &name).await;
    Ok((cookie(&app, None), StatusCode::NO_CONTENT))
}

/// Make new recovery codes, shown this once; those before are void.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/recovery-codes", tag = "accounts", request_body = PasswordOnly,
    responses((status = OK, body = RecoveryCodes), (status = TOO_MANY_REQUESTS, body = Problem)),
    security(("cookie" = []))))]
async fn recovery_codes(
    State(app): State<App>,
    here: LoggedIn,
    address: ClientAddress,
    Json(given): Json<PasswordOnly>,
) -> Result<Json<RecoveryCodes>, Refusal> {
    check_present(&app, &here, address, given.password).await?;
    let mut changes = app.db.begin().await?;
    let recovery_codes = accounts::new_codes(&mut changes, &here.who.user).await?;
    changes.commit().await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Tells sockets and tables that somebody has another name.
async fn tell_renamed(app: &App, renamed: Option<(String, String)>) {
    let Some((user, name)) = renamed else { return };
    app.changes.tell(&user);
    app.tables.renamed(&user, &name).await;
}

async fn about(app: &App, id: &str) -> Result<Me, Refusal> {
    let user = find_user_by_id(&app.db, id).await?;
    let recovery_codes_left = codes_left(&app.db, id).await?;
    let second_factor = has_second_factor(&app.db, id).await?;
    let User { id, name, guest, role, created: since, .. } = user;
    Ok(Me { id, name, guest, since, recovery_codes_left, second_factor, role })
}

/// A new session for the browser of somebody with an account, which is known from now on.
async fn come_in(
    app: &App,
    user: &str,
    headers: &HeaderMap,
) -> Result<WithCookie<Json<Me>>, Refusal> {
    let secret = new_session(&app.db, user, headers).await?;
    let device = remember_device(&app.db, &app.config, user, headers).await?;
    let AppendHeaders(mut cookies) = cookie(app, Some(&secret));
    cookies.push((header::SET_COOKIE, device));
    Ok((AppendHeaders(cookies), Json(about(app, user).await?)))
}

/// The header that gives a browser its session, or takes it away.
fn cookie(app: &App, secret: Option<&str>) -> SetCookie {
    AppendHeaders(vec![(header::SET_COOKIE, session_cookie(&app.config, secret))])
}

/// Asks for the present password again, with the limits of a login: a browser left open does not
/// make guessing free.
pub(super) async fn check_present(
    app: &App,
    here: &LoggedIn,
    address: ClientAddress,
    password: String,
) -> Result<(), Refusal> {
    if here.who.guest {
        return Err(Refusal::Forbidden("a guest has no password; register first".into()));
    }
    // The session is known: strangers at the same address cannot use up what it may try.
    app.limits.take_login(address, &here.who.user, Some(&here.session))?;
    let user = find_user_by_id(&app.db, &here.who.user).await?;
    if app.passwords.is_right(password, user.password.as_deref()).await? {
        return Ok(());
    }
    metrics::count_wrong_secret(WrongSecret::Confirmation);
    Err(Refusal::WrongPassword)
}

/// A name as it was tried, not longer than a name can be.
fn key_for_limits(name: &str) -> String {
    name.chars().take(20).collect::<String>().to_lowercase()
}
