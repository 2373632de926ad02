//! How long a side may think about a turn, as text: `200ms`, `0.1s`, `1000` nodes.

use crate::limits::{LimitError, count, duration};
use anyhow::{Context, bail, ensure};
use search::Limits;
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
    /// As long as it likes.
    None,
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
    /// The limits of a search.
    pub(crate) const fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits::time(time),
            Self::CpuTime(time) => Limits::cpu_time(time),
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::None => Limits::NONE,
        }
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
}

impl GivenPaces {
    /// Reads a time for both sides, or one for each: `0.1s`, `0.1s,0.05s`, `0.1s,none`, `0.1s,-`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn times(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::time)
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
                format!("side {letter} has no limit; give --movetime or --nodes for it, or 'none'")
            })?;
            ensure!(
                given.next().is_none(),
                "side {letter} has two limits; write '-' for it in --movetime or in --nodes, as in \
                 --movetime 100ms,- --nodes -,1000"
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
        if !self.0.iter().any(|pace| matches!(pace, Pace::Time(_))) {
            bail!("--clock cpu is what --movetime is taken by, and no side has such a limit");
        }
        Ok(Self(self.0.map(|pace| match pace {
            Pace::Time(time) => Pace::CpuTime(time),
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
            Pace::Nodes(_) => None,
        });
        let cpu = self.0.iter().any(|pace| matches!(pace, Pace::CpuTime(_)));
        let clock = cpu.then(|| "--clock=cpu".to_owned());
        let given = |name: &str, text: Option<String>| text.map(|text| format!("--{name}={text}"));
        [given("nodes", nodes), given("movetime", times), clock].into_iter().flatten().collect()
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(1) => f.write_str("1 node"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::None => f.write_str("no limit"),
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
    fn a_wrong_pace_says_what_is_allowed() {
        for wrong in ["0s", "-1s", "fast", "", "infs", "nans", "9e9s"] {
            assert!(times(wrong).contains("such as 200ms"), "{wrong}: {}", times(wrong));
        }
        assert!(times("1s,2s,3s").contains("one for both sides or two"));
        assert!(GivenPaces::nodes("0").unwrap_err().to_string().contains("from 1"));
        assert!(GivenPaces::nodes("1e3").is_err());
    }
}
