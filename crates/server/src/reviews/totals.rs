//! The reviewed games of somebody, added up.

use super::store::{self, SeatRow, Whose};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{AdjustedMargin, LostPoints, ReviewSource, ReviewTotals, ReviewedGames};
use search::Moments;
use std::collections::BTreeMap;

/// How many of the latest games are listed and added up.
const LATEST: i64 = 100;

/// A user's reviewed games, as somebody may see them.
///
/// # Errors
/// If the database fails.
pub async fn user_games(
    db: &Db,
    user: &str,
    asker: Option<&str>,
) -> Result<ReviewedGames, Refusal> {
    let whose = Whose::User(user, asker.unwrap_or_default());
    Ok(added_up(store::seats_of(db, whose, LATEST).await?))
}

/// A bot's reviewed games.
///
/// # Errors
/// If the database fails.
pub async fn bot_games(db: &Db, bot: &str) -> Result<ReviewedGames, Refusal> {
    Ok(added_up(store::seats_of(db, Whose::Bot(bot), LATEST).await?))
}

fn margins(margin: &Moments, adjusted: &Moments) -> AdjustedMargin {
    let error = |of: &Moments| Some(of.error()).filter(|error| error.is_finite());
    AdjustedMargin {
        games: usize::try_from(margin.count()).unwrap_or(usize::MAX),
        margin: margin.mean(),
        margin_error: error(margin),
        adjusted: adjusted.mean(),
        adjusted_error: error(adjusted),
    }
}

fn added_up(rows: Vec<SeatRow>) -> ReviewedGames {
    let (mut accuracy, mut loss) = (Moments::default(), Moments::default());
    let (mut margin, mut adjusted) = (Moments::default(), Moments::default());
    let mut mistakes = [0.0; 3];
    let mut lost = BTreeMap::<(bool, ReviewSource), f64>::new();
    let count = rows.len().max(1) as f64;
    for row in &rows {
        accuracy.add(row.game.accuracy);
        loss.add(row.game.loss);
        margin.add(row.game.margin);
        adjusted.add(row.game.margin - row.game.luck);
        for (sum, of_game) in mistakes.iter_mut().zip(row.mistakes) {
            *sum += of_game as f64 / count;
        }
        for part in &row.lost {
            *lost.entry((part.others, part.source)).or_default() += part.points / count;
        }
    }
    ReviewedGames {
        totals: (!rows.is_empty()).then(|| ReviewTotals {
            accuracy: accuracy.mean(),
            margins: margins(&margin, &adjusted),
            loss: loss.mean(),
            mistakes: mistakes.to_vec(),
            lost: lost
                .into_iter()
                .map(|((others, source), points)| LostPoints { others, source, points })
                .collect(),
        }),
        games: rows.into_iter().map(|row| row.game).collect(),
    }
}
