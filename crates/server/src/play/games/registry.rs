//! The games there are, and how to reach the type behind an id.

use super::{Hosted, OptionsError};
use crate::error::Refusal;
use crate::wire::GameType;
use carcassonne::Carcassonne;
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
        Carcassonne::NAME => Ok(work.with::<Carcassonne>()),
        Tinytown::NAME => Ok(work.with::<Tinytown>()),
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
        LazyLock::new(|| vec![Carcassonne::describe(), Tinytown::describe()]);
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
        return Ok((Carcassonne::NAME, text.to_owned()));
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let head = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    let name = head.split_whitespace().next().unwrap_or_default();
    let game = game_types().iter().find(|game| game.id == name).ok_or_else(|| {
        let known: Vec<_> = game_types().iter().map(|game| format!("'{} …'", game.id)).collect();
        let name = game::excerpt(name, 40);
        Refusal::Bad(format!("a record begins with {}, not '{name}'", known.join(" or ")))
    })?;
    Ok((game.id.as_str(), text.to_owned()))
}

/// The bots of a game by name.
///
/// # Errors
/// If there is no such game.
pub fn check_bot(id: &str, name: &str) -> Result<(), Refusal> {
    struct Known;
    impl WithGame for Known {
        type Out = &'static str;
        fn with<G: Hosted>(self) -> Self::Out {
            G::NAME
        }
    }
    let id = with_game(id, Known)?;
    let game = game_types().iter().find(|game| game.id == id);
    let bots = game.map(|game| game.bots.as_slice()).unwrap_or_default();
    if bots.iter().any(|bot| bot.name == name) {
        return Ok(());
    }
    let known: Vec<_> = bots.iter().map(|bot| bot.name.as_str()).collect();
    let name = game::excerpt(name, 40);
    Err(Refusal::Bad(format!("no bot of {id} is called '{name}'; there are {}", known.join(", "))))
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
                check_bot(&game.id, &bot.name).unwrap();
            }
        }
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_is() {
        let told = |refusal: Refusal| refusal.to_string();
        let chess = told(read_setup("chess", &Value::Null, 2).unwrap_err());
        assert_eq!(chess, "no game is called 'chess'; there are carcassonne, tinytown");
        assert!(
            told(check_bot("carcassonne", "best:file=/etc/passwd").unwrap_err())
                .contains("there are shepherd")
        );
        assert!(told(check_bot("tinytown", "shepherd").unwrap_err()).contains("optimal"));
        assert!(
            told(read_setup("tinytown", &json!({"rows": 5, "columns": 5}), 1).unwrap_err())
                .contains("at most 20")
        );
        assert!(told(read_setup("tinytown", &Value::Null, 2).unwrap_err()).contains("alone"));
    }
}
