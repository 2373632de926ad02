//! Games that begin with a position laid by hand: the layout is the start of their record, and everything that
//! reads the game again begins with it.

use crate::common::{Client, Server};
use crate::support::*;
use carcassonne::Expanded;
use game::{Game, Random, Record, Turn};
use serde_json::{Value, json};

/// A position of a game by chance in which so many tiles are left to be drawn: the head of its record.
fn laid(setup: &str, left: usize, seed: u64) -> String {
    let setup = setup.parse().unwrap();
    let (mut game, mut random, mut moves) = (Expanded::new(&setup), Random::new(seed), Vec::new());
    while game.tiles_left() > left || game.turn() != Turn::Chance || game.is_second_part() {
        game.moves(&mut moves);
        let m = game.sample_outcome(&mut random).or_else(|| random.pick(&moves).copied());
        game.play_unchecked(m.unwrap(), |_| {});
    }
    format!("carcassonne {setup}\nfrom {}", game.layout().unwrap().to_one_line())
}

fn from(record: &str, players: usize) -> Value {
    let bot = |_| json!({"kind": "bot", "bot": "shepherd"});
    let seats: Vec<Value> =
        std::iter::once(json!({"kind": "me"})).chain((1..players).map(bot)).collect();
    let from = json!({"record": record});
    json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false, "from": from})
}

/// The record as the server tells it, without the comment.
async fn record(client: &Client, id: &str) -> String {
    let text = client.get(&format!("/api/games/{id}/record")).await.ok().text;
    text.split_once('\n').unwrap().1.to_owned()
}

/// Plays own turns over a socket while others answer: so many, or to the end.
async fn play_on(client: &Client, id: &str, turns: usize, random: &mut Random) {
    let mut player = SocketPlayer::sit(client, id).await;
    let mut played = 0;
    while !player.is_over() && played < turns {
        if player.to_move() {
            let turn = pick_turn(&player.update, random);
            let answer = player.play(player.version(), &turn).await;
            assert_eq!(answer["type"], "done", "{answer}");
            played += 1;
        } else {
            player.next().await;
        }
    }
}

/// What a record comes to when its moves are played from the position that was laid.
fn replayed(text: &str) -> Expanded {
    let record: Record<Expanded> = text.parse().unwrap();
    let mut game = Expanded::lay(&record.setup, record.laid().unwrap()).unwrap();
    for m in &record.moves {
        game.play(*m, |_| {}).unwrap();
    }
    game
}

/// Everything that may still be drawn from the start of a record, in the order of the names.
fn bag(head: &str) -> Vec<String> {
    let start = replayed(head);
    let kinds = Expanded::kinds();
    let left = start.bag();
    let copies = |tile: carcassonne::Tile| vec![tile.to_string(); left[tile.index()].into()];
    let mut all: Vec<String> = kinds.flat_map(copies).collect();
    all.sort();
    all
}

/// Plays a game from a position to its end, with a restart in the midst.
async fn plays_to_the_end(setup: &str, players: usize, left: usize) {
    let server = quick_server().await;
    let head = laid(setup, left, 11);
    let ada = registered(&server).await;
    let id = new_game(&ada, &from(&head, players)).await;
    let info = state(&ada, &id).await["info"].clone();
    assert_eq!((&info["laid"], &info["from_ply"]), (&json!(true), &json!(0)), "{info}");
    assert_eq!((&info["rated"], &info["status"]), (&json!(false), &json!("playing")));
    let mut random = Random::new(5);
    play_on(&ada, &id, 2, &mut random).await;
    let before = until(&ada, &id, |now| now["update"]["legal"].is_array()).await;
    let server = server.restart().await;
    let ada = ada.moved_to(server.address);
    let after = state(&ada, &id).await;
    assert_eq!(after["update"]["view"], before["update"]["view"], "{setup}");
    assert_eq!(after["info"]["laid"], true);
    play_on(&ada, &id, usize::MAX, &mut random).await;

    let over = until_over(&ada, &id).await;
    let text = record(&ada, &id).await;
    assert!(text.starts_with(&head), "{text}\n{head}");
    let game = replayed(&text);
    assert_eq!(game.turn(), Turn::Over);
    assert_eq!(over["info"]["result"]["scores"], json!(game.scores().as_slice()), "{text}");
    let read: Record<Expanded> = text.parse().unwrap();
    let mut drawn: Vec<String> = Vec::new();
    let mut walk = read.start(|_| {});
    for m in &read.moves {
        if walk.turn() == Turn::Chance {
            drawn.push(m.to_string());
        }
        walk.play_unchecked(*m, |_| {});
    }
    drawn.sort();
    assert_eq!(drawn, bag(&head), "every tile that was left was drawn once");
    reads_again(&server, &ada, &id, &text).await;
    server.stop().await;
}

