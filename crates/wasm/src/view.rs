//! A position as the server would send it to the page: the board, the turns open to who is to move, what
//! may be drawn.

use crate::request::{Request, written};
use carcassonne::Expanded;
use game::{Game, Record, Turn};
use serde::Serialize;
use serde_json::Value;
use views::{AnyCarcassonne, CarcassonneView, LegalMove, Tally, either, events};

#[derive(Serialize)]
struct Told {
    view: CarcassonneView,
    phase: &'static str,
    /// `player`, `chance` or `over`.
    turn: &'static str,
    /// The seat to move, or the one that draws.
    seat: Option<usize>,
    /// The whole turns of who is to move.
    legal: Vec<LegalMove>,
    /// What may be drawn, and how many of it are left.
    draws: Vec<(String, u32)>,
    /// What happened since the ply that was asked for.
    events: Vec<Value>,
}

/// Both editions are told alike.
pub(crate) fn told(record: Record<Expanded>, asked: &Request) -> Result<String, String> {
    let setup = record.setup;
    let record: Record<AnyCarcassonne> = record.retyped(setup);
    let played = asked.played(&record.moves)?;
    let since = asked.since.unwrap_or(played.len());
    let (mut tally, mut new) = (Tally::default(), Vec::new());
    let mut game = record.start(|event| new.push(event));
    let mut told = Vec::new();
    let mut tell = |game: &AnyCarcassonne, ply: usize, new: &mut Vec<_>| {
        for event in new.drain(..) {
            views::count(&mut tally, &event);
            if ply > since {
                let mut value = either!(game, game => events::event(game, &event));
                value["ply"] = ply.into();
                told.push(value);
            }
        }
    };
    tell(&game, 0, &mut new);
    for (index, m) in played.iter().enumerate() {
        game.play(*m, |event| new.push(event)).map_err(|e| format!("ply {}: {e}", index + 1))?;
        tell(&game, index + 1, &mut new);
    }
    let (turn, seat) = match game.turn() {
        Turn::Player(player) => ("player", Some(player.index())),
        Turn::Chance => ("chance", Some(either!(&game, game => game.player().index()))),
        Turn::Over => ("over", None),
    };
    let mut draws = Vec::new();
    if game.turn() == Turn::Chance {
        let mut outcomes = Vec::new();
        game.moves(&mut outcomes);
        draws.extend(outcomes.iter().map(|m| (m.to_string(), game.odds(*m))));
    }
    Ok(written(&Told {
        view: views::view(&game, &tally),
        phase: either!(&game, game => game.phase()).name(),
        turn,
        seat,
        legal: either!(&game, game => views::legal_turns(game)),
        draws,
        events: told,
    }))
}
