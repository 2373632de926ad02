//! Games between agents: who is told what, and what is known of a game that was not finished.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{Ring, Setup};
use game::{ByPlayer, Game, Player};
use search::arena::{Contestant, GameFailed, GameTime, Reason, deal_random, play_game};
use search::{Agent, ClockKind, Limits, Report, Stop, Uniform};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Plays at random, writes down what it is told, and gives up at a turn.
struct Witness {
    inner: Uniform,
    turns_left: u32,
    /// What it says a turn took.
    takes: Duration,
    told: Arc<Mutex<Vec<String>>>,
}

impl Witness {
    fn new(turns_left: u32) -> Self {
        Self { inner: Uniform::new(), turns_left, takes: Duration::ZERO, told: Arc::default() }
    }

    fn note(&self, text: String) {
        self.told.lock().unwrap().push(text);
    }
}

impl Agent<Ring> for Witness {
    fn new_game(&mut self, _start: &Ring, _seed: u64) {
        self.note("new game".to_owned());
    }

    fn take_seat(&mut self, seat: Player) {
        self.note(format!("seat {seat}"));
    }

    fn game_over(&mut self, scores: &ByPlayer<i32>, given_up_by: Option<Player>) {
        self.note(format!("over {:?} {:?}", scores.as_slice(), given_up_by.map(Player::index)));
    }

    fn search(
        &mut self,
        position: &Ring,
        limits: &Limits,
        stop: &Stop,
    ) -> Report<<Ring as Game>::Move> {
        if self.turns_left == 0 {
            return Report { nodes: 77, ..Report::default() };
        }
        self.turns_left -= 1;
        if let Some(clock) = limits.clock {
            let left = clock.left.as_secs();
            self.note(format!("{left} s left of {} turns, by {:?}", clock.turns, limits.by));
        }
        Report { time: self.takes, ..self.inner.search(position, limits, stop) }
    }
}

/// The scores of a game, or how it failed.
type Ended = Result<Vec<i32>, GameFailed<Ring>>;

/// What each of two was told, and how the game ended.
fn play(turns: [u32; 2]) -> (Vec<Vec<String>>, Ended) {
    let [mut first, mut second] = turns.map(Witness::new);
    let told = [&first, &second].map(|witness| Arc::clone(&witness.told));
    let limits = Limits::nodes(1);
    let mut seats = [
        Contestant { agent: &mut first as &mut dyn Agent<Ring>, limits, game_time: None },
        Contestant { agent: &mut second, limits, game_time: None },
    ];
    let setup = Setup { players: 2, bag: [3, 3, 2, 0, 0, 0] };
    let played = play_game(&setup, &mut seats, 1, &Stop::new(), deal_random(1), |_, _| {});
    let told = told.iter().map(|lines| lines.lock().unwrap().clone()).collect();
    (told, played.map(|played| played.scores.as_slice().to_vec()))
}

#[test]
fn everybody_is_told_the_seat_and_the_result() {
    let (told, played) = play([99, 99]);
    let over = format!("over {:?} None", played.unwrap());
    for (seat, lines) in told.iter().enumerate() {
        assert_eq!(lines, &["new game".to_owned(), format!("seat {seat}"), over.clone()]);
    }
}

#[test]
fn everybody_is_told_who_gave_up() {
    let (told, played) = play([99, 2]);
    let failed = played.unwrap_err();
    assert_eq!(failed.reason, Reason::Illegal(Player::new(1), String::new()));
    for lines in told {
        assert!(lines[2].starts_with("over [") && lines[2].ends_with("] Some(1)"), "{lines:?}");
    }
}

#[test]
fn what_was_spent_before_somebody_gave_up_is_known() {
    let failed = play([99, 2]).1.unwrap_err();
    let turns: Vec<u32> = failed.spent.as_slice().iter().map(|spent| spent.turns).collect();
    // The answer that was none was waited for too.
    assert_eq!(turns, [3, 3]);
    assert!(failed.spent[Player::new(1)].nodes >= 77);
}

#[test]
fn a_seat_with_time_for_the_game_is_told_what_is_left() {
    let [mut first, mut second] = [99, 99].map(Witness::new);
    first.takes = Duration::from_secs(7);
    let told = Arc::clone(&first.told);
    let game_time = GameTime {
        time: Duration::from_secs(20),
        increment: Duration::from_secs(2),
        turns_left: |ring: &Ring| 4 - ring.scores().len() as u32,
    };
    let limits = Limits { by: ClockKind::ThreadCpu, ..Limits::NONE };
    let mut seats = [
        Contestant {
            agent: &mut first as &mut dyn Agent<Ring>,
            limits,
            game_time: Some(game_time),
        },
        Contestant { agent: &mut second, limits: Limits::nodes(1), game_time: None },
    ];
    let setup = Setup { players: 2, bag: [3, 3, 2, 0, 0, 0] };
    play_game(&setup, &mut seats, 1, &Stop::new(), deal_random(1), |_, _| {}).unwrap();
    let told = told.lock().unwrap();
    let left: Vec<&String> = told.iter().filter(|line| line.contains(" left of ")).collect();
    for (turn, line) in left.iter().enumerate() {
        let seconds = 20_usize.saturating_sub(5 * turn);
        assert_eq!(**line, format!("{seconds} s left of 2 turns, by ThreadCpu"));
    }
    assert!(left.len() >= 4, "{left:?}");
}
