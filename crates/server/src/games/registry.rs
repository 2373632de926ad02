//! The games there are, and how to reach the type behind an id.

use super::carcassonne::{self, AnyCarcassonne};
use super::{Hosted, OptionsError};
use crate::error::Refusal;
use crate::wire::{GameType, SetsInfo};
use game::Game;
use serde_json::Value;
use std::sync::LazyLock;
use tinytown::Tinytown;

/// Something to be done with a game that is known only by its id.
pub trait WithGame {
    /// What comes of it.
    type Out;

    /// Does it with the type that the id names.
    fn with<G: Hosted>(self) -> Self::Out;
}

/// Does something with the game that an id names.
///
/// # Errors
/// If there is no such game; says which there are.
pub fn with_game<W: WithGame>(id: &str, work: W) -> Result<W::Out, Refusal> {
    match id {
        AnyCarcassonne::NAME => Ok(work.with::<AnyCarcassonne>()),
        Tinytown::NAME => Ok(work.with::<Tinytown>()),
        #[cfg(test)]
        super::toy::Toy::NAME => Ok(work.with::<super::toy::Toy>()),
        _ => {
            let id = game::excerpt(id, 40);
            let known: Vec<_> = game_types().iter().map(|game| game.id.as_str()).collect();
            Err(Refusal::Bad(format!("no game is called '{id}'; there are {}", known.join(", "))))
        }
    }
}

/// What the list of games says: every game with its options, bots and tiles.
#[must_use]
pub fn game_types() -> &'static [GameType] {
    static TYPES: LazyLock<Vec<GameType>> =
        LazyLock::new(|| vec![AnyCarcassonne::describe(), Tinytown::describe()]);
    &TYPES
}

/// The setup in our notation that options and a number of seats mean, with all options.
///
/// # Errors
/// If there is no such game, or an option is unknown or out of range.
pub fn read_setup(id: &str, options: &Value, players: usize) -> Result<(String, Value), Refusal> {
    struct Read<'a>(&'a Value, usize);
    impl WithGame for Read<'_> {
        type Out = Result<(String, Value), OptionsError>;
        fn with<G: Hosted>(self) -> Self::Out {
            let setup = G::setup(self.0, self.1)?;
            Ok((setup.to_string(), G::options(&setup)))
        }
    }
    Ok(with_game(id, Read(options, players))??)
}

/// The longest record that is read; a whole game has a few kilobytes.
const LONGEST_RECORD: usize = 256 * 1024;

/// The game that a record is of, and its text: our notation names it in its first line, a JSON
/// list of moves is one of Carcassonne.
///
/// # Errors
/// If it names no game, or is longer than any record.
pub fn read_any_record(text: &str) -> Result<(&'static str, String), Refusal> {
    if text.len() > LONGEST_RECORD {
        return Err(Refusal::Bad(format!("a record has at most {LONGEST_RECORD} bytes")));
    }
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['[', '{']) {
        return Ok((AnyCarcassonne::NAME, text.to_owned()));
    }
    let name = game::named_game(text);
    let game = game_types().iter().find(|game| game.id == name).ok_or_else(|| {
        let known: Vec<_> = game_types().iter().map(|game| format!("'{} …'", game.id)).collect();
        let name = game::excerpt(name, 40);
        Refusal::Bad(format!(
            "a record begins with {}, not '{name}'; behind that line may stand 'from LAYOUT', a \
             position laid by hand, and then the moves; or it is a JSON list of moves",
            known.join(" or ")
        ))
    })?;
    Ok((game.id.as_str(), text.to_owned()))
}

/// Whether a bot can sit down at a game with this setup in our notation.
///
/// # Errors
/// If there is no such game, or the bot does not play it; says who does.
pub fn check_bot(id: &str, setup: &str, name: &str) -> Result<(), Refusal> {
    struct Check<'a>(&'a str, &'a str);
    impl WithGame for Check<'_> {
        type Out = Result<(), Refusal>;
        fn with<G: Hosted>(self) -> Self::Out {
            let Self(setup, name) = self;
            let setup = setup.parse::<G::Setup>();
            let setup = setup.map_err(|error| OptionsError::Rules(error.to_string()))?;
            Ok(G::check_bot(name, &setup)?)
        }
    }
    with_game(id, Check(setup, name))?
}

/// Whether any game has a bot of this name.
#[must_use]
pub fn knows_bot(name: &str) -> bool {
    let base = game_types().iter().flat_map(|kind| &kind.bots);
    base.chain(&sets_info().bots).any(|bot| bot.name == name)
}

/// What is told of the sets of Carcassonne.
#[must_use]
pub fn sets_info() -> &'static SetsInfo {
    static SETS: LazyLock<SetsInfo> = LazyLock::new(carcassonne::sets_info);
    &SETS
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_game_is_listed_with_what_a_form_needs() {
        let types = json!(game_types());
        assert_eq!(types[0]["id"], "carcassonne");
        assert_eq!((&types[0]["min_players"], &types[0]["max_players"]), (&json!(2), &json!(6)));
        assert_eq!(types[0]["tiles"].as_array().unwrap().len(), 24);
        assert_eq!(types[0]["bots"][0]["name"], "shepherd");
        assert_eq!(types[1]["id"], "tinytown");
        for game in game_types() {
            let defaults: serde_json::Map<_, _> = game.options["properties"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(key, property)| (key.clone(), property["default"].clone()))
                .collect();
            let defaults = Value::Object(defaults);
            let (setup, options) = read_setup(&game.id, &defaults, game.min_players).unwrap();
            assert_eq!(options, defaults, "{setup}");
            for bot in &game.bots {
                check_bot(&game.id, &setup, &bot.name).unwrap();
            }
        }
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_is() {
        let told = |refusal: Refusal| refusal.to_string();
        let chess = told(read_setup("chess", &Value::Null, 2).unwrap_err());
        assert_eq!(chess, "no game is called 'chess'; there are carcassonne, tinytown");
        assert!(
            told(check_bot("carcassonne", "", "best:file=/etc/passwd").unwrap_err())
                .contains("there are shepherd")
        );
        assert!(told(check_bot("tinytown", "3x3", "shepherd").unwrap_err()).contains("optimal"));
        assert!(check_bot("carcassonne", "sets=inns,river", "mason").is_ok());
        let with_sets = told(check_bot("carcassonne", "sets=inns,river", "hal").unwrap_err());
        assert!(with_sets.starts_with("no bot is called 'hal'; there are shepherd"));
        assert!(knows_bot("best") && knows_bot("mason") && !knows_bot("hal"));
        assert!(
            told(read_setup("tinytown", &json!({"rows": 5, "columns": 5}), 1).unwrap_err())
                .contains("at most 20")
        );
        assert!(told(read_setup("tinytown", &Value::Null, 2).unwrap_err()).contains("alone"));
    }
}
