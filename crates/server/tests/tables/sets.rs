//! Games with sets over HTTP and sockets: whole games, checked against a replay of their records.

use crate::common::Client;
use crate::support::*;
use carcassonne::{AnyInterpreted, ExpandedSetup, interpret_any};
use game::{Game, Random};
use serde_json::{Value, json};
use server::wire::{Analysis, Fairness, Imported, Replay};
use std::time::Duration;

#[tokio::test]
async fn a_game_with_inns_is_played_to_its_end_over_http() {
    let server = quick_server().await;
    let sets = json!({"options": {"expansions": ["inns"]}});
    let (host, other, id) = game_for_two(&server, sets).await;
    let begun = state(&host, &id).await;
    assert_eq!(begun["info"]["options"]["expansions"], json!(["inns"]));
    assert!(begun["info"]["setup"].as_str().unwrap().ends_with("sets=inns"));
    assert_eq!(begun["update"]["view"]["sets"]["figures"], json!([["big"], ["big"]]));
    let mut random = Random::new(11);
    let mut big = false;
    while state(&host, &id).await["info"]["status"] != "over" {
        let played = play_turn(&[&host, &other], &id, &mut random).await;
        let events = played["events"].as_array().unwrap();
        big |= events.iter().any(|event| event["figure"] == "big");
    }
    assert!(big, "a big meeple was put down");
    agrees_with_its_record(&host, &id).await;
    server.stop().await;
}

#[tokio::test]
async fn every_set_is_played_over_sockets_and_agrees_with_its_record() {
    let server = quick_server().await;
    for (seed, sets) in [
        (1, vec!["traders"]),
        (2, vec!["river"]),
        (3, vec!["gardens"]),
        (4, vec!["inns", "traders", "river", "gardens"]),
    ] {
        let mut seen = Seen::default();
        let mut random = Random::new(seed);
        // Draws are secret and by chance: a builder may never double a turn in one game.
        for _ in 0..5 {
            let options = json!({"options": {"expansions": sets}});
            let (host, other, id) = game_for_two(&server, options).await;
            seen.last_mover = None;
            let mut players =
                [SocketPlayer::sit(&host, &id).await, SocketPlayer::sit(&other, &id).await];
            while !players[0].is_over() {
                let seat = players.iter().position(SocketPlayer::to_move);
                let Some(seat) = seat else {
                    for player in &mut players {
                        player.next_of("update").await;
                    }
                    continue;
                };
                seen.look_at(&players[seat].update);
                let turn = seen.choose(&players[seat].update, &mut random);
                let version = players[seat].version();
                let answer = players[seat].play(version, &turn).await;
                assert_eq!(answer["type"], "done", "{turn:?}: {answer}");
                let now = answer["played"]["version"].as_u64().unwrap();
                for player in &mut players {
                    while player.version() < now {
                        player.next_of("update").await;
                    }
                }
            }
            agrees_with_its_record(&host, &id).await;
            if seen.missing(&sets).is_none() {
                break;
            }
        }
        assert_eq!(seen.missing(&sets), None, "{seen:?}");
    }
    server.stop().await;
}

/// What came up in a game.
#[derive(Default, Debug)]
struct Seen {
    figures: Vec<String>,
    goods: bool,
    second_part: bool,
    river: bool,
    recalled: bool,
    last_mover: Option<Value>,
}

impl Seen {
    fn look_at(&mut self, update: &Value) {
        let (view, sets) = (&update["view"], &update["view"]["sets"]);
        for meeple in view["meeples"].as_array().unwrap() {
            self.figures.extend(meeple["figure"].as_str().map(str::to_owned));
        }
        let held = sets["goods"].as_array().unwrap().iter();
        self.goods |= held.flat_map(|seat| seat.as_object().unwrap().values()).any(|n| *n != 0);
        let left = sets["river_remaining"].as_u64().unwrap();
        let tile = view["current_tile"].as_str();
        if let Some(tile) = tile.filter(|_| left > 0) {
            assert!(tile.starts_with("RI/") && tile != "RI/I.e", "{tile} before the lake");
            self.river = true;
        }
        if sets["second_part"] == true {
            self.second_part = true;
            assert_eq!(self.last_mover.as_ref(), Some(&update["turn"]), "the same player goes on");
        }
        self.last_mover = Some(update["turn"].clone());
    }

