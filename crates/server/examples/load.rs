//! The load benchmark: many live tables of two sockets each, and how long a move takes from the
//! player who sends it to the opponent who sees it.
//!
//! ```sh
//! cargo run --release -p server --example load -- --tables 1000 --rate 1000 --seconds 30
//! ```
//!
//! Server and clients are one process on the same cores, each with its own runtime; everything
//! between them is real: HTTP, WebSockets, a SQLite file with `synchronous=FULL`. The second half
//! of the time bots search all the while (`--bots` games of the strongest). With `--at` the servers are programs of
//! their own (`scripts/bus-cost`); the memory that is printed is then that of the clients.

use clap::Parser;
use futures_util::{SinkExt, StreamExt};
use game::Random;
use serde_json::{Value, json};
use server::{App, Config};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Many live tables, and how long a move takes.
#[derive(Parser)]
struct Options {
    /// Tables, each with two sockets.
    #[arg(long, default_value_t = 1000)]
    tables: usize,
    /// Moves a second, in all.
    #[arg(long, default_value_t = 1000.0)]
    rate: f64,
    /// Seconds of each half.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Games of bots that search in the second half.
    #[arg(long, default_value_t = 4)]
    bots: usize,
    /// Threads on which bots think.
    #[arg(long, default_value_t = 1)]
    bot_threads: usize,
    /// Servers that run already, instead of one in this process; the two people of a table are at different ones.
    #[arg(long, value_name = "ADDRESS:PORT")]
    at: Vec<SocketAddr>,
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let options = Options::parse();
    let folder = std::env::temp_dir().join(format!("bastide_load_{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let serving = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let servers = match options.at.is_empty() {
        true => vec![serving.block_on(start(&folder, &options))?],
        false => options.at.clone(),
    };
    let clients =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let measured = clients.block_on(measure(&servers, &options));
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn start(folder: &Path, options: &Options) -> Result<SocketAddr, Error> {
    let mut config = Config {
        data: folder.to_owned(),
        limits: false,
        bot_threads: options.bot_threads,
        ..Config::default()
    };
    config.tables.bot_pause = Duration::ZERO;
    // Tables that nobody watches yet are measured in memory.
    config.tables.idle = Duration::from_secs(3600);
    let app = App::open(config).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(app.serve(listener));
    Ok(address)
}

/// A person as the server knows them: by a cookie.
#[derive(Clone)]
struct Person {
    http: reqwest::Client,
    cookie: String,
    address: SocketAddr,
}

impl Person {
    async fn new(http: &reqwest::Client, address: SocketAddr) -> Result<Self, Error> {
        let answer = http.post(format!("http://{address}/api/guest")).send().await?;
        let cookie = answer.headers().get("set-cookie").ok_or("a cookie")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Self { http: http.clone(), cookie, address })
    }

    async fn post(&self, path: &str, body: &Value) -> Result<String, Error> {
        let request = self.http.post(format!("http://{}{path}", self.address));
        let answer = request.header("cookie", &self.cookie).json(body).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        if status.is_success() { Ok(text) } else { Err(format!("{status} {text}").into()) }
    }

    async fn socket(&self, game: &str) -> Result<Socket, Error> {
        let url = format!("ws://{}/api/games/{game}/socket", self.address);
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        Ok(connect_async(request).await?.0)
    }
}

/// A table with its two people.
struct Pair {
    game: String,
    people: [Person; 2],
}

async fn measure(servers: &[SocketAddr], options: &Options) -> Result<(), Error> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let begun = Instant::now();
    let people = all_at_once(2 * options.tables, |number| {
        Person::new(&http, servers[number % servers.len()])
    })
    .await?;
    println!("{} guests in {:.1?}", people.len(), begun.elapsed());
    let before = resident();
    let begun = Instant::now();
    let pairs: Vec<[Person; 2]> =
        people.chunks(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
    let pairs = Arc::new(pairs);
    let tables = all_at_once(options.tables, |number| open_table(pairs[number].clone())).await?;
    println!("{} tables in {:.1?}", tables.len(), begun.elapsed());
    tokio::time::sleep(Duration::from_secs(2)).await;
    let idle = resident();
    println!("memory of an idle table: {:.1} KiB", kib(before, idle, options.tables));
    let tables = Arc::new(tables);
    let live = all_at_once(options.tables, |number| {
        let tables = tables.clone();
        async move { Live::open(&tables[number], number as u64).await }
    })
    .await?;
    let watched = resident();
    println!("memory of its two sockets, both ends: {:.1} KiB", kib(idle, watched, options.tables));

    let until = Instant::now() + Duration::from_secs(options.seconds);
    let begun = Instant::now();
    let (live, quiet) = play_all(live, options, until).await;
    report("without bots", &quiet, begun.elapsed());
    for _ in 0..options.bots {
        let bot = json!({"kind": "bot", "bot": "best"});
        people[0].post("/api/games", &json!({"game": "carcassonne", "seats": [bot, bot]})).await?;
    }
    let until = Instant::now() + Duration::from_secs(options.seconds);
    let begun = Instant::now();
    let (_, busy) = play_all(live, options, until).await;
    report("with bots searching", &busy, begun.elapsed());
    Ok(())
}

/// Does something many times, some at the same time.
async fn all_at_once<T: Send + 'static, F>(
    times: usize,
    what: impl Fn(usize) -> F,
) -> Result<Vec<T>, Error>
where
    F: Future<Output = Result<T, Error>> + Send,
{
    let mut done = Vec::with_capacity(times);
    for start in (0..times).step_by(32) {
        let some = (start..times.min(start + 32)).map(&what);
        for one in futures_util::future::join_all(some).await {
            done.push(one?);
        }
    }
    Ok(done)
}

