//! From a listener to requests: how many connections are open, from one address and in all, and
//! how long each may take for the head of its next request.
//!
//! A stranger who opens connections and says nothing costs a descriptor each, and the database and
//! the files need some too. So there is a bound for one address, a bound in all that leaves
//! descriptors over, and a time within which a head must arrive. What lives long on purpose
//! (sockets, streams, waiting polls) has sent its head already and is bounded by `connections`.

mod write_timeout;

use crate::address::ClientAddress;
use crate::app::App;
use crate::config::Config;
use crate::error::Refusal;
use crate::limits::connections::{Connections, Open};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tower::Service;
use write_timeout::WriteTimeoutStream;

/// Serves requests until the server is stopped and all that were begun are answered.
pub(crate) async fn serve(app: &App, listener: TcpListener) {
    let router = crate::edge::http::router(app.clone());
    let doors = ConnectionLimiter::new(&app.config);
    // Every connection holds a sender; when the last one is gone, all is answered.
    let (open, mut all_answered) = mpsc::channel::<()>(1);
    let mut stopped = pin!(app.stopped());
    loop {
        let accepted = tokio::select! {
            () = &mut stopped => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => match doors.enter(peer) {
                Ok(place) => {
                    let (app, router, open) = (app.clone(), router.clone(), open.clone());
                    let limit = doors.head_limit(peer);
                    tokio::spawn(async move {
                        metrics::gauge!("bastide_connections").increment(1.0);
                        converse(&app, router, stream, peer, place, limit).await;
                        metrics::gauge!("bastide_connections").decrement(1.0);
                        drop(open);
                    });
                }
                Err(refusal) => turn_away(&stream, &refusal),
            },
            Err(error) => wait_out(&error).await,
        }
    }
    drop((listener, open));
    // Nobody sends anything; this waits for the end of the senders.
    let _ = all_answered.recv().await;
}

/// One connection, until it is closed or becomes a socket.
async fn converse(
    app: &App,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    place: ConnectionPermit,
    limit: Duration,
) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    let stream = TokioIo::new(WriteTimeoutStream::new(stream, STALLED, place));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limit);
    let mut connection = pin!(server.serve_connection(stream, answer).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = app.stopped() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection ended");
    }
}

/// How long a client may leave what is sent to it unread, in one piece.
const STALLED: Duration = Duration::from_secs(60);

/// How long a trusted proxy may keep a connection that it does not use. It guards itself against
/// slow clients, and closing first would break a request that it is just sending.
const PROXY_IDLE: Duration = Duration::from_secs(600);

/// Who may come in.
struct ConnectionLimiter {
    in_all: Arc<Semaphore>,
    by_address: Connections,
    config: Config,
}

/// The place of one connection; given back when it is dropped.
struct ConnectionPermit {
    _in_all: OwnedSemaphorePermit,
    _of_address: Option<Open>,
}

impl ConnectionLimiter {
    fn new(config: &Config) -> Self {
        let bounds = Bounds::new(config, descriptors());
        tracing::info!(in_all = bounds.in_all, by_address = bounds.by_address, "connections");
        Self {
            in_all: Arc::new(Semaphore::new(bounds.in_all)),
            by_address: Connections::new(bounds.by_address),
            config: config.clone(),
        }
    }

    /// A place for a connection, if there is one.
    fn enter(&self, peer: SocketAddr) -> Result<ConnectionPermit, Refusal> {
        let full = |_| Refusal::Unavailable("too many connections; try again soon".into());
        let in_all = self.in_all.clone().try_acquire_owned().map_err(full)?;
        let of_address = match self.is_proxy(peer) {
            true => None,
            false => Some(self.by_address.open(ClientAddress(peer.ip()))?),
        };
        Ok(ConnectionPermit { _in_all: in_all, _of_address: of_address })
    }

    fn head_limit(&self, peer: SocketAddr) -> Duration {
        if self.is_proxy(peer) { self.config.idle.max(PROXY_IDLE) } else { self.config.idle }
    }

    /// A trusted proxy speaks for many: its clients are bounded one by one, not together.
    fn is_proxy(&self, peer: SocketAddr) -> bool {
        self.config.trusted_proxies.iter().any(|network| network.contains(peer.ip()))
    }
}

