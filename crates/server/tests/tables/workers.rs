//! Workers think for nodes, on every bus: bots, analyses and reviews are as they are without them.

use crate::common::Server;
use crate::nodes::on_every_bus;
use crate::support::{new_game, play_turns, state, until};
use game::Random;
use serde_json::{Value, json};
use server::bus::{Exchange, LocalBus};
use server::config::BusChoice;
use server::engine::work::{Worker, build};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn workers_play_analyse_and_review_and_nodes_go_on_without_them() {
    for nodes in on_every_bus(1).await {
        let server = &nodes.servers[0];
        let worker = Worker::start(nodes.work.clone(), 1).await.expect("the bus has orders");
        for _ in 0..600 {
            if server.app.work.threads_elsewhere() == 1 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(server.app.work.threads_elsewhere(), 1, "the node knows of the worker");
        let host = server.guest().await;
        let bots = json!({"game": "carcassonne", "options": {"board": "5x5"},
            "seats": [{"kind": "bot", "bot": "shepherd"}, {"kind": "bot", "bot": "pilgrim"}]});
        let id = new_game(&host, &bots).await;
        until(&host, &id, |state| state["info"]["status"] == "over").await;
        let turns = worker.done();
        assert!(turns > 10, "the worker took the turns: {turns}");
        let question = json!({"record": "carcassonne\nU", "nodes": 500});
        let thoughts = host.post("/api/analyse", &question).await.value();
        assert_eq!(thoughts["seat"], 0, "{thoughts}");
        assert_eq!(worker.done(), turns + 1);
        host.post(&format!("/api/games/{id}/review"), &json!({})).await;
        let lines = host.get(&format!("/api/games/{id}/review/stream")).await.ok().text;
        let (first, last) = (lines.lines().next(), lines.lines().next_back());
        assert!(first.is_some_and(|line| line.contains("\"state\"")), "{lines:.300}");
        assert!(last.is_some_and(|line| line.contains("\"done\"")), "{lines:.300}");
        let steps = lines.lines().filter(|line| line.contains("\"type\":\"step\"")).count();
        assert!(steps as u64 > turns, "every draw and every turn is told: {steps}");
        assert_eq!(worker.done(), turns + 2);
        worker.stop(Duration::from_secs(60)).await;
        let id = new_game(&host, &bots).await;
        until(&host, &id, |state| state["info"]["status"] == "over").await;
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_has_the_game_so_far_and_nothing_of_what_will_be_drawn() {
    let bus = LocalBus::default();
    let server =
        Server::start_with(|config| config.bus = Some(BusChoice::Local(bus.clone()))).await;
    // Somebody who says that he works, and only reads.
    let (reader, messages) = Exchange::join(bus.work().messages, 1).await.expect("it is there");
    tokio::spawn(reader.clone().deliver(messages));
    reader.tell_all("worker.here", &json!({"build": build(), "version": "", "threads": 1}));
    let host = server.guest().await;
    let seats = json!([{"kind": "me"}, {"kind": "bot", "bot": "master"}]);
    let game = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let id = new_game(&host, &game).await;
    play_turns(&[&host], &id, 1, &mut Random::new(1)).await;
    let line = format!("{}_persons_turn", build());
    let mut order = None;
    while order.is_none() {
        reader.tell_all("worker.here", &json!({"build": build(), "version": "", "threads": 1}));
        tokio::time::sleep(Duration::from_millis(20)).await;
        order = bus.work().orders.take(&line).await.expect("it is there");
    }
    let order = order.expect("an order").order;
    let order: Value = serde_json::from_slice(&order).expect("JSON");
    let turn = &order["task"]["Turn"];
    let keys: Vec<_> = turn.as_object().expect("a turn").keys().cloned().collect();
    assert_eq!(keys, ["bot", "budget", "game", "record"]);
    let told = state(&host, &id).await["update"]["ply"].as_u64().expect("a number");
    let record = turn["record"].as_str().expect("text");
    let moves =
        record.lines().skip(1).flat_map(|line| line.split(';')).filter(|m| !m.trim().is_empty());
    assert_eq!(moves.count() as u64, told, "{record}");
    server.stop().await;
}
