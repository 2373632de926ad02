//! Clients that mean harm, or are broken: everything is bounded, and the next client is served.

use crate::live::{Live, Session, at, open, play};
use grpc::proto::engine_client::EngineClient;
use grpc::proto::session_request::Request as Asked;
use grpc::proto::{
    AnalyseRequest, GameTypesRequest, GetRecord, ReviewRequest, SearchTask, ValidActionsRequest,
    ViewOptions,
};
use grpc::{Bounds, Gate};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::{Code, Request};

/// Longer than anything here takes, and much shorter than the searches that are stopped.
const SOON: Duration = Duration::from_secs(40);

fn endless(record: &str) -> AnalyseRequest {
    let task = SearchTask { time_ms: Some(3_600_000), ..SearchTask::default() };
    AnalyseRequest { position: at(record), task: Some(task) }
}

fn short(record: &str) -> AnalyseRequest {
    let task = SearchTask { nodes: Some(50), ..SearchTask::default() };
    AnalyseRequest { position: at(record), task: Some(task) }
}

fn patient() -> Bounds {
    let long = Duration::from_secs(3600);
    Bounds { longest_search: long, longest_review: long, ..Bounds::default() }
}

#[tokio::test]
async fn a_deadline_stops_a_search() {
    let live = Live::start_with(Gate::Open, patient()).await;
    let mut engine = live.client().await;
    let mut asked = Request::new(endless("carcassonne\nU"));
    asked.metadata_mut().insert("grpc-timeout", "700m".parse().unwrap());
    let mut parts = engine.analyse(asked).await.unwrap().into_inner();
    let late = loop {
        match timeout(SOON, parts.message()).await.unwrap() {
            Ok(part) => assert!(part.is_some(), "it does not end well"),
            Err(late) => break late,
        }
    };
    assert_eq!(late.code(), Code::DeadlineExceeded);
    let next = engine.analyse(short("carcassonne\nU")).await.unwrap().into_inner();
    timeout(SOON, drained(next)).await.expect("the thread was given back");
}

async fn drained<T>(mut parts: tonic::Streaming<T>) -> usize {
    let mut count = 0;
    while parts.message().await.unwrap().is_some() {
        count += 1;
    }
    count
}

#[tokio::test]
async fn cancelled_searches_and_reviews_give_their_threads_back() {
    let live = Live::start_with(Gate::Open, patient()).await;
    let mut engine = live.client().await;
    let mut parts = engine.analyse(endless("carcassonne\nU")).await.unwrap().into_inner();
    assert!(parts.message().await.unwrap().is_some());
    drop(parts);
    let next = engine.analyse(short("carcassonne\nU")).await.unwrap().into_inner();
    assert!(timeout(SOON, drained(next)).await.expect("the thread was given back") > 0);

    let record = include_str!("../../../../docs/examples/game.txt").to_owned();
    let review = ReviewRequest { record, depth: 2 };
    let mut parts = engine.review(review).await.unwrap().into_inner();
    assert!(parts.message().await.unwrap().is_some());
    drop(parts);
    let town = ReviewRequest { record: "tinytown 2x2\nbrick 0,0".to_owned(), depth: 1 };
    let next = engine.review(town).await.unwrap().into_inner();
    assert_eq!(timeout(SOON, drained(next)).await.expect("the thread was given back"), 2);
}

#[tokio::test]
async fn too_many_searches_are_turned_away() {
    let live = Live::start_with(Gate::Open, patient()).await;
    let mut engine = live.client().await;
    let mut open = Vec::new();
    let refused = loop {
        let mut parts = engine.analyse(endless("carcassonne\nU")).await.unwrap().into_inner();
        // One runs, the others wait; who comes then hears at once that there is no room.
        if open.len() < 32 {
            open.push(parts);
            assert!(open.len() <= 32);
            continue;
        }
        break timeout(SOON, parts.message()).await.unwrap().unwrap_err();
    };
    assert_eq!(refused.code(), Code::ResourceExhausted);
    drop(open);
    // The server hears of it a moment later.
    let accepted = async {
        loop {
            let mut parts = engine.analyse(short("carcassonne\nU")).await.unwrap().into_inner();
            match parts.message().await {
                Err(full) if full.code() == Code::ResourceExhausted => {
                    tokio::task::yield_now().await;
                }
                answer => break answer,
            }
        }
    };
    let answer = timeout(SOON, accepted).await.expect("the queue was emptied");
    assert!(answer.unwrap().is_some());
}

