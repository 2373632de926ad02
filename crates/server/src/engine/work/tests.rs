//! Work on the threads of a server, and on workers in the same process.

use super::*;
use crate::bus::{Exchange, LocalBus};
use crate::error::Refusal;
use bots::puzzle::{Games, MinedFile, Mining, SelfPlay};
use carcassonne::ExpandedSetup;
use search::Stop;
use std::time::Duration;

fn person(name: &str) -> Waits {
    Waits::Person(name.to_owned())
}

/// A turn of a bot of the toy game, which plays or fails as its name says.
fn turn(bot: &str) -> Task {
    Task::Turn(BotTurn {
        game: "toy".to_owned(),
        record: "toy 2".to_owned(),
        bot: bot.to_owned(),
        budget: Budget::Measured(1),
    })
}

fn queue() -> WorkQueue {
    WorkQueue::start(WorkThreads { bots: 1, analyses: 1, reviews: 1, mining: 0 })
}

/// A queue whose one thread for bots is busy until it is told to stop.
async fn busy_queue() -> (WorkQueue, Stop, Ticket) {
    let (queue, release) = (queue(), Stop::new());
    let mut busy = queue.take_turn(&Waits::Nobody("h".to_owned()), &release, turn("stuck"));
    busy.begun().await;
    (queue, release, busy)
}

