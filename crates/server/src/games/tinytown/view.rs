//! The grid as the player sees it, its events, and what a bot gets.

use super::optimum;
use crate::wire::{BuildingChoice, PatternInfo, TinytownView};
use game::Game;
use serde_json::{Value, json};
use tinytown::{Action, Building, Event, Phase, Resource, Square, Tinytown};

/// The names of the codes 0 to 4 of a square.
const NAMES: [&str; 5] = ["", "brick", "glass", "cottage", "greenhouse"];

/// The grid as the player sees it.
pub(super) fn view(town: &Tinytown) -> TinytownView {
    let optimal = optimum::of(town.setup());
    TinytownView {
        rows: town.size().rows(),
        columns: town.size().cols(),
        squares: squares(town),
        resource: None,
        buildings: buildings(town),
        points: town.points(),
        optimum: optimal.start_value(),
        reachable: if town.is_over() { town.points() } else { optimal.value(town) },
        patterns: Building::ALL.map(pattern).to_vec(),
    }
}

/// The phase by its name.
pub(super) fn phase(town: &Tinytown) -> &'static str {
    match (town.is_over(), town.phase()) {
        (true, _) => "game_over",
        (_, Phase::Resource) => "place_resource",
        (_, Phase::Building) => "build",
    }
}

fn squares(town: &Tinytown) -> Vec<Vec<String>> {
    let names: Vec<_> = town.cells().map(|code| NAMES[usize::from(code)].to_owned()).collect();
    names.chunks(town.size().cols()).map(<[String]>::to_vec).collect()
}

fn buildings(town: &Tinytown) -> Vec<BuildingChoice> {
    let mut moves = Vec::new();
    town.moves(&mut moves);
    let choice = |m: &Action| match m {
        Action::Build { building, anchor, at } => {
            let uses = building.pattern().iter().map(|(row, col, _)| {
                [usize::from(anchor.row + row), usize::from(anchor.col + col)]
            });
            Some(BuildingChoice {
                moved: m.to_string(),
                building: building_name(*building).to_owned(),
                square: at_square(*at),
                uses: uses.collect(),
            })
        }
        _ => None,
    };
    moves.iter().filter_map(choice).collect()
}

fn pattern(building: Building) -> PatternInfo {
    let at = |row: u8, col: u8| {
        let needed = building.pattern().iter().find(|(r, c, _)| (*r, *c) == (row, col));
        needed.map_or("", |(_, _, resource)| resource_name(*resource)).to_owned()
    };
    let worth = match building {
        Building::Cottage => "1 point, and 3 more when a greenhouse feeds it",
        Building::Greenhouse => "1 point; feeds cottages",
    };
    PatternInfo {
        building: building_name(building).to_owned(),
        rows: (0..2).map(|row| (0..2).map(|col| at(row, col)).collect()).collect(),
        worth: worth.to_owned(),
    }
}

/// An event with its name, text and payload.
pub(super) fn event(event: &Event) -> Value {
    match event {
        Event::Placed { resource, at } => {
            let resource = resource_name(*resource);
            let text = format!("resource_placed {resource} at {at}");
            json!({"event": "resource_placed", "resource": resource, "square": at_square(*at), "text": text})
        }
        Event::Built { building, anchor, at } => {
            let building = building_name(*building);
            let text = format!("building_built {building} at {at}, pattern at {anchor}");
            json!({
                "event": "building_built", "building": building, "square": at_square(*at),
                "anchor": at_square(*anchor), "text": text,
            })
        }
        Event::Scored { cottages, greenhouses, points } => {
            let text = format!(
                "game_over {points} points: {cottages} cottages, {greenhouses} greenhouses"
            );
            json!({
                "event": "game_over", "reason": "normal", "cottages": cottages,
                "greenhouses": greenhouses, "scores": [points], "winners": [0], "text": text,
            })
        }
    }
}

/// What a bot gets: the squares, the specification's matrix, and its actions in both forms.
pub(super) fn bot_view(town: &Tinytown) -> Value {
    let mut moves = Vec::new();
    town.moves(&mut moves);
    let action = |m: &Action| json!({"move": m.to_string(), "vector": m.to_vector()});
    json!({
        "squares": squares(town),
        "matrix": town.to_matrix(),
        "phase": phase(town),
        "points": town.points(),
        "scores": {"me": town.points()},
        "valid_actions": moves.iter().map(action).collect::<Vec<_>>(),
    })
}

pub(super) const fn resource_name(resource: Resource) -> &'static str {
    match resource {
        Resource::Brick => NAMES[1],
        Resource::Glass => NAMES[2],
    }
}

pub(super) const fn building_name(building: Building) -> &'static str {
    match building {
        Building::Cottage => NAMES[3],
        Building::Greenhouse => NAMES[4],
    }
}

const fn at_square(square: Square) -> [usize; 2] {
    [square.row as usize, square.col as usize]
}
