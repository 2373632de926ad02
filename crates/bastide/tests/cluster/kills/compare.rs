//! What was sent and acknowledged, against what the database has.

use super::table::{Crowd, Table};
use crate::live::Place;
use crate::load::insist;
use game::Random;
use reqwest::Method;
use serde_json::json;
use std::collections::BTreeMap;

/// How they differ.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) games: usize,
    /// Moves of people that are stored.
    pub(super) moves: usize,
    /// Turns that were acknowledged and are not in their game, each as game and version.
    pub(super) lost: Vec<(String, u64)>,
    /// Moves of people's seats that belong to no turn that was sent there.
    pub(super) doubled: Vec<(String, u64)>,
}

/// A stored move by its ply: whose it was, and its text.
type Log = BTreeMap<u64, (Option<u64>, String)>;

/// Compares all games.
pub(super) fn with_database(place: &Place, tables: &[Table]) -> Compared {
    let logs = logs(place);
    let nothing = Log::new();
    let mut compared = Compared { games: tables.len(), ..Compared::default() };
    for table in tables {
        let log = logs.get(&table.id).unwrap_or(&nothing);
        table.sent(|seats, sent| {
            // Each stored move of a person must be one of exactly one turn that was sent.
            let mut unexplained: BTreeMap<u64, &str> = log
                .iter()
                .filter(|(_, (seat, _))| seat.is_some_and(|seat| seats.contains(&seat)))
                .map(|(ply, (_, text))| (*ply, text.as_str()))
                .collect();
            compared.moves += unexplained.len();
            for (version, sent) in sent {
                let plies = *version..version + sent.moves.len() as u64;
                let there = plies
                    .clone()
                    .zip(&sent.moves)
                    .all(|(ply, text)| unexplained.get(&ply) == Some(&text.as_str()));
                if there {
                    unexplained.retain(|ply, _| !plies.contains(ply));
                } else if sent.acknowledged {
                    compared.lost.push((table.id.clone(), *version));
                }
            }
            compared.doubled.extend(unexplained.keys().map(|ply| (table.id.clone(), *ply)));
        });
    }
    compared
}

/// The moves of all games.
fn logs(place: &Place) -> BTreeMap<String, Log> {
    let mut logs: BTreeMap<String, Log> = BTreeMap::new();
    let rows = place.sql("SELECT game_id, ply, seat, body FROM log WHERE kind IN ('move', 'draw')");
    for row in rows.lines() {
        let fields: Vec<&str> = row.splitn(4, '|').collect();
        let [game, ply, seat, text] = fields[..] else { panic!("four columns: {row}") };
        let before = logs
            .entry(game.to_owned())
            .or_default()
            .insert(ply.parse().expect("a number"), (seat.parse().ok(), text.to_owned()));
        assert!(before.is_none(), "a ply is stored once");
    }
    logs
}

/// Asks any node for every game that was not over; gives how many there are.
pub(super) async fn all_answer(crowd: &Crowd, tables: &[Table]) -> usize {
    let mut random = Random::new(0);
    let nobody = json!({});
    let client = crate::client::Client::new(crowd.nodes.any(&mut random));
    let mut open = 0;
    for table in tables.iter().filter(|table| !table.is_over()) {
        let at = format!("/api/games/{}", table.id);
        insist(&crowd.nodes, &client, &mut random, (Method::GET, &at, &nobody)).await;
        open += 1;
    }
    open
}
