//! The phases of a game, by the names that screens and protocols use.

use crate::edition::Edition;
use crate::game::{Position, Stage};
use std::fmt;

/// A phase of the game.
///
/// A game at rest is in [`DrawTile`](Self::DrawTile), [`PlaceTile`](Self::PlaceTile),
/// [`PlaceMeeple`](Self::PlaceMeeple) or [`GameOver`](Self::GameOver). The other phases pass
/// within a move: `Setup` when the game is made, `ScoreCheck` at the end of every turn,
/// `EndGameScoring` when no tile is left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The start tile is laid.
    Setup,
    /// A tile is drawn; one that fits nowhere is set aside and another one drawn.
    DrawTile,
    /// The player puts the drawn tile on the board, even where there is only one way to.
    PlaceTile,
    /// The player puts a meeple down or passes, even with no meeple left.
    PlaceMeeple,
    /// Finished features score and their meeples go back.
    ScoreCheck,
    /// Everything that stands scores.
    EndGameScoring,
    /// The scores are final.
    GameOver,
}

impl Phase {
    /// All phases, in the order of a game.
    pub const ALL: [Self; 7] = [
        Self::Setup,
        Self::DrawTile,
        Self::PlaceTile,
        Self::PlaceMeeple,
        Self::ScoreCheck,
        Self::EndGameScoring,
        Self::GameOver,
    ];

    /// The name in protocols and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::DrawTile => "draw_tile",
            Self::PlaceTile => "place_tile",
            Self::PlaceMeeple => "place_meeple",
            Self::ScoreCheck => "score_check",
            Self::EndGameScoring => "end_game_scoring",
            Self::GameOver => "game_over",
        }
    }

    /// Whether the phase needs no player: `draw_tile` needs only an outcome of chance, the
    /// others not even that.
    #[must_use]
    pub const fn resolves_itself(self) -> bool {
        self.expected_action().is_none()
    }

    /// What the player to move is expected to do, if anybody is.
    #[must_use]
    pub const fn expected_action(self) -> Option<&'static str> {
        match self {
            Self::PlaceTile => Some("place_tile"),
            Self::PlaceMeeple => Some("place_meeple"),
            _ => None,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<E: Edition> Position<E> {
    /// The phase the game is in.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match self.stage {
            Stage::Draw => Phase::DrawTile,
            Stage::Place => Phase::PlaceTile,
            Stage::Meeple => Phase::PlaceMeeple,
            Stage::Over => Phase::GameOver,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Carcassonne;
    use crate::setup::Setup;
    use game::{Game, Turn};

    #[test]
    fn only_players_phases_expect_an_action() {
        let waiting: Vec<_> = Phase::ALL.into_iter().filter(|p| !p.resolves_itself()).collect();
        assert_eq!(waiting, [Phase::PlaceTile, Phase::PlaceMeeple]);
        for phase in waiting {
            assert_eq!(phase.expected_action(), Some(phase.name()));
        }
    }

    #[test]
    fn a_turn_goes_through_its_phases() {
        let mut game = Carcassonne::new(&Setup::default());
        assert_eq!(game.phase(), Phase::DrawTile);
        for (text, phase) in
            [("U", Phase::PlaceTile), ("1,0 r0", Phase::PlaceMeeple), ("road0", Phase::DrawTile)]
        {
            game.play(text.parse().unwrap(), |_| {}).unwrap();
            assert_eq!(game.phase(), phase, "after {text}");
            assert_eq!(phase.resolves_itself(), !matches!(game.turn(), Turn::Player(_)));
        }
    }
}
