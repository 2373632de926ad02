//! Compares the end of a game: final points, all features, the meeples that stand.

use super::compare::{Replay, type_of};
use super::location::{Location, short};
use super::reference::{self, End, Place};
use carcassonne::{Edition, Figure, Good, Options, Score, Terrain};
use game::{Game, Player};

/// A feature as both sides can list it: terrain, places, owners, city segments of a field.
type Listed = (Terrain, Vec<Place>, Vec<i64>, i64);

/// Compares the end of a game.
///
/// # Errors
/// If it is not written as it should be.
pub(super) fn compare<E: Edition>(
    replay: &mut Replay<'_, E>,
    given: &[Score],
    goods: &[(Player, Good, u16)],
) -> Result<(), String> {
    let end = &replay.reference.end()?;
    replay.points("final points", &end.points, given, goods)?;
    let ours: Vec<i64> = replay.game.scores().as_slice().iter().map(|s| (*s).into()).collect();
    replay.same("final scores", &end.scores, &ours);
    features(replay, end)?;
    meeples(replay, end)
}

fn features<E: Edition>(replay: &mut Replay<'_, E>, end: &End) -> Result<(), String> {
    let mut theirs: Vec<Listed> = Vec::new();
    // A river is no feature here: nothing stands on it and nothing is scored for it.
    for feature in end.features.iter().filter(|feature| feature.kind != "River") {
        let mut places = Vec::new();
        for (x, y, location) in &feature.places {
            places.push(([*x, *y], Location::parse(&feature.kind, location)?));
        }
        let Some((_, first)) = places.first().copied() else {
            return Err(format!("a {} without places", short(&feature.kind)));
        };
        places.sort();
        // A place that is listed twice is one place.
        places.dedup();
        let mut owners = feature.owners.clone();
        owners.sort();
        theirs.push((first.terrain, places, owners, feature.cities.unwrap_or(0)));
    }
    let mut ours: Vec<Listed> = replay.game.features().iter().map(|f| listed(replay, f)).collect();
    // Without farmers nobody needs the fields, and a reference may leave them out.
    if !replay.game.setup().rules().farmers
        && theirs.iter().all(|listed| listed.0 != Terrain::Field)
    {
        ours.retain(|listed| listed.0 != Terrain::Field);
    }
    replay.same_set("final features", theirs, ours, show);
    Ok(())
}

/// A feature of ours, as the reference lists it.
fn listed<E: Edition>(replay: &Replay<'_, E>, feature: &carcassonne::Feature) -> Listed {
    let place = |(cell, segment): &(carcassonne::Cell, carcassonne::Segment)| {
        let placed = replay.game.tile_at(*cell)?;
        Some((reference::position(*cell), Location::of(*segment, placed)?))
    };
    let mut places: Vec<Place> = feature.segments.iter().filter_map(place).collect();
    places.sort();
    let owners = feature.summary.owners.iter().map(|player| player.index() as i64).collect();
    (feature.summary.terrain, places, owners, feature.city_segments.into())
}

fn show((terrain, places, owners, cities): &Listed) -> String {
    let places: Vec<_> = places.iter().map(|([x, y], at)| format!("{x},{y} {at}")).collect();
    let touched = match terrain {
        Terrain::Field => format!(", {cities} city segments"),
        _ => String::new(),
    };
    format!("{terrain} of {owners:?}{touched} at {}", places.join(" | "))
}

fn meeples<E: Edition>(replay: &mut Replay<'_, E>, end: &End) -> Result<(), String> {
    let mut theirs = Vec::new();
    for meeple in &end.meeples {
        let location = Location::parse(&meeple.feature, &meeple.location)?;
        theirs.push((meeple.player, short(&meeple.kind), meeple.position, location));
    }
    let ours = replay.game.meeples().filter_map(|meeple| {
        let location = Location::of(meeple.segment, replay.game.tile_at(meeple.cell)?)?;
        let position = reference::position(meeple.cell);
        let kind = type_of(Figure::of_number(meeple.number));
        Some((meeple.player.index() as i64, kind.to_owned(), position, location))
    });
    let ours: Vec<_> = ours.collect();
    replay.same_set("final meeples", theirs, ours, |(player, kind, position, location)| {
        format!("player {player} {kind} {position:?} {location}")
    });
    Ok(())
}
