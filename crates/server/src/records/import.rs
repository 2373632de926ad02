//! Records from outside: replayed to their end, then stored as games that were played elsewhere.

use crate::accounts::Who;
use crate::db::Db;
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, read_any_record, with_game};
use crate::text::{is_blank, misleads};
use crate::wire::{Breakdown, ClockRule, GameResult, Import, Imported, Reason};
use crate::{ids, time};
use game::{ByPlayer, Record, Turn};
use serde_json::Value;
use sqlx::AnyConnection;

/// Takes in a record; the game is unrated, and listed only for whoever took it in.
///
/// # Errors
/// If it cannot be read or is not legal; says where and why.
pub async fn import(db: &Db, who: &Who, asked: Import) -> Result<Imported, Refusal> {
    let names = asked.names.clone();
    let read = move || {
        let (game, text) = read_any_record(&asked.record)?;
        with_game(game, Read { text, names })?
    };
    let played = tokio::task::spawn_blocking(read).await.map_err(|_| Refusal::Internal)??;
    let id = ids::new_game_id();
    let mut transaction = db.begin().await?;
    played.write(&mut transaction, &id, who).await?;
    transaction.commit().await?;
    let finished = played.result.reason != Reason::Abort;
    Ok(Imported { id, plies: played.moves.len(), finished })
}

/// A game that was played elsewhere.
struct Played {
    game: &'static str,
    setup: String,
    options: Value,
    names: Vec<String>,
    /// Each with its seat; none for a draw.
    moves: Vec<(String, Option<i64>)>,
    turns: i64,
    result: GameResult,
    breakdown: Vec<Breakdown>,
}

struct Read {
    text: String,
    names: Vec<String>,
}

impl WithGame for Read {
    type Out = Result<Played, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let record = G::read_record(&self.text).map_err(Refusal::IllegalMove)?;
        played::<G>(&record, self.names)
    }
}

fn played<G: Hosted>(record: &Record<G>, names: Vec<String>) -> Result<Played, Refusal> {
    let mut tally = G::Tally::default();
    let mut game = G::start(&record.setup, |event| G::count(&mut tally, &event));
    let (mut moves, mut turns) = (Vec::new(), 0);
    for m in &record.moves {
        let before = game.turn();
        let seat = match before {
            Turn::Player(player) => Some(player.index() as i64),
            Turn::Chance | Turn::Over => None,
        };
        moves.push((m.to_string(), seat));
        game.play(*m, |event| G::count(&mut tally, &event))
            .map_err(|illegal| Refusal::IllegalMove(illegal.to_string()))?;
        turns += i64::from(seat.is_some() && game.turn() != before);
    }
    Ok(Played {
        game: G::NAME,
        setup: record.setup.to_string(),
        options: G::options(&record.setup),
        names: checked(names, game.players())?,
        moves,
        turns,
        result: result(&game.scores(), game.turn() == Turn::Over),
        breakdown: game.breakdown(&tally),
    })
}

/// The result as far as the record goes: one that stops early has no winner.
fn result(scores: &ByPlayer<i32>, over: bool) -> GameResult {
    let points = scores.as_slice();
    let place = |own: &i32| points.iter().filter(|other| *other > own).count() + 1;
    GameResult {
        winners: match over {
            true => scores.leaders().iter().map(game::Player::index).collect(),
            false => Vec::new(),
        },
        scores: points.to_vec(),
        places: if over { points.iter().map(place).collect() } else { Vec::new() },
        reason: if over { Reason::Normal } else { Reason::Abort },
    }
}

/// The most characters of a name.
const LONGEST_NAME: usize = 40;

fn checked(names: Vec<String>, seats: usize) -> Result<Vec<String>, Refusal> {
    if names.len() > seats {
        return Err(Refusal::Bad(format!("{} names for {seats} seats", names.len())));
    }
    let wrong = |name: &&String| {
        is_blank(name) || name.chars().count() > LONGEST_NAME || name.chars().any(misleads)
    };
    if let Some(name) = names.iter().find(wrong) {
        let name = game::excerpt(name, LONGEST_NAME);
        return Err(Refusal::Bad(format!(
            "'{name}' is no name; a name has 1 to {LONGEST_NAME} printable characters"
        )));
    }
    let nameless = |seat: usize| format!("Player {}", seat + 1);
    Ok((0..seats).map(|seat| names.get(seat).cloned().unwrap_or_else(|| nameless(seat))).collect())
}

impl Played {
    async fn write(&self, to: &mut AnyConnection, id: &str, who: &Who) -> Result<(), Refusal> {
        let now = time::now();
        let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
                   pass_and_play, imported, host, seed, seed_given, commitment, created, started, \
                   ended, result, turns) VALUES ($1, $2, $3, $4, 'over', 0, 'link', $5, 0, 1, $6, \
                   $7, 0, '', $8, $8, $8, $9, $10)";
        sqlx::query(sql)
            .bind(id)
            .bind(self.game)
            .bind(&self.setup)
            .bind(self.options.to_string())
            .bind(json(&ClockRule::None))
            .bind(&who.user)
            // Nothing is drawn any more; the column wants a seed.
            .bind("0".repeat(64))
            .bind(now)
            .bind(json(&self.result))
            .bind(self.turns)
            .execute(&mut *to)
            .await?;
        for (seat, name) in self.names.iter().enumerate() {
            let sql = "INSERT INTO seats (game_id, seat, kind, name, nonce, score, place, \
                       breakdown) VALUES ($1, $2, 'user', $3, '', $4, $5, $6)";
            sqlx::query(sql)
                .bind(id)
                .bind(seat as i64)
                .bind(name)
                .bind(i64::from(self.result.scores[seat]))
                .bind(self.result.places.get(seat).map(|place| *place as i64))
                .bind(self.breakdown.get(seat).map(json))
                .execute(&mut *to)
                .await?;
        }
        for (index, (text, seat)) in self.moves.iter().enumerate() {
            let sql = "INSERT INTO log (game_id, ply, seat, kind, body, at, clocks) \
                       VALUES ($1, $2, $3, $4, $5, $6, '[]')";
            sqlx::query(sql)
                .bind(id)
                .bind(index as i64 + 1)
                .bind(*seat)
                .bind(if seat.is_some() { "move" } else { "draw" })
                .bind(text)
                .bind(now)
                .execute(&mut *to)
                .await?;
        }
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}
