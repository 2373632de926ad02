//! How long a side may think about a turn, as text: `200ms`, `0.1s`, `1000` nodes.

use crate::limits::{LimitError, count, duration};
use search::Limits;
use std::fmt;
use std::time::Duration;

/// How long a side may think about a turn. One-ply bots need less, whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// So much time by the clock on the wall.
    Time(Duration),
    /// So much processor time of the thread that plays the game.
    CpuTime(Duration),
    /// So many nodes: positions valued, or playouts played.
    Nodes(u64),
}

/// The paces of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Paces(pub(crate) [Pace; 2]);

impl Pace {
    /// The limits of a search.
    pub(crate) const fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits::time(time),
            Self::CpuTime(time) => Limits::cpu_time(time),
            Self::Nodes(nodes) => Limits::nodes(nodes),
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

impl Paces {
    /// When nothing else is asked for.
    pub(crate) const DEFAULT: Self = Self([Pace::Time(Duration::from_millis(100)); 2]);

    /// Reads a time for both sides, or one for each: `0.1s`, `0.1s,0.05s`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn times(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::time)
    }

    /// Reads a number of nodes for both sides, or one for each: `1000`, `1000,500`.
    ///
    /// # Errors
    /// If it is neither; the error says what is allowed.
    pub(crate) fn nodes(text: &str) -> Result<Self, LimitError> {
        Self::read(text, Pace::nodes)
    }

    /// The same times by the processor's clock; nodes stay what they are.
    pub(crate) fn by_cpu(self) -> Self {
        Self(self.0.map(|pace| match pace {
            Pace::Time(time) => Pace::CpuTime(time),
            other => other,
        }))
    }

    fn read(
        text: &str,
        read: impl Fn(&str) -> Result<Pace, LimitError>,
    ) -> Result<Self, LimitError> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        match parts[..] {
            [both] => Ok(Self([read(both)?; 2])),
            [a, b] => Ok(Self([read(a)?, read(b)?])),
            _ => Err(LimitError::Parts { parts: parts.len(), found: game::excerpt(text, 40) }),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(1) => f.write_str("1 node"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
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
        match Paces::times(text) {
            Ok(Paces([a, b])) => format!("{a} {b}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn times_for_both_or_each() {
        assert_eq!(times("200ms"), "200ms 200ms");
        assert_eq!(times("0.1s,0.05s"), "100ms 50ms");
        assert_eq!(times("1m, 250us"), "60s 250us");
        let Paces([cpu, _]) = Paces::times("0.1s").unwrap().by_cpu();
        assert_eq!(cpu.to_string(), "100ms of CPU time");
        assert_eq!(cpu.limits(), Limits::cpu_time(Duration::from_millis(100)));
        let both = Paces::nodes("1000").unwrap();
        assert_eq!(both.0[0].limits(), Limits::nodes(1_000));
        assert_eq!(both.0[1].to_string(), "1000 nodes");
    }

    #[test]
    fn a_wrong_pace_says_what_is_allowed() {
        for wrong in ["0s", "-1s", "fast", "", "infs", "nans", "9e9s"] {
            assert!(times(wrong).contains("such as 200ms"), "{wrong}: {}", times(wrong));
        }
        assert!(times("1s,2s,3s").contains("one for both sides or two"));
        assert!(Paces::nodes("0").unwrap_err().to_string().contains("from 1"));
        assert!(Paces::nodes("1e3").is_err());
    }
}
