//! What can be configured, with defaults that need no configuration.
//!
//! A flag beats the environment, which beats the file, which beats the default.

mod tables;

pub use tables::TableSettings;

use crate::address::Network;
use crate::bus::LocalBus;
use serde::Deserialize;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What can be configured. The defaults make a server for this machine and its neighbours.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// The address and port for gRPC; without one there is none.
    pub grpc_listen: Option<SocketAddr>,
    /// How people reach the server from outside: `https://bastide.example`.
    pub public_url: Option<PublicUrl>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Other origins whose pages may use the server, as the page's own development server.
    pub allowed_origins: Vec<String>,
    /// Who may see the metrics, beside this machine.
    pub metrics_from: Vec<Network>,
    /// The folder for everything that is kept.
    pub data: PathBuf,
    /// The database's URL; a file in the data folder if absent.
    pub database: Option<String>,
    /// What connects the servers that share the database; without one the server is alone on it.
    pub bus: Option<BusChoice>,
    /// A folder with the page, instead of the one in the binary.
    pub page: Option<PathBuf>,
    /// Connections to the database.
    pub database_connections: u32,
    /// Bots that think at the same time.
    pub bot_threads: usize,
    /// How patient tables are, and how fast bots.
    pub tables: TableSettings,
    /// Analyses that run at the same time.
    pub analysis_threads: usize,
    /// Games that are reviewed at the same time.
    pub review_threads: usize,
    /// Passwords that are hashed at the same time; each takes 19 MiB.
    pub password_threads: usize,
    /// The largest body of a request, in bytes.
    pub body_limit: usize,
    /// Days after which an unused session ends.
    pub session_days: u32,
    /// Whether requests beyond the limits are refused.
    pub limits: bool,
    /// Whether the puzzles that come with the program are put into the database.
    pub shipped_puzzles: bool,
    /// Sockets, streams and waiting polls that one address may keep open.
    pub connections_per_address: usize,
    /// Connections that may be open in all; by default as many as leave descriptors for files.
    pub max_connections: Option<usize>,
    /// Connections that one address may have open; by default a quarter of all, at most 512.
    pub max_connections_per_address: Option<usize>,
    /// How long a connection may take for the head of its next request.
    pub idle: Duration,
    /// How often an open socket is checked for a session that is over; only tests hurry.
    pub recheck: Duration,
    /// How long a client at a socket may be silent; only tests have more patience, or less.
    pub silence: Duration,
    /// After how long who looks for an opponent is offered a bot; only tests hurry.
    pub bot_offered_after: Duration,
    /// How hard passwords are hashed; only tests make it cheap.
    pub password_cost: PasswordCost,
}

/// What connects the servers that share a database.
#[derive(Clone, Debug)]
pub enum BusChoice {
    /// A NATS server, by its URL, which may hold a password.
    Nats(SecretUrl),
    /// Nothing but memory: nodes in one process, for tests.
    Local(LocalBus),
}

/// A URL that is not printed.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct SecretUrl(pub String);

impl std::fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.rsplit('@').next().unwrap_or_default())
    }
}

/// How hard passwords are hashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PasswordCost {
    /// As recommended: 19 MiB, two passes.
    Recommended,
    /// As cheap as possible, for tests.
    Cheap,
}

impl Default for Config {
    fn default() -> Self {
        ServerSettings::default().config()
    }
}

impl Config {
    /// The URL of the database.
    #[must_use]
    pub fn database_url(&self) -> String {
        self.database.clone().unwrap_or_else(|| {
            format!("sqlite:{}?mode=rwc", self.data.join("bastide.db").display())
        })
    }

    /// Whether people come by https, so that cookies must not travel otherwise.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.as_str().starts_with("https://"))
    }

    /// Whether somebody may see the metrics.
    #[must_use]
    pub fn shows_metrics_to(&self, address: IpAddr) -> bool {
        address.is_loopback() || self.metrics_from.iter().any(|network| network.contains(address))
    }
}