    /// A turn with something that did not come up yet, if there is one; the draws are secret, so no
    /// seed makes a game in which all does.
    fn choose(&mut self, update: &Value, random: &mut Random) -> Vec<String> {
        let legal = update["legal"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let tells = |key: &str| {
            let told = |one: &&Value| !one[key].is_null() && one[key] != false;
            legal.iter().find(told).map(|one| vec![text(&one["move"]), "pass".to_owned()])
        };
        let new = ["builder", "pig", "abbot", "recall", "big"].into_iter().filter(|word| {
            *word == "recall" && !self.recalled
                || *word == "builder" && !self.second_part
                || !self.figures.iter().any(|seen| seen == word)
        });
        let with = |word: &str| {
            legal.iter().find_map(|one| {
                let then = one["then"].as_array().unwrap();
                let chosen = then.iter().find(|m| m.as_str().unwrap().starts_with(word))?;
                Some(vec![text(&one["move"]), text(chosen)])
            })
        };
        let rare = (!self.second_part).then(|| tells("doubles")).flatten();
        let rare = rare.or_else(|| new.into_iter().find_map(with));
        let rare = rare.or_else(|| (!self.goods).then(|| tells("goods")).flatten());
        let chosen = rare.unwrap_or_else(|| pick_turn(update, random));
        self.recalled |= chosen.last().is_some_and(|last| last == "recall");
        chosen
    }

    /// A set of which not everything came up yet.
    fn missing<'a>(&self, sets: &[&'a str]) -> Option<&'a str> {
        let figure = |name: &str| self.figures.iter().any(|seen| seen == name);
        sets.iter().copied().find(|set| !match *set {
            "inns" => figure("big"),
            "traders" => figure("builder") && figure("pig") && self.goods && self.second_part,
            "river" => self.river,
            _ => figure("abbot") && self.recalled,
        })
    }
}

/// The last state of a finished game, its record, its draws and its replay tell the same.
async fn agrees_with_its_record(client: &Client, id: &str) {
    let over = state(client, id).await;
    let view = &over["update"]["view"];
    let record = client.get(&format!("/api/games/{id}/record")).await.ok().text;
    let read = interpret_any(&record, &ExpandedSetup::default());
    let Ok(AnyInterpreted::Expanded(read)) = read else { panic!("a record with sets: {record}") };
    assert_eq!(view["scores"], json!(read.game.scores().as_slice()));
    assert_eq!(over["info"]["result"]["scores"], view["scores"]);
    assert_eq!(read.game.turn(), game::Turn::Over);
    for (seat, breakdown) in view["breakdown"].as_array().unwrap().iter().enumerate() {
        let parts: i64 = breakdown.as_object().unwrap().values().filter_map(Value::as_i64).sum();
        assert_eq!(json!(parts), view["scores"][seat], "{breakdown}");
    }
    let told: Fairness = client.get(&format!("/api/games/{id}/fairness")).await.json();
    assert!(told.fair, "{told:?}");
    assert_eq!(told.drawn, told.order);
    let replay: Replay = client.get(&format!("/api/games/{id}/replay")).await.json();
    assert_eq!(replay.view, *view);
    let imported = client.post("/api/import", &json!({"record": record})).await;
    let imported: Imported = imported.json();
    assert!(imported.finished);
    let again: Replay = client.get(&format!("/api/games/{}/replay", imported.id)).await.json();
    assert_eq!(json!([again.view, again.plies]), json!([replay.view, replay.plies]));
    let picture = client.get(&format!("/api/games/{id}/picture?format=svg")).await.ok();
    assert!(picture.text.starts_with("<svg "));
}

