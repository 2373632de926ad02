//! Beside a server: its tokens, its limits, and no help where people play.

use crate::live::{Session, at, channel, open, play};
use grpc::proto::engine_client::EngineClient;
use grpc::proto::session_request::Request as Asked;
use grpc::proto::{AnalyseRequest, GameTypesRequest, ReviewRequest, ReviewTask, SearchTask};
use reqwest::Client;
use serde_json::{Value, json};
use server::config::PasswordCost;
use server::{App, Config};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

/// A server with gRPC beside it.
struct Beside {
    app: App,
    http: SocketAddr,
    grpc: SocketAddr,
    served: [JoinHandle<()>; 2],
    folder: PathBuf,
}

impl Beside {
    async fn start(limits: bool) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("bastide_grpc_{}_{number}", std::process::id()));
        let config = Config {
            data: folder.clone(),
            password_cost: PasswordCost::Cheap,
            shipped_puzzles: false,
            limits,
            recheck: Duration::from_millis(100),
            ..Config::default()
        };
        let app = App::open(config).await.unwrap();
        let listener = || async { TcpListener::bind("127.0.0.1:0").await.unwrap() };
        let (http, grpc) = (listener().await, listener().await);
        let addresses = [http.local_addr().unwrap(), grpc.local_addr().unwrap()];
        let served = [
            tokio::spawn({
                let serving = app.clone().serve(http);
                async move { serving.await.unwrap() }
            }),
            tokio::spawn(grpc::serve_beside(app.clone(), grpc)),
        ];
        Self { app, http: addresses[0], grpc: addresses[1], served, folder }
    }

    /// Stops both; they end.
    async fn stop(self) {
        self.app.stop();
        for served in self.served {
            served.await.unwrap();
        }
        std::fs::remove_dir_all(self.folder).unwrap();
    }

    async fn person(&self, name: &str) -> Person {
        let http = Client::builder().cookie_store(true).no_proxy().build().unwrap();
        let person = Person { http, server: format!("http://{}", self.http) };
        person.post("/api/register", &json!({"name": name, "password": "correct horse"})).await;
        person
    }

    async fn engine(&self, token: &str) -> EngineClient<InterceptedService<Channel, Bearer>> {
        EngineClient::with_interceptor(channel(self.grpc).await, Bearer(token.to_owned()))
    }
}

#[derive(Clone)]
struct Bearer(String);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let header = format!("Bearer {}", self.0).parse().unwrap();
        request.metadata_mut().insert("authorization", header);
        Ok(request)
    }
}

struct Person {
    http: Client,
    server: String,
}

impl Person {
    async fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.http.post(format!("{}{path}", self.server)).json(body).send().await;
        let answer = answer.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    async fn token(&self, scope: &str) -> String {
        let asked = json!({"label": "engine", "scope": scope});
        self.post("/api/me/tokens", &asked).await["token"].as_str().unwrap().to_owned()
    }
}

async fn session(engine: &mut EngineClient<InterceptedService<Channel, Bearer>>) -> Session {
    let (requests, stream) = mpsc::channel(8);
    let responses = engine.session(ReceiverStream::new(stream)).await.unwrap().into_inner();
    Session::of(requests, responses)
}

fn short(record: &str) -> AnalyseRequest {
    let task = SearchTask { nodes: Some(50), ..SearchTask::default() };
    AnalyseRequest { position: at(record), task: Some(task) }
}

#[tokio::test]
async fn a_token_of_an_account_is_needed_and_one_that_reads_is_enough() {
    let beside = Beside::start(false).await;
    let mut nobody = EngineClient::new(channel(beside.grpc).await);
    let refused = nobody.game_types(GameTypesRequest {}).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    assert!(refused.message().contains("authorization: Bearer"), "{refused}");
    let refused = beside.engine("bastide_0123").await.game_types(GameTypesRequest {}).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
    let ada = beside.person("ada").await;
    for scope in ["play", "read"] {
        let mut engine = beside.engine(&ada.token(scope).await).await;
        engine.game_types(GameTypesRequest {}).await.unwrap();
        engine.analyse(short("carcassonne\nU")).await.unwrap();
    }
    beside.stop().await;
}

