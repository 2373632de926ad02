//! A service on a port of its own, and clients of it.

use grpc::proto::engine_client::EngineClient;
use grpc::proto::session_request::Request;
use grpc::proto::session_response::Response;
use grpc::proto::{
    InitialStateRequest, Open, Play, Position, SessionRequest, SessionResponse, open,
};
use grpc::{Bounds, EngineService, Gate};
use server::engine::threads::Analysts;
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, Streaming};

/// A running service; dropping it stops it.
pub(crate) struct Live {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: Option<JoinHandle<()>>,
}

impl Live {
    pub(crate) async fn start() -> Self {
        Self::start_with(Gate::Open, Bounds::default()).await
    }

    /// With one thread for analyses and one for reviews.
    pub(crate) async fn start_with(gate: Gate, bounds: Bounds) -> Self {
        let service = EngineService::new(gate, bounds, Analysts::new(1), Analysts::new(1));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            grpc::serve(service, listener, Vec::new(), stopped).await.unwrap();
        });
        Self { address, stop: Some(stop), served: Some(served) }
    }

    pub(crate) async fn channel(&self) -> Channel {
        channel(self.address).await
    }

    pub(crate) async fn client(&self) -> EngineClient<Channel> {
        EngineClient::new(self.channel().await)
    }

    pub(crate) async fn session(&self) -> Session {
        Session::start(&mut self.client().await).await.unwrap()
    }

    /// Stops it; returns when all calls have ended.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        self.served.take().unwrap().await.unwrap();
    }
}

pub(crate) async fn channel(address: SocketAddr) -> Channel {
    Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// The position at the end of a record.
pub(crate) fn at(record: &str) -> Option<Position> {
    Some(Position { record: record.to_owned(), ply: None })
}

pub(crate) fn open(game: &str, setup: &str) -> Request {
    let game = InitialStateRequest { game: game.to_owned(), setup: setup.to_owned() };
    Request::Open(Open { from: Some(open::From::Game(game)), ..Open::default() })
}

pub(crate) fn play(actions: &[&str]) -> Request {
    let actions = actions.iter().map(ToString::to_string).collect();
    Request::Play(Play { actions, ..Play::default() })
}

/// A session from the client's side.
pub(crate) struct Session {
    requests: mpsc::Sender<SessionRequest>,
    pub(crate) responses: Streaming<SessionResponse>,
    sent: u64,
}

impl Session {
    pub(crate) async fn start(client: &mut EngineClient<Channel>) -> Result<Self, Status> {
        let (requests, stream) = mpsc::channel(64);
        let responses = client.session(ReceiverStream::new(stream)).await?.into_inner();
        Ok(Self::of(requests, responses))
    }

    pub(crate) fn of(
        requests: mpsc::Sender<SessionRequest>,
        responses: Streaming<SessionResponse>,
    ) -> Self {
        Self { requests, responses, sent: 0 }
    }

    /// Sends a request; its number.
    pub(crate) async fn send(&mut self, request: Request) -> u64 {
        self.sent += 1;
        let request = SessionRequest { id: self.sent, request: Some(request) };
        self.requests.send(request).await.unwrap();
        self.sent
    }

    pub(crate) async fn next(&mut self) -> SessionResponse {
        self.responses.message().await.unwrap().unwrap()
    }

    /// Sends a request and gives its one response.
    pub(crate) async fn ask(&mut self, request: Request) -> Response {
        let id = self.send(request).await;
        let answer = self.next().await;
        assert_eq!((answer.id, answer.done), (id, true));
        answer.response.unwrap()
    }

    /// Sends a request that is refused, and gives the reason.
    pub(crate) async fn refused(&mut self, request: Request) -> grpc::proto::Error {
        match self.ask(request).await {
            Response::Error(error) => error,
            other => panic!("it was not refused: {other:?}"),
        }
    }

    /// Ends the requests; the responses end when all are answered.
    pub(crate) fn no_more(self) -> Streaming<SessionResponse> {
        self.responses
    }
}

impl Session {
    /// Sends a request if the session still takes one.
    pub(crate) async fn try_send(&mut self, request: Request) -> bool {
        self.sent += 1;
        self.requests.send(SessionRequest { id: self.sent, request: Some(request) }).await.is_ok()
    }
}
