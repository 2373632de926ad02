//! Reviews of finished games: made once for each depth, and kept.
//!
//! `queue` has them made, `makers` knows on which node, `store` keeps them, `totals` adds up the games of somebody.

mod makers;
mod queue;
mod store;
mod totals;

pub use queue::{Reviews, Watching};
pub use totals::{bot_games, user_games};

use crate::engine::review_told::depth_of;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::storage::records::Stored;
use crate::wire::{Review, ReviewDepth, ReviewStep, ReviewedDecision, Status};

/// The review of a game, if it is there.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, game: &str, depth: ReviewDepth) -> Result<Option<Review>, Refusal> {
    store::find(db, game, depth).await
}

/// The decision of a game that begins with a ply, as its review has it.
///
/// # Errors
/// If there is no review, or no decision begins there.
pub async fn decision(
    db: &Db,
    game: &str,
    depth: ReviewDepth,
    ply: usize,
) -> Result<ReviewedDecision, Refusal> {
    let review = find(db, game, depth).await?.ok_or_else(|| {
        let depth = depth_of(depth);
        Refusal::NotFound(format!(
            "the {depth} review of this game is not there, or not yet: POST asks for it, its stream \
             ends when it is done"
        ))
    })?;
    let found = review.steps.into_iter().find_map(|step| match step {
        ReviewStep::Decision(decision) if decision.ply == ply => Some(*decision),
        _ => None,
    });
    found.ok_or_else(|| {
        Refusal::Bad(format!("ply {ply}: no decision begins there; the review lists them"))
    })
}

/// Why there is nothing to be told of a review.
#[must_use]
pub fn no_review(depth: ReviewDepth) -> Refusal {
    let depth = depth_of(depth);
    Refusal::NotFound(format!(
        "there is no {depth} review of this game, and none is being made: POST asks for one"
    ))
}

/// Whether a game can be reviewed: it is over, and somebody has moved.
///
/// # Errors
/// If not; says why.
pub fn check_reviewable(stored: &Stored) -> Result<(), Refusal> {
    if stored.status != Status::Over {
        return Err(Refusal::Conflict("a game is reviewed when it is over".to_owned()));
    }
    if stored.moves.iter().all(|standing| standing.drawn) {
        return Err(Refusal::Conflict("nobody made a move in this game".to_owned()));
    }
    Ok(())
}
