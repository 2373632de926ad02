//! Matches between bots and outside programs: the same decks from every seat, games in parallel.
//!
//! A [`Plan`] says what is played. [`run`] plays what its [`Store`] does not hold yet, and a
//! [`Summary`] says what came of it. Which games count depends on the plan only, never on which
//! thread was faster, so that with a limit of nodes the same plan gives the same summary.

mod by_others;
mod forfeit;
mod game_runner;
mod luck;
mod match_progress;
mod pace;
mod plan;
mod program_files;
mod progress;
mod records;
mod run;
mod sides;
mod store;
mod summary;

pub(crate) use by_others::{Kept, play_by_others};
pub(crate) use luck::take_off_luck;
pub(crate) use pace::{GivenPaces, Pace, Paces};
pub(crate) use plan::{Plan, parse_sprt};
pub(crate) use progress::Progress;
pub(crate) use records::write_records;
pub(crate) use run::{Ending, run, run_part};
pub(crate) use sides::{PlayedEdition, SIDES, Tried, check_side, is_program, labels, make_side};
pub(crate) use store::{
    Store, check_all_writable, check_appendable, check_writable, fingerprint, is_kept_at,
    write_whole,
};
pub(crate) use summary::{SideSummary, Summary};

#[cfg(test)]
mod tests;
