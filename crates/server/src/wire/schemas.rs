//! Words from closed lists, as the API's document tells them.

use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

fn one_of(words: &'static [&'static str]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .enum_values(Some(words.iter().copied()))
        .build()
}

/// The ids of the games there are.
pub(super) fn game_id() -> Object {
    one_of(&["carcassonne", "tinytown"])
}

/// The phases of all games.
pub(super) fn phase() -> Object {
    one_of(&[
        "setup",
        "draw_tile",
        "place_tile",
        "place_meeple",
        "score_check",
        "end_game_scoring",
        "place_resource",
        "build",
        "game_over",
    ])
}

pub(super) use views::schemas::terrain;

/// The first message of a socket.
pub(super) fn welcome() -> Object {
    one_of(&["welcome"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_types;
    use carcassonne::{Phase, Terrain};

    fn words(object: &Object) -> Vec<String> {
        let all = object.enum_values.iter().flatten();
        all.map(|word| word.as_str().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn the_lists_have_every_word_that_is_sent() {
        let games: Vec<_> = game_types().iter().map(|game| game.id.clone()).collect();
        assert_eq!(words(&game_id()), games);
        let phases = words(&phase());
        for phase in Phase::ALL {
            assert!(phases.contains(&phase.name().to_owned()), "{phase:?}");
        }
        for terrain in
            [Terrain::City, Terrain::Road, Terrain::Field, Terrain::Monastery, Terrain::Garden]
        {
            assert!(words(&super::terrain()).contains(&terrain.name().to_owned()));
        }
    }
}
