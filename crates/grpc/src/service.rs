//! The calls.

use crate::bounds::Bounds;
use crate::deadline::Deadline;
use crate::gate::{Caller, Gate, Task};
use crate::position::{self, AnyPosition};
use crate::proto::engine_server::Engine;
use crate::proto::{
    ActionList, AiViewRequest, AiViewResponse, AnalyseRequest, Analysis, ApplyRequest, Bot,
    GameType, GameTypesRequest, GameTypesResponse, InitialStateRequest, PlayerViewRequest,
    Position, ReviewDepth, ReviewEvent, ReviewRequest, SessionRequest, SessionResponse,
    SpectatorViewRequest, State, ValidActionsRequest, View,
};
use crate::session;
use crate::status::{code_name, full, internal, status};
use crate::thinking::Thinking;
use bots::review::Depth;
use game::Random;
use serde_json::Value;
use server::engine::threads::Analysts;
use server::error::Refusal;
use server::games::{game_types, read_setup};
use server::limits::connections::Connections;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status, Streaming};

/// The service; cheap to clone.
#[derive(Clone)]
pub struct EngineService(Arc<Shared>);

/// What all calls share.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    pub(crate) bounds: Bounds,
    /// Where positions are analysed.
    pub(crate) analysts: Analysts,
    /// Where games are reviewed.
    pub(crate) reviewers: Analysts,
    /// Where everything is done that takes a moment.
    pub(crate) clerks: Analysts,
    pub(crate) sessions: Arc<Semaphore>,
    pub(crate) by_address: Connections,
    pub(crate) stopping: watch::Sender<bool>,
}

impl EngineService {
    /// A service; analyses and reviews go on at these threads.
    #[must_use]
    pub fn new(gate: Gate, bounds: Bounds, analysts: Analysts, reviewers: Analysts) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self(Arc::new(Shared {
            gate,
            analysts,
            reviewers,
            clerks: Analysts::with_queue(cores, bounds.waiting),
            sessions: Arc::new(Semaphore::new(bounds.sessions)),
            by_address: Connections::new(bounds.sessions_per_address),
            stopping: watch::Sender::new(false),
            bounds,
        }))
    }

    /// Ends sessions, searches and reviews.
    pub(crate) fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// Lets a call in, and does something that takes a moment on a thread for it.
    async fn short<Q: Send + 'static, A: Send + 'static>(
        &self,
        method: &'static str,
        request: Request<Q>,
        work: impl FnOnce(Q) -> Result<A, Refusal> + Send + 'static,
    ) -> Result<Response<A>, Status> {
        let answer = async {
            self.0.admit(&request).await?;
            let asked = request.into_inner();
            self.0.on_a_thread(move || work(asked)).await
        };
        counted(method, answer.await)
    }
}

impl Shared {
    async fn admit<Q>(&self, request: &Request<Q>) -> Result<Caller, Status> {
        self.gate.admit(request.metadata(), request.remote_addr()).await
    }

    /// Does something that takes a moment on a thread for it.
    ///
    /// # Errors
    /// Those of the work; or if too many wait.
    pub(crate) async fn on_a_thread<A: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<A, Refusal> + Send + 'static,
    ) -> Result<A, Status> {
        let thread = self.clerks.enter().await.map_err(full)?;
        let done = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            work()
        });
        done.await.map_err(|_| internal())?.map_err(|refusal| status(&refusal))
    }

    async fn read(&self, position: Option<Position>) -> Result<Box<dyn AnyPosition>, Status> {
        self.on_a_thread(move || position::read(position)).await
    }

    async fn analyse(
        &self,
        request: Request<AnalyseRequest>,
    ) -> Result<ReceiverStream<Result<Analysis, Status>>, Status> {
        let deadline = Deadline::of(request.metadata());
        let caller = self.admit(&request).await?;
        let AnalyseRequest { position, task } = request.into_inner();
        let position = self.read(position).await?;
        self.gate.may(Task::Analyse, &caller, position.game(), &position.record()).await?;
        let job = position.analysis(&task.unwrap_or_default(), self.bounds.longest_search);
        let job = job.map_err(|refusal| status(&refusal))?;
        let thinking = Thinking::start(self.analysts.clone(), job);
        Ok(thinking.into_stream(deadline, self.bounds.stalled, self.stopping.subscribe()))
    }

    async fn review(
        &self,
        request: Request<ReviewRequest>,
    ) -> Result<ReceiverStream<Result<ReviewEvent, Status>>, Status> {
        let deadline = Deadline::of(request.metadata());
        let caller = self.admit(&request).await?;
        let ReviewRequest { record, depth: asked } = request.into_inner();
        let asked = depth(asked).map_err(|refusal| status(&refusal))?;
        let position = self.read(Some(Position { record, ply: None })).await?;
        self.gate.may(Task::Review, &caller, position.game(), &position.record()).await?;
        let job = position.review(asked, self.bounds.longest_review);
        let thinking = Thinking::start(self.reviewers.clone(), job);
        Ok(thinking.into_stream(deadline, self.bounds.stalled, self.stopping.subscribe()))
    }
}

