//! How often somebody may do what costs much or could be abused, and how many connections an
//! address may keep open.

pub mod connections;

use crate::address::ClientAddress;
use crate::bus::Exchange;
use crate::error::Refusal;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;
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
    /// Having a game reviewed.
    Review,
    /// Trying a turn of a reviewed game.
    Attempt,
    /// Saying something.
    Chat,
    /// Having a position drawn.
    Picture,
    /// Having a whole game drawn.
    Animation,
    /// Reporting somebody.
    Report,
    /// Making a study, or adding chapters to one.
    NewStudy,
    /// Changing a chapter of a study.
    StudyEdit,
    /// Looking at a puzzle, or answering one.
    Puzzle,
}

const ALL: [Limited; 14] = [
    Limited::Login,
    Limited::SignUp,
    Limited::Guest,
    Limited::NewGame,
    Limited::Analysis,
    Limited::Review,
    Limited::Attempt,
    Limited::Chat,
    Limited::Picture,
    Limited::Animation,
    Limited::Report,
    Limited::NewStudy,
    Limited::StudyEdit,
    Limited::Puzzle,
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
            Self::Review => (10, Duration::from_secs(30)),
            Self::Attempt => (30, Duration::from_secs(1)),
            Self::Chat => (8, Duration::from_secs(2)),
            Self::Picture => (60, Duration::from_millis(500)),
            Self::Animation => (6, Duration::from_secs(10)),
            Self::Report => (5, Duration::from_secs(600)),
            Self::NewStudy => (30, Duration::from_secs(10)),
            Self::StudyEdit => (60, Duration::from_millis(500)),
            Self::Puzzle => (60, Duration::from_secs(1)),
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
            Self::Review => "reviews",
            Self::Attempt => "turns that are tried",
            Self::Chat => "chat lines",
            Self::Picture => "pictures",
            Self::Animation => "animations",
            Self::Report => "reports",
            Self::NewStudy => "new studies and chapters",
            Self::StudyEdit => "changes of studies",
            Self::Puzzle => "puzzles",
        }
    }
}

/// Who has used how much of what.
pub struct Limits(Option<Arc<Counters>>);

/// What nodes tell each other: one of what is limited was used up, by the number of its counter.
const USED: &str = "limit.used";

struct Counters {
    addresses: Vec<DefaultKeyedRateLimiter<String>>,
    accounts: Vec<DefaultKeyedRateLimiter<String>>,
    logins: Logins,
    /// Where other nodes are told what was used here, so that all of them count alike.
    exchange: Exchange,
}

/// What is tried to come in, beside the limits of an address and an account.
struct Logins {
    /// By known device (or open session): nobody else can use it up.
    devices: DefaultKeyedRateLimiter<String>,
    /// By account and network, once strangers have used up what is the account's.
    networks: DefaultKeyedRateLimiter<String>,
    /// By account, from all networks together, after that.
    beyond: DefaultKeyedRateLimiter<String>,
    /// Codes of the second factor, by account.
    codes: DefaultKeyedRateLimiter<String>,
}

impl Logins {
    const DEVICE: (u32, Duration) = (10, Duration::from_secs(30));
    const NETWORK: (u32, Duration) = (3, Duration::from_secs(600));
    const BEYOND: (u32, Duration) = (300, Duration::from_secs(60));
    /// A million codes of which three are right: one guess in ten minutes finds one in a year with
    /// a chance of one in seven.
    const CODE: (u32, Duration) = (5, Duration::from_secs(600));

    fn all(&self) -> [&DefaultKeyedRateLimiter<String>; 4] {
        [&self.devices, &self.networks, &self.beyond, &self.codes]
    }
}

/// The numbers of the counters, in the order of [`Counters::all`].
const ACCOUNTS: usize = ALL.len();
const DEVICES: usize = 2 * ALL.len();
const NETWORKS: usize = DEVICES + 1;
const BEYOND: usize = DEVICES + 2;
const CODES: usize = DEVICES + 3;

impl Counters {
    /// Takes one from a counter, and lets other nodes know.
    fn take(&self, limited: Limited, counter: usize, key: &str) -> Result<(), Refusal> {
        self.use_one(counter, key).map_err(|seconds| {
            let what = limited.name().into();
            Refusal::TooMany { what, seconds }
        })?;
        self.exchange.publish(USED, &(counter, key));
        Ok(())
    }

