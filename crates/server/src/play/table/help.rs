//! No help from the engine where it must not be: for nobody on the board of a rated game that is being
//! played, nor on that of people who play people, unless all of them allow it; and for the players
//! of a rated game with a clock of minutes on no board at all.

use super::manager::Tables;
use crate::error::Refusal;
use crate::games::{BoardPiece, Hosted, RecordError, WithGame, are_alike, with_game};
use crate::storage::records::Stored;
use crate::wire::ClockRule;
use game::{Record, Turn};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What nodes ask each other: whether the engine may help somebody at positions.
const HELP: &str = "help";

/// Moves that two games have in common by chance at most: the first turns.
const COMMON_OPENING: usize = 6;

/// Why who plays a rated game is not helped.
pub(super) const PLAYS_RATED: &str =
    "you are playing a rated game: the engine does not help until it is over";

/// Why nobody is helped on a board.
pub(super) const fn why_not(rated: bool) -> &'static str {
    if rated {
        "this is a rated game that is being played: the engine does not help until it is over"
    } else {
        "people are playing this game: the engine does not help until it is over, unless all of \
         them allow it"
    }
}

/// Whether the players of a rated game are refused whatever they ask about.
pub(super) fn is_strict(clock: ClockRule) -> bool {
    clock != ClockRule::None && !clock.is_correspondence()
}

/// A position: how it was reached, and what lies where.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reached {
    /// The game's id.
    pub(super) game: Cow<'static, str>,
    /// Its moves, in our notation; before them the position that was laid by hand, if it began with one.
    pub(super) moves: Vec<String>,
    pub(super) board: Vec<BoardPiece>,
}

/// A board on which the engine must not help.
#[derive(Clone, Debug)]
pub(super) struct Guarded {
    pub(super) board: Reached,
    rated: bool,
    /// Whether its players are refused whatever they ask about: a board can be disguised, and the
    /// game is over soon. Games that go on for days do not keep anybody from their other games.
    strict: bool,
}

impl Reached {
    /// The position after so many moves of a record in any form that the game reads, or after all
    /// of them.
    ///
    /// # Errors
    /// If it cannot be read or is not legal; says where and why.
    pub fn read(game: &str, record: &str, ply: Option<usize>) -> Result<Self, Refusal> {
        struct Read<'a>(&'a str, Option<usize>);
        impl WithGame for Read<'_> {
            type Out = Result<Reached, RecordError>;
            fn with<G: Hosted>(self) -> Self::Out {
                let record = G::read_record(self.0)?;
                let plies = self.1.unwrap_or(usize::MAX).min(record.moves.len());
                let position = record.replay_to(plies, |_, _| {});
                let position = position.map_err(|e| RecordError::Illegal(e.to_string()))?;
                Ok(Reached::of(&position, &record, record.moves[..plies].iter().copied()))
            }
        }
        Ok(with_game(game, Read(record, ply))??)
    }

    /// Every position of a record in which somebody has just moved, after the first moves, which games
    /// have in common by chance.
    fn all(game: &str, record: &str) -> Result<Vec<Self>, Refusal> {
        struct Read<'a>(&'a str);
        impl WithGame for Read<'_> {
            type Out = Result<Vec<Reached>, RecordError>;
            fn with<G: Hosted>(self) -> Self::Out {
                let record = G::read_record(self.0)?;
                let mut all = Vec::new();
                let mut position = record.start(|_| {});
                for (index, m) in record.moves.iter().enumerate() {
                    let drawn = position.turn() == Turn::Chance;
                    position.play_unchecked(*m, |_| {});
                    if !drawn && index >= COMMON_OPENING {
                        let moves = record.moves[..=index].iter().copied();
                        all.push(Reached::of(&position, &record, moves));
                    }
                }
                Ok(all)
            }
        }
        Ok(with_game(game, Read(record))??)
    }

    /// A position that these moves led to, from the beginning of a record.
    pub(super) fn of<G: Hosted>(
        position: &G,
        beginning: &Record<G>,
        moves: impl Iterator<Item = G::Move>,
    ) -> Self {
        let laid = beginning.laid().map(str::to_owned);
        let moves = laid.into_iter().chain(moves.map(|moved| moved.to_string())).collect();
        Self { game: G::NAME.into(), moves, board: position.landmarks() }
    }

    /// Whether it is a position of the same game, or nearly so: an order, a notation, a header, a
    /// meeple or a few tiles may differ.
    pub(super) fn is_like(&self, running: &Self) -> bool {
        if self.game != running.game {
            return false;
        }
        let pairs = self.moves.iter().zip(&running.moves);
        let common = pairs.take_while(|(one, other)| one == other).count();
        let shorter = self.moves.len().min(running.moves.len());
        common > COMMON_OPENING
            || (common == shorter && common > 1)
            || are_alike(&self.board, &running.board)
    }
}

