//! The asker's own mistakes in reviewed games: puzzles that nobody else sees, judged as the review does.

use super::answer::{read_turn, refused};
use super::{aside, position, store};
use crate::engine::review_told::{depth_of, told_attempt};
use crate::engine::threads::Analysts;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::games::carcassonne::AnyCarcassonne;
use crate::people::accounts::Requester;
use crate::people::moderation::visible_game;
use crate::reviews;
use crate::storage::db::Db;
use crate::wire::{
    ComparedTurn, GameWithMistakes, OwnAnswer, OwnMistake, OwnMistakes, OwnPuzzle, OwnResult,
    Review, ReviewCategory, ReviewDepth, ReviewStep, ReviewedDecision, TriedTurn,
};
use carcassonne::Move;
use game::Record;
use search::Stop;

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
    let is_own = |seat: usize| own.get(seat).copied().unwrap_or_default();
    let told = |decision: &ReviewedDecision| OwnMistake {
        seat: decision.player,
        ply: decision.ply,
        category: decision.category,
        loss: decision.loss.margin,
    };
    mistakes(review).filter(|mistake| is_own(mistake.player)).map(told).collect()
}

fn mistakes(review: &Review) -> impl Iterator<Item = &ReviewedDecision> {
    review.steps.iter().filter_map(|step| match step {
        ReviewStep::Decision(decision) if decision.category >= ReviewCategory::Mistake => {
            Some(&**decision)
        }
        _ => None,
    })
}

/// A mistake of the asker, and the game before it.
struct Found {
    depth: ReviewDepth,
    decision: ReviewedDecision,
    before: Record<AnyCarcassonne>,
}

/// Finds a mistake. What is not the asker's own looks as if it were not there.
async fn find(db: &Db, who: &Requester, game: &str, ply: usize) -> Result<Found, Refusal> {
    let missing = || {
        let id = game::excerpt(game, 40);
        Refusal::NotFound(format!(
            "no review says that you made a mistake at ply {ply} of the game '{id}'; \
             /api/puzzles/own lists yours"
        ))
    };
    let stored = match visible_game(db, game, Some(who)).await {
        Err(Refusal::NotFound(_) | Refusal::Forbidden(_)) => return Err(missing()),
        found => found?,
    };
    for depth in [ReviewDepth::Deep, ReviewDepth::Quick] {
        let Some(review) = reviews::find(db, game, depth).await? else { continue };
        // The deepest review alone is right, as in the list.
        let found = mistakes(&review).find(|mistake| mistake.ply == ply).cloned();
        let own = |mistake: &ReviewedDecision| {
            stored.seats_of(&who.user).any(|seat| seat == mistake.player)
        };
        let decision = found.filter(own).ok_or_else(missing)?;
        let mut before: Record<AnyCarcassonne> =
            stored.record().parse().map_err(|_| Refusal::Internal)?;
        before.moves.truncate(ply - 1);
        return Ok(Found { depth, decision, before });
    }
    Err(missing())
}

/// A mistake of somebody as it is to be solved.
///
/// # Errors
/// If there is none of theirs there.
pub async fn own_puzzle(
    db: &Db,
    who: &Requester,
    game: &str,
    ply: usize,
) -> Result<OwnPuzzle, Refusal> {
    let found = find(db, who, game, ply).await?;
    let game = game.to_owned();
    aside(move || {
        let (seat, view, legal) = position(&found.before)?;
        Ok(OwnPuzzle { game, ply, depth: found.depth, seat, view, legal })
    })
    .await
}

/// Judges another turn in place of a mistake: right is what the review would call the best or as good. What it
/// has judged already is not judged again.
///
/// # Errors
/// If there is no such mistake, the moves are not one whole legal turn, or the engine is too busy.
pub async fn answer_own(
    db: &Db,
    who: &Requester,
    game: &str,
    answer: &OwnAnswer,
    engine: &Analysts,
) -> Result<OwnResult, Refusal> {
    let found = find(db, who, game, answer.ply).await?;
    let tried = read_turn(&answer.moves)?;
    let [best, played] = [&found.decision.best, &found.decision.played].map(|turn| read_turn(turn));
    let (best, played) = (best?, played?);
    let record = found.before.to_string();
    let in_game = ComparedTurn {
        moves: found.decision.played.clone(),
        worth: told_decision(&found.decision)?,
    };
    let result = |right: bool, compared: ComparedTurn| OwnResult {
        right,
        answer: found.decision.best.clone(),
        compared,
        record,
    };
    if tried == best {
        return Ok(result(true, in_game));
    }
    if tried == played {
        return Ok(result(false, in_game));
    }
    let moves = tried.iter().map(ToString::to_string).collect();
    let worth = compare(found.before, [best, tried], found.depth, engine).await?;
    Ok(match worth.category {
        ReviewCategory::Best | ReviewCategory::Good => result(true, in_game),
        _ => result(false, ComparedTurn { moves, worth }),
    })
}

async fn compare(
    before: Record<AnyCarcassonne>,
    [best, tried]: [Vec<Move>; 2],
    depth: ReviewDepth,
    engine: &Analysts,
) -> Result<TriedTurn, Refusal> {
    let stop = Stop::new();
    let stopped = stop.clone();
    let work = move || {
        let plies = before.moves.len();
        let depth = depth_of(depth);
        let worth = AnyCarcassonne::compare_turns(&before, plies, [&best, &tried], depth, &stopped);
        let worth = worth.ok_or(Refusal::Internal)?.map_err(refused)?;
        Ok(told_attempt(&worth))
    };
    engine.run(stop, work).await
}

/// What the review says of the turn that was played.
fn told_decision(decision: &ReviewedDecision) -> Result<TriedTurn, Refusal> {
    Ok(TriedTurn {
        measured: *decision.measured.get(decision.player).ok_or(Refusal::Internal)?,
        error: decision.error,
        loss: decision.loss,
        category: decision.category,
        exact: decision.exact,
        reasons: decision.reasons.clone(),
        facts: decision.facts.clone(),
    })
}
