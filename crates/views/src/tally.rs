//! Points by seat and by what they were scored for.

use crate::Breakdown;
use carcassonne::{Event, Score, Terrain};
use game::MAX_PLAYERS;

/// Points by seat and by what they were scored for.
pub type Tally = [Breakdown; MAX_PLAYERS];

/// Adds what an event scored.
pub fn count(tally: &mut Tally, event: &Event) {
    match event {
        Event::FeatureScored(score) | Event::EndGamePoints(score) => {
            let Score { player, terrain, points, .. } = score;
            let seat = &mut tally[player.index()];
            *match terrain {
                Terrain::City => &mut seat.city,
                Terrain::Road => &mut seat.road,
                Terrain::Field => &mut seat.field,
                Terrain::Monastery => &mut seat.monastery,
                Terrain::Garden => &mut seat.garden,
            } += i32::from(*points);
        }
        Event::EndGameGoods { player, points, .. } => {
            tally[player.index()].goods += i32::from(*points);
        }
        _ => {}
    }
}
