//! The whole turns of the player to move, with what each would bring.

use crate::{GoodsView, is_false, sets};
use carcassonne::{Cell, Edition, Event, Move, MoveKind, Phase, Position, Segment};
use game::{Game, Turn, ignore};
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, ToSmolStr};
#[cfg(feature = "schema")]
use ts_rs::TS;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A legal move and the moves that could follow it in the same turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct LegalMove {
    /// The move, in our notation.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub moved: SmolStr,
    /// What may follow; empty if the turn ends with the move.
    #[cfg_attr(feature = "schema", ts(as = "Vec<String>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub then: Vec<SmolStr>,
    /// What the move finishes and pays without a new meeple.
    pub pays: Vec<Pay>,
    /// What a meeple would stand on, in the order of `then`; none for a move without a meeple.
    pub stands: Vec<Option<FeatureStanding>>,
    /// The goods that the move gives to whoever plays it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub goods: Option<GoodsView>,
    /// Whether a builder gives a second part of the turn.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub doubles: bool,
}

impl LegalMove {
    /// A move that ends its turn.
    pub fn alone(m: &impl ToSmolStr) -> Self {
        Self {
            moved: m.to_smolstr(),
            then: Vec::new(),
            pays: Vec::new(),
            stands: Vec::new(),
            goods: None,
            doubles: false,
        }
    }
}

/// Points that a move brings a seat at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct Pay {
    /// Whose.
    #[cfg_attr(feature = "schema", schema(maximum = 5))]
    pub seat: usize,
    /// What is finished: `city`, `road`, `monastery` or `garden`.
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(schema_with = crate::schemas::terrain))]
    pub feature_type: SmolStr,
    /// How many.
    pub points: i32,
}

/// The feature that a meeple would stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct FeatureStanding {
    /// What it is worth if the game ended now, or pays at once if it is finished.
    pub points: i32,
    /// Whether it is finished.
    pub is_complete: bool,
    /// Sides that are open; neighbours that lack, for a monastery.
    pub open_edges: usize,
    /// Cities that a field touches, finished or not.
    pub cities: usize,
}

