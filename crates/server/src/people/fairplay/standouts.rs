//! Players who stand out, for moderators to look at. No verdict follows from any of this: a figure
//! says where to look, a person decides.

use super::store::signs;
use crate::storage::db::Db;
use crate::time::{self, DAY};
use crate::wire::{FlaggedPlayer, Sign, SignKind};
use std::collections::BTreeMap;

/// Days that are looked at.
const DAYS: i64 = 30;

/// The most players that are listed.
const MOST: usize = 100;

/// Each kind of sign with the figure from which it is listed.
const SIGNS: [(SignKind, f64); 6] = [
    (SignKind::Steady, 0.25),
    (SignKind::Agreement, 0.8),
    (SignKind::Upsets, 0.7),
    (SignKind::Rise, 300.0),
    (SignKind::Pair, 10.0),
    (SignKind::Exits, 5.0),
];

/// Players who stand out in the last thirty days: those with the most kinds of signs first.
///
/// # Errors
/// If the database fails.
pub async fn standouts(db: &Db) -> Result<Vec<FlaggedPlayer>, sqlx::Error> {
    let since = time::now() - DAYS * DAY;
    let mut found: BTreeMap<String, FlaggedPlayer> = BTreeMap::new();
    for (kind, from) in SIGNS {
        for (user, value, games) in signs::players(db, kind, since, from).await? {
            let sign = Sign { kind, value, from, games };
            let standout = found
                .entry(user.id.clone())
                .or_insert_with(|| FlaggedPlayer { user, signs: Vec::new() });
            match standout.signs.iter_mut().find(|known| known.kind == kind) {
                // Of several opponents, the one most often met.
                Some(known) if known.value < sign.value => *known = sign,
                Some(_) => {}
                None => standout.signs.push(sign),
            }
        }
    }
    let mut all: Vec<FlaggedPlayer> = found.into_values().collect();
    all.sort_by_key(|standout| std::cmp::Reverse(standout.signs.len()));
    all.truncate(MOST);
    Ok(all)
}
