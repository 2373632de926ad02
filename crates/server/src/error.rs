//! Why a request had no effect: one enum, an exhaustive status, a sentence for people.

use crate::metrics::{self, WrongSecret};
use crate::wire::{Problem, ProblemCode};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Why a request had no effect. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    /// The request could not be read, or asks for something that does not exist.
    #[error("{0}")]
    Bad(String),
    /// No session and no token, or one that is not known; or a login that failed.
    #[error("{0}")]
    Unknown(String),
    /// The present password, asked for again, was not the right one.
    #[error("the present password is not right; nothing was changed")]
    WrongPassword,
    /// The password was right, and the account has a second factor.
    #[error("enter the code of your authenticator too, or one of your recovery codes")]
    SecondFactorNeeded,
    /// The code of the second factor was not right, or used before.
    #[error("the code is not right, or was used before; wait for the next one")]
    WrongCode,
    /// Known, but not allowed.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The rules do not allow the move.
    #[error("{0}")]
    IllegalMove(String),
    /// The client saw an older version of the game.
    #[error("the game is at version {now}, the request was for version {sent}")]
    StaleVersion {
        /// The version now.
        now: u64,
        /// The version sent.
        sent: u64,
    },
    /// Somebody else is to move.
    #[error("{0}")]
    NotYourTurn(String),
    /// It does not fit what is there: a name that is taken, a game that has begun.
    #[error("{0}")]
    Conflict(String),
    /// The request is larger than allowed.
    #[error("{0}")]
    TooLarge(String),
    /// The request did not arrive in time.
    #[error("the body took too long to arrive")]
    TooSlow,
    /// Too many requests.
    #[error("too many requests ({what}); try again in {seconds} s")]
    TooMany {
        /// Of which kind.
        what: Cow<'static, str>,
        /// When to try again.
        seconds: u64,
    },
    /// Who left rated games early again and again waits for the next one.
    #[error(
        "you left several rated games before they could count; you may play rated games again in \
         {seconds} s, and others at once"
    )]
    MustWait {
        /// When to try again.
        seconds: u64,
    },
    /// The server is stopping, or too busy.
    #[error("{0}")]
    Unavailable(String),
    /// A fault of ours; the log has the details.
    #[error("the server failed; nothing was changed")]
    Internal,
}

impl Refusal {
    /// There is no such game, or none that the asker may know of: both look alike.
    #[must_use]
    pub fn no_game(id: &str) -> Self {
        Self::NotFound(format!("there is no game '{}'", game::excerpt(id, 40)))
    }

    /// The stable word for programs.
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        match self {
            Self::Bad(_) => ProblemCode::BadRequest,
            Self::Unknown(_) => ProblemCode::NotLoggedIn,
            Self::WrongPassword => ProblemCode::WrongPassword,
            Self::SecondFactorNeeded => ProblemCode::SecondFactorNeeded,
            Self::WrongCode => ProblemCode::WrongCode,
            Self::Forbidden(_) => ProblemCode::Forbidden,
            Self::NotFound(_) => ProblemCode::NotFound,
            Self::IllegalMove(_) => ProblemCode::IllegalMove,
            Self::StaleVersion { .. } => ProblemCode::StaleVersion,
            Self::NotYourTurn(_) => ProblemCode::NotYourTurn,
            Self::Conflict(_) => ProblemCode::Conflict,
            Self::TooLarge(_) => ProblemCode::TooLarge,
            Self::TooSlow => ProblemCode::TooSlow,
            Self::TooMany { .. } => ProblemCode::TooManyRequests,
            Self::MustWait { .. } => ProblemCode::MustWait,
            Self::Unavailable(_) => ProblemCode::Unavailable,
            Self::Internal => ProblemCode::Internal,
        }
    }

    /// The status of the answer.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Unknown(_) | Self::SecondFactorNeeded | Self::WrongCode => {
                StatusCode::UNAUTHORIZED
            }
            Self::Forbidden(_) | Self::NotYourTurn(_) | Self::WrongPassword => {
                StatusCode::FORBIDDEN
            }
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::IllegalMove(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::StaleVersion { .. } | Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooMany { .. } | Self::MustWait { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What goes over the wire. What an operator watches is counted here, whichever way it goes.
    #[must_use]
    pub fn problem(&self) -> Problem {
        match self {
            Self::TooMany { what, .. } => {
                ::metrics::counter!("bastide_limited_total", "kind" => what.clone()).increment(1);
            }
            Self::WrongCode => metrics::count_wrong_secret(WrongSecret::SecondFactor),
            _ => {}
        }
        Problem { code: self.code(), message: self.to_string() }
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        tracing::error!(%error, "database");
        if passes(&error) {
            return Self::Unavailable("nothing can be stored at the moment; try again soon".into());
        }
        Self::Internal
    }
}

/// Whether a failure of the database passes by itself: a full disk, a database that is away.
fn passes(error: &sqlx::Error) -> bool {
    let code = match error {
        sqlx::Error::Database(error) => error.code(),
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => return true,
        _ => return false,
    };
    let Some(code) = code else { return false };
    match code.parse::<u32>() {
        // SQLite: busy, read-only, failed to write, full; the rest of the number says more.
        Ok(number) if code.len() < 5 => matches!(number & 0xff, 5 | 8 | 10 | 13),
        // PostgreSQL: the connection broke, there is no room, it is stopping.
        _ => ["08", "53", "57P"].iter().any(|class| code.starts_with(class)),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status(), Json(self.problem())).into_response();
        let headers = response.headers_mut();
        match self {
            Self::TooMany { seconds, .. } | Self::MustWait { seconds } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            Self::Unknown(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
