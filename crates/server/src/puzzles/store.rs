//! Puzzles, answers and solvers in the database.

use super::day_of;
use crate::people::ratings::{Rating, settle as settle_ratings};
use crate::storage::db::Db;
use crate::wire::{FirstAnswer, PuzzleTheme};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A puzzle as it is stored.
pub(super) struct Stored {
    pub(super) id: String,
    pub(super) themes: Vec<PuzzleTheme>,
    /// The text that it was read from.
    pub(super) body: String,
    pub(super) rating: Rating,
    pub(super) plays: u32,
    pub(super) solved: u32,
}

/// How uncertain the rating of a newcomer is, and so by how much one answer moves it at most. Games begin with
/// 350: there one wins or loses by more than one turn.
const FIRST_DEVIATION: f64 = 200.0;

/// The rating of somebody who has not answered anything yet.
fn newcomer() -> Rating {
    Rating { deviation: FIRST_DEVIATION, ..Rating::default() }
}

/// How somebody fares with puzzles.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub(super) rating: Rating,
    pub(super) answered: u32,
    pub(super) solved: u32,
    pub(super) run: u32,
    pub(super) best_run: u32,
    pub(super) daily_run: u32,
    pub(super) best_daily_run: u32,
    /// The last day on which the puzzle of the day was solved.
    pub(super) daily_last: i64,
}

impl Solver {
    fn new() -> Self {
        Self {
            rating: newcomer(),
            answered: 0,
            solved: 0,
            run: 0,
            best_run: 0,
            daily_run: 0,
            best_daily_run: 0,
            daily_last: 0,
        }
    }
}

/// A first answer with the solver's rating before and after it.
pub(super) struct Answer {
    pub(super) puzzle: String,
    pub(super) first: FirstAnswer,
    pub(super) before: f64,
    pub(super) after: f64,
    pub(super) themes: Vec<PuzzleTheme>,
}

/// The word of a theme in the database is that of the wire.
fn word(theme: PuzzleTheme) -> String {
    let word = serde_json::to_value(theme).ok();
    word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Words between spaces, with one at each end, so that a theme is found as ` word `.
fn words(themes: &[PuzzleTheme]) -> String {
    let words: String = themes.iter().map(|theme| format!(" {}", word(*theme))).collect();
    format!("{words} ")
}

/// What a later version calls a theme and this one does not know is left out.
fn themes(words: &str) -> Vec<PuzzleTheme> {
    let read = |word: &str| serde_json::from_value(serde_json::Value::from(word)).ok();
    words.split_whitespace().filter_map(read).collect()
}

fn rating(row: &AnyRow) -> Result<Rating, sqlx::Error> {
    Ok(Rating {
        rating: row.try_get("rating")?,
        deviation: row.try_get("deviation")?,
        volatility: row.try_get("volatility")?,
    })
}

fn count(row: &AnyRow, column: &str) -> Result<u32, sqlx::Error> {
    let count: i64 = row.try_get(column)?;
    Ok(u32::try_from(count).unwrap_or_default())
}

fn puzzle(row: &AnyRow) -> Result<Stored, sqlx::Error> {
    Ok(Stored {
        id: row.try_get("id")?,
        themes: themes(row.try_get("themes")?),
        body: row.try_get("body")?,
        rating: rating(row)?,
        plays: count(row, "plays")?,
        solved: count(row, "solved")?,
    })
}

/// Keeps those that are not there yet; answers how many.
pub(super) async fn insert(
    to: &mut AnyConnection,
    puzzles: &[Stored],
    at: i64,
) -> Result<usize, sqlx::Error> {
    let sql = "INSERT INTO puzzles (id, themes, body, rating, deviation, volatility, plays, solved, \
               added) VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7) ON CONFLICT DO NOTHING";
    let mut new = 0;
    for puzzle in puzzles {
        let Rating { rating, deviation, volatility } = puzzle.rating;
        let row = sqlx::query(sql)
            .bind(&puzzle.id)
            .bind(words(&puzzle.themes))
            .bind(&puzzle.body)
            .bind(rating)
            .bind(deviation)
            .bind(volatility)
            .bind(at);
        new += usize::from(row.execute(&mut *to).await?.rows_affected() > 0);
    }
    Ok(new)
}

pub(super) async fn find(db: &Db, id: &str) -> Result<Option<Stored>, sqlx::Error> {
    let sql = "SELECT id, themes, body, rating, deviation, volatility, plays, solved FROM puzzles \
               WHERE id = $1";
    let row = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await?;
    row.as_ref().map(puzzle).transpose()
}

/// The combinations of themes that there are, each with the number of its puzzles.
pub(super) async fn theme_groups(db: &Db) -> Result<Vec<(Vec<PuzzleTheme>, u32)>, sqlx::Error> {
    let sql = "SELECT themes, COUNT(*) AS puzzles FROM puzzles GROUP BY themes";
    let rows = sqlx::query(sql).fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((themes(row.try_get("themes")?), count(row, "puzzles")?))).collect()
}

