//! A session: a two-way stream about one position that the service keeps, so that no request carries a whole game.

use crate::deadline::Deadline;
use crate::gate::{Caller, Task};
use crate::position::{self, AnyPosition};
use crate::proto::open::From;
use crate::proto::review_event::Event;
use crate::proto::session_request::Request;
use crate::proto::session_response::Response;
use crate::proto::{Error, Open, SessionRequest, SessionResponse, State, Stopped};
use crate::service::{Shared, depth};
use crate::status::{full, internal, status};
use crate::thinking::{Thinking, stopped};
use game::Random;
use server::error::Refusal;
use server::limits::connections::Open as OpenSession;
use server::metrics::Counted;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

/// Answers that wait for a client that does not read; then the session waits, and after a while it ends.
const UNREAD: usize = 16;

/// Starts a session.
///
/// # Errors
/// If there are as many as there may be, from that address or in all.
pub(crate) fn start(
    shared: Arc<Shared>,
    caller: Caller,
    requests: Streaming<SessionRequest>,
    deadline: Deadline,
) -> Result<ReceiverStream<Result<SessionResponse, Status>>, Status> {
    let place = Arc::clone(&shared.sessions).try_acquire_owned().map_err(|_| {
        let most = shared.bounds.sessions;
        Status::resource_exhausted(format!("{most} sessions are open; try again in a moment"))
    })?;
    let of_address = shared.by_address.open(caller.address).map_err(|_| {
        let most = shared.bounds.sessions_per_address;
        Status::resource_exhausted(format!("at most {most} sessions from one address"))
    })?;
    let (answers, stream) = mpsc::channel(UNREAD);
    let session = Session {
        shared,
        caller,
        answers,
        position: None,
        random: Random::new(0),
        thinking: None,
        _place: place,
        _of_address: of_address,
        _counted: Counted::new("bastide_grpc_sessions"),
    };
    tokio::spawn(session.run(requests, deadline));
    Ok(ReceiverStream::new(stream))
}

struct Session {
    shared: Arc<Shared>,
    caller: Caller,
    answers: mpsc::Sender<Result<SessionResponse, Status>>,
    position: Option<Box<dyn AnyPosition>>,
    random: Random,
    /// The search or review that runs, with the number of its request.
    thinking: Option<(u64, Thinking<Response>)>,
    _place: OwnedSemaphorePermit,
    _of_address: OpenSession,
    _counted: Counted,
}

/// What happens next in a session.
enum Next {
    Asked(SessionRequest),
    Found(u64, Option<Box<Result<Response, Status>>>),
    NoMoreRequests,
    End(Option<Status>),
}

impl Session {
    async fn run(mut self, mut requests: Streaming<SessionRequest>, deadline: Deadline) {
        let (shared, caller) = (Arc::clone(&self.shared), self.caller.clone());
        let mut ends = pin!(async {
            tokio::select! {
                late = deadline.passed() => late,
                why = stopped(shared.stopping.subscribe()) => why,
                why = shared.gate.sent_away(&caller) => why,
            }
        });
        let mut more = true;
        while more || self.thinking.is_some() {
            let listening = match next(&mut self, &mut requests, more, ends.as_mut()).await {
                Next::Asked(request) => self.answer(request).await,
                Next::Found(id, found) => self.tell(id, found.map(|found| *found)).await,
                Next::NoMoreRequests => {
                    more = false;
                    true
                }
                Next::End(why) => {
                    if let Some(why) = why {
                        // Nobody may be there to hear it.
                        let _ =
                            timeout(self.shared.bounds.stalled, self.answers.send(Err(why))).await;
                    }
                    return;
                }
            };
            if !listening {
                return;
            }
        }
    }

    /// Answers a request; whether the client still listens.
    async fn answer(&mut self, request: SessionRequest) -> bool {
        let SessionRequest { id, request } = request;
        match self.obey(id, request).await {
            Ok(Some(response)) => self.send(id, true, response).await,
            Ok(None) => true,
            Err(why) => self.refuse(id, &why).await,
        }
    }

    /// Does what is asked. A search or review answers later.
    async fn obey(
        &mut self,
        id: u64,
        request: Option<Request>,
    ) -> Result<Option<Response>, Status> {
        let request = request.ok_or_else(|| {
            Status::invalid_argument("the request is empty, or one that this service does not know")
        })?;
        if let Request::Stop(_) = request {
            let running = self.thinking.as_ref();
            running.into_iter().for_each(|(_, thinking)| thinking.stop());
            let was_running = running.is_some();
            return Ok(Some(Response::Stopped(Stopped { was_running })));
        }
        if self.thinking.is_some() {
            return Err(Status::failed_precondition(
                "a search or review runs; send 'stop', or wait for its last response",
            ));
        }
        Ok(Some(match request {
            Request::Open(open) => Response::State(self.open(open).await?),
            Request::Play(play) => {
                let (position, random) = (opened(&mut self.position)?, &mut self.random);
                Response::State(position.play(&play, random).map_err(refused)?)
            }
            Request::Undo(undo) => Response::State(self.at(move |p| p.undo(undo.count)).await?),
            Request::ListActions(_) => Response::Actions(opened(&mut self.position)?.actions()),
            Request::View(options) => {
                Response::View(self.at(move |p| p.view(options.player)).await?)
            }
            Request::AiView(options) => {
                Response::AiView(self.at(move |p| p.ai_view(&options)).await?)
            }
            Request::GetRecord(_) => Response::Record(self.at(|p| Ok(p.record())).await?),
            Request::Analyse(task) => {
                let longest = self.shared.bounds.longest_search;
                let job = opened(&mut self.position)?.analysis(&task, longest).map_err(refused)?;
                let (game, record) = self.game_so_far().await?;
                self.shared.gate.may(Task::Analyse, &self.caller, game, &record).await?;
                let threads = self.shared.analysts.clone();
                self.thinking = Some((id, Thinking::start(threads, job.map(Response::Analysis))));
                return Ok(None);
            }
            Request::Review(task) => {
                let depth = depth(task.depth).map_err(refused)?;
                let longest = self.shared.bounds.longest_review;
                let job = opened(&mut self.position)?.review(depth, longest);
                let (game, record) = self.game_so_far().await?;
                self.shared.gate.may(Task::Review, &self.caller, game, &record).await?;
                let threads = self.shared.reviewers.clone();
                self.thinking = Some((id, Thinking::start(threads, job.map(Response::Review))));
                return Ok(None);
            }
            Request::Stop(_) => return Ok(None),
        }))
    }

