//! Puzzles: positions with one clear best turn, rated like those who solve them.
//!
//! `choose` says which one comes next and which is the day's, `answer` judges a turn and settles the ratings,
//! `shown` remembers where answers were shown without being rated, `own` finds the asker's mistakes in reviewed
//! games and judges another try of them, `link` is what other sites show of one, `store` keeps it all. What a
//! puzzle is and how it is written belongs to `bots::puzzle`. Before somebody has answered a puzzle nothing but the position leaves
//! the server: neither the answer nor what tells of it (themes, rating, the game that it comes from).

mod answer;
mod choose;
mod link;
mod own;
mod shown;
mod store;

pub use own::{answer_own, own_mistakes, own_puzzle};

use crate::error::Refusal;
use crate::games::Hosted;
use crate::games::carcassonne::{AnyCarcassonne, Tally};
use crate::people::accounts::Requester;
use crate::people::ratings::{Pool, Rating};
use crate::storage::db::Db;
use crate::time;
use crate::wire::{
    AnsweredPuzzle, CarcassonneView, FirstAnswer, LegalMove, MyPuzzles, PuzzlePosition,
    PuzzleProgress, PuzzleTheme, PuzzleThemes, PuzzlesOfTheme, RatingInfo,
};
use bots::puzzle::{self, Puzzle, Theme};
use game::{Game, Record, Turn};
use shown::ShownAnswers;
use sqlx::AnyConnection;
use std::sync::Arc;
use store::{Solver, Stored};
use tokio::sync::OnceCell;

/// How uncertain the rating is that a puzzle comes with: levels tried it, a few times each.
const FIRST_DEVIATION: f64 = 150.0;

/// How many of the latest answers are told.
const LATEST: i64 = 50;

/// The puzzles of a server; clones share them.
#[derive(Clone)]
pub struct Puzzles {
    db: Db,
    /// Whether those that come with the program belong to them.
    shipped: bool,
    /// Set once they are in the database.
    stocked: Arc<OnceCell<()>>,
    shown: ShownAnswers,
}

/// How many puzzles are new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Added {
    /// So many were added.
    pub new: usize,
    /// So many were there already; they stay as they are, with their ratings.
    pub known: usize,
}

/// Adds puzzles to those that are there.
///
/// # Errors
/// If the database fails; the transaction must not be committed then.
pub async fn add(to: &mut AnyConnection, puzzles: &[Puzzle]) -> Result<Added, sqlx::Error> {
    let rows: Vec<Stored> = puzzles.iter().map(stored).collect();
    let new = store::insert(to, &rows, time::now()).await?;
    Ok(Added { new, known: rows.len() - new })
}

fn stored(puzzle: &Puzzle) -> Stored {
    let rating = f64::from(puzzle.rating);
    Stored {
        id: puzzle.id().to_string(),
        themes: puzzle.themes.iter().map(|theme| told_theme(*theme)).collect(),
        body: puzzle::write_all([puzzle]),
        rating: Rating { rating, deviation: FIRST_DEVIATION, ..Rating::default() },
        plays: 0,
        solved: 0,
    }
}

impl Puzzles {
    /// The puzzles in a database, with those that come with the program or without.
    #[must_use]
    pub fn new(db: Db, shipped: bool) -> Self {
        Self { db, shipped, stocked: Arc::default(), shown: ShownAnswers::default() }
    }

    /// The database, with the puzzles that come with the program: they are put in when the first one is asked
    /// for, and those that are there stay as they are.
    async fn db(&self) -> Result<&Db, Refusal> {
        let stock = async || -> Result<(), Refusal> {
            if !self.shipped {
                return Ok(());
            }
            let shipped = aside(|| Ok(puzzle::shipped())).await?;
            let mut changes = self.db.begin().await?;
            add(&mut changes, shipped).await?;
            Ok(changes.commit().await?)
        };
        self.stocked.get_or_try_init(stock).await?;
        Ok(&self.db)
    }

