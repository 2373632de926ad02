//! Games between agents: who is told what, and what is known of a game that was not finished.

mod common;

use common::{Ring, Setup};
use game::{ByPlayer, Player};
use search::arena::{Contestant, GameFailed, Reason, deal_random, play_game};
use search::{Agent, Limits, Report, Stop, Uniform};
use std::sync::{Arc, Mutex};

/// Plays at random, writes down what it is told, and gives up at a turn.
struct Witness {
    inner: Uniform,
    turns_left: u32,
    told: Arc<Mutex<Vec<String>>>,
}

impl Witness {
    fn new(turns_left: u32) -> Self {
        Self { inner: Uniform::new(), turns_left, told: Arc::default() }
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
    ) -> Report<<Ring as game::Game>::Move> {
        if self.turns_left == 0 {
            return Report { nodes: 77, ..Report::default() };
        }
        self.turns_left -= 1;
        self.inner.search(position, limits, stop)
    }
}

/// What each of two was told, and how the game ended.
fn play(turns: [u32; 2]) -> (Vec<Vec<String>>, Result<Vec<i32>, GameFailed<Ring>>) {
    let [mut first, mut second] = turns.map(Witness::new);
    let told = [&first, &second].map(|witness| Arc::clone(&witness.told));
    let limits = Limits::nodes(1);
    let mut seats = [
        Contestant { agent: &mut first as &mut dyn Agent<Ring>, limits },
        Contestant { agent: &mut second, limits },
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
