//! Whether the draws of a finished game are those that were promised: what the endpoint tells
//! and what `bastide verify-deck` checks.

use super::{Deck, Seed, SeedError};
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::wire::Fairness;

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What, for a person to read.
    pub what: &'static str,
    /// Nothing if it holds; otherwise what was found.
    pub fault: Option<FairnessError>,
}

/// What is wrong with the draws that a game tells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FairnessError {
    /// There is no such game.
    #[error("{0}")]
    Game(Refusal),
    /// The setup cannot be read; says why.
    #[error("{0}")]
    Setup(String),
    /// The seed cannot be read.
    #[error("{0}")]
    Seed(SeedError),
    /// The seed is not the one that was promised.
    #[error("the seed's commitment is {follows}, not {told}")]
    Commitment {
        /// The commitment of the seed that is told.
        follows: String,
        /// The commitment that is told.
        told: String,
    },
    /// More was drawn than there is.
    #[error("{drawn} draws from a bag of {bag}")]
    TooManyDraws {
        /// How many draws are told.
        drawn: usize,
        /// How many there can be.
        bag: usize,
    },
    /// What a further check found; says what.
    #[error("{0}")]
    Other(String),
    /// A list is not what it should be.
    #[error("number {number} should be {expected} and is {found}")]
    Differs {
        /// The first place that differs, from 1.
        number: usize,
        /// What should stand there, in quotes, or `nothing`.
        expected: String,
        /// What stands there, in quotes, or `nothing`.
        found: String,
    },
}

/// What a finished game's draws came from. `head` is the record's first line, the game's name
/// and its setup; `drawn` are the draws of the standing record.
#[must_use]
pub fn fairness_of<G: Hosted>(
    (game, commit): (&str, &str),
    head: String,
    (seed, setup): (&Seed, &G::Setup),
    nonces: Vec<String>,
    drawn: Vec<String>,
) -> Fairness {
    let bag = G::new(setup).bag();
    let deck = Deck::new(seed, game, &nonces, &bag, G::deck_part);
    let texts = |moves: &[G::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut fairness = Fairness {
        game: game.to_owned(),
        setup: head,
        commit: commit.to_owned(),
        seed: seed.reveal(),
        nonces,
        bag: texts(&bag),
        order: texts(&deck.order),
        drawn,
        fair: false,
    };
    fairness.fair = verify(&fairness).iter().all(|check| check.fault.is_none());
    fairness
}

/// Checks everything that a finished game tells about its draws, from the seed on. Nothing in it
/// is believed but the commitment, which players saw before the first draw.
#[must_use]
pub fn verify(told: &Fairness) -> Vec<Check> {
    let check = |what, found: Result<(), FairnessError>| Check { what, fault: found.err() };
    let seed = Seed::from_hex(&told.seed).map_err(FairnessError::Seed);
    let bag = canonical_bag(&told.setup);
    let promised = seed.as_ref().map_err(Clone::clone).and_then(|seed| {
        let follows = seed.commitment(&told.game);
        let same = told.commit.eq_ignore_ascii_case(&follows);
        same.then_some(()).ok_or(FairnessError::Commitment { follows, told: told.commit.clone() })
    });
    let texts = |outcomes: &[&(String, u8)]| {
        outcomes.iter().map(|(text, _)| text.clone()).collect::<Vec<String>>()
    };
    let same_bag = bag.as_ref().map_err(Clone::clone);
    let same_bag =
        same_bag.and_then(|bag| same(&texts(&bag.iter().collect::<Vec<_>>()), &told.bag));
    let order = seed.and_then(|seed| {
        let bag: Vec<_> = bag.as_ref().map_err(Clone::clone)?.iter().collect();
        let deck = Deck::new(&seed, &told.game, &told.nonces, &bag, |(_, part)| *part);
        Ok(texts(&deck.order))
    });
    let same_order = order.clone().and_then(|order| same(&order, &told.order));
    let drawn = order.and_then(|order| match order.get(..told.drawn.len()) {
        None => Err(FairnessError::TooManyDraws { drawn: told.drawn.len(), bag: order.len() }),
        Some(top) => same(top, &told.drawn),
    });
    vec![
        check("the seed is the one that was promised at the start", promised),
        check("the bag is the game's, in its fixed order", same_bag),
        check("the order follows from seed, game and nonces", same_order),
        check("the draws are the top of that order", drawn),
    ]
}

/// The checks as text, one a line.
#[must_use]
pub fn explain(checks: &[Check]) -> String {
    let line = |check: &Check| match &check.fault {
        None => format!("ok    {}\n", check.what),
        Some(fault) => format!("WRONG {}: {fault}\n", check.what),
    };
    checks.iter().map(line).collect()
}

/// What is dealt out in a game with this setup, in its fixed order, each with its part of the deck.
fn canonical_bag(head: &str) -> Result<Vec<(String, u8)>, FairnessError> {
    struct Bag<'a>(&'a str);
    impl WithGame for Bag<'_> {
        type Out = Result<Vec<(String, u8)>, FairnessError>;
        fn with<G: Hosted>(self) -> Self::Out {
            let setup = self.0.trim().parse::<G::Setup>();
            let setup = setup.map_err(|error| FairnessError::Setup(error.to_string()))?;
            let with_part = |outcome: G::Move| (outcome.to_string(), G::deck_part(outcome));
            Ok(G::new(&setup).bag().into_iter().map(with_part).collect())
        }
    }
    let (name, setup) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
    with_game(name, Bag(setup)).map_err(FairnessError::Game)?
}

fn same(expected: &[String], found: &[String]) -> Result<(), FairnessError> {
    if expected == found {
        return Ok(());
    }
    let differs = expected.iter().zip(found).position(|(a, b)| a != b);
    let show = |list: &[String], at: usize| {
        list.get(at).map_or("nothing".to_owned(), |text| format!("'{}'", game::excerpt(text, 20)))
    };
    let at = differs.unwrap_or(expected.len().min(found.len()));
    let (expected, found) = (show(expected, at), show(found, at));
    Err(FairnessError::Differs { number: at + 1, expected, found })
}