impl Guarded {
    /// The board of a game that is being played and does not allow help.
    pub(super) fn new(board: Reached, rated: bool, clock: ClockRule) -> Self {
        Self { board, rated, strict: rated && is_strict(clock) }
    }
}

impl Tables {
    /// Refuses a review that would help in a game that is being played. A game that was played here is
    /// none of these; a record from outside may be one with moves added, so all its positions count.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub async fn refuse_review(&self, user: &str, stored: &Stored) -> Result<(), Refusal> {
        self.refuse_review_of(user, &stored.game, &stored.record(), stored.imported).await
    }

    /// The same for a record; `from_outside` says that it need not be of a game that was played here.
    ///
    /// # Errors
    /// If the record does not replay, or the engine must not help; says why.
    pub async fn refuse_review_of(
        &self,
        user: &str,
        game: &str,
        record: &str,
        from_outside: bool,
    ) -> Result<(), Refusal> {
        let (tables, user) = (self.clone(), user.to_owned());
        let (game, record) = (game.to_owned(), record.to_owned());
        let asker = user.clone();
        let allowed = tokio::task::spawn_blocking(move || {
            let mut asked = vec![Reached::read(&game, &record, None)?];
            if from_outside {
                asked.extend(Reached::all(&game, &record)?);
            }
            asked.iter().try_for_each(|one| tables.refuse_help(Some(&asker), one))?;
            Ok::<_, Refusal>(asked)
        });
        let asked = allowed.await.map_err(|_| Refusal::Internal)??;
        self.refuse_help_elsewhere(Some(&user), &asked).await?;
        for asked in asked {
            self.refuse_help_asleep(Some(&user), &asked).await?;
        }
        Ok(())
    }

    /// Refuses a position of a record while it matters, on boards that are played and on those that sleep.
    ///
    /// # Errors
    /// If the record does not replay, or the engine must not help; says why.
    pub async fn refuse_help_at(
        &self,
        user: Option<&str>,
        game: &str,
        record: &str,
        ply: Option<usize>,
    ) -> Result<(), Refusal> {
        let (tables, asker) = (self.clone(), user.map(str::to_owned));
        let (game, record) = (game.to_owned(), record.to_owned());
        // Comparing it with every board that people play on takes a while where there are many.
        let allowed = tokio::task::spawn_blocking(move || {
            let asked = Reached::read(&game, &record, ply)?;
            tables.refuse_help(asker.as_deref(), &asked)?;
            Ok::<_, Refusal>(asked)
        });
        let asked = allowed.await.map_err(|_| Refusal::Internal)??;
        self.refuse_help_elsewhere(user, std::slice::from_ref(&asked)).await?;
        self.refuse_help_asleep(user, &asked).await
    }

    /// Answers other nodes that want to help somebody.
    pub(super) fn listen_to_help(&self) {
        let tables = self.downgrade();
        self.exchange().answer(HELP, move |_, (user, asked): (Option<String>, Vec<Reached>)| {
            let tables = tables.upgrade();
            async move {
                let Some(tables) = tables else { return Some(Refusal::Internal) };
                let look = move || {
                    asked.iter().try_for_each(|one| tables.refuse_help(user.as_deref(), one))
                };
                let allowed = tokio::task::spawn_blocking(look).await;
                allowed.unwrap_or(Err(Refusal::Internal)).err()
            }
        });
    }

    /// Refuses positions of games in the memory of other nodes.
    async fn refuse_help_elsewhere(
        &self,
        user: Option<&str>,
        asked: &[Reached],
    ) -> Result<(), Refusal> {
        let exchange = self.exchange();
        let members = exchange.members();
        let others = members.iter().filter(|node| **node != exchange.me());
        let questions = others.map(|node| {
            let question = (user, asked);
            async move { exchange.ask::<Option<Refusal>>(*node, HELP, &question).await }
        });
        for answer in futures_util::future::join_all(questions).await {
            match answer {
                Ok(None) => {}
                Ok(Some(refusal)) => return Err(refusal),
                // Whether people play there is not known.
                Err(silent) => return Err(Refusal::Unavailable(silent.to_string())),
            }
        }
        Ok(())
    }

    /// Refuses to think about a position while it matters: for somebody who plays a rated game of
    /// that kind, and for anybody about a board on which the engine must not help.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub fn refuse_help(&self, user: Option<&str>, asked: &Reached) -> Result<(), Refusal> {
        for listing in self.listings().all() {
            let Some(guarded) = &listing.guarded else { continue };
            if guarded.board.game != asked.game {
                continue;
            }
            let why = if guarded.strict && user.is_some_and(|user| listing.sits(user)) {
                PLAYS_RATED
            } else if !asked.is_like(&guarded.board) {
                continue;
            } else {
                why_not(guarded.rated)
            };
            return Err(Refusal::Forbidden(why.to_owned()));
        }
        Ok(())
    }
}