async fn open_table(people: [Person; 2]) -> Result<Pair, Error> {
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false});
    let made: Value = serde_json::from_str(&people[0].post("/api/games", &body).await?)?;
    let game = made["info"]["id"].as_str().ok_or("an id")?.to_owned();
    people[1].post(&format!("/api/games/{game}/join"), &json!({})).await?;
    Ok(Pair { game, people })
}

/// A table as its two clients see it.
struct Live {
    sockets: [Socket; 2],
    seen: [Seen; 2],
    random: Random,
}

impl Live {
    async fn open(pair: &Pair, seed: u64) -> Result<Self, Error> {
        let mut sockets =
            [pair.people[0].socket(&pair.game).await?, pair.people[1].socket(&pair.game).await?];
        let mut welcomed = Vec::new();
        for socket in &mut sockets {
            welcomed.push(Seen::of(&next_text(socket).await?).ok_or("a welcome")?);
        }
        let seen = welcomed.try_into().map_err(|_| "two sockets")?;
        Ok(Self { sockets, seen, random: Random::new(seed) })
    }

    /// Plays a turn every so often until a moment; how long each took.
    async fn play(
        &mut self,
        first: Instant,
        every: Duration,
        until: Instant,
        late: &AtomicUsize,
    ) -> Result<Vec<Duration>, Error> {
        let (mut took, mut at) = (Vec::new(), first);
        while at < until {
            if Instant::now() > at + every {
                late.fetch_add(1, Ordering::Relaxed);
            }
            tokio::time::sleep_until(at.into()).await;
            at += every;
            // A game that is over has nobody to move.
            let Some(mover) = self.seen.iter().position(Seen::to_move) else { break };
            let version = self.seen[mover].version;
            let moves = self.seen[mover].turn(&mut self.random);
            let play = json!({"type": "play", "id": version, "version": version, "moves": moves});
            let sent = Instant::now();
            self.sockets[mover].send(Message::text(play.to_string())).await?;
            let other = 1 - mover;
            self.seen[other] = next_update(&mut self.sockets[other], version).await?;
            took.push(sent.elapsed());
            self.seen[mover] = next_update(&mut self.sockets[mover], version).await?;
        }
        Ok(took)
    }
}

