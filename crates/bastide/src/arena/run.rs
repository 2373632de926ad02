//! The games of a match, in parallel.

use super::game_runner::{Finished, GameRunner, Job};
use super::match_progress::MatchProgress;
use super::sides::PlayedEdition;
use super::store::Store;
use super::summary::Summary;
use super::{Plan, Progress};
use carcassonne::{AllSets, Base, Options};
use search::Stop;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// All rounds were played.
    Complete,
    /// The test has its answer.
    Decided,
    /// It was stopped, and can be resumed.
    Stopped,
}

/// Plays what the store does not hold yet, one game a thread, until the plan is fulfilled, its
/// test decides, or `stop` is used.
///
/// # Errors
/// If a side cannot be made, or a game cannot be stored. What was finished is stored.
pub(crate) fn run(
    plan: &Plan,
    store: &mut Store,
    threads: usize,
    stop: &Stop,
    progress: &mut Progress,
) -> anyhow::Result<(Summary, Ending)> {
    run_part(plan, 0..plan.rounds, store, threads, stop, progress)
}

/// The same for some of the rounds, as when others are played on other machines.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_part(
    plan: &Plan,
    part: Range<u64>,
    store: &mut Store,
    threads: usize,
    stop: &Stop,
    progress: &mut Progress,
) -> anyhow::Result<(Summary, Ending)> {
    let mut standing = MatchProgress::new(plan);
    store.games().for_each(|game| standing.add(game));
    let jobs: Vec<Job> = plan.jobs(part.clone()).filter(|job| !store.has(*job)).collect();
    let total = (part.end - part.start) * plan.seats() as u64;
    let nets = plan.nets();
    progress.start(total - jobs.len() as u64, total);
    if !standing.is_decided() && !jobs.is_empty() && !stop.is_stopped() {
        let mut keep = |game: Finished| {
            if let Some(line) = forfeit_line(plan, &game) {
                progress.say(&line);
            }
            standing.add(&game);
            store.add(game)?;
            progress.step(|| standing.line());
            Ok(standing.is_decided())
        };
        match plan.setup.sets().is_empty() {
            true => play_all::<Base>(plan, &jobs, threads, stop, &mut keep)?,
            false => play_all::<AllSets>(plan, &jobs, threads, stop, &mut keep)?,
        }
    }
    progress.end();
    if plan.nets() != nets {
        progress.say("a net file changed while the match was played: the result is of neither net");
    }
    let known = store.programs().cloned().unwrap_or_else(|| plan.program_files());
    for (side, file) in plan.changed_files(&known) {
        progress.say(&format!(
            "{side}: {file} changed while the match was played: the result is of neither program"
        ));
    }
    let ending = match () {
        () if standing.is_decided() => Ending::Decided,
        () if plan.jobs(part).all(|job| store.has(job)) => Ending::Complete,
        () => Ending::Stopped,
    };
    Ok((Summary::new(plan, store, &standing), ending))
}

/// Plays the jobs; `keep` gets each game and says whether it was enough.
fn play_all<E: PlayedEdition>(
    plan: &Plan,
    jobs: &[Job],
    threads: usize,
    stop: &Stop,
    keep: &mut dyn FnMut(Finished) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    // Games are halted by a stop of their own: the caller's may be used for other matches.
    let (halt, next) = (Stop::new(), AtomicUsize::new(0));
    let (sender, results) = mpsc::sync_channel(64);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len()) {
            let (sender, halt, next) = (sender.clone(), halt.clone(), &next);
            scope.spawn(move || play_some::<E>(plan, jobs, next, &halt, &sender));
        }
        drop(sender);
        let mut failed = None;
        loop {
            match results.recv_timeout(Duration::from_millis(50)) {
                // What ends while the others are halted is still kept.
                Ok(Ok(game)) => match keep(game) {
                    Ok(true) => halt.stop(),
                    Ok(false) => {}
                    Err(error) => failed = failed.or(Some(error)),
                },
                Ok(Err(error)) => failed = failed.or(Some(error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return failed.map_or(Ok(()), Err),
            }
            if stop.is_stopped() || failed.is_some() {
                halt.stop();
            }
        }
    })
}

/// One thread's games.
fn play_some<E: PlayedEdition>(
    plan: &Plan,
    jobs: &[Job],
    next: &AtomicUsize,
    halt: &Stop,
    sender: &SyncSender<anyhow::Result<Finished>>,
) {
    let mut table = GameRunner::<E>::new(plan);
    while !halt.is_stopped()
        && let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
        && let Some(result) = table.play(*job, halt).transpose()
    {
        let failed = result.is_err();
        if sender.send(result).is_err() || failed {
            return;
        }
    }
}

/// What is said about a game that was given up.
pub(super) fn forfeit_line(plan: &Plan, game: &Finished) -> Option<String> {
    let (side, forfeit) = (game.forfeited_by()?, game.forfeit.as_ref()?);
    let (letter, name) = (['A', 'B'][side], &plan.sides[side]);
    let (round, number) = (game.round + 1, game.seat + 1);
    let ply = forfeit.ply.map_or(String::new(), |ply| format!(", ply {ply}"));
    let tile = forfeit.tile.as_ref().map_or(String::new(), |tile| format!(", tile {tile}"));
    Some(format!(
        "{letter} ({name}) loses game {number} of round {round} at seat {}{ply}{tile}: {forfeit}",
        forfeit.seat
    ))
}
