//! A game as numbers: its history, a row for each decision, and what a bot says of them.

use crate::judge::{Judge, margins, worth_of_actions};
use crate::maker::Judging;
use bots::roster::Playable;
use carcassonne::tensor::Numbering;
use carcassonne::{Move, MoveKind, Position};
use game::{Game, Turn, ignore};

/// What a shard holds of one game.
#[derive(Default)]
pub(crate) struct GameRows {
    /// Every draw and every action, as numbers.
    pub(crate) history: Vec<i32>,
    /// The actions, one a decision.
    pub(crate) actions: Vec<i32>,
    /// Who decided.
    pub(crate) seats: Vec<i8>,
    pub(crate) scores: Vec<i32>,
    /// By decision and seat.
    pub(crate) values: Vec<f32>,
    /// By decision: actions and what they are worth.
    pub(crate) policy: Vec<Vec<(i32, f32)>>,
    /// By decision and seat.
    pub(crate) luck: Vec<f32>,
}

/// Plays a game again and writes it down.
///
/// # Errors
/// If a move is not legal, or has no number; the text says which and why.
pub(crate) fn rows_of<E: Playable>(
    setup: &E::Setup,
    moves: &[Move],
    numbering: Numbering,
    mut judge: Option<(&Judging, &mut Judge<'_, E>)>,
) -> Result<GameRows, String> {
    let mut game = Position::<E>::new(setup);
    let mut rows = GameRows::default();
    // The luck of the draws since the last decision.
    let mut luck = vec![0.0; game.players()];
    for (index, m) in moves.iter().enumerate() {
        let number = match m.kind() {
            MoveKind::Draw(tile) => tile.index() as i32,
            _ => numbering.number(*m).ok_or_else(|| {
                let (version, side) = (numbering.version().name(), numbering.side());
                format!("'{m}' is no action of tensors '{version}' on a board of {side}x{side}")
            })? as i32,
        };
        let mut after = game.clone();
        after.play(*m, ignore).map_err(|error| format!("move {}: {error}", index + 1))?;
        match (game.turn(), &mut judge) {
            (Turn::Player(player), judge) => {
                rows.actions.push(number);
                rows.seats.push(player.index() as i8);
                if let Some((asked, judge)) = judge {
                    let report = judge.report(&game);
                    rows.values.extend(margins(&report));
                    if asked.policy {
                        rows.policy.push(worth_of_actions(&report, numbering));
                    }
                    rows.luck.extend(luck.iter_mut().map(|luck| std::mem::take(luck) as f32));
                }
            }
            (_, Some((asked, judge))) if asked.luck => {
                let worth = judge.draw(&game, *m);
                luck.iter_mut().zip(worth).for_each(|(luck, worth)| *luck += worth);
            }
            _ => {}
        }
        rows.history.push(number);
        game = after;
    }
    rows.scores = game.scores().as_slice().to_vec();
    Ok(rows)
}
