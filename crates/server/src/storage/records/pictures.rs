//! A stored game as a picture of one position, or as an animation of all.

use super::Stored;
use super::replay::{broken, no_such_ply, record_of};
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use drawing::Scene;
use game::{Turn, ignore};

/// The most pixels a cell: more shows no more detail.
const MOST_CELL: u32 = 128;

/// The longest side of an animation, in pixels.
const ANIMATION_SIDE: u32 = 640;

/// How long a turn stands, in hundredths of a second.
const TURN_DELAY: u16 = 30;

/// How a picture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Pixels.
    Png,
    /// Shapes.
    Svg,
    /// Pixels, as wide and high as other sites show previews of links.
    Card,
}

/// Width and height of a card, in pixels.
pub const CARD: (u32, u32) = (1200, 630);

/// The position at a ply, or the last one, with its longer side at most so many pixels.
///
/// # Errors
/// If there is no such ply.
pub fn picture(
    stored: &Stored,
    ply: Option<usize>,
    form: Form,
    longest: u32,
) -> Result<Vec<u8>, Refusal> {
    struct At<'a>(&'a Stored, Option<usize>);
    impl WithGame for At<'_> {
        type Out = Result<Vec<Scene>, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            let Self(stored, ply) = self;
            let positions = positions_of::<G>(stored)?;
            let last = positions.len() - 1;
            let shown = ply.unwrap_or(last);
            let Some(position) = positions.get(shown) else {
                return Err(no_such_ply("the game", shown, last));
            };
            Ok(G::scenes(std::slice::from_ref(position)))
        }
    }
    let scenes = with_game(&stored.game, At(stored, ply))??;
    let scene = scenes.first().ok_or(Refusal::Internal)?;
    let cell = scene.cell_for(longest, MOST_CELL);
    match form {
        Form::Svg => Ok(scene.svg(cell).into_bytes()),
        Form::Png => scene.png(cell).map_err(|error| broken(stored, &error)),
        Form::Card => scene.card(CARD.0, CARD.1).map_err(|error| broken(stored, &error)),
    }
}

/// A position that belongs to no stored game, as a card.
///
/// # Errors
/// If it cannot be drawn.
pub fn card<G: Hosted>(position: &G) -> Result<Vec<u8>, Refusal> {
    let scenes = G::scenes(std::slice::from_ref(position));
    let scene = scenes.first().ok_or(Refusal::Internal)?;
    scene.card(CARD.0, CARD.1).map_err(|error| {
        tracing::error!(%error, "a position cannot be drawn");
        Refusal::Internal
    })
}

/// The whole game as an animated GIF, a frame a turn.
///
/// # Errors
/// If the stored game cannot be read.
pub fn animation(stored: &Stored) -> Result<Vec<u8>, Refusal> {
    struct Turns<'a>(&'a Stored);
    impl WithGame for Turns<'_> {
        type Out = Result<Vec<Scene>, Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            let positions = positions_of::<G>(self.0)?;
            let last = positions.len() - 1;
            let is_shown = |(ply, position): &(usize, G)| {
                *ply == last || position.players() == 1 || position.turn() == Turn::Chance
            };
            let shown = positions.into_iter().enumerate().filter(is_shown);
            Ok(G::scenes(&shown.map(|(_, position)| position).collect::<Vec<_>>()))
        }
    }
    let scenes = with_game(&stored.game, Turns(stored))??;
    let cell = scenes.last().ok_or(Refusal::Internal)?.cell_for(ANIMATION_SIDE, 48);
    drawing::gif(&scenes, cell, TURN_DELAY).map_err(|error| broken(stored, &error))
}

/// The game after every ply, the start first.
fn positions_of<G: Hosted>(stored: &Stored) -> Result<Vec<G>, Refusal> {
    let record = record_of::<G>(stored)?;
    let mut game = record.start(ignore);
    let mut positions = vec![game.clone()];
    for m in &record.moves {
        game.play(*m, ignore).map_err(|error| broken(stored, &error))?;
        positions.push(game.clone());
    }
    Ok(positions)
}
