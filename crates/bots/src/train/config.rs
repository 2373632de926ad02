//! What a training run is: a file that, with its seed, fixes every bit of the result.

use super::hidden::Ablation;
use crate::scope::Scope;
use carcassonne::{ExpandedSetup, Options};
use search::math::cos;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// A training run, as its TOML file says it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Every random choice of the run follows from it.
    pub seed: u64,
    /// How many games are played in all.
    pub games: u64,
    /// The setups that are played, each as likely as its weight.
    pub setups: Vec<WeightedSetup>,
    /// Games played with the same weights.
    #[serde(default = "default_round")]
    pub round_games: usize,
    /// Games to a step of the weights.
    #[serde(default = "default_batch")]
    pub batch_games: usize,
    /// How far results look ahead: 0 the next turn alone, 1 the final score alone.
    pub lambda: f32,
    /// How often a move is explored rather than the best.
    pub explore: f32,
    /// How bold exploration is, in points.
    pub temperature: f32,
    /// How often a game starts with random turns, up to seven.
    pub random_start: f32,
    /// The learning rate at the start.
    pub rate: f32,
    /// The learning rate at the end.
    pub final_rate: f32,
    /// Over how many last games the learning rate falls; over all of them by default. Until
    /// then a run does not depend on `games`, so its length can still be chosen.
    #[serde(default)]
    pub falling_games: Option<u64>,
    /// Positions are also learned from the view of one other seat (for more than two players).
    #[serde(default)]
    pub other_views: bool,
    /// The net file to start from, relative to the configuration's folder; without it the weights
    /// are random.
    #[serde(default)]
    pub start: Option<PathBuf>,
    /// Whether the net sees unclaimed cities and roads. One to start from that sees them keeps that.
    #[serde(default)]
    pub unclaimed: bool,
    /// Whether it also sees what a tile to come may change of a feature; then it sees what is unclaimed too.
    #[serde(default)]
    pub threats: bool,
    /// What positions are to be worth.
    #[serde(default)]
    pub targets: Targets,
    /// How many games are labelled for two-ply targets; the run goes over them again and again.
    #[serde(default)]
    pub label_games: Option<u64>,
    /// How much the errors of what comes of the run's own games weigh beside those of two-ply targets: 0, nothing,
    /// to 1.
    #[serde(default)]
    pub returns: f32,
    /// Inputs that are left out, to see what they are worth.
    #[serde(default)]
    pub hidden: Vec<Ablation>,
}

/// What a run learns that positions are worth.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Targets {
    /// What came of them in games of the net that is trained.
    #[default]
    Returns,
    /// What the net to start from says two plies ahead: after every draw and the best reply to it.
    TwoPly,
}

/// A setup and how often it is played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedSetup {
    /// The setup's text.
    pub setup: String,
    /// How often it is played, beside the others' weights.
    pub weight: f32,
}

fn default_round() -> usize {
    64
}

fn default_batch() -> usize {
    4
}

/// A training configuration that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// If the text is no TOML, an option is unknown or missing, or a value makes no sense.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|e| ConfigError(e.to_string()))?;
        let fail = |what: &str| Err(ConfigError(what.to_owned()));
        let part = 0.0..=1.0;
        if config.games == 0 || config.round_games == 0 || config.batch_games == 0 {
            return fail("games, round_games and batch_games must be at least 1");
        }
        if ![config.lambda, config.explore, config.random_start].iter().all(|x| part.contains(x)) {
            return fail("lambda, explore and random_start must lie between 0 and 1");
        }
        let weighs = |x: f32| x > 0.0 && x.is_finite();
        if ![config.temperature, config.rate, config.final_rate].into_iter().all(weighs) {
            return fail("temperature, rate and final_rate must be finite and above 0");
        }
        if config.setups.is_empty() {
            return fail("setups must name at least one setup");
        }
        for entry in &config.setups {
            entry.setup.parse::<ExpandedSetup>().map_err(|e| ConfigError(e.to_string()))?;
            if !weighs(entry.weight) {
                return fail("a setup's weight must be finite and above 0");
            }
        }
        config.check_targets()?;
        Ok(config)
    }

    /// Two-ply values are those of a net that there is already.
    fn check_targets(&self) -> Result<(), ConfigError> {
        let fail = |what: &str| Err(ConfigError(what.to_owned()));
        if self.targets == Targets::Returns {
            return match (self.label_games, self.returns == 0.0) {
                (Some(_), _) => fail("label_games is for targets = \"two-ply\" alone"),
                (None, false) => fail(
                    "returns is for targets = \"two-ply\" alone: other runs learn from returns anyway",
                ),
                (None, true) => Ok(()),
            };
        }
        if !(0.0..=1.0).contains(&self.returns) {
            return fail("returns must lie between 0 and 1");
        }
        if self.label_games.is_none_or(|games| games == 0) {
            return fail(
                "targets = \"two-ply\" needs label_games, at least 1: how many are labelled",
            );
        }
        if self.start.is_none() {
            return fail("targets = \"two-ply\" needs start, the net whose values are learned");
        }
        Ok(())
    }

    /// Whether a run of another configuration, of which so many games are played, is also the
    /// beginning of this one: all is the same but perhaps the length, which did not matter yet.
    #[must_use]
    pub fn continues(&self, before: &Self, played: u64) -> bool {
        let steady = |config: &Self| {
            config.falling_games.is_some_and(|over| played <= config.games.saturating_sub(over))
        };
        let same = Self { games: before.games, ..self.clone() } == *before;
        same && (self.games == before.games || steady(self) && steady(before))
    }

    fn parsed(entry: &WeightedSetup) -> ExpandedSetup {
        entry.setup.parse().expect("setups were checked when the configuration was read")
    }

    /// What a net of this run is trained for.
    #[must_use]
    pub fn scope(&self) -> Scope {
        let of = |setup: ExpandedSetup| Scope::of(setup.rules().players(), setup.sets());
        let scopes = self.setups.iter().map(|entry| of(Self::parsed(entry)));
        scopes.reduce(Scope::with).expect("there is a setup")
    }

    /// Whether any of the games has sets.
    pub(crate) fn has_sets(&self) -> bool {
        !self.scope().sets.is_empty()
    }

    /// The setup that a random number in [0, 1) picks.
    pub(crate) fn setup(&self, random: f64) -> ExpandedSetup {
        let total: f32 = self.setups.iter().map(|entry| entry.weight).sum();
        let mut at = random as f32 * total;
        let entry = self.setups.iter().find(|entry| {
            at -= entry.weight;
            at < 0.0
        });
        Self::parsed(entry.or(self.setups.last()).expect("there is a setup"))
    }

    /// The learning rate after so many games: half a cosine over those in which it falls.
    pub(crate) fn rate_at(&self, games: u64) -> f32 {
        let over = self.falling_games.unwrap_or(self.games).clamp(1, self.games);
        let fallen = games.min(self.games).saturating_sub(self.games - over);
        let done = fallen as f64 / over as f64;
        let falling = (1.0 + cos(std::f64::consts::PI * done)) / 2.0;
        self.final_rate + (self.rate - self.final_rate) * falling as f32
    }
}
