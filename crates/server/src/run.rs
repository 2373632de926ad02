//! From a configuration to a running server, until the system asks it to end.

use crate::app::App;
use crate::bus::BusError;
use crate::config::Config;
use crate::start::StartError;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::pin::Pin;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep, timeout};

/// Why the server could not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The address is taken or not allowed.
    #[error("can't listen on {0}: {1}; choose another address with --listen ADDRESS:PORT")]
    Listen(SocketAddr, std::io::Error),
    /// The address for gRPC is taken or not allowed.
    #[error("can't listen on {0} for gRPC: {1}; choose another address with --grpc-listen")]
    ListenGrpc(SocketAddr, std::io::Error),
    /// gRPC is wanted, and this program has none.
    #[error(
        "this program was built without gRPC; leave --grpc-listen out, or build it with --features grpc"
    )]
    NoGrpc,
    /// The server could not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A worker could not reach the bus, or it has no orders.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The system stopped accepting connections or signals.
    #[error("the server ended: {0}")]
    Ended(String),
}

impl From<std::io::Error> for RunError {
    fn from(error: std::io::Error) -> Self {
        Self::Ended(error.to_string())
    }
}

/// What serves gRPC beside the server's own requests until the server is stopped. It is another crate, which depends on
/// this one.
pub type ServeGrpc = fn(App, TcpListener) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs a server until the process is asked to end (Ctrl-C, SIGTERM). Says where it is once it
/// takes requests.
///
/// It is neither generic nor `async`: otherwise the whole server would be compiled a second time, in
/// the crate that calls this.
///
/// # Errors
/// If it cannot listen, or cannot open what it keeps.
pub fn run(config: Config, say: fn(&str), grpc: Option<ServeGrpc>) -> Result<(), RunError> {
    allow_many_sockets();
    Runtime::new()?.block_on(serve(config, say, grpc))
}

async fn serve(config: Config, say: fn(&str), grpc: Option<ServeGrpc>) -> Result<(), RunError> {
    let listen = config.listen;
    let listener = bind(listen).await.map_err(|error| RunError::Listen(listen, error))?;
    let grpc = bind_grpc(&config, grpc).await?;
    let app = App::open(config).await?;
    // Whoever has read where it is may end it.
    let asked_to_end = asked_to_end();
    say(&greeting(listener.local_addr()?, &app.config));
    let stopper = app.clone();
    let signals = tokio::spawn(async move {
        asked_to_end.await;
        tracing::info!("stopping: requests that were begun are answered first");
        stopper.stop();
    });
    let beside = grpc.map(|(serve_grpc, listener)| tokio::spawn(serve_grpc(app.clone(), listener)));
    let ended = app.serve(listener).await;
    if let Some(beside) = beside {
        // It was stopped with the server; who does not end their call in time is cut off.
        let _ = timeout(GRPC_PATIENCE, beside).await;
    }
    signals.abort();
    tracing::info!("stopped; everything is written");
    Ok(ended?)
}

/// How long what a worker has begun may take once it is asked to end.
#[cfg(feature = "nats")]
const WORK_PATIENCE: Duration = Duration::from_secs(30);

/// Works for the servers on a bus until the process is asked to end.
///
/// # Errors
/// If the bus cannot be reached, or has no JetStream.
#[cfg(feature = "nats")]
pub fn run_worker(url: &str, threads: usize, say: fn(&str)) -> Result<(), RunError> {
    use crate::bus::NatsBus;
    use crate::engine::work::{Worker, build};
    Runtime::new()?.block_on(async {
        let bus = NatsBus::connect(url, "work").await?.work();
        let worker = Worker::start(bus, threads).await?;
        say(&format!("the worker is ready: {threads} threads, build {}", build()));
        asked_to_end().await;
        tracing::info!("stopping: turns and analyses that were begun are finished first");
        worker.stop(WORK_PATIENCE).await;
        Ok(())
    })
}

/// How long calls of gRPC may take to end after everything else has.
const GRPC_PATIENCE: Duration = Duration::from_secs(5);

async fn bind_grpc(
    config: &Config,
    grpc: Option<ServeGrpc>,
) -> Result<Option<(ServeGrpc, TcpListener)>, RunError> {
    let Some(listen) = config.grpc_listen else { return Ok(None) };
    let grpc = grpc.ok_or(RunError::NoGrpc)?;
    let listener = bind(listen).await.map_err(|error| RunError::ListenGrpc(listen, error))?;
    tracing::info!(address = %listener.local_addr()?, "gRPC");
    Ok(Some((grpc, listener)))
}

/// A process that was killed may still be leaving its port.
const LEAVING: Duration = Duration::from_secs(5);

async fn bind(listen: SocketAddr) -> std::io::Result<TcpListener> {
    let until = Instant::now() + LEAVING;
    loop {
        match TcpListener::bind(listen).await {
            Err(error) if error.kind() == ErrorKind::AddrInUse && Instant::now() < until => {
                sleep(Duration::from_millis(100)).await;
            }
            bound => return bound,
        }
    }
}

/// Every socket is a file to the system, and the usual number is small.
fn allow_many_sockets() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
            tracing::warn!(%error, "no more sockets than usual");
        }
    }
}

/// Returns when the system asks the process to end; what it asks counts from this call on.
pub fn asked_to_end() -> impl Future<Output = ()> + Send + 'static {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    };
    async move {
        #[cfg(unix)]
        if let (Ok(mut interrupted), Ok(mut terminated)) = signals {
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// One line: where the server is, and how friends can reach it.
fn greeting(address: SocketAddr, config: &Config) -> String {
    let port = address.port();
    let here = if address.ip().is_unspecified() {
        format!("http://localhost:{port}")
    } else {
        format!("http://{address}")
    };
    let friends = match (&config.public_url, neighbourhood(address.ip())) {
        (Some(url), _) => format!("friends: {}", url.as_str()),
        (None, Some(own)) => format!(
            "friends on your network: http://{}; from elsewhere: put it on the internet and say \
             how it is reached with --public-url",
            SocketAddr::new(own, port)
        ),
        (None, None) => {
            "for this machine only; for friends too: --listen 0.0.0.0:8080 or --public-url".into()
        }
    };
    format!("Bastide is ready: {here} ({friends})")
}

/// The address that neighbours reach this machine by. Nothing is sent: the system only tells
/// which of its addresses it would use.
fn neighbourhood(listening: IpAddr) -> Option<IpAddr> {
    if !listening.is_unspecified() {
        return Some(listening).filter(|address| !address.is_loopback());
    }
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let own = socket.local_addr().ok()?.ip();
    Some(own).filter(|address| !address.is_unspecified() && !address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greeting_tells_how_to_come_in() {
        let local = greeting("127.0.0.1:8080".parse().unwrap(), &Config::default());
        assert!(local.contains("http://127.0.0.1:8080"), "{local}");
        assert!(local.contains("this machine only"), "{local}");
        let url = Some("https://bastide.example".parse().unwrap());
        let config = Config { public_url: url, ..Config::default() };
        let public = greeting("0.0.0.0:8080".parse().unwrap(), &config);
        assert!(public.contains("http://localhost:8080"), "{public}");
        assert!(public.contains("https://bastide.example"), "{public}");
        let lan = greeting("192.168.1.5:81".parse().unwrap(), &Config::default());
        assert!(lan.contains("on your network: http://192.168.1.5:81"), "{lan}");
        assert_eq!(lan.lines().count(), 1);
    }
}
