//! Records from outside: replayed to their end, then stored as games that were played elsewhere.

use crate::error::Refusal;
use crate::games::{Hosted, WithGame, read_any_record, with_game};
use crate::people::accounts::Requester;
use crate::play::journal::{Change, Journal, LogRow};
use crate::play::table::store::games::{self, ImportedRow};
use crate::play::table::store::seats;
use crate::storage::db::Db;
use crate::text::{is_blank, is_misleading};
use crate::wire::{Breakdown, GameResult, Import, Imported, Reason};
use crate::{ids, time};
use game::{ByPlayer, Record, Turn};
use serde_json::Value;

/// What became of a record that was handed in.
pub enum TakenIn {
    /// It is a game now.
    New(Imported),
    /// Another one was handed in under the same key before.
    Known(Imported),
}

/// Takes in a record; the game is unrated, and listed only for whoever took it in. One that a browser
/// hands in twice is stored once.
///
/// # Errors
/// If it cannot be read or is not legal; says where and why.
pub async fn import_game(
    db: &Db,
    journal: &Journal,
    who: &Requester,
    asked: Import,
) -> Result<TakenIn, Refusal> {
    let Import { record, names, offline_key } = asked;
    let key = checked_key(offline_key)?;
    let known = async || match &key {
        None => Ok(None),
        Some(key) => games::handed_in(db, &who.user, key).await,
    };
    if let Some(known) = known().await? {
        return Ok(TakenIn::Known(known));
    }
    let read = move || {
        let (game, text) = read_any_record(&record)?;
        with_game(game, Read { text, names })?
    };
    let played = tokio::task::spawn_blocking(read).await.map_err(|_| Refusal::Internal)??;
    let (plies, finished) = (played.moves.len(), played.result.reason != Reason::Abort);
    let id = ids::new_game_id();
    if journal.write(played.change(&id, who, key.as_deref())).await.is_ok() {
        return Ok(TakenIn::New(Imported { id, plies, finished }));
    }
    // Two tabs of a browser at the same time: the other one was first.
    known()
        .await?
        .map(TakenIn::Known)
        .ok_or_else(|| Refusal::Unavailable("the game could not be stored; try again".to_owned()))
}

/// A browser's key for a game that was played there.
fn checked_key(key: Option<String>) -> Result<Option<String>, Refusal> {
    let fits = |key: &String| {
        (8..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    match key.as_ref().is_none_or(fits) {
        true => Ok(key),
        false => Err(Refusal::Bad("an 'offline_key' has 8 to 64 letters and digits".to_owned())),
    }
}

/// A game that was played elsewhere.
struct ImportedGame {
    game: &'static str,
    setup: String,
    laid: Option<String>,
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
    type Out = Result<ImportedGame, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let record = G::read_record(&self.text)?;
        played::<G>(&record, self.names)
    }
}

fn played<G: Hosted>(record: &Record<G>, names: Vec<String>) -> Result<ImportedGame, Refusal> {
    let mut tally = G::Tally::default();
    let mut game = record.start(|event| G::count(&mut tally, &event));
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
    Ok(ImportedGame {
        game: G::NAME,
        setup: record.setup.to_string(),
        laid: record.laid().map(str::to_owned),
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
        is_blank(name) || name.chars().count() > LONGEST_NAME || name.chars().any(is_misleading)
    };
    if let Some(name) = names.iter().find(wrong) {
        let name = game::excerpt(name, LONGEST_NAME);
        return Err(Refusal::Bad(format!(
            "'{name}' is no name; a name has 1 to {LONGEST_NAME} printable characters"
        )));
    }
    let nameless = |seat: usize| format!("Player {}", seat + 1);
    let named = |seat: usize| names.get(seat).cloned().unwrap_or_else(|| nameless(seat));
    Ok(told_apart((0..seats).map(named).collect()))
}

/// Numbers a name that several players have: "Ada", "Ada 2". A program may have played itself, and a game that a
/// browser hands in must not be lost because somebody is called like a bot.
fn told_apart(mut names: Vec<String>) -> Vec<String> {
    for seat in 1..names.len() {
        if !names[..seat].contains(&names[seat]) {
            continue;
        }
        let numbered = (2..).map(|number| {
            let end = format!(" {number}");
            let room = LONGEST_NAME - end.len();
            let begin: String = names[seat].chars().take(room).collect();
            format!("{}{end}", begin.trim_end())
        });
        let free = numbered.into_iter().find(|name| !names.contains(name));
        names[seat] = free.expect("there are more numbers than seats");
    }
    names
}

impl ImportedGame {
    /// What writes it.
    fn change(&self, id: &str, who: &Requester, offline_key: Option<&str>) -> Change {
        let now = time::now();
        let game = games::insert_imported(&ImportedRow {
            id,
            game: self.game,
            setup: &self.setup,
            laid: self.laid.as_deref(),
            options: &self.options,
            host: &who.user,
            at: now,
            result: &self.result,
            turns: self.turns,
            offline_key,
        });
        let seats = seats::insert_imported(id, &self.names, &self.result, &self.breakdown);
        let entry = |(index, (text, seat)): (usize, &(String, Option<i64>))| LogRow {
            game: id.to_owned(),
            ply: index as i64 + 1,
            seat: *seat,
            kind: if seat.is_some() { "move" } else { "draw" },
            body: text.clone(),
            at: now,
            clocks: "[]".to_owned(),
            spent: None,
        };
        Change {
            statements: std::iter::once(game).chain(seats).collect(),
            log: self.moves.iter().enumerate().map(entry).collect(),
            may_be_written: offline_key.is_some(),
            ..Change::default()
        }
    }
}
