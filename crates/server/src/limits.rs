//! How often somebody may do what costs much or could be abused.

use crate::address::ClientAddress;
use crate::error::Refusal;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::time::Duration;

/// What is limited, for each address and for each account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limited {
    /// Trying a password, a recovery code.
    Login,
    /// Making an account.
    SignUp,
    /// Becoming a guest.
    Guest,
    /// Making, joining or importing a game.
    NewGame,
    /// Letting the engine think.
    Analysis,
    /// Saying something.
    Chat,
}

const ALL: [Limited; 6] = [
    Limited::Login,
    Limited::SignUp,
    Limited::Guest,
    Limited::NewGame,
    Limited::Analysis,
    Limited::Chat,
];

impl Limited {
    /// How many at once, and how long until one more is allowed.
    const fn allowance(self) -> (u32, Duration) {
        match self {
            Self::Login => (10, Duration::from_secs(30)),
            Self::SignUp => (5, Duration::from_secs(600)),
            Self::Guest => (20, Duration::from_secs(60)),
            Self::NewGame => (30, Duration::from_secs(10)),
            Self::Analysis => (10, Duration::from_secs(10)),
            Self::Chat => (8, Duration::from_secs(2)),
        }
    }

    /// The same for an account, wherever it is asked from. Guessing from many addresses is slow
    /// too, but one stranger cannot use up what the owner needs to come in.
    const fn account_allowance(self) -> (u32, Duration) {
        match self {
            Self::Login => (50, Duration::from_secs(10)),
            other => other.allowance(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Login => "logins",
            Self::SignUp => "new accounts",
            Self::Guest => "new guests",
            Self::NewGame => "new games",
            Self::Analysis => "analyses",
            Self::Chat => "chat lines",
        }
    }
}

/// Who has used how much of what.
pub struct Limits(Option<Kept>);

struct Kept {
    addresses: Vec<DefaultKeyedRateLimiter<String>>,
    accounts: Vec<DefaultKeyedRateLimiter<String>>,
}

impl Kept {
    fn all(&self) -> impl Iterator<Item = &DefaultKeyedRateLimiter<String>> {
        self.addresses.iter().chain(&self.accounts)
    }
}

impl Limits {
    /// Limits that are kept, or not, for tests.
    ///
    /// # Panics
    /// Never: all allowances are positive.
    #[must_use]
    pub fn new(kept: bool) -> Self {
        let limiter = |(burst, period): (u32, Duration)| {
            let burst = NonZeroU32::new(burst).expect("allowances are positive");
            let quota = Quota::with_period(period).expect("periods are positive");
            RateLimiter::keyed(quota.allow_burst(burst))
        };
        Self(kept.then(|| Kept {
            addresses: ALL.map(|limited| limiter(limited.allowance())).into(),
            accounts: ALL.map(|limited| limiter(limited.account_allowance())).into(),
        }))
    }

    /// Takes one of what the address and the account (its id, or the name that is tried) may do.
    ///
    /// # Errors
    /// If either has used it up; says when to try again.
    pub fn take(
        &self,
        limited: Limited,
        address: ClientAddress,
        account: Option<&str>,
    ) -> Result<(), Refusal> {
        let Some(kept) = &self.0 else { return Ok(()) };
        take_one(limited, &kept.addresses, &address.limit_key())?;
        account.map_or(Ok(()), |account| take_one(limited, &kept.accounts, account))
    }

    /// How many addresses and accounts are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().flat_map(Kept::all).map(RateLimiter::len).sum()
    }

    /// Whether nobody is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets those who have not used anything for a while.
    pub fn tidy(&self) {
        for limiter in self.0.iter().flat_map(Kept::all) {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

fn take_one(
    limited: Limited,
    limiters: &[DefaultKeyedRateLimiter<String>],
    key: &str,
) -> Result<(), Refusal> {
    limiters[limited as usize].check_key(&key.to_owned()).map_err(|until| {
        let seconds = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
        Refusal::TooMany { what: limited.name(), seconds }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_and_the_account_are_both_limited() {
        let limits = Limits::new(true);
        let address = |n: u8| ClientAddress([192, 0, 2, n].into());
        for _ in 0..5 {
            limits.take(Limited::SignUp, address(1), None).unwrap();
        }
        let refused = limits.take(Limited::SignUp, address(1), None).unwrap_err();
        assert!(matches!(refused, Refusal::TooMany { seconds: 1..=601, .. }), "{refused:?}");
        limits.take(Limited::SignUp, address(2), None).unwrap();
        limits.take(Limited::Login, address(1), None).unwrap();
        for n in 0..50 {
            limits.take(Limited::Login, address(10 + n), Some("ada")).unwrap();
        }
        assert!(limits.take(Limited::Login, address(90), Some("ada")).is_err());
        for n in 0..11 {
            let taken = limits.take(Limited::Login, address(100), Some("bob"));
            assert_eq!(taken.is_ok(), n < 10, "one address");
        }
        limits.take(Limited::Login, address(101), Some("bob")).unwrap();
    }
}