/// How many connections may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    in_all: usize,
    by_address: usize,
}

/// Descriptors for the log, the listener, the runtime, the page and one backup, beside those of
/// the database.
const OTHER_FILES: usize = 64;

/// Files of one connection to the database: the data, the log before it, the index of that.
const FILES_OF_CONNECTION: usize = 3;

/// The most that one address gets where nothing is configured.
const MOST_BY_ADDRESS: usize = 512;

impl Bounds {
    fn new(config: &Config, descriptors: usize) -> Self {
        let kept = OTHER_FILES + FILES_OF_CONNECTION * config.database_connections as usize;
        // Where there are hardly any, half of them is better than none.
        let room = descriptors.saturating_sub(kept).max(descriptors / 2).max(1);
        let in_all = config.max_connections.map_or(room, |most| most.clamp(1, room));
        let by_address = match (config.limits, config.max_connections_per_address) {
            (false, _) => in_all,
            (true, Some(most)) => most.clamp(1, in_all),
            // One address is one of four that it takes to fill the server.
            (true, None) => (in_all / 4).clamp(1, MOST_BY_ADDRESS),
        };
        Self { in_all: in_all.min(Semaphore::MAX_PERMITS), by_address }
    }
}

/// How many files and sockets the process may have open.
fn descriptors() -> usize {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        // Without a limit the system's own comes first.
        let soft = getrlimit(Resource::Nofile).current;
        soft.and_then(|most| usize::try_from(most).ok()).unwrap_or(1 << 20)
    }
    #[cfg(not(target_os = "linux"))]
    256
}

/// Tells a client why it is not served, as far as that can be done without waiting for it.
fn turn_away(stream: &TcpStream, refusal: &Refusal) {
    metrics::counter!("bastide_connections_refused_total").increment(1);
    let body = serde_json::to_string(&refusal.problem()).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Retry-After: 10\r\nConnection: close\r\n\r\n{body}",
        refusal.status(),
        body.len(),
    );
    // Whatever of it is lost, the connection ends.
    let _ = stream.try_write(answer.as_bytes());
}

/// What ends one connection concerns nobody else; anything more needs time to pass.
async fn wait_out(error: &io::Error) {
    let of_one =
        [ErrorKind::ConnectionRefused, ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset];
    if !of_one.contains(&error.kind()) {
        tracing::error!(%error, "no connection could be accepted");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_left_for_files() {
        let config = Config { database_connections: 8, ..Config::default() };
        assert_eq!(Bounds::new(&config, 1024), Bounds { in_all: 936, by_address: 234 });
        assert_eq!(Bounds::new(&config, 524_288), Bounds { in_all: 524_200, by_address: 512 });
        assert_eq!(Bounds::new(&config, 100), Bounds { in_all: 50, by_address: 12 });
        assert_eq!(Bounds::new(&config, 0), Bounds { in_all: 1, by_address: 1 });
    }

    #[test]
    fn what_is_configured_counts_as_far_as_there_are_descriptors() {
        let config = Config {
            max_connections: Some(300),
            max_connections_per_address: Some(20),
            ..Config::default()
        };
        assert_eq!(Bounds::new(&config, 4096), Bounds { in_all: 300, by_address: 20 });
        let greedy = Config { max_connections: Some(9000), ..config.clone() };
        assert_eq!(Bounds::new(&greedy, 1024).in_all, 936);
        let open = Config { limits: false, ..config };
        assert_eq!(Bounds::new(&open, 4096), Bounds { in_all: 300, by_address: 300 });
    }

    #[test]
    fn a_trusted_proxy_is_not_bounded_as_one_client() {
        let config = Config {
            trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
            max_connections_per_address: Some(2),
            ..Config::default()
        };
        let doors = ConnectionLimiter::new(&config);
        let proxy = "127.0.0.1:1".parse().unwrap();
        let client = "127.0.0.2:1".parse().unwrap();
        let many: Vec<_> = (0..10).map(|_| doors.enter(proxy).unwrap()).collect();
        let two = [doors.enter(client).unwrap(), doors.enter(client).unwrap()];
        assert!(matches!(doors.enter(client), Err(Refusal::TooMany { .. })));
        drop((many, two));
        doors.enter(client).unwrap();
        assert!(doors.head_limit(proxy) > doors.head_limit(client));
    }
}
