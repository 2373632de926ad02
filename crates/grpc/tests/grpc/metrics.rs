//! What is counted for who runs the service.

use crate::live::{Live, at, open};
use grpc::proto::session_request::Request;
use grpc::proto::{GameTypesRequest, SearchTask, ValidActionsRequest};
use server::metrics::recorder;
use std::time::Duration;

/// A number as it is told; other tests of the process add to it too.
fn told(name: &str) -> f64 {
    let text = recorder().render();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0.0, |rest| rest.trim().parse().expect("a number"))
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn calls_sessions_and_searches_are_counted() {
    recorder();
    let calls = |method: &str, status: &str| {
        format!("bastide_grpc_calls_total{{method=\"{method}\",status=\"{status}\"}}")
    };
    let counters = [
        calls("GameTypes", "OK"),
        calls("ValidActions", "INVALID_ARGUMENT"),
        calls("Session", "OK"),
    ];
    let before = counters.each_ref().map(|name| told(name));
    let live = Live::start().await;
    let mut engine = live.client().await;
    engine.game_types(GameTypesRequest {}).await.unwrap();
    let wrong = ValidActionsRequest { position: at("chess players=2") };
    engine.valid_actions(wrong).await.unwrap_err();
    let mut session = live.session().await;
    session.ask(open("carcassonne", "players=2")).await;
    for (name, before) in counters.iter().zip(before) {
        assert!(told(name) >= before + 1.0, "{name}");
    }
    assert!(told("bastide_grpc_sessions") >= 1.0);
    let endless = SearchTask { time_ms: Some(3_600_000), ..SearchTask::default() };
    session.send(Request::Analyse(endless)).await;
    until("a search is under way", || told("bastide_grpc_searches") >= 1.0).await;
    drop(session);
    live.stop().await;
    // Those of other tests end with their tests.
    until("all have ended", || {
        told("bastide_grpc_searches") == 0.0 && told("bastide_grpc_sessions") == 0.0
    })
    .await;
}
