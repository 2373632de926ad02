//! The options of a game of Carcassonne as JSON, and their schema.

use crate::games::OptionsError;
use carcassonne::{BoardSize, ExpandedSetup, Options, Sets, Setup, SetupError, Start, TinyCity};
use serde_json::{Map, Value, json};

/// The JSON Schema of the options: what the create form is rendered from.
pub(super) fn schema() -> Value {
    let default = write(&ExpandedSetup::default());
    json!({
        "type": "object",
        "title": "Options of the game",
        "additionalProperties": false,
        "properties": {
            "farmers": {
                "type": "boolean",
                "title": "Farmers",
                "description": "Meeples may lie in fields, which score at the end.",
                "default": default["farmers"],
            },
            "start": {
                "type": "string",
                "title": "Start",
                "description": "What lies on the table before the first move.",
                "enum": ["tile", "empty"],
                "oneOf": [
                    {"const": "tile", "title": "The start tile lies in the middle"},
                    {"const": "empty", "title": "Nothing; the first player begins in the middle"},
                ],
                "default": default["start"],
            },
            "board": {
                "type": "string",
                "title": "Board",
                "description": "As far as the tiles go, or a square of N×N cells (1 to 145) \
                                around the first tile, such as 35x35.",
                "pattern": r"^(unlimited|([1-9]|[1-9][0-9]|1[0-3][0-9]|14[0-5])x\2)$",
                "examples": ["unlimited", "35x35", "30x30", "15x15", "9x9"],
                "default": default["board"],
            },
            "tiny_city": {
                "type": "integer",
                "title": "City of two tiles",
                "description": "What a finished city of two tiles is worth.",
                "enum": [4, 2],
                "oneOf": [
                    {"const": 4, "title": "4 points, as any city (today's rule)"},
                    {"const": 2, "title": "2 points (the early rule)"},
                ],
                "default": default["tiny_city"],
            },
            "expansions": {
                "type": "array",
                "title": "Sets",
                "description": "What is played beside the base game, in any combination.",
                "items": {
                    "type": "string",
                    "enum": Sets::NAMED.map(|(_, name)| name),
                    "oneOf": [
                        {"const": "inns", "title": "Inns and cathedrals: 18 tiles, a big meeple each"},
                        {"const": "traders", "title": "Traders and builders: 24 tiles with goods, \
                                                      a builder and a pig each"},
                        {"const": "river", "title": "The river: 12 tiles that are placed first"},
                        {"const": "gardens", "title": "Gardens on eight tiles, an abbot each"},
                    ],
                },
                "uniqueItems": true,
                "default": default["expansions"],
            },
        },
    })
}

/// All options of a setup.
pub(super) fn write(setup: &ExpandedSetup) -> Value {
    let sets = setup.sets();
    let setup = setup.rules();
    json!({
        "farmers": setup.farmers,
        "start": match setup.start {
            Start::Tile => "tile",
            Start::Empty => "empty",
        },
        "board": match setup.board() {
            BoardSize::Unlimited => "unlimited".to_owned(),
            BoardSize::Square(n) => format!("{n}x{n}"),
        },
        "tiny_city": match setup.tiny_city {
            TinyCity::Four => 4,
            TinyCity::Two => 2,
        },
        "expansions": names(sets),
    })
}

/// The names of sets, in their order.
pub(super) fn names(sets: Sets) -> Vec<&'static str> {
    let played = Sets::NAMED.into_iter().filter(|(set, _)| sets.contains(*set));
    played.map(|(_, name)| name).collect()
}

/// What is allowed, for messages.
const ALLOWED: &str = "farmers (true or false), start (\"tile\" or \"empty\"), board \
                       (\"unlimited\" or \"NxN\" from 1x1 to 145x145), tiny_city (4 or 2), \
                       expansions (a list of \"inns\", \"traders\", \"river\", \"gardens\")";

/// The setup that options mean; what is left out has its default.
pub(super) fn read(options: &Value, players: usize) -> Result<ExpandedSetup, OptionsError> {
    let rules = |error: SetupError| OptionsError::Rules(error.to_string());
    let allowed = || ALLOWED.to_owned();
    let (mut setup, mut sets) = (Setup::new(players).map_err(rules)?, Sets::NONE);
    let none = Map::new();
    let map = match options {
        Value::Null => &none,
        Value::Object(map) => map,
        other => {
            return Err(OptionsError::NotAnObject { allowed: allowed(), found: short(other) });
        }
    };
    for (key, value) in map {
        let wrong = || {
            let (key, found) = (key.clone(), short(value));
            OptionsError::Value { key, found, allowed: allowed() }
        };
        match (key.as_str(), value) {
            ("farmers", Value::Bool(farmers)) => setup.farmers = *farmers,
            ("start", Value::String(start)) => {
                setup.start = match start.as_str() {
                    "tile" => Start::Tile,
                    "empty" => Start::Empty,
                    _ => return Err(wrong()),
                }
            }
            // The rules read this text already, with every check.
            ("board", Value::String(board)) if !board.contains(char::is_whitespace) => {
                let read: Setup = format!("board={board}").parse().map_err(|_| wrong())?;
                setup = setup.with_board(read.board()).map_err(rules)?;
            }
            ("tiny_city", value) => {
                setup.tiny_city = match value.as_i64() {
                    Some(4) => TinyCity::Four,
                    Some(2) => TinyCity::Two,
                    _ => return Err(wrong()),
                }
            }
            ("players", value) if value.as_u64() == Some(players as u64) => {}
            ("players", value) => {
                return Err(OptionsError::Players { found: short(value), seats: players });
            }
            ("expansions", names) => {
                let wrong = || OptionsError::Expansions { found: short(names) };
                sets = read_sets(names).ok_or_else(wrong)?;
            }
            ("farmers" | "start" | "board", _) => return Err(wrong()),
            _ => {
                let key = game::excerpt(key, 40);
                return Err(OptionsError::Unknown { key, allowed: allowed() });
            }
        }
    }
    ExpandedSetup::new(setup, sets).map_err(rules)
}