#[tokio::test]
async fn bots_play_with_sets_and_people_get_hints() {
    let server = quick_server().await;
    let host = server.guest().await;
    let sets = json!({"expansions": ["inns", "traders", "gardens"]});
    let bots = json!([{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "random"},
        {"kind": "bot", "bot": "mason"}]);
    let table = json!({"game": "carcassonne", "seats": bots, "options": sets});
    let id = new_game(&host, &table).await;
    until_over(&host, &id).await;
    agrees_with_its_record(&host, &id).await;
    let table = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "best"}],
        "options": sets, "shuffle_seats": false});
    let id = new_game(&host, &table).await;
    let hint: Analysis = host.post(&format!("/api/games/{id}/hint"), &json!({})).await.json();
    let body = json!({"moves": hint.best});
    host.post(&format!("/api/games/{id}/play"), &body).await.ok();
    let asked = json!({"record": "carcassonne sets=inns\nIC/RFr.i", "nodes": 50, "top": 2});
    let thoughts: Analysis = host.post("/api/analyse", &asked).await.json();
    assert_eq!((thoughts.lines.len(), thoughts.best.len()), (2, 2));
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_played_with_sets_is_refused_with_the_reason() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let ask = async |options: Value, seats: Value, more: Value| {
        let mut body = json!({"game": "carcassonne", "seats": seats, "options": options});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        let answer = host.post("/api/games", &body).await;
        let text = answer.text.clone();
        assert_eq!(answer.refused(400), "bad_request", "{text}");
        text
    };
    let two = json!([{"kind": "me"}, {"kind": "open"}]);
    for (options, word) in [
        (json!({"expansions": "inns"}), "a list of inns, traders, river, gardens"),
        (json!({"expansions": ["abbey"]}), "each at most once"),
        (json!({"expansions": ["inns", "inns"]}), "each at most once"),
        (json!({"expansions": vec!["inns"; 5000]}), "each at most once"),
        (json!({"expansions": [{"inns": {}}]}), "each at most once"),
        (json!({"expansions": ["river"], "start": "empty"}), "starts with the spring"),
        (json!({"sets": "inns"}), "'sets' is no option"),
        (json!({"board": "9x9 sets=inns"}), "NxN"),
    ] {
        let told = ask(options.clone(), two.clone(), json!({})).await;
        assert!(told.contains(word) && told.len() < 600, "{options}: {told}");
    }
    let rated = json!({"rated": true, "clock": {"kind": "move", "per_move_ms": 60_000}});
    for bot in ["best", "mason"] {
        let with_bot = json!([{"kind": "me"}, {"kind": "bot", "bot": bot}]);
        let told = ask(json!({"expansions": ["inns"]}), with_bot, rated.clone()).await;
        assert!(told.contains(&format!("{bot} plays no rated games")), "{told}");
    }
    let nobody = json!([{"kind": "me"}, {"kind": "bot", "bot": "look"}]);
    let told = ask(json!({"expansions": ["inns"]}), nobody, json!({})).await;
    assert!(told.contains("no bot is called 'look'"), "{told}");
    // Figures that the game does not have are refused by the rules.
    let (player, _, id) = game_for_two(&server, json!({})).await;
    let update = state(&player, &id).await["update"].clone();
    let place = update["legal"][0]["move"].clone();
    let body = json!({"version": update["version"], "moves": [place, "recall"]});
    let refused = player.post(&format!("/api/games/{id}/play"), &body).await;
    assert_eq!(refused.refused(422), "illegal_move");
    server.stop().await;
}