#[tokio::test]
async fn analyses_count_together_with_those_over_http() {
    let beside = Beside::start(true).await;
    let ada = beside.person("ada").await;
    let mut engine = beside.engine(&ada.token("play").await).await;
    let asked = json!({"record": "carcassonne\nU", "nodes": 50});
    for _ in 0..9 {
        ada.post("/api/analyse", &asked).await;
    }
    let mut refused = None;
    for _ in 0..6 {
        refused = refused.or(engine.analyse(short("carcassonne\nU")).await.err());
    }
    let refused = refused.expect("ten at once, and hardly one more since then");
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
    beside.stop().await;
}

#[tokio::test]
async fn the_engine_does_not_help_on_a_board_that_people_play_on() {
    let beside = Beside::start(false).await;
    let (ada, bob) = (beside.person("ada").await, beside.person("bob").await);
    let seats = json!([{"kind": "me"}, {"kind": "open"}]);
    let asked = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let table = ada.post("/api/games", &asked).await;
    let id = table["info"]["id"].as_str().unwrap().to_owned();
    bob.post(&format!("/api/games/{id}/join"), &json!({})).await;
    let url = format!("{}/api/games/{id}", ada.server);
    let state: Value = ada.http.get(&url).send().await.unwrap().json().await.unwrap();
    let first = state["update"]["legal"][0]["move"].as_str().unwrap().to_owned();
    let version = state["update"]["version"].clone();
    let moves = json!({"version": version, "moves": [first, "pass"]});
    ada.post(&format!("/api/games/{id}/play"), &moves).await;
    let shown = ada.http.get(format!("{url}/replay")).send().await.unwrap();
    let shown: Value = shown.json().await.unwrap();
    let plies = shown["plies"].as_array().unwrap().iter();
    let moves: Vec<&str> = plies.map(|ply| ply["move"].as_str().unwrap()).collect();
    let setup = shown["setup"].as_str().unwrap();
    let record = format!("carcassonne {setup}\n{}", moves.join("; "));

    let eve = beside.person("eve").await;
    let mut engine = beside.engine(&eve.token("read").await).await;
    let refused = engine.analyse(short(&record)).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied, "{record}: {refused}");
    let review = ReviewRequest { record: record.clone(), depth: 1 };
    let refused = engine.review(review).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied, "{refused}");

    let mut session = session(&mut engine).await;
    let position = grpc::proto::open::From::Position(at(&record).unwrap());
    let opened = grpc::proto::Open { from: Some(position), ..Default::default() };
    session.ask(Asked::Open(opened)).await;
    for asked in [Asked::Analyse(SearchTask::default()), Asked::Review(ReviewTask::default())] {
        let refused = session.refused(asked).await;
        assert_eq!(refused.code, i32::from(Code::PermissionDenied), "{refused:?}");
    }
    session.ask(open("carcassonne", "players=3")).await;
    session.ask(play(&["E"])).await;
    session.send(Asked::Analyse(SearchTask { nodes: Some(50), ..SearchTask::default() })).await;
    session.next().await;
    drop(session);
    beside.stop().await;
}

#[tokio::test]
async fn a_token_that_is_ended_ends_its_sessions() {
    let beside = Beside::start(false).await;
    let ada = beside.person("ada").await;
    let asked = json!({"label": "engine", "scope": "read"});
    let made = ada.post("/api/me/tokens", &asked).await;
    let mut engine = beside.engine(made["token"].as_str().unwrap()).await;
    let mut session = session(&mut engine).await;
    session.ask(open("carcassonne", "")).await;
    let id = made["info"]["id"].as_str().unwrap();
    let url = format!("{}/api/me/tokens/{id}", ada.server);
    assert!(ada.http.delete(url).send().await.unwrap().status().is_success());
    let soon = Duration::from_secs(40);
    let ended = timeout(soon, session.responses.message()).await.unwrap().unwrap_err();
    assert_eq!(ended.code(), Code::Unauthenticated, "{ended}");
    beside.stop().await;
}
