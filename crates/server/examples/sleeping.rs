//! What games that sleep cost: how long the server takes to start beside so many of them, how much
//! memory it takes, and how long one takes to wake.
//!
//! ```sh
//! cargo run --release --workspace --example sleeping -- --games 100000 --turns 20
//! ```
//!
//! One game is played and left alone; its rows are then copied in the SQLite file. The server that
//! is measured is a process of its own.

use clap::Parser;
use serde_json::{Value, json};
use server::storage::db::Db;
use server::{App, Config};
use sqlx::AssertSqlSafe;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// What games that sleep cost.
#[derive(Parser)]
struct Options {
    /// Games that sleep.
    #[arg(long, default_value_t = 100_000)]
    games: usize,
    /// Turns that were played in each.
    #[arg(long, default_value_t = 20)]
    turns: usize,
    /// Only measure a server on this folder.
    #[arg(long)]
    serve: Option<PathBuf>,
}

type Error = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let options = Options::parse();
    if let Some(folder) = &options.serve {
        return measure(folder).await;
    }
    for games in [0, options.games] {
        let folder = std::env::temp_dir().join(format!("bastide_sleeping_{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        if games > 0 {
            let sample = play(&folder, options.turns).await?;
            copy(&folder, &sample, games).await?;
        }
        println!("{games} games that sleep, {} turns each:", options.turns);
        let program = std::env::current_exe()?;
        let measured = std::process::Command::new(program).arg("--serve").arg(&folder).status();
        std::fs::remove_dir_all(&folder)?;
        if !measured?.success() {
            return Err("the server that is measured failed".into());
        }
    }
    Ok(())
}

fn config(folder: &Path) -> Config {
    let mut config = Config { data: folder.to_owned(), limits: false, ..Config::default() };
    config.tables.idle = Duration::from_millis(500);
    config
}

async fn open(folder: &Path) -> Result<(App, SocketAddr), Error> {
    let app = App::open(config(folder)).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(app.clone().serve(listener));
    Ok((app, address))
}

/// Plays a game alone for so many turns and waits until it sleeps; gives its id.
async fn play(folder: &Path, turns: usize) -> Result<String, Error> {
    let (app, address) = open(folder).await?;
    let client = reqwest::Client::builder().cookie_store(true).no_proxy().build()?;
    let url = |path: &str| format!("http://{address}{path}");
    client.post(url("/api/guest")).json(&json!({})).send().await?.error_for_status()?;
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]});
    let made: Value = client.post(url("/api/games")).json(&body).send().await?.json().await?;
    let id = made["info"]["id"].as_str().ok_or("no game")?.to_owned();
    for _ in 0..turns {
        let game: Value = client.get(url(&format!("/api/games/{id}"))).send().await?.json().await?;
        let first = &game["update"]["legal"][0];
        let moves = [Some(&first["move"]), first["then"].get(0)];
        let moves: Vec<&Value> = moves.into_iter().flatten().collect();
        let body = json!({"version": game["update"]["version"], "moves": moves});
        let play = client.post(url(&format!("/api/games/{id}/play"))).json(&body);
        play.send().await?.error_for_status()?;
    }
    while app.tables.open_tables() > 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    app.stop();
    app.db.pool.close().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    Ok(id)
}

/// Copies a game's rows so many times.
async fn copy(folder: &Path, sample: &str, games: usize) -> Result<(), Error> {
    let db = Db::open(&config(folder).database_url(), 2).await?;
    let mut changes = db.begin().await?;
    for (table, key) in [("games", "id"), ("seats", "game_id"), ("log", "game_id")] {
        let sql = "SELECT name FROM pragma_table_info($1) WHERE name <> $2 ORDER BY cid";
        let columns = sqlx::query_scalar(sql).bind(table).bind(key);
        let columns: Vec<String> = columns.fetch_all(&mut *changes).await?;
        let columns = columns.join(", ");
        let sql = format!(
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \
             $1) INSERT INTO {table} ({key}, {columns}) SELECT 'asleep' || n, {columns} \
             FROM numbers, {table} WHERE {key} = $2"
        );
        let insert = sqlx::query(AssertSqlSafe(sql)).bind(games as i64).bind(sample);
        insert.execute(&mut *changes).await?;
    }
    // Games are not made all in the same millisecond.
    let spread = "UPDATE games SET created = created - 1000 * CAST(SUBSTR(id, 7) AS BIGINT) \
                  WHERE id LIKE 'asleep%'";
    sqlx::query(spread).execute(&mut *changes).await?;
    changes.commit().await?;
    db.pool.close().await;
    Ok(())
}

async fn measure(folder: &Path) -> Result<(), Error> {
    let before = resident_kib();
    let begun = Instant::now();
    let (app, address) = open(folder).await?;
    let client = reqwest::Client::builder().no_proxy().build()?;
    let url = |path: &str| format!("http://{address}{path}");
    client.get(url("/readyz")).send().await?.error_for_status()?;
    println!("  ready after {:.0} ms", begun.elapsed().as_secs_f64() * 1000.0);
    tokio::time::sleep(Duration::from_secs(3)).await;
    println!(
        "  {} KiB more resident, {} tables",
        resident_kib() - before,
        app.tables.open_tables()
    );
    let timed = async |path: &str| -> Result<f64, Error> {
        let begun = Instant::now();
        let length = client.get(url(path)).send().await?.error_for_status()?.text().await?.len();
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        println!("  GET {path}: {took:.1} ms, {length} bytes");
        Ok(took)
    };
    timed("/api/lobby").await?;
    timed("/api/lobby").await?;
    if timed("/api/games/asleep1").await.is_ok() {
        timed("/api/games/asleep1").await?;
    }
    println!("  {} KiB more resident after that", resident_kib() - before);
    app.stop();
    Ok(())
}

/// Memory that this process has in use, in KiB.
fn resident_kib() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0)
}
