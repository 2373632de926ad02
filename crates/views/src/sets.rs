//! What the sets add to views: figures, goods, the river, a turn's second part.

use carcassonne::{Edition, Figure, Good, Goods, Options, Position, Sets};
use game::{Game, Player};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use ts_rs::TS;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A set that is played beside the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SetName {
    /// Inns and cathedrals.
    Inns,
    /// Traders and builders.
    Traders,
    /// The river.
    River,
    /// Gardens and abbots.
    Gardens,
}

/// A figure that is no meeple.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FigureName {
    /// The big meeple of the inns.
    Big,
    /// The builder of the traders.
    Builder,
    /// The pig of the traders.
    Pig,
    /// The abbot of the gardens.
    Abbot,
}

/// A kind of goods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GoodName {
    /// Nine tokens.
    Wine,
    /// Six tokens.
    Grain,
    /// Five tokens.
    Cloth,
}

/// Tokens by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct GoodsView {
    /// Of nine.
    pub wine: u8,
    /// Of six.
    pub grain: u8,
    /// Of five.
    pub cloth: u8,
}

/// What the sets add to the view of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct SetsView {
    /// The sets that are played.
    pub names: Vec<SetName>,
    /// Figures in hand beside the meeples, by seat.
    pub figures: Vec<Vec<FigureName>>,
    /// Goods, by seat; empty without the traders.
    pub goods: Vec<GoodsView>,
    /// River tiles still to be drawn, before all others.
    pub river_remaining: usize,
    /// Whether this is the second part of a turn, which a builder gave.
    pub second_part: bool,
}

/// What the sets add, seats counted from `first`; none in the base game.
#[must_use]
pub fn view<E: Edition>(game: &Position<E>, first: Player) -> Option<SetsView> {
    let sets = game.setup().sets();
    if sets.is_empty() {
        return None;
    }
    let players = game.players();
    let seats: Vec<Player> =
        (0..players).map(|after| Player::new((first.index() + after) % players)).collect();
    let in_hand = |seat: &Player| {
        let has = |figure: &Figure| game.has_figure(*seat, *figure);
        Figure::ALL.into_iter().filter(has).filter_map(figure_name).collect()
    };
    let traded = sets.contains(Sets::TRADERS);
    let river = Position::<E>::kinds().filter(|tile| tile.set() == Sets::RIVER);
    let bag = game.bag().as_ref();
    Some(SetsView {
        names: names(sets),
        figures: seats.iter().map(in_hand).collect(),
        goods: seats.iter().filter(|_| traded).map(|seat| goods(game.goods(*seat))).collect(),
        river_remaining: river.map(|tile| usize::from(bag[tile.index()])).sum(),
        second_part: game.is_second_part(),
    })
}

/// The names of sets, in their order.
#[must_use]
pub fn names(sets: Sets) -> Vec<SetName> {
    let all = [
        (Sets::INNS, SetName::Inns),
        (Sets::TRADERS, SetName::Traders),
        (Sets::RIVER, SetName::River),
        (Sets::GARDENS, SetName::Gardens),
    ];
    all.into_iter().filter(|(set, _)| sets.contains(*set)).map(|(_, name)| name).collect()
}

/// The name of a figure that is no meeple.
#[must_use]
pub const fn figure_name(figure: Figure) -> Option<FigureName> {
    match figure {
        Figure::Meeple => None,
        Figure::Big => Some(FigureName::Big),
        Figure::Builder => Some(FigureName::Builder),
        Figure::Pig => Some(FigureName::Pig),
        Figure::Abbot => Some(FigureName::Abbot),
    }
}

/// The name of a kind of goods.
#[must_use]
pub const fn good_name(good: Good) -> GoodName {
    match good {
        Good::Wine => GoodName::Wine,
        Good::Grain => GoodName::Grain,
        Good::Cloth => GoodName::Cloth,
    }
}

fn goods(goods: Goods) -> GoodsView {
    GoodsView { wine: goods[Good::Wine], grain: goods[Good::Grain], cloth: goods[Good::Cloth] }
}

/// Goods, unless there are none.
#[must_use]
pub fn some_goods(some: Goods) -> Option<GoodsView> {
    (!some.is_empty()).then(|| goods(some))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_words_are_those_of_the_rules() {
        for figure in Figure::ALL {
            let name = figure_name(figure).map(|name| json!(name));
            let expected = Some(json!(figure.name())).filter(|_| figure != Figure::Meeple);
            assert_eq!(name, expected);
        }
        for good in Good::ALL {
            assert_eq!(json!(good_name(good)), json!(good.name()));
        }
        for (set, name) in Sets::NAMED {
            assert_eq!(json!(names(set)), json!([name]));
        }
    }
}