/// What was configured, by flags and environment or by a file; the same names everywhere.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServerSettings {
    /// Address and port to listen on [default: 0.0.0.0:8080]
    #[arg(long, env = "BASTIDE_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// Address and port for gRPC: the engine as a service, for programs with a token [default: none]
    #[arg(long, env = "BASTIDE_GRPC_LISTEN", value_name = "ADDRESS:PORT")]
    pub grpc_listen: Option<SocketAddr>,
    /// How people reach the server from outside, as https://bastide.example
    #[arg(long, env = "BASTIDE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// A proxy (address or network) whose X-Forwarded-For is believed; several with commas
    #[arg(long, env = "BASTIDE_TRUSTED_PROXY", value_name = "NETWORK", value_delimiter = ',')]
    pub trusted_proxy: Option<Vec<Network>>,
    /// Another origin whose pages may use the server; several with commas
    #[arg(long, env = "BASTIDE_ALLOWED_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    pub allowed_origin: Option<Vec<String>>,
    /// A network that may read /metrics, beside this machine; several with commas
    #[arg(long, env = "BASTIDE_METRICS_FROM", value_name = "NETWORK", value_delimiter = ',')]
    pub metrics_from: Option<Vec<Network>>,
    /// The folder for everything that is kept [default: data]
    #[arg(long, env = "BASTIDE_DATA", value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// The database: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME [default: a file in the
    /// data folder]
    #[arg(long, env = "BASTIDE_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// NATS server that connects the servers which share the PostgreSQL database, as
    /// nats://USER:PASSWORD@HOST:4222 or tls://…?ca=FILE; without it this server is alone on its
    /// database
    #[arg(long, env = "BASTIDE_BUS", value_name = "URL", hide_env_values = true)]
    pub bus: Option<String>,
    /// A folder with a page to serve instead of the one in the binary
    #[arg(long, env = "BASTIDE_PAGE", value_name = "FOLDER")]
    pub page: Option<PathBuf>,
    /// Connections to the database [default: 8]
    #[arg(long, env = "BASTIDE_DATABASE_CONNECTIONS", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub database_connections: Option<u32>,
    /// Bots that think at the same time [default: cores less one]
    #[arg(long, env = "BASTIDE_BOT_THREADS", value_name = "N")]
    pub bot_threads: Option<usize>,
    /// How long a bot thinks about a turn where no clock tells it to hurry [default: 1000]
    #[arg(long, env = "BASTIDE_BOT_TIME_MS", value_name = "MS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub bot_time_ms: Option<u64>,
    /// The least time a bot takes for a turn, so that people can follow [default: 600]
    #[arg(long, env = "BASTIDE_BOT_PAUSE_MS", value_name = "MS")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub bot_pause_ms: Option<u64>,
    /// Games with bots that one user may have at once [default: 10]
    #[arg(long, env = "BASTIDE_BOT_GAMES_PER_USER", value_name = "N")]
    pub bot_games_per_user: Option<usize>,
    /// Games with bots that may go on from one address at once [default: 50]
    #[arg(long, env = "BASTIDE_BOT_GAMES_PER_ADDRESS", value_name = "N")]
    pub bot_games_per_address: Option<usize>,
    /// How long a player may be away while others wait [default: 120]
    #[arg(long, env = "BASTIDE_AWAY_SECONDS", value_name = "SECONDS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub away_seconds: Option<u64>,
    /// How long a player who is away may be silent before the win can be claimed [default: 900]
    #[arg(long, env = "BASTIDE_CLAIM_ABSENT_SECONDS", value_name = "SECONDS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=2_592_000))]
    pub claim_absent_seconds: Option<u64>,
    /// How long a player who is there may be silent before the win can be claimed [default: 3600]
    #[arg(long, env = "BASTIDE_CLAIM_SILENT_SECONDS", value_name = "SECONDS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=2_592_000))]
    pub claim_silent_seconds: Option<u64>,
    /// Days after which a game without a clock is called off to which no player came back
    /// [default: 14]
    #[arg(long, env = "BASTIDE_GIVEN_UP_DAYS", value_name = "DAYS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub given_up_days: Option<u64>,
    /// Analyses that run at the same time [default: 1]
    #[arg(long, env = "BASTIDE_ANALYSIS_THREADS", value_name = "N")]
    pub analysis_threads: Option<usize>,
    /// Games that are reviewed at the same time [default: 1]
    #[arg(long, env = "BASTIDE_REVIEW_THREADS", value_name = "N")]
    pub review_threads: Option<usize>,
    /// Passwords that are hashed at the same time [default: 2]
    #[arg(long, env = "BASTIDE_PASSWORD_THREADS", value_name = "N")]
    pub password_threads: Option<usize>,
    /// The largest body of a request, in bytes [default: 262144]
    #[arg(long, env = "BASTIDE_BODY_LIMIT", value_name = "BYTES")]
    pub body_limit: Option<usize>,
    /// Days after which an unused session ends [default: 60]
    #[arg(long, env = "BASTIDE_SESSION_DAYS", value_name = "DAYS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub session_days: Option<u32>,
    /// Whether too many logins, games or analyses at once are refused [default: true]
    #[arg(long, env = "BASTIDE_LIMITS", value_name = "BOOL")]
    pub limits: Option<bool>,
    /// Sockets, streams and waiting polls that one address may keep open [default: 256]
    #[arg(long, env = "BASTIDE_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: Option<usize>,
    /// Connections that may be open in all [default: what leaves descriptors for files]
    #[arg(long, env = "BASTIDE_MAX_CONNECTIONS", value_name = "N")]
    pub max_connections: Option<usize>,
    /// Connections that one address may have open; a trusted proxy may have all [default: a
    /// quarter of all, at most 512]
    #[arg(long, env = "BASTIDE_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub max_connections_per_address: Option<usize>,
    /// Seconds within which the head of the next request must arrive [default: 15]
    #[arg(long, env = "BASTIDE_IDLE_SECONDS", value_name = "SECONDS")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub idle_seconds: Option<u64>,
}

