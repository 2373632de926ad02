//! What can be configured, with defaults that need no configuration.

use crate::address::Network;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// What can be configured. The defaults make a server for this machine and its neighbours.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// How people reach the server from outside: `https://bastide.example`.
    pub public_url: Option<PublicUrl>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Other origins whose pages may use the server, as the page's own development server.
    pub allowed_origins: Vec<String>,
    /// The folder for everything that is kept.
    pub data: PathBuf,
    /// The database's URL; a file in the data folder if absent.
    pub database: Option<String>,
    /// Connections to the database.
    pub database_connections: u32,
    /// Bots that think at the same time.
    pub bot_threads: usize,
    /// Analyses that run at the same time.
    pub analysis_threads: usize,
    /// Passwords that are hashed at the same time; each takes 19 MiB.
    pub password_threads: usize,
    /// Whether few or no requests are refused for being too many; only tests switch it off.
    pub limits: bool,
    /// The largest body of a request, in bytes.
    pub body_limit: usize,
    /// How hard passwords are hashed; only tests make it cheap.
    pub password_cost: PasswordCost,
    /// Days after which an unused session ends.
    pub session_days: u32,
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
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 8080),
            public_url: None,
            trusted_proxies: Vec::new(),
            allowed_origins: Vec::new(),
            data: PathBuf::from("data"),
            database: None,
            database_connections: 8,
            bot_threads: cores.saturating_sub(1).max(1),
            analysis_threads: 1,
            password_threads: 2,
            limits: true,
            body_limit: 256 * 1024,
            password_cost: PasswordCost::Recommended,
            session_days: 60,
        }
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
        self.public_url.as_ref().is_some_and(PublicUrl::is_secure)
    }
}

/// How people reach the server from outside: scheme, host and port, without a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn is_secure(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl std::str::FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = text.trim_end_matches('/').to_ascii_lowercase();
        let expected = || format!("'{text}' is no public URL; expected https://HOST[:PORT]");
        let (scheme, host) = url.split_once("://").ok_or_else(expected)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if !["http", "https"].contains(&scheme) || host.is_empty() || !host.chars().all(plain) {
            return Err(expected());
        }
        Ok(Self(url))
    }
}
