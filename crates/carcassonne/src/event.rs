//! What happened: one small fact each, for logs and screens.

use crate::figure::Figure;
use crate::geometry::{Cell, Rotation};
use crate::goods::{Good, Goods};
use crate::segment::Segment;
use crate::tile::{Terrain, Tile};
use game::{ByPlayer, Player, PlayerSet};
use std::fmt;

/// The id of a feature: the number of its oldest segment, counted in order of placement. When
/// features merge the older id stays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FeatureId(pub u16);

/// One fact that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The game begins.
    GameStarted {
        /// How many play.
        players: u8,
    },
    /// The start tile lies at the origin.
    StartingTilePlaced {
        /// Its kind.
        tile: Tile,
    },
    /// A tile was drawn that can be placed.
    TileDrawn {
        /// Who drew.
        player: Player,
        /// What was drawn.
        tile: Tile,
        /// How many are left in the bag.
        remaining: u8,
    },
    /// A drawn tile fits nowhere: it is set aside and the same player draws again.
    TileDiscarded {
        /// Who drew.
        player: Player,
        /// What was drawn.
        tile: Tile,
        /// How many are left in the bag.
        remaining: u8,
    },
    /// The drawn tile was put on the board.
    TilePlaced {
        /// Who placed it.
        player: Player,
        /// Its kind.
        tile: Tile,
        /// Where.
        cell: Cell,
        /// How it is turned.
        rotation: Rotation,
    },
    /// Two features became one.
    FeatureMerged {
        /// What they are made of.
        terrain: Terrain,
        /// The id that stays.
        kept: FeatureId,
        /// The id that is gone.
        gone: FeatureId,
    },
    /// A meeple was put on the tile just placed.
    MeeplePlaced {
        /// Whose.
        player: Player,
        /// Which of the player's figures: a meeple is the lowest from 0 that was free, the others
        /// follow ([`Figure::of_number`]).
        meeple: u8,
        /// Where.
        cell: Cell,
        /// On which segment.
        segment: Segment,
        /// Which feature it claims.
        feature: FeatureId,
    },
    /// The player put no meeple down.
    MeepleSkipped {
        /// Who.
        player: Player,
    },
    /// A finished feature scored for one player (one event for each who ties).
    FeatureScored(Score),
    /// A meeple went back to its owner.
    MeepleReturned {
        /// Whose.
        player: Player,
        /// Which of the player's figures.
        meeple: u8,
        /// Where it stood.
        cell: Cell,
        /// On which segment.
        segment: Segment,
    },
    /// The scores after points were given.
    ScoreUpdated {
        /// Everybody's points.
        scores: ByPlayer<i32>,
    },
    /// The player finished cities that hold goods, and takes them.
    GoodsTaken {
        /// Who.
        player: Player,
        /// What was taken.
        goods: Goods,
    },
    /// The player extended the own builder's road or city, and draws once more.
    TurnDoubled {
        /// Who.
        player: Player,
    },
    /// No tile is left to draw.
    TileBagEmpty,
    /// A feature scored for one player at the end (one event for each who ties).
    EndGamePoints(Score),
    /// Points at the end for the most goods of a kind (one event for each who ties).
    EndGameGoods {
        /// Who scores.
        player: Player,
        /// Which kind.
        good: Good,
        /// How many tokens of it the player has.
        tokens: u8,
        /// The points.
        points: u16,
    },
    /// The game is over.
    GameOver {
        /// Who has the most points.
        winners: PlayerSet,
        /// Everybody's points.
        scores: ByPlayer<i32>,
    },
}

impl Event {
    /// The event's name in logs, protocols and JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::GameStarted { .. } => "game_started",
            Self::StartingTilePlaced { .. } => "starting_tile_placed",
            Self::TileDrawn { .. } => "tile_drawn",
            Self::TileDiscarded { .. } => "tile_discarded",
            Self::TilePlaced { .. } => "tile_placed",
            Self::FeatureMerged { .. } => "feature_merged",
            Self::MeeplePlaced { .. } => "meeple_placed",
            Self::MeepleSkipped { .. } => "meeple_skipped",
            Self::FeatureScored(_) => "feature_scored",
            Self::MeepleReturned { .. } => "meeple_returned",
            Self::ScoreUpdated { .. } => "score_updated",
            Self::GoodsTaken { .. } => "goods_taken",
            Self::TurnDoubled { .. } => "turn_doubled",
            Self::TileBagEmpty => "tile_bag_empty",
            Self::EndGamePoints(_) => "end_game_points",
            Self::EndGameGoods { .. } => "end_game_goods",
            Self::GameOver { .. } => "game_over",
        }
    }

    /// Why, for the two events that have a reason: a tile is set aside since there is
    /// `no_valid_placement`, and a game ends the `normal` way, when no tile is left. (Who runs
    /// a game may know others, such as a player who leaves; the rules do not.)
    #[must_use]
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::TileDiscarded { .. } => Some("no_valid_placement"),
            Self::GameOver { .. } => Some("normal"),
            _ => None,
        }
    }
}

