//! The server: accounts, tables, sockets, storage, ratings.
//!
//! One process owns its tables: each is a task that holds one game, takes commands from its
//! mailbox, writes every change to the log before it tells anybody, and is rebuilt from that log
//! after any end. `docs/api.md` describes what clients see.
//!
//! From the ground up; a module imports only those before it (`tests/borders.rs` checks it):
//!
//! - `ids`, `time`, `text`, `logs`, `metrics`, [`wire`] (what clients see), [`error`] (why a request
//!   had no effect), [`address`] (where a request comes from).
//! - [`bus`]: messages between the nodes that share a database.
//! - [`config`]: what the operator has set.
//! - [`limits`]: how often somebody may do something, and how many connections an address has.
//! - [`page`]: the files of the page, in memory.
//! - [`games`]: what the server asks of a game beside its rules; `deck` is the secret draws.
//! - [`storage`]: `db` is both databases through one portable dialect, `db/ownership` the lock and
//!   the epoch; `records` are stored games as text and pictures.
//! - [`engine`]: `work` is what it does for people, on threads of this server or on workers elsewhere, `analysis` what it
//!   thinks of a position.
//! - [`people`]: `accounts` (names, passwords, devices, sessions, tokens, second factor),
//!   `ratings`, `statistics`, `fairplay` (`docs/fairplay.md`), `moderation` with the audit log. The
//!   SQL of each subject stands in its `store`; rows of the log are written by `play/journal`, those
//!   of imported games by `play/import`.
//! - [`reviews`]: finished games looked at by the engine, made once and kept.
//! - [`studies`]: games with variations and comments, by one person or several.
//! - [`puzzles`]: positions with one clear best turn, rated like their solvers.
//! - [`play`]: `table` is a task for each game (its first lines list the parts), `journal` the one
//!   writer of games, which settles ratings with their ends, `seekers` quick match.
//! - [`app`]: what all requests share.
//! - [`staff`]: what moderators and the command line do to a running server; backups.
//! - [`edge`]: `accept` (connections), `extract` (who is asking), `http` (the routes, one file for
//!   each area), `socket`, `page` and `preview`.
//! - `start` and [`run`]: from a configuration to a graceful end.
//!
//! A request passes `edge/http/watch` (id, log, metrics), `headers`, `problems` (every refusal is
//! JSON) and `guard` (origin, size), and comes to its area's handler. An area lists its
//! routes with `routes!`; a test holds that list and the handlers' own descriptions against
//! `openapi.json`, so that none is missing from the API's document. What follows from a route's
//! kind is added in `http/document/answers`. Where assertions are on, an answer that is
//! not in the document is turned into an error, so that any test finds it.

#![forbid(unsafe_code)]

pub mod address;
pub mod app;
pub mod bus;
pub mod config;
pub mod edge;
pub mod engine;
pub mod error;
pub mod games;
pub mod ids;
pub mod limits;
pub mod logs;
pub mod metrics;
pub mod page;
pub mod people;
pub mod play;
pub mod puzzles;
pub mod reviews;
pub mod run;
pub mod staff;
mod start;
pub mod storage;
pub mod studies;
pub mod text;
pub mod time;
pub mod wire;

pub use app::App;
pub use config::Config;
pub use start::StartError;