/// Two of the sets by the names that the platform has for them.
const PLATFORM_NAMES: [(Sets, &str); 2] =
    [(Sets::INNS, "inns_and_cathedrals"), (Sets::TRADERS, "traders_and_builders")];

/// The sets of a list of names, each at most once.
fn read_sets(names: &Value) -> Option<Sets> {
    let known = || Sets::NAMED.into_iter().chain(PLATFORM_NAMES);
    names.as_array()?.iter().try_fold(Sets::NONE, |sets, name| {
        let (set, _) = known().find(|(_, known)| name.as_str() == Some(known))?;
        (!sets.contains(set)).then(|| sets.with(set))
    })
}

fn short(value: &Value) -> String {
    game::excerpt(&value.to_string(), 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_left_out_have_the_defaults_of_the_schema() {
        let read = |options: Value| read(&options, 3).map(|setup| setup.to_string());
        let default = "players=3 farmers=on start=tile board=unlimited tiny-city=4";
        assert_eq!(read(Value::Null).unwrap(), default);
        assert_eq!(read(json!({})).unwrap(), default);
        let schema = schema();
        let properties = schema["properties"].as_object().unwrap();
        let defaults = properties.iter().map(|(key, p)| (key.clone(), p["default"].clone()));
        assert_eq!(read(Value::Object(defaults.collect())).unwrap(), default);
        for (key, property) in properties {
            for word in ["title", "description", "type"] {
                assert!(property[word].is_string(), "{key} has a {word}");
            }
            let choices = property["enum"].as_array().or(property["examples"].as_array());
            for choice in choices.into_iter().flatten() {
                let options = json!({key: choice});
                let setup = super::read(&options, 2).unwrap();
                assert_eq!(&write(&setup)[key], choice, "{key} is written as it is read");
            }
        }
    }

    #[test]
    fn every_combination_of_sets_is_read_and_written() {
        let read = |names: Value, players| read(&json!({"expansions": names}), players);
        for bits in 0..16 {
            let chosen = |(bit, (_, name)): (usize, (Sets, &'static str))| {
                (bits >> bit & 1 == 1).then_some(name)
            };
            let names: Vec<_> = Sets::NAMED.into_iter().enumerate().filter_map(chosen).collect();
            for players in 2..=6 {
                let setup = read(json!(names), players).unwrap();
                let said = setup.to_string();
                assert_eq!(said.contains("sets="), bits > 0, "{said}");
                assert!(
                    said.ends_with(&names.join(","))
                        && said.starts_with(&format!("players={players}"))
                );
                assert_eq!(write(&setup)["expansions"], json!(names));
                let backwards: Vec<_> = names.iter().rev().collect();
                assert_eq!(read(json!(backwards), players).unwrap(), setup);
            }
        }
        let platform = read(json!(["traders_and_builders", "inns_and_cathedrals"]), 2).unwrap();
        assert_eq!(write(&platform)["expansions"], json!(["inns", "traders"]));
        let items = &schema()["properties"]["expansions"]["items"];
        let titled: Vec<_> =
            items["oneOf"].as_array().unwrap().iter().map(|c| &c["const"]).collect();
        assert_eq!(json!(titled), items["enum"]);
    }

    #[test]
    fn wrong_options_are_refused_with_what_is_allowed() {
        for (options, word) in [
            (json!([]), "an object"),
            (json!("farmers"), "an object"),
            (json!({"farmers": "on"}), "true or false"),
            (json!({"farmers": 1}), "true or false"),
            (json!({"start": "city"}), "\"empty\""),
            (json!({"board": "30x31"}), "NxN"),
            (json!({"board": "0x0"}), "145x145"),
            (json!({"board": "146x146"}), "145x145"),
            (json!({"board": 30}), "NxN"),
            (json!({"board": "9x9 farmers=off"}), "NxN"),
            (json!({"tiny_city": 3}), "4 or 2"),
            (json!({"tiny_city": null}), "4 or 2"),
            (json!({"expansions": "river"}), "expansions=\"river\""),
            (
                json!({"expansions": ["abbey"]}),
                "a list of inns, traders, river, gardens, each at most once",
            ),
            (json!({"expansions": ["inns", "inns"]}), "each at most once"),
            (json!({"expansions": ["inns", "inns_and_cathedrals"]}), "each at most once"),
            (json!({"expansions": ["Inns"]}), "each at most once"),
            (json!({"expansions": ["inns,traders"]}), "each at most once"),
            (json!({"expansions": [["inns"]]}), "each at most once"),
            (json!({"expansions": [1, null]}), "each at most once"),
            (json!({"expansions": {"inns": true}}), "each at most once"),
            (json!({"expansions": null}), "each at most once"),
            (json!({"expansions": vec!["inns"; 10_000]}), "each at most once"),
            (json!({"expansions": ["river"], "start": "empty"}), "starts with the spring"),
            (json!({"sets": ["inns"]}), "'sets' is no option"),
            (json!({"players": 3}), "the seats are 2"),
        ] {
            let error = read(&options, 2).unwrap_err().to_string();
            assert!(error.contains(word) && error.len() < 400, "{options}: {error}");
        }
        assert!(read(&Value::Null, 1).unwrap_err().to_string().contains("2 to 6"));
        assert!(read(&Value::Null, 7).unwrap_err().to_string().contains("2 to 6"));
        assert!(read(&json!({"players": 2}), 2).is_ok());
        assert!(read(&json!({"expansions": []}), 2).is_ok());
    }
}