/// Why the settings in a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// There is no such file, or it is not ours to read.
    #[error("the file {} cannot be read: {error}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It has a setting that there is not, or a value that is none.
    #[error("in the file {}: {error}", .file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        error: toml::de::Error,
    },
}

impl ServerSettings {
    /// Settings in a file.
    ///
    /// # Errors
    /// If it cannot be read, or has a setting that there is not.
    pub fn read(file: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| SettingsError::Unreadable { file: file.to_owned(), error })?;
        toml::from_str(&text).map_err(|error| SettingsError::Wrong { file: file.to_owned(), error })
    }

    /// These settings, and what others say where these say nothing.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            listen: self.listen.or(others.listen),
            grpc_listen: self.grpc_listen.or(others.grpc_listen),
            public_url: self.public_url.or(others.public_url),
            trusted_proxy: self.trusted_proxy.or(others.trusted_proxy),
            allowed_origin: self.allowed_origin.or(others.allowed_origin),
            metrics_from: self.metrics_from.or(others.metrics_from),
            data: self.data.or(others.data),
            database: self.database.or(others.database),
            bus: self.bus.or(others.bus),
            page: self.page.or(others.page),
            database_connections: self.database_connections.or(others.database_connections),
            bot_threads: self.bot_threads.or(others.bot_threads),
            bot_time_ms: self.bot_time_ms.or(others.bot_time_ms),
            bot_pause_ms: self.bot_pause_ms.or(others.bot_pause_ms),
            bot_games_per_user: self.bot_games_per_user.or(others.bot_games_per_user),
            bot_games_per_address: self.bot_games_per_address.or(others.bot_games_per_address),
            away_seconds: self.away_seconds.or(others.away_seconds),
            claim_absent_seconds: self.claim_absent_seconds.or(others.claim_absent_seconds),
            claim_silent_seconds: self.claim_silent_seconds.or(others.claim_silent_seconds),
            given_up_days: self.given_up_days.or(others.given_up_days),
            analysis_threads: self.analysis_threads.or(others.analysis_threads),
            review_threads: self.review_threads.or(others.review_threads),
            password_threads: self.password_threads.or(others.password_threads),
            body_limit: self.body_limit.or(others.body_limit),
            session_days: self.session_days.or(others.session_days),
            limits: self.limits.or(others.limits),
            connections_per_address: self
                .connections_per_address
                .or(others.connections_per_address),
            max_connections: self.max_connections.or(others.max_connections),
            max_connections_per_address: self
                .max_connections_per_address
                .or(others.max_connections_per_address),
            idle_seconds: self.idle_seconds.or(others.idle_seconds),
        }
    }

    fn tables(&self) -> TableSettings {
        let d = TableSettings::default();
        TableSettings {
            bot_time: self.bot_time_ms.map_or(d.bot_time, Duration::from_millis),
            bot_pause: self.bot_pause_ms.map_or(d.bot_pause, Duration::from_millis),
            bot_games_per_user: self.bot_games_per_user.unwrap_or(d.bot_games_per_user).max(1),
            bot_games_per_address: self
                .bot_games_per_address
                .unwrap_or(d.bot_games_per_address)
                .max(1),
            away: self.away_seconds.map_or(d.away, Duration::from_secs),
            claim_absent: self.claim_absent_seconds.map_or(d.claim_absent, Duration::from_secs),
            claim_silent: self.claim_silent_seconds.map_or(d.claim_silent, Duration::from_secs),
            given_up: self
                .given_up_days
                .map_or(d.given_up, |days| Duration::from_secs(days * 24 * 3600)),
            ..d
        }
    }

    /// The whole configuration, with defaults where nothing is said.
    #[must_use]
    pub fn config(self) -> Config {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let everywhere = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 8080);
        let tables = self.tables();
        Config {
            listen: self.listen.unwrap_or(everywhere),
            grpc_listen: self.grpc_listen,
            public_url: self.public_url,
            trusted_proxies: self.trusted_proxy.unwrap_or_default(),
            allowed_origins: self.allowed_origin.unwrap_or_default(),
            metrics_from: self.metrics_from.unwrap_or_default(),
            data: self.data.unwrap_or_else(|| PathBuf::from("data")),
            database: self.database,
            bus: self.bus.map(|url| BusChoice::Nats(SecretUrl(url))),
            page: self.page,
            database_connections: self.database_connections.unwrap_or(8).max(2),
            bot_threads: self.bot_threads.unwrap_or_else(|| cores.saturating_sub(1)).max(1),
            tables,
            analysis_threads: self.analysis_threads.unwrap_or(1).max(1),
            review_threads: self.review_threads.unwrap_or(1).max(1),
            password_threads: self.password_threads.unwrap_or(2).max(1),
            body_limit: self.body_limit.unwrap_or(256 * 1024),
            session_days: self.session_days.unwrap_or(60).max(1),
            limits: self.limits.unwrap_or(true),
            shipped_puzzles: true,
            connections_per_address: self.connections_per_address.unwrap_or(256).max(1),
            max_connections: self.max_connections,
            max_connections_per_address: self.max_connections_per_address,
            idle: Duration::from_secs(self.idle_seconds.unwrap_or(15)),
            recheck: Duration::from_secs(60),
            silence: Duration::from_secs(20),
            bot_offered_after: Duration::from_secs(15),
            password_cost: PasswordCost::Recommended,
        }
    }
}

