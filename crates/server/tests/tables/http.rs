//! The same game over plain HTTP.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};

#[tokio::test]
async fn a_whole_game_over_http_with_lone_tile_moves_in_the_action_form() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let clients = [&host, &other];
    let mut random = Random::new(5);
    let mut version = 0;
    loop {
        let path = format!("/api/games/{id}/updates?from={version}&wait=0");
        let update = host.get(&path).await.value();
        version = update["version"].as_u64().unwrap();
        if update["result"].is_object() {
            break;
        }
        let mover = clients[update["turn"].as_u64().unwrap() as usize];
        let view = mover.get(&format!("/api/games/{id}/view?as=bot")).await.value();
        let actions = view["valid_actions"].as_array().unwrap();
        let action = random.pick(actions).unwrap();
        let body = match random.below(3) {
            0 => action.clone(),
            1 => json!({"action_type": "place_tile", "payload": action}),
            _ => json!({"action": {"action_type": "place_tile", "payload": action}}),
        };
        let placed = mover.post(&format!("/api/games/{id}/play"), &body).await.value();
        assert_eq!(placed["phase"], "place_meeple");
        let choices = placed["meeple_choices"].as_array().unwrap();
        assert!(choices.contains(&json!("pass")));
        let view = mover.get(&format!("/api/games/{id}/view?as=bot")).await.value();
        let spots = view["valid_actions"].as_array().unwrap();
        assert_eq!(spots.len(), choices.len(), "{spots:?} {choices:?}");
        let body = json!({"version": placed["version"],
            "action": {"action_type": "place_meeple", "payload": random.pick(spots).unwrap()}});
        let played = mover.post(&format!("/api/games/{id}/play"), &body).await.value();
        assert_eq!(played["meeple_choices"], Value::Null);
    }
    let over = state(&other, &id).await;
    assert_eq!(over["info"]["status"], "over");
    assert_eq!(over["info"]["result"]["reason"], "normal");
}

#[tokio::test]
async fn a_poll_waits_for_the_next_version() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let now = state(&host, &id).await["update"]["version"].as_u64().unwrap();
    let path = format!("/api/games/{id}/updates?from={now}&wait=0");
    assert_eq!(other.get(&path).await.status.as_u16(), 204, "nothing new");
    let path = format!("/api/games/{id}/updates?from={now}&wait=60");
    let waiting = tokio::spawn({
        let other = other.clone();
        async move { other.get(&path).await.value() }
    });
    until(&host, &id, |state| state["info"]["seats"][1]["online"] == true).await;
    play_turn(&[&host, &other], &id, &mut Random::new(6)).await;
    let update = waiting.await.unwrap();
    assert!(update["version"].as_u64().unwrap() > now);
    assert!(!update["events"].as_array().unwrap().is_empty());
    assert!(update["legal"].is_array(), "the poller is to move");
}

#[tokio::test]
async fn tile_and_meeple_together_are_both_or_none() {
    let server = quick_server().await;
    let (host, _other, id) = game_for_two(&server, json!({})).await;
    let before = state(&host, &id).await["update"].clone();
    let tile = before["legal"][0]["move"].clone();
    let path = format!("/api/games/{id}/play");
    for second in ["city7", "V", "0,1 r0"] {
        let body = json!({"version": before["version"], "moves": [tile, second]});
        assert_eq!(host.post(&path, &body).await.refused(422), "illegal_move");
    }
    let body = json!({"version": before["version"], "moves": [tile, "nonsense"]});
    assert_eq!(host.post(&path, &body).await.refused(400), "bad_request");
    let mut after = state(&host, &id).await["update"].clone();
    after["clocks"] = before["clocks"].clone();
    assert_eq!(after, before, "nothing was half-written");
    let body = json!({"version": before["version"], "moves": [tile, "pass"]});
    assert_eq!(host.post(&path, &body).await.value()["phase"], "place_tile");
}