#[tokio::test]
async fn sessions_are_bounded_in_all_and_by_address() {
    for bounds in [
        Bounds { sessions: 3, ..Bounds::default() },
        Bounds { sessions_per_address: 3, ..Bounds::default() },
    ] {
        let live = Live::start_with(Gate::Open, bounds).await;
        let mut client = live.client().await;
        let mut open = Vec::new();
        for _ in 0..3 {
            open.push(Session::start(&mut client).await.unwrap());
        }
        for _ in 0..50 {
            let refused = Session::start(&mut client).await.err().unwrap();
            assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
        }
        drop(open);
        // It takes a moment until the service has heard of their end.
        let again = async {
            while Session::start(&mut client).await.is_err() {
                tokio::task::yield_now().await;
            }
        };
        timeout(SOON, again).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let long = format!("carcassonne\n{}", "# no move\n".repeat(50_000));
    let refused = engine.valid_actions(ValidActionsRequest { position: at(&long) }).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Code::OutOfRange, "{refused}");
    let beyond = format!("carcassonne\n{}", "#".repeat(262_144));
    let refused = engine.valid_actions(ValidActionsRequest { position: at(&beyond) }).await;
    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
    let mut session = live.session().await;
    session.send(play(&[&long])).await;
    assert_eq!(session.responses.message().await.unwrap_err().code(), Code::OutOfRange);
    live.session().await.ask(open("carcassonne", "")).await;
}

#[tokio::test]
async fn garbage_on_the_port_hurts_nobody() {
    let bounds = Bounds { opening: Duration::from_millis(200), ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let http1 = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec();
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let broken = [preface.clone(), vec![0xff; 5000]].concat();
    for bytes in [vec![0; 5000], http1, broken, b"PRI * HTTP/2.0\r\n".to_vec(), Vec::new()] {
        let mut stream = TcpStream::connect(live.address).await.unwrap();
        // It may be closed before all is sent.
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = timeout(SOON, stream.read_to_end(&mut answer)).await.expect("it is closed");
    }
    for beginning in ["", "PRI * HT"] {
        let mut silent = TcpStream::connect(live.address).await.unwrap();
        silent.write_all(beginning.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = timeout(SOON, silent.read_to_end(&mut answer)).await.expect("silence ends");
    }
    live.client().await.game_types(GameTypesRequest {}).await.unwrap();
}

#[tokio::test]
async fn connections_of_one_address_are_bounded() {
    let bounds = Bounds { connections_per_address: 2, ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let (_one, _two) = (live.client().await, live.client().await);
    let mut third = TcpStream::connect(live.address).await.unwrap();
    let closed = timeout(SOON, third.read(&mut [0; 1])).await.expect("it is closed");
    assert!(matches!(closed, Ok(0) | Err(_)));
}

#[tokio::test]
async fn a_client_that_does_not_read_is_given_up() {
    let bounds = Bounds { stalled: Duration::from_millis(300), sessions: 1, ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let mut client = live.client().await;
    let mut deaf = Session::start(&mut client).await.unwrap();
    deaf.send(open("carcassonne", "players=6")).await;
    // Views are large and nobody reads them: first the windows of the connection are full, then the session waits.
    let asking = tokio::spawn(async move {
        let view = || Asked::View(ViewOptions::default());
        while deaf.try_send(view()).await {}
        deaf
    });
    let other = async {
        loop {
            if let Ok(session) = Session::start(&mut client).await {
                break session;
            }
            tokio::task::yield_now().await;
        }
    };
    let mut next = timeout(SOON, other).await.expect("its place was given back");
    next.ask(open("carcassonne", "")).await;
    next.ask(Asked::GetRecord(GetRecord {})).await;
    asking.abort();
}

#[tokio::test]
async fn one_token_opens_the_gate() {
    let live = Live::start_with(Gate::token("correct-horse-battery"), Bounds::default()).await;
    let mut nobody = live.client().await;
    for header in [None, Some("Bearer wrong"), Some("correct-horse-battery"), Some("Bearer")] {
        let mut asked = Request::new(GameTypesRequest {});
        if let Some(header) = header {
            asked.metadata_mut().insert("authorization", header.parse().unwrap());
        }
        let refused = nobody.game_types(asked).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated);
    }
    assert!(Session::start(&mut nobody).await.is_err_and(|e| e.code() == Code::Unauthenticated));
    let mut known =
        EngineClient::with_interceptor(live.channel().await, |mut request: Request<()>| {
            let token = "Bearer correct-horse-battery".parse().unwrap();
            request.metadata_mut().insert("authorization", token);
            Ok(request)
        });
    known.game_types(GameTypesRequest {}).await.unwrap();
}
