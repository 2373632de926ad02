//! A change becomes the state: stored first, then applied, then told.

use super::TableTask;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::journal::Change;
use crate::play::table::decide::Draft;
use crate::storage::db::Statement;
use crate::time;
use serde_json::Value;

impl<G: Hosted> TableTask<G> {
    /// Stores a draft, makes it the state, and tells everybody. When this returns well, nothing
    /// can undo it. Gives what happened.
    pub(super) async fn commit(&mut self, draft: Box<Draft<G>>) -> Result<Vec<Value>, Refusal> {
        // Whatever is being thought is about another position.
        self.bots.stop();
        let at = time::now();
        let mut change = self.table.record(&draft, at);
        change.statements.extend(self.waking());
        if self.tables.journal().write(change).await.is_err() {
            self.broken = true;
            return Err(Refusal::Unavailable(
                "the move could not be stored; reconnect to see where the game stands".to_owned(),
            ));
        }
        self.residency.awake();
        let (changed, shown, events) = self.table.apply(*draft, at);
        self.audience.note_change(shown);
        if changed.ended {
            self.read_ratings().await;
        }
        self.plan_silence();
        self.tell_update(changed.before);
        self.publish();
        self.tell_streams(changed.begins);
        Ok(events)
    }

    /// Ends the game without a result that counts; nobody in particular left it.
    pub(super) async fn call_off(&mut self) -> Result<(), Refusal> {
        let draft = self.table.call_off(Vec::new());
        self.commit(draft).await?;
        Ok(())
    }

    /// Stores something beside the log.
    pub(super) async fn write(&mut self, statements: Vec<Statement>) -> Result<(), Refusal> {
        let change = Change { statements, ..Change::default() };
        self.tables.journal().write(change).await.map_err(|_| {
            self.broken = true;
            Refusal::Unavailable("it could not be stored; reconnect and try again".to_owned())
        })
    }
}
