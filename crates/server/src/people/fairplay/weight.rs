//! What a rated game counts for: nothing if it was short, less and less for those who play one
//! another again and again in a day.

use super::store;
use crate::people::ratings::Rating;
use crate::time::DAY;
use crate::wire::NotRated;
use sqlx::AnyConnection;

/// Turns that every seat must have played for a game to change ratings.
pub const TURNS_EACH: usize = 3;

/// Rated games of one pair within a day that count fully; each one after them counts half of the
/// one before.
const PAIR_FULL: i64 = 4;

/// Rated games of one pair within a day that count at all.
const PAIR_MOST: i64 = 8;

/// Rated games of a person within a day that count at all, with people at the same address. Only
/// the first counts fully: a household may play, a row of accounts of one person gains little.
const ADDRESS_MOST: i64 = 4;

/// Whether a game of so many turns is too short to change ratings.
#[must_use]
pub const fn is_short(turns: usize, seats: usize) -> bool {
    turns < TURNS_EACH * seats
}

/// Decides what a rated game that has just ended counts for, and writes it down: the part of the
/// full change, or nothing and why. Subjects are `user:ID` or `bot:GAME/NAME`, by seat.
///
/// # Errors
/// If the database fails.
pub async fn weigh(
    to: &mut AnyConnection,
    game: &str,
    subjects: &[String],
) -> Result<Option<f64>, sqlx::Error> {
    let counted = decide(to, game, subjects).await?;
    let (weight, why) = match counted {
        Ok(weight) => (Some(weight), None),
        Err(why) => (None, Some(why.word())),
    };
    store::set_weight(to, game, weight, why).await?;
    Ok(weight)
}

/// What a settled game counted for.
///
/// # Errors
/// If the database fails.
pub async fn weight_of(from: &mut AnyConnection, game: &str) -> Result<f64, sqlx::Error> {
    Ok(store::weight(from, game).await?.unwrap_or(1.0))
}

/// The rating that goes a part of the way.
#[must_use]
pub fn partly(before: Rating, after: Rating, weight: f64) -> Rating {
    if weight >= 1.0 {
        return after;
    }
    let part = |from: f64, to: f64| from + (to - from) * weight;
    Rating {
        rating: part(before.rating, after.rating),
        deviation: part(before.deviation, after.deviation),
        volatility: part(before.volatility, after.volatility),
    }
}

async fn decide(
    from: &mut AnyConnection,
    game: &str,
    subjects: &[String],
) -> Result<Result<f64, NotRated>, sqlx::Error> {
    let ended = store::ended_game(from, game).await?;
    let turns = usize::try_from(ended.turns).unwrap_or_default();
    if is_short(turns, subjects.len()) {
        return Ok(Err(NotRated::Short));
    }
    let since = ended.ended - DAY;
    let people: Vec<&String> = subjects.iter().filter(|s| s.starts_with("user:")).collect();
    let mut weight: f64 = 1.0;
    for (index, one) in people.iter().enumerate() {
        for other in &people[index + 1..] {
            let Some(pair) = pair_weight(store::games_of_pair(from, one, other, since).await?)
            else {
                return Ok(Err(NotRated::Pair));
            };
            weight = weight.min(pair);
        }
    }
    if ended.one_address {
        for person in people {
            let games = store::games_at_one_address(from, person, since).await?;
            let Some(household) = address_weight(games) else {
                return Ok(Err(NotRated::Address));
            };
            weight = weight.min(household);
        }
    }
    Ok(Ok(weight))
}

fn pair_weight(before: i64) -> Option<f64> {
    (before < PAIR_MOST).then(|| half_to_the((before + 1 - PAIR_FULL).max(0)))
}

fn address_weight(before: i64) -> Option<f64> {
    (before < ADDRESS_MOST).then(|| half_to_the(before))
}

fn half_to_the(exponent: i64) -> f64 {
    (0..exponent).fold(1.0, |weight, _| weight / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_and_end() {
        let pair: Vec<_> = (0..9).map(pair_weight).collect();
        let expected = [1.0, 1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0625];
        assert_eq!(pair[..8], expected.map(Some));
        assert_eq!(pair[8], None);
        let address: Vec<_> = (0..5).map(address_weight).collect();
        assert_eq!(address, [Some(1.0), Some(0.5), Some(0.25), Some(0.125), None]);
    }

    #[test]
    fn a_part_lies_between_and_the_whole_is_exact() {
        let before = Rating { rating: 1500.0, deviation: 500.0, volatility: 0.09 };
        let after = Rating { rating: 1700.0, deviation: 300.0, volatility: 0.05 };
        assert_eq!(partly(before, after, 1.0), after);
        let half = partly(before, after, 0.5);
        assert!((half.rating - 1600.0).abs() < 1e-9 && (half.deviation - 400.0).abs() < 1e-9);
    }
}
