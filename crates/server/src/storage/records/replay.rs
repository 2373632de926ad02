//! A stored game at any ply, as text, and what its draws came from.

use super::Stored;
use crate::error::Refusal;
use crate::games::deck::{Seed, fairness_of};
use crate::games::{Hosted, WithGame, with_game};
use crate::wire::{Fairness, LegalMove, Replay, ReplayPly, Status};
use game::{Record, Turn};
use serde_json::{Value, json};

/// A game at a ply, or at its last one with the list of all.
///
/// # Errors
/// If there is no such ply.
pub fn replay(stored: &Stored, ply: Option<usize>) -> Result<Replay, Refusal> {
    struct At<'a>(&'a Stored, Option<usize>);
    impl WithGame for At<'_> {
        type Out = Result<Replay, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            replay_of::<G>(self.0, self.1)
        }
    }
    with_game(&stored.game, At(stored, ply))?
}

fn replay_of<G: Hosted>(stored: &Stored, ply: Option<usize>) -> Result<Replay, Refusal> {
    let record = record_of::<G>(stored)?;
    let last = record.moves.len();
    let shown = ply.unwrap_or(last);
    if shown > last {
        return Err(no_such_ply("the game", shown, last));
    }
    let mut tally = G::Tally::default();
    let mut told = Vec::new();
    let mut game = record.start(|event| told.push(event));
    let mut plies = vec![told_ply(&game, 0, String::new(), None, &mut told, &mut tally)];
    for (index, m) in record.moves[..shown].iter().enumerate() {
        let seat = seat_of(&game);
        game.play(*m, |event| told.push(event)).map_err(|error| broken(stored, &error))?;
        plies.push(told_ply(&game, index + 1, m.to_string(), seat, &mut told, &mut tally));
    }
    let events = plies.last().map(|ply| ply.events.clone()).unwrap_or_default();
    Ok(Replay {
        id: stored.id.clone(),
        game: stored.game.clone(),
        setup: stored.setup.clone(),
        ply: shown,
        last,
        phase: game.phase(),
        turn: seat_of(&game),
        view: json!(game.view(&tally)),
        events,
        plies: ply.is_none().then_some(plies),
    })
}

/// Refuses a ply that a game or a record does not have.
pub fn no_such_ply(what: &str, ply: usize, last: usize) -> Refusal {
    let allowed = match last {
        0 => "only 0, its start".to_owned(),
        _ => format!("from 0, its start, to {last}"),
    };
    let plies = if last == 1 { "ply" } else { "plies" };
    Refusal::Bad(format!("ply {ply}: {what} has {last} {plies}; allowed: {allowed}"))
}

/// The turns that could be played where the decision begins whose first ply this is; plies count from 1.
///
/// # Errors
/// If no decision begins there.
pub fn legal_turns(stored: &Stored, ply: usize) -> Result<Vec<LegalMove>, Refusal> {
    struct At<'a>(&'a Stored, usize);
    impl WithGame for At<'_> {
        type Out = Result<Vec<LegalMove>, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            let Self(stored, before) = self;
            let record = record_of::<G>(stored)?;
            let game =
                record.replay_to(before, |_, _| {}).map_err(|error| broken(stored, &error))?;
            Ok(game.legal_turns())
        }
    }
    if !begins_decision(stored, ply) {
        let last = stored.moves.len();
        let nothing =
            format!("ply {ply} of {last}: no decision begins there; the review lists them");
        return Err(Refusal::Bad(nothing));
    }
    with_game(&stored.game, At(stored, ply - 1))?
}

/// Whether somebody decides at this ply, and not in the midst of a turn: after a draw, or anywhere in a
/// game without draws.
fn begins_decision(stored: &Stored, ply: usize) -> bool {
    let moves = &stored.moves;
    let drawn = |ply: usize| moves.get(ply.wrapping_sub(1)).map(|standing| standing.drawn);
    let without_draws = moves.iter().all(|standing| !standing.drawn);
    drawn(ply) == Some(false) && (without_draws || drawn(ply - 1) == Some(true))
}

/// What a move made happen.
fn told_ply<G: Hosted>(
    game: &G,
    ply: usize,
    moved: String,
    seat: Option<usize>,
    told: &mut Vec<G::Event>,
    tally: &mut G::Tally,
) -> ReplayPly {
    let mut events = Vec::new();
    for event in told.drain(..) {
        G::count(tally, &event);
        let mut value = game.event(&event);
        value["ply"] = Value::from(ply);
        events.push(value);
    }
    ReplayPly { ply, moved, seat, events }
}

fn seat_of<G: Hosted>(game: &G) -> Option<usize> {
    match game.turn() {
        Turn::Player(player) => Some(player.index()),
        Turn::Chance | Turn::Over => None,
    }
}

/// A game's record in our notation, with who played in comments.
///
/// # Errors
/// If the stored game cannot be read.
pub fn text(stored: &Stored) -> Result<String, Refusal> {
    struct Write<'a>(&'a Stored);
    impl WithGame for Write<'_> {
        type Out = Result<String, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            record_of::<G>(self.0).map(|record| record.to_string())
        }
    }
    let names: Vec<_> = stored.seats.iter().map(|seat| seat.name.as_str()).collect();
    let record = with_game(&stored.game, Write(stored))??;
    Ok(format!("# game {}: {}\n{record}", stored.id, names.join(", ")))
}

/// What a finished game's draws came from.
///
/// # Errors
/// If the game is not over, was played elsewhere, began with a position, or knows no chance.
pub fn fairness(stored: &Stored) -> Result<Fairness, Refusal> {
    struct Tell<'a>(&'a Stored);
    impl WithGame for Tell<'_> {
        type Out = Result<Fairness, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            let Self(stored) = self;
            let record = record_of::<G>(stored)?;
            if G::new(&record.setup).bag().is_empty() {
                return Err(Refusal::Conflict(format!("nothing is drawn in {}", G::NAME)));
            }
            let seed = Seed::from_hex(&stored.seed).map_err(|error| broken(stored, &error))?;
            let nonces = stored.seats.iter().map(|seat| seat.nonce.clone()).collect();
            let drawn = stored.moves.iter().filter(|standing| standing.drawn);
            let drawn = drawn.map(|standing| standing.text.clone()).collect();
            let promised = (stored.id.as_str(), stored.commit.as_str());
            let made_of = (&seed, &record.setup);
            Ok(fairness_of::<G>(promised, stored.head(), made_of, nonces, drawn))
        }
    }
    if stored.status != Status::Over {
        return Err(Refusal::Conflict(
            "the seed is revealed when the game is over; until then its commitment is all there is"
                .to_owned(),
        ));
    }
    if stored.imported {
        return Err(Refusal::Conflict(
            "the game was played elsewhere: no seed is known".to_owned(),
        ));
    }
    if stored.began_with_position() {
        return Err(Refusal::Conflict(
            "the game began with a position: its draws are no shuffle of the whole bag".to_owned(),
        ));
    }
    with_game(&stored.game, Tell(stored))?
}

pub(super) fn record_of<G: Hosted>(stored: &Stored) -> Result<Record<G>, Refusal> {
    stored.record().parse().map_err(|error| broken(stored, &error))
}

pub(super) fn broken(stored: &Stored, error: &dyn std::fmt::Display) -> Refusal {
    tracing::error!(game = stored.id, %error, "a stored game does not replay");
    Refusal::Internal
}
