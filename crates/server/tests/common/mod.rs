//! The real server on a port of its own with a real database, and clients for it.
//!
//! The database is a SQLite file in a folder of its own; with `BASTIDE_TEST_DATABASE` set to the
//! URL of a PostgreSQL server (`scripts/with-postgres` does) it is a new database there.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each test program uses its own part"
)]

mod client;
mod database;
mod nats;

pub use client::{Answer, Client, Socket};
pub use database::{Database, postgres};
pub use nats::Nats;

use server::config::PasswordCost;
use server::{App, Config};
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running server.
pub struct Server {
    pub app: App,
    pub address: SocketAddr,
    pub config: Config,
    database: Database,
    task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    /// A server as it is by default, but that it hashes passwords cheaply and has no limits.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// A server with another configuration.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let database = Database::new().await;
        let mut config = Config {
            listen: "127.0.0.1:0".parse().expect("an address"),
            data: database.folder().to_owned(),
            database: Some(database.url().to_owned()),
            password_cost: PasswordCost::Cheap,
            limits: false,
            // Tests bring their own.
            shipped_puzzles: false,
            // A test that waits for something else does not read its sockets.
            silence: std::time::Duration::from_secs(600),
            ..Config::default()
        };
        change(&mut config);
        Self::run(config, database).await
    }

    async fn run(config: Config, database: Database) -> Self {
        let app = App::open(config.clone()).await.expect("the server opens its database");
        let listener = TcpListener::bind(config.listen).await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let task = tokio::spawn(app.clone().serve(listener));
        Self { app, address, config, database, task }
    }

    /// Stops as for a signal to terminate, and waits for the end.
    pub async fn stop(self) -> Stopped {
        self.app.stop();
        self.task.await.expect("the server does not panic").expect("the server ends well");
        Stopped { config: self.config, database: self.database }
    }

    /// Stops, and starts again on the same database.
    pub async fn restart(self) -> Self {
        self.stop().await.start().await
    }

    /// Another server on the same database, while this one runs.
    pub async fn beside(&self) -> Result<Self, server::StartError> {
        let app = App::open(self.config.clone()).await?;
        let listener = TcpListener::bind(self.config.listen).await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let task = tokio::spawn(app.clone().serve(listener));
        let database = Database::shared(self.database.url());
        Ok(Self { app, address, config: self.config.clone(), database, task })
    }

    /// Waits until it ends by itself.
    pub async fn ended(&mut self) -> std::io::Result<()> {
        (&mut self.task).await.expect("the server does not panic")
    }

    /// The server's URL, with a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A client that nobody knows.
    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// A client that is a guest.
    pub async fn guest(&self) -> Client {
        let client = self.client();
        client.post("/api/guest", &serde_json::json!({})).await.ok();
        client
    }
}

/// A server that was stopped; its database is still there.
pub struct Stopped {
    pub config: Config,
    database: Database,
}

impl Stopped {
    /// Starts it again.
    pub async fn start(self) -> Server {
        Server::run(self.config, self.database).await
    }
}

/// A whole game, played by chance with a fixed seed.
pub fn whole_game(setup: &str, seed: u64) -> String {
    use game::{Game, Random, Record, Turn};
    let setup: carcassonne::Setup = setup.parse().expect("a setup");
    let mut random = Random::new(seed);
    let mut game = carcassonne::Carcassonne::new(&setup);
    let mut record: Record<carcassonne::Carcassonne> = Record::new(setup);
    let mut moves = Vec::new();
    loop {
        let m = match game.turn() {
            Turn::Over => break,
            Turn::Chance => game.sample_outcome(&mut random).expect("chance has outcomes"),
            Turn::Player(_) => {
                game.moves(&mut moves);
                *random.pick(&moves).expect("a player has moves")
            }
        };
        game.play(m, |_| {}).expect("a listed move is legal");
        record.moves.push(m);
    }
    record.to_string()
}