/// The finished game as everybody else reads it.
async fn reads_again(server: &Server, ada: &Client, id: &str, text: &str) {
    let read: Record<Expanded> = text.parse().unwrap();
    let start = read.start(|_| {});
    let at = ada.get(&format!("/api/games/{id}/replay?ply=0")).await.value();
    let tiles = at["view"]["board"]["tiles"].as_object().unwrap();
    assert_eq!(tiles.len(), start.tiles().len());
    assert_eq!(at["view"]["scores"], json!(start.scores().as_slice()));
    assert_eq!(at["view"]["last_placed_position"], Value::Null, "nobody placed what was laid");
    let last = ada.get(&format!("/api/games/{id}/replay")).await.value();
    assert_eq!(last["view"]["scores"], json!(replayed(text).scores().as_slice()));
    for picture in ["picture?format=svg", "picture?format=png&ply=0", "animation"] {
        ada.get(&format!("/api/games/{id}/{picture}")).await.ok();
    }
    let fair = ada.get(&format!("/api/games/{id}/fairness")).await;
    assert!(fair.text.contains("began with a position"), "{}", fair.text);
    fair.refused(409);
    let name = ada.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let profile = ada.get(&format!("/api/users/{name}")).await.value();
    let balance = &profile["balance"];
    assert_eq!(
        [&profile["games"], &balance["won"], &balance["lost"]],
        [&json!(0), &json!(0), &json!(0)],
        "it counts for nothing"
    );
    let site = ada.get("/api/statistics").await.value();
    assert_eq!([&site["finished_games"], &site["games_today"]], [&json!(0), &json!(0)]);
    let listed = ada.get("/api/games").await.value();
    assert_eq!(listed["games"][0]["info"]["laid"], true);
    // What was told is taken in again, and begins with the same position.
    let taken = server.guest().await;
    let imported = taken.post("/api/import", &json!({"record": text})).await.value();
    assert_eq!(imported["finished"], true);
    assert_eq!(record(&taken, imported["id"].as_str().unwrap()).await, text);
}

#[tokio::test]
async fn a_game_of_two_goes_on_from_a_laid_position_to_its_end() {
    plays_to_the_end("players=2", 2, 14).await;
}

#[tokio::test]
async fn a_game_of_three_goes_on_from_a_laid_position_to_its_end() {
    plays_to_the_end("players=3 farmers=off", 3, 15).await;
}

#[tokio::test]
async fn a_game_with_sets_goes_on_from_a_laid_position_to_its_end() {
    plays_to_the_end("players=2 sets=inns,traders", 2, 14).await;
}

#[tokio::test]
async fn a_game_of_three_with_all_sets_goes_on_from_a_laid_position_to_its_end() {
    plays_to_the_end("players=3 sets=inns,traders,river,gardens", 3, 15).await;
}

#[tokio::test]
async fn what_was_given_behind_a_layout_stands_and_a_river_goes_on() {
    let server = quick_server().await;
    let ada = registered(&server).await;
    let head = "carcassonne players=2\nfrom tile U 1,0 r0 0 road0 | scores 4 12 | player 1";
    let text = format!("{head}\nE; 0,1 r2; pass");
    let id = new_game(&ada, &from(&text, 2)).await;
    let now = until(&ada, &id, |now| now["update"]["legal"].is_array()).await;
    assert_eq!((&now["info"]["from_ply"], &now["info"]["laid"]), (&json!(3), &json!(true)));
    assert_eq!(now["update"]["view"]["scores"], json!([4, 12]));
    assert_eq!(now["update"]["turn"], 0, "the second seat placed E");
    let nothing = ada.post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await;
    assert!(nothing.text.contains("you have not moved yet"), "{}", nothing.text);
    play_on(&ada, &id, 1, &mut Random::new(1)).await;
    until(&ada, &id, |now| now["update"]["legal"].is_array()).await;
    ada.post(&format!("/api/games/{id}/takeback"), &json!({"accept": true})).await.ok();
    let back = state(&ada, &id).await;
    assert_eq!(back["update"]["view"]["board"], now["update"]["view"]["board"]);

    // The second seat begins, and the river is drawn first.
    let river = "carcassonne players=2 sets=river\nfrom player 1";
    let id = new_game(&ada, &from(river, 2)).await;
    until(&ada, &id, |now| now["update"]["legal"].is_array()).await;
    assert!(record(&ada, &id).await.lines().nth(2).unwrap().starts_with("RI/"));
    server.stop().await;
}

