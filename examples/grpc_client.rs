//! A client of `bastide grpc` in Rust: plays a game in a session, with the engine on the first seat, and reviews it.
//!
//! ```sh
//! bastide grpc &
//! cargo run -p grpc --example grpc_client -- http://127.0.0.1:8081 [TOKEN]
//! ```

use grpc::proto::engine_client::EngineClient;
use grpc::proto::session_request::Request as Asked;
use grpc::proto::session_response::Response as Answer;
use grpc::proto::{
    GameTypesRequest, GetRecord, InitialStateRequest, Open, Play, ReviewTask, SearchTask,
    SessionRequest, SessionResponse, State, Turn, open, review_event,
};
use std::error::Error;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};

#[tokio::main]
#[allow(dead_code, reason = "a test calls `run` instead")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let server = args.next().unwrap_or_else(|| "http://127.0.0.1:8081".to_owned());
    run(server, args.next(), "carcassonne", "players=2").await
}

/// Plays a game and says how it went.
pub(crate) async fn run(
    server: String,
    token: Option<String>,
    game: &str,
    setup: &str,
) -> Result<(), Box<dyn Error>> {
    let channel = Channel::from_shared(server)?.connect().await?;
    let mut engine = EngineClient::with_interceptor(channel, move |mut request: Request<()>| {
        if let Some(token) = &token {
            let header = format!("Bearer {token}").parse();
            let header = header.map_err(|_| Status::invalid_argument("the token is no header"))?;
            request.metadata_mut().insert("authorization", header);
        }
        Ok(request)
    });
    let types = engine.game_types(GameTypesRequest {}).await?.into_inner();
    println!("bastide {}: {} games", types.version, types.games.len());

    let (requests, stream) = mpsc::channel(4);
    let responses = engine.session(ReceiverStream::new(stream)).await?.into_inner();
    let mut session = Session { requests, responses, sent: 0 };
    let end = session.play_a_game(game, setup).await?;
    println!("{game} is over after {} moves: {:?}", end.ply, end.scores);
    let Answer::Record(record) = session.ask(Asked::GetRecord(GetRecord {})).await? else {
        return Err("no record".into());
    };
    println!("{} lines of record", record.lines().count());
    if let Answer::Review(last) = session.ask(Asked::Review(ReviewTask::default())).await?
        && let Some(review_event::Event::Summary(summary)) = last.event
    {
        for (seat, player) in summary.players.iter().enumerate() {
            println!("player {seat}: accuracy {:.0}", player.accuracy);
        }
    }
    Ok(())
}

/// A session: requests go out, responses come back with the numbers of their requests.
struct Session {
    requests: mpsc::Sender<SessionRequest>,
    responses: Streaming<SessionResponse>,
    sent: u64,
}

impl Session {
    /// Sends a request and gives its last response.
    async fn ask(&mut self, asked: Asked) -> Result<Answer, Box<dyn Error>> {
        self.sent += 1;
        self.requests.send(SessionRequest { id: self.sent, request: Some(asked) }).await?;
        while let Some(answer) = self.responses.message().await? {
            match answer.response {
                Some(Answer::Error(error)) => return Err(error.message.into()),
                Some(last) if answer.done => return Ok(last),
                _ => {}
            }
        }
        Err("the session ended".into())
    }

    async fn state(&mut self, asked: Asked) -> Result<State, Box<dyn Error>> {
        match self.ask(asked).await? {
            Answer::State(state) => Ok(state),
            other => Err(format!("no state: {other:?}").into()),
        }
    }

    /// The engine decides for player 0, the others take the first legal action; tiles are drawn with a seed.
    async fn play_a_game(&mut self, game: &str, setup: &str) -> Result<State, Box<dyn Error>> {
        let begin = InitialStateRequest { game: game.to_owned(), setup: setup.to_owned() };
        let from = Some(open::From::Game(begin));
        let mut state = self.state(Asked::Open(Open { from, seed: 7, ..Open::default() })).await?;
        while state.turn() != Turn::Over {
            let actions = match (state.player, &state.actions) {
                (Some(0), _) => {
                    let task = SearchTask { nodes: Some(20), ..SearchTask::default() };
                    match self.ask(Asked::Analyse(task)).await? {
                        Answer::Analysis(found) => found.best,
                        other => return Err(format!("no analysis: {other:?}").into()),
                    }
                }
                (Some(_), Some(list)) => vec![list.actions[0].text.clone()],
                _ => Vec::new(),
            };
            let play = Play { actions, draw: true, list_actions: true, events: false };
            state = self.state(Asked::Play(play)).await?;
        }
        Ok(state)
    }
}
