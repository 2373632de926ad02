//! Why a request had no effect: one enum, an exhaustive status, a sentence for people.

use crate::wire::Problem;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Why a request had no effect. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    /// Too many requests.
    #[error("too many requests ({what}); try again in {seconds} s")]
    TooMany {
        /// Of which kind.
        what: &'static str,
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
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Bad(_) => "bad_request",
            Self::Unknown(_) => "not_logged_in",
            Self::WrongPassword => "wrong_password",
            Self::SecondFactorNeeded => "second_factor_needed",
            Self::WrongCode => "wrong_code",
            Self::Forbidden(_) => "forbidden",
            Self::NotFound(_) => "not_found",
            Self::IllegalMove(_) => "illegal_move",
            Self::StaleVersion { .. } => "stale_version",
            Self::NotYourTurn(_) => "not_your_turn",
            Self::Conflict(_) => "conflict",
            Self::TooLarge(_) => "too_large",
            Self::TooMany { .. } => "too_many_requests",
            Self::MustWait { .. } => "must_wait",
            Self::Unavailable(_) => "unavailable",
            Self::Internal => "internal",
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
            Self::TooMany { .. } | Self::MustWait { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What goes over the wire.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem { code: self.code().to_owned(), message: self.to_string() }
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
        if let Self::TooMany { seconds, .. } | Self::MustWait { seconds } = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