/// The puzzles nearest to a rating that a user has not answered, the nearest first.
pub(super) async fn nearest(
    db: &Db,
    user: &str,
    theme: Option<PuzzleTheme>,
    but: &str,
    rating: f64,
    most: i64,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT p.id FROM puzzles p WHERE p.themes LIKE $1 AND p.id <> $2 \
               AND NOT EXISTS (SELECT 1 FROM puzzle_answers a \
                               WHERE a.user_id = $3 AND a.puzzle_id = p.id) \
               ORDER BY ABS(p.rating - $4), p.id LIMIT $5";
    let like = theme.map_or_else(|| "%".to_owned(), |theme| format!("% {} %", word(theme)));
    let rows = sqlx::query_scalar(sql).bind(like).bind(but).bind(user).bind(rating).bind(most);
    rows.fetch_all(&db.pool).await
}

pub(super) async fn daily(db: &Db, day: i64) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT puzzle_id FROM daily_puzzles WHERE day = $1";
    sqlx::query_scalar(sql).bind(day).fetch_optional(&db.pool).await
}

/// Makes a puzzle that of a day, unless the day has one.
pub(super) async fn set_daily(db: &Db, day: i64, puzzle: &str) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO daily_puzzles (day, puzzle_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    sqlx::query(sql).bind(day).bind(puzzle).execute(&db.pool).await?;
    Ok(())
}

/// Every puzzle with the last day whose puzzle it was.
pub(super) async fn last_days(db: &Db) -> Result<Vec<(String, Option<i64>)>, sqlx::Error> {
    let sql = "SELECT p.id, (SELECT MAX(d.day) FROM daily_puzzles d WHERE d.puzzle_id = p.id) AS day \
               FROM puzzles p";
    sqlx::query_as(sql).fetch_all(&db.pool).await
}

pub(super) async fn first_answer(
    db: &Db,
    user: &str,
    puzzle: &str,
) -> Result<Option<FirstAnswer>, sqlx::Error> {
    let mut connection = db.pool.acquire().await?;
    first_answer_in(&mut connection, user, puzzle).await
}

async fn first_answer_in(
    from: &mut AnyConnection,
    user: &str,
    puzzle: &str,
) -> Result<Option<FirstAnswer>, sqlx::Error> {
    let sql = "SELECT solved, answered FROM puzzle_answers WHERE user_id = $1 AND puzzle_id = $2";
    let row = sqlx::query(sql).bind(user).bind(puzzle).fetch_optional(from).await?;
    row.as_ref().map(first).transpose()
}

fn first(row: &AnyRow) -> Result<FirstAnswer, sqlx::Error> {
    let solved: i64 = row.try_get("solved")?;
    Ok(FirstAnswer { solved: solved != 0, at: row.try_get("answered")? })
}

/// The latest answers of somebody, the latest first.
pub(super) async fn latest_answers(
    db: &Db,
    user: &str,
    most: i64,
) -> Result<Vec<Answer>, sqlx::Error> {
    let sql = "SELECT a.puzzle_id, a.solved, a.answered, a.rating_before, a.rating_after, p.themes \
               FROM puzzle_answers a JOIN puzzles p ON p.id = a.puzzle_id WHERE a.user_id = $1 \
               ORDER BY a.answered DESC, a.puzzle_id LIMIT $2";
    let rows = sqlx::query(sql).bind(user).bind(most).fetch_all(&db.pool).await?;
    let answer = |row: &AnyRow| {
        Ok(Answer {
            puzzle: row.try_get("puzzle_id")?,
            first: first(row)?,
            before: row.try_get("rating_before")?,
            after: row.try_get("rating_after")?,
            themes: themes(row.try_get("themes")?),
        })
    };
    rows.iter().map(answer).collect()
}

