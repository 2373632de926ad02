//! Log lines: for people or as JSON, to the standard error stream.
//!
//! A request's line has its id, method, route, status and duration. No line has a cookie, a
//! token, a password, a body, or the query of an address.

use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

/// A text that is no filter for log lines.
#[derive(Debug, thiserror::Error)]
#[error("'{filter}' is no filter for logs ({error}); expected as 'info' or 'server=debug'")]
pub struct NotAFilter {
    filter: String,
    error: ParseError,
}

/// Begins to log. Only the first call in a process has an effect.
///
/// # Errors
/// If the filter is not one like `info` or `server=debug,sqlx=warn`.
pub fn init(filter: &str, json: bool) -> Result<(), NotAFilter> {
    let targets = filter.parse::<Targets>();
    let targets = targets.map_err(|error| NotAFilter { filter: filter.to_owned(), error })?;
    let lines = fmt::layer().with_writer(std::io::stderr);
    let log = registry().with(targets);
    // Tests start several servers in one process; the first has set it up for all.
    let _ = if json {
        log.with(lines.json().flatten_event(true)).try_init()
    } else {
        log.with(lines).try_init()
    };
    Ok(())
}
