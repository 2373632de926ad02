//! The server: accounts, tables, sockets, storage, ratings.
//!
//! One process owns its tables: each is a task that holds one game, takes commands from its
//! mailbox, writes every change to the log before it tells anybody, and is rebuilt from that log
//! after any end. `docs/api.md` describes what clients see.
//!
//! From the ground up; a module imports only those above it:
//!
//! - `ids`, `time`, `text`, `logs`, `metrics`, [`wire`] (what clients see), [`config`], [`error`]
//!   (why a request had no effect).
//! - [`storage`]: `db` is both databases through one portable dialect; `db/journal` the one writer
//!   of games, `db/ownership` the lock and the epoch, `db/backup` the portable file; `records` are
//!   games as text and pictures.
//! - [`engine`]: `bot_pool` shares threads among games, `analysis` thinks for people.
//! - [`people`]: `accounts` (names, passwords, devices, sessions, tokens, second factor),
//!   `ratings`, `statistics`, `fairplay` (`docs/fairplay.md`), `moderation` with the audit log. The
//!   SQL of each subject stands in its `store`, here and elsewhere.
//! - [`play`]: `table` is a task for each game (its first lines list the parts), `deck` the secret
//!   draws, `games` what the server asks of a game beside its rules, `seekers` quick match.
//! - [`app`]: what all requests share.
//! - [`staff`]: what moderators and the command line do to a running server.
//! - [`edge`]: `accept` (connections), `limits`, `address`, `extract` (who is asking), `http` (the
//!   routes, one file for each area), `socket`, `page`, `preview`.
//! - `start` and [`run`]: from a configuration to a graceful end.
//!
//! A request passes `edge/http/watch` (id, log, metrics), `headers`, `problems` (every refusal is
//! JSON) and `guard` (origin, size), and comes to its area's handler. An area brings its routes as
//! an `OpenApiRouter`, so that none is missing from the API's document; what follows from a
//! route's kind is added in `http/document/answers`. Where assertions are on, an answer that is
//! not in the document is turned into an error, so that any test finds it.

#![forbid(unsafe_code)]

pub mod app;
pub mod config;
pub mod edge;
pub mod engine;
pub mod error;
pub mod ids;
pub mod logs;
pub mod metrics;
pub mod people;
pub mod play;
pub mod run;
pub mod staff;
mod start;
pub mod storage;
pub mod text;
pub mod time;
pub mod wire;

pub use app::App;
pub use config::Config;
pub use start::StartError;