/// Points for one player, with what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// Who scores.
    pub player: Player,
    /// Everybody who has the majority, and so scores the same (but for a pig).
    pub owners: PlayerSet,
    /// What scored.
    pub terrain: Terrain,
    /// Which feature.
    pub feature: FeatureId,
    /// Whether it was finished (fields never are).
    pub finished: bool,
    /// The points.
    pub points: u16,
    /// Its tiles; for a monastery itself and its neighbours; 0 for a field.
    pub tiles: u8,
    /// Its pennants.
    pub pennants: u8,
    /// For a field, the finished cities it touches.
    pub cities: u8,
    /// Whether an inn lies by the road, a cathedral stands in the city, or the player has a pig
    /// on the field.
    pub special: bool,
}

impl Score {
    /// What the points are for: `4 tiles + 1 pennant, finished`.
    #[must_use]
    pub fn explanation(&self) -> String {
        let many = |n: u8, one: &str, more: &str| match n {
            1 => format!("1 {one}"),
            _ => format!("{n} {more}"),
        };
        let mut text = match self.terrain {
            Terrain::Field => many(self.cities, "finished city", "finished cities"),
            _ => many(self.tiles, "tile", "tiles"),
        };
        if self.pennants > 0 {
            text += &format!(" + {}", many(self.pennants, "pennant", "pennants"));
        }
        match (self.terrain, self.finished) {
            (Terrain::Field, _) => {}
            (_, true) => text += ", finished",
            (_, false) => text += ", unfinished",
        }
        if self.special {
            text += match self.terrain {
                Terrain::City => ", cathedral",
                Terrain::Road => ", inn",
                _ => ", pig",
            };
        }
        if self.owners.len() > 1 {
            let seats: Vec<_> = self.owners.iter().map(|p| p.to_string()).collect();
            text += &format!(", tied between players {}", seats.join(" and "));
        }
        text
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let list = |scores: &ByPlayer<i32>| {
            scores.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::GameStarted { players } => write!(f, " players {players}"),
            Self::StartingTilePlaced { tile } => write!(f, " {tile} at {}", Cell::ORIGIN),
            Self::TileDrawn { player, tile, remaining } => {
                write!(f, " player {player}: {tile}, {remaining} left")
            }
            Self::TileDiscarded { player, tile, remaining } => {
                write!(f, " player {player}: {tile} fits nowhere, {remaining} left")
            }
            Self::TilePlaced { player, tile, cell, rotation } => {
                write!(f, " player {player}: {tile} at {cell} {rotation}")
            }
            Self::FeatureMerged { terrain, kept, gone } => {
                write!(f, " {terrain} {} into {}", gone.0, kept.0)
            }
            Self::MeeplePlaced { player, meeple, cell, segment, feature } => {
                write!(f, " player {player}: {} at {cell} {segment}, ", Numbered(*meeple))?;
                write!(f, "feature {}", feature.0)
            }
            Self::MeepleSkipped { player } => write!(f, " player {player}"),
            Self::FeatureScored(score) | Self::EndGamePoints(score) => {
                let Score { player, terrain, feature, points, .. } = score;
                write!(f, " player {player}: +{points} for {terrain} {}: ", feature.0)?;
                f.write_str(&score.explanation())
            }
            Self::MeepleReturned { player, meeple, cell, segment } => {
                write!(f, " player {player}: {} from {cell} {segment}", Numbered(*meeple))
            }
            Self::ScoreUpdated { scores } => write!(f, " {}", list(scores)),
            Self::GoodsTaken { player, goods } => write!(f, " player {player}: {goods}"),
            Self::TurnDoubled { player } => write!(f, " player {player}"),
            Self::TileBagEmpty => Ok(()),
            Self::EndGameGoods { player, good, tokens, points } => {
                write!(f, " player {player}: +{points} for {good}: {tokens} tokens")
            }
            Self::GameOver { winners, scores } => {
                let seats: Vec<_> = winners.iter().map(|p| p.to_string()).collect();
                write!(f, " winners {}, scores {}", seats.join(" "), list(scores))
            }
        }
    }
}

/// A figure in a sentence: `meeple 3`, `builder`.
struct Numbered(u8);

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Figure::of_number(self.0) {
            Figure::Meeple => write!(f, "meeple {}", self.0),
            Figure::Big => f.write_str("big meeple"),
            other => write!(f, "{other}"),
        }
    }
}
