//! Time for a whole game, and what a turn gets of it.

use std::time::Duration;

/// What is left on a player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// Time for all turns that are to come.
    pub left: Duration,
    /// What each turn adds when it is over.
    pub increment: Duration,
    /// Turns of the player that are to come, the one to play included.
    pub turns: u32,
}

impl GameClock {
    /// Kept back, for what passes between a search and the clock; at most a tenth of what is left.
    const RESERVE: Duration = Duration::from_millis(50);

    /// A close choice gets so many shares.
    const CLOSE: u32 = 3;

    fn usable(self) -> Duration {
        self.left.saturating_sub(Self::RESERVE.min(self.left / 10))
    }

    /// An equal share of the time for each turn that is to come: what an ordinary turn may take.
    #[must_use]
    pub fn share(self) -> Duration {
        let turns = self.turns.max(1);
        let all = self.usable().saturating_add(self.increment.saturating_mul(turns - 1));
        (all / turns).min(self.usable())
    }

    /// What a turn may take where the choice is close.
    #[must_use]
    pub fn most(self) -> Duration {
        self.share().saturating_mul(Self::CLOSE).min(self.usable())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(left: u64, increment: u64, turns: u32) -> GameClock {
        GameClock { left: ms(left), increment: ms(increment), turns }
    }

    #[test]
    fn a_turn_gets_its_share_of_what_is_left() {
        assert_eq!(clock(3_650, 0, 36).share(), ms(100));
        assert_eq!(clock(3_650, 0, 36).most(), ms(300));
        // Nine turns add 10 ms each before the tenth is over.
        assert_eq!(clock(1_050, 10, 10).share(), ms(109));
        assert_eq!(clock(1_050, 0, 1).most(), ms(1_000), "the last one gets what there is");
    }

    #[test]
    fn nothing_takes_more_than_there_is() {
        for (left, increment, turns) in [(0, 0, 0), (0, 1_000, 5), (7, 0, 1), (90, 5_000, 30)] {
            let clock = clock(left, increment, turns);
            assert!(clock.share() <= clock.most() && clock.most() <= clock.left, "{clock:?}");
        }
        let endless = GameClock { left: Duration::MAX, increment: Duration::MAX, turns: u32::MAX };
        assert!(endless.most() <= endless.left);
    }
}
