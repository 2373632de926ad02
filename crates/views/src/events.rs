//! What happened in a game of Carcassonne, as JSON: one object an event, with the names of `docs/notation.md`.
//!
//! An event is small and knows no lists; what it points to is read from the state it led to.

use carcassonne::{Cell, Edition, Event, Figure, Good, Goods, Position, Score, Segment};
use game::{ByPlayer, Game, PlayerSet, Record};
use serde_json::{Map, Value, json};

/// All events of a record, each with its ply, its name, its text and what it tells.
///
/// # Errors
/// If the record does not replay.
pub fn events<E: Edition>(record: &Record<Position<E>>) -> Result<Vec<Value>, game::IllegalMove> {
    let (mut told, mut all) = (Vec::new(), Vec::new());
    let mut game = record.start(|event| told.push(event));
    all.extend(told.drain(..).map(|happened| at_ply(&game, 0, &happened)));
    for (index, m) in record.moves.iter().enumerate() {
        game.play(*m, |event| told.push(event))?;
        all.extend(told.drain(..).map(|happened| at_ply(&game, index + 1, &happened)));
    }
    Ok(all)
}

fn at_ply<E: Edition>(game: &Position<E>, ply: usize, happened: &Event) -> Value {
    let mut value = event(game, happened);
    value["ply"] = ply.into();
    value
}

/// An event that led to this state: its name, its text and what it tells.
#[must_use]
pub fn event<E: Edition>(game: &Position<E>, event: &Event) -> Value {
    let mut all = Map::new();
    all.insert("event".to_owned(), event.name().into());
    if let Value::Object(payload) = payload(game, event) {
        all.extend(payload);
    }
    if let Some(reason) = event.reason() {
        all.insert("reason".to_owned(), reason.into());
    }
    all.insert("text".to_owned(), event.to_string().into());
    Value::Object(all)
}

fn payload<E: Edition>(game: &Position<E>, event: &Event) -> Value {
    match event {
        Event::GameStarted { players } => json!({"players": (0..*players).collect::<Vec<_>>()}),
        Event::StartingTilePlaced { tile } => {
            let Cell { x, y } = Cell::ORIGIN;
            json!({"tile": tile.to_string(), "x": x, "y": y, "rotation": 0})
        }
        Event::TileDrawn { player, tile, remaining }
        | Event::TileDiscarded { player, tile, remaining } => json!({
            "player": player.index(),
            "tile": tile.to_string(),
            "tiles_remaining": remaining,
        }),
        Event::TilePlaced { player, tile, cell, rotation } => json!({
            "player": player.index(),
            "tile": tile.to_string(),
            "x": cell.x,
            "y": cell.y,
            "rotation": rotation.degrees(),
        }),
        Event::FeatureMerged { terrain, kept, gone } => {
            json!({"type": terrain.name(), "feature": kept.0, "merged": gone.0})
        }
        Event::MeeplePlaced { player, meeple, cell, segment, feature } => {
            let mut payload = meeple_at(game, *cell, *segment);
            payload["player"] = player.index().into();
            payload["meeple"] = (*meeple).into();
            payload["feature"] = feature.0.into();
            name_figure(&mut payload, *meeple);
            payload
        }
        Event::MeepleSkipped { player } => json!({"player": player.index()}),
        Event::MeepleReturned { player, meeple, cell, segment } => {
            let mut payload = meeple_at(game, *cell, *segment);
            payload["player"] = player.index().into();
            payload["meeple"] = (*meeple).into();
            payload["feature"] = game.feature_at(*cell, *segment).map(|id| id.0).into();
            name_figure(&mut payload, *meeple);
            payload
        }
        Event::FeatureScored(score) | Event::EndGamePoints(score) => points(game, score),
        Event::ScoreUpdated { scores } => json!({"scores": list(scores)}),
        Event::GoodsTaken { player, goods } => {
            json!({"player": player.index(), "goods": self::goods(goods)})
        }
        Event::TurnDoubled { player } => json!({"player": player.index()}),
        Event::TileBagEmpty => json!({}),
        Event::EndGameGoods { player, good, tokens, points } => json!({
            "player": player.index(),
            "good": good.name(),
            "tokens": tokens,
            "points": points,
        }),
        Event::GameOver { winners, scores } => {
            json!({"winners": seats(*winners), "scores": list(scores)})
        }
    }
}

fn meeple_at<E: Edition>(game: &Position<E>, cell: Cell, segment: Segment) -> Value {
    let mut at = self::segment(game, cell, segment);
    at["x"] = cell.x.into();
    at["y"] = cell.y.into();
    at
}

/// Names a figure that is no meeple; of a meeple nothing more is said than in the base game.
pub fn name_figure(value: &mut Value, number: u8) {
    match Figure::of_number(number) {
        Figure::Meeple => {}
        figure => value["figure"] = figure.name().into(),
    }
}

/// Tokens by the names of their kinds.
#[must_use]
pub fn goods(goods: &Goods) -> Map<String, Value> {
    Good::ALL.into_iter().map(|good| (good.name().to_owned(), goods[good].into())).collect()
}

