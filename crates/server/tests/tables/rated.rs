//! Rated games: for accounts only, lost on time, settled once, and without help.

use crate::support::*;
use game::Random;
use serde_json::{Value, json};

#[tokio::test]
async fn a_rated_game_is_lost_on_time_and_settled_once() {
    let server = quick_server().await;
    let clock = json!({"clock": {"kind": "game", "initial_ms": 5000, "increment_ms": 0}});
    let (host, other, id) = rated_game(&server, clock).await;
    assert_eq!(state(&host, &id).await["info"]["help_allowed"], false);
    // As many turns as a rating needs; then the host is to move, and does not.
    play_turns(&[&host, &other], &id, 6, &mut Random::new(2)).await;
    let over = until_over(&other, &id).await;
    let info = &over["info"];
    assert_eq!(info["result"]["reason"], "time");
    assert_eq!(info["result"]["winners"], json!([1]));
    assert_eq!(info["help_allowed"], true);
    let change = |seat: usize| info["seats"][seat]["rating_change"].as_f64().unwrap();
    assert!(change(0) < 0.0 && change(1) > 0.0, "{info}");
    let server = server.restart().await;
    let again = state(&host.moved_to(server.address), &id).await;
    assert_eq!(again["info"]["seats"], {
        let mut seats = info["seats"].clone();
        for seat in seats.as_array_mut().unwrap() {
            seat["online"] = json!(false);
        }
        seats
    });
}

#[tokio::test]
async fn guests_stay_out_of_rated_games_and_rated_games_have_no_takebacks() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "rated": true, "clock": {"kind": "move", "per_move_ms": 600_000}});
    let id = new_game(&host, &body).await;
    let guest = server.guest().await;
    let path = format!("/api/games/{id}");
    assert_eq!(guest.post(&format!("{path}/join"), &json!({})).await.refused(403), "forbidden");
    let other = registered(&server).await;
    other.post(&format!("{path}/join"), &json!({})).await.ok();
    play_turn(&[&host, &other], &id, &mut Random::new(3)).await;
    let back = host.post(&format!("{path}/takeback"), &json!({"accept": true})).await;
    assert_eq!(back.refused(409), "conflict");
    for (key, value) in [
        ("seed", json!("ab".repeat(32))),
        (
            "seats",
            json!([{"kind": "me"},
        {"kind": "me"}]),
        ),
    ] {
        let mut body = body.clone();
        body[key] = value;
        assert_eq!(host.post("/api/games", &body).await.refused(400), "bad_request");
    }
}

#[tokio::test]
async fn no_endpoint_helps_in_a_rated_game_that_is_being_played() {
    let server = quick_server().await;
    let (host, other, id) = rated_game(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 4, &mut Random::new(4)).await;
    let game = state(&host, &id).await;
    let moves: Vec<String> = sqlx_moves(&server, &id).await;
    let setup = game["info"]["setup"].as_str().unwrap();
    let record = format!("carcassonne {setup}\n{}", moves.join("\n"));
    let ask = json!({"record": record, "time_ms": 10});
    // The players are refused whatever they ask about; others for this very game.
    let elsewhere = json!({"record": format!("carcassonne {setup}\nV"), "time_ms": 10});
    assert_eq!(host.post("/api/analyse", &ask).await.refused(403), "forbidden");
    assert_eq!(host.post("/api/analyse", &elsewhere).await.refused(403), "forbidden");
    let watcher = server.guest().await;
    assert_eq!(watcher.post("/api/analyse", &ask).await.refused(403), "forbidden");
    let earlier = json!({"record": format!("carcassonne {setup}\n{}", moves[..9].join("\n"))});
    assert_eq!(watcher.post("/api/analyse", &earlier).await.refused(403), "forbidden");
    // No view has anything but the position and what is legal.
    for path in ["", "/view?as=player", "/view?as=bot"] {
        let text = host.get(&format!("/api/games/{id}{path}")).await.ok().text;
        for help in ["\"best\"", "\"win\"", "\"worth\"", "\"lines\"", "\"hint\""] {
            assert!(!text.contains(help), "{path} has {help}");
        }
    }
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let thoughts: Value = watcher.post("/api/analyse", &ask).await.value();
    assert!(!thoughts["best"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_rated_game_is_known_again_in_other_words() {
    let server = quick_server().await;
    let (host, other, id) = rated_game(&server, json!({})).await;
    play_turns(&[&host, &other], &id, 8, &mut Random::new(5)).await;
    let moves = sqlx_moves(&server, &id).await;
    let record = format!("carcassonne players=2\n{}", moves.join("; "));
    let list = carcassonne::write_list::<carcassonne::Base>(&record.parse().unwrap()).unwrap();
    // Nobody has put a meeple down, and it is another kind of game.
    let is_meeple = |m: &&String| !m.contains(',') && m.chars().any(|c| c.is_ascii_lowercase());
    let passed: Vec<&str> =
        moves.iter().map(|m| if is_meeple(&m) { "pass" } else { m.as_str() }).collect();
    let passed = format!("carcassonne players=4 farmers=off\n{}", passed.join("\n"));
    let anonymous = server.client();
    for asked in [
        json!({"record": record}),
        json!({"record": format!("# my own game\n\n{record}  # so far")}),
        json!({"record": list}),
        json!({"record": passed}),
        json!({"record": passed, "ply": moves.len() - 3}),
    ] {
        let answer = anonymous.post("/api/analyse", &asked).await;
        assert_eq!(answer.refused(403), "forbidden", "{asked}");
    }
    // Not by taking it in as a game of one's own either.
    let friend = server.guest().await;
    let taken = friend.post("/api/import", &json!({"record": passed})).await.value();
    let path = format!("/api/games/{}/thoughts?time_ms=10", taken["id"].as_str().unwrap());
    assert_eq!(friend.get(&path).await.refused(403), "forbidden");
    // What is another game is answered, and this one when it is over.
    let another = json!({"record": "carcassonne\nU; 1,0 r0; road0; E", "time_ms": 10});
    anonymous.post("/api/analyse", &another).await.ok();
    host.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    friend.get(&path).await.ok();
}

/// The moves of a game as its log has them.
async fn sqlx_moves(server: &crate::common::Server, id: &str) -> Vec<String> {
    use sqlx::Row;
    let sql = "SELECT body FROM log WHERE game_id = $1 AND kind IN ('move', 'draw') ORDER BY ply";
    let rows = sqlx::query(sql).bind(id).fetch_all(&server.app.db.pool).await.expect("the log");
    rows.iter().map(|row| row.get::<String, _>("body")).collect()
}
