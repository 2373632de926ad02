//! Searches and reviews on bounded threads. Whoever drops what they answer stops them.

use crate::deadline::Deadline;
use crate::status::{full, internal};
use search::Stop;
use server::engine::threads::{Analysts, StopOnDrop};
use server::metrics::Counted;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

/// What is done on a thread: it looks whether it is to stop, and tells what it finds.
pub(crate) type Work<T> = Box<dyn FnOnce(&Stop, &mut dyn FnMut(T)) -> Result<(), Status> + Send>;

/// Something to think about, on a thread: it tells what it finds on the way, the last word included.
pub(crate) struct Job<T> {
    /// The work.
    pub(crate) work: Work<T>,
    /// The most that it tells: so much is kept for a client that reads slowly, so that the thread never waits for it.
    pub(crate) most_told: usize,
    /// After how long it is stopped.
    pub(crate) longest: Duration,
}

impl<T: 'static> Job<T> {
    /// The same with what it tells put into another form.
    pub(crate) fn map<U: 'static>(self, form: fn(T) -> U) -> Job<U> {
        let Self { work, most_told, longest } = self;
        let work = move |stop: &Stop, each: &mut dyn FnMut(U)| work(stop, &mut |t| each(form(t)));
        Job { work: Box::new(work), most_told, longest }
    }
}

/// A job that runs, waits for a thread, or has ended.
pub(crate) struct Thinking<T> {
    found: mpsc::Receiver<Result<T, Status>>,
    stop: Stop,
    _guard: StopOnDrop,
}

impl<T: Send + 'static> Thinking<T> {
    /// Starts a job as soon as there is a thread for it.
    pub(crate) fn start(threads: Analysts, job: Job<T>) -> Self {
        let (tell, found) = mpsc::channel(job.most_told + 1);
        let stop = Stop::new();
        tokio::spawn(run(threads, job, stop.clone(), tell));
        Self { found, _guard: StopOnDrop::new(stop.clone()), stop }
    }

    /// What is found next; `None` after the last word.
    pub(crate) async fn next(&mut self) -> Option<Result<T, Status>> {
        self.found.recv().await
    }

    /// Ends it with the best that it has.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// As the stream that answers a call, until the client is gone, its deadline has passed, it reads nothing for too
    /// long, or the service stops.
    pub(crate) fn into_stream(
        mut self,
        deadline: Deadline,
        stalled: Duration,
        stopping: watch::Receiver<bool>,
    ) -> ReceiverStream<Result<T, Status>> {
        let (send, receive) = mpsc::channel(1);
        tokio::spawn(async move {
            loop {
                let next = tokio::select! {
                    () = send.closed() => return,
                    late = deadline.passed() => Some(Err(late)),
                    why = stopped(stopping.clone()) => Some(Err(why)),
                    next = self.next() => next,
                };
                let Some(next) = next else { return };
                let last = next.is_err();
                if !matches!(timeout(stalled, send.send(next)).await, Ok(Ok(()))) || last {
                    return;
                }
            }
        });
        ReceiverStream::new(receive)
    }
}

/// Returns when the service is coming to an end.
pub(crate) async fn stopped(mut stopping: watch::Receiver<bool>) -> Status {
    // A sender that is gone means the same.
    let _ = stopping.wait_for(|stopping| *stopping).await;
    Status::unavailable("the service is stopping")
}

async fn run<T: Send + 'static>(
    threads: Analysts,
    job: Job<T>,
    stop: Stop,
    tell: mpsc::Sender<Result<T, Status>>,
) {
    let thread = tokio::select! {
        () = tell.closed() => return,
        thread = threads.enter() => thread,
    };
    let thread = match thread {
        Ok(thread) => thread,
        Err(queue) => {
            // The channel has room for more than was told so far.
            let _ = tell.try_send(Err(full(queue)));
            return;
        }
    };
    let Job { work, longest, .. } = job;
    let (told, heard) = (tell.clone(), stop.clone());
    let counted = Counted::new("bastide_grpc_searches");
    let mut working = tokio::task::spawn_blocking(move || {
        let (_thread, _counted) = (thread, counted);
        // Nobody may be listening any more; then it is stopped too.
        let done = work(&heard, &mut |found| drop(told.try_send(Ok(found))));
        if let Err(status) = done {
            let _ = told.try_send(Err(status));
        }
    });
    let ended = match timeout(longest, &mut working).await {
        Ok(ended) => ended,
        Err(_) => {
            stop.stop();
            working.await
        }
    };
    if let Err(error) = ended {
        tracing::error!(%error, "a search or review failed");
        let _ = tell.try_send(Err(internal()));
    }
}
