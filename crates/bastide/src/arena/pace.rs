//! How long a side may think, as text: `200ms` or `1000` nodes about a turn, `4s+20ms` about a game.

use crate::limits::{LimitError, count, duration};
use anyhow::{Context, bail, ensure};
use search::{ClockKind, Limits};
use std::fmt;
use std::time::Duration;

/// How long a side may think about a turn. One-ply bots need less, whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// So much time by the clock on the wall.
    Time(Duration),
    /// So much processor time: of the thread that plays the game, or of a program and its children.
    CpuTime(Duration),
    /// So many nodes: positions valued, or playouts played.
    Nodes(u64),
    /// So much time for all turns of a game.
    Game(GamePace),
    /// As long as it likes.
    None,
}

/// Time for all turns of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GamePace {
    pub(crate) time: Duration,
    /// What each turn adds.
    pub(crate) increment: Duration,
    pub(crate) by: ClockKind,
}

/// The paces of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Paces(pub(crate) [Pace; 2]);

/// What an option says of both sides; `None` where it leaves a side to another option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GivenPaces([Option<Pace>; 2]);

/// What a side without any limit is written as.
const NO_LIMIT: &str = "none";

/// What a side is written as whose limit another option names.
const LEFT_OUT: &str = "-";

impl Pace {
    /// The limits of every search.
    pub(crate) const fn limits(self) -> Limits {
        match self {
            Self::Game(GamePace { by, .. }) => Limits { by, ..Limits::NONE },
            Self::Time(time) => Limits::time(time),
            Self::CpuTime(time) => Limits::cpu_time(time),
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::None => Limits::NONE,
        }
    }

    /// Whether it is taken by processor time.
    pub(crate) const fn is_by_cpu(self) -> bool {
        matches!(self, Self::CpuTime(_) | Self::Game(GamePace { by: ClockKind::ThreadCpu, .. }))
    }

    fn time(text: &str) -> Result<Self, LimitError> {
        const NAME: &str = "movetime";
        match duration(NAME, text)? {
            Duration::ZERO => Err(LimitError::NoTime { name: NAME, sample: "200ms" }),
            time => Ok(Self::Time(time)),
        }
    }

    fn nodes(text: &str) -> Result<Self, LimitError> {
        count("nodes", text).map(Self::Nodes)
    }

    fn game(text: &str) -> Result<Self, LimitError> {
        const NAME: &str = "gametime";
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (time, increment) = (duration(NAME, time)?, duration(NAME, increment)?);
        if time.is_zero() {
            return Err(LimitError::NoTime { name: NAME, sample: "4s, or 4s+20ms" });
        }
        Ok(Self::Game(GamePace { time, increment, by: ClockKind::Wall }))
    }
}

impl GivenPaces {
    /// Reads a time for both sides, or one for each: `0.1s`, `0.1s,0.05s`, `0.1s,none`, `0.1s,-`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn times(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::time)
    }

    /// Reads a time for all turns of a game, for both sides or each: `4s`, `4s+20ms,8s`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn game_times(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::game)
    }

    /// Reads a number of nodes for both sides, or one for each: `1000`, `1000,500`, `-,500`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn nodes(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::nodes)
    }

    fn read(
        text: &str,
        read: impl Fn(&str) -> Result<Pace, LimitError>,
    ) -> Result<Self, LimitError> {
        let read = |text: &str| match text {
            NO_LIMIT => Ok(Some(Pace::None)),
            LEFT_OUT => Ok(None),
            _ => read(text).map(Some),
        };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        match parts[..] {
            [both] => Ok(Self([read(both)?; 2])),
            [a, b] => Ok(Self([read(a)?, read(b)?])),
            _ => Err(LimitError::Parts { parts: parts.len(), found: game::excerpt(text, 40) }),
        }
    }
}

impl Paces {
    /// When nothing else is asked for.
    pub(crate) const DEFAULT: Self = Self([Pace::Time(Duration::from_millis(100)); 2]);

    /// What the options say together.
    ///
    /// # Errors
    /// If a side has no limit, or two.
    pub(crate) fn of(options: &[GivenPaces]) -> anyhow::Result<Self> {
        let of_side = |side: usize| {
            let letter = ["A", "B"][side];
            let mut given = options.iter().filter_map(|option| option.0[side]);
            let pace = given.next().with_context(|| {
                format!("side {letter} has no limit; give --movetime, --gametime or --nodes for it, or 'none'")
            })?;
            ensure!(
                given.next().is_none(),
                "side {letter} has two limits; write '-' for it in all but one of --movetime, --gametime \
                 and --nodes, as in --movetime 100ms,- --nodes -,1000"
            );
            Ok::<_, anyhow::Error>(pace)
        };
        Ok(Self([of_side(0)?, of_side(1)?]))
    }

    /// The same times by the processor's clock; other limits stay what they are.
    ///
    /// # Errors
    /// If there is no time that could be taken by it.
    pub(crate) fn by_cpu(self) -> anyhow::Result<Self> {
        if !self.0.iter().any(|pace| matches!(pace, Pace::Time(_) | Pace::Game(_))) {
            bail!(
                "--clock cpu is what --movetime and --gametime are taken by, and no side has such a limit"
            );
        }
        Ok(Self(self.0.map(|pace| match pace {
            Pace::Time(time) => Pace::CpuTime(time),
            Pace::Game(pace) => Pace::Game(GamePace { by: ClockKind::ThreadCpu, ..pace }),
            other => other,
        })))
    }

