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
    /// Of somebody who has not played yet.
    fn default() -> Self {
        Self { rating: 1500.0, deviation: 500.0, volatility: 0.09 }
    }
}

/// Which games a rating is about.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// Games for two.
    Two,
    /// Games for three to six.
    Many,
}

impl Pool {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Two, Self::Many];

    /// The pool of a game with so many seats; none for a game alone.
    #[must_use]
    pub const fn of(seats: usize) -> Option<Self> {
        match seats {
            0 | 1 => None,
            2 => Some(Self::Two),
            _ => Some(Self::Many),
        }
    }

    /// Its name in the database and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Many => "many",
        }
    }

    /// The deviation above which a rating is too uncertain for a leaderboard. Places among
    /// several tell less of one player, so more is allowed there.
    #[must_use]
    pub const fn provisional_above(self) -> f64 {
        match self {
            Self::Two => 110.0,
            Self::Many => 250.0,
        }
    }
}

/// The ratings after a game that ended with these places, from 1; a shared place is a draw.
///
/// # Panics
/// If there are not as many places as ratings.
#[must_use]
pub fn settle(before: &[Rating], places: &[usize]) -> Vec<Rating> {
    assert_eq!(before.len(), places.len(), "a place for each player");
    match before {
        [one, two] => settle_two(*one, *two, places[0].cmp(&places[1])),
        _ => settle_many(before, places),
    }
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

/// Weng-Lin starts at 25 with an uncertainty of 25/3: sixty times that is 1500 and 500.
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

    const NEW: Rating = Rating { rating: 1500.0, deviation: 500.0, volatility: 0.09 };

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

    #[test]
    fn the_published_example_of_glicko_two_holds_for_one_game() {
        // Glickman's example player against its first opponent alone, worked out by hand from
        // the paper's formulas with tau 0.5.
        let player = Rating { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let opponent = Rating { rating: 1400.0, deviation: 30.0, volatility: 0.06 };
        let after = settle(&[player, opponent], &[1, 2])[0];
        assert!((after.rating - 1563.56).abs() < 0.05, "{after:?}");
        assert!((after.deviation - 175.40).abs() < 0.05, "{after:?}");
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
        assert!(two.iter().all(|r| r.deviation < Pool::Two.provisional_above()), "{two:?}");
        let mut many = vec![NEW; 4];
        for game in 0..30 {
            let places = [[1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 2, 4]][game % 3];
            many = settle(&many, &places);
        }
        assert!(many.is_sorted_by(|a, b| a.rating > b.rating));
        assert!(many.iter().all(|r| r.deviation < Pool::Many.provisional_above()), "{many:?}");
    }
}
