//! Who can sit down at a table: levels and engines in the base game, some engines with sets.

use super::any_edition::{AnyAgent, AnyCarcassonne};
use crate::games::BotError;
use crate::wire::{BotInfo, RatedOffer};
use bots::levels::LEVELS;
use bots::roster::{self, BotSpec, NAMES, NAMES_WITH_SETS};
use carcassonne::{ExpandedSetup, Options};
use search::Agent;

/// The players of the roster that can sit down beside the levels. The others take parameters
/// that only their makers need.
const BASELINES: [&str; 7] = ["random", "greedy", "heuristic", "net", "mcts", "puct", "best"];

/// The levels from the weakest on, then the players they are measured against.
pub(super) fn bots() -> Vec<BotInfo> {
    let levels = LEVELS.iter().map(|level| BotInfo {
        name: level.name.to_owned(),
        about: level.about.to_owned(),
        engine: false,
        rating: Some(level.rating_two),
        rated: RatedOffer::Offered,
    });
    let baselines = NAMES.iter().filter(|(name, _)| BASELINES.contains(name));
    levels.chain(baselines.map(engine)).collect()
}

/// Those that play with sets.
pub(super) fn bots_with_sets() -> Vec<BotInfo> {
    NAMES_WITH_SETS.iter().map(engine).collect()
}

fn engine((name, about): &(&str, &str)) -> BotInfo {
    BotInfo {
        name: (*name).to_owned(),
        // What follows a `;` in the roster are parameters, which cannot be given here.
        about: about.split(';').next().unwrap_or_default().to_owned(),
        engine: true,
        rating: None,
        rated: RatedOffer::Never,
    }
}

/// A bot by name.
pub(super) fn bot(
    name: &str,
    setup: &ExpandedSetup,
) -> Result<Box<dyn Agent<AnyCarcassonne>>, BotError> {
    check(name, setup)?;
    let spec = BotSpec { name: name.to_owned(), params: Vec::new() };
    let unfit = |error: bots::BotError| BotError::Unfit(error.to_string());
    Ok(Box::new(match setup.sets().is_empty() {
        true => AnyAgent::Base(roster::make(&spec, setup.rules().players()).map_err(unfit)?),
        false => AnyAgent::Expanded(roster::make_with_sets(&spec).map_err(unfit)?),
    }))
}

/// Whether a bot plays games with this setup.
pub(super) fn check(name: &str, setup: &ExpandedSetup) -> Result<(), BotError> {
    let named = |bots: &[BotInfo]| bots.iter().any(|bot| bot.name == name);
    let all = bots();
    let (playing, with_sets) = match setup.sets().is_empty() {
        true => (all.clone(), false),
        false => (bots_with_sets(), true),
    };
    if named(&playing) {
        return Ok(());
    }
    let known: Vec<_> = playing.iter().map(|bot| bot.name.as_str()).collect();
    let known = known.join(", ");
    match with_sets && named(&all) {
        true => Err(BotError::WithoutSets { name: name.to_owned(), sets: setup.sets(), known }),
        false => Err(BotError::Unknown { name: game::excerpt(name, 40), known }),
    }
}