    /// How many puzzles there are, by theme.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn themes(&self) -> Result<PuzzleThemes, Refusal> {
        let groups = store::theme_groups(self.db().await?).await?;
        let of = |theme: PuzzleTheme| {
            let with = groups.iter().filter(|(themes, _)| themes.contains(&theme));
            PuzzlesOfTheme { theme, puzzles: with.map(|(_, count)| count).sum() }
        };
        let themes = Theme::ALL.into_iter().map(told_theme).map(of);
        Ok(PuzzleThemes {
            puzzles: groups.iter().map(|(_, count)| count).sum(),
            themes: themes.filter(|theme| theme.puzzles > 0).collect(),
        })
    }

    /// A puzzle as it is to be solved.
    ///
    /// # Errors
    /// If there is none with this id.
    pub async fn look(&self, id: &str, who: Option<&Requester>) -> Result<PuzzlePosition, Refusal> {
        let (stored, puzzle) = self.find(id).await?;
        let daily = choose::is_daily(&self.db, &stored.id).await?;
        let answered = match who {
            Some(who) => store::first_answer(&self.db, &who.user, &stored.id).await?,
            None => None,
        };
        aside(move || shown(stored.id, &puzzle, daily, answered)).await
    }

    async fn find(&self, id: &str) -> Result<(Stored, Puzzle), Refusal> {
        let missing =
            || Refusal::NotFound(format!("there is no puzzle '{}'", game::excerpt(id, 40)));
        let stored = store::find(self.db().await?, id).await?.ok_or_else(missing)?;
        aside(move || match puzzle::read_all(&stored.body).map(|read| read.into_iter().next()) {
            Ok(Some(puzzle)) => Ok((stored, puzzle)),
            read => {
                let error = read.err().map(|error| error.to_string());
                tracing::error!(puzzle = stored.id, error, "a stored puzzle cannot be read");
                Err(Refusal::Internal)
            }
        })
        .await
    }

    /// Where somebody stands, and the latest answers.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn mine(&self, who: &Requester) -> Result<MyPuzzles, Refusal> {
        let db = self.db().await?;
        let answers = store::latest_answers(db, &who.user, LATEST).await?;
        let told = |answer: store::Answer| AnsweredPuzzle {
            id: answer.puzzle,
            first: answer.first,
            rating: answer.after,
            change: answer.after - answer.before,
            themes: answer.themes,
        };
        Ok(MyPuzzles {
            progress: progress(&store::solver(db, &who.user).await?),
            answers: answers.into_iter().map(told).collect(),
        })
    }
}

/// The game of a puzzle up to the draw of the tile in hand.
fn record(puzzle: &Puzzle) -> Record<AnyCarcassonne> {
    puzzle.record.clone().retyped(puzzle.record.setup)
}

fn shown(
    id: String,
    puzzle: &Puzzle,
    daily: bool,
    answered: Option<FirstAnswer>,
) -> Result<PuzzlePosition, Refusal> {
    let (seat, view, legal) = position(&record(puzzle))?;
    Ok(PuzzlePosition { id, daily, seat, view, legal, answered })
}

/// The position after a record as it is to be solved: who is to move, the board, the turns that can be played.
fn position(
    record: &Record<AnyCarcassonne>,
) -> Result<(usize, CarcassonneView, Vec<LegalMove>), Refusal> {
    let mut tally = Tally::default();
    let mut position = AnyCarcassonne::start(&record.setup, |event| {
        AnyCarcassonne::count(&mut tally, &event);
    });
    for m in &record.moves {
        let count = |event| AnyCarcassonne::count(&mut tally, &event);
        position.play(*m, count).map_err(|_| Refusal::Internal)?;
    }
    let Turn::Player(player) = position.turn() else { return Err(Refusal::Internal) };
    Ok((player.index(), position.view(&tally), position.legal_turns()))
}

fn progress(solver: &Solver) -> PuzzleProgress {
    let today = today();
    let daily_run = if solver.daily_last >= today - 1 { solver.daily_run } else { 0 };
    PuzzleProgress {
        rating: RatingInfo {
            rating: solver.rating.rating,
            deviation: solver.rating.deviation,
            games: solver.answered,
            provisional: solver.rating.deviation > Pool::TWO.provisional_above(),
        },
        solved: solver.solved,
        run: solver.run,
        best_run: solver.best_run,
        daily_run,
        best_daily_run: solver.best_daily_run,
        daily_solved: solver.daily_last == today,
    }
}

/// The number of a day since 1970, UTC.
fn day_of(at: i64) -> i64 {
    at.div_euclid(time::DAY)
}

fn today() -> i64 {
    day_of(time::now())
}

const fn told_theme(theme: Theme) -> PuzzleTheme {
    match theme {
        Theme::Field => PuzzleTheme::Field,
        Theme::Sharing => PuzzleTheme::Sharing,
        Theme::Takeover => PuzzleTheme::Takeover,
        Theme::Closing => PuzzleTheme::Closing,
        Theme::Meeples => PuzzleTheme::Meeples,
        Theme::Blocking => PuzzleTheme::Blocking,
        Theme::Ending => PuzzleTheme::Ending,
    }
}

/// Replaying a game takes a moment.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::Internal)?
}