#[tokio::test]
async fn it_is_reviewed_from_its_position_on() {
    let server = quick_server().await;
    let ada = registered(&server).await;
    let head = "carcassonne players=2\nfrom tile U 1,0 r0 0 road0 | scores 4 12 | player 1";
    let id = new_game(&ada, &from(head, 2)).await;
    play_on(&ada, &id, 1, &mut Random::new(2)).await;
    ada.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    until_over(&ada, &id).await;
    let path = format!("/api/games/{id}/review");
    ada.post(&path, &json!({"depth": "quick"})).await.ok();
    // The stream ends with the review.
    let lines = ada.get(&format!("{path}/stream")).await.ok().text;
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let review = last["review"].clone();
    let mut decisions = review["steps"].as_array().unwrap().iter();
    let first = decisions.find(|step| step["kind"] == "decision").unwrap();
    assert_eq!(first["player"], 1, "the second seat began: {review}");
    server.stop().await;
}

#[tokio::test]
async fn hostile_layouts_are_refused_with_their_line() {
    let server = quick_server().await;
    let ada = registered(&server).await;
    let after = |line: &str| format!("# a comment\ncarcassonne players=2\n{line}");
    let river = |line: &str| format!("carcassonne players=2 sets=river\n{line}");
    for (text, status, word) in [
        (after("from"), 422, "line 3: expected 'from LAYOUT'"),
        (after("from # nothing"), 422, "line 3: expected 'from LAYOUT'"),
        (after("from tile U 1,0 r1"), 422, "line 3: U 1,0 r1: its edges are not like"),
        (after("from tile U 1,0 r0 | tile"), 422, "line 3: part 2: expected 'tile KIND X,Y rN'"),
        (after("from player 0 | player 1"), 422, "line 3: part 2: 'player' stands there already"),
        (after("from scores 1 2 | scores 3 4"), 422, "part 2: 'scores' stands there already"),
        (after("from player 2"), 422, "line 3: player 2: players are numbered from 0 to 1"),
        ("carcassonne board=1x1\nfrom player 0".to_owned(), 400, "no tile that is left can be"),
        (after("from gone U"), 422, "line 3: gone U: it fits at"),
        (after("from player 0\nfrom player 1"), 422, "line 4: 'from' stands once"),
        (after("V; 1,0 r0; pass\nfrom player 0"), 422, "line 4: 'from' stands once"),
        (after("from player 0\nV; 9,9 r0"), 422, "line 4, ply 2"),
        (after(&format!("from {}", "tile U 1,0 r0 | ".repeat(9_000))), 422, "another tile lies"),
        (river("from tile RI/I.e 1,0 r0"), 422, "RI/I.e: the lake ends the river"),
        (river("from gone RI/I.e"), 422, "RI/I.e: the lake ends the river"),
        ("tinytown 3x3\nfrom player 0".to_owned(), 422, "not laid by hand"),
        ("tile U 1,0 r0".to_owned(), 400, "behind that line may stand 'from LAYOUT'"),
        ("from player 0".to_owned(), 400, "a record begins with 'carcassonne …'"),
    ] {
        let mut asked = from(&text, 2);
        if text.starts_with("tinytown") {
            asked["game"] = json!("tinytown");
            asked["seats"] = json!([{"kind": "me"}]);
        }
        let answer = ada.post("/api/games", &asked).await;
        assert!(answer.text.contains(word), "{word}: {} {}", answer.status, answer.text);
        assert_eq!(answer.status.as_u16(), status, "{word}: {}", answer.text);
    }
    let mut beyond = from("carcassonne players=2\nfrom player 1\nV", 2);
    beyond["from"]["ply"] = json!(99);
    let answer = ada.post("/api/games", &beyond).await;
    assert!(
        answer.text.contains("ply 99: the record has 1 ply; allowed: from 0, its start, to 1"),
        "{}",
        answer.text
    );
    answer.refused(400);
    let library = ada.get("/api/lobby/mine").await.value();
    assert_eq!(library["games"], json!([]), "nothing was made");
    server.stop().await;
}
