//! How many actions a second: in a session of gRPC, as single calls of gRPC, and at a table over HTTP, in one run.
//!
//! ```sh
//! cargo build --release --package grpc --example grpc_bench
//! taskset -c 0 target/release/examples/grpc_bench --seconds 10
//! ```
//!
//! Server and client are one process, each with its own runtime of one thread; with `taskset` they share one core.
//! Everything between them is real. Each way plays whole games of Carcassonne for two, one action after the other,
//! each sent when the answer to the one before has come; the first legal action is played. In a session and at the
//! table the tiles are drawn by the service; a single call carries the record so far. The table also stores every
//! move in a SQLite file before it answers: that is what it is for.

use clap::Parser;
use grpc::proto::engine_client::EngineClient;
use grpc::proto::session_request::Request as Asked;
use grpc::proto::session_response::Response as Answer;
use grpc::proto::{
    ApplyRequest, InitialStateRequest, Open, Play, Position, SessionRequest, State, Turn, open,
};
use grpc::{Bounds, EngineService, Gate};
use serde_json::{Value, json};
use server::engine::threads::Analysts;
use server::{App, Config};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Actions a second over gRPC and over HTTP.
#[derive(Parser)]
struct Options {
    /// Seconds for each way.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Rounds; each measures every way once.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let options = Options::parse();
    let folder = std::env::temp_dir().join(format!("bastide_grpc_bench_{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let serving = one_thread()?;
    let addresses = serving.block_on(start(&folder))?;
    let measured = one_thread()?.block_on(measure(addresses, &options));
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn one_thread() -> Result<Runtime, Error> {
    Ok(Builder::new_multi_thread().worker_threads(1).enable_all().build()?)
}

/// Where gRPC and HTTP are.
struct Addresses {
    grpc: SocketAddr,
    http: SocketAddr,
}

async fn start(folder: &Path) -> Result<Addresses, Error> {
    let config = Config {
        data: folder.to_owned(),
        limits: false,
        shipped_puzzles: false,
        ..Config::default()
    };
    let app = App::open(config).await?;
    let [http, grpc] =
        [TcpListener::bind("127.0.0.1:0").await?, TcpListener::bind("127.0.0.1:0").await?];
    let addresses = Addresses { grpc: grpc.local_addr()?, http: http.local_addr()? };
    tokio::spawn(app.serve(http));
    let threads = || Analysts::new(1);
    let service = EngineService::new(Gate::Open, Bounds::default(), threads(), threads());
    tokio::spawn(grpc::serve(service, grpc, Vec::new(), std::future::pending()));
    Ok(addresses)
}

async fn measure(addresses: Addresses, options: &Options) -> Result<(), Error> {
    let time = Duration::from_secs(options.seconds);
    let channel = Channel::from_shared(format!("http://{}", addresses.grpc))?.connect().await?;
    println!("actions a second, one after the other");
    println!("{:>10} {:>14} {:>14}", "session", "single calls", "HTTP table");
    for _ in 0..options.rounds {
        let session = in_a_session(EngineClient::new(channel.clone()), time).await?;
        let single = as_single_calls(EngineClient::new(channel.clone()), time).await?;
        let table = at_a_table(addresses.http, time).await?;
        println!("{session:>10.0} {single:>14.0} {table:>14.0}");
    }
    Ok(())
}

/// Counts actions until the time is over.
struct Count {
    begun: Instant,
    time: Duration,
    actions: u64,
}

impl Count {
    fn new(time: Duration) -> Self {
        Self { begun: Instant::now(), time, actions: 0 }
    }

    fn goes_on(&self) -> bool {
        self.begun.elapsed() < self.time
    }

    fn a_second(&self) -> f64 {
        self.actions as f64 / self.begun.elapsed().as_secs_f64()
    }
}

/// The first legal action; nothing where chance draws first.
fn first(state: &State) -> Vec<String> {
    let list = state.actions.as_ref().filter(|list| list.turn() == Turn::Player);
    list.and_then(|list| list.actions.first())
        .map(|action| action.text.clone())
        .into_iter()
        .collect()
}

async fn in_a_session(mut engine: EngineClient<Channel>, time: Duration) -> Result<f64, Error> {
    let (requests, stream) = mpsc::channel(1);
    let mut responses = engine.session(ReceiverStream::new(stream)).await?.into_inner();
    let mut count = Count::new(time);
    let mut state = State { turn: Turn::Over.into(), ..State::default() };
    while count.goes_on() {
        let asked = if state.turn() == Turn::Over {
            let game = InitialStateRequest { game: "carcassonne".into(), setup: String::new() };
            let from = Some(open::From::Game(game));
            Asked::Open(Open { from, seed: count.actions, ..Open::default() })
        } else {
            let actions = first(&state);
            count.actions += actions.len() as u64;
            Asked::Play(Play { actions, draw: true, list_actions: true, events: false })
        };
        requests.send(SessionRequest { id: 0, request: Some(asked) }).await?;
        state = match responses.message().await?.and_then(|answer| answer.response) {
            Some(Answer::State(state)) => state,
            other => return Err(format!("{other:?}").into()),
        };
    }
    Ok(count.a_second())
}

async fn as_single_calls(mut engine: EngineClient<Channel>, time: Duration) -> Result<f64, Error> {
    let mut count = Count::new(time);
    let mut state = State { turn: Turn::Over.into(), ..State::default() };
    while count.goes_on() {
        if state.turn() == Turn::Over {
            state.record = "carcassonne".to_owned();
        }
        let actions = first(&state);
        count.actions += actions.len() as u64;
        let position = Some(Position { record: state.record, ply: None });
        let play = Some(Play { actions, draw: true, list_actions: true, events: false });
        let asked = ApplyRequest { position, play, seed: count.actions };
        state = engine.apply(asked).await?.into_inner();
    }
    Ok(count.a_second())
}

/// One person on both seats; the tile and the meeple are an action each.
async fn at_a_table(address: SocketAddr, time: Duration) -> Result<f64, Error> {
    let http = reqwest::Client::builder().cookie_store(true).no_proxy().build()?;
    let url = |path: &str| format!("http://{address}{path}");
    http.post(url("/api/guest")).send().await?.error_for_status()?;
    let mut count = Count::new(time);
    while count.goes_on() {
        let seats = json!([{"kind": "me"}, {"kind": "me"}]);
        let asked = json!({"game": "carcassonne", "seats": seats});
        let table = http.post(url("/api/games")).json(&asked).send().await?.error_for_status()?;
        let table: Value = table.json().await?;
        let game = url(&format!("/api/games/{}", table["info"]["id"].as_str().unwrap_or_default()));
        while count.goes_on() {
            let state: Value = http.get(&game).send().await?.error_for_status()?.json().await?;
            let Some(placed) = state["update"]["legal"][0]["move"].as_str() else { break };
            let mut version = state["update"]["version"].clone();
            for moved in [Some(placed.to_owned()), None] {
                let moved = moved.unwrap_or_else(|| "pass".to_owned());
                let asked = json!({"version": version, "moves": [moved]});
                let play = http.post(format!("{game}/play")).json(&asked).send().await?;
                let answer: Value = play.error_for_status()?.json().await?;
                version = answer["version"].clone();
                count.actions += 1;
            }
        }
    }
    Ok(count.a_second())
}