#[tokio::test]
async fn actions_with_figures_are_played_and_the_timeout_rule_ends_a_part() {
    let server = server_with(|tables| tables.away = Duration::from_secs(600)).await;
    let sets = json!({"options": {"expansions": ["inns", "gardens"]},
        "clock": {"kind": "move", "per_move_ms": 4000}});
    // On a field, because on a road or in a city that this tile closes it would come back at once;
    // few first tiles have none.
    let (host, other, id, bot_view, big) = loop {
        let (host, other, id) = game_for_two(&server, sets.clone()).await;
        let place = state(&host, &id).await["update"]["legal"][0]["move"].clone();
        host.post(&format!("/api/games/{id}/play"), &json!({"moves": [place]})).await.ok();
        let bot_view = host.get(&format!("/api/games/{id}/view?as=bot")).await.value();
        let actions = bot_view["valid_actions"].as_array().unwrap();
        let big = actions.iter().find(|action| {
            action["figure"] == "big"
                && action["meeple_spot"].as_str().is_some_and(|spot| spot.starts_with("field"))
        });
        if let Some(big) = big.cloned() {
            break (host, other, id, bot_view, big);
        }
    };
    let path = format!("/api/games/{id}/play");
    assert_eq!(bot_view["sets"]["figures"][0], json!(["big", "abbot"]));
    let played = host
        .post(&path, &json!({"action": {"action_type": "place_meeple", "payload": big}}))
        .await
        .value();
    let events = played["events"].as_array().unwrap();
    assert!(
        events.iter().any(|event| event["event"] == "meeple_placed" && event["figure"] == "big")
    );
    let bot_view = host.get(&format!("/api/games/{id}/view?as=bot")).await.value();
    assert_eq!(bot_view["sets"]["figures"], json!([["abbot"], ["big", "abbot"]]));
    // The other does not move.
    let turns =
        |state: &Value| state["update"]["view"]["board"]["tiles"].as_object().unwrap().len();
    let before = turns(&state(&other, &id).await);
    until(&other, &id, |state| turns(state) > before).await;
    server.stop().await;
}

#[tokio::test]
async fn rated_games_with_sets_have_ratings_of_their_own() {
    let server = quick_server().await;
    let (host, other, id) =
        rated_game(&server, json!({"options": {"expansions": ["inns", "river"]}})).await;
    let mut random = Random::new(5);
    play_turns(&[&host, &other], &id, 12, &mut random).await;
    other.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let name = host.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let profile = host.get(&format!("/api/users/{name}")).await.value();
    assert_eq!(profile["rating_two"], Value::Null, "the main list is the base game's");
    let own = &profile["other_ratings"][0];
    assert_eq!(own["pool"], "two-inns-river");
    assert_eq!((&own["sets"], &own["many"]), (&json!(["inns", "river"]), &json!(false)));
    assert_eq!(own["rating"]["games"], 1);
    assert!(own["rating"]["rating"].as_f64().unwrap() > 1500.0);
    assert_eq!(own["history"].as_array().unwrap().len(), 1);
    let pools = server.client().get("/api/pools").await.value();
    let names: Vec<_> = pools.as_array().unwrap().iter().map(|pool| &pool["pool"]).collect();
    assert_eq!(json!(names), json!(["two", "many", "two-inns-river"]));
    assert_eq!((&pools[0]["people"], &pools[2]["people"]), (&json!(0), &json!(2)));
    let list = server.client().get("/api/leaderboard?pool=two-inns-river").await.value();
    assert_eq!(list, json!([]), "one game is too few, and no level was measured with sets");
    for bad in ["two-river-inns", "two-", "four", "two-abbey"] {
        let answer = server.client().get(&format!("/api/leaderboard?pool={bad}")).await;
        assert_eq!(answer.refused(400), "bad_request", "{bad}");
    }
    let seats = json!([{"kind": "me"}, {"kind": "open"}]);
    let asked = json!({"seats": seats, "options": {"expansions": ["inns", "river"]}});
    let stakes = host.post("/api/stakes", &asked).await.value();
    assert_eq!(
        (&stakes["pool"], &stakes["rating"]),
        (&json!("two-inns-river"), &own["rating"]["rating"])
    );
    let base = host.post("/api/stakes", &json!({"seats": seats})).await.value();
    assert_eq!((&base["pool"], &base["rating"]), (&json!("two"), &json!(1500.0)));
    server.stop().await;
}

#[tokio::test]
async fn a_table_with_sets_wakes_after_a_restart_where_it_was() {
    let server = quick_server().await;
    let sets = json!({"options": {"expansions": ["traders", "river"]}});
    let (host, other, id) = game_for_two(&server, sets).await;
    let mut random = Random::new(8);
    play_turns(&[&host, &other], &id, 20, &mut random).await;
    let before = state(&host, &id).await["update"].clone();
    let server = server.restart().await;
    let (host, other) = (host.moved_to(server.address), other.moved_to(server.address));
    let after = state(&host, &id).await["update"].clone();
    assert_eq!((&after["view"], &after["version"]), (&before["view"], &before["version"]));
    play_turns(&[&host, &other], &id, 5, &mut random).await;
    server.stop().await;
}