/// How people reach the server from outside: scheme, host and port, without a path.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is no public URL.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no public URL; expected https://HOST[:PORT]")]
pub struct NotAPublicUrl(String);

impl TryFrom<String> for PublicUrl {
    type Error = NotAPublicUrl;

    fn try_from(text: String) -> Result<Self, NotAPublicUrl> {
        text.parse()
    }
}

impl std::str::FromStr for PublicUrl {
    type Err = NotAPublicUrl;

    fn from_str(text: &str) -> Result<Self, NotAPublicUrl> {
        let url = text.trim_end_matches('/').to_ascii_lowercase();
        let expected = || NotAPublicUrl(text.to_owned());
        let (scheme, host) = url.split_once("://").ok_or_else(expected)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if !["http", "https"].contains(&scheme) || host.is_empty() || !host.chars().all(plain) {
            return Err(expected());
        }
        Ok(Self(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_first_wins() {
        let flags = ServerSettings { session_days: Some(3), ..ServerSettings::default() };
        let file: ServerSettings = toml::from_str(
            "session-days = 5\nbody-limit = 1000\ntrusted-proxy = [\"10.0.0.0/8\"]\n\
             public-url = \"https://Bastide.example/\"\nlisten = \"127.0.0.1:9\"",
        )
        .unwrap();
        let config = flags.or(file).config();
        assert_eq!((config.session_days, config.body_limit), (3, 1000));
        assert_eq!(config.trusted_proxies, ["10.0.0.0/8".parse().unwrap()]);
        assert_eq!(config.public_url.as_ref().unwrap().as_str(), "https://bastide.example");
        assert!(config.is_secure());
        assert_eq!(config.analysis_threads, 1);
    }

    #[test]
    fn the_example_lists_every_setting_with_its_default() {
        let example = include_str!("../../../deploy/bastide.toml");
        let read: ServerSettings = toml::from_str(example).unwrap();
        let flags = <ServerSettings as clap::Args>::augment_args(clap::Command::new("serve"));
        for flag in flags.get_arguments().filter_map(clap::Arg::get_long) {
            let listed = example
                .lines()
                .any(|line| line.trim_start_matches("# ").split(" = ").next() == Some(flag));
            assert!(listed, "deploy/bastide.toml does not list {flag}");
        }
        assert_eq!(format!("{:?}", read.config()), format!("{:?}", Config::default()));
    }

    #[test]
    fn settings_that_there_are_not_are_refused() {
        for text in
            ["port = 80", "listen = 80", "public-url = \"ftp://x\"", "trusted-proxy = \"x\""]
        {
            assert!(toml::from_str::<ServerSettings>(text).is_err(), "{text}");
        }
        assert!("https://".parse::<PublicUrl>().is_err());
        assert!("https://x/path".parse::<PublicUrl>().is_err());
    }
}
