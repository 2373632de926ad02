//! What players, spectators and programs see of a position, as messages.

use crate::proto::{AiViewOptions, AiViewResponse, DataType, State, Tensor, View};
use game::{Player, Turn};
use server::error::Refusal;
use server::games::{Array, Hosted, Numbers};

/// What a player sees, or a spectator.
///
/// # Errors
/// If there is no such player.
pub(crate) fn view<G: Hosted>(
    setup: &G::Setup,
    game: &G,
    tally: &G::Tally,
    player: Option<u32>,
    state: State,
) -> Result<View, Refusal> {
    let player = player.map(|number| seat(game, number)).transpose()?;
    G::prepare(setup);
    let decides = player.is_some_and(|player| game.turn() == Turn::Player(player));
    let legal_json = if decides { json(&game.legal_turns())? } else { String::new() };
    Ok(View { state: Some(state), view_json: json(&game.view(tally))?, legal_json })
}

/// What a program on a seat sees.
///
/// # Errors
/// If there is no such seat, or there are no such arrays.
pub(crate) fn ai_view<G: Hosted>(
    setup: &G::Setup,
    game: &G,
    options: &AiViewOptions,
    state: State,
) -> Result<AiViewResponse, Refusal> {
    let player = match (options.player, game.turn()) {
        (Some(number), _) => seat(game, number)?,
        (None, Turn::Player(player)) => player,
        (None, _) => Player::new(0),
    };
    let mut seen = AiViewResponse {
        state: Some(state),
        player: player.index() as u32,
        ..AiViewResponse::default()
    };
    if !options.without_json {
        G::prepare(setup);
        seen.view_json = game.bot_view(player).to_string();
    }
    if options.tensors.is_empty() {
        return Ok(seen);
    }
    if options.tensors.len() > MOST_ARRAYS {
        return Err(Refusal::Bad(format!("at most {MOST_ARRAYS} arrays at once")));
    }
    let observed = game.observation(setup, player, options.tensor_version, &options.tensors);
    let observed = observed.map_err(|error| Refusal::Bad(error.to_string()))?;
    seen.tensor_version = observed.version;
    seen.tensors = observed.arrays.into_iter().map(tensor).collect();
    if matches!(game.turn(), Turn::Player(_)) {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        seen.actions = moves.iter().map(ToString::to_string).collect();
    }
    seen.action_numbers = observed.numbers;
    seen.action_count = observed.action_count as u32;
    Ok(seen)
}

/// No game has more arrays.
const MOST_ARRAYS: usize = 3;

fn seat<G: Hosted>(game: &G, number: u32) -> Result<Player, Refusal> {
    let players = game.players();
    match usize::try_from(number).ok().filter(|number| *number < players) {
        Some(number) => Ok(Player::new(number)),
        None => Err(Refusal::Bad(format!("player {number}: from 0 to {}", players - 1))),
    }
}

fn tensor(array: Array) -> Tensor {
    let Array { name, shape, entries } = array;
    let (kind, data) = match entries {
        Numbers::U8(entries) => (DataType::Uint8, entries),
        Numbers::I16(entries) => {
            (DataType::Int16, entries.iter().flat_map(|entry| entry.to_le_bytes()).collect())
        }
    };
    let shape = shape.into_iter().map(|length| length as u32).collect();
    Tensor { name: name.to_owned(), r#type: kind.into(), shape, data }
}

fn json(value: &impl serde::Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|_| Refusal::Internal)
}
