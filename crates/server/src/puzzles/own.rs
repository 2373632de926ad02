//! The asker's own mistakes in reviewed games: puzzles that nobody else sees.

use super::store;
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::reviews;
use crate::storage::db::Db;
use crate::wire::{GameWithMistakes, OwnMistake, OwnMistakes, Review, ReviewCategory, ReviewStep};

/// So many of the latest reviewed games are looked at.
const GAMES: usize = 20;

/// The mistakes of somebody in the latest of their reviewed games.
///
/// # Errors
/// If the database fails.
pub async fn own_mistakes(db: &Db, who: &Requester) -> Result<OwnMistakes, Refusal> {
    let reviewed = reviews::user_games(db, &who.user, Some(&who.user)).await?.games;
    let mut games: Vec<GameWithMistakes> = Vec::new();
    // Who played against themselves is listed once for each seat.
    for reviewed in reviewed.into_iter().take(GAMES) {
        if games.iter().any(|game| game.game == reviewed.game) {
            continue;
        }
        let Some(review) = reviews::find(db, &reviewed.game, reviewed.depth).await? else {
            continue;
        };
        let seats = store::seats(db, &reviewed.game).await?;
        let own: Vec<bool> =
            seats.iter().map(|(user, _)| user.as_deref() == Some(&who.user)).collect();
        let mistakes = mistakes_of(&review, &own);
        if !mistakes.is_empty() {
            games.push(GameWithMistakes {
                game: reviewed.game,
                depth: reviewed.depth,
                ended: reviewed.ended,
                names: seats.into_iter().map(|(_, name)| name).collect(),
                mistakes,
            });
        }
    }
    Ok(OwnMistakes { games })
}

fn mistakes_of(review: &Review, own: &[bool]) -> Vec<OwnMistake> {
    let mistake = |step: &ReviewStep| match step {
        ReviewStep::Decision(decision)
            if decision.category >= ReviewCategory::Mistake
                && own.get(decision.player).copied().unwrap_or_default() =>
        {
            Some(OwnMistake {
                seat: decision.player,
                ply: decision.ply,
                category: decision.category,
                loss: decision.loss.margin,
            })
        }
        _ => None,
    };
    review.steps.iter().filter_map(mistake).collect()
}
