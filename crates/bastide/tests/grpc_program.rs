//! gRPC as people start it: `bastide grpc`, `bastide serve --grpc-listen`, and the client in `examples/`.

#![cfg(feature = "grpc")]

#[path = "../../../examples/grpc_client.rs"]
mod grpc_client;
mod live;

use live::{Live, Place};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Stdio};

/// `bastide grpc` on a free port.
struct Alone {
    child: Child,
    url: String,
}

impl Alone {
    fn start(place: &Place, flags: &[&str]) -> Self {
        let mut command = place.bastide(&["grpc", "--listen", "127.0.0.1:0", "--threads", "1"]);
        command.args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut greeting = String::new();
        let out = child.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut greeting).expect("the program says something");
        let address = greeting.trim().strip_prefix("gRPC is ready: ");
        let url = format!("http://{}", address.unwrap_or_else(|| panic!("{greeting}")));
        Self { child, url }
    }

    fn stop(mut self) {
        let pid = self.child.id().to_string();
        let told = std::process::Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.expect("kill runs").success());
        assert!(self.child.wait().expect("it ends").success());
        let mut said = String::new();
        self.child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("text");
        assert_eq!(said, "", "a service on this machine alone needs no warning");
    }
}

async fn example(url: &str, token: Option<&str>, game: &str, setup: &str) -> Result<(), String> {
    let played = grpc_client::run(url.to_owned(), token.map(str::to_owned), game, setup).await;
    played.map_err(|error| error.to_string())
}

#[tokio::test]
async fn the_example_plays_alone_without_a_database() {
    let place = Place::new();
    let alone = Alone::start(&place, &["--log", "warn"]);
    example(&alone.url, None, "tinytown", "3x3").await.expect("a town is built");
    let setup = "players=2 board=3x3";
    example(&alone.url, None, "carcassonne", setup).await.expect("a game is played");
    let refused = example(&alone.url, None, "chess", "").await.expect_err("there is none");
    assert!(refused.contains("carcassonne, tinytown"), "{refused}");
    alone.stop();
    let left: Vec<_> = std::fs::read_dir(place.folder()).expect("it is there").collect();
    assert!(left.is_empty(), "nothing is stored: {left:?}");
}

#[tokio::test]
async fn the_token_in_a_file_is_asked_for() {
    let place = Place::new();
    let file = place.folder().join("token");
    std::fs::write(&file, "0123456789abcdef0123\n").expect("it can be written");
    let alone = Alone::start(&place, &["--log", "warn", "--token-file", "token"]);
    let refused = example(&alone.url, None, "tinytown", "2x2").await.expect_err("no token");
    assert!(refused.contains("authorization: Bearer"), "{refused}");
    let token = Some("0123456789abcdef0123");
    example(&alone.url, token, "tinytown", "2x2").await.expect("the token opens");
    alone.stop();
}

#[test]
fn what_cannot_be_served_is_told() {
    let place = Place::new();
    std::fs::write(place.folder().join("short"), "abc").expect("it can be written");
    for (args, word) in [
        (vec!["grpc", "--token-file", "nonesuch"], "nonesuch can't be read"),
        (vec!["grpc", "--token-file", "short"], "at least 16 characters"),
        (vec!["grpc", "--threads", "0"], "from 1 to 1024"),
        (vec!["grpc", "--listen", "everywhere"], "listen"),
    ] {
        let output = place.run(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(word), "{args:?}: {said}");
    }
    let held = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let taken = held.local_addr().expect("it has an address").to_string();
    let output = place.run(&["grpc", "--listen", &taken]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--listen") && said.contains(&taken), "{said}");
    drop(held);
}

#[test]
fn a_service_that_strangers_reach_warns_without_a_token() {
    let place = Place::new();
    let mut command = place.bastide(&["grpc", "--listen", "0.0.0.0:0", "--log", "warn"]);
    let mut child =
        command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    let mut said = String::new();
    BufReader::new(child.stderr.take().expect("piped")).read_line(&mut said).expect("text");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(said.contains("--token-file"), "{said}");
}

#[tokio::test]
async fn beside_a_server_a_token_of_an_account_plays() {
    // The port is free now, and nobody else asks for it within a moment.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = free.local_addr().expect("it has an address").to_string();
    drop(free);
    let live = Live::start(&["--grpc-listen", &address]);
    let register = ["-d", r#"{"name": "Ada", "password": "correct horse"}"#];
    let json = ["-H", "Content-Type: application/json", "-c", "cookies", "-b", "cookies"];
    live.curl("/api/register", &[&register[..], &json[..]].concat());
    let asked = ["-d", r#"{"label": "engine", "scope": "read"}"#];
    let made = live.curl("/api/me/tokens", &[&asked[..], &json[..]].concat());
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    let token = made["token"].as_str().expect("a token").to_owned();
    let url = format!("http://{address}");
    let refused = example(&url, None, "tinytown", "2x2").await.expect_err("no token");
    assert!(refused.contains("authorization: Bearer"), "{refused}");
    let grpc = tonic::transport::Channel::from_shared(url).expect("a URL").connect().await;
    let engine = grpc::proto::engine_client::EngineClient::new(grpc.expect("it listens"));
    let mut asked = tonic::Request::new(grpc::proto::GameTypesRequest {});
    let header = format!("Bearer {token}").parse().expect("a header");
    asked.metadata_mut().insert("authorization", header);
    let mut engine = engine;
    assert_eq!(engine.game_types(asked).await.expect("known").into_inner().games.len(), 2);
    let (status, log, _) = live.stop("TERM");
    assert!(status.success() && log.contains("everything is written"), "{log}");
}