/// Each legal move with what could follow it in the same turn.
#[must_use]
pub fn legal_turns<E: Edition>(game: &Position<E>) -> Vec<LegalMove> {
    if !matches!(game.turn(), Turn::Player(_)) {
        return Vec::new();
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    match game.phase() {
        Phase::PlaceTile => moves.iter().map(|m| placement(game, *m)).collect(),
        _ => moves.iter().map(LegalMove::alone).collect(),
    }
}

fn placement<E: Edition>(game: &Position<E>, m: Move) -> LegalMove {
    let mut placed = game.clone();
    placed.play_unchecked(m, ignore);
    let mut then = Vec::new();
    placed.moves(&mut then);
    let cell = placed.last_placed().map_or(Cell::ORIGIN, |last| last.cell);
    let stand = |m: &Move| match m.kind() {
        MoveKind::Meeple(segment) | MoveKind::Figure(_, segment) => {
            stands_on(&placed, cell, segment)
        }
        _ => None,
    };
    let mut listed = LegalMove {
        moved: m.to_smolstr(),
        then: then.iter().map(ToSmolStr::to_smolstr).collect(),
        pays: Vec::new(),
        stands: then.iter().map(stand).collect(),
        goods: None,
        doubles: false,
    };
    tell_what_it_brings(&placed, &mut listed);
    listed
}

fn stands_on<E: Edition>(
    placed: &Position<E>,
    cell: Cell,
    segment: Segment,
) -> Option<FeatureStanding> {
    let summary = placed.summary_at(cell, segment)?;
    Some(FeatureStanding {
        points: i32::from(summary.points),
        is_complete: summary.finished,
        open_edges: usize::from(summary.open),
        cities: usize::from(summary.cities),
    })
}

/// What the tile just placed brings, if no meeple follows.
fn tell_what_it_brings<E: Edition>(placed: &Position<E>, listed: &mut LegalMove) {
    let mut passed = placed.clone();
    passed.play_unchecked(Move::PASS, |event| match event {
        Event::FeatureScored(score) => listed.pays.push(Pay {
            seat: score.player.index(),
            feature_type: SmolStr::new_static(score.terrain.name()),
            points: i32::from(score.points),
        }),
        Event::GoodsTaken { goods, .. } => listed.goods = sets::some_goods(goods),
        Event::TurnDoubled { .. } => listed.doubles = true,
        _ => {}
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Carcassonne, Expanded};
    use game::Record;

    fn turns(text: &str) -> Vec<LegalMove> {
        let record: Record<Carcassonne> = text.parse().unwrap();
        legal_turns(&record.replay().unwrap())
    }

    #[test]
    fn a_placement_tells_what_it_pays_and_what_meeples_would_stand_on() {
        // The start tile's city is claimed by nobody; E below the first line closes it.
        let turns = turns("carcassonne players=2\nE; 0,1 r2; pass\nU; 1,0 r0; road0\nV\n");
        let at = |m: &str| turns.iter().find(|turn| turn.moved == m).unwrap();
        let on = at("2,0 r0");
        assert_eq!(on.then.len(), on.stands.len());
        let field = on.then.iter().position(|m| m == "field0").unwrap();
        let stand = on.stands[field].unwrap();
        assert_eq!((stand.points, stand.is_complete), (3, false), "it feeds the finished city");
        let pass = on.then.iter().position(|m| m == "pass").unwrap();
        assert_eq!(on.stands[pass], None);
        assert!(on.pays.is_empty());
        assert!(!on.then.contains(&"road0".into()), "the other's road");
    }

    #[test]
    fn what_a_tile_finishes_is_paid_to_its_owner() {
        let turns = turns("carcassonne players=2\nD; 0,1 r2; city0\nE; 0,-1 r2; pass\nU\n");
        assert!(turns.iter().all(|turn| turn.pays.is_empty()), "the city is finished already");
        let turns = self::turns("carcassonne players=2\nN; 0,1 r2; city0\nE\n");
        let paid: Vec<_> = turns.iter().flat_map(|turn| &turn.pays).collect();
        assert!(paid.iter().all(|pay| pay.seat == 0 && pay.feature_type == "city"), "{paid:?}");
        assert!(!paid.is_empty());
    }

    #[test]
    fn goods_a_second_part_and_what_figures_stand_on_are_told() {
        let turns = |last: &str| {
            let record = format!(
                "carcassonne players=2 sets=traders\nU; 1,0 r0; road0\nTB/Cc.w; 0,1 r2; pass\n\
                 U; 2,0 r0; builder road0\nB; 0,-1 r0; pass\n{last}\n"
            );
            legal_turns(&record.parse::<Record<Expanded>>().unwrap().replay().unwrap())
        };
        let road = turns("U");
        let on = road.iter().find(|turn| turn.moved == "3,0 r0").unwrap();
        assert!(on.doubles, "it extends the road of the builder");
        assert!(
            road.iter().any(|turn| !turn.doubles) && road.iter().all(|turn| turn.goods.is_none())
        );
        let stands = on.then.iter().zip(&on.stands);
        assert!(stands.into_iter().all(|(m, stand)| stand.is_some() == (m != "pass")));
        let closed = turns("E");
        let closes = closed.iter().find(|turn| turn.moved == "1,1 r3").unwrap();
        let wine = GoodsView { wine: 1, ..GoodsView::default() };
        assert_eq!(closes.goods, Some(wine), "whoever finishes the city takes its wine");
    }

    #[test]
    fn a_meeple_alone_follows_nothing() {
        let turns = turns("carcassonne players=2\nU; 1,0 r0\n");
        assert!(turns.iter().all(|turn| turn.then.is_empty() && turn.stands.is_empty()));
        assert!(turns.iter().any(|turn| turn.moved == "pass"));
    }
}
