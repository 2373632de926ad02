//! Sessions: a position that the service keeps.

use crate::live::{Live, Session, at, open, play};
use grpc::Bounds;
use grpc::Gate;
use grpc::proto::session_request::Request;
use grpc::proto::session_response::Response;
use grpc::proto::{
    AiViewOptions, Analysis, GetRecord, ListActions, Open, Play, ReviewTask, SearchTask, State,
    Stop, Turn, Undo, ViewOptions, open as from,
};
use std::time::Duration;
use tokio::time::timeout;
use tonic::Code;

/// Longer than anything here takes, and much shorter than the searches that are stopped.
const SOON: Duration = Duration::from_secs(40);

/// A search that nobody waits for to its end.
fn endless() -> Request {
    Request::Analyse(SearchTask { time_ms: Some(3_600_000), ..SearchTask::default() })
}

fn state(response: Response) -> State {
    match response {
        Response::State(state) => state,
        other => panic!("no state: {other:?}"),
    }
}

/// Plays at random, with tiles that the session draws, to the end.
async fn play_to_the_end(session: &mut Session, game: &str, setup: &str) -> State {
    let mut now = state(session.ask(open(game, setup)).await);
    let mut choice = 0;
    loop {
        let actions = match now.actions.take() {
            Some(list) if list.turn() == Turn::Player => {
                choice += 7;
                vec![list.actions[choice % list.actions.len()].text.clone()]
            }
            _ => Vec::new(),
        };
        let play = Play { actions, draw: true, list_actions: true, events: false };
        now = state(session.ask(Request::Play(play)).await);
        if now.turn() == Turn::Over {
            return now;
        }
    }
}

#[tokio::test]
async fn a_whole_game_needs_no_record_but_gives_one() {
    let live = Live::start().await;
    let mut session = live.session().await;
    for (game, setup) in [("carcassonne", "players=3 sets=inns,river"), ("tinytown", "3x3")] {
        let end = play_to_the_end(&mut session, game, setup).await;
        assert_eq!(end.record, "", "only who asks gets it");
        let Response::Record(record) = session.ask(Request::GetRecord(GetRecord {})).await else {
            panic!("a record")
        };
        assert!(record.starts_with(game));
        let again =
            Open { from: Some(from::From::Position(at(&record).unwrap())), ..Open::default() };
        let read = state(session.ask(Request::Open(again)).await);
        assert_eq!((read.ply, &read.scores, read.turn()), (end.ply, &end.scores, Turn::Over));
    }
}

#[tokio::test]
async fn the_same_seed_draws_the_same_tiles() {
    let live = Live::start().await;
    let mut drawn = Vec::new();
    for seed in [5, 5, 6] {
        let mut session = live.session().await;
        let Request::Open(game) = open("carcassonne", "") else { unreachable!() };
        session.ask(Request::Open(Open { seed, ..game })).await;
        let mut tiles = Vec::new();
        for _ in 0..8 {
            let play = Play { draw: true, ..Play::default() };
            tiles.extend(state(session.ask(Request::Play(play)).await).drawn);
            let Response::Actions(list) = session.ask(Request::ListActions(ListActions {})).await
            else {
                panic!("actions")
            };
            session.ask(play_one(&list.actions[0].text)).await;
            session.ask(play_one("pass")).await;
        }
        drawn.push(tiles);
    }
    assert_eq!(drawn[0].len(), 8);
    assert_eq!(drawn[0], drawn[1]);
    assert_ne!(drawn[0], drawn[2]);
}

fn play_one(action: &str) -> Request {
    play(&[action])
}

#[tokio::test]
async fn a_refused_request_changes_nothing_and_the_session_goes_on() {
    let live = Live::start().await;
    let mut session = live.session().await;
    let first = session.refused(play(&["U"])).await;
    assert_eq!(first.code, i32::from(Code::FailedPrecondition));
    assert!(first.message.contains("open"));
    session.ask(open("carcassonne", "")).await;
    for (request, word) in [
        (play(&["U", "1,0 r0", "city0"]), "action 3"),
        (play(&["brick 0,0"]), "expected"),
        (Request::Undo(Undo { count: 1 }), "0 moves have been played"),
        (open("chess", ""), "carcassonne, tinytown"),
        (Request::View(ViewOptions { player: Some(7) }), "player 7"),
        (Request::Review(ReviewTask { depth: 9 }), "2 is deep"),
        (Request::Analyse(SearchTask::default()), "chance draws first"),
    ] {
        let error = session.refused(request).await;
        assert!(error.message.contains(word), "{error:?}");
    }
    let now = state(session.ask(play(&["U", "1,0 r0", "road0"])).await);
    assert_eq!((now.ply, now.turn()), (3, Turn::Chance));
    let now = state(session.ask(Request::Undo(Undo { count: 2 })).await);
    assert_eq!((now.ply, now.player), (1, Some(0)));
    let Response::View(view) = session.ask(Request::View(ViewOptions { player: Some(0) })).await
    else {
        panic!("a view")
    };
    assert!(!view.legal_json.is_empty());
    let Response::AiView(seen) = session.ask(Request::AiView(AiViewOptions::default())).await
    else {
        panic!("a view")
    };
    assert_eq!((seen.player, seen.tensor_version), (0, 0));
}