/// How somebody fares; as a newcomer who has not answered anything yet.
pub(super) async fn solver(db: &Db, user: &str) -> Result<Solver, sqlx::Error> {
    let mut connection = db.pool.acquire().await?;
    solver_in(&mut connection, user).await
}

async fn solver_in(from: &mut AnyConnection, user: &str) -> Result<Solver, sqlx::Error> {
    let sql = "SELECT rating, deviation, volatility, answered, solved, run, best_run, daily_run, \
               best_daily_run, daily_last FROM puzzle_solvers WHERE user_id = $1";
    let row = sqlx::query(sql).bind(user).fetch_optional(from).await?;
    let Some(row) = &row else { return Ok(Solver::new()) };
    Ok(Solver {
        rating: rating(row)?,
        answered: count(row, "answered")?,
        solved: count(row, "solved")?,
        run: count(row, "run")?,
        best_run: count(row, "best_run")?,
        daily_run: count(row, "daily_run")?,
        best_daily_run: count(row, "best_daily_run")?,
        daily_last: row.try_get("daily_last")?,
    })
}

/// An answer that is to be counted.
pub(super) struct Settlement<'a> {
    pub(super) user: &'a str,
    /// Whether the answer was shown where the solver asks from: then no rating moves.
    pub(super) shown_here: bool,
    /// Whether the puzzle's rating moves too.
    pub(super) moves_puzzle: bool,
    pub(super) puzzle: &'a str,
    pub(super) right: bool,
    pub(super) at: i64,
    pub(super) today: i64,
    /// Whether it is the puzzle of the day.
    pub(super) daily: bool,
}

/// What came of an answer.
pub(super) struct Settled {
    pub(super) solver: Solver,
    /// By how much the solver's rating changed; none if the answer was not rated.
    pub(super) change: Option<f64>,
    /// Whether it was the first and not rated, because the answer was shown there before.
    pub(super) shown_here: bool,
}

/// Counts an answer: the first of a user to a puzzle moves the ratings of both, unless it was shown before. A day's puzzle that was answered
/// on an earlier day counts for the days in a row when it is answered right again.
pub(super) async fn settle(db: &Db, answer: &Settlement<'_>) -> Result<Settled, sqlx::Error> {
    let mut changes = db.begin().await?;
    lock_solver(&mut changes, answer.user).await?;
    let mut solver = solver_in(&mut changes, answer.user).await?;
    let earlier = first_answer_in(&mut changes, answer.user, answer.puzzle).await?;
    let mut change = None;
    if earlier.is_none() {
        let before = solver.rating;
        if !answer.shown_here {
            let puzzle = rate(&mut changes, answer, &mut solver.rating).await?;
            change = Some(solver.rating.rating - before.rating);
            if answer.moves_puzzle {
                move_puzzle(&mut changes, answer, puzzle).await?;
            }
        }
        solver.answered += 1;
        solver.solved += u32::from(answer.right);
        solver.run = if answer.right { solver.run + 1 } else { 0 };
        solver.best_run = solver.best_run.max(solver.run);
        insert_answer(&mut changes, answer, before, solver.rating).await?;
    }
    let is_new = earlier.is_none_or(|earlier| day_of(earlier.at) < answer.today);
    if answer.daily && answer.right && is_new && solver.daily_last < answer.today {
        let goes_on = solver.daily_last == answer.today - 1;
        solver.daily_run = if goes_on { solver.daily_run + 1 } else { 1 };
        solver.best_daily_run = solver.best_daily_run.max(solver.daily_run);
        solver.daily_last = answer.today;
    }
    write_solver(&mut changes, answer.user, &solver).await?;
    changes.commit().await?;
    Ok(Settled { solver, change, shown_here: answer.shown_here && earlier.is_none() })
}

