//! What handlers ask of a request: where it comes from, and who sent it.

use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{
    LoggedIn, Moderator, Requester, Role, by_cookie, by_token, role_of, secret_of,
};
use crate::play::journal::Change;
use crate::wire::TokenScope;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        Self::of(&parts.extensions, &parts.headers, &app.config.trusted_proxies)
    }
}

/// What a request brings to be recognised by.
enum Credential<'a> {
    Token(&'a str),
    Cookie(&'a str),
}

impl OptionalFromRequestParts<App> for Requester {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Refusal> {
        let found = match credential(app, &parts.headers)? {
            None => None,
            Some(Credential::Token(token)) => match owner_of(app, token).await? {
                (_, TokenScope::Read) if !only_reads(parts) => {
                    return Err(Refusal::Forbidden(
                        "this token may only read; make one that may play".into(),
                    ));
                }
                (who, _) => Some(who),
            },
            // An old cookie is no reason to refuse what anybody may see.
            Some(Credential::Cookie(secret)) => {
                by_cookie(&app.db, app.config.session_days, secret).await?
            }
        };
        if let Some(who) = &found {
            let address = ClientAddress::from_request_parts(parts, app).await?;
            note_address(app, &who.user, address).await;
        }
        Ok(found)
    }
}

async fn owner_of(app: &App, token: &str) -> Result<(Requester, TokenScope), Refusal> {
    let known = by_token(&app.db, token).await?;
    known.ok_or_else(|| Refusal::Unknown("the token is not known (any more)".into()))
}

/// Whose token a request without a path carries, as a call of gRPC: a token that may read is enough.
///
/// # Errors
/// If it carries none, or one that is not known, has expired, or is of somebody who is banned.
pub async fn token_owner(
    app: &App,
    headers: &HeaderMap,
    address: ClientAddress,
) -> Result<Requester, Refusal> {
    let missing = || Refusal::Unknown("a token is needed: 'authorization: Bearer TOKEN'".into());
    if !headers.contains_key(header::AUTHORIZATION) {
        return Err(missing());
    }
    let Some(Credential::Token(token)) = credential(app, headers)? else { return Err(missing()) };
    let (who, _) = owner_of(app, token).await?;
    note_address(app, &who.user, address).await;
    Ok(who)
}

/// Notes that an account is used from an address, through the journal: people who come at the same
/// time share a commit. Where it cannot be written (a disk may be full), the request goes on.
async fn note_address(app: &App, user: &str, address: ClientAddress) {
    let Some(note) = app.addresses.note(user, address) else { return };
    let change = Change { statements: vec![note], ..Change::default() };
    if let Err(error) = app.tables.journal().write(change).await {
        tracing::warn!(%error, "where an account is used from could not be noted");
    }
}

impl FromRequestParts<App> for Requester {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let who = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        who.ok_or_else(|| match credential(app, &parts.headers) {
            Ok(Some(_)) => Refusal::Unknown("the session is over; sign in again".into()),
            _ => Refusal::Unknown(
                "sign in first, or play as a guest: the request has no session cookie and no token"
                    .into(),
            ),
        })
    }
}

impl FromRequestParts<App> for LoggedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let who = <Requester as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        let session = who.session.clone().ok_or_else(|| {
            Refusal::Forbidden("a token cannot do this; sign in with a password".into())
        })?;
        Ok(Self { who, session })
    }
}

/// Whether a request changes nothing. A socket is a way to play.
fn only_reads(parts: &Parts) -> bool {
    matches!(parts.method, Method::GET | Method::HEAD)
        && !parts.headers.contains_key(header::UPGRADE)
}

fn credential<'a>(app: &App, headers: &'a HeaderMap) -> Result<Option<Credential<'a>>, Refusal> {
    let Some(authorization) = headers.get(header::AUTHORIZATION) else {
        return Ok(secret_of(&app.config, headers).map(Credential::Cookie));
    };
    let token = authorization.to_str().ok().and_then(|text| text.split_once(' '));
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            Ok(Some(Credential::Token(token.trim())))
        }
        _ => Err(Refusal::Unknown("the header must be 'Authorization: Bearer TOKEN'".into())),
    }
}

impl FromRequestParts<App> for Moderator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let LoggedIn { who, .. } = LoggedIn::from_request_parts(parts, app).await?;
        let role = role_of(&app.db, &who.user).await?;
        if role == Role::User {
            return Err(Refusal::Forbidden("this is for moderators".into()));
        }
        Ok(Self { user: who.user, name: who.name, role })
    }
}
