//! The load benchmark of our bots: many people play one bot at the same time, and how long its
//! answers take, from the move sent to the bot's move seen.
//!
//! ```sh
//! cargo run --release -p server --example bot_load -- --games 200 --seconds 300
//! ```
//!
//! Server and clients are one process on the same cores, each with its own runtime; everything
//! between them is real: HTTP, WebSockets, a SQLite file with `synchronous=FULL`. Each person is a
//! guest of their own, who moves a while after each answer and begins a new game when one is over.

use clap::Parser;
use futures_util::{SinkExt, StreamExt};
use game::Random;
use serde_json::{Value, json};
use server::{App, Config};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Many games against one bot, and how long its answers take.
#[derive(Parser)]
struct Options {
    /// People, each with one game against the bot.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// The bot.
    #[arg(long, default_value = "master")]
    bot: String,
    /// How long it is played.
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// How long a person takes for a move after the bot's answer, in milliseconds.
    #[arg(long, default_value_t = 2000)]
    think_ms: u64,
    /// Threads on which bots think; by default as the server has it.
    #[arg(long)]
    bot_threads: Option<usize>,
    /// The fraction of the people who play rated games.
    #[arg(long, default_value_t = 0.0)]
    rated: f64,
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let options = Options::parse();
    let folder = std::env::temp_dir().join(format!("bastide_bot_load_{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let serving = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let address = serving.block_on(start(&folder, &options))?;
    let clients =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let measured = clients.block_on(measure(address, options));
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn start(folder: &Path, options: &Options) -> Result<SocketAddr, Error> {
    let mut config = Config { data: folder.to_owned(), limits: false, ..Config::default() };
    config.bot_threads = options.bot_threads.unwrap_or(config.bot_threads);
    let app = App::open(config).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(app.serve(listener));
    Ok(address)
}

async fn measure(address: SocketAddr, options: Options) -> Result<(), Error> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let rated = (options.games as f64 * options.rated).round() as usize;
    let mut people = Vec::new();
    for number in 0..options.games {
        let account = number < rated;
        people.push(Person::new(&http, address, account.then_some(number)).await?);
    }
    let think = Duration::from_millis(options.think_ms);
    let begun = Instant::now();
    let until = begun + Duration::from_secs(options.seconds);
    let playing: Vec<_> = people
        .into_iter()
        .enumerate()
        .map(|(number, person)| {
            let bot = options.bot.clone();
            let late = think.mul_f64(number as f64 / options.games as f64);
            tokio::spawn(async move {
                tokio::time::sleep(late).await;
                person.play(&bot, think, until, number as u64).await
            })
        })
        .collect();
    let mut took = Vec::new();
    for person in playing {
        match person.await? {
            Ok(answers) => took.extend(answers),
            Err(error) => eprintln!("a person left: {error}"),
        }
    }
    report(&options, &mut took, begun.elapsed());
    let metrics = http.get(format!("http://{address}/metrics")).send().await?.text().await?;
    for name in ["bastide_bot_queue_wait_seconds", "bastide_bot_think_seconds"] {
        println!("{name}: {}", mean(&metrics, name).unwrap_or_default());
    }
    Ok(())
}

/// A person as the server knows them: by a cookie.
struct Person {
    http: reqwest::Client,
    cookie: String,
    address: SocketAddr,
    rated: bool,
}

impl Person {
    /// A guest, or an account with this number for rated games.
    async fn new(
        http: &reqwest::Client,
        address: SocketAddr,
        account: Option<usize>,
    ) -> Result<Self, Error> {
        let request = match account {
            None => http.post(format!("http://{address}/api/guest")),
            Some(number) => http
                .post(format!("http://{address}/api/register"))
                .json(&json!({"name": format!("person{number}"), "password": "a long password"})),
        };
        let answer = request.send().await?;
        let cookie = answer.headers().get("set-cookie").ok_or("a cookie")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Self { http: http.clone(), cookie, address, rated: account.is_some() })
    }

    /// Plays one game after the other; how long each answer of the bot took.
    async fn play(
        &self,
        bot: &str,
        think: Duration,
        until: Instant,
        seed: u64,
    ) -> Result<Vec<Duration>, Error> {
        let (mut took, mut random) = (Vec::new(), Random::new(seed));
        while Instant::now() < until {
            let mut socket = self.new_game(bot).await?;
            let mut seen = next_seen(&mut socket, None).await?;
            while !seen.over && Instant::now() < until {
                tokio::time::sleep(think).await;
                let version = seen.version;
                let moves = seen.turn(&mut random);
                let play =
                    json!({"type": "play", "id": version, "version": version, "moves": moves});
                let sent = Instant::now();
                socket.send(Message::text(play.to_string())).await?;
                seen = next_seen(&mut socket, Some(version)).await?;
                if !seen.over {
                    took.push(sent.elapsed());
                }
            }
        }
        Ok(took)
    }

    async fn new_game(&self, bot: &str) -> Result<Socket, Error> {
        let clock = json!({"kind": "move", "per_move_ms": 60_000});
        let body = json!({"game": "carcassonne", "shuffle_seats": false, "rated": self.rated,
            "clock": clock, "seats": [{"kind": "me"}, {"kind": "bot", "bot": bot}]});
        let request = self.http.post(format!("http://{}/api/games", self.address));
        let answer = request.header("cookie", &self.cookie).json(&body).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        if !status.is_success() {
            return Err(format!("{status} {text}").into());
        }
        let made: Value = serde_json::from_str(&text)?;
        let id = made["info"]["id"].as_str().ok_or("an id")?;
        let url = format!("ws://{}/api/games/{id}/socket", self.address);
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        Ok(connect_async(request).await?.0)
    }
}

/// What a client must know to play on.
struct Seen {
    version: u64,
    legal: Vec<Value>,
    over: bool,
}

impl Seen {
    fn turn(&self, random: &mut Random) -> Vec<Value> {
        let Some(first) = random.pick(&self.legal) else { return Vec::new() };
        let then = first["then"].as_array().and_then(|then| random.pick(then));
        [Some(&first["move"]), then].into_iter().flatten().cloned().collect()
    }
}

/// The next state in which the client is to move, or the game is over.
async fn next_seen(socket: &mut Socket, after: Option<u64>) -> Result<Seen, Error> {
    loop {
        let text = match socket.next().await.ok_or("the socket was closed")?? {
            Message::Text(text) => text,
            Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
            _ => continue,
        };
        if text.contains(r#""type":"refused""#) {
            return Err(text.as_str().into());
        }
        if !text.contains(r#""update":"#) {
            continue;
        }
        let message: Value = serde_json::from_str(&text)?;
        let update = &message["update"];
        let version = update["version"].as_u64().ok_or("a version")?;
        let (legal, over) = (update["legal"].as_array(), update["result"].is_object());
        if after.is_none_or(|after| version > after) && (legal.is_some() || over) {
            return Ok(Seen { version, legal: legal.cloned().unwrap_or_default(), over });
        }
    }
}

fn report(options: &Options, took: &mut [Duration], elapsed: Duration) {
    took.sort();
    let at = |share: f64| {
        let index = (took.len() as f64 * share) as usize;
        took.get(index.min(took.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    println!(
        "{} games against {}, {:.0?}: {} answers, {:.1} a second; from the move sent to the \
         answer seen: median {:.2?}, 90 % {:.2?}, 99 % {:.2?}, longest {:.2?}",
        options.games,
        options.bot,
        elapsed,
        took.len(),
        took.len() as f64 / elapsed.as_secs_f64(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

/// The mean of a histogram in the text of the metrics, in words.
fn mean(metrics: &str, name: &str) -> Option<String> {
    let value = |suffix: &str| -> Option<f64> {
        let start = format!("{name}_{suffix} ");
        metrics.lines().find_map(|line| line.strip_prefix(&start))?.parse().ok()
    };
    let (sum, count) = (value("sum")?, value("count")?);
    Some(format!("{count} times, {:.1} ms on average", 1000.0 * sum / count.max(1.0)))
}
