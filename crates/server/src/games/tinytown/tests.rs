//! What a user must be able to rely on in the views and actions of Tinytown.

use super::*;
use crate::wire::TinytownView;
use serde_json::json;

fn shown(town: &Tinytown) -> TinytownView {
    serde_json::from_value(json!(Hosted::view(town, &()))).unwrap()
}

#[test]
fn every_position_tells_what_perfect_play_still_reaches() {
    let mut random = Random::new(3);
    for text in ["3x3", "4x4", "2x5 older", "1x20", "4x5"] {
        let setup: Setup = text.parse().unwrap();
        Tinytown::prepare(&setup);
        let mut town = Tinytown::new(&setup);
        let (mut moves, mut reachable) = (Vec::new(), shown(&town).optimum);
        loop {
            let view = shown(&town);
            assert!(view.reachable <= reachable, "no move makes more possible");
            reachable = view.reachable;
            assert_eq!(view.points, town.points());
            assert_eq!((view.squares.len(), view.squares[0].len()), (view.rows, view.columns));
            town.moves(&mut moves);
            let builds: Vec<_> = moves.iter().map(ToString::to_string).collect();
            assert!(view.buildings.iter().all(|choice| builds.contains(&choice.moved)));
            for choice in &view.buildings {
                assert!(choice.uses.contains(&choice.square));
            }
            let legal: Vec<_> = town.legal_turns().into_iter().map(|turn| turn.moved).collect();
            assert_eq!(legal, builds);
            let Some(m) = random.pick(&moves) else { break };
            town.play(*m, |event| assert!(view::event(&event)["text"].is_string())).unwrap();
        }
        assert_eq!(reachable, town.points());
        assert_eq!(Hosted::phase(&town), "game_over");
    }
    assert_eq!(shown(&Tinytown::new(&"4x4".parse().unwrap())).optimum, 25);
}

#[test]
fn actions_are_read_in_both_forms_and_others_refused() {
    let town = Tinytown::new(&"3x3".parse().unwrap());
    let brick: Action = "brick 0,1".parse().unwrap();
    for action in [
        json!({"move": "brick 0,1"}),
        json!({"vector": [0, 1, 0, 0, 0, 0]}),
        json!({"action": {"payload": {"move": "brick 0,1"}}}),
    ] {
        assert_eq!(town.read_action(&action).unwrap(), [brick], "{action}");
    }
    for action in [
        json!(null),
        json!({}),
        json!({"move": 3}),
        json!({"move": "stone 0,0"}),
        json!({"vector": [0, 1]}),
        json!({"vector": [9, 9, 0, 0, 0, 0]}),
        json!({"vector": [0, 1, 0, 0, 0, "x"]}),
        json!({"move": "end", "vector": [0, 0, 0, 0, 0, 2]}),
    ] {
        assert!(!town.read_action(&action).unwrap_err().to_string().is_empty(), "{action}");
    }
}

#[test]
fn records_of_grids_that_are_too_large_are_refused() {
    assert!(Tinytown::read_record("tinytown 3x3\nbrick 0,0").is_ok());
    assert!(Tinytown::read_record("tinytown 5x5").unwrap_err().to_string().contains("at most 20"));
    assert!(
        Tinytown::read_record("tinytown 3x3\nend")
            .unwrap_err()
            .to_string()
            .contains("resource phase")
    );
    let error = Tinytown::bot("nobody", &"3x3".parse().unwrap()).err().unwrap();
    assert!(error.to_string().contains("optimal"));
}