/// Moves the solver's rating; answers with what the puzzle's would be.
async fn rate(
    changes: &mut AnyConnection,
    answer: &Settlement<'_>,
    solver: &mut Rating,
) -> Result<Rating, sqlx::Error> {
    let puzzle = locked_puzzle_rating(changes, answer.puzzle).await?;
    let places = if answer.right { [1, 2] } else { [2, 1] };
    let after = settle_ratings(&[*solver, puzzle], &places);
    // Nobody is less known than a newcomer.
    *solver = Rating { deviation: after[0].deviation.min(FIRST_DEVIATION), ..after[0] };
    Ok(after[1])
}

/// Whoever answers for the same user at the same time waits here.
async fn lock_solver(to: &mut AnyConnection, user: &str) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO puzzle_solvers (user_id, rating, deviation, volatility, answered, solved, \
               run, best_run, daily_run, best_daily_run, daily_last) \
               VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
    let Rating { rating, deviation, volatility } = newcomer();
    let newcomer = sqlx::query(sql).bind(user).bind(rating).bind(deviation).bind(volatility);
    newcomer.execute(&mut *to).await?;
    let sql = "UPDATE puzzle_solvers SET answered = answered WHERE user_id = $1";
    sqlx::query(sql).bind(user).execute(to).await?;
    Ok(())
}

/// The rating of a puzzle, which nobody else moves until the transaction ends.
async fn locked_puzzle_rating(to: &mut AnyConnection, id: &str) -> Result<Rating, sqlx::Error> {
    let sql = "UPDATE puzzles SET plays = plays WHERE id = $1";
    sqlx::query(sql).bind(id).execute(&mut *to).await?;
    let sql = "SELECT rating, deviation, volatility FROM puzzles WHERE id = $1";
    rating(&sqlx::query(sql).bind(id).fetch_one(to).await?)
}

async fn insert_answer(
    to: &mut AnyConnection,
    answer: &Settlement<'_>,
    before: Rating,
    after: Rating,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO puzzle_answers (user_id, puzzle_id, solved, answered, rating_before, \
               rating_after) VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query(sql)
        .bind(answer.user)
        .bind(answer.puzzle)
        .bind(i64::from(answer.right))
        .bind(answer.at)
        .bind(before.rating)
        .bind(after.rating)
        .execute(to)
        .await?;
    Ok(())
}

async fn move_puzzle(
    to: &mut AnyConnection,
    answer: &Settlement<'_>,
    after: Rating,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE puzzles SET rating = $1, deviation = $2, volatility = $3, plays = plays + 1, \
               solved = solved + $4 WHERE id = $5";
    sqlx::query(sql)
        .bind(after.rating)
        .bind(after.deviation)
        .bind(after.volatility)
        .bind(i64::from(answer.right))
        .bind(answer.puzzle)
        .execute(to)
        .await?;
    Ok(())
}

async fn write_solver(
    to: &mut AnyConnection,
    user: &str,
    solver: &Solver,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE puzzle_solvers SET rating = $1, deviation = $2, volatility = $3, answered = $4, \
               solved = $5, run = $6, best_run = $7, daily_run = $8, best_daily_run = $9, \
               daily_last = $10 WHERE user_id = $11";
    sqlx::query(sql)
        .bind(solver.rating.rating)
        .bind(solver.rating.deviation)
        .bind(solver.rating.volatility)
        .bind(i64::from(solver.answered))
        .bind(i64::from(solver.solved))
        .bind(i64::from(solver.run))
        .bind(i64::from(solver.best_run))
        .bind(i64::from(solver.daily_run))
        .bind(i64::from(solver.best_daily_run))
        .bind(solver.daily_last)
        .bind(user)
        .execute(to)
        .await?;
    Ok(())
}

/// Who sat where in a game: the user, if it was one, and the name.
pub(super) async fn seats(
    db: &Db,
    game: &str,
) -> Result<Vec<(Option<String>, String)>, sqlx::Error> {
    let sql = "SELECT user_id, name FROM seats WHERE game_id = $1 ORDER BY seat";
    sqlx::query_as(sql).bind(game).fetch_all(&db.pool).await
}
