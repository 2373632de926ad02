//! What a match plays.

use super::game_runner::Job;
use super::sides::{Tried, check_side, labels};
use super::{Pace, fingerprint};
use crate::external::{Place, ProgramOptions};
use anyhow::Context;
use bots::net::Net;
use bots::roster::{BotSpec, net_note};
use carcassonne::{AllSets, Base, ExpandedSetup, Move, Options};
use search::arena::Sprt;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// What a match plays: side A against side B, in rounds.
///
/// A round is one deck on which A takes every seat once and B all others: between two players, a
/// pair of games with the seats swapped.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Plan {
    pub(crate) setup: ExpandedSetup,
    /// Side A and side B, as text.
    pub(crate) sides: [String; 2],
    /// How long each may think.
    pub(crate) paces: [Pace; 2],
    /// What decks and agents' chances come from.
    pub(crate) seed: u64,
    /// How many rounds at most.
    pub(crate) rounds: u64,
    /// When to stop earlier.
    pub(crate) sprt: Option<Sprt>,
    /// How sides that are outside programs are run.
    pub(crate) programs: ProgramOptions,
    /// What the trial start of each side told.
    pub(crate) tried: [Tried; 2],
}

impl Plan {
    /// Makes each side once, so that a wrong name is known before the first game.
    ///
    /// # Errors
    /// If a side is not known or cannot be started.
    pub(crate) fn check(&mut self) -> anyhow::Result<()> {
        for (index, letter) in ['A', 'B'].into_iter().enumerate() {
            let (side, pace, place) =
                (&self.sides[index], self.paces[index], Place::of_side(letter));
            self.tried[index] = check_side(side, &self.setup, pace, &self.programs, &place)
                .with_context(|| format!("side {letter}"))?;
        }
        Ok(())
    }

    /// What is to be said of the nets that the sides play with, and of the files of programs.
    pub(crate) fn notes(&self) -> Vec<String> {
        let note = |side: &String| net_note(&side.parse().ok()?, &self.setup);
        let nets = self.sides.iter().filter_map(|side| Some(format!("{side}: {}", note(side)?)));
        let both = self.sides.iter().zip(&self.tried);
        let files = both.flat_map(|(side, tried)| {
            tried.files.notes().map(move |note| format!("{side}: {note}"))
        });
        nets.chain(files).collect()
    }

    /// What the sides are called.
    pub(crate) fn labels(&self) -> [String; 2] {
        let [a, b] = &labels(&self.sides, &self.tried)[..] else { return self.sides.clone() };
        [a.clone(), b.clone()]
    }

    /// What must be the same when a stopped match is resumed, each with its name. The number of
    /// rounds may change: a round depends only on what is named here and on its own number.
    pub(crate) fn fixed(&self) -> [(&'static str, String); 7] {
        let sprt = self
            .sprt
            .map_or("none".to_owned(), |s| format!("{},{},{},{}", s.elo0, s.elo1, s.alpha, s.beta));
        [
            ("A", self.sides[0].clone()),
            ("B", self.sides[1].clone()),
            ("A's limit", self.paces[0].to_string()),
            ("B's limit", self.paces[1].to_string()),
            ("setup", self.setup.to_string()),
            ("seed", self.seed.to_string()),
            ("sprt", sprt),
        ]
    }

    /// A number for each net file that a side plays with, which another net does not have.
    pub(super) fn nets(&self) -> BTreeMap<String, String> {
        let number = |side: &str| {
            let spec: BotSpec = side.parse().ok()?;
            let (_, path) = spec.params.iter().find(|(key, _)| key == "file")?;
            let mut bytes = Vec::new();
            Net::load(path).ok()?.write(&mut bytes).ok()?;
            Some(format!("{:016x}", fingerprint(&bytes)))
        };
        let both = ["A", "B"].into_iter().zip(&self.sides);
        both.filter_map(|(letter, side)| Some((letter.to_owned(), number(side)?))).collect()
    }

    /// For each side that is an outside program, its files with such numbers.
    pub(super) fn program_files(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let both = ["A", "B"].into_iter().zip(&self.tried);
        let numbers = both.map(|(letter, tried)| (letter.to_owned(), tried.files.numbers()));
        numbers.filter(|(_, numbers)| !numbers.is_empty()).collect()
    }

    /// The side and the name of each file of a program that has changed since the trial start, among those
    /// that were known when the match began.
    pub(super) fn changed_files(
        &self,
        known: &BTreeMap<String, BTreeMap<String, String>>,
    ) -> Vec<(&'static str, String)> {
        let both = ["A", "B"].into_iter().zip(&self.tried);
        let all = both.flat_map(|(letter, tried)| {
            tried.files.changed().map(move |file| (letter, file.to_owned()))
        });
        let is_known = |(letter, file): &(&str, String)| {
            known.get(*letter).is_some_and(|files| files.contains_key(file))
        };
        all.filter(is_known).collect()
    }

    /// How many games a round has.
    pub(crate) fn seats(&self) -> usize {
        self.setup.rules().players()
    }

    /// The games of some rounds, in their order.
    pub(super) fn jobs(&self, rounds: Range<u64>) -> impl Iterator<Item = Job> + use<> {
        let seats = self.seats();
        rounds.flat_map(move |round| (0..seats).map(move |seat| Job { round, seat }))
    }

    /// The sides by seat in the game of a round in which A has this one.
    pub(crate) fn by_seat(&self, seat_of_a: usize) -> impl Iterator<Item = &str> {
        (0..self.seats()).map(move |seat| self.sides[usize::from(seat != seat_of_a)].as_str())
    }

    /// What a round is called.
    pub(crate) fn round_name(&self) -> &'static str {
        if self.seats() == 2 { "pairs" } else { "rounds" }
    }

