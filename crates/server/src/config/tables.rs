//! How patient tables are, and how fast bots.

use std::time::Duration;

/// How patient tables are, and how fast bots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSettings {
    /// How long a bot thinks about a turn where no clock tells it to hurry.
    pub bot_time: Duration,
    /// The least time between two turns of bots, so that people can follow.
    pub bot_pause: Duration,
    /// How much longer than it was given a bot may take before somebody else moves for it.
    pub bot_grace: Duration,
    /// Games with our bots that one user may have at once.
    pub bot_games_per_user: usize,
    /// Games with our bots that may go on from one address at once.
    pub bot_games_per_address: usize,
    /// How long a player may be away while others wait, before the timeout rule plays for them.
    pub away: Duration,
    /// How long somebody who is away may be silent, before who waits may claim the win.
    pub claim_absent: Duration,
    /// How long somebody who is there may be silent, where no clock runs.
    pub claim_silent: Duration,
    /// How long a table that nobody watches stays in memory.
    pub idle: Duration,
    /// How long a game may wait for players while nobody is there.
    pub waiting: Duration,
    /// How long a game without a clock is kept to which none of its players comes back.
    pub given_up: Duration,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            bot_time: Duration::from_millis(1000),
            bot_pause: Duration::from_millis(600),
            bot_grace: Duration::from_secs(20),
            bot_games_per_user: 10,
            bot_games_per_address: 50,
            away: Duration::from_secs(120),
            claim_absent: Duration::from_secs(15 * 60),
            claim_silent: Duration::from_secs(60 * 60),
            idle: Duration::from_secs(60),
            waiting: Duration::from_secs(60 * 60),
            given_up: Duration::from_secs(14 * 24 * 60 * 60),
        }
    }
}
