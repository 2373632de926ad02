//! Games as they are stored: read from the log, replayed, drawn, listed.

mod pictures;
mod replay;
mod store;
mod summary;

pub use pictures::{CARD, Form, animation, card, picture};
pub use replay::{fairness, legal_turns, no_such_ply, replay, text};
pub use summary::{Filter, Outcome, finished, library, recent_of};

use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{Status, Visibility};

/// A stored game: what was settled, who sat there, and the moves that stand.
#[derive(Clone)]
pub struct Stored {
    /// The game's id.
    pub id: String,
    /// Its type's id.
    pub game: String,
    /// Its setup in our notation.
    pub setup: String,
    /// Where it stands.
    pub status: Status,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Whether all players allow the engine's help while it is played.
    pub help: bool,
    /// Whether it was played elsewhere.
    pub imported: bool,
    /// So many entries of its log were not played here: it began with a position.
    pub from_ply: i64,
    /// The position that it began with, if that was laid by hand: its text on one line.
    pub laid: Option<String>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The id of the user who made it.
    pub host: String,
    /// The seats in the order of play.
    pub seats: Vec<StoredSeat>,
    /// The moves that stand.
    pub moves: Vec<StoredMove>,
    /// The seed of its draws, which only the end of the game reveals.
    seed: String,
    commit: String,
}

/// A seat of a stored game.
#[derive(Clone, Debug)]
pub struct StoredSeat {
    /// The user, if it is a person.
    pub user: Option<String>,
    /// The bot, if it is one of ours.
    pub bot: Option<String>,
    /// The name.
    pub name: String,
    nonce: String,
}

/// A move of a stored game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMove {
    /// The move, in our notation.
    pub text: String,
    /// Whether chance made it.
    pub drawn: bool,
    entry: i64,
}

/// Id and record of the finished games of Carcassonne that everybody may see and that were played here from their
/// start to a result, the oldest first: those that begin with a position, were played elsewhere or called off are
/// none of them.
///
/// # Errors
/// If the database fails.
pub async fn whole_public_games(db: &Db) -> Result<Vec<(String, String)>, Refusal> {
    let mut games = Vec::new();
    for id in store::whole_public(db).await? {
        if let Some(game) = Stored::find(db, &id).await? {
            games.push((id, game.record()));
        }
    }
    Ok(games)
}

/// The ids of the people who played a game; `None` if there is no such game.
///
/// # Errors
/// If the database fails.
pub async fn players_of(db: &Db, id: &str) -> Result<Option<Vec<String>>, Refusal> {
    Ok(Stored::find(db, id)
        .await?
        .map(|game| game.seats.into_iter().filter_map(|seat| seat.user).collect()))
}

impl Stored {
    /// A game as its log has it now, whoever asks.
    pub(crate) async fn find(db: &Db, id: &str) -> Result<Option<Self>, Refusal> {
        let Some(mut stored) = store::game(db, id).await? else { return Ok(None) };
        stored.seats = store::seats(db, id).await?;
        for (entry, kind, body) in store::log(db, id).await? {
            stored.enter(entry, &kind, body);
        }
        Ok(Some(stored))
    }

    /// Takes in an entry of the log.
    fn enter(&mut self, entry: i64, kind: &str, body: String) {
        match kind {
            "move" | "draw" => {
                self.moves.push(StoredMove { text: body, drawn: kind == "draw", entry });
            }
            "takeback" => {
                let last: i64 = body.parse().unwrap_or(i64::MAX);
                self.moves.retain(|standing| standing.entry <= last);
            }
            _ => {}
        }
    }

    /// Whether somebody (the id of a user) may see it because it is open to all, or theirs.
    pub(crate) fn is_open_to(&self, user: Option<&str>) -> bool {
        self.visibility != Visibility::Private
            || user.is_some_and(|user| self.host == user || self.seats_of(user).count() > 0)
    }

    /// The seats of a user.
    pub fn seats_of<'a>(&'a self, user: &'a str) -> impl Iterator<Item = usize> + 'a {
        let is = move |seat: &StoredSeat| seat.user.as_deref() == Some(user);
        self.seats.iter().enumerate().filter(move |(_, seat)| is(seat)).map(|(number, _)| number)
    }

    /// Whether only bots play against this user.
    #[must_use]
    pub fn only_bots_against(&self, user: &str) -> bool {
        self.seats.iter().all(|seat| seat.bot.is_some() || seat.user.as_deref() == Some(user))
    }

    /// Whether it began with a position: then it is no whole game.
    #[must_use]
    pub const fn began_with_position(&self) -> bool {
        self.from_ply > 0 || self.laid.is_some()
    }

    /// The first line of its record.
    #[must_use]
    pub fn head(&self) -> String {
        format!("{} {}", self.game, self.setup)
    }

    /// Its record in our notation, without comments.
    #[must_use]
    pub fn record(&self) -> String {
        let mut text = self.head();
        if let Some(laid) = &self.laid {
            text.push_str("\nfrom ");
            text.push_str(laid);
        }
        for standing in &self.moves {
            text.push('\n');
            text.push_str(&standing.text);
        }
        text.push('\n');
        text
    }
}

impl std::fmt::Debug for Stored {
    /// Without the seed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (id, game, moves) = (&self.id, &self.game, self.moves.len());
        write!(f, "Stored {{ id: {id:?}, game: {game:?}, moves: {moves}, .. }}")
    }
}