    /// The options that say the same.
    pub(crate) fn options(self) -> Vec<String> {
        let of_both = |text: fn(Pace) -> Option<String>| {
            let texts = self.0.map(text);
            let [a, b] = texts.each_ref().map(|text| text.as_deref().unwrap_or(LEFT_OUT));
            texts.iter().any(Option::is_some).then(|| format!("{a},{b}"))
        };
        let nodes = of_both(|pace| match pace {
            Pace::Nodes(nodes) => Some(nodes.to_string()),
            _ => None,
        });
        let times = of_both(|pace| match pace {
            Pace::Time(time) | Pace::CpuTime(time) => Some(Pace::Time(time).to_string()),
            Pace::None => Some(NO_LIMIT.to_owned()),
            Pace::Nodes(_) | Pace::Game(_) => None,
        });
        let games = of_both(|pace| match pace {
            Pace::Game(pace) => Some(pace.option()),
            _ => None,
        });
        let cpu = self.0.iter().any(|pace| pace.is_by_cpu());
        let clock = cpu.then(|| "--clock=cpu".to_owned());
        let given = |name: &str, text: Option<String>| text.map(|text| format!("--{name}={text}"));
        let options =
            [given("nodes", nodes), given("movetime", times), given("gametime", games), clock];
        options.into_iter().flatten().collect()
    }
}

impl GamePace {
    /// As `--gametime` takes it.
    fn option(self) -> String {
        let text = |time| Pace::Time(time).to_string();
        match self.increment.is_zero() {
            true => text(self.time),
            false => format!("{}+{}", text(self.time), text(self.increment)),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(1) => f.write_str("1 node"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::None => f.write_str("no limit"),
            Self::Game(pace) => {
                let cpu = if self.is_by_cpu() { " of CPU time" } else { "" };
                write!(f, "{}{cpu} a game", pace.option())
            }
            Self::CpuTime(time) => write!(f, "{} of CPU time", Self::Time(*time)),
            Self::Time(time) => match time.as_micros() {
                us if us % 1_000_000 == 0 => write!(f, "{}s", us / 1_000_000),
                us if us % 1_000 == 0 => write!(f, "{}ms", us / 1_000),
                us => write!(f, "{us}us"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str) -> String {
        let read = GivenPaces::times(text).map_err(anyhow::Error::from);
        match read.and_then(|given| Paces::of(&[given])) {
            Ok(Paces([a, b])) => format!("{a} {b}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn times_for_both_or_each() {
        assert_eq!(times("200ms"), "200ms 200ms");
        assert_eq!(times("0.1s,0.05s"), "100ms 50ms");
        assert_eq!(times("1m, 250us"), "60s 250us");
        assert_eq!(times("none,1s"), "no limit 1s");
        let Paces([cpu, _]) = Paces::DEFAULT.by_cpu().unwrap();
        assert_eq!(cpu.to_string(), "100ms of CPU time");
        assert_eq!(cpu.limits(), Limits::cpu_time(Duration::from_millis(100)));
        let Paces([a, b]) = Paces::of(&[GivenPaces::nodes("1000").unwrap()]).unwrap();
        assert_eq!(a.limits(), Limits::nodes(1_000));
        assert_eq!(b.to_string(), "1000 nodes");
    }

    #[test]
    fn sides_may_have_limits_of_different_kinds() {
        let both = |times, nodes| {
            Paces::of(&[GivenPaces::times(times).unwrap(), GivenPaces::nodes(nodes).unwrap()])
        };
        let Paces([a, b]) = both("-,0.1s", "500,-").unwrap();
        assert_eq!(format!("{a}, {b}"), "500 nodes, 100ms");
        let Paces(cpu) = both("-,0.1s", "500,-").unwrap().by_cpu().unwrap();
        assert_eq!(cpu[1].to_string(), "100ms of CPU time");
        let twice = both("0.1s", "-,500").unwrap_err().to_string();
        assert!(twice.contains("side B has two limits"), "{twice}");
        let without = both("0.1s,-", "-").unwrap_err().to_string();
        assert!(without.contains("side B has no limit"), "{without}");
        assert!(both("-", "5,none").unwrap().by_cpu().is_err(), "no time to take");
    }

    #[test]
    fn a_side_may_have_a_time_for_the_whole_game() {
        let given = GivenPaces::game_times("4s+20ms,90s").unwrap();
        let paces = Paces::of(&[given]).unwrap();
        let text = |Paces([a, b]): Paces| format!("{a}, {b}");
        assert_eq!(text(paces), "4s+20ms a game, 90s a game");
        assert_eq!(paces.options(), ["--gametime=4s+20ms,90s"]);
        let by_cpu = paces.by_cpu().unwrap();
        assert_eq!(text(by_cpu), "4s+20ms of CPU time a game, 90s of CPU time a game");
        assert_eq!(by_cpu.0[0].limits().by, ClockKind::ThreadCpu);
        let nodes = GivenPaces::nodes("-,5").unwrap();
        let mixed = Paces::of(&[GivenPaces::game_times("4s,-").unwrap(), nodes]).unwrap();
        assert_eq!(mixed.options(), ["--nodes=-,5", "--gametime=4s,-"]);
        for wrong in ["0s", "4s+", "+1s", "4s+-1s", "4s+1s+1s", "long"] {
            let error = GivenPaces::game_times(wrong).unwrap_err().to_string();
            assert!(error.starts_with("gametime: a time "), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_wrong_pace_says_what_is_allowed() {
        for wrong in ["0s", "-1s", "fast", "", "infs", "nans", "9e9s"] {
            assert!(times(wrong).contains("such as 200ms"), "{wrong}: {}", times(wrong));
        }
        assert!(times("1s,2s,3s").contains("one for both sides or two"));
        assert!(GivenPaces::nodes("0").unwrap_err().to_string().contains("from 1"));
        assert!(GivenPaces::nodes("1e3").is_err());
    }
}
