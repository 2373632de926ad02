//! Workers think for nodes, on every bus: bots, analyses and reviews are as they are without them.

use crate::nodes::on_every_bus;
use crate::support::{new_game, until};
use serde_json::json;
use server::engine::work::Worker;
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
