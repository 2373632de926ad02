//! What of a change is stored: the entries of the log, and the rows beside it.

use super::{Draft, Table};
use crate::games::Hosted;
use crate::people::fairplay;
use crate::play::journal::{Change, LogRow};
use crate::play::table::store;
use crate::storage::db::Statement;
use crate::wire::Reason;

impl<G: Hosted> Table<G> {
    /// Everything that is stored of a draft, in one transaction.
    pub(in crate::play::table) fn record(&self, draft: &Draft<G>, at: i64) -> Change {
        let id = self.facts.id.as_str();
        let mut statements = Vec::new();
        if let Some(starts) = draft.game.starts() {
            statements.push(store::games::start(id, starts));
            if draft.one_address {
                statements.push(store::games::note_one_address(id));
            }
        }
        for (seat, out) in draft.dropouts.since(self.seats.dropouts()) {
            statements.push(store::seats::put_out(id, seat, out.reason));
        }
        statements.extend(self.early_exits(draft, at));
        let mut over = None;
        if let Some(result) = draft.game.result() {
            let position = draft.game.position();
            statements.push(store::games::end(id, result, position.turns(), at));
            let breakdown = position.game().breakdown(position.tally());
            statements.extend(store::seats::end(id, result, &breakdown));
            over = (result.reason != Reason::Abort).then(|| id.to_owned());
        }
        Change { statements, log: self.log_rows(draft, at), over, ..Change::default() }
    }

    fn log_rows(&self, draft: &Draft<G>, at: i64) -> Vec<LogRow> {
        let clocks = draft.clocks.logged(draft.at);
        // The turn's time stands at its last move.
        let last_move = draft.game.last_move();
        let entries = draft.game.entries().map(|(ply, entry)| LogRow {
            game: self.facts.id.clone(),
            ply,
            seat: entry.seat.map(|seat| seat as i64),
            kind: entry.kind.word(),
            body: entry.body.clone(),
            at,
            clocks: clocks.clone(),
            spent: draft.spent.filter(|_| last_move == Some(ply)),
        });
        entries.collect()
    }

    /// What notes those who leave a rated game after the first tile and before it could count.
    fn early_exits(&self, draft: &Draft<G>, at: i64) -> Vec<Statement> {
        let turns = draft.game.position().turns();
        let short = fairplay::is_short(turns, self.seats.count());
        if !self.facts.rated || self.game.started().is_none() || !short {
            return Vec::new();
        }
        let out = draft.dropouts.since(self.seats.dropouts());
        let gone = out.filter_map(|(seat, _)| self.seats.at(seat).user());
        let leavers = draft.leavers.iter().map(String::as_str).chain(gone);
        leavers.map(|user| fairplay::exit(user, &self.facts.id, at)).collect()
    }
}