async fn moves_of(ticket: &mut Ticket) -> Result<Vec<String>, Refusal> {
    match ticket.answer().await.0? {
        Outcome::Turn(moves) => Ok(moves),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_thread_goes_on() {
    let (queue, stop) = (queue(), Stop::new());
    let mut panics = queue.take_turn(&person("a"), &stop, turn("panics"));
    assert_eq!(moves_of(&mut panics).await, Err(Refusal::Internal));
    let mut works = queue.take_turn(&person("a"), &stop, turn("plays"));
    assert_eq!(moves_of(&mut works).await, Ok(vec!["a".to_owned()]));
}

#[tokio::test]
async fn a_thought_that_never_ends_takes_no_place_once_it_is_given_up() {
    let (queue, release, stuck) = busy_queue().await;
    stuck.give_up();
    let mut next = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    let answer = tokio::time::timeout(Duration::from_mins(1), next.answer()).await;
    assert!(answer.is_ok(), "another thread took the place of the stuck one");
    release.stop();
}

#[tokio::test]
async fn each_person_has_a_turn_before_anybody_has_a_second_and_bots_come_last() {
    let (queue, release, _busy) = busy_queue().await;
    let push = |waits: &Waits| queue.take_turn(waits, &Stop::new(), turn("plays"));
    let among_bots = push(&Waits::Nobody("h".to_owned()));
    let greedy: Vec<_> = (0..3).map(|_| push(&person("greedy"))).collect();
    let modest = push(&person("modest"));
    let ahead = |ticket: &Ticket| queue.ahead_of(Line::PersonsTurn, ticket.number());
    let places: Vec<_> = greedy.iter().chain([&modest]).map(ahead).collect();
    assert_eq!(places, [Some(0), Some(2), Some(3), Some(1)]);
    assert_eq!(queue.waiting(&[Line::PersonsTurn, Line::BotsTurn]), 5);
    release.stop();
    let mut begun = Vec::new();
    for mut ticket in greedy.into_iter().chain([modest, among_bots]) {
        begun.push(ticket.begun().await.unwrap());
    }
    let [greedy1, greedy2, greedy3, modest, among_bots] = begun.try_into().unwrap();
    assert!(greedy1 < modest && modest < greedy2 && greedy2 < greedy3 && greedy3 < among_bots);
}

#[tokio::test]
async fn what_is_stopped_while_it_waits_never_begins() {
    let (queue, release, _busy) = busy_queue().await;
    let stop = Stop::new();
    let mut stopped = queue.take_turn(&person("a"), &stop, turn("panics"));
    let mut wanted = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    stop.stop();
    release.stop();
    assert!(moves_of(&mut wanted).await.is_ok());
    assert_eq!(stopped.begun().await, None);
}

#[tokio::test]
async fn the_wait_is_foretold_from_those_who_wait() {
    let (queue, release, _busy) = busy_queue().await;
    assert_eq!(queue.expected_wait(), Duration::ZERO);
    let _waits = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert!(queue.expected_wait() >= Duration::from_millis(30), "it has waited so long already");
    release.stop();
}

#[tokio::test]
async fn too_many_questions_are_turned_away() {
    let (queue, release) = (queue(), Stop::new());
    let ask = || queue.ask("a", &release, turn("stuck"));
    let mut first = ask().unwrap();
    first.begun().await;
    let waiting: Vec<_> = std::iter::repeat_with(ask).take_while(Result::is_ok).collect();
    assert_eq!(waiting.len(), 32);
    release.stop();
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never: {what}");
}

/// A queue that hands its work to workers on a bus.
async fn queue_on(bus: &LocalBus) -> WorkQueue {
    let queue = queue();
    hand_to_workers(&queue, bus.work()).await.unwrap();
    queue
}

async fn worker_for(queue: &WorkQueue, bus: &LocalBus) -> Worker {
    let before = queue.threads_elsewhere();
    let worker = Worker::start(bus.work(), 1).await.unwrap();
    until("the queue knows of the worker", || queue.threads_elsewhere() > before).await;
    worker
}

/// What takes part on the bus of workers without being one.
async fn outsider(bus: &LocalBus) -> Exchange {
    let (exchange, messages) = Exchange::join(bus.work().messages, -7).await.unwrap();
    tokio::spawn(exchange.clone().deliver(messages));
    exchange
}

fn here(build: String) -> letters::Here {
    letters::Here { build, version: "0".to_owned(), threads: 1 }
}

#[tokio::test]
async fn a_worker_does_what_waits_and_the_server_goes_on_when_it_has_left() {
    let bus = LocalBus::default();
    let queue = queue_on(&bus).await;
    let worker = worker_for(&queue, &bus).await;
    for bot in ["plays", "panics"] {
        let mut ticket = queue.take_turn(&person("a"), &Stop::new(), turn(bot));
        assert_eq!(moves_of(&mut ticket).await.is_ok(), bot == "plays");
    }
    until("it has done both", || worker.done() == 2).await;
    // One that it has begun is finished, and nothing else is taken.
    let release = Stop::new();
    let mut begun = queue.take_turn(&person("a"), &release, turn("slow"));
    begun.begun().await.unwrap();
    let stopping = tokio::spawn(worker.stop(Duration::from_secs(60)));
    until("the queue knows that it leaves", || queue.threads_elsewhere() == 0).await;
    assert!(moves_of(&mut begun).await.is_ok());
    stopping.await.unwrap();
    let mut after = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    assert!(moves_of(&mut after).await.is_ok(), "the server's own thread does it");
}

#[tokio::test]
async fn another_worker_does_what_a_silent_one_took_and_a_late_answer_is_dropped() {
    let bus = LocalBus::default();
    let (queue, outsider) = (queue_on(&bus).await, outsider(&bus).await);
    outsider.tell_all(letters::HERE, &here(build()));
    until("it is known", || queue.threads_elsewhere() == 1).await;
    let mut ticket = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    let (orders, line) = (bus.work().orders, format!("{}_persons_turn", build()));
    let taken = loop {
        if let Some(delivery) = orders.take(&line).await.unwrap() {
            break delivery;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let order: letters::Order = serde_json::from_slice(&taken.order).unwrap();
    let tell = |what| {
        let news = letters::News { number: order.number, build: build(), what };
        outsider.send(order.node, letters::NEWS, &serde_json::to_vec(&news).unwrap()).unwrap();
    };
    tell(letters::What::Works);
    ticket.begun().await.unwrap();
    let worker = Worker::start(bus.work(), 1).await.unwrap();
    let (answer, _) = ticket.answer().await;
    assert!(matches!(&answer, Ok(Outcome::Turn(moves)) if moves[..] == ["a"]), "{answer:?}");
    assert_eq!(worker.done(), 1);
    let late = Ok(Outcome::Turn(vec!["b".to_owned()]));
    tell(letters::What::Done { answer: late, took: Duration::ZERO });
    let mut next = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    assert_eq!(moves_of(&mut next).await, Ok(vec!["a".to_owned()]));
}

#[tokio::test]
async fn what_a_worker_did_not_answer_comes_before_all_that_waits() {
    let bus = LocalBus::default();
    let (queue, outsider) = (queue_on(&bus).await, outsider(&bus).await);
    outsider.tell_all(letters::HERE, &here(build()));
    until("it is known", || queue.threads_elsewhere() == 1).await;
    let push = |name: &str| queue.take_turn(&person(name), &Stop::new(), turn("plays"));
    let taken = push("greedy");
    until("it is handed out", || queue.waiting(&[Line::PersonsTurn]) == 0).await;
    let tickets = [taken, push("greedy"), push("modest")];
    // Nothing more is heard of that worker: the server's own thread goes on.
    let mut begun = Vec::new();
    for mut ticket in tickets {
        begun.push(ticket.begun().await.unwrap());
    }
    let [taken, greedy, modest] = begun.try_into().unwrap();
    assert!(taken < modest && modest < greedy, "the first goes on, then one of each");
}

#[tokio::test]
async fn a_worker_with_other_nets_gets_no_work() {
    let bus = LocalBus::default();
    let (queue, outsider) = (queue_on(&bus).await, outsider(&bus).await);
    outsider.tell_all(letters::HERE, &here("another".to_owned()));
    let mut ticket = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    assert!(moves_of(&mut ticket).await.is_ok());
    assert_eq!(queue.threads_elsewhere(), 0);
    let line = format!("{}_persons_turn", build());
    assert!(bus.work().orders.take(&line).await.unwrap().is_none());
}

#[tokio::test]
async fn what_nobody_wants_any_more_is_stopped_at_the_worker() {
    let bus = LocalBus::default();
    let queue = queue_on(&bus).await;
    let worker = worker_for(&queue, &bus).await;
    let mut unwanted = queue.take_turn(&person("a"), &Stop::new(), turn("stuck"));
    unwanted.begun().await.unwrap();
    drop(unwanted);
    // The only thread is free again.
    let mut next = queue.take_turn(&person("a"), &Stop::new(), turn("plays"));
    assert!(moves_of(&mut next).await.is_ok());
    assert_eq!(worker.done(), 1, "what was stopped is not answered");
}

#[tokio::test]
async fn users_are_served_in_turn_by_workers_too() {
    let bus = LocalBus::default();
    let queue = queue_on(&bus).await;
    let _worker = worker_for(&queue, &bus).await;
    let release = Stop::new();
    let mut busy = queue.take_turn(&Waits::Nobody("h".to_owned()), &release, turn("stuck"));
    busy.begun().await.unwrap();
    let push = |waits: &Waits| queue.take_turn(waits, &Stop::new(), turn("plays"));
    let tickets = [
        push(&Waits::Nobody("h".to_owned())),
        push(&person("greedy")),
        push(&person("greedy")),
        push(&person("modest")),
    ];
    release.stop();
    let mut begun = Vec::new();
    for mut ticket in tickets {
        begun.push(ticket.begun().await.unwrap());
    }
    let [among_bots, greedy1, greedy2, modest] = begun.try_into().unwrap();
    assert!(greedy1 < modest && modest < greedy2 && greedy2 < among_bots);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_workers_mine_is_what_one_thread_mines() {
    let bus = LocalBus::default();
    let queue = queue_on(&bus).await;
    let worker = worker_for(&queue, &bus).await;
    // Endings, which are solved in an instant.
    let play = SelfPlay {
        setup: ExpandedSetup::default(),
        bots: vec!["mason".parse().unwrap(), "abbess".parse().unwrap()],
        nodes: 1,
        seed: 5,
    };
    let mining = Mining { games: Games::SelfPlay(play), tiles_left: 2, count: 2, threads: 1 };
    let (stop, runtime) = (Stop::new(), tokio::runtime::Handle::current());
    let files = tokio::task::spawn_blocking(move || {
        let path = |name: &str| {
            let folder = std::env::temp_dir();
            folder.join(format!("bastide_mined_{name}_{}", crate::ids::new_id()))
        };
        let paths = [path("here"), path("elsewhere")];
        let mut files = paths.each_ref().map(|path| MinedFile::open(path).unwrap());
        mining.run(&mut files[0], &stop, &mut |_| {}).unwrap();
        let mut miners = QueuedMiners::new(queue, 1, stop, runtime);
        mining.run_by(&mut files[1], &mut miners, &mut |_| {}).unwrap();
        paths.map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            text
        })
    });
    let [here, elsewhere] = files.await.unwrap();
    assert_eq!(here, elsewhere);
    assert!(worker.done() > 0);
}
