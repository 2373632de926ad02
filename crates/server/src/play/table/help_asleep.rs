//! No help from the engine on boards of games that sleep: they are found by a few numbers in the
//! database, and compared only then.

use super::help::{PLAYS_RATED, Reached, is_strict, why_not};
use super::manager::Tables;
use super::store::parse;
use crate::error::Refusal;
use crate::play::games::{SKETCH, sketch};
use crate::storage::db::journal::{Bound, Statement};
use crate::storage::records::Stored;
use crate::wire::ClockRule;
use sqlx::AssertSqlSafe;

/// Moves by which the opening of a game is known again.
const OPENING: usize = 7;

/// How many boards are compared with a question at most; it has hardly ever one.
const COMPARED: i64 = 64;

impl Reached {
    /// The numbers under which the board is kept while its game sleeps.
    fn marks(&self) -> [i64; SKETCH + 1] {
        let mut marks = [0; SKETCH + 1];
        for (mark, part) in marks.iter_mut().zip(sketch(&self.board)) {
            *mark = number(self.game, &[&part.to_string()]);
        }
        marks[SKETCH] = self.opening(self.moves.len().min(OPENING));
        marks
    }

    /// The numbers under which a game may be kept of which this is a position, or nearly one. That
    /// game may be shorter than the question.
    fn clues(&self) -> Vec<i64> {
        let shorter = (2..OPENING.min(self.moves.len())).map(|moves| self.opening(moves));
        self.marks().into_iter().chain(shorter).collect()
    }

    fn opening(&self, moves: usize) -> i64 {
        let first: Vec<&str> = self.moves[..moves].iter().map(String::as_str).collect();
        number(self.game, &first)
    }
}

fn number(game: &str, texts: &[&str]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    for text in std::iter::once(&game).chain(texts) {
        hasher.update(text.as_bytes()).update(&[0]);
    }
    let bytes = *hasher.finalize().as_bytes();
    i64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}

/// What keeps a board while its game sleeps.
pub(super) fn keep(game: &str, board: &Reached) -> Vec<Statement> {
    let marks = board.marks();
    let mut values = vec![game.into()];
    values.extend(marks.iter().copied().map(Bound::from));
    vec![
        forget(game),
        Statement::new(
            "INSERT INTO sleeping_boards (game_id, mark) VALUES ($1, $2), ($1, $3), ($1, $4), \
             ($1, $5), ($1, $6), ($1, $7), ($1, $8) ON CONFLICT DO NOTHING",
            values,
        ),
    ]
}

/// What forgets it again.
pub(super) fn forget(game: &str) -> Statement {
    Statement::new("DELETE FROM sleeping_boards WHERE game_id = $1", vec![game.into()])
}

impl Tables {
    /// Refuses to think about a position of a game that sleeps, as [`Tables::refuse_help`] does for
    /// games in memory.
    ///
    /// # Errors
    /// If the engine must not help; says why.
    pub async fn refuse_help_asleep(
        &self,
        user: Option<&str>,
        asked: &Reached,
    ) -> Result<(), Refusal> {
        if let Some(user) = user
            && self.plays_rated_asleep(user, asked.game).await?
        {
            return Err(Refusal::Forbidden(PLAYS_RATED.to_owned()));
        }
        let clues = asked.clues();
        let places: Vec<String> = (1..=clues.len()).map(|place| format!("${place}")).collect();
        let sql = format!(
            "SELECT DISTINCT game_id FROM sleeping_boards WHERE mark IN ({}) LIMIT {COMPARED}",
            places.join(", ")
        );
        let mut query = sqlx::query_scalar(AssertSqlSafe(sql));
        for clue in clues {
            query = query.bind(clue);
        }
        let found: Vec<String> = query.fetch_all(&self.db().pool).await?;
        for game in found {
            let Some(stored) = Stored::find(self.db(), &game).await? else { continue };
            let rated = stored.rated;
            let read = move || Reached::read(&stored.game, &stored.record(), None);
            let kept = tokio::task::spawn_blocking(read).await.map_err(|_| Refusal::Internal)??;
            if asked.is_like(&kept) {
                return Err(Refusal::Forbidden(why_not(rated).to_owned()));
            }
        }
        Ok(())
    }

    async fn plays_rated_asleep(&self, user: &str, game: &str) -> Result<bool, Refusal> {
        let sql = "SELECT g.clock FROM seats s JOIN games g ON g.id = s.game_id \
                   WHERE s.user_id = $1 AND s.kind = 'user' AND g.status = 'playing' \
                   AND g.rated = 1 AND g.game = $2 AND g.sleep IS NOT NULL";
        let clocks = sqlx::query_scalar(sql).bind(user).bind(game);
        for clock in clocks.fetch_all(&self.db().pool).await? {
            if is_strict(parse::<ClockRule>(clock)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