    /// The deck of a round, which depends on the seed, the round's number and the setup only, and
    /// the seeds of its games.
    pub(crate) fn deal(&self, round: u64) -> (Vec<Move>, Vec<u64>) {
        match self.setup.sets().is_empty() {
            true => bots::deck::of_round_in::<Base>(self.setup.rules(), self.seed, round),
            false => bots::deck::of_round_in::<AllSets>(&self.setup, self.seed, round),
        }
    }
}

/// Reads a test: `elo0,elo1` or `elo0,elo1,alpha,beta`.
///
/// # Errors
/// If it is none; the error says what is allowed.
pub(crate) fn parse_sprt(text: &str) -> Result<Sprt, SprtError> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let sprt = match numbers.as_deref() {
        Ok([elo0, elo1]) => Some(Sprt::new(*elo0, *elo1)),
        Ok([elo0, elo1, alpha, beta]) => {
            Some(Sprt { elo0: *elo0, elo1: *elo1, alpha: *alpha, beta: *beta })
        }
        _ => None,
    };
    let error = |e: f64| e > 0.0 && e < 0.5;
    let sound = |s: &Sprt| {
        let finite = s.elo0.abs() <= 2_000.0 && s.elo1.abs() <= 2_000.0;
        finite && s.elo0 < s.elo1 && error(s.alpha) && error(s.beta)
    };
    sprt.filter(sound).ok_or_else(|| SprtError(text.to_owned()))
}

/// A text that is no sequential test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SprtError(String);

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no test; allowed: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 < ELO1 \
             and errors between 0 and 0.5, such as 0,10 or 0,10,0.05,0.05",
            self.0
        )
    }
}

impl Error for SprtError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Paces;

    fn plan(seed: u64) -> Plan {
        let sides = ["random".to_owned(), "greedy".to_owned()];
        let paces = Paces::DEFAULT.0;
        let (setup, programs) = (ExpandedSetup::default(), ProgramOptions::default());
        Plan {
            setup,
            sides,
            paces,
            seed,
            rounds: 1,
            sprt: None,
            programs,
            tried: Default::default(),
        }
    }

    #[test]
    fn a_deck_depends_on_seed_and_round_only() {
        let (deck, seeds) = plan(1).deal(7);
        assert_eq!((deck.len(), seeds.len()), (71, 2));
        let other = Plan { rounds: 99, sides: ["net".into(), "best".into()], ..plan(1) };
        assert_eq!(other.deal(7), (deck.clone(), seeds));
        assert_ne!(plan(1).deal(8).0, deck);
        assert_ne!(plan(2).deal(7).0, deck);
    }

    #[test]
    fn a_test_as_text() {
        assert_eq!(parse_sprt("0,10"), Ok(Sprt::new(0.0, 10.0)));
        let strict = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.01, beta: 0.1 };
        assert_eq!(parse_sprt("-5, 5, 0.01, 0.1"), Ok(strict));
        for wrong in ["", "0", "10,0", "0,10,0.05", "0,10,0,0.05", "0,10,0.6,0.05", "0,inf", "a,b"]
        {
            assert!(parse_sprt(wrong).unwrap_err().to_string().contains("ELO0 < ELO1"), "{wrong}");
        }
    }
}