fn points<E: Edition>(game: &Position<E>, score: &Score) -> Value {
    let cells = game.feature(score.feature).map(|feature| feature.cells()).unwrap_or_default();
    let mut value = json!({
        "player": score.player.index(),
        "owners": seats(score.owners),
        "feature": score.feature.0,
        "type": score.terrain.name(),
        "is_complete": score.finished,
        "points": score.points,
        "tiles": cells.into_iter().map(position).collect::<Vec<_>>(),
        "tiles_counted": score.tiles,
        "pennants": score.pennants,
        "cities": score.cities,
        "explanation": score.explanation(),
    });
    if score.special {
        value["special"] = true.into();
    }
    value
}

/// A cell.
#[must_use]
pub fn position(cell: Cell) -> Value {
    json!({"x": cell.x, "y": cell.y})
}

/// Both names of a segment of a tile that lies.
#[must_use]
pub fn segment<E: Edition>(game: &Position<E>, cell: Cell, segment: Segment) -> Value {
    let other = game.tile_at(cell).and_then(|placed| segment.side_name(placed.tile));
    json!({"segment": segment.to_string(), "spot": other})
}

/// Players as a list of seats.
#[must_use]
pub fn seats(players: PlayerSet) -> Vec<usize> {
    players.iter().map(game::Player::index).collect()
}

/// A value for each player, by seat.
#[must_use]
pub fn list<T: Copy + Into<Value>>(values: &ByPlayer<T>) -> Vec<Value> {
    values.as_slice().iter().map(|value| (*value).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Carcassonne, Expanded};

    fn told(text: &str) -> Vec<Value> {
        events::<carcassonne::Base>(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn figures_and_inns_are_named_in_games_with_sets() {
        let record = "carcassonne sets=inns\nIC/RFr.i; 1,0 r0; big road0\nA; -1,0 r3; pass\n\
                      A; 2,0 r1; pass\n";
        let record: Record<Expanded> = record.parse().unwrap();
        let all = events(&record).unwrap();
        let named = |name: &str| all.iter().find(|event| event["event"] == name).unwrap().clone();
        assert_eq!(
            (&named("meeple_placed")["meeple"], &named("meeple_placed")["figure"]),
            (&json!(7), &json!("big"))
        );
        let scored = named("feature_scored");
        assert_eq!((&scored["points"], &scored["special"]), (&json!(8), &json!(true)));
        assert_eq!(scored["explanation"], "4 tiles, finished, inn");
        assert_eq!(named("meeple_returned")["figure"], "big");
    }

    #[test]
    fn events_carry_what_they_tell() {
        let all = told("carcassonne players=3\nU; 1,0 r0; road0\nE; 0,1 r2; city0\n");
        let named = |name: &str| all.iter().find(|event| event["event"] == name).unwrap().clone();
        let without_text = |name: &str| {
            let mut event = named(name);
            assert!(event["text"].as_str().unwrap().starts_with(name));
            event.as_object_mut().unwrap().remove("text");
            event
        };
        assert_eq!(
            without_text("tile_drawn"),
            json!({"ply": 1, "event": "tile_drawn", "player": 0, "tile": "U", "tiles_remaining": 70})
        );
        assert_eq!(
            without_text("meeple_placed"),
            json!({
                "ply": 3, "event": "meeple_placed", "player": 0, "meeple": 0, "x": 1, "y": 0,
                "segment": "road0", "spot": "road_EW", "feature": named("meeple_placed")["feature"],
            })
        );
        assert_eq!(
            without_text("feature_scored"),
            json!({
                "ply": 6, "event": "feature_scored", "player": 1, "owners": [1], "feature": 0,
                "type": "city", "is_complete": true, "points": 4,
                "tiles": [{"x": 0, "y": 0}, {"x": 0, "y": 1}], "tiles_counted": 2,
                "pennants": 0, "cities": 0, "explanation": "2 tiles, finished",
            })
        );
        assert_eq!(named("meeple_returned")["feature"], 0);
        assert_eq!(named("score_updated")["scores"], json!([0, 4, 0]));
        assert_eq!(named("game_started")["players"], json!([0, 1, 2]));
    }

    #[test]
    fn the_end_and_a_tile_set_aside_have_reasons() {
        // On one cell nothing fits once the first tile lies.
        let mut record: Record<Carcassonne> = "carcassonne board=1x1".parse().unwrap();
        let mut game = record.replay().unwrap();
        let mut moves = Vec::new();
        loop {
            game.moves(&mut moves);
            let Some(m) = moves.first().copied() else { break };
            game.play(m, |_| {}).unwrap();
            record.moves.push(m);
        }
        let all = events(&record).unwrap();
        assert_eq!(all[2]["reason"], "no_valid_placement");
        let last = all.last().unwrap();
        assert_eq!((&last["event"], &last["reason"]), (&json!("game_over"), &json!("normal")));
        assert_eq!(last["winners"], json!([0, 1]));
        assert_eq!(last["scores"], json!([0, 0]));
    }
}