/// Plays at all tables until a moment; gives the tables back, and how long each move took.
async fn play_all(
    tables: Vec<Live>,
    options: &Options,
    until: Instant,
) -> (Vec<Live>, Vec<Duration>) {
    let every = Duration::from_secs_f64(options.tables as f64 / options.rate);
    let late = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = tables
        .into_iter()
        .enumerate()
        .map(|(number, mut table)| {
            let first = Instant::now() + every.mul_f64(number as f64 / options.tables as f64);
            let late = late.clone();
            tokio::spawn(async move {
                let took = table.play(first, every, until, &late).await;
                (table, took)
            })
        })
        .collect();
    let (mut tables, mut all) = (Vec::new(), Vec::new());
    for task in tasks {
        match task.await {
            Ok((table, Ok(took))) => {
                tables.push(table);
                all.extend(took);
            }
            Ok((_, Err(error))) => eprintln!("a table ended: {error}"),
            Err(error) => eprintln!("a table ended: {error}"),
        }
    }
    println!("moves that were sent late: {}", late.load(Ordering::Relaxed));
    (tables, all)
}

/// What a client must know of an update to play on.
struct Seen {
    version: u64,
    legal: Vec<(String, Vec<String>)>,
}

impl Seen {
    /// From a welcome or an update; reads only the parts it needs.
    fn of(text: &str) -> Option<Self> {
        let version = text.find(r#""version":"#)?;
        let digits = text[version + 10..].chars().take_while(char::is_ascii_digit);
        let version = digits.collect::<String>().parse().ok()?;
        let legal = text.rfind(r#""legal":"#)? + 8;
        let value = serde_json::Deserializer::from_str(&text[legal..]).into_iter::<Value>().next();
        let legal = value?.ok()?.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let entry = |m: &Value| {
            let then = m["then"].as_array().map(|then| then.iter().map(text).collect());
            (text(&m["move"]), then.unwrap_or_default())
        };
        Some(Self { version, legal: legal.iter().map(entry).collect() })
    }

    fn to_move(&self) -> bool {
        !self.legal.is_empty()
    }

    fn turn(&self, random: &mut Random) -> Vec<String> {
        let Some((first, then)) = random.pick(&self.legal) else { return Vec::new() };
        std::iter::once(first.clone()).chain(random.pick(then).cloned()).collect()
    }
}

async fn next_text(socket: &mut Socket) -> Result<String, Error> {
    loop {
        match socket.next().await.ok_or("the socket was closed")?? {
            Message::Text(text) => return Ok(text.to_string()),
            Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
            _ => {}
        }
    }
}

async fn next_update(socket: &mut Socket, after: u64) -> Result<Seen, Error> {
    loop {
        let text = next_text(socket).await?;
        if text.contains(r#""type":"refused""#) {
            return Err(text.into());
        }
        if text.starts_with(r#"{"type":"update""#)
            && let Some(seen) = Seen::of(&text).filter(|seen| seen.version > after)
        {
            return Ok(seen);
        }
    }
}

fn report(what: &str, took: &[Duration], elapsed: Duration) {
    let mut took = took.to_vec();
    took.sort();
    let at = |share: f64| {
        let index = (took.len() as f64 * share) as usize;
        took.get(index.min(took.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let rate = took.len() as f64 / elapsed.as_secs_f64();
    println!(
        "{what}: {} moves, {rate:.0} a second; from sent to seen by the opponent: median {:.1?}, \
         90 % {:.1?}, 99 % {:.1?}, longest {:.1?}",
        took.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

/// Resident memory of the process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
}

fn kib(before: u64, after: u64, tables: usize) -> f64 {
    after.saturating_sub(before) as f64 / tables as f64
}
