//! What a result does to ratings: Glicko-2 for two players, Weng-Lin for more, on one scale.

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

/// A rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The number.
    pub rating: f64,
    /// How uncertain it is.
    pub deviation: f64,
    /// How unsteady; only Glicko-2 uses it.
    pub volatility: f64,
}

impl Default for Rating {
    /// Of somebody who has not played yet. The deviation is the one that Glickman recommends.
    fn default() -> Self {
        Self { rating: 1500.0, deviation: 350.0, volatility: 0.09 }
    }
}

/// The ratings after a game that ended with these places, from 1; a shared place is a draw. One game
/// moves a rating by at most its deviation before the game.
///
/// # Panics
/// If there are not as many places as ratings.
#[must_use]
pub fn settle(before: &[Rating], places: &[usize]) -> Vec<Rating> {
    assert_eq!(before.len(), places.len(), "a place for each player");
    let after = match before {
        [one, two] => settle_two(*one, *two, places[0].cmp(&places[1])),
        _ => settle_many(before, places),
    };
    before.iter().zip(after).map(|(before, after)| bounded(*before, after)).collect()
}

/// Both formulas take one step along the slope at the old rating. That is exact for small steps and
/// far too long for a surprise about somebody who is hardly known: with a deviation of 350 the loss
/// of a newcomer to a bot of 1032 is a step of 527 points, where Bayes' rule says about 400.
fn bounded(before: Rating, after: Rating) -> Rating {
    let step = (after.rating - before.rating).clamp(-before.deviation, before.deviation);
    Rating { rating: before.rating + step, ..after }
}

fn settle_two(one: Rating, two: Rating, order: std::cmp::Ordering) -> Vec<Rating> {
    let outcome = match order {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    };
    let glicko = |Rating { rating, deviation, volatility }: Rating| Glicko2Rating {
        rating,
        deviation,
        volatility,
    };
    let (one, two) = glicko2(&glicko(one), &glicko(two), &outcome, &Glicko2Config::new());
    [one, two]
        .map(|Glicko2Rating { rating, deviation, volatility }| Rating {
            rating,
            // A surprise may widen it, but nobody is less known than a newcomer.
            deviation: deviation.min(Rating::default().deviation),
            volatility,
        })
        .to_vec()
}

/// Weng-Lin starts at 25: sixty times that is 1500.
const SCALE: f64 = 60.0;

