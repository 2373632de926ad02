//! The long test, by hand (`make test-kills`): many games at once on three nodes and two workers, while one
//! of them or NATS is killed again and again. At the end the database is compared with what every client was told.

mod compare;
mod figures;
mod person;
mod programs;
mod table;

use crate::{TURN, place_and_bus};
use figures::Figures;
use game::Random;
use programs::Programs;
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::{Crowd, Table, play_games};

/// What is asked for, by the environment.
#[derive(Clone, Copy)]
struct Wanted {
    games: usize,
    length: Duration,
    /// From one kill to the next.
    every: Duration,
    /// Turns of people a second, in all games.
    rate: usize,
}

impl Wanted {
    fn read() -> Self {
        let seconds = |name, default| Duration::from_secs(number(name, default) as u64);
        Self {
            games: number("GAMES", 1000),
            length: 60 * seconds("MINUTES", 20),
            every: seconds("EVERY", 30),
            rate: number("RATE", 100),
        }
    }
}

fn number(name: &str, default: usize) -> usize {
    let Ok(text) = std::env::var(name) else { return default };
    let number = text.parse().ok().filter(|number| *number > 0);
    number.unwrap_or_else(|| panic!("{name} must be a number above zero, not '{text}'"))
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "twenty minutes: make test-kills"]
async fn nothing_is_lost_or_doubled_while_something_is_killed_again_and_again() {
    let _turn = TURN.lock().await;
    let Some((place, nats)) = place_and_bus() else { return };
    let wanted = Wanted::read();
    let mut programs = Programs::start(place, nats);
    let crowd = Arc::new(Crowd::new(programs.nodes.clone(), wanted));
    let slots: Vec<_> =
        (0..wanted.games).map(|slot| tokio::spawn(play_games(crowd.clone(), slot))).collect();
    // Kills begin when all games have.
    tokio::time::sleep_until((crowd.begun() + wanted.every).into()).await;
    let mut random = Random::new(number("SEED", 1) as u64);
    while Instant::now() + wanted.every < crowd.end {
        let next = Instant::now() + wanted.every;
        programs.kill_one(&mut random).await;
        programs.mend_until(next).await;
        println!("{}", crowd.figures.line(crowd.end.saturating_duration_since(Instant::now())));
    }
    programs.mend_until(crowd.end).await;
    let mut tables: Vec<Table> = Vec::new();
    for slot in slots {
        tables.extend(slot.await.expect("nobody gives up"));
    }
    crowd.figures.still(longest_at_the_end(&tables, &crowd));
    let compared = compare::with_database(&programs.place, &tables);
    println!("{}", report(wanted, &crowd.figures, &programs, &compared));
    let games_left = compare::all_answer(&crowd, &tables).await;
    println!("games that were not over, and answer: {games_left}");
    programs.end();
    assert!(compared.lost.is_empty(), "acknowledged, and not there: {:?}", compared.lost);
    assert!(compared.doubled.is_empty(), "there, and sent by nobody: {:?}", compared.doubled);
}

/// How long a game that was not over had been waiting for a turn when all stopped, beyond what people think.
fn longest_at_the_end(tables: &[Table], crowd: &Crowd) -> Duration {
    let open = tables.iter().filter(|table| !table.is_over());
    let waited = open.map(|table| crowd.end.saturating_duration_since(table.last_turn()));
    waited.max().unwrap_or_default().saturating_sub(crowd.longest_pause())
}

fn report(
    wanted: Wanted,
    figures: &Figures,
    programs: &Programs,
    compared: &compare::Compared,
) -> String {
    format!(
        "games at once: {}, for {:?}, a kill every {:?}\ngames in all: {}; stored moves of people: {}\n{}\n\
         killed: {:?}; ended by themselves: {}\nlost: {}, doubled: {}",
        wanted.games,
        wanted.length,
        wanted.every,
        compared.games,
        compared.moves,
        figures.all(),
        programs.kills,
        programs.ended_by_themselves,
        compared.lost.len(),
        compared.doubled.len(),
    )
}