    /// Counts one; gives the seconds to wait if there is none left.
    fn use_one(&self, counter: usize, key: &str) -> Result<(), u64> {
        // A counter that is not known is of another version.
        let Some(limiter) = self.all().nth(counter) else { return Ok(()) };
        limiter
            .check_key(&key.to_owned())
            .map_err(|until| until.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
    }

    fn all(&self) -> impl Iterator<Item = &DefaultKeyedRateLimiter<String>> {
        self.addresses.iter().chain(&self.accounts).chain(self.logins.all())
    }
}

impl Limits {
    /// Limits that are kept, or not, for tests. What other nodes let through counts too.
    ///
    /// # Panics
    /// Never: all allowances are positive.
    #[must_use]
    pub fn new(kept: bool, exchange: &Exchange) -> Self {
        let limiter = |(burst, period): (u32, Duration)| {
            let burst = NonZeroU32::new(burst).expect("allowances are positive");
            let quota = Quota::with_period(period).expect("periods are positive");
            RateLimiter::keyed(quota.allow_burst(burst))
        };
        let counters = kept.then(|| {
            Arc::new(Counters {
                addresses: ALL.map(|limited| limiter(limited.allowance())).into(),
                accounts: ALL.map(|limited| limiter(limited.account_allowance())).into(),
                logins: Logins {
                    devices: limiter(Logins::DEVICE),
                    networks: limiter(Logins::NETWORK),
                    beyond: limiter(Logins::BEYOND),
                    codes: limiter(Logins::CODE),
                },
                exchange: exchange.clone(),
            })
        });
        if let Some(kept) = &counters {
            let kept = Arc::downgrade(kept);
            exchange.on_news(USED, move |_, (counter, key): (usize, String)| {
                if let Some(kept) = kept.upgrade() {
                    // What is used up is used up.
                    let _ = kept.use_one(counter, &key);
                }
            });
        }
        Self(counters)
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
        kept.take(limited, limited as usize, &address.limit_key())?;
        let of_account = ACCOUNTS + limited as usize;
        account.map_or(Ok(()), |account| kept.take(limited, of_account, account))
    }

    /// Takes one try of a password. A known device has its own allowance, whatever strangers do.
    /// Others share that of their address and that of the account; once the account's is used up,
    /// each network has a few tries left, so that its owner gets in from a new device, and whoever
    /// guesses needs a network for every few guesses, and gets no more than so many in all.
    ///
    /// # Errors
    /// If there is none left; says when to try again.
    pub fn take_login(
        &self,
        address: ClientAddress,
        account: &str,
        device: Option<&str>,
    ) -> Result<(), Refusal> {
        let Some(kept) = &self.0 else { return Ok(()) };
        if let Some(device) = device {
            return kept.take(Limited::Login, DEVICES, device);
        }
        kept.take(Limited::Login, Limited::Login as usize, &address.limit_key())?;
        let network = format!("{account} {}", address.network_key());
        let network = kept.take(Limited::Login, NETWORKS, &network);
        if kept.take(Limited::Login, ACCOUNTS + Limited::Login as usize, account).is_ok() {
            return Ok(());
        }
        network?;
        kept.take(Limited::Login, BEYOND, account)
    }

    /// Takes one try of a code of the second factor.
    ///
    /// # Errors
    /// If there is none left; says when to try again.
    pub fn take_code(&self, account: &str, device: Option<&str>) -> Result<(), Refusal> {
        let Some(kept) = &self.0 else { return Ok(()) };
        match device {
            Some(device) => kept.take(Limited::Login, DEVICES, &format!("code {device}")),
            None => kept.take(Limited::Login, CODES, account),
        }
    }

    /// How many addresses and accounts are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().flat_map(|kept| kept.all()).map(RateLimiter::len).sum()
    }

    /// Whether nobody is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets those who have not used anything for a while.
    pub fn tidy(&self) {
        for limiter in self.0.iter().flat_map(|kept| kept.all()) {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_is_bounded_from_however_many_networks() {
        let limits = Limits::new(true, &Exchange::alone(1));
        let mut passed = 0;
        for n in 0..2000_u32 {
            let [_, _, high, low] = n.to_be_bytes();
            let address = ClientAddress([10, high, low, 1].into());
            passed += u32::from(limits.take_login(address, "ada", None).is_ok());
        }
        assert!((350..=360).contains(&passed), "{passed}");
        limits.take_login(ClientAddress([10, 0, 0, 1].into()), "ada", Some("device")).unwrap();
        let codes = (0..20).filter(|_| limits.take_code("ada", None).is_ok()).count();
        assert_eq!(codes, 5);
        limits.take_code("ada", Some("device")).unwrap();
    }

    #[test]
    fn the_address_and_the_account_are_both_limited() {
        let limits = Limits::new(true, &Exchange::alone(1));
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