fn settle_many(before: &[Rating], places: &[usize]) -> Vec<Rating> {
    let teams: Vec<[WengLinRating; 1]> = before
        .iter()
        .map(|b| [WengLinRating { rating: b.rating / SCALE, uncertainty: b.deviation / SCALE }])
        .collect();
    let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams
        .iter()
        .zip(places)
        .map(|(team, place)| (team.as_slice(), MultiTeamOutcome::new(*place)))
        .collect();
    let after = weng_lin_multi_team(&ranked, &WengLinConfig::new());
    let back = |(before, after): (&Rating, &Vec<WengLinRating>)| {
        after.first().map_or(*before, |after| Rating {
            rating: after.rating * SCALE,
            deviation: after.uncertainty * SCALE,
            volatility: before.volatility,
        })
    };
    before.iter().zip(&after).map(back).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::ratings::Pool;

    const NEW: Rating = Rating { rating: 1500.0, deviation: 350.0, volatility: 0.09 };

    /// Glicko-2 as the paper has it (steps 2 to 8), written down apart from the library: the rating
    /// after one period with these opponents and scores.
    fn by_the_paper(player: Rating, games: &[(Rating, f64)]) -> Rating {
        const TAU: f64 = 0.5;
        const UNIT: f64 = 173.7178;
        let (mu, phi) = ((player.rating - 1500.0) / UNIT, player.deviation / UNIT);
        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let (their_mu, their_phi) =
                ((opponent.rating - 1500.0) / UNIT, opponent.deviation / UNIT);
            let g = 1.0 / (1.0 + 3.0 * (their_phi / std::f64::consts::PI).powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - their_mu)).exp());
            information += g * g * expected * (1.0 - expected);
            surprise += g * (score - expected);
        }
        let (v, delta) = (1.0 / information, surprise / information);
        // The volatility by bisection of the paper's f, which falls with x.
        let a = (player.volatility.powi(2)).ln();
        let f = |x: f64| {
            let e = x.exp();
            e * (delta * delta - phi * phi - v - e) / (2.0 * (phi * phi + v + e).powi(2))
                - (x - a) / (TAU * TAU)
        };
        let (mut low, mut high) = (a - 10.0, a + 10.0);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if f(middle) > 0.0 { low = middle } else { high = middle }
        }
        let volatility = (low / 2.0).exp();
        let widened = phi * phi + volatility * volatility;
        let new_phi = 1.0 / (1.0 / widened + information).sqrt();
        Rating {
            rating: (mu + new_phi * new_phi * surprise).mul_add(UNIT, 1500.0),
            deviation: new_phi * UNIT,
            volatility,
        }
    }

    #[test]
    fn winners_rise_losers_fall_and_everybody_is_better_known() {
        for places in [vec![1, 2], vec![1, 2, 3], vec![1, 2, 3, 4, 5, 6]] {
            let after = settle(&vec![NEW; places.len()], &places);
            assert!(after.is_sorted_by(|a, b| a.rating > b.rating), "{after:?}");
            assert!(after.iter().all(|rating| rating.deviation < NEW.deviation));
            assert!(after[0].rating > 1500.0 && after[places.len() - 1].rating < 1500.0);
        }
    }

    #[test]
    fn a_tie_is_a_draw() {
        for players in 2..=6 {
            for rating in settle(&vec![NEW; players], &vec![1; players]) {
                assert!((rating.rating - 1500.0).abs() < 1e-6);
            }
        }
        let strong = Rating { rating: 1900.0, deviation: 80.0, volatility: 0.06 };
        let after = settle(&[strong, NEW], &[1, 1]);
        assert!(after[0].rating < 1900.0 && after[1].rating > 1500.0, "{after:?}");
    }

    fn close(one: Rating, other: Rating, within: f64) -> bool {
        (one.rating - other.rating).abs() < within
            && (one.deviation - other.deviation).abs() < within
            && (one.volatility - other.volatility).abs() < within / 100.0
    }

    #[test]
    fn games_for_two_are_settled_as_in_the_paper() {
        let of = |rating, deviation| Rating { rating, deviation, volatility: 0.06 };
        let player = of(1500.0, 200.0);
        let opponents =
            [(of(1400.0, 30.0), 1.0), (of(1550.0, 100.0), 0.0), (of(1700.0, 300.0), 0.0)];
        let published = Rating { rating: 1464.06, deviation: 151.52, volatility: 0.05999 };
        assert!(close(by_the_paper(player, &opponents), published, 0.01));
        for (opponent, score) in opponents {
            let places = if score > 0.5 { [1, 2] } else { [2, 1] };
            let after = settle(&[player, opponent], &places)[0];
            let expected = by_the_paper(player, &[(opponent, score)]);
            assert!(close(after, expected, 0.01), "{after:?} {expected:?}");
        }
    }

    #[test]
    fn one_game_moves_a_rating_by_at_most_its_deviation() {
        let weak = Rating { rating: 1032.0, deviation: 40.0, volatility: 0.09 };
        let unbounded = by_the_paper(NEW, &[(weak, 0.0)]);
        assert!((1500.0 - unbounded.rating - 527.0).abs() < 1.0, "{unbounded:?}");
        let after = settle(&[NEW, weak], &[2, 1])[0];
        assert!((after.rating - 1150.0).abs() < 1e-9, "{after:?}");
        let won = settle(&[NEW, weak], &[1, 2])[0];
        assert!(close(won, by_the_paper(NEW, &[(weak, 1.0)]), 0.01), "no surprise: {won:?}");
        for players in 3..=6 {
            let places: Vec<usize> = (1..=players).collect();
            for (rating, place) in settle(&vec![NEW; players], &places).iter().zip(places) {
                assert!((rating.rating - 1500.0).abs() <= 350.0, "place {place}: {rating:?}");
            }
        }
    }

    #[test]
    fn a_stronger_player_is_found_out() {
        // The first wins nine of ten games against the second.
        let mut two = vec![NEW, NEW];
        for game in 0..60 {
            let places = if game % 10 == 9 { [2, 1] } else { [1, 2] };
            two = settle(&two, &places);
        }
        let difference = two[0].rating - two[1].rating;
        assert!((250.0..550.0).contains(&difference), "90 % is about 380 points: {two:?}");
        assert!(two.iter().all(|r| r.deviation < Pool::TWO.provisional_above()), "{two:?}");
        let mut many = vec![NEW; 4];
        for game in 0..30 {
            let places = [[1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 2, 4]][game % 3];
            many = settle(&many, &places);
        }
        assert!(many.is_sorted_by(|a, b| a.rating > b.rating));
        assert!(many.iter().all(|r| r.deviation < Pool::MANY.provisional_above()), "{many:?}");
    }
}
