//! The running service: beside a server, or alone.

use crate::bounds::Bounds;
use crate::connections::accepted;
use crate::gate::Gate;
use crate::proto::DESCRIPTORS;
use crate::proto::engine_server::EngineServer;
use crate::service::EngineService;
use server::App;
use server::address::Network;
use server::engine::analysis::LONGEST;
use server::engine::threads::Analysts;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tonic::transport::Server;

/// How often a silent connection is asked whether it lives, and how long it may take to answer.
const KEEPALIVE: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(20)];

/// The most bytes of a call's headers.
const HEADERS: u32 = 16 * 1024;

/// Serves until it is stopped and all calls have ended. Sessions, searches and reviews end at once.
///
/// # Errors
/// If the system refuses to go on.
pub async fn serve(
    service: EngineService,
    listener: TcpListener,
    proxies: Vec<Network>,
    stopped: impl Future<Output = ()> + Send,
) -> Result<(), tonic::transport::Error> {
    let bounds = service.shared().bounds.clone();
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter.set_serving::<EngineServer<EngineService>>().await;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let engine = EngineServer::new(service.clone()).max_decoding_message_size(bounds.message);
    Server::builder()
        .max_concurrent_streams(bounds.calls_per_connection)
        .http2_keepalive_interval(Some(KEEPALIVE[0]))
        .http2_keepalive_timeout(Some(KEEPALIVE[1]))
        .http2_max_header_list_size(HEADERS)
        .add_service(health)
        .add_service(reflection().build_v1().expect("the descriptors are those of the protocol"))
        // Clients in Python ask for this one.
        .add_service(reflection().build_v1alpha().expect("as above"))
        .add_service(engine)
        .serve_with_incoming_shutdown(accepted(listener, &bounds, proxies), async {
            stopped.await;
            reporter.set_not_serving::<EngineServer<EngineService>>().await;
            service.stop();
        })
        .await
}

/// Serves beside a server until that one is stopped: for who has a token of it, with its threads and limits.
#[must_use]
pub fn serve_beside(app: App, listener: TcpListener) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        let bounds = Bounds { longest_search: LONGEST, ..Bounds::default() };
        let reviewers = Analysts::new(app.config.review_threads);
        let proxies = app.config.trusted_proxies.clone();
        let gate = Gate::Accounts(app.clone());
        let service = EngineService::new(gate, bounds, app.analysts.clone(), reviewers);
        let stopped = async move { app.stopped().await };
        if let Err(error) = serve(service, listener, proxies, stopped).await {
            tracing::error!(%error, "gRPC ended");
        }
    })
}

/// Why the service could not run alone.
#[derive(Debug)]
pub enum AloneError {
    /// The address is taken or not allowed.
    Listen(SocketAddr, io::Error),
    /// The system refuses threads or sockets.
    Ended(String),
}

impl std::fmt::Display for AloneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Listen(address, error) => write!(
                f,
                "can't listen on {address}: {error}; choose another address with --listen \
                 ADDRESS:PORT"
            ),
            Self::Ended(why) => write!(f, "the service ended: {why}"),
        }
    }
}

impl std::error::Error for AloneError {}

/// Runs the service alone, without accounts and without a database, until the process is asked to end. `say` hears
/// where it is.
///
/// # Errors
/// If it cannot listen.
pub fn run_alone(
    listen: SocketAddr,
    gate: Gate,
    bounds: Bounds,
    threads: usize,
    say: fn(SocketAddr),
) -> Result<(), AloneError> {
    let ended = |error: &dyn std::fmt::Display| AloneError::Ended(error.to_string());
    let runtime = Runtime::new().map_err(|error| ended(&error))?;
    runtime.block_on(async {
        let listener = TcpListener::bind(listen).await;
        let listener = listener.map_err(|error| AloneError::Listen(listen, error))?;
        say(listener.local_addr().map_err(|error| ended(&error))?);
        let (analysts, reviewers) = (Analysts::new(threads), Analysts::new(threads));
        let service = EngineService::new(gate, bounds, analysts, reviewers);
        let served = serve(service, listener, Vec::new(), server::run::asked_to_end()).await;
        served.map_err(|error| ended(&error))
    })
}
