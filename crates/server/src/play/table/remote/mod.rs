//! Tables that other nodes hold.
//!
//! For the rest of the server a table elsewhere is a mailbox like any other. Behind it `proxy` sends
//! each command to the node that holds the game and hands on what comes back; there `visitors` puts it
//! into the table's mailbox as if it had been sent on that node. `letters` is what goes between them.
//!
//! Nothing is promised for the time in which a node or the bus is away: a question without an answer
//! is refused as unavailable, and watchers lose their connection and come back for the latest state.

mod letters;
mod proxy;
mod visitors;

pub(super) use proxy::{Proxies, spawn_proxy};
pub(super) use visitors::Visitors;

use super::manager::{Tables, WeakTables};
use crate::bus::{Exchange, NodeId};
use letters::{ANSWER, COMMAND, OUT};

/// Lets commands of other nodes come in, and answers to ours.
pub(super) fn listen(tables: &Tables) {
    let exchange = tables.exchange().clone();
    let here = tables.downgrade();
    exchange.on(COMMAND, move |from, body| {
        let Some(here) = here.upgrade() else { return };
        match letters::read(body) {
            Some((letter, _)) => here.visitors().visit(&here, from, letter),
            None => unreadable(from),
        }
    });
    let proxies = tables.proxies().clone();
    exchange.on(ANSWER, move |from, body| match letters::read(body) {
        Some((letter, text)) => proxies.answered(from, letter, text),
        None => unreadable(from),
    });
    let proxies = tables.proxies().clone();
    exchange.on(OUT, move |from, body| match letters::read(body) {
        Some((letter, text)) => proxies.told(from, letter, text),
        None => unreadable(from),
    });
    let proxies = tables.proxies().clone();
    exchange.on_interruption(move || proxies.end_all());
    tokio::spawn(watch_members(tables.downgrade(), exchange));
}

fn unreadable(from: NodeId) {
    tracing::warn!(from, "a node sent what cannot be read; is it of another version?");
}

/// Lets go of what concerns nodes that are gone.
async fn watch_members(tables: WeakTables, exchange: Exchange) {
    let mut members = exchange.watch_members();
    let mut before = exchange.members();
    drop(exchange);
    while members.changed().await.is_ok() {
        let now = members.borrow_and_update().clone();
        let Some(tables) = tables.upgrade() else { return };
        for gone in before.iter().filter(|node| !now.contains(node)) {
            tables.proxies().end_of(*gone);
            tables.visitors().leave(*gone);
        }
        before = now;
    }
}