/// Counts how a call was answered.
fn counted<A>(method: &'static str, answer: Result<A, Status>) -> Result<Response<A>, Status> {
    let code = answer.as_ref().map_or_else(Status::code, |_| Code::Ok);
    server::metrics::count_grpc_call(method, code_name(code));
    answer.map(Response::new)
}

/// A single call gives the record with the state, so that the next one can begin there.
fn with_record(state: State, position: &dyn AnyPosition) -> State {
    State { record: position.record(), ..state }
}

/// How closely a review looks.
///
/// # Errors
/// If there is no such depth.
pub(crate) fn depth(number: i32) -> Result<Depth, Refusal> {
    match ReviewDepth::try_from(number) {
        Ok(ReviewDepth::Unspecified | ReviewDepth::Quick) => Ok(Depth::Quick),
        Ok(ReviewDepth::Deep) => Ok(Depth::Deep),
        Err(_) => Err(Refusal::Bad(format!("depth {number}: 1 is quick, 2 is deep"))),
    }
}

#[tonic::async_trait]
impl Engine for EngineService {
    type AnalyseStream = ReceiverStream<Result<Analysis, Status>>;
    type ReviewStream = ReceiverStream<Result<ReviewEvent, Status>>;
    type SessionStream = ReceiverStream<Result<SessionResponse, Status>>;

    async fn game_types(
        &self,
        request: Request<GameTypesRequest>,
    ) -> Result<Response<GameTypesResponse>, Status> {
        let answer = async {
            self.0.admit(&request).await?;
            let games = game_types().iter().map(described).collect::<Result<_, _>>();
            let games = games.map_err(|refusal| status(&refusal))?;
            Ok(GameTypesResponse { games, version: env!("CARGO_PKG_VERSION").to_owned() })
        };
        counted("GameTypes", answer.await)
    }

    async fn initial_state(
        &self,
        request: Request<InitialStateRequest>,
    ) -> Result<Response<State>, Status> {
        let work = |asked| {
            let position = position::open(&asked)?;
            Ok(with_record(position.state(), &*position))
        };
        self.short("InitialState", request, work).await
    }

    async fn valid_actions(
        &self,
        request: Request<ValidActionsRequest>,
    ) -> Result<Response<ActionList>, Status> {
        let work = |asked: ValidActionsRequest| Ok(position::read(asked.position)?.actions());
        self.short("ValidActions", request, work).await
    }

    async fn apply(&self, request: Request<ApplyRequest>) -> Result<Response<State>, Status> {
        let work = |asked: ApplyRequest| {
            let mut position = position::read(asked.position)?;
            let mut random = Random::new(asked.seed);
            let state = position.play(&asked.play.unwrap_or_default(), &mut random)?;
            Ok(with_record(state, &*position))
        };
        self.short("Apply", request, work).await
    }

    async fn player_view(
        &self,
        request: Request<PlayerViewRequest>,
    ) -> Result<Response<View>, Status> {
        let work =
            |asked: PlayerViewRequest| position::read(asked.position)?.view(Some(asked.player));
        self.short("PlayerView", request, work).await
    }

    async fn spectator_view(
        &self,
        request: Request<SpectatorViewRequest>,
    ) -> Result<Response<View>, Status> {
        let work = |asked: SpectatorViewRequest| position::read(asked.position)?.view(None);
        self.short("SpectatorView", request, work).await
    }

    async fn ai_view(
        &self,
        request: Request<AiViewRequest>,
    ) -> Result<Response<AiViewResponse>, Status> {
        let work = |asked: AiViewRequest| {
            position::read(asked.position)?.ai_view(&asked.options.unwrap_or_default())
        };
        self.short("AiView", request, work).await
    }

    async fn analyse(
        &self,
        request: Request<AnalyseRequest>,
    ) -> Result<Response<Self::AnalyseStream>, Status> {
        counted("Analyse", self.0.analyse(request).await)
    }

    async fn review(
        &self,
        request: Request<ReviewRequest>,
    ) -> Result<Response<Self::ReviewStream>, Status> {
        counted("Review", self.0.review(request).await)
    }

    async fn session(
        &self,
        request: Request<Streaming<SessionRequest>>,
    ) -> Result<Response<Self::SessionStream>, Status> {
        let deadline = Deadline::of(request.metadata());
        let begun = match self.0.admit(&request).await {
            Ok(caller) => {
                session::start(Arc::clone(&self.0), caller, request.into_inner(), deadline)
            }
            Err(status) => Err(status),
        };
        counted("Session", begun)
    }
}

fn described(game: &server::wire::GameType) -> Result<GameType, Refusal> {
    let (default_setup, _) = read_setup(&game.id, &Value::Null, game.min_players)?;
    let bot =
        |bot: &server::wire::BotInfo| Bot { name: bot.name.clone(), about: bot.about.clone() };
    Ok(GameType {
        id: game.id.clone(),
        display_name: game.display_name.clone(),
        description: game.description.clone(),
        min_players: game.min_players as u32,
        max_players: game.max_players as u32,
        default_setup,
        options_schema_json: game.options.to_string(),
        bots: game.bots.iter().map(bot).collect(),
        strongest: game.strongest.clone(),
    })
}
