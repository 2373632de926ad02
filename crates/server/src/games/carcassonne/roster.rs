//! Who can sit down at a table: levels and engines.

use super::any_agent::AnyAgent;
use crate::games::BotError;
use crate::wire::{BotInfo, RatedOffer};
use bots::levels::LEVELS;
use bots::roster::{self, BotSpec, NAMES};
use carcassonne::{AllSets, Base, ExpandedSetup, Options};
use search::Agent;
use views::AnyCarcassonne;

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

/// The same with sets. What they are worth was measured in the base game alone, so that no rated
/// games with sets are offered.
pub(super) fn bots_with_sets() -> Vec<BotInfo> {
    let unrated = |bot| BotInfo { rating: None, rated: RatedOffer::Never, ..bot };
    bots().into_iter().map(unrated).collect()
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
    check(name)?;
    let spec = BotSpec { name: name.to_owned(), params: Vec::new() };
    let unfit = |error: bots::BotError| BotError::Unfit(error.to_string());
    Ok(Box::new(match setup.sets().is_empty() {
        true => AnyAgent::Base(roster::make::<Base>(&spec, setup.rules()).map_err(unfit)?),
        false => AnyAgent::Expanded(roster::make::<AllSets>(&spec, setup).map_err(unfit)?),
    }))
}

/// Whether there is a bot of this name; each plays every setup.
pub(super) fn check(name: &str) -> Result<(), BotError> {
    let all = bots();
    if all.iter().any(|bot| bot.name == name) {
        return Ok(());
    }
    let known: Vec<_> = all.iter().map(|bot| bot.name.as_str()).collect();
    Err(BotError::Unknown { name: game::excerpt(name, 40), known: known.join(", ") })
}