#[tokio::test]
async fn events_are_told_to_who_asks() {
    let live = Live::start().await;
    let mut session = live.session().await;
    session.ask(open("carcassonne", "")).await;
    let actions = ["U", "1,0 r0", "road0"].map(str::to_owned).to_vec();
    let play = Play { actions, events: true, ..Play::default() };
    let now = state(session.ask(Request::Play(play)).await);
    assert!(!now.events_json.is_empty());
    for event in &now.events_json {
        serde_json::from_str::<serde_json::Value>(event).unwrap();
    }
}

async fn last_word(session: &mut Session, id: u64) -> Analysis {
    loop {
        let answer = session.next().await;
        match answer.response.unwrap() {
            Response::Analysis(analysis) if answer.done => {
                assert_eq!(answer.id, id);
                return analysis;
            }
            Response::Analysis(analysis) => assert!(!analysis.r#final),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_search_is_stopped_and_gives_the_best_that_it_has() {
    let bounds = Bounds { longest_search: Duration::from_secs(3600), ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let mut session = live.session().await;
    session.ask(open("carcassonne", "")).await;
    session.ask(play(&["U"])).await;
    let search = session.send(endless()).await;
    let busy = session.refused(play(&["1,0 r0"])).await;
    assert!(busy.message.contains("a search or review runs"), "{busy:?}");
    let told = session.send(Request::Stop(Stop {})).await;
    let answer = session.next().await;
    assert_eq!(answer.id, told);
    assert!(matches!(answer.response, Some(Response::Stopped(s)) if s.was_running));
    let last = timeout(SOON, last_word(&mut session, search)).await.unwrap();
    assert_eq!(last.best.len(), 2);
    let now = state(session.ask(play(&[&last.best[0], &last.best[1]])).await);
    assert_eq!(now.ply, 3);
}

#[tokio::test]
async fn a_review_in_a_session_is_one_of_the_game_so_far() {
    let live = Live::start().await;
    let mut session = live.session().await;
    session.ask(open("tinytown", "2x2")).await;
    session.ask(play(&["brick 0,0", "end"])).await;
    let id = session.send(Request::Review(ReviewTask::default())).await;
    let mut parts = 0;
    loop {
        let answer = session.next().await;
        assert_eq!(answer.id, id);
        assert!(matches!(answer.response, Some(Response::Review(_))));
        parts += 1;
        if answer.done {
            break;
        }
    }
    assert_eq!(parts, 3);
}

#[tokio::test]
async fn requests_sent_at_once_are_answered_in_order_after_the_last() {
    let live = Live::start().await;
    let mut session = live.session().await;
    session.send(open("carcassonne", "")).await;
    session.send(play(&["U"])).await;
    session.send(Request::Analyse(SearchTask { nodes: Some(50), ..SearchTask::default() })).await;
    let mut responses = session.no_more();
    let mut ids = Vec::new();
    while let Some(answer) = responses.message().await.unwrap() {
        ids.push(answer.id);
    }
    assert_eq!(ids, [1, 2, 3]);
}

#[tokio::test]
async fn a_client_that_goes_away_stops_its_search() {
    let bounds = Bounds { longest_search: Duration::from_secs(3600), ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let mut gone = live.session().await;
    gone.ask(open("carcassonne", "")).await;
    gone.ask(play(&["U"])).await;
    gone.send(endless()).await;
    // It has the only thread when something of it was heard.
    assert!(matches!(gone.next().await.response, Some(Response::Analysis(_))));
    drop(gone);
    let mut next = live.session().await;
    next.ask(open("carcassonne", "")).await;
    next.ask(play(&["U"])).await;
    let task = SearchTask { nodes: Some(50), ..SearchTask::default() };
    let id = next.send(Request::Analyse(task)).await;
    timeout(SOON, last_word(&mut next, id)).await.expect("the thread was given back");
}

#[tokio::test]
async fn a_silent_session_ends_and_one_that_searches_does_not() {
    let bounds = Bounds { idle: Duration::from_millis(1500), ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let mut session = live.session().await;
    session.ask(open("carcassonne", "")).await;
    session.ask(play(&["U"])).await;
    let task = SearchTask { time_ms: Some(3_000), ..SearchTask::default() };
    let id = session.send(Request::Analyse(task)).await;
    last_word(&mut session, id).await;
    let ended = timeout(SOON, session.responses.message()).await.unwrap().unwrap_err();
    assert_eq!(ended.code(), Code::DeadlineExceeded);
    assert!(ended.message().contains("nothing was asked"), "{ended}");
}

#[tokio::test]
async fn a_service_that_stops_ends_its_sessions_and_searches() {
    let bounds = Bounds { longest_search: Duration::from_secs(3600), ..Bounds::default() };
    let live = Live::start_with(Gate::Open, bounds).await;
    let mut session = live.session().await;
    session.ask(open("carcassonne", "")).await;
    session.ask(play(&["U"])).await;
    session.send(endless()).await;
    let stopped = tokio::spawn(live.stop());
    let ended = loop {
        match session.responses.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it says why it ends"),
            Err(ended) => break ended,
        }
    };
    assert_eq!(ended.code(), Code::Unavailable);
    drop(session);
    timeout(SOON, stopped).await.unwrap().unwrap();
}