    async fn open(&mut self, open: Open) -> Result<State, Status> {
        let Open { from, seed, list_actions } = open;
        let work = move || match from {
            Some(From::Game(game)) => position::open(&game),
            Some(From::Position(position)) => position::read(Some(position)),
            None => Err(Refusal::Bad("open needs a game or a position".to_owned())),
        };
        let position = self.shared.on_a_thread(work).await?;
        let actions = list_actions.then(|| position.actions());
        let state = State { actions, ..position.state() };
        (self.position, self.random) = (Some(position), Random::new(seed));
        Ok(state)
    }

    async fn game_so_far(&mut self) -> Result<(&'static str, String), Status> {
        self.at(|position| Ok((position.game(), position.record()))).await
    }

    /// Does something with the position that takes a moment, on a thread.
    async fn at<A: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut dyn AnyPosition) -> Result<A, Refusal> + Send + 'static,
    ) -> Result<A, Status> {
        opened(&mut self.position)?;
        let thread = self.shared.clerks.enter().await.map_err(full)?;
        let mut position = self.position.take().ok_or_else(internal)?;
        let done = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            let done = work(&mut *position);
            (position, done)
        });
        let (position, done) = done.await.map_err(|_| internal())?;
        self.position = Some(position);
        done.map_err(refused)
    }

    /// Tells what a search or review found; whether the client still listens.
    async fn tell(&mut self, id: u64, found: Option<Result<Response, Status>>) -> bool {
        match found {
            Some(Ok(response)) => {
                let done = is_last(&response);
                if done {
                    self.thinking = None;
                }
                self.send(id, done, response).await
            }
            Some(Err(why)) => {
                self.thinking = None;
                self.refuse(id, &why).await
            }
            None => {
                self.thinking = None;
                true
            }
        }
    }

    async fn refuse(&self, id: u64, why: &Status) -> bool {
        let error = Error { code: why.code().into(), message: why.message().to_owned() };
        self.send(id, true, Response::Error(error)).await
    }

    async fn send(&self, id: u64, done: bool, response: Response) -> bool {
        let answer = SessionResponse { id, done, response: Some(response) };
        let sent = self.answers.send(Ok(answer));
        matches!(timeout(self.shared.bounds.stalled, sent).await, Ok(Ok(())))
    }
}

async fn next(
    session: &mut Session,
    requests: &mut Streaming<SessionRequest>,
    more: bool,
    ends: Pin<&mut impl Future<Output = Status>>,
) -> Next {
    let Session { shared, answers, thinking, .. } = session;
    // While the engine thinks, it is the client who waits.
    let patience = if thinking.is_some() { Duration::MAX } else { shared.bounds.idle };
    tokio::select! {
        () = answers.closed() => Next::End(None),
        why = ends => Next::End(Some(why)),
        (id, found) = found(thinking.as_mut()) => Next::Found(id, found.map(Box::new)),
        asked = timeout(patience, requests.message()), if more => match asked {
            Ok(Ok(Some(request))) => Next::Asked(request),
            Ok(Ok(None)) => Next::NoMoreRequests,
            Ok(Err(broken)) => Next::End(Some(broken)),
            Err(_) => {
                let seconds = shared.bounds.idle.as_secs();
                let why = format!("nothing was asked for {seconds} s; open a new session");
                Next::End(Some(Status::deadline_exceeded(why)))
            }
        },
    }
}

async fn found(
    thinking: Option<&mut (u64, Thinking<Response>)>,
) -> (u64, Option<Result<Response, Status>>) {
    match thinking {
        Some((id, thinking)) => (*id, thinking.next().await),
        None => std::future::pending().await,
    }
}

/// Whether a search or review has no more to tell.
const fn is_last(response: &Response) -> bool {
    match response {
        Response::Analysis(analysis) => analysis.r#final,
        Response::Review(event) => matches!(event.event, Some(Event::Summary(_))),
        _ => true,
    }
}

fn opened(position: &mut Option<Box<dyn AnyPosition>>) -> Result<&mut dyn AnyPosition, Status> {
    match position {
        Some(position) => Ok(&mut **position),
        None => Err(Status::failed_precondition("no game is open; send 'open' first")),
    }
}

fn refused(refusal: Refusal) -> Status {
    status(&refusal)
}
